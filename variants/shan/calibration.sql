-- SPDX-License-Identifier: MIT
-- What Shan & Lei's printed quantities are in a journal; tests/calibrate/planned.sql has the tables.

-- Table I's formulas are what the counting build would count. The updates that the text makes atomic are counted as such.
CREATE TEMP VIEW counted AS
SELECT cell, item, says, kinds, formula_value(formula, n, per_box, level) AS value
FROM planned p JOIN audit_formula f ON p.variant = 'shan/' || f.variant
WHERE f.paper = 'shan' AND says IN ('count', 'atomic') AND p.experiment IN ('shan/table1', 'shan/table2');
INSERT INTO fed
SELECT cell, 'count', item || '/' || kinds, sum(iif(says = 'atomic', -value, value)), 'Tesla C1060' FROM counted GROUP BY cell, item, kinds;
INSERT INTO fed
SELECT cell, 'count', item || '/' || iif(kinds = 'GW', 'AG', 'AS'), value, 'Tesla C1060' FROM counted WHERE says = 'atomic';
