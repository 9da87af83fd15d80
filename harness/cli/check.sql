-- SPDX-License-Identifier: MIT
-- What `orrery check` found, ?1, as it writes it with --json, for people, as describe.sql has lines; `told` are its differences.
WITH list(place, member, title) AS (VALUES (1, 'faults', 'Faults:'), (2, 'beyond_bounds',
    'Ok by their outcome, not by their errors:'),
    (3, 'remarks', 'Remarks:'), (4, 'told', 'Verdicts, judged again:')),
item AS (SELECT place, title, i.key AS key, iif(i.type = 'object', i.value ->> 'line', i.value) AS text
    FROM list, json_each(?1, '$.' || member) i),
sum(place, count, what) AS (
    SELECT 1, ?1 ->> 'journals', ' journal' UNION ALL SELECT 2, count(DISTINCT machine), ' machine' FROM run
    UNION ALL SELECT 3, count(*), ' cell' FROM cell UNION ALL SELECT 4, json_array_length(?1, '$.faults'), ' fault'
    UNION ALL SELECT 5, json_array_length(?1, '$.remarks'), ' remark' UNION ALL SELECT 6, ?1 ->> 'verdicts', ' verdict'),
counted AS (SELECT place, count || what || iif(count = 1, '', 's') AS text FROM sum),
told AS (SELECT max(iif(place = 1, text, '')) AS journals, max(iif(place = 2, text, '')) AS machines, max(iif(place = 3, text,
    '')) AS cells,
    max(iif(place = 4, text, '')) AS faults, max(iif(place = 5, text, '')) AS remarks, max(iif(place = 6, text, '')) AS
        verdicts,
    json_array_length(?1, '$.beyond_bounds') AS beyond, json_array_length(?1, '$.differences') AS changes FROM counted)
SELECT '' AS head, text, NULL AS list, NULL AS columns, 0 AS indent FROM (
    SELECT place, -1 AS key, title AS text FROM item GROUP BY place
    UNION ALL SELECT place, key, text FROM item
    UNION ALL SELECT place, 1e9, '' FROM item GROUP BY place
    UNION ALL SELECT 5, 0, printf('%s of %s, %s: %s, %d beyond their bounds, %s', journals, machines, cells, faults, beyond,
        remarks) FROM told
    UNION ALL SELECT 6, 0, verdicts || iif(?1 ->> 'verdicts_came',
        printf(', %d of them differ%s from those that came with the results',
        changes, iif(changes = 1, 's', '')), '; none came with the results (claims.json, or --expect FILE)') FROM told)
ORDER BY place, key;
