-- SPDX-License-Identifier: MIT
-- Keeps the verdicts on what exchange.sql put in place, under the paper's key and not the one they were judged under, and
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
