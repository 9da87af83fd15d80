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
