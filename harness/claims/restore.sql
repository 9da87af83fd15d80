-- Keeps the verdicts on what exchange.sql put in place, under the paper's key and not the one they were judged under, and
-- puts everything back. A verdict counts that was found from at least one of these cells.
INSERT INTO judgement_choice
SELECT t.paper, t.guess, t.place, j.id, j.machine, j.device, j.verdict, j.held, j.of, j.measured_parts, j.unclear
FROM tried t JOIN judgement j ON j.paper = t.trial AND j.reading = 'as printed'
WHERE j.id IN (SELECT value FROM json_each(t.claims)) AND EXISTS (
    SELECT 1 FROM judgement_part p, json_each(p.cells) k JOIN exchanged e ON e.cell_key = k.value
    WHERE p.paper = j.paper AND p.id = j.id AND p.machine IS j.machine AND p.device IS j.device AND p.reading = j.reading);
DELETE FROM judgement WHERE paper IN (SELECT trial FROM tried);
DELETE FROM judgement_part WHERE paper IN (SELECT trial FROM tried);
DELETE FROM judgement_compared WHERE paper IN (SELECT trial FROM tried);
DELETE FROM judgement_wanted WHERE paper IN (SELECT trial FROM tried);
DELETE FROM judgement_needs WHERE paper IN (SELECT trial FROM tried);
INSERT INTO newest SELECT cell_key FROM exchanged WHERE is_taken;
UPDATE cell SET parameters = e.parameters FROM exchanged e WHERE e.cell_key = cell.cell_key AND NOT e.is_taken;
DROP TABLE exchanged;
DROP TABLE tried;
