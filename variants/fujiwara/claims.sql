-- SPDX-License-Identifier: MIT
-- What Fujiwara & Nakasato 2009 say, judged over the ledger. harness/claims/claims.h explains the
-- tables, harness/claims/claims.h the views and functions used here; docs/METHOD.md,
-- "Claims", the rules.

-- Each claim in at most 54 characters, for tables.
INSERT INTO short VALUES
  ('N1', 'Each unrolling is faster; the GPU wins by 400 to 1900'),
  ('N2', 'Double unrolling beats simple by 1.08 to 1.45 times'),
  ('N3', 'The three kernels reach 319, 476 and 690 Gflop/s'),
  ('N4', 'The optimised code peaks near N = 200000, 990 Gflop/s'),
  ('N5', 'More registers mean fewer loads and a faster kernel'),
  ('N6', 'How far the loops are unrolled affects the speed'),
  ('N7', 'The galaxies look as pictured, at first and at the end'),
  ('N8', 'From about N = 1000 on, forces take most of a step'),
  ('N9', 'The card''s caches serve the force loop very well'),
  ('N10', 'The optimised code beats GRAPE-5, GRAPE-7, 8800 GTX');

-- Parameters that the paper's programs have, and what those without them do. Cells of before
-- `integrate` kept the bodies on the device.
CREATE TEMP VIEW setting AS
SELECT cell_key, coalesce(json_extract(parameters, '$.unroll_i'), 4) AS i,
  coalesce(json_extract(parameters, '$.unroll_j'), 4) AS j,
  iif(variant = 'fujiwara/cpu-only', 'host', coalesce(json_extract(parameters, '$.integrate'),
    'device')) AS integrate,
  coalesce(json_extract(parameters, '$.staged'), '') AS staged,
  coalesce(json_extract(parameters, '$.bodies'), 0) AS bodies,
  coalesce(json_extract(parameters, '$.block'), 0) = 0
    AND coalesce(json_extract(parameters, '$.caches'), 'warm') = 'warm' AS usual,
  json_extract(parameters, '$.eps') AS eps
FROM cell WHERE variant LIKE 'fujiwara/%';

-- The sizes that the tables name.
CREATE TEMP VIEW printed_size AS
SELECT DISTINCT dataset, n, printf('N = %d', n) AS at FROM published
WHERE experiment = 'fujiwara/table2' AND n IS NOT NULL;

-- The paper's own programs, with its 4 x 1 and 4 x 4 stages and the host as the integrator, against
-- each other; of several settings of the rest the newest. The longest run of Figure 13.
CREATE TEMP VIEW longest AS
SELECT machine, device, max(steps) AS steps FROM latest WHERE experiment = 'fujiwara/fig13'
GROUP BY machine, device;
CREATE TEMP VIEW pair AS
SELECT c.*, substr(c.variant, 10) || ' over ' || substr(c.baseline, 10) AS what,
  printf('N = %d', c.n) AS at, max(1000000 * c.cell_key + c.baseline_key) AS newest
FROM compared c JOIN setting s USING (cell_key) JOIN setting b ON b.cell_key = c.baseline_key
WHERE c.experiment IN ('fujiwara/table2', 'fujiwara/table3', 'fujiwara/fig13')
  AND (c.dataset, c.n) IN (SELECT dataset, n FROM printed_size)
  AND (c.device = c.baseline_device OR c.baseline = 'fujiwara/cpu-only')
  AND s.usual AND b.usual AND s.integrate = 'host' AND b.integrate = 'host'
  AND s.i = 4 AND s.j = 4 AND b.i = 4 AND b.j = 4 AND s.eps IS b.eps
  AND c.steps = CASE c.experiment WHEN 'fujiwara/table2' THEN 0 WHEN 'fujiwara/table3' THEN 100
    ELSE (SELECT steps FROM longest o WHERE o.machine = c.machine AND o.device = c.device) END
GROUP BY c.machine, c.device, c.experiment, what, c.n;

-- Each unrolling against the one before, by the claim that orders them.
CREATE TEMP VIEW rising AS
SELECT 1 AS place, 'double-unrolling over simple-unrolling' AS what
UNION ALL SELECT 2, 'simple-unrolling over no-unrolling';
CREATE TEMP VIEW rung AS
SELECT *, CASE experiment WHEN 'fujiwara/table2' THEN 'N1' WHEN 'fujiwara/table3' THEN 'N2'
  ELSE 'N3' END AS claim
FROM pair
WHERE what = 'double-unrolling over simple-unrolling' OR (experiment <> 'fujiwara/table3'
  AND what = 'simple-unrolling over no-unrolling');
