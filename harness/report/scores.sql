-- SPDX-License-Identifier: MIT
-- What the pages say of claims, once all are judged: one verdict of each on each device of the machines in machine_turn.

-- A machine on which nothing could be judged, as one with scaling alone, has none beside others.
CREATE TEMP TABLE judged AS
SELECT DISTINCT machine FROM judgement WHERE machine NOT NULL AND verdict NOT IN ('incomplete', 'not measurable here');
DELETE FROM judgement WHERE machine NOT NULL AND machine NOT IN (SELECT machine FROM judged)
    AND (paper, id) IN (SELECT paper, id FROM judgement WHERE machine IS NULL OR machine IN (SELECT machine FROM judged));

-- As printed, where it was judged so. readings: what became of each reading.
CREATE TEMP TABLE score AS
SELECT * FROM (SELECT j.paper, j.place, j.id, coalesce(s.text, j.text) AS text, j.machine, j.device, j.verdict, j.held, j.of, t.turn,
        row_number() OVER of_device AS choice,
        group_concat(reading || ': ' || verdict, '; ') OVER (PARTITION BY j.paper, j.id, j.machine, j.device) AS readings
    FROM judgement j LEFT JOIN judgement_short s USING (paper, id) LEFT JOIN machine_turn t USING (machine)
    WHERE j.machine IS NULL OR t.turn NOT NULL
    WINDOW of_device AS (PARTITION BY j.paper, j.id, j.machine, j.device ORDER BY reading <> 'as printed', reading))
WHERE choice = 1 ORDER BY paper, place, turn, device;
