-- SPDX-License-Identifier: MIT
-- What Feng & Romero say, judged over the ledger. harness/claims/claims.h explains the tables that are filled here,
-- harness/claims/claims.h the view `compared` and the functions used; docs/METHOD.md, "Claims", the rules,
-- docs/VALIDITY.md, "feng", what differs from the report. It prints no numbers for its figures, so that most of it is judged
-- by shape.

-- Each claim in at most 54 characters, for tables.
INSERT INTO short VALUES
  ('F1', 'The speedup over the CPU grows faster than the bodies'),
  ('F2', 'Unsorted, building and forces take a growing share'),
  ('F3', 'Sorting lowers the share and time of ComputeForces'),
  ('F4', 'Each kernel''s time grows about linearly with N'),
  ('F5', 'With sorting ComputeForces scales better'),
  ('F6', 'The smaller theta, the more a step grows with N'),
  ('F7', 'The larger theta, the faster a step'),
  ('F8', 'The error over theta is a sigmoid at each N'),
  ('F9', 'Without throttling it is about 1000 times slower'),
  ('F10', 'ComputeForces takes the most time of all kernels'),
  ('F11', 'Unsorted, ComputeForces scales worst of all kernels'),
  ('F12', 'Fewer bodies: smaller errors, less affected by theta'),
  ('F13', 'The error grows with theta'),
  ('F14', 'The error grows in proportion to the bodies'),
  ('F15', 'Sorted, building the tree takes a significant share'),
  ('F16', 'Sorting does not affect the correctness');

-- Figure 6, and each size's next.
CREATE TEMP VIEW size AS
SELECT n, lead(n) OVER (ORDER BY n) AS next, printf('N = %d', n) AS at,
  printf('N = %d to %d', n, lead(n) OVER (ORDER BY n)) AS step
FROM (SELECT value AS n FROM json_each('[500, 1000, 5000, 10000, 50000, 100000, 500000, 1000000]'));

-- The report's own program where it was measured, of each setting the newest cell, or one of more processes, up to three, by
-- the same plugin. Figures 7 to 11 show the same cells in five ways, so that any of them stands for all. `faithful`: one warp
-- in a group of ComputeForces, and x + v dt. Without any such cell of a figure those of older journals stand for it, with 256
-- threads and leap-frog. Of what the report does not print the values that were taken; those of another one come in their
-- place (paper.yaml, guess).
CREATE TEMP TABLE own AS
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY machine, device, figure, n, steps, theta, sort, throttle, dt, eps
      ORDER BY build DESC, min(coalesce(processes, 1), 3) DESC, begun DESC, cell_key DESC) AS recency
  FROM (SELECT *, max(faithful) OVER (PARTITION BY machine, device, figure) AS best,
      max(begun) OVER (PARTITION BY machine, device, figure, n, steps, theta, sort, throttle, dt, eps, plugin_sha256) AS build
    FROM (SELECT *, iif(experiment IN ('feng/fig7', 'feng/fig8', 'feng/fig9', 'feng/fig10', 'feng/fig11'), 'kernels',
        substr(experiment, 6)) AS figure, coalesce(started, run_started) AS begun, json_extract(parameters, '$.theta') AS theta,
        json_extract(parameters, '$.dt') AS dt, json_extract(parameters, '$.eps') AS eps,
        coalesce(json_extract(parameters, '$.sort'), 'on') AS sort,
        coalesce(json_extract(parameters, '$.throttle'), 'barrier') AS throttle,
        coalesce(json_extract(parameters, '$.block_forces'), 0) = 32
          AND coalesce(json_extract(parameters, '$.integrator'), '') = 'euler' AS faithful
      FROM latest
      WHERE variant = 'feng/barnes-hut' AND dataset = 'uniform-2d' AND NOT extrapolated
        AND coalesce(json_extract(parameters, '$.rounds'), 64) = 64 AND (experiment = 'feng/sensitivity'
          OR (coalesce(json_extract(parameters, '$.dt'), 0.05) = 0.05 AND coalesce(json_extract(parameters, '$.eps'), 1) = 1))))
  WHERE faithful = best AND outcome = 'ok')
WHERE recency = 1;

-- Time of each kernel in a step.
CREATE TEMP TABLE kernel_time AS
SELECT cell_key, machine, device, figure, n, steps, theta, sort, throttle, name, median(p.seconds) AS seconds,
  timing(p.process, p.seconds) AS timing
FROM own JOIN phase p USING (cell_key)
WHERE name IN ('Setup', 'InsertRoot', 'BuildQuadTree', 'Summarize', 'Sort', 'ComputeForces', 'Update')
GROUP BY cell_key, name HAVING median(p.seconds) > 0;

-- Figures 7 to 11: 20 steps, theta = 0.9.
CREATE TEMP VIEW kernel_at_any AS
SELECT * FROM kernel_time WHERE figure = 'kernels' AND steps = 20 AND theta = 0.9 AND throttle = 'barrier';
-- At the sizes of Figure 6.
CREATE TEMP TABLE kernel AS
SELECT k.*, z.at, z.step, count(*) OVER (PARTITION BY machine, device, sort, name) AS sizes FROM kernel_at_any k JOIN size z USING (n);
CREATE TEMP VIEW kernel_name AS
SELECT key AS place, value AS name
FROM json_each('["Setup", "InsertRoot", "BuildQuadTree", "Summarize", "Sort", "ComputeForces", "Update"]');

-- Shares of a step in its samples. Two are compared by the time of these kernels over that of the rest, which grows with the
-- share and is not cramped near 100 %.
CREATE TEMP TABLE share AS
SELECT cell_key, machine, device, n, z.at, z.step, sort, what, median(part / whole) AS value, timing(process, part / whole) AS share,
  timing(process, part / (whole - part)) AS timing
FROM own JOIN size z USING (n) JOIN (
  SELECT cell_key, what, max(process) AS process, total(iif(instr(what, name), seconds, 0)) AS part, sum(seconds) AS whole
  FROM phase, (SELECT value AS what FROM json_each('["BuildQuadTree + ComputeForces", "ComputeForces", "BuildQuadTree"]'))
  WHERE cell_key IN (SELECT cell_key FROM cell WHERE variant = 'feng/barnes-hut')
  GROUP BY cell_key, idx, what HAVING sum(seconds) > 0 AND max(name = 'ComputeForces')) USING (cell_key)
WHERE figure = 'kernels' AND steps = 20 AND theta = 0.9 AND throttle = 'barrier'
GROUP BY cell_key, what;

-- A step of a sequence from one of the sizes to the next.
CREATE TEMP VIEW grown AS
SELECT s.*, z.step AS at, timing_value(s.timing) AS value
FROM step s JOIN size z ON z.n = s.x_from AND z.next = s.x;