INSERT INTO comparison SELECT claim, machine, device, timing FROM rung
WHERE claim <> 'N3' OR n = 100000;

-- The same loops at other sizes, as settings of one program. A device is full from where the rates
-- of all three are within 10 % of their largest.
CREATE TEMP VIEW loop AS
SELECT r.*, CASE printf('%d x %d', i, j) WHEN '1 x 1' THEN 'no-unrolling' WHEN '4 x 1' THEN
    'simple-unrolling' WHEN '4 x 4' THEN 'double-unrolling' END AS program,
  max(cell_key) AS newest
FROM rates r JOIN setting s USING (cell_key)
WHERE experiment = 'fujiwara/large' AND NOT extrapolated AND usual AND integrate = 'device'
GROUP BY machine, device, i, j, n HAVING program NOT NULL;
CREATE TEMP VIEW full AS
SELECT machine, device, iif(count(fills) = 3, max(fills), NULL) AS n, min(least) AS least,
  max(most) AS most, max(cells) AS cells
FROM (SELECT machine, device, fills_from(n, interactions_per_second) AS fills, min(n) AS least,
    max(n) AS most, json_group_array(cell_key) AS cells
  FROM loop GROUP BY machine, device, program)
GROUP BY machine, device HAVING count(*) = 3;
CREATE TEMP VIEW full_pair AS
SELECT c.*, iif(s.j = 4, 'double-unrolling over simple-unrolling',
    'simple-unrolling over no-unrolling') AS what, max(1000000 * c.cell_key + c.baseline_key)
  AS newest
FROM compared c JOIN setting s USING (cell_key) JOIN setting b ON b.cell_key = c.baseline_key
JOIN full f ON f.machine = c.machine AND f.device = c.device AND c.n >= f.n
WHERE c.experiment = 'fujiwara/large' AND c.device = c.baseline_device AND NOT c.estimated
  AND s.usual AND b.usual AND s.integrate = 'device' AND b.integrate = 'device'
  AND (s.i, s.j, b.i, b.j) IN (VALUES (4, 4, 4, 1), (4, 1, 1, 1))
GROUP BY c.machine, c.device, c.n, what;
INSERT INTO comparison SELECT 'N1', machine, device, timing FROM full_pair;
-- The least of the sizes that fill the device, or why there are none.
CREATE TEMP VIEW full_rung AS
SELECT machine, device, what, min(ratio), timing, NULL AS cannot, cells
FROM full_pair GROUP BY machine, device, what
UNION ALL
SELECT machine, device, what, NULL, NULL, printf('not known to be full at N = %d,'
  || ' the largest measured', most), cells
FROM full, rising WHERE n IS NULL;

INSERT INTO note
SELECT claim, machine, device, 'where the device is full', printf(
  'full from N = %d on, of %d to %d; of the forces alone', n, least, most)
FROM full, (SELECT 'N1' AS claim UNION ALL SELECT 'N2' UNION ALL SELECT 'N3') WHERE n NOT NULL;

INSERT INTO claim VALUES ('N1', 'Section V B, Table II',
  'a step takes less time with double-unrolling than with simple-unrolling, and less with that than'
  || ' with gpu-no-unrolling; over cpu-only they are faster by 600 to 1900, 500 to 1200 and 400 to'
  || ' 800 times',
  'The gpu-no-unrolling is faster than the cpu-only by a factor of 400 to 800. Furthermore, the'
  || ' simple-unrolling is faster than the cpu-only by a factor of 500 to 1200. Finally, the'
  || ' double-unrolling is much faster than the cpu-only by a factor of 600 to 1900.',
  '400 to 800, 500 to 1200, 600 to 1900 over cpu-only; that each unrolling is faster is derived'
  || ' from Table II',
  'orrery run fujiwara/table2 fujiwara/large --preset paper');

-- Each order at the four sizes, and that the least factor over cpu-only reaches the printed range.
INSERT INTO wanted SELECT 'N1', 'as printed', what, at, 1e6 * place + n, 'above 1.02'
FROM rising, printed_size;
INSERT INTO wanted
SELECT 'N1', 'as printed', substr(variant, 10) || ' over cpu-only, the least of four sizes', '',
  1e7 + value, 'at least ' || printed
FROM published WHERE experiment = 'fujiwara/table2' AND quantity = 'ratio_min';
INSERT INTO wanted SELECT 'N1', 'where the device is full', what, '', place, 'above 1.02' FROM rising;

INSERT INTO part
SELECT claim, machine, device, 'as printed', iif(claim = 'N2', 'faster', what), at, timing,
  NULL, NULL, NULL, 'above 1.02', NULL, cells
