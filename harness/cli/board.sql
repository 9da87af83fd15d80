-- SPDX-License-Identifier: MIT
-- The scoreboard of verdicts, ?1, as `orrery claims --json` writes them, line by line in at most 80 columns: id, the claim in
-- short, and its verdict on each machine, for one machine in words; as the paper states it where it is read in several ways.
WITH verdict AS MATERIALIZED (
    SELECT key AS place, value ->> 'paper' AS paper, value ->> 'id' AS id, value ->> 'short' AS short,
        coalesce(value ->> 'machine', '') AS machine, value ->> 'reading' = 'as printed' AS printed, value ->> 'verdict' AS
            verdict,
        value ->> '$.score.held' || '/' || (value ->> '$.score.of') AS parts
    FROM json_each(?1)),
machine AS MATERIALIZED (SELECT machine, min(place) AS place, count() OVER () = 1 AS alone FROM verdict
    WHERE machine <> '' OR NOT EXISTS (SELECT * FROM verdict WHERE machine <> '') GROUP BY machine),
lettered AS MATERIALIZED (SELECT machine, place, char(65 + (row_number() OVER (ORDER BY place) - 1) % 26) AS letter
    FROM machine),
size AS MATERIALIZED (SELECT alone, iif(alone, 59, max(75 - 7 * count(*), 20)) AS room FROM machine),
best AS MATERIALIZED (SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY paper, id, machine
    ORDER BY printed DESC, iif(printed, -place, place)) AS rank FROM verdict) WHERE rank = 1),
marked AS MATERIALIZED (
    SELECT c.paper, c.id, m.place, iif(alone, CASE verdict WHEN 'partly' THEN 'partly ' || parts
            WHEN 'not measurable here' THEN 'not measurable' ELSE coalesce(verdict, '') END,
        printf('%7s', CASE verdict WHEN 'reproduced' THEN 'yes' WHEN 'not reproduced' THEN 'no' WHEN 'partly' THEN parts
            WHEN 'unclear' THEN '?' ELSE '-' END)) AS mark
    FROM (SELECT DISTINCT paper, id FROM verdict) c JOIN machine m LEFT JOIN best b USING (paper, id, machine) ORDER BY
        m.place),
claim AS MATERIALIZED (
    SELECT min(v.place) AS place, id, iif(length(short) > room, substr(short, 1, room - 1) || '…', short) AS sentence,
        (SELECT group_concat(mark, '') FROM marked m WHERE m.paper = v.paper AND m.id = v.id) AS marks
    FROM verdict v JOIN size GROUP BY paper, id),
paper AS MATERIALIZED (SELECT paper, min(place) AS place FROM verdict GROUP BY paper)
SELECT '' AS head, line AS text, NULL AS list, NULL AS columns, 0 AS indent FROM (
    SELECT 1 AS part, place, letter || '  ' || machine AS line FROM lettered JOIN size WHERE NOT alone
    UNION ALL SELECT 2, 0, 'yes: reproduced; no: not reproduced; 3/4: 3 of 4 parts hold; ?: the differences are not' || char(10)
        || 'certain; -: not measured, or not all of it' FROM size WHERE NOT alone
    UNION ALL SELECT 3, place, iif(alone AND place = (SELECT min(place) FROM verdict), '', char(10)) || iif(alone,
            paper || (SELECT iif(machine = '', '', ', ') || machine FROM machine),
            printf('%-*s', room + 5, paper) || (SELECT group_concat(printf('%7s', letter), '') FROM lettered))
        FROM paper JOIN size
    UNION ALL SELECT 3, place + 0.5, iif(alone, printf('%-5s%-16s%s', id, marks, sentence),
            printf('%-5s', id) || substr(printf('%s%*s', sentence, room, ''), 1, room) || marks)
        FROM claim JOIN size)
ORDER BY part, place;