-- What is computed and not timed.
INSERT INTO untimed VALUES ('F8'), ('F12'), ('F13'), ('F14'), ('F16');

INSERT INTO claim VALUES ('F1', 'Speedup Across Problem Sizes, Figure 6',
  'the speedup of the CUDA code over the naive CPU code (20 time steps, bodies on the device) grows faster than the number of bodies,'
  || ' at theta = 0.9',
  'we see that as the problem size increases, the speedup also increases at a greater rate because more points provides'
  || ' greater opportunity for parallelism',
  'grows, at a greater rate; the figure prints no numbers',
  'orrery run feng/fig6 --preset paper');
-- "At a greater rate" is read as faster than the bodies.
INSERT INTO wanted SELECT 'F1', 'as printed', 'growth of the speedup', step, n, 'above 1.02'
FROM size WHERE next NOT NULL
UNION ALL SELECT 'F1', 'as printed', 'growth of the speedup, over that of the bodies', step, 1e9 + n, printf('above %g', 1.0 * next / n)
FROM size WHERE next NOT NULL;

-- The programs at each size, the report's own setting first.
CREATE TEMP VIEW speedup AS
SELECT *, substr(variant, 6) || ' over ' || substr(baseline, 6) AS what
FROM (SELECT *, row_number() OVER (PARTITION BY machine, device, variant, baseline, n
      ORDER BY coalesce(json_extract(parameters, '$.block_forces') = 32 AND json_extract(parameters, '$.integrator') = 'euler', 0)
        DESC, ratio DESC) AS place
  FROM compared
  WHERE experiment = 'feng/fig6' AND dataset = 'uniform-2d' AND steps = 20
    AND json_extract(parameters, '$.theta') = 0.9 AND json_extract(baseline_parameters, '$.theta') = 0.9
    AND variant IN ('feng/barnes-hut', 'feng/barnes-hut-modern') AND baseline IN ('feng/cpu-naive', 'feng/cpu-tuned')
    AND coalesce(json_extract(parameters, '$.sort'), 'on') = 'on'
    AND coalesce(json_extract(parameters, '$.throttle'), 'barrier') = 'barrier')
JOIN (SELECT n FROM size) USING (n) WHERE place = 1;

INSERT INTO sequence SELECT 'F1', machine, device, 'speedup', n, timing, cells FROM speedup WHERE what = 'barnes-hut over cpu-naive';

INSERT INTO part
SELECT 'F1', g.machine, g.device, 'as printed', 'growth of the speedup', g.at, g.timing, NULL, NULL, NULL, 'above 1.02',
  iif(estimated AND max(g.value, 1 / g.value) < 1.1, 'cpu-naive is scaled from fewer bodies, which decides no 10 %', NULL), g.cells
FROM grown g JOIN speedup s ON s.machine = g.machine AND s.device = g.device AND s.n = g.x AND s.what = 'barnes-hut over cpu-naive'
WHERE claim = 'F1'
UNION ALL
SELECT 'F1', g.machine, g.device, 'as printed', 'growth of the speedup, over that of the bodies', g.at, g.timing, NULL, NULL, NULL,
  json_array(g.x / g.x_from, NULL),
  iif(estimated AND max(g.value * g.x_from / g.x, g.x / g.x_from / g.value) < 1.1,
    'cpu-naive is scaled from fewer bodies, which decides no 10 %', NULL), g.cells
FROM grown g JOIN speedup s ON s.machine = g.machine AND s.device = g.device AND s.n = g.x AND s.what = 'barnes-hut over cpu-naive'
WHERE claim = 'F1';

-- The naive code is what the report compares with; what an honest one leaves of it is said beside it.
INSERT INTO note
SELECT 'F1', machine, device, 'as printed', what || iif(baseline = 'feng/cpu-tuned', ', all cores of the machine,', '') || ' is '
  || listing(n, shown(ratio)) || ' at N = ' || listing(n, n)
  || coalesce('; ' || substr(baseline, 6) || ' extrapolated at N = ' || listing(n, iif(estimated, n, NULL)), '')
FROM speedup GROUP BY machine, device, what;

INSERT INTO claim VALUES ('F2', 'Speedup Across Problem Sizes, Figure 7',
  'without sorting, the share of a step that BuildQuadTree and ComputeForces take together grows with the number of bodies',
  'We found that as the number of particles increases, an increasing percentage of runtime is spent in the kernels that build'
  || ' the quadtree and traverse the quadtree to compute the total force (shown in Figure 7).',
  'grows; the figure prints no numbers',
  'orrery run feng/fig7 --preset paper');
INSERT INTO wanted SELECT 'F2', 'as printed', 'growth of their time over that of the rest', step, n, 'above 1.02' FROM size WHERE next NOT NULL;

INSERT INTO sequence
SELECT 'F2', machine, device, 'share', n, timing, json_array(cell_key) FROM share
WHERE sort = 'off' AND what = 'BuildQuadTree + ComputeForces';
INSERT INTO part
SELECT 'F2', machine, device, 'as printed', 'growth of their time over that of the rest', at, timing, NULL, NULL, NULL, 'above 1.02', NULL, cells
FROM grown WHERE claim = 'F2';
INSERT INTO note
SELECT 'F2', machine, device, 'as printed', 'the share is ' || listing(n, printf('%.1f %%', 100 * value)) || ' at N = ' || listing(n, n)
FROM share WHERE sort = 'off' AND what = 'BuildQuadTree + ComputeForces' GROUP BY machine, device;

INSERT INTO claim VALUES ('F3', 'Speedup Across Problem Sizes, Figures 8 and 11',
  'sorting the bodies lowers the share of a step that ComputeForces takes, and its time',
  'When we add the kernel 4 optimization which approximately sorts points spatially, we see that the percentage of runtime spent'
  || ' in the kernel computing the total force decreases significantly (seen in Figure 8 below).',
  'lower, at every N; the figures print no numbers',
  'orrery run feng/fig11 --preset paper');
INSERT INTO wanted SELECT 'F3', 'as printed', 'time without sorting over with it', at, n, 'above 1.02' FROM size;
INSERT INTO wanted SELECT 'F3', 'as printed', 'time over the rest''s, without sorting over with it', at, 1e9 + n, 'above 1.02' FROM size;

-- How many times longer ComputeForces takes without sorting.
CREATE TEMP TABLE gain AS
WITH forces AS MATERIALIZED (SELECT * FROM kernel WHERE name = 'ComputeForces')
SELECT u.machine, u.device, u.n, u.at, u.seconds / s.seconds AS ratio, timing_over(u.timing, s.timing) AS timing,
  json_array(u.cell_key, s.cell_key) AS cells