FROM rung WHERE claim <> 'N3' OR n = 100000;
INSERT INTO part
SELECT 'N1', machine, device, 'as printed', what || ', the least of four sizes', '',
  coalesce(timing, ratio), low, high, NULL, reached, NULL, cells
FROM (SELECT f.*, min(f.ratio), json_array(p.value - p.half_unit, NULL) AS reached
  FROM pair f JOIN published p ON p.experiment = f.experiment AND p.variant = f.variant
    AND p.reference = 'cpu-only' AND p.quantity = 'ratio_min'
  WHERE f.experiment = 'fujiwara/table2' AND f.baseline = 'fujiwara/cpu-only'
  GROUP BY f.machine, f.device, f.variant HAVING count(*) = 4);
INSERT INTO note
SELECT 'N1', machine, device, 'as printed', 'cpu-only is extrapolated at N = ' || listing(n, n)
FROM (SELECT DISTINCT machine, device, n FROM pair
  WHERE experiment = 'fujiwara/table2' AND baseline = 'fujiwara/cpu-only' AND estimated)
GROUP BY machine, device;
INSERT INTO part
SELECT claim, machine, device, 'where the device is full', iif(claim = 'N2', 'faster', what), '',
  timing, NULL, NULL, NULL, 'above 1.02', cannot, cells
FROM full_rung, (SELECT 'N1' AS claim UNION ALL SELECT 'N2' UNION ALL SELECT 'N3')
WHERE claim <> 'N2' OR what = 'double-unrolling over simple-unrolling';

INSERT INTO claim VALUES ('N2', 'Section V B, Table III',
  'over 100 time steps double-unrolling is faster than simple-unrolling by 1.08, 1.35, 1.28 and'
  || ' 1.45 at N = 7500, 10000, 18000 and 100000',
  'Depending on N, the double-unrolling is faster than the simple-unrolling by a factor of 1.08,'
  || ' 1.35, 1.28, and 1.45 for N = 7500, 10000, 18000, 100000, respectively.',
  '1.08, 1.35, 1.28, 1.45; the first is 1.09 by Table III',
  'orrery run fujiwara/table3 fujiwara/large --preset paper');

-- At each of the four sizes that it is faster, and by as much. Where the device is full the factor
-- of the paper's largest size is asked for, at which its own card was.
CREATE TEMP VIEW gain AS
SELECT n, value, half_unit, printed, printf('N = %d', n) AS at FROM published
WHERE experiment = 'fujiwara/table3'
  AND variant = 'fujiwara/double-unrolling' AND reference = 'simple-unrolling'
  AND quantity = 'ratio';
INSERT INTO wanted SELECT 'N2', 'as printed', 'faster', at, n, 'above 1.02' FROM gain;
INSERT INTO wanted SELECT 'N2', 'as printed', 'double-unrolling over simple-unrolling', at, 1e6 + n,
  'at least ' || printed FROM gain;
INSERT INTO wanted
SELECT 'N2', 'where the device is full', 'faster', '', 1, 'above 1.02'
UNION ALL SELECT 'N2', 'where the device is full', 'double-unrolling over simple-unrolling', '', 2,
  'at least ' || printed FROM gain WHERE n = 100000;

INSERT INTO part
SELECT 'N2', machine, device, 'as printed', what, r.at, coalesce(timing, ratio), low, high, NULL,
  json_array(value - half_unit, NULL), NULL, cells
FROM rung r JOIN gain USING (n) WHERE claim = 'N2';
INSERT INTO note
SELECT 'N2', machine, device, 'as printed', 'simple-unrolling is extrapolated at N = '
  || listing(n, n) FROM rung WHERE claim = 'N2' AND estimated GROUP BY machine, device;
INSERT INTO part
SELECT 'N2', machine, device, 'where the device is full', what, '', timing, NULL, NULL, NULL,
  json_array(value - half_unit, NULL), cannot, cells
FROM full_rung, (SELECT value, half_unit FROM gain WHERE n = 100000)
WHERE what = 'double-unrolling over simple-unrolling';

INSERT INTO claim VALUES ('N3', 'Section V B, Figure 13',
  'gpu-no-unrolling, simple-unrolling and double-unrolling reach 319, 476 and 690 Gflops, at 38'
  || ' operations an interaction (steps)',
  'From this figure, the largest calculating speed to solve the gravitational many-body problem on'
  || ' the GPU is 319 Gflops with the gpu-no-unrolling program, that is 476 Gflops with the'
  || ' simple-unrolling program and that is 690 Gflops with the double-unrolling program.',
  '319, 476, 690 Gflop/s',
  'orrery run fujiwara/fig13 fujiwara/large --preset paper');

