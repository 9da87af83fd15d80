-- SPDX-License-Identifier: MIT
-- Adds to each verdict what the values that a paper does not print make of it, once all were tried. A setting of which one
-- value was measured alone is named once.
WITH word(verdict, rank) AS (VALUES ('reproduced', 1), ('partly', 2), ('not reproduced', 3), ('unclear', 4)),
choice AS (
    SELECT j.rowid AS judgement, g.guess, g.place, g.name, printf('%s=%s', g.setting, g.value) AS setting, w.rank, c.verdict,
        CASE WHEN c.verdict IS NULL THEN 'not measured' WHEN w.rank IS NULL
            THEN printf('%d of %d parts measured', c.measured_parts, c.of) ELSE printf('%d of %d parts', c.held, c.of)
            || iif(c.unclear > 0, printf(', %d not told apart', c.unclear), '') END AS score
    FROM judgement j JOIN main.guess g ON g.paper = j.paper AND j.id IN (SELECT value FROM json_each(g.claims))
    LEFT JOIN (SELECT * FROM judgement_choice
        UNION ALL SELECT paper, NULL, 0, id, machine, device, verdict, held, of, measured_parts, unclear FROM judgement
        WHERE reading = 'as printed') c
        ON c.paper = j.paper AND c.id = j.id AND c.machine IS j.machine AND c.device IS j.device AND c.place = g.place
        AND (c.guess = g.guess OR c.place = 0)
    LEFT JOIN word w ON w.verdict = c.verdict
    WHERE j.paper = (SELECT paper FROM guessed) AND j.reading = 'as printed' AND j.verdict <> 'not measurable here'),
guess AS (
    SELECT judgement, guess, name, count(verdict) AS measured, min(rank) AS best, max(rank) AS worst,
        max(iif(place = 0, setting, NULL)) AS taken, total(place = 0 AND rank) AS known,
        group_concat(setting || ': ' || score, '; ') AS scores
    FROM (SELECT * FROM choice ORDER BY judgement, guess, place) GROUP BY judgement, guess),
whole AS (
    SELECT judgement, min(best) AS best, max(worst) AS worst, max(known) AS known, group_concat(iif(measured = 1, NULL, printf(
            '%s %s, which the paper does not print: %s', iif(best < worst, 'By', 'Over'), name, scores)) || '. ', '') AS tried,
        'The paper does not print ' || group_concat(iif(measured = 1, printf('%s (here %s alone)', name, taken), NULL), ' and ')
            AS untried
    FROM (SELECT * FROM guess ORDER BY judgement, best = worst, guess) GROUP BY judgement)
UPDATE judgement SET why = coalesce(w.tried, '') || iif(known, coalesce(w.untried || '. ', ''), '') || why,
    range = iif(known AND best < worst, (SELECT verdict FROM word WHERE rank = best) || ' to '
        || (SELECT verdict FROM word WHERE rank = worst), NULL)
FROM whole w WHERE w.judgement = judgement.rowid;
DROP TABLE guessed;

--: text exchange
-- The cells of one value of a setting that the paper does not print, in the place of those of the value that was taken: so
-- claims.sql judges them, and need not know of guesses. `restore` undoes it.
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

--: text restore
-- Keeps the verdicts on what `exchange` put in place, under the paper's key and not the one they were judged under, and
-- puts everything back. A verdict counts that was found from at least one of these cells.
INSERT INTO judgement_choice
WITH affected AS (
    SELECT DISTINCT p.id, p.machine, p.device FROM judgement_part p, json_each(p.cells) k
    WHERE p.paper = (SELECT trial FROM tried) AND p.reading = 'as printed' AND k.value IN (SELECT cell_key FROM exchanged))
SELECT t.paper, t.guess, t.place, j.id, j.machine, j.device, j.verdict, j.held, j.of, j.measured_parts, j.unclear
FROM tried t JOIN judgement j ON j.paper = t.trial AND j.reading = 'as printed'
WHERE j.id IN (SELECT value FROM json_each(t.claims)) AND EXISTS (
    SELECT 1 FROM affected a WHERE a.id = j.id AND a.machine IS j.machine AND a.device IS j.device);
DELETE FROM judgement WHERE paper IN (SELECT trial FROM tried);
DELETE FROM judgement_part WHERE paper IN (SELECT trial FROM tried);
DELETE FROM judgement_compared WHERE paper IN (SELECT trial FROM tried);
DELETE FROM judgement_wanted WHERE paper IN (SELECT trial FROM tried);
DELETE FROM judgement_needs WHERE paper IN (SELECT trial FROM tried);
INSERT INTO newest SELECT cell_key FROM exchanged WHERE is_taken;
UPDATE cell SET parameters = e.parameters FROM exchanged e WHERE e.cell_key = cell.cell_key AND NOT e.is_taken;
DROP TABLE exchanged;
DROP TABLE tried;
