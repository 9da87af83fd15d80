-- SPDX-License-Identifier: MIT
-- Holds verdicts, ?1, against those of a file, ?2, both as `orrery claims --json` writes them, on the machine ?3 (NULL: all):
-- what each was expected to be and is, NULL where there is none. The file may not mention the paper at all.
CREATE TEMP TABLE expectation AS
WITH verdict AS (
    SELECT list, key AS place, value ->> 'paper' AS paper, value ->> 'id' AS id, coalesce(value ->> 'machine', '') AS machine,
        coalesce(value ->> 'device', '') AS device, coalesce(value ->> 'reading', '') AS reading, value ->> 'verdict' AS verdict
    FROM (SELECT 'here' AS list, ?1 AS rows UNION ALL SELECT 'file', ?2), json_each(rows)),
here AS (SELECT * FROM verdict WHERE list = 'here'),
-- Verdicts that were not asked for now are not missed.
file AS (SELECT * FROM verdict WHERE list = 'file' AND paper IN (SELECT paper FROM paper) AND (machine IN ('', ?3) OR ?3 IS NULL))
SELECT paper, id, machine, device, reading, was, "is", unmentioned FROM (
    SELECT paper, id, machine, device, reading, f.verdict AS was, h.verdict AS "is", h.place AS place, f.place AS file_place,
        false AS unmentioned
    FROM file f LEFT JOIN here h USING (paper, id, machine, device, reading)
    UNION ALL
    SELECT paper, id, machine, device, reading, NULL, h.verdict, h.place, NULL,
        paper NOT IN (SELECT paper FROM verdict WHERE list = 'file' AND paper NOT NULL)
    FROM here h LEFT JOIN file f USING (paper, id, machine, device, reading) WHERE f.verdict IS NULL)
ORDER BY was IS "is", was IS NULL, iif(was IS "is", place, file_place), place;