-- The three rates, which are bound to a card, and their order, which is not.
CREATE TEMP VIEW printed_speed AS
SELECT substr(variant, 10) AS program, printf('rate of %s', substr(variant, 10)) AS what, printed,
  value, half_unit, n
FROM published WHERE experiment = 'fujiwara/fig13' AND quantity = 'gflops';
INSERT INTO wanted
SELECT 'N3', reading, what, iif(reading = 'as printed', 'N = 100000', ''), place, wants
FROM (SELECT value AS place, what, 'at least ' || printed AS wants FROM printed_speed
  UNION ALL SELECT 1000 + place, what, 'above 1.02' FROM rising),
  (SELECT 'as printed' AS reading UNION ALL SELECT 'where the device is full');

-- Figure 13 over the host's steps, the longest run; a speed by the paper's convention.
CREATE TEMP VIEW speed AS
SELECT r.*, substr(variant, 10) AS program, gflops * seconds / coalesce(seconds_high, seconds)
  AS low, gflops * seconds / coalesce(seconds_low, seconds) AS high, max(cell_key) AS newest
FROM (SELECT r.*, max(steps) OVER (PARTITION BY machine, device) AS most_steps
  FROM rates r JOIN setting s USING (cell_key)
  WHERE experiment = 'fujiwara/fig13' AND usual AND i = 4 AND j = 4 AND integrate = 'host'
    AND variant LIKE '%-unrolling') r
WHERE steps = most_steps GROUP BY machine, device, variant, n;
INSERT INTO part
SELECT 'N3', machine, device, 'as printed', what, 'N = 100000', gflops, low, high, 'Gflop/s',
  json_array(value - half_unit, NULL), NULL, json_array(cell_key)
FROM speed JOIN printed_speed USING (program, n);
INSERT INTO note
SELECT 'N3', machine, device, 'as printed', 'rates extrapolated from smaller N'
FROM speed WHERE n = 100000 AND extrapolated GROUP BY machine, device;
INSERT INTO part
SELECT 'N3', machine, device, 'where the device is full', what, '', gflops, low, high, 'Gflop/s',
  json_array(value - half_unit, NULL), NULL, json_array(cell_key)
FROM (SELECT l.*, gflops * seconds / coalesce(seconds_high, seconds) AS low,
    gflops * seconds / coalesce(seconds_low, seconds) AS high, min(gflops)
  FROM loop l JOIN full f USING (machine, device) WHERE l.n >= f.n
  GROUP BY machine, device, program) JOIN printed_speed USING (program)
UNION ALL
SELECT 'N3', machine, device, 'where the device is full', p.what, '', NULL, NULL, NULL, NULL, NULL,
  cannot, cells
FROM full_rung r, printed_speed p
WHERE cannot NOT NULL AND r.what = 'double-unrolling over simple-unrolling';

INSERT INTO claim VALUES ('N4', 'Section VI, Figure 14',
  'the optimised code is fastest near N = 200000, with about 990 Gflops, and a step takes roughly 2 s for'
  || ' N = 226304',
  'So far, we have obtained a maximum performance of ~ 990 GFLOPS with N ~ 200,000. With'
  || ' N = 226,304, our optimized brute force method took roughly 2 seconds on one RV770 running at'
  || ' 750MHz.',
  '~990 Gflop/s, ~2 s; 82 % of the peak is derived from these and the 1.2 Tflops of section II A',
  'orrery run fujiwara/fig14 --preset paper');

-- A rate and a time are bound to a card. Two parts are not: that N = 200000 is as fast as the code
-- gets, which takes a larger N beside it, and the share of the peak, which is a figure, a quarter
-- either side of it.
INSERT INTO wanted
SELECT 'N4', 'as printed', 'rate', 'N = 200000', 1,
  printf('at least %g Gflop/s', value - half_unit)
FROM published WHERE experiment = 'fujiwara/fig14' AND n = 200000
UNION ALL SELECT 'N4', 'as printed', 'share of the largest rate', 'N = 200000', 2, 'at least 0.9'
UNION ALL SELECT 'N4', 'as printed', 'share of the peak', 'N = 200000', 3, '0.66 to 1'
UNION ALL SELECT 'N4', 'as printed', 'time', 'N = 226304', 4, 'at most 2.5 s';

-- The peak as the paper counts it, two operations a multiply-add, of those the device was measured
-- to do in the cell's own run; printed_share: of the paper's card.
CREATE TEMP VIEW quoted AS
SELECT *, low * 1.0 / peak AS share_low, high * 1.0 / peak AS share_high,
  max(gflops) OVER (PARTITION BY machine, device) AS largest
