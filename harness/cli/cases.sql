-- SPDX-License-Identifier: MIT
-- Of verdicts, ?1, as `orrery claims --json` writes them, or of rows of expected.sql: a test case, which is named without words
-- that a release may change, and the line that says what was expected. A claim that holds in part fails: it says more than is so.
WITH given AS (
    SELECT key, value ->> 'paper' AS paper, value ->> 'id' AS id, coalesce(value ->> 'machine', '') AS machine,
        coalesce(value ->> 'device', '') AS device, coalesce(value ->> 'reading', '') AS reading, value ->> 'verdict' AS
            verdict,
        value ->> 'was' AS was, value ->> 'is' AS "is", value ->> '$.score.text' || ': ' || (value ->> 'short') AS told,
        value ->> 'text' || '. ' || (value ->> 'why') AS said
    FROM json_each(?1))
SELECT paper || iif(machine = '', '', '.' || machine) AS class,
    id || iif(device = '', '', ' ' || device) || iif(reading IN ('', 'as printed'), '', ', ' || reading) AS name,
    CASE WHEN verdict IN ('not reproduced', 'partly') THEN told
        WHEN was IS NOT "is" THEN coalesce("is", 'no verdict') || '; ' || coalesce(was, 'no verdict') || ' was expected' END AS
            failure,
    iif(verdict NOT IN ('reproduced', 'not reproduced', 'partly'), told, NULL) AS skipped, said,
    printf('%s %s%s%s%s: %s', paper, id, iif(machine = '', '', ', ' || machine || ' '), device,
        iif(reading = 'as printed', '', ', ' || reading), CASE WHEN was IS "is" THEN was || ', as expected'
            WHEN was IS NULL THEN "is" || ', which was not expected'
                ELSE coalesce("is", 'no verdict') || '; ' || was || ' was expected'
            END) AS line
FROM given ORDER BY key;
