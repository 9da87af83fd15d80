-- SPDX-License-Identifier: MIT
-- The scoreboard of verdicts, ?1, as `orrery claims --json` writes them: paper, id, the claim in short, and its verdict on each
-- machine, for one machine in words; as the paper states it where it is read in several ways.
WITH verdict AS MATERIALIZED (
    SELECT key AS place, value ->> 'paper' AS paper, value ->> 'id' AS id, value ->> 'short' AS short,
        coalesce(value ->> 'machine', '') AS machine, value ->> 'reading' = 'as printed' AS printed, value ->> 'verdict' AS verdict,
        value ->> '$.score.held' || '/' || (value ->> '$.score.of') AS parts
    FROM json_each(?1)),
machine AS MATERIALIZED (SELECT machine, min(place) AS place, count() OVER () = 1 AS alone FROM verdict
    WHERE machine <> '' OR NOT EXISTS (SELECT * FROM verdict WHERE machine <> '') GROUP BY machine),
best AS MATERIALIZED (SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY paper, id, machine
    ORDER BY printed DESC, iif(printed, -place, place)) AS rank FROM verdict) WHERE rank = 1),
marked AS MATERIALIZED (
    SELECT c.paper, c.id, m.place, iif(alone, CASE verdict WHEN 'partly' THEN 'partly ' || parts
            WHEN 'not measurable here' THEN 'not measurable' ELSE coalesce(verdict, '') END,
        printf('%7s', CASE verdict WHEN 'reproduced' THEN 'yes' WHEN 'not reproduced' THEN 'no' WHEN 'partly' THEN parts
            WHEN 'unclear' THEN '?' ELSE '-' END)) AS mark
    FROM (SELECT DISTINCT paper, id FROM verdict) c JOIN machine m LEFT JOIN best b USING (paper, id, machine) ORDER BY m.place)
SELECT v.paper, v.id, v.short, (SELECT group_concat(mark, '') FROM marked m WHERE m.paper = v.paper AND m.id = v.id)
FROM verdict v GROUP BY v.paper, v.id ORDER BY min(v.place);