FROM (SELECT r.*, gflops * seconds / coalesce(seconds_high, seconds) AS low,
    gflops * seconds / coalesce(seconds_low, seconds) AS high, 2e-9 * fma_per_second AS peak,
    max(cell_key) AS newest
  FROM rates r JOIN setting s USING (cell_key)
  WHERE experiment = 'fujiwara/fig14' AND variant = 'fujiwara/optimised' AND usual
    AND integrate = 'device' AND bodies = 0
  GROUP BY machine, device, n);
CREATE TEMP VIEW printed_rate AS
SELECT n, quantity, value, half_unit FROM published
WHERE experiment = 'fujiwara/fig14' AND n NOT NULL;
CREATE TEMP VIEW peak_share AS
SELECT *, gflops / peak AS share, CASE WHEN peak IS NULL THEN 'the peak is not known'
    WHEN gflops_true > peak THEN 'by its own count the device does more than the peak of that run'
    WHEN gflops > peak THEN 'above the peak: 38 operations are a convention, and more than are'
      || ' executed' END AS cannot
FROM quoted;
INSERT INTO part
SELECT 'N4', machine, device, 'as printed', 'rate', 'N = 200000', gflops, low, high, 'Gflop/s',
  json_array(value - half_unit, NULL), NULL, json_array(cell_key)
FROM quoted JOIN printed_rate USING (n) WHERE quantity = 'gflops'
UNION ALL
SELECT 'N4', machine, device, 'as printed', 'share of the largest rate', 'N = 200000',
  gflops / largest, low / largest, high / largest, NULL, '[0.9, null]', NULL, json_array(cell_key)
FROM quoted q WHERE n = 200000 AND NOT extrapolated AND EXISTS (SELECT 1 FROM quoted o
  WHERE o.machine = q.machine AND o.device = q.device AND o.n > q.n AND NOT o.extrapolated)
UNION ALL
SELECT 'N4', machine, device, 'as printed', 'share of the peak', 'N = 200000', share, share_low,
  share_high, NULL, '[0.66, 1]', cannot, json_array(cell_key)
FROM peak_share WHERE n = 200000
UNION ALL
SELECT 'N4', machine, device, 'as printed', 'time', 'N = 226304', seconds, seconds_low,
  seconds_high, 's', json_array(NULL, value + half_unit), NULL, json_array(cell_key)
FROM quoted JOIN printed_rate USING (n) WHERE quantity = 'seconds';
INSERT INTO note
SELECT 'N4', machine, device, 'as printed', coalesce('its share of the ceiling is '
  || ceiling_fault, printf('the device does %s %% of what it can with this mix',
    shown(100 * ceiling_fraction)))
  || iif(extrapolated, '; extrapolated from smaller N', '')
FROM quoted WHERE n = 200000 AND (ceiling_fraction NOT NULL OR extrapolated);

INSERT INTO claim VALUES ('N5', 'Section VI',
  'the inner loops take 6, 10 and 34 registers and 11, 25 and 72 ALU instructions; more registers'
  || ' mean fewer loads, so that double-unrolling is the fastest',
  'It turned out that the gpu-unrolling used only 6 registers and 11 ALU instructions. Because of'
  || ' higher compute density, the simple-unrolling program used 10 registers and 25 ALU'
  || ' instructions and the double-unrolling program used 34 registers and 72 ALU instructions. It'
  || ' is expected that utilizing more many registers, a number of data load is smaller so that the'
  || ' performance of the double-unrolling is fastest among three implementations.',
  '6, 10, 34 registers; 11, 25, 72 ALU instructions. Derived from them and Figure 13: ceilings of'
  || ' 345, 608 and 844 Gflops at 625 MHz, of which 92, 78 and 82 % are measured',
  'orrery run fujiwara/resources fujiwara/fig13 --preset paper');

-- Registers of the RV770 hold four words and its ALU instructions are bundles: as printed only what
-- one program takes over another can be compared, a quarter either side of the printed quotient.
CREATE TEMP VIEW printed_register AS
SELECT r.place, r.what, a.value / b.value AS quotient
FROM rising r JOIN published a ON a.quantity = 'registers'
  AND r.what LIKE substr(a.variant, 10) || ' over %'
JOIN published b ON b.quantity = 'registers' AND r.what LIKE '% over ' || substr(b.variant, 10)
WHERE a.experiment = 'fujiwara/resources' AND b.experiment = 'fujiwara/resources';
INSERT INTO wanted
SELECT 'N5', 'as printed', 'registers, ' || what, '', place, printf('%.2f to %.2f', 0.8 * quotient,
  1.25 * quotient) FROM printed_register