FROM forces u JOIN forces s USING (machine, device, n)
WHERE u.sort = 'off' AND s.sort = 'on';

CREATE TEMP TABLE share_gain AS
WITH forces AS MATERIALIZED (SELECT * FROM share WHERE what = 'ComputeForces')
SELECT u.machine, u.device, u.n, u.at, u.value AS without, s.value AS sorted, timing_over(u.timing, s.timing) AS timing,
  json_array(u.cell_key, s.cell_key) AS cells
FROM forces u JOIN forces s USING (machine, device, n)
WHERE u.sort = 'off' AND s.sort = 'on';

INSERT INTO comparison SELECT 'F3', machine, device, timing FROM gain UNION ALL SELECT 'F3', machine, device, timing FROM share_gain;
INSERT INTO part
SELECT 'F3', machine, device, 'as printed', 'time without sorting over with it', at, timing, NULL, NULL, NULL, 'above 1.02', NULL, cells
FROM gain;
INSERT INTO part
SELECT 'F3', machine, device, 'as printed', 'time over the rest''s, without sorting over with it', at, timing, NULL, NULL, NULL,
  'above 1.02', NULL, cells
FROM share_gain;
INSERT INTO note
SELECT 'F3', machine, device, 'as printed', 'its share of a step without and with sorting is '
  || listing(n, printf('%.0f and %.0f %%', 100 * without, 100 * sorted)) || ' at N = ' || listing(n, n)
FROM share_gain GROUP BY machine, device;

INSERT INTO claim VALUES ('F4', 'Kernel Breakdown Across Problem Sizes, Figure 9',
  'from 500 to 1000000 bodies every kernel scales roughly linearly, at different rates; at 1000000 Setup and Summarize take 250'
  || ' times as long as at 500',
  'What this plot shows us is that certain kernels scale better than others, but that they all scale roughly linearly'
  || ' (technically n log n although that isn''t easily seen in the plot).',
  'log-log slopes around 1; about 250 for Setup and Summarize, read off the figure',
  'orrery run feng/fig11 --preset paper');
INSERT INTO wanted SELECT 'F4', 'as printed', 'log-log slope', name, place, '0.70 to 1.30' FROM kernel_name;
INSERT INTO wanted SELECT 'F4', 'as printed', 'time at N = 1000000 over N = 500', name, 10 + place, '200 to 312.5' FROM kernel_name
WHERE name IN ('Setup', 'Summarize');
INSERT INTO wanted VALUES ('F4', 'as printed', 'largest slope less the smallest', '', 20, 'above 0, beyond both intervals');
INSERT INTO wanted SELECT 'F4', 'where the device is full', 'log-log slope', name, place, '0.70 to 1.30' FROM kernel_name;

-- Three sizes are the least for an interval, and below 10000 bodies the rest of a launch hides how its work grows. Without
-- sorting Sort has no work: its times are those of Figure 10.
CREATE TEMP TABLE slope AS
SELECT machine, device, sort, name, loglog_slope(n, seconds) AS slope, loglog_slope_low(n, seconds) AS low,
  loglog_slope_high(n, seconds) AS high, count(*) AS sizes, max(n) AS largest, json_group_array(cell_key) AS cells
FROM kernel GROUP BY machine, device, sort, name HAVING count(*) > 2 AND max(n) >= 10000;
CREATE TEMP VIEW scaling AS SELECT * FROM slope WHERE sort = iif(name = 'Sort', 'on', 'off');

-- A factor read off a figure as 250 is 200 to 312.5. 200 times as long for 2000 times as many bodies is a slope of 0.70, which
-- the report calls roughly linear, and 1.30 is as far on the other side.
INSERT INTO part
SELECT 'F4', machine, device, 'as printed', 'log-log slope', name, slope, low, high, NULL, '[0.7, 1.3]', NULL, cells
FROM scaling;
INSERT INTO part
SELECT 'F4', machine, device, 'as printed', 'time at N = 1000000 over N = 500', name, t, NULL, NULL, NULL, '[200, 312.5]', NULL,
  cells
FROM (SELECT a.machine, a.device, name, timing_over(b.timing, a.timing) AS t, json_array(a.cell_key, b.cell_key) AS cells
  FROM kernel a JOIN kernel b USING (machine, device, sort, name)
  WHERE name IN ('Setup', 'Summarize') AND sort = 'off' AND a.n = 500 AND b.n = 1000000);
INSERT INTO part
SELECT 'F4', machine, device, 'as printed', 'largest slope less the smallest', '', max(slope) - min(slope), max(low) - min(high),
  max(high) - min(low), NULL, '[0, null]', NULL, (SELECT json_group_array(DISTINCT cell_key) FROM kernel k WHERE k.machine = s.machine AND k.device = s.device)
FROM scaling s GROUP BY machine, device HAVING count(*) > 1;

-- Full is where the rate of the whole step, in bodies a second, is: that of one kernel would make its slope 1 by itself. With
-- sorting no device is full that is not without. Sizes beyond the report's count here.
CREATE TEMP VIEW step_fills AS
SELECT machine, device, sort, fills_from(n, n / seconds) AS n, max(n) AS largest
FROM own WHERE figure = 'kernels' AND steps = 20 AND theta = 0.9 AND throttle = 'barrier' AND seconds > 0
GROUP BY machine, device, sort;
CREATE TEMP VIEW full_from AS
SELECT * FROM step_fills WHERE sort = 'off'
UNION ALL SELECT s.machine, s.device, s.sort, max(s.n, u.n), s.largest FROM step_fills s JOIN step_fills u USING (machine, device)
WHERE s.sort = 'on' AND u.sort = 'off';
INSERT INTO part
SELECT 'F4', machine, device, 'where the device is full', 'log-log slope', name, iif(full, slope, NULL), low, high, NULL,
  '[0.7, 1.3]', iif(full AND slope NOT NULL, NULL, printf('a step''s rate still grows at N = %d', largest)), cells
FROM (SELECT machine, device, name, f.n NOT NULL AS full, largest, loglog_slope(k.n, seconds) AS slope,
    loglog_slope_low(k.n, seconds) AS low, loglog_slope_high(k.n, seconds) AS high, json_group_array(cell_key) AS cells
  FROM kernel_at_any k JOIN full_from f USING (machine, device, sort)
  WHERE sort = iif(name = 'Sort', 'on', 'off') AND k.n >= coalesce(f.n, 0)
  GROUP BY machine, device, name);
