-- SPDX-License-Identifier: MIT
-- Printed numbers as a journal would have them; planned.sql has the tables.

-- Printed numbers beside the cells that they are of: those of an experiment that shows the cells,
-- at the printed n and data set, in the paper's setting, the first value of every axis.
CREATE TEMP VIEW printed AS
SELECT p.cell, q.*, p.n AS bodies
FROM planned p JOIN experiment e ON e.cells = p.experiment
JOIN published q ON q.experiment = e.experiment AND q.variant = p.variant
    AND coalesce(q.dataset = p.dataset, 1) AND coalesce(q.n = p.n, 1)
WHERE NOT EXISTS (
    SELECT 1 FROM axis a JOIN axis_value v USING (experiment, name)
    JOIN json_each(p.parameters) j ON j.key = a.name
    WHERE a.experiment = e.experiment AND v.place = 0
        AND iif(j.type = 'text', j.value <> v.value, j.value <> CAST(v.value AS REAL)));
INSERT INTO fed SELECT cell, 'seconds', '', value, device FROM printed WHERE quantity = 'seconds';
-- Interactions of direct sums and near fields are known.
INSERT INTO fed
SELECT cell, 'seconds', '', p.pairs * r.flops / (1e9 * q.value), q.device
FROM printed q JOIN planned p USING (cell) JOIN paper r ON r.paper = q.paper
WHERE quantity = 'gflops' AND q.n NOT NULL AND coalesce(theta, 0) = 0;
INSERT INTO fed
SELECT cell, 'seconds', '', p.n * (coalesce(steps, 0) + 1) / q.value, q.device
FROM printed q JOIN planned p USING (cell) WHERE quantity = 'bodies_per_second' AND q.n NOT NULL;
INSERT INTO fed SELECT cell, 'kernel', quantity, value, device FROM printed
WHERE quantity = 'registers';
-- Of a ratio of two times and one of them follows the other.
CREATE TEMP VIEW quoted AS
SELECT q.value, q.device AS card, f.cell, o.cell AS other
FROM printed q JOIN planned f USING (cell)
JOIN planned o ON o.experiment = f.experiment AND o.dataset = f.dataset AND o.n = f.n
    AND o.level IS f.level AND coalesce(o.steps, 0) = coalesce(f.steps, 0)
    AND coalesce(o.theta, 0) = coalesce(f.theta, 0)
    AND o.variant = substr(f.variant, 1, instr(f.variant, '/')) || q.reference
WHERE q.quantity = 'ratio';
INSERT INTO fed SELECT other, 'seconds', '', q.value * f.value, q.card
FROM quoted q JOIN fed f USING (cell) WHERE what = 'seconds';
INSERT INTO fed SELECT q.cell, 'seconds', '', f.value / q.value, q.card
FROM quoted q JOIN fed f ON f.cell = other WHERE what = 'seconds';
