-- SPDX-License-Identifier: MIT
-- What Feng & Romero's printed quantities are in a journal; tests/calibrate/planned.sql has the tables. Only their quotients are
-- printed: the smaller time is a millisecond.

-- "250 times": a kernel at a million bodies over itself at 500, without sorting.
CREATE TEMP VIEW grown AS
SELECT p.cell, p.n, q.reference AS kernel, q.value, q.device
FROM planned p JOIN published q ON q.experiment = 'feng/fig9' AND q.quantity = 'growth'
WHERE p.experiment = 'feng/fig11' AND p.variant = 'feng/barnes-hut' AND json_extract(p.parameters, '$.sort') = 'off';
INSERT INTO fed SELECT cell, 'phase', kernel, 1e-3, device FROM grown WHERE n = 500;
INSERT INTO fed SELECT cell, 'phase', kernel, 1e-3 * value, device FROM grown WHERE n = 1000000;

-- "a slowdown of around 1000 times" without throttling, at a size that is not told.
INSERT INTO fed
SELECT p.cell, 'seconds', '', iif(json_extract(p.parameters, '$.throttle') = 'barrier', 1e-3, 1e-3 * q.value), q.device
FROM planned p JOIN published q ON q.experiment = p.experiment AND q.quantity = 'slowdown'
WHERE p.variant = 'feng/barnes-hut' AND 'throttle=' || json_extract(p.parameters, '$.throttle') IN ('throttle=barrier', q.reference);