UNION ALL SELECT 'N5', 'as printed', 'ALU instructions', '', 9, '11, 25 and 72';
INSERT INTO wanted
SELECT 'N5', 'mechanism', 'registers, ' || what, '', place, 'above 1.02' FROM rising
UNION ALL SELECT 'N5', 'mechanism', 'double-unrolling over simple-unrolling', 'N = 100000', 3,
  'above 1.02'
UNION ALL SELECT 'N5', 'mechanism', 'double-unrolling over no-unrolling', 'N = 100000', 4,
  'above 1.02';
INSERT INTO comparison SELECT 'N5', machine, device, timing FROM pair
WHERE experiment = 'fujiwara/fig13' AND n = 100000 AND what LIKE 'double-unrolling over %';

CREATE TEMP VIEW used AS
SELECT l.machine, l.device, substr(l.variant, 10) AS program, max(k.registers) AS registers,
  json_array(max(l.cell_key)) AS cells
FROM latest l JOIN kernel k USING (cell_key) JOIN setting s USING (cell_key)
WHERE l.experiment = 'fujiwara/resources' AND l.outcome = 'ok' AND i = 4 AND j = 4 AND usual
  AND l.variant LIKE '%-unrolling'
GROUP BY l.machine, l.device, l.variant;
CREATE TEMP VIEW register AS
SELECT a.machine, a.device, p.*, iif(a.registers >= 0 AND b.registers > 0, a.registers * 1.0
    / b.registers, NULL) AS value, a.cells,
  iif(a.registers >= 0, NULL, 'this device does not tell how many registers a kernel takes')
    AS cannot, printf('%d and %d', b.registers, a.registers) AS text
FROM used a JOIN used b USING (machine, device)
JOIN printed_register p ON p.what = a.program || ' over ' || b.program;
INSERT INTO part
SELECT 'N5', machine, device, reading, 'registers, ' || what, '', value, NULL, NULL, NULL,
  iif(reading = 'mechanism', '[1.02, null]', json_array(0.8 * quotient, 1.25 * quotient)), cannot,
  cells
FROM register, (SELECT 'as printed' AS reading UNION ALL SELECT 'mechanism');
INSERT INTO part
SELECT 'N5', machine, device, 'as printed', 'ALU instructions', '', NULL, NULL, NULL, NULL, NULL,
  'they are the RV770''s own unit', cells
FROM used WHERE program = 'no-unrolling';
INSERT INTO part
SELECT 'N5', machine, device, 'mechanism', what, at, timing, NULL, NULL, NULL,
  'above 1.02', NULL, cells
FROM pair WHERE experiment = 'fujiwara/fig13' AND n = 100000 AND what LIKE 'double-unrolling over %'
  AND what NOT LIKE '%cpu%';
INSERT INTO note
SELECT 'N5', machine, device, 'as printed', 'registers of the whole kernels: '
  || listing(-place, what || ' ' || text)
FROM register WHERE cannot IS NULL GROUP BY machine, device;

INSERT INTO claim VALUES ('N6', 'Section VII',
  'the number of stages to unroll affects the speed (steps)',
  'Apparently, it is expected that a number of stages to unroll affects the computing performance.',
  'an expectation: only 1 x 1, 4 x 1 and 4 x 4 were tried',
  'orrery run fujiwara/unroll-sweep --preset paper');

-- Half and twice the paper's four stages, in i and in j: that one of them matters is what is said. To
-- look for the fastest and the slowest of many settings would find a difference in noise alone.
CREATE TEMP VIEW neighbour AS
SELECT column1 AS place, column2 AS i, column3 AS j, printf('%d x %d', column2, column3) AS stages
FROM (VALUES (1, 2, 4), (2, 8, 4), (3, 4, 2), (4, 4, 8));
INSERT INTO wanted VALUES ('N6', 'as printed', 'the faster over the slower of 4 x 4 and, of four'
  || ' neighbours, the one that is furthest from it', 'N = 100000', 1, 'above 1.1');
CREATE TEMP VIEW stage_pair AS
SELECT c.*, s.i, s.j, printf('%d x %d over 4 x 4', s.i, s.j) AS what,
  max(1000000 * c.cell_key + c.baseline_key) AS newest
FROM compared c JOIN setting s USING (cell_key) JOIN setting b ON b.cell_key = c.baseline_key
WHERE c.experiment = 'fujiwara/unroll-sweep' AND c.n = 100000 AND c.device = c.baseline_device
  AND NOT c.estimated AND s.usual AND b.usual AND s.integrate = 'device'
  AND b.integrate = 'device' AND b.i = 4 AND b.j = 4 AND (s.i, s.j) <> (4, 4)