INSERT INTO note
SELECT 'F4', machine, device, 'where the device is full', printf('full from N = %d on, up to %d', n, largest)
FROM full_from WHERE n NOT NULL AND sort = 'off';
INSERT INTO note
SELECT DISTINCT 'F4', machine, device, 'as printed', printf('over %d of 8 sizes, up to N = %d', min(sizes), min(largest))
FROM scaling GROUP BY machine, device HAVING min(sizes) < 8;
INSERT INTO note
SELECT 'F4', machine, device, 'as printed', 'from N = 100000 on alone the slopes are ' || listing(k.place, printf('%s %.2f', name, late))
FROM (SELECT machine, device, name, loglog_slope(n, seconds) AS late FROM kernel
  WHERE n >= 100000 AND sort = iif(name = 'Sort', 'on', 'off') GROUP BY machine, device, name HAVING count(*) > 1)
JOIN kernel_name k USING (name) GROUP BY machine, device;

INSERT INTO claim VALUES ('F5', 'Kernel Breakdown Across Problem Sizes, Figure 10',
  'with sorting, ComputeForces scales significantly better with the number of bodies than without',
  'Introducing the Sort kernel significantly improves the scaling of ComputeForces',
  'a lower slope; the figures print no numbers',
  'orrery run feng/fig11 --preset paper');
INSERT INTO wanted VALUES
  ('F5', 'as printed', 'slope without sorting less that with it', '', 1, 'above 0.001'),
  ('F5', 'as printed', 'growth of what sorting gains', '', 2, 'above 1.1');

-- What sorting gains, from the smallest size to the largest.
CREATE TEMP VIEW gained AS
WITH g AS MATERIALIZED (SELECT *, min(n) OVER place AS smallest, max(n) OVER place AS largest FROM gain
  WINDOW place AS (PARTITION BY machine, device))
SELECT machine, device, count(*) AS pairs, loglog_slope(n, ratio) AS slope, loglog_slope_low(n, ratio) AS low,
  loglog_slope_high(n, ratio) AS high, listing(n, shown(ratio)) || ' times at N = ' || listing(n, n) AS text,
  timing_over(max(timing) FILTER (WHERE n = largest), max(timing) FILTER (WHERE n = smallest)) AS rise,
  '[' || group_concat(trim(cells, '[]')) || ']' AS cells
FROM g GROUP BY machine, device HAVING count(*) > 2 AND max(n) >= 10000;

INSERT INTO comparison SELECT 'F5', machine, device, rise FROM gained;
-- The difference of the two slopes is that of the gain. From 500 to 1000000 bodies a slope of 0.001 makes less than a
-- hundredth: nobody's noise is as small as that, however narrow the interval.
INSERT INTO part
WITH g AS MATERIALIZED (SELECT * FROM gained)
SELECT 'F5', machine, device, 'as printed', 'slope without sorting less that with it', '', slope, low, high, NULL, '[0.001, null]', NULL, cells
FROM g
UNION ALL
SELECT 'F5', machine, device, 'as printed', 'growth of what sorting gains', '', rise, NULL, NULL, NULL, '[1.1, null]', NULL, cells
FROM g;
INSERT INTO note
SELECT 'F5', machine, device, 'as printed', 'sorting gains ' || text || iif(pairs < 8, printf('; %d of 8 sizes', pairs), '') FROM gained;
INSERT INTO note
SELECT 'F5', s.machine, s.device, 'as printed', printf('log-log slope %.2f [%.2f, %.2f] with sorting, %.2f [%.2f, %.2f] without',
  s.slope, s.low, s.high, u.slope, u.low, u.high)
FROM slope s JOIN slope u USING (machine, device, name) WHERE name = 'ComputeForces' AND s.sort = 'on' AND u.sort = 'off';

-- Times over theta. That of an iteration is a 21st: 20 time steps evaluate the forces 21 times.
CREATE TEMP VIEW step_time AS
SELECT cell_key, machine, device, figure, n, theta, steps, seconds, timing_of(cell_key) AS timing
FROM own WHERE steps = 20 AND sort = 'on' AND throttle = 'barrier' AND seconds > 0;
-- The values of theta that the report leaves open, ours, and each one's next.
CREATE TEMP VIEW angle AS
SELECT figure, value AS theta, lead(value) OVER line AS next,
  printf('theta = %g to %g', value, lead(value) OVER line) AS step
FROM (SELECT 'fig12' AS figure, value FROM json_each('[0.1, 0.3, 0.5, 0.9, 2, 5]')
  UNION ALL SELECT 'fig13', value FROM json_each('[0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.2, 2, 5]'))
WINDOW line AS (PARTITION BY figure ORDER BY value);

INSERT INTO claim VALUES ('F6', 'Iteration Time as a Function of theta Across Problem Sizes, Figure 12',
  'the smaller theta, the more the time of a step grows from 500 bodies to many',
  'This shows that lower values of θ scale worse than higher values of theta.',
  'ordered by theta; the figure prints no numbers',
  'orrery run feng/fig12 --preset paper');
INSERT INTO wanted SELECT 'F6', 'as printed', 'growth at the one theta over that at the next', step, theta, 'above 1.02' FROM angle
WHERE figure = 'fig12' AND next NOT NULL;

-- At the largest size that has the most values of theta; fewer than 10000 bodies are not many.
CREATE TEMP VIEW many AS
SELECT *, max(n) FILTER (WHERE have = most) OVER (PARTITION BY machine, device) AS largest
FROM (SELECT *, max(have) OVER (PARTITION BY machine, device) AS most
  FROM (SELECT b.machine, b.device, b.n, b.theta, b.seconds / a.seconds AS ratio, timing_over(b.timing, a.timing) AS timing,
      json_array(a.cell_key, b.cell_key) AS cells, count(*) OVER (PARTITION BY b.machine, b.device, b.n) AS have
    FROM step_time a JOIN step_time b USING (machine, device, figure, theta)
    WHERE figure = 'fig12' AND a.n = 500 AND b.n >= 10000 AND b.n <= 1000000));
INSERT INTO sequence SELECT 'F6', machine, device, 'growth', -theta, timing, cells FROM many WHERE n = largest;
INSERT INTO part
SELECT 'F6', s.machine, s.device, 'as printed', 'growth at the one theta over that at the next', a.step, timing, NULL, NULL, NULL, 'above 1.02', NULL,
  cells
FROM step s JOIN angle a ON a.figure = 'fig12' AND a.theta = -s.x AND a.next = -s.x_from WHERE claim = 'F6';
INSERT INTO note
SELECT 'F6', machine, device, 'as printed', listing(theta, shown(ratio)) || printf(' times as long at N = %d as at 500, at theta = ', n)
  || listing(theta, printf('%g', theta))
FROM many WHERE n = largest GROUP BY machine, device;
INSERT INTO note
SELECT 'F6', machine, device, 'as printed', 'log-log slopes ' || listing(theta, printf('%.2f', slope))
FROM (SELECT machine, device, theta, loglog_slope(n, seconds) AS slope FROM step_time WHERE figure = 'fig12'
  GROUP BY machine, device, theta HAVING count(*) > 1)
