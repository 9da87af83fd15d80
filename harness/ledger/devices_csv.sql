-- SPDX-License-Identifier: MIT
-- Takes over facts of the devices of the paper ?1, whose lines are the table csv.
INSERT INTO csv_fault
SELECT line, CASE WHEN quantity = '' THEN NULL
    WHEN parsed(value) IS NULL THEN printf('''%s'' is no number', value)
    WHEN parsed(value) <= 0
        THEN printf('%s of ''%s'' must be above 0, not %s', quantity, device, value)
    WHEN source = ''
        THEN printf('where ''%s'' of ''%s'' is from is not said', quantity, device)
    WHEN origin NOT IN ('printed', 'derived', 'external')
        THEN printf('the origin of ''%s'' of ''%s'' is printed, derived or external, not ''%s''',
            quantity, device, origin) END AS text
FROM csv;
INSERT INTO published_fact
SELECT ?1, device, nullif(substr(quantity, 1, instr(quantity || '/', '/') - 1), ''),
    iif(instr(quantity, '/'), substr(quantity, instr(quantity, '/') + 1), NULL),
    iif(quantity = '', NULL, parsed(value)), nullif(unit, ''), nullif(origin, ''),
    nullif(source, ''), nullif(erratum, '')
FROM csv WHERE NOT EXISTS (SELECT 1 FROM csv_fault WHERE text NOT NULL) ORDER BY line;