GROUP BY c.machine, c.device, s.i, s.j;
INSERT INTO comparison SELECT 'N6', machine, device, timing
FROM stage_pair JOIN neighbour USING (i, j);
INSERT INTO part
SELECT 'N6', machine, device, 'as printed', w.what, w.at, timing_apart(timing), NULL, NULL, NULL,
  '[1.1, null]', NULL, cells
FROM (SELECT *, max(max(ratio, 1 / ratio)), count(*) AS neighbours FROM stage_pair
  JOIN neighbour USING (i, j) GROUP BY machine, device)
JOIN wanted w ON w.claim = 'N6' WHERE neighbours = 4;
INSERT INTO note
SELECT 'N6', machine, device, 'as printed', listing(place, stages || ' is ' || shown(ratio)
  || ' times as fast as 4 x 4')
FROM stage_pair JOIN neighbour USING (i, j) GROUP BY machine, device;
INSERT INTO note
SELECT 'N6', machine, device, 'as printed', printf('the fastest of %d other settings, %d x %d, is'
  || ' %s times as fast as 4 x 4', settings, i, j, shown(ratio))
FROM (SELECT *, max(ratio), count(*) AS settings FROM stage_pair GROUP BY machine, device);

INSERT INTO claim VALUES ('N7', 'Section V B, Figures 5 to 12',
  'the figure-eight and cartwheel galaxies look as pictured at the start and after 100 steps',
  'Figure 9 and 10 shows snapshots after 100 timesteps for 7500-body and 10000-body galaxies,'
  || ' respectively.',
  'pictures',
  'orrery run fujiwara/snapshots --preset paper');

-- No number judges a picture, and the initial conditions are reconstructions; what can be asked is
-- whether the three systems are integrated well.
INSERT INTO wanted
SELECT 'N7', 'as printed', 'the pictures', '', 1, 'alike'
UNION ALL SELECT 'N7', 'mechanism', 'drift of the energy of ' || dataset, '', 1 + n, 'below 0.01'
FROM printed_size WHERE dataset <> 'random-3d';
CREATE TEMP VIEW drift AS
SELECT machine, device, dataset, n, energy_drift, outcome, cell_key, max(n)
FROM latest WHERE experiment = 'fujiwara/snapshots' AND steps = 100
GROUP BY machine, device, dataset;
INSERT INTO part
SELECT 'N7', machine, device, 'as printed', 'the pictures', '', NULL, NULL, NULL, NULL, NULL,
  'no number judges them; `orrery plot fujiwara/snapshots` shows them', json_group_array(cell_key)
FROM drift GROUP BY machine, device
UNION ALL
SELECT 'N7', machine, device, 'mechanism', 'drift of the energy of ' || dataset, '', energy_drift,
  NULL, NULL, NULL, iif(outcome = 'ok' AND energy_drift NOT NULL, '[null, 0.01]', 0), NULL,
  json_array(cell_key)
FROM drift WHERE dataset IN (SELECT dataset FROM printed_size WHERE dataset <> 'random-3d');
INSERT INTO note
SELECT 'N7', machine, device, 'mechanism', 'verified forces, at N = ' || listing(n, n)
FROM drift GROUP BY machine, device;

INSERT INTO claim VALUES ('N8', 'Section III',
  'from about N = 1000 on most of the time of a step goes into the forces',
  'With reasonably large N > 1,000, a most of time consuming part is the exact force-calculation'
  || ' (step 6 above).',
  'most of the time, for N > 1000; no times of anything but steps',
  'orrery run fujiwara/fig13 --preset paper');

-- The sizes next to the bound, where it is tight: the forces grow as N^2 and all else as N. With
-- double-unrolling, the paper's fastest, they take the least.
CREATE TEMP VIEW beyond AS SELECT column1 AS n FROM (VALUES (2000), (4000), (8000), (16000));
INSERT INTO wanted SELECT 'N8', 'as printed', 'share of the forces in a step', printf('N = %d', n),
  n, 'above 0.5' FROM beyond;
CREATE TEMP VIEW forces AS
SELECT machine, device, n, cell_key, median(p.seconds) / coalesce(l.single_seconds, l.seconds)
  AS share
FROM speed v JOIN latest l USING (cell_key, machine, device, n) JOIN phase p USING (cell_key)
WHERE v.program = 'double-unrolling' AND p.name = 'forces' GROUP BY cell_key;
INSERT INTO part
SELECT 'N8', machine, device, 'as printed', 'share of the forces in a step', printf('N = %d', n),
  share, share, share, NULL, '[0.5, null]', NULL, json_array(cell_key)
FROM forces WHERE n IN beyond;

