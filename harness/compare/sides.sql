-- SPDX-License-Identifier: MIT
-- Cells of several machines, or of several sets of results, side by side. Of one experiment
-- (present/scope.sql) at a time; what it shows stands here until it is forgotten.

--: part collect
--: setup
-- experiment: the one whose cells these are; shown_as: the one that was asked for. age: 1 for the
-- cell that printed numbers stand beside, by side, device, program and input, which is of the
-- paper's setting where there is one.
CREATE TABLE IF NOT EXISTS side_experiment(shown_as TEXT);
INSERT INTO side_experiment SELECT experiment FROM scope;
CREATE TEMP VIEW own_side_cell AS
SELECT (SELECT count(*) FROM side_experiment) AS experiment_place, s.cells AS experiment,
    s.experiment AS shown_as, s.paper, c.machine, c.run_key, i.head, row_number() OVER (
        PARTITION BY r.operand, c.machine, r.device, r.variant, r.input
        ORDER BY r.ok DESC, r.standard DESC, r.faithful DESC, length(r.ordered) DESC, r.ordered,
            r.setting COLLATE by_number, r.extrapolated, r.started DESC) AS age, r.*
FROM result r JOIN cells c USING (cell_key) JOIN input i ON i.place = r.input JOIN scope s;
CREATE TABLE IF NOT EXISTS side_cell AS SELECT * FROM own_side_cell WHERE 0;
CREATE INDEX IF NOT EXISTS side_cell_key ON side_cell(cell_key);
INSERT INTO side_cell SELECT * FROM own_side_cell;
CREATE TABLE IF NOT EXISTS side_parameter AS SELECT cell_key, name, value FROM parameter WHERE 0;
CREATE INDEX IF NOT EXISTS side_parameter_cell ON side_parameter(cell_key, name);
INSERT INTO side_parameter
SELECT cell_key, name, value FROM parameter JOIN result USING (cell_key);
-- Times and rates that are printed of programs at a size.
CREATE TEMP VIEW own_side_printed AS
SELECT (SELECT count(*) FROM side_experiment) AS experiment_place, s.cells AS experiment,
    s.experiment AS shown_as, s.paper, i.head, i.dataset, i.n, i.level, i.per_box,
    v.place AS program, p.*
FROM printed p JOIN input i ON i.place = p.input JOIN program v USING (variant) JOIN scope s
WHERE p.quantity IN ('seconds', 'gflops', 'bodies_per_second') AND p.reference IS NULL;
CREATE TABLE IF NOT EXISTS side_printed AS SELECT * FROM own_side_printed WHERE 0;
INSERT INTO side_printed SELECT * FROM own_side_printed;

-- The printed number beside each cell, as a time of a step: a rate is turned
-- into the time that it means of the cell's work; with half a unit in the last printed digit.
--: part against
--: setup
CREATE TEMP VIEW against AS
SELECT *, CASE quantity WHEN 'seconds' THEN 1 - half ELSE 1 / (1 + half) END * card_seconds
        AS card_low,
    CASE quantity WHEN 'seconds' THEN 1 + half ELSE 1 / (1 - half) END * card_seconds AS card_high
FROM (
    SELECT p.experiment_place, p.shown_as, p.experiment, p.paper, p.device AS card, p.printed,
        p.quantity, p.erratum, c.cell_key, p.half_unit / p.value AS half,
        CASE p.quantity WHEN 'seconds' THEN p.value
            WHEN 'gflops' THEN c.seconds * c.gflops / p.value
            ELSE coalesce(c.seconds * c.bodies_per_second, c.n) / p.value END AS card_seconds
    FROM side_printed p JOIN side_cell c ON c.shown_as = p.shown_as AND c.variant = p.variant
        AND c.input = p.input
    WHERE c.age = 1 AND c.ok AND (p.quantity <> 'seconds' OR c.standard));