GROUP BY machine, device;

INSERT INTO claim VALUES ('F7', 'Iteration Time as a Function of theta Across Problem Sizes, Figure 13',
  'with 50000 bodies a step takes less time the larger theta is',
  'increasing θ decreases the traversal length as a traversal hits an interior node that can be used much sooner',
  'falls; the figure prints no numbers; the caption says "increases", the text and the reason given say the reverse',
  'orrery run feng/fig13 --preset paper');
INSERT INTO wanted SELECT 'F7', 'as printed', 'time at the one theta over that at the next', step, theta, 'above 1.02' FROM angle
WHERE figure = 'fig13' AND next NOT NULL;

INSERT INTO sequence SELECT 'F7', machine, device, 'time', -theta, timing, json_array(cell_key)
FROM step_time WHERE figure = 'fig13' AND n = 50000;
INSERT INTO part
SELECT 'F7', s.machine, s.device, 'as printed', 'time at the one theta over that at the next', a.step, timing, NULL, NULL, NULL, 'above 1.02', NULL,
  cells
FROM step s JOIN angle a ON a.figure = 'fig13' AND a.theta = -s.x AND a.next = -s.x_from WHERE claim = 'F7';
INSERT INTO note
SELECT 'F7', machine, device, 'as printed', listing(theta, shown(1000 * seconds / (steps + 1))) || ' ms an iteration at theta = '
  || listing(theta, printf('%g', theta))
FROM step_time WHERE figure = 'fig13' AND n = 50000 GROUP BY machine, device;

-- Costs after 20 steps, of Figures 14 to 17 and of the sweep over the time step and the softening, which the report leaves open.
CREATE TEMP VIEW every_cost AS
SELECT cell_key, machine, device, figure, n, theta, dt, eps, faithful, what,
  coalesce(json_extract(parameters, '$.integrator'), 'leapfrog') AS integrator,
  iif(what = 'position', trajectory_position_sum, trajectory_speed_sum) AS sum,
  iif(what = 'position', trajectory_position_mean, trajectory_speed_mean) AS mean, trajectory_velocity_sum AS vector
FROM own, (SELECT 'position' AS what UNION ALL SELECT 'velocity')
WHERE steps = 20 AND sort = 'on' AND throttle = 'barrier' AND theta IN (0.05, 0.5, 1, 5, 50) AND trajectory_position_sum NOT NULL;
-- Direct sums of the same precision, which no theta changes, are off by rounding alone. A cost of which that is half or more
-- says nothing of theta, nor does its growth with N.
CREATE TEMP VIEW rounding AS
SELECT machine, device, n, json_extract(parameters, '$.dt') AS dt, json_extract(parameters, '$.eps') AS eps,
  coalesce(json_extract(parameters, '$.integrator'), 'leapfrog') AS integrator, what,
  max(iif(what = 'position', trajectory_position_mean, trajectory_speed_mean)) AS mean
FROM latest, (SELECT 'position' AS what UNION ALL SELECT 'velocity')
WHERE variant = 'feng/exact' AND dataset = 'uniform-2d' AND outcome = 'ok' AND NOT extrapolated AND steps = 20
  AND coalesce(json_extract(parameters, '$.precision'), 'single') = 'single' AND trajectory_position_mean NOT NULL
GROUP BY 1, 2, 3, 4, 5, 6, 7;
CREATE TEMP VIEW cost AS
SELECT c.*, printf('N = %d', c.n) AS at, coalesce(c.mean <= 2 * r.mean, 0) AS rounded,
  'half or more of the cost is rounding, by direct sums of the same precision' AS blind
FROM every_cost c LEFT JOIN rounding r ON r.machine = c.machine AND r.device = c.device AND r.n = c.n AND r.dt IS c.dt
  AND r.eps IS c.eps AND r.integrator = c.integrator AND r.what = c.what
WHERE (figure, c.n) IN (VALUES ('fig14', 100), ('fig15', 1000), ('fig16', 5000), ('fig17', 10000));
-- A curve over theta for each cost and N. Costs are computed, not timed: two that are within 10 % are level.
CREATE TEMP VIEW falling AS
SELECT machine, device, figure, n, what, dt, eps, theta, sum, cell_key,
  coalesce(sum < 0.9 * lag(sum) OVER (PARTITION BY machine, device, figure, n, what, dt, eps ORDER BY theta), 0) AS falls
FROM every_cost;
CREATE TEMP VIEW curve AS
SELECT machine, device, figure, n, what, dt, eps, count(*) AS thetas, sigmoid(theta, sum) AS linear,
  iif(max(falls), 1.0, sigmoid(theta, log(sum / least))) AS logarithmic,
  max(falls) AS falls, max(sum) FILTER (WHERE theta = 50) / max(sum) FILTER (WHERE theta = 0.05) AS rise, steepest(theta, sum) AS steep,
  json_group_array(cell_key) AS cells
FROM (SELECT *, min(sum) OVER (PARTITION BY machine, device, figure, n, what, dt, eps) / 2 AS least FROM falling)
GROUP BY machine, device, figure, n, what, dt, eps HAVING count(*) = 5 AND min(sum) > 0;
CREATE TEMP VIEW printed_curve AS
SELECT *, printf('N = %d', n) AS at FROM curve
WHERE (figure, n) IN (VALUES ('fig14', 100), ('fig15', 1000), ('fig16', 5000), ('fig17', 10000));
-- The parts that there are of each cost and N.
CREATE TEMP VIEW cost_place AS
SELECT w.value AS what, n.value AS n, printf('N = %d', n.value) AS at, 10 * w.key + n.key AS place,
  lead(n.value) OVER (PARTITION BY w.value ORDER BY n.value) AS next
FROM json_each('["position", "velocity"]') w, json_each('[100, 1000, 5000, 10000]') n;

INSERT INTO claim VALUES ('F8', 'Accuracy as a Function of theta Across Problem Sizes, Figures 14 to 17',
  'after 20 steps the position cost and the velocity cost grow over theta = 0.05, 0.5, 1, 5, 50 in a sigmoid, flat, steep and flat'
  || ' again, with 100, 1000, 5000 and 10000 bodies',
  'Interestingly, for each of the problem sizes, the cost increases in a sigmoid curve shape as theta increases.',
  'a sigmoid in each of eight curves, whose axes are lost; the figures print no numbers',
  'orrery run feng/fig14 feng/fig15 feng/fig16 feng/fig17 --preset paper');
