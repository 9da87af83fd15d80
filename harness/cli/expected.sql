-- SPDX-License-Identifier: MIT
-- Holds verdicts, ?1, against those of a file, ?2, both as `orrery claims --json` writes them, on the machine ?3 (NULL: all):
-- what each was expected to be and is, NULL where there is none. The file may not mention the paper at all. Each is a test case,
-- which is named without words that a release may change, and has a line that says what was expected; without a file (NULL) a
-- claim that holds in part fails, since it says more than is so.
CREATE TEMP TABLE expectation AS
WITH verdict AS (
    SELECT list, key AS place, value ->> 'paper' AS paper, value ->> 'id' AS id, coalesce(value ->> 'machine', '') AS machine,
        coalesce(value ->> 'device', '') AS device, coalesce(value ->> 'reading', '') AS reading, value ->> 'verdict' AS verdict,
        value ->> '$.score.text' || ': ' || (value ->> 'short') AS told, value ->> 'text' || '. ' || (value ->> 'why') AS said
    FROM (SELECT 'here' AS list, ?1 AS rows UNION ALL SELECT 'file', ?2), json_each(rows)),
here AS (SELECT * FROM verdict WHERE list = 'here'),
-- Verdicts that were not asked for now are not missed.
file AS (SELECT * FROM verdict WHERE list = 'file' AND paper IN (SELECT paper FROM paper) AND (machine IN ('', ?3) OR ?3 IS NULL)),
paired AS (
    SELECT paper, id, machine, device, reading, f.verdict AS was, h.verdict AS "is", h.place AS place, f.place AS file_place,
        false AS unmentioned, NULL AS told, NULL AS said
    FROM file f LEFT JOIN here h USING (paper, id, machine, device, reading)
    UNION ALL
    SELECT paper, id, machine, device, reading, NULL, h.verdict, h.place, NULL,
        paper NOT IN (SELECT paper FROM verdict WHERE list = 'file' AND paper NOT NULL), h.told, h.said
    FROM here h LEFT JOIN file f USING (paper, id, machine, device, reading) WHERE f.verdict IS NULL)
SELECT paper, id, machine, device, reading, was, "is", unmentioned,
    paper || iif(machine = '', '', '.' || machine) AS class,
    id || iif(device = '', '', ' ' || device) || iif(reading IN ('', 'as printed'), '', ', ' || reading) AS name,
    CASE WHEN ?2 IS NULL THEN iif("is" IN ('not reproduced', 'partly'), told, NULL)
        WHEN was IS NOT "is" THEN coalesce("is", 'no verdict') || '; ' || coalesce(was, 'no verdict') || ' was expected' END AS
            failure,
    iif(?2 IS NULL AND "is" NOT IN ('reproduced', 'not reproduced', 'partly'), told, NULL) AS skipped,
    iif(?2 IS NULL, said, NULL) AS said,
    printf('%s %s%s%s%s: %s', paper, id, iif(machine = '', '', ', ' || machine || ' '), device,
        iif(reading = 'as printed', '', ', ' || reading), CASE WHEN was IS "is" THEN was || ', as expected'
            WHEN was IS NULL THEN "is" || ', which was not expected'
            ELSE coalesce("is", 'no verdict') || '; ' || was || ' was expected' END) AS line
FROM paired ORDER BY was IS "is", was IS NULL, iif(was IS "is", place, file_place), place;
