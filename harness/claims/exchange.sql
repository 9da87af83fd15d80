-- SPDX-License-Identifier: MIT
-- The cells of one value of a setting that the paper does not print, in the place of those of the value that was taken: so
-- claims.sql judges them, and need not know of guesses. restore.sql undoes it.
CREATE TEMP TABLE exchanged AS
SELECT cell_key, parameters, has = taken AS is_taken, setting, taken
FROM (SELECT c.cell_key, c.parameters, json_extract(c.parameters, '$.' || t.setting) AS has, t.setting, t.value, t.taken
    FROM tried t JOIN latest c USING (paper)
    WHERE condition IS NULL OR json_extract(c.parameters, '$.' || condition) = met)
WHERE has IN (taken, value);
-- There is nothing to judge without cells of that value.
DELETE FROM exchanged WHERE NOT EXISTS (SELECT 1 FROM exchanged WHERE NOT is_taken);
DELETE FROM newest WHERE cell_key IN (SELECT cell_key FROM exchanged WHERE is_taken);
UPDATE cell SET parameters = json_set(cell.parameters, '$.' || e.setting, e.taken)
FROM exchanged e WHERE e.cell_key = cell.cell_key AND NOT e.is_taken;