-- The report's axes are lost. A curve counts that is a sigmoid on either.
INSERT INTO wanted SELECT 'F8', 'as printed', what || ' cost, slope at its ends over the steepest', at, place, 'at most 0.5, on a linear or a logarithmic axis'
FROM cost_place;
INSERT INTO part
SELECT 'F8', machine, device, 'as printed', what || ' cost, slope at its ends over the steepest', at, min(linear, logarithmic),
  NULL, NULL, NULL, '[null, 0.5]', NULL, cells
FROM printed_curve;
INSERT INTO note
SELECT 'F8', machine, device, 'as printed', printf('with a linear axis of cost %d of %d curves are sigmoids, with a logarithmic one %d',
  total(linear <= 0.5), count(*), total(logarithmic <= 0.5))
FROM printed_curve GROUP BY machine, device;
INSERT INTO note
SELECT 'F8', machine, device, 'as printed', what || ' cost is steepest between theta = ' || listing(n, steep || ' (' || at || ')')
FROM printed_curve GROUP BY machine, device, what;
INSERT INTO note
SELECT 'F8', machine, device, 'as printed', printf('over %d pairs of dt and eps at N = 1000 %d of %d curves are sigmoids on a linear axis,'
  || ' %d on a logarithmic one', count(DISTINCT printf('%g %g', dt, eps)), total(linear <= 0.5), count(*), total(logarithmic <= 0.5))
FROM curve WHERE figure = 'sensitivity' AND n = 1000 GROUP BY machine, device;
INSERT INTO note
SELECT 'F8', machine, device, 'as printed', 'the velocity cost compares speeds, as vectors it is ' || shown(median(vector / sum)) || ' times as large'
FROM cost WHERE what = 'velocity' AND sum > 0 GROUP BY machine, device;

INSERT INTO claim VALUES ('F9', 'Speedup Across Problem Sizes',
  'removing the barrier that throttles threads waiting for a lock slows the simulation down around 1000 times',
  'During development, we found that without throttling threads by removing the synchronization points, we had a slowdown of'
  || ' around 1000 times, signifying that the memory accesses from trying to acquire and release locks produces a significant'
  || ' amount of overhead.',
  'around 1000 times, at sizes that are not given',
  'orrery run feng/throttle --preset paper');
CREATE TEMP VIEW throttle_size AS
SELECT value AS n, printf('N = %d', value) AS at FROM json_each('[1000, 10000, 100000, 1000000]');
INSERT INTO wanted VALUES
  ('F9', 'as printed', 'largest slowdown of a step without throttling', '', 1,
    'about 1000, which is 500 to 2000; at least 500 if it did not end');
INSERT INTO wanted SELECT 'F9', 'mechanism', 'BuildQuadTree without throttling over with it', at, n, 'above 1.02' FROM throttle_size;

-- A step that spins on locks, over one with the barrier; or where it did not end, what it took at least. The threads of a group
-- on a processor run one after another, so that none waits for another.
CREATE TEMP TABLE spun AS
SELECT l.machine, l.device, l.n, l.outcome = 'ok' AS ended, l.reason, l.unfinished_s AS waited,
  CASE WHEN l.outcome = 'ok' THEN timing_over(timing_of(l.cell_key), timing_of(b.cell_key)) END AS timing,
  CASE WHEN l.outcome = 'timed out' AND l.unfinished = 'step' THEN l.unfinished_s / l.unfinished_steps / b.seconds END AS bound,
  json_array(l.cell_key, b.cell_key) AS cells,
  CASE WHEN EXISTS (SELECT 1 FROM device d WHERE d.run_key = l.run_key AND d.device = l.device AND d.kind = 1)
      THEN 'the threads of a group run one after another on a processor, so that none waits for another'
    WHEN l.outcome = 'unsupported' THEN l.reason END AS cannot
FROM latest l JOIN own b ON b.machine = l.machine AND b.device = l.device AND b.figure = 'throttle' AND b.n = l.n AND b.throttle = 'barrier'
WHERE l.experiment = 'feng/throttle' AND l.variant = 'feng/barnes-hut' AND l.dataset = 'uniform-2d' AND NOT l.extrapolated
  AND json_extract(l.parameters, '$.throttle') = 'spin' AND json_extract(l.parameters, '$.steps') = b.steps AND b.steps = 20
  AND l.outcome IN ('ok', 'timed out', 'unsupported');
CREATE TEMP VIEW slowdown AS
SELECT *, coalesce(bound, timing_value(timing)) AS value, max(coalesce(bound, timing_value(timing))) OVER (PARTITION BY machine, device) AS most
FROM spun;
-- Magnitude alone judges. A step that did not end within less than 500 times the other decides nothing.
INSERT INTO part
SELECT 'F9', machine, device, 'as printed', 'largest slowdown of a step without throttling', '', value,
  coalesce(bound, timing_low(timing)), iif(bound IS NULL, timing_high(timing), NULL), NULL, iif(bound IS NULL, '[500, 2000]', 1),
  coalesce(cannot, iif(bound < 500, 'it did not end, and a longer --timeout could tell', NULL),
    iif(value < 500, (SELECT 'it did not end at N = ' || listing(o.n, o.n) || ', and a longer --timeout could tell' FROM spun o
      WHERE o.machine = s.machine AND o.device = s.device AND o.bound NOT NULL), NULL)), cells
FROM (SELECT *, row_number() OVER (PARTITION BY machine, device ORDER BY value DESC, n) AS place FROM slowdown) s WHERE place = 1;
INSERT INTO note
SELECT 'F9', machine, device, 'as printed', iif(ended, 'a step takes ' || listing(n, shown(value)) || ' times as long at N = ' || listing(n, n),
  listing(n, printf('at N = %d it did not end within %s s, at least %s times as long', n, shown(waited), shown(bound))))
FROM slowdown WHERE value NOT NULL GROUP BY machine, device, ended;

-- BuildQuadTree, the kernel that takes the locks, against itself with the barrier.
CREATE TEMP VIEW throttled AS
SELECT o.machine, o.device, o.n, o.throttle, timing_over(o.timing, b.timing) AS timing, json_array(o.cell_key, b.cell_key) AS cells
FROM kernel_time o JOIN kernel_time b USING (machine, device, figure, n, steps, theta, sort, name)
WHERE figure = 'throttle' AND name = 'BuildQuadTree' AND steps = 20 AND o.throttle <> 'barrier' AND b.throttle = 'barrier';
INSERT INTO comparison SELECT 'F9', machine, device, timing FROM throttled WHERE throttle = 'spin';
-- A step that did not end in more than twice the time is slower.
INSERT INTO part
WITH spinning AS MATERIALIZED (SELECT * FROM spun)
SELECT 'F9', t.machine, t.device, 'mechanism', 'BuildQuadTree without throttling over with it', at, t.timing, NULL, NULL,
  NULL, 'above 1.02', NULL, t.cells
