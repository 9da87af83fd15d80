-- SPDX-License-Identifier: MIT
-- Takes over costs.csv of the paper ?1 (its columns: audit.h), whose lines are the table csv.
INSERT INTO csv_fault
SELECT line, coalesce(
    unknown('unknown variant', variant,
        (SELECT group_concat(name) FROM audit_name WHERE what = 'variant')),
    iif(kind IN ('step', 'kernel', 'left-out', 'counters'), NULL,
        unknown('unknown kind of count', kind,
            (SELECT group_concat(name) FROM audit_name WHERE what = 'count'))),
    CASE WHEN access = '' THEN 'no access is named'
    WHEN kind = 'left-out' AND access NOT IN ('too short', 'too long')
        THEN printf('left-out is ''%s'', not ''too short'' or ''too long''', access)
    WHEN degree NOT IN ('', 'counted') AND coalesce(parsed(degree) < 1, 1)
        THEN printf('degree ''%s'' is no number from 1 up and not ''counted''', degree)
    WHEN coalesce(parsed(times) <= 0, 1) THEN printf('times ''%s'' is no positive number', times)
    WHEN condition <> '' AND NOT instr(condition, '=')
        THEN printf('condition ''%s'' is no parameter=value', condition) END) AS text
FROM csv;
INSERT INTO audit_cost
SELECT ?1, line, variant, kind, access, degree, parsed(times), condition, note
FROM csv WHERE NOT EXISTS (SELECT 1 FROM csv_fault WHERE text NOT NULL);