INSERT INTO claim VALUES ('N9', 'Section VI',
  'the caches of the RV770 serve the force loop very well, and the want of them is what sets the'
  || ' G80 apart',
  'We speculate that the cache system on RV770 GPU is very effective to the exact force-calculation'
  || ' of gravity. We think lack of a cache system on G80 is critical difference over RV770 GPU.',
  'a speculation',
  'orrery run fujiwara/cache --preset paper');

-- A card without caches has to copy bodies j to local memory. Where caches serve the loop well,
-- they are level with that or better; where the want of them is critical, they are better.
INSERT INTO wanted
SELECT 'N9', 'as printed', 'RV770 against G80', '', 1, 'that the caches make the difference'
UNION ALL SELECT 'N9', 'mechanism', 'caches over local memory',
  printf('bodies = %d', column1), column1, 'at least 0.91'
FROM (VALUES (1), (2), (4), (8))
UNION ALL SELECT 'N9', 'mechanism', 'lead of the caches', 'bodies = 4', 9,
  'above 1.02';
CREATE TEMP VIEW cached AS
SELECT c.*, a.bodies, max(1000000 * c.cell_key + c.baseline_key) AS newest
FROM compared c JOIN setting a USING (cell_key) JOIN setting b ON b.cell_key = c.baseline_key
WHERE c.experiment = 'fujiwara/cache' AND c.n = 100000 AND NOT c.estimated
  AND c.device = c.baseline_device AND a.staged = 'no' AND b.staged = 'yes'
  AND a.bodies = b.bodies AND a.bodies IN (1, 2, 4, 8) AND a.usual AND b.usual
GROUP BY c.machine, c.device, a.bodies;
INSERT INTO comparison SELECT 'N9', machine, device, timing FROM cached WHERE bodies = 4;
INSERT INTO part
SELECT 'N9', machine, device, 'as printed', 'RV770 against G80', '', NULL, NULL, NULL, NULL, NULL,
  'neither card is here, nor one without caches', cells
FROM cached WHERE bodies = 4
UNION ALL
SELECT 'N9', machine, device, 'mechanism', 'caches over local memory',
  printf('bodies = %d', bodies), timing, NULL, NULL, NULL, '[0.909, null]', NULL, cells
FROM cached
UNION ALL
SELECT 'N9', machine, device, 'mechanism', 'lead of the caches', 'bodies = 4', timing, NULL,
  NULL, NULL, 'above 1.02', NULL, cells
FROM cached WHERE bodies = 4;

INSERT INTO claim VALUES ('N10', 'Section VI',
  'the optimised code is faster than GRAPE-5 with about 40 Gflops, a GeForce 8800 GTX with about'
  || ' 370 and GRAPE-7 model 800 with about 800',
  'The performance of GRAPE-5 [10] is about 40 Gflops and that of GRAPE-7 model 800, which is the'
  || ' newest variant of GRAPE system, is ~ 800 Gflops. An already reported computing performance'
  || ' of Nvidia GeForce 8800 GTX [6] is ~ 370 Gflops.',
  '~40, ~370, ~800 Gflop/s; that ~990 is more is derived from them',
  'orrery run fujiwara/fig14 --preset paper');

-- A rate on another card than the paper's says nothing: it is scaled to the peak of its own. The largest of the three decides for
-- all.
CREATE TEMP VIEW rival AS
SELECT device AS name, printed, value, half_unit, max(value) FROM published
WHERE experiment = 'fujiwara/fig14' AND variant IS NULL AND quantity = 'gflops';
INSERT INTO wanted SELECT 'N10', 'as printed', 'rate, scaled to the peak of the Radeon HD 4870, over that of ' || name, 'N = 200000', value,
  printf('at least %g', 1 + half_unit / value) FROM rival;
INSERT INTO part
SELECT 'N10', q.machine, q.device, 'as printed', 'rate, scaled to the peak of the Radeon HD 4870, over that of ' || name, 'N = 200000',
  share * d.peak_gflops / r.value, share_low * d.peak_gflops / r.value, share_high * d.peak_gflops / r.value, NULL,
  json_array(1 + half_unit / r.value, NULL), iif(peak IS NULL OR gflops_true > peak, cannot, NULL), json_array(cell_key)
FROM peak_share q, rival r JOIN published_device d ON d.paper = 'fujiwara' AND d.device = 'Radeon HD 4870 (750 MHz)'
WHERE q.n = 200000;
INSERT INTO note
SELECT 'N10', machine, device, 'as printed', printf('%s Gflop/s as measured', shown(gflops))
  || '; whether the three count 38 operations an interaction, too, is not said' || iif(extrapolated, '; extrapolated from smaller N', '')
FROM quoted WHERE n = 200000;