FROM throttled t JOIN throttle_size USING (n)
WHERE throttle = 'spin' AND (t.machine, t.device) NOT IN (SELECT machine, device FROM spinning WHERE cannot NOT NULL)
UNION ALL
SELECT 'F9', machine, device, 'mechanism', 'BuildQuadTree without throttling over with it', at, NULL, NULL, NULL, NULL, 1,
  iif(bound > 2, NULL, 'it did not end, and a longer --timeout could tell'), cells
FROM spinning JOIN throttle_size USING (n) WHERE timing IS NULL AND cannot IS NULL
UNION ALL
SELECT 'F9', machine, device, 'mechanism', 'BuildQuadTree without throttling over with it', at, NULL, NULL, NULL, NULL, NULL, cannot, '[]'
FROM (SELECT machine, device, max(cannot) AS cannot FROM spinning GROUP BY machine, device), throttle_size WHERE cannot NOT NULL;
INSERT INTO note
SELECT 'F9', machine, device, 'mechanism', printf('with bounded rounds and %s between them it takes ', iif(throttle = 'none', 'nothing',
    'growing pauses')) || listing(n, shown(timing_value(timing))) || ' times as long as with the barrier at N = ' || listing(n, n)
FROM throttled WHERE throttle <> 'spin' GROUP BY machine, device, throttle;

INSERT INTO claim VALUES ('F10', 'Kernel Breakdown Across Problem Sizes, Figures 7 and 8',
  'of all kernels ComputeForces takes the most time, with and without sorting',
  'The ComputeForces kernel takes the most time within each kernel run (as shown above in Figures 7 and 8) and scales the worst'
  || ' without the Sort kernel to speed it up.',
  'most, at every N; the figures print no numbers',
  'orrery run feng/fig11 --preset paper');
INSERT INTO wanted SELECT 'F10', 'as printed', 'ComputeForces over the longest other kernel, without sorting', at, n, 'above 1.02' FROM size;
INSERT INTO wanted SELECT 'F10', 'as printed', 'ComputeForces over the longest other kernel, with sorting', at, 1e9 + n, 'above 1.02' FROM size;

-- Two kernels of one cell are compared sample by sample, since they share what a process has in common.
CREATE TEMP VIEW rival AS
SELECT * FROM (SELECT cell_key, machine, device, n, at, sort, name, row_number() OVER (PARTITION BY cell_key ORDER BY seconds DESC) AS place
  FROM kernel WHERE name <> 'ComputeForces')
WHERE place = 1;
CREATE TEMP TABLE lead_of_forces AS
SELECT machine, device, n, at, sort, r.name, timing(f.process, f.seconds / o.seconds) AS timing, json_array(r.cell_key) AS cells
FROM rival r JOIN phase f ON f.cell_key = r.cell_key AND f.name = 'ComputeForces'
JOIN phase o ON o.cell_key = r.cell_key AND o.name = r.name AND o.idx = f.idx
WHERE o.seconds > 0 GROUP BY r.cell_key;
INSERT INTO comparison SELECT 'F10', machine, device, timing FROM lead_of_forces;
INSERT INTO part
SELECT 'F10', machine, device, 'as printed', printf('ComputeForces over the longest other kernel, %s sorting', iif(sort = 'on', 'with', 'without')), at,
  timing, NULL, NULL, NULL, 'above 1.02', NULL, cells
FROM lead_of_forces;
INSERT INTO note
SELECT 'F10', machine, device, 'as printed', printf('%s sorting the longest other is ', iif(sort = 'on', 'with', 'without')) || listing(n, name)
  || ' at N = ' || listing(n, n)
FROM lead_of_forces GROUP BY machine, device, sort;

INSERT INTO claim VALUES ('F11', 'Kernel Breakdown Across Problem Sizes, Figure 9',
  'without sorting ComputeForces scales the worst of all kernels with the number of bodies',
  'The ComputeForces kernel takes the most time within each kernel run (as shown above in Figures 7 and 8) and scales the worst'
  || ' without the Sort kernel to speed it up.',
  'the largest slope; the figure prints no numbers',
  'orrery run feng/fig9 --preset paper');
INSERT INTO wanted SELECT 'F11', 'as printed', 'slope of ComputeForces less that of another', name, place, 'above 0' FROM kernel_name
WHERE name NOT IN ('Sort', 'ComputeForces');
-- The slope of the ratio, which is the difference of the slopes without what bends both lines.
INSERT INTO part
SELECT 'F11', f.machine, f.device, 'as printed', 'slope of ComputeForces less that of another', o.name, loglog_slope(n, f.seconds / o.seconds),
  loglog_slope_low(n, f.seconds / o.seconds), loglog_slope_high(n, f.seconds / o.seconds), NULL,
  '[0, null]', NULL, json_group_array(f.cell_key)
FROM kernel f JOIN kernel o USING (machine, device, n, sort)
WHERE sort = 'off' AND f.name = 'ComputeForces' AND o.name NOT IN ('Sort', 'ComputeForces')
GROUP BY f.machine, f.device, o.name HAVING count(*) > 2 AND max(n) >= 10000;
INSERT INTO note
SELECT DISTINCT 'F11', machine, device, 'as printed', printf('over %d of 8 sizes, up to N = %d', sizes, largest)
FROM scaling WHERE name = 'ComputeForces' AND sizes < 8;

INSERT INTO claim VALUES ('F12', 'Accuracy as a Function of theta Across Problem Sizes, Figures 14 to 17',
  'with fewer bodies the cost is significantly less, and depends less on theta',
  'For smaller problem sizes, the cost is significantly less and also are less sensitive to changes in theta, because the points'
  || ' are more likely to be more dispersed, so the distances are far enough that they are classified as ''far enough'' for most'
  || ' values of theta.',
  'less; the figures print no numbers',
  'orrery run feng/fig14 feng/fig15 feng/fig16 feng/fig17 --preset paper');
-- The sum over the bodies grows with them by construction, so that the mean is judged.
INSERT INTO wanted
SELECT 'F12', 'as printed', what || ' cost of a body, N = 10000 over N = 100', printf('theta = %g', value), 10 * (what = 'velocity') + key, 'above 1.1'
FROM (SELECT DISTINCT what FROM cost_place), json_each('[0.05, 0.5, 1, 5, 50]');
INSERT INTO wanted
SELECT 'F12', 'as printed', what || ' cost at theta = 50 over theta = 0.05, growth of that', printf('N = %d to %d', n, next), 100 + place, 'above 1.1'
FROM cost_place WHERE next NOT NULL;
INSERT INTO part
SELECT 'F12', a.machine, a.device, 'as printed', what || ' cost of a body, N = 10000 over N = 100', printf('theta = %g', theta), b.mean / a.mean,
  NULL, NULL, NULL, '[1.1, null]', iif(b.rounded, b.blind, NULL), json_array(a.cell_key, b.cell_key)
