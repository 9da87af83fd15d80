-- SPDX-License-Identifier: MIT
-- Takes over formulas.csv of the paper ?1 (its columns: audit.h), whose lines are the table csv.

-- words: of the kinds, as an array in JSON; ordered: "SW+SR" as "SR+SW".
CREATE TEMP TABLE csv_words AS
SELECT c.*, words, (SELECT group_concat(kind, '+') FROM (SELECT kind FROM audit_kind
        WHERE kind IN (SELECT value FROM json_each(words)) ORDER BY place)) AS ordered
FROM (SELECT *, iif(kinds = '', '[]', '["' || replace(kinds, '+', '","') || '"]') AS words FROM csv) c;

INSERT INTO csv_fault
WITH known AS (
    SELECT (SELECT group_concat(name) FROM audit_name WHERE what = 'experiment') AS experiments,
        (SELECT group_concat(name) FROM audit_name WHERE what = 'variant') AS variants,
        (SELECT group_concat(pair) FROM audit_pair_flops) AS pairs,
        (SELECT group_concat(kind) FROM audit_kind) AS all_kinds)
SELECT line, coalesce(
    unknown('the column ''says'' holds', says, 'count,atomic,flops,change,where,from,number'),
    (SELECT unknown('unknown kind of access', value, all_kinds) AS fault FROM json_each(words)
        WHERE fault NOT NULL),
    'formula: ' || formula_fault(formula),
    iif(substr(experiment, 1, length(?1) + 1) <> ?1 || '/',
        printf('experiment ''%s'' is not of the paper ''%s''', experiment, ?1), NULL),
    unknown('unknown experiment', substr(experiment, length(?1) + 2), experiments),
    iif(says IN ('where', 'from'), NULL, unknown('unknown variant', variant, variants)),
    iif(says IN ('change', 'number'), unknown('unknown variant', "over", variants), NULL),
    iif(item = '', 'the column ''item'' is empty', NULL),
    iif(says IN ('from', 'flops') AND formula(formula) GLOB '*[BNP]*',
        says || ' is followed by a number', NULL),
    iif(says = 'flops', unknown('kernels/pair.h has no pair', item, pairs), NULL),
    iif(says = 'where' AND item NOT IN ('level', 'N', 'B', 'P'),
        printf('the symbol ''%s'' is none of N, B and P', item), NULL),
    CASE WHEN says = 'count' AND length(ordered) <> 2
        THEN 'a count is of one kind, GR, GW, SR, SW, RR, RW or CP'
    WHEN says = 'atomic' AND ordered NOT IN ('SW', 'GW')
        THEN 'atomic updates are a part of SW or GW'
    WHEN says IN ('change', 'number') AND ordered IS NULL
        THEN 'a change names the kinds it sums, as in SR+SW' END,
    (SELECT printf('line %d has this count already', min(o.line)) FROM csv_words o
        WHERE o.line < c.line AND c.says = 'count' AND o.says = 'count' AND o.variant = c.variant
            AND o.item = c.item AND o.ordered = c.ordered HAVING count(*))) AS text
FROM csv_words c, known;

INSERT INTO audit_formula
SELECT ?1, line, says, experiment, variant, "over", item, coalesce(ordered, ''), formula(formula),
    coalesce(nullif(printed, ''), formula), note, NULL, NULL, NULL
FROM csv_words WHERE NOT EXISTS (SELECT 1 FROM csv_fault WHERE text NOT NULL);
DROP TABLE csv_words;
