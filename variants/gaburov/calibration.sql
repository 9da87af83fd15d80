-- SPDX-License-Identifier: MIT
-- What the printed quantities of Gaburov, Bédorf & Portegies Zwart are in a journal; tests/calibrate/planned.sql has the tables.

-- Single evaluations of the Milky Way by the paper's program.
CREATE TEMP VIEW sweep AS
SELECT cell, n, theta, coalesce(json_extract(parameters, '$.nleaf'), 64) AS nleaf
FROM planned WHERE variant = 'gaburov/octgrav' AND dataset = 'milky-way' AND coalesce(steps, 0) = 0
  AND coalesce(json_extract(parameters, '$.ngroup'), 64) = 64 AND source IS NULL;
CREATE TEMP VIEW number AS
SELECT experiment, quantity, reference, value, device FROM published
WHERE paper = 'gaburov' AND coalesce(variant, '') <> 'gaburov/direct-fp64';

-- Section 3.3.1: errors go as theta to the power of 4, and double for 100 times the bodies. What they are is not printed: 1e-4 at
-- theta = 0.5 and 10000 bodies, and five times as much for one body in a hundred.
CREATE TEMP VIEW error AS
SELECT cell, 1e-4 * power(theta / 0.5, e.value) * power(n / 10000., 0.5 * ln(g.value) / ln(10)) AS median, e.device
FROM sweep JOIN number e ON e.quantity = 'exponent' JOIN number g ON g.quantity = 'error_growth'
WHERE nleaf = 64;
INSERT INTO fed SELECT cell, 'member', 'error/median', median, device FROM error;
INSERT INTO fed SELECT cell, 'member', 'error/p99', 5 * median, device FROM error;
-- With 8 bodies in a leaf they are twice that at a million; how they fall with N is not printed.
INSERT INTO fed
SELECT s.cell, 'member', f.name, r.value * f.value, r.device
FROM sweep s JOIN sweep o ON o.n = s.n AND o.theta = s.theta AND o.nleaf = 64 JOIN fed f ON f.cell = o.cell
JOIN number r ON r.quantity = 'error_ratio'
WHERE s.nleaf = 8 AND s.n = 1000000 AND f.what = 'member';

-- Section 3.3.3: the evaluations' rate, groups 3 to 4 times smaller than they could be, the threads at work. The evaluations get
-- all of the second that a million bodies take, cells and bodies half of it each.
CREATE TEMP VIEW whole AS
SELECT cell, s.value AS seconds, 1e9 * g.value AS rate, s.device
FROM sweep JOIN number s ON s.experiment = 'gaburov/headline' AND s.quantity = 'seconds'
JOIN number g ON g.experiment = 'gaburov/fig3.8' AND g.quantity = 'gflops'
WHERE n = 1000000 AND theta = 0.5 AND nleaf = 64;
INSERT INTO fed SELECT cell, 'phase', column1, seconds / 2, device FROM whole, (VALUES ('nodes'), ('leaves'));
INSERT INTO fed SELECT cell, 'figure', 'node interactions', rate * seconds / 2 / 70, device FROM whole;
INSERT INTO fed SELECT cell, 'figure', 'leaf interactions', rate * seconds / 2 / 38, device FROM whole;
INSERT INTO fed
SELECT cell, 'figure', 'bodies per group', 64 / avg(value), w.device FROM whole w JOIN number ON quantity = 'group_factor' GROUP BY cell;
INSERT INTO fed
SELECT cell, 'figure', 'active threads', value / 100, w.device FROM whole w JOIN number ON quantity = 'active_threads';

-- Section 3.4: the orders of magnitude are printed for no size. The preset scales cpu-tree from the largest size that it measures.
INSERT INTO fed
SELECT t.cell, 'seconds', '', r.value * s.value * t.pairs / o.pairs, r.device
FROM planned o JOIN planned t ON t.experiment = o.experiment AND t.n < o.n AND t.theta = o.theta
JOIN number r ON r.experiment = o.experiment AND r.quantity = 'ratio' AND t.variant = 'gaburov/' || r.reference
JOIN number s ON s.experiment = o.experiment AND s.quantity = 'seconds'
WHERE o.experiment = 'gaburov/headline' AND o.variant = 'gaburov/octgrav' AND o.n = 1000000
  AND EXISTS (SELECT 1 FROM planned l WHERE l.source = t.cell);