FROM cost a JOIN cost b USING (machine, device, what, theta) WHERE a.n = 100 AND b.n = 10000 AND a.mean > 0;
INSERT INTO part
SELECT 'F12', a.machine, a.device, 'as printed', what || ' cost at theta = 50 over theta = 0.05, growth of that', printf('N = %d to %d', p.n, p.next),
  b.rise / a.rise, NULL, NULL, NULL, '[1.1, null]', NULL,
  (SELECT json_group_array(value) FROM (SELECT value FROM json_each(a.cells) UNION SELECT value FROM json_each(b.cells)))
FROM cost_place p JOIN printed_curve a USING (what, n) JOIN printed_curve b USING (machine, device, what) WHERE b.n = p.next;
INSERT INTO note
SELECT 'F12', machine, device, 'as printed', what || ' cost of a body at theta = 0.05 and 50 is ' || listing(n, shown(low) || ' and ' || shown(high))
  || ' at N = ' || listing(n, n)
FROM (SELECT machine, device, what, n, max(mean) FILTER (WHERE theta = 0.05) AS low, max(mean) FILTER (WHERE theta = 50) AS high FROM cost
  GROUP BY machine, device, what, n)
GROUP BY machine, device, what;

INSERT INTO claim VALUES ('F13', 'Accuracy as a Function of theta Across Problem Sizes, Figures 14 to 17',
  'the position cost and the velocity cost increase with theta',
  'As expected, as parameter θ increases, the cost increases meaning that the approximation is straying further from the true'
  || ' result.',
  'increases, in each of eight curves; the figures print no numbers',
  'orrery run feng/fig14 feng/fig15 feng/fig16 feng/fig17 --preset paper');
INSERT INTO wanted SELECT 'F13', 'as printed', what || ' cost at theta = 50 over theta = 0.05', at, place,
  'above 1.1, and nowhere down by more than 10 %' FROM cost_place;
INSERT INTO part
SELECT 'F13', machine, device, 'as printed', what || ' cost at theta = 50 over theta = 0.05', at, rise, NULL, NULL, NULL,
  iif(falls, 0, '[1.1, null]'), NULL, cells
FROM printed_curve;

INSERT INTO claim VALUES ('F14', 'Accuracy as a Function of theta Across Problem Sizes, Figures 14 to 17',
  'the cost increases in proportion to the number of bodies, 100, 1000, 5000, 10000',
  'In addition, as the problem size increased, the magnitude of the cost increased proportionally.',
  'proportionally; the figures print no numbers',
  'orrery run feng/fig14 feng/fig15 feng/fig16 feng/fig17 --preset paper');
INSERT INTO wanted
SELECT 'F14', 'as printed', what || ' cost, log-log slope', printf('theta = %g', value), 10 * (what = 'velocity') + key, '0.70 to 1.30'
FROM (SELECT DISTINCT what FROM cost_place), json_each('[0.05, 0.5, 1, 5, 50]');
INSERT INTO part
SELECT 'F14', machine, device, 'as printed', what || ' cost, log-log slope', printf('theta = %g', theta), loglog_slope(n, sum),
  loglog_slope_low(n, sum), loglog_slope_high(n, sum), NULL, '[0.7, 1.3]',
  iif(min(rounded), blind, NULL), json_group_array(cell_key)
FROM cost GROUP BY machine, device, what, theta HAVING count(*) = 4;
INSERT INTO note
SELECT 'F14', machine, device, 'as printed', 'a sum over bodies of one cost each has slope 1 by construction; a body''s share of it is what is tested'
FROM cost GROUP BY machine, device;

INSERT INTO claim VALUES ('F15', 'Speedup Across Problem Sizes, Figure 8',
  'with sorting, the kernel that builds the quadtree takes a significant share of a step',
  'We believe that locking and synchronization also adds overhead, as the kernel for building the quadtree takes a significant'
  || ' percentage of the runtime.',
  'significant; the figure prints no numbers',
  'orrery run feng/fig8 --preset paper');
-- Of seven kernels that took the same each would have a seventh: significant is a tenth more.
INSERT INTO wanted SELECT 'F15', 'as printed', 'share of BuildQuadTree', at, n, 'above 15.7 %: a tenth above a seventh' FROM size;
INSERT INTO part
SELECT 'F15', machine, device, 'as printed', 'share of BuildQuadTree', at, 100 * value, 100 * timing_low(share), 100 * timing_high(share), '%',
  json_array(110 / 7.0, NULL), NULL, json_array(cell_key)
FROM share WHERE sort = 'on' AND what = 'BuildQuadTree';

INSERT INTO claim VALUES ('F16', 'Optimizing CUDA Implementation: Thread Divergence',
  'sorting the bodies leaves the errors of the forces as they are',
  'Kernel 4 does not affect correctness, only performance, and we leave it active by default unless otherwise specified in our report'
  || ' during experimentation and analysis.',
  'not at all; no errors are printed',
  'orrery run feng/fig11 --preset paper');
INSERT INTO wanted SELECT 'F16', 'as printed', 'median error without sorting over with it', at, n, '0.98 to 1.02' FROM size;
INSERT INTO part
SELECT 'F16', machine, device, 'as printed', 'median error without sorting over with it', z.at,
  u.error_by_terms_median / s.error_by_terms_median, NULL, NULL, NULL, '[0.98, 1.02]', NULL, json_array(u.cell_key, s.cell_key)
FROM own u JOIN own s USING (machine, device, figure, n, steps, theta, throttle) JOIN size z USING (n)
WHERE u.sort = 'off' AND s.sort = 'on' AND figure = 'kernels' AND steps = 20 AND theta = 0.9 AND throttle = 'barrier'
  AND s.error_by_terms_median > 0;

-- Which verdicts are on cells that are not of the report's program.
INSERT INTO note
WITH other AS MATERIALIZED (SELECT DISTINCT machine, device, figure FROM own WHERE NOT faithful)
SELECT DISTINCT c.value, machine, device, r.value,
  'not of the report''s program, but with 256 threads in a group of ComputeForces for its 32, and leap-frog for its x + v dt'
FROM other, json_each(CASE figure WHEN 'fig6' THEN '["F1"]' WHEN 'fig12' THEN '["F6"]' WHEN 'fig13' THEN '["F7"]'
  WHEN 'kernels' THEN '["F2", "F3", "F4", "F5", "F10", "F11", "F15", "F16"]' WHEN 'throttle' THEN '["F9"]'
  WHEN 'sensitivity' THEN '[]' ELSE '["F8", "F12", "F13", "F14"]' END) c,
  json_each('["as printed", "where the device is full", "mechanism"]') r;
