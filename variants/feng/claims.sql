-- What Feng & Romero say, judged over the ledger. harness/claims/claims.h explains the tables claim and verdict,
-- harness/claims/claims_parts.h the view `compared` and the functions used here; docs/METHOD.md, "Claims", the rules. The
-- report prints no numbers for its figures, so that most of it is judged by shape.

-- Figure 6.
CREATE TEMP VIEW size AS VALUES (500), (1000), (5000), (10000), (50000), (100000), (500000), (1000000);

-- The report's own program where it was measured, the newest cell of each setting. Figures 7 to 11 show the same cells in
-- five ways, so that any of them stands for all.
CREATE TEMP VIEW own AS
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY machine, device, figure, n, steps, theta, sort, throttle
    ORDER BY coalesce(started, run_started) DESC, cell_key DESC) AS recency
  FROM (SELECT *, iif(experiment IN ('feng/fig7', 'feng/fig8', 'feng/fig9', 'feng/fig10', 'feng/fig11'), 'kernels',
        substr(experiment, 6)) AS figure, json_extract(parameters, '$.theta') AS theta,
      coalesce(json_extract(parameters, '$.sort'), 'on') AS sort,
      coalesce(json_extract(parameters, '$.throttle'), 'barrier') AS throttle
    FROM latest
    WHERE variant = 'feng/barnes-hut' AND dataset = 'uniform-2d' AND outcome = 'ok' AND NOT extrapolated))
WHERE recency = 1;

-- Time of each kernel in a step.
CREATE TEMP VIEW kernel_time AS
SELECT machine, device, figure, n, steps, theta, sort, throttle, name, median(p.seconds) AS seconds,
  timing(p.process, p.seconds) AS timing
FROM own JOIN phase p USING (cell_key)
WHERE name IN ('Setup', 'InsertRoot', 'BuildQuadTree', 'Summarize', 'Sort', 'ComputeForces', 'Update')
GROUP BY cell_key, name HAVING median(p.seconds) > 0;

-- Figures 7 to 11: 20 steps, theta = 0.9, at the sizes of Figure 6.
CREATE TEMP VIEW kernel AS
SELECT * FROM kernel_time
WHERE figure = 'kernels' AND steps = 20 AND theta = 0.9 AND throttle = 'barrier'
  AND n IN size;

-- Shares of a step in its samples. Two are compared by the time of these kernels over that of the rest, which grows with the share
-- and is not cramped near 100 %.
CREATE TEMP VIEW share AS
SELECT machine, device, n, sort, what, median(part / whole) AS value, timing(process, part / (whole - part)) AS timing
FROM own JOIN (SELECT cell_key, what, max(process) AS process, total(iif(instr(what, name), seconds, 0)) AS part, sum(seconds) AS whole
    FROM phase, (SELECT 'BuildQuadTree + ComputeForces' AS what UNION ALL SELECT 'ComputeForces')
    GROUP BY cell_key, idx, what HAVING sum(seconds) > 0 AND max(name = 'ComputeForces')) USING (cell_key)
WHERE figure = 'kernels' AND steps = 20 AND theta = 0.9 AND throttle = 'barrier'
  AND n IN size
GROUP BY cell_key, what;

INSERT INTO claim(id, text, published, needs) VALUES ('F1',
  'Figure 6: the speedup of the CUDA code over the naive CPU code grows with the number of bodies, at theta = 0.9, averaged over'
  || ' 20 steps',
  'grows; the figure prints no numbers',
  'orrery run feng/fig6 --preset paper');

-- The best setting of each program at each size.
CREATE TEMP VIEW best AS
SELECT *, variant = 'feng/barnes-hut' AND baseline = 'feng/cpu-naive' AS judges
FROM (SELECT *, row_number() OVER (PARTITION BY machine, device, variant, baseline, n ORDER BY ratio DESC) AS place
  FROM compared
  WHERE experiment = 'feng/fig6' AND dataset = 'uniform-2d' AND steps = 20
    AND json_extract(parameters, '$.theta') = 0.9 AND json_extract(baseline_parameters, '$.theta') = 0.9
    AND variant IN ('feng/barnes-hut', 'feng/barnes-hut-modern') AND baseline IN ('feng/cpu-naive', 'feng/cpu-tuned')
    AND coalesce(json_extract(parameters, '$.sort'), 'on') = 'on'
    AND coalesce(json_extract(parameters, '$.throttle'), 'barrier') = 'barrier'
    AND n IN size)
WHERE place = 1;

INSERT INTO sequence(claim, machine, device, name, x, timing) SELECT 'F1', machine, device, 'speedup', n, timing FROM best WHERE judges;

CREATE TEMP VIEW speedup AS
SELECT machine, device, substr(variant, 6) || ' over ' || substr(baseline, 6) AS what,
  growth(machine, n, timing, 8) FILTER (WHERE judges) AS grows, course(machine, n, timing) FILTER (WHERE judges) AS course,
  listing(n, shown(ratio)) || ' at N = ' || listing(n, n) AS text,
  coalesce('; ' || substr(baseline, 6) || ' extrapolated at N = ' || listing(n, iif(estimated, n, NULL)), '')
    || iif(count(*) < 8, printf('; %d of 8 sizes measured', count(*)), '') AS lacks
FROM best GROUP BY machine, device, variant, baseline;

-- The naive code is what the report compares with; what an honest one leaves of it is said beside it.
INSERT INTO verdict
SELECT 'F1', s.machine, s.device, s.grows, s.text, 'the speedup goes ' || s.course || s.lacks
  || coalesce('; over cpu-tuned, all cores of the machine, ' || t.text || t.lacks, '')
  || coalesce('; barnes-hut-modern over cpu-tuned ' || m.text, '')
FROM speedup s
LEFT JOIN speedup t ON t.machine = s.machine AND t.device = s.device AND t.what = 'barnes-hut over cpu-tuned'
LEFT JOIN speedup m ON m.machine = s.machine AND m.device = s.device AND m.what = 'barnes-hut-modern over cpu-tuned'
WHERE s.what = 'barnes-hut over cpu-naive' AND s.grows IS NOT NULL;

INSERT INTO claim(id, text, published, needs) VALUES ('F2',
  'Figure 7: without sorting, the share of a step that BuildQuadTree and ComputeForces take together grows with the number of'
  || ' bodies',
  'grows; the figure prints no numbers',
  'orrery run feng/fig7 --preset paper');

INSERT INTO sequence(claim, machine, device, name, x, timing) SELECT 'F2', machine, device, 'share', n, timing FROM share WHERE sort = 'off' AND what <> 'ComputeForces';

INSERT INTO verdict
SELECT 'F2', machine, device, grows, text, 'the share goes ' || course || lacks
FROM (SELECT machine, device, growth(machine, n, timing, 8) AS grows, course(machine, n, timing) AS course,
    listing(n, printf('%.1f %%', 100 * value)) || ' at N = ' || listing(n, n) AS text,
    iif(count(*) < 8, printf('; %d of 8 sizes measured', count(*)), '') AS lacks
  FROM share WHERE sort = 'off' AND what <> 'ComputeForces' GROUP BY machine, device)
WHERE grows IS NOT NULL;

INSERT INTO claim(id, text, published, needs) VALUES ('F3',
  'Figures 8 and 11: sorting the bodies lowers the share of a step that ComputeForces takes, and its time',
  'lower, at every N; the figures print no numbers',
  'orrery run feng/fig11 --preset paper');

-- How many times longer ComputeForces takes without sorting.
CREATE TEMP VIEW gain AS
SELECT u.machine, u.device, u.n, u.seconds / s.seconds AS ratio, timing_over(u.timing, s.timing) AS timing
FROM kernel u JOIN kernel s USING (machine, device, n, name)
WHERE name = 'ComputeForces' AND u.sort = 'off' AND s.sort = 'on';

CREATE TEMP VIEW share_gain AS
SELECT u.machine, u.device, u.n, u.value AS without, s.value AS sorted, timing_over(u.timing, s.timing) AS timing
FROM share u JOIN share s USING (machine, device, n, what)
WHERE what = 'ComputeForces' AND u.sort = 'off' AND s.sort = 'on';

INSERT INTO comparison SELECT 'F3', machine, device, timing FROM gain UNION ALL SELECT 'F3', machine, device, timing FROM share_gain;

-- Sixteen parts: the share and the time at each of eight sizes.
INSERT INTO verdict
SELECT 'F3', machine, device, verdict_of(total(lower > 0) + total(less > 0), 16, total(lower IS NULL) + total(less IS NULL)),
  'without sorting ComputeForces takes ' || listing(n, shown(ratio)) || ' times as long; its share of a step without and with: '
    || listing(n, printf('%.0f and %.0f %%', 100 * without, 100 * sorted)) || '; at N = ' || listing(n, n),
  printf('a lower share at %d of 8 sizes, less time at %d', total(lower > 0), total(less > 0))
    || iif(count(*) < 8, printf('; %d of 8 sizes measured', count(*)), '')
FROM (SELECT g.machine, g.device, g.n, g.ratio, h.without, h.sorted, differs(g.machine, g.timing) AS less,
    differs(h.machine, h.timing) AS lower
  FROM gain g JOIN share_gain h USING (machine, device, n))
GROUP BY machine, device;

INSERT INTO claim(id, text, published, needs) VALUES ('F4',
  'Figure 9: from 500 to 1000000 bodies every kernel scales roughly linearly, at different rates; at 1000000 Setup and Summarize'
  || ' take 250 times as long as at 500',
  'log-log slopes around 1; about 250 for Setup and Summarize, read off the figure',
  'orrery run feng/fig11 --preset paper');

-- Three sizes are the least for an interval, and below 10000 bodies the rest of a launch hides how its work grows.
CREATE TEMP VIEW slope AS
SELECT machine, device, sort, name, loglog_slope(n, seconds) AS slope, loglog_slope_low(n, seconds) AS low,
  loglog_slope_high(n, seconds) AS high, count(*) AS sizes, max(n) AS largest
FROM kernel GROUP BY machine, device, sort, name HAVING count(*) > 2 AND max(n) >= 10000;

-- Where a card has enough to do.
CREATE TEMP VIEW late_slope AS
SELECT machine, device, sort, name, loglog_slope(n, seconds) AS late
FROM kernel WHERE n >= 100000 GROUP BY machine, device, sort, name HAVING count(*) > 1;

-- A factor read off a figure as 250 is 200 to 312.5. 200 times as long for 2000 times as many bodies is a slope of 0.70, which
-- the report calls roughly linear, and 1.30 is as far on the other side. Without sorting Sort has no work: its times are those
-- of Figure 10.
CREATE TEMP VIEW scaling AS
SELECT machine, device, name, CASE name WHEN 'Setup' THEN 1 WHEN 'InsertRoot' THEN 2 WHEN 'BuildQuadTree' THEN 3
    WHEN 'Summarize' THEN 4 WHEN 'Sort' THEN 5 WHEN 'ComputeForces' THEN 6 ELSE 7 END AS place,
  slope BETWEEN 0.70 AND 1.30 AS linear, printf('%s %.2f [%.2f, %.2f]', name, slope, s.low, s.high) AS text, sizes, largest,
  b.seconds / a.seconds AS longer, timing_high(timing_over(b.timing, a.timing)) >= 200
    AND timing_low(timing_over(b.timing, a.timing)) <= 312.5 AS is_250,
  printf('%s %.2f', name, late) AS late
FROM slope s LEFT JOIN late_slope USING (machine, device, sort, name)
LEFT JOIN kernel a USING (machine, device, sort, name) LEFT JOIN kernel b USING (machine, device, sort, name)
WHERE sort = iif(name = 'Sort', 'on', 'off') AND a.n = 500 AND b.n = s.largest;

-- Nine parts: the slopes of seven kernels, and the factors of two of them.
INSERT INTO verdict
SELECT 'F4', machine, device,
  verdict_of(total(linear) + total(largest = 1000000 AND is_250 AND name IN ('Setup', 'Summarize')), 9),
  'slopes ' || listing(place, text) || '; '
    || listing(place, iif(name IN ('Setup', 'Summarize'), printf('%s %s times', name, shown(longer)), NULL))
    || printf(' as long at %d as at 500', max(largest)),
  printf('%d of 7 kernels have a slope between 0.70 and 1.30, which holds n log n (1.10 over these sizes)', total(linear))
  || coalesce('; not ' || listing(place, iif(linear, NULL, name)), '')
  || iif(max(largest) = 1000000, printf('; about 250 times for %d of 2 kernels', total(is_250
      AND name IN ('Setup', 'Summarize')))
    || coalesce('; from 100000 bodies on alone the slopes are ' || listing(place, late), ''),
    '; 1000000 bodies were not measured')
  || iif(min(sizes) < 8, printf('; %d of 8 sizes measured', min(sizes)), '')
FROM scaling GROUP BY machine, device;

INSERT INTO claim(id, text, published, needs) VALUES ('F5',
  'Figure 10: with sorting, ComputeForces scales significantly better with the number of bodies than without',
  'a lower slope; the figures print no numbers',
  'orrery run feng/fig11 --preset paper');

-- What sorting gains, from the smallest size to the largest.
CREATE TEMP VIEW gained AS
SELECT g.*, timing_over(b.timing, a.timing) AS rise
FROM (SELECT machine, device, count(*) AS pairs, min(n) AS smallest, max(n) AS largest, loglog_slope(n, ratio) AS slope,
    loglog_slope_low(n, ratio) AS low, loglog_slope_high(n, ratio) AS high,
    listing(n, shown(ratio)) || ' times at N = ' || listing(n, n) AS text
  FROM gain GROUP BY machine, device) g
JOIN gain a ON a.machine = g.machine AND a.device = g.device AND a.n = smallest
JOIN gain b ON b.machine = g.machine AND b.device = g.device AND b.n = largest;

INSERT INTO comparison SELECT 'F5', machine, device, rise FROM gained WHERE low IS NOT NULL;

-- Two parts: the difference of the two slopes, which is that of the gain, is above 0.001, and the gain grows by more than a tenth.
-- From 500 to 1000000 bodies a slope of 0.001 makes less than a hundredth: nobody's noise is as small as that, however narrow the
-- interval.
INSERT INTO verdict
SELECT 'F5', machine, device, verdict_of((g.low > 0.001) + coalesce(grows > 0, 0), iif(pairs < 8, 3, 2), grows IS NULL),
  printf('log-log slope %.2f [%.2f, %.2f] with sorting, %.2f [%.2f, %.2f] without', s.slope, s.low, s.high, u.slope, u.low, u.high),
  printf('the slopes are %.2f [%.2f, %.2f] apart, and what sorting gains %s: ', g.slope, g.low, g.high,
    CASE WHEN grows > 0 THEN 'grows' WHEN grows IS NULL THEN 'may grow' ELSE 'does not grow' END)
    || text || iif(pairs < 8, printf('; %d of 8 sizes measured', pairs), '')
FROM (SELECT *, CASE WHEN timing_low(rise) > 1.1 THEN differs(machine, rise) ELSE 0 END AS grows FROM gained
  WHERE low IS NOT NULL) g
JOIN slope s USING (machine, device) JOIN slope u USING (machine, device, name)
WHERE name = 'ComputeForces' AND s.sort = 'on' AND u.sort = 'off';

-- Times over theta. That of an iteration is a 21st: 20 leap-frog steps evaluate the forces 21 times.
CREATE TEMP VIEW step_time AS
SELECT machine, device, figure, n, theta, steps, seconds, timing_of(cell_key) AS timing
FROM own WHERE steps = 20 AND sort = 'on' AND throttle = 'barrier' AND seconds > 0;

-- The values of theta asked for, whatever became of them: one that was not measured is a part that does not hold.
CREATE TEMP VIEW asked AS
SELECT machine, device, substr(experiment, 6) AS figure, count(DISTINCT json_extract(parameters, '$.theta')) AS thetas
FROM latest
WHERE experiment IN ('feng/fig12', 'feng/fig13') AND variant = 'feng/barnes-hut' AND dataset = 'uniform-2d' AND steps = 20
GROUP BY machine, device, experiment;

INSERT INTO claim(id, text, published, needs) VALUES ('F6',
  'Figure 12: the smaller theta, the more the time of a step grows from 500 bodies to many',
  'ordered by theta; the figure prints no numbers',
  'orrery run feng/fig12 --preset paper');

-- At the largest size that has the most values of theta; fewer than 10000 bodies are not many.
CREATE TEMP VIEW grown AS
SELECT *, max(n) FILTER (WHERE have = most) OVER (PARTITION BY machine, device) AS largest
FROM (SELECT *, max(have) OVER (PARTITION BY machine, device) AS most
  FROM (SELECT b.machine, b.device, b.n, b.theta, b.seconds / a.seconds AS ratio, timing_over(b.timing, a.timing) AS timing,
      count(*) OVER (PARTITION BY b.machine, b.device, b.n) AS have
    FROM step_time a JOIN step_time b USING (machine, device, figure, theta)
    WHERE figure = 'fig12' AND a.n = 500 AND b.n >= 10000));

CREATE TEMP VIEW scaled AS
SELECT machine, device, theta, loglog_slope(n, seconds) AS slope FROM step_time WHERE figure = 'fig12'
GROUP BY machine, device, theta;

INSERT INTO sequence(claim, machine, device, name, x, timing) SELECT 'F6', machine, device, 'growth', theta, timing FROM grown WHERE n = largest;

INSERT INTO verdict
SELECT 'F6', machine, device, grows, text, why
FROM (SELECT g.machine, g.device, growth(g.machine, -theta, timing, thetas + (n < 1000000)) AS grows,
    listing(theta, shown(ratio)) || printf(' times as long at %d as at 500, at theta = ', n)
      || listing(theta, printf('%g', theta)) AS text,
    'the growth goes ' || course(g.machine, theta, timing) || ' in theta; log-log slopes '
      || listing(theta, printf('%.2f', slope)) || iif(n < 1000000, '; 1000000 bodies were not measured at as many theta', '')
      || iif(count(*) < thetas, printf('; %d of %d theta measured', count(*), thetas), '') AS why
  FROM grown g JOIN asked a ON a.machine = g.machine AND a.device = g.device AND a.figure = 'fig12'
  JOIN scaled s USING (machine, device, theta)
  WHERE n = largest GROUP BY g.machine, g.device)
WHERE grows IS NOT NULL;

INSERT INTO claim(id, text, published, needs) VALUES ('F7',
  'Figure 13: with 50000 bodies a step takes less time the larger theta is',
  'falls; the caption says "increases", the text and the reason given say the reverse',
  'orrery run feng/fig13 --preset paper');

INSERT INTO sequence(claim, machine, device, name, x, timing) SELECT 'F7', machine, device, 'time', theta, timing FROM step_time WHERE figure = 'fig13' AND n = 50000;

INSERT INTO verdict
SELECT 'F7', machine, device, falls, text, 'the time goes ' || course || ' in theta, so that the figure''s caption is '
  || CASE falls WHEN 'not reproduced' THEN 'not refuted here' WHEN 'unclear' THEN 'neither refuted nor confirmed here' ELSE 'reversed' END
  || lacks
FROM (SELECT machine, device, growth(machine, -theta, timing, thetas) AS falls, course(machine, theta, timing) AS course,
    listing(theta, shown(1000 * seconds / (steps + 1))) || ' ms an iteration at theta = ' || listing(theta, printf('%g', theta)) AS text,
    iif(count(*) < thetas, printf('; %d of %d theta measured', count(*), thetas), '') AS lacks
  FROM step_time JOIN asked USING (machine, device, figure)
  WHERE figure = 'fig13' AND n = 50000 GROUP BY machine, device)
WHERE falls IS NOT NULL;

INSERT INTO claim(id, text, published, needs) VALUES ('F8',
  'Figures 14 to 17: after 20 steps the position cost and the velocity cost grow over theta = 0.05, 0.5, 1, 5, 50 in a sigmoid,'
  || ' flat, steep and flat again, and they grow with the number of bodies, 100, 1000, 5000, 10000',
  'a sigmoid in each of eight curves, higher from each N to the next; the figures print no numbers',
  'orrery run feng/fig14 feng/fig15 feng/fig16 feng/fig17 --preset paper');

CREATE TEMP VIEW cost AS
SELECT machine, device, n, theta, what, iif(what = 'position', trajectory_position_sum, trajectory_speed_sum) AS sum,
  iif(what = 'position', trajectory_position_mean, trajectory_speed_mean) AS mean, trajectory_velocity_sum AS vector
FROM own, (SELECT 'position' AS what UNION ALL SELECT 'velocity')
WHERE steps = 20 AND sort = 'on' AND throttle = 'barrier' AND theta IN (0.05, 0.5, 1, 5, 50)
  AND (figure, n) IN (VALUES ('fig14', 100), ('fig15', 1000), ('fig16', 5000), ('fig17', 10000))
  AND trajectory_position_sum IS NOT NULL;

-- A curve over theta for each cost and N.
CREATE TEMP VIEW curve AS
SELECT machine, device, what, n, count(*) AS thetas, count(*) = 5 AND sigmoid(theta, sum) AS holds,
  listing(theta, shown(mean)) || printf(' (N = %d)', n) AS text, steepest(theta, sum) || printf(' (N = %d)', n) AS steep
FROM cost GROUP BY machine, device, what, n;

CREATE TEMP VIEW curves AS
SELECT machine, device, what, total(holds) AS sigmoids, count(*) AS curves, max(thetas) AS thetas,
  what || ' ' || listing(n, iif(n IN (100, 10000), text, NULL)) AS text, what || ' ' || listing(n, steep) AS steep
FROM curve GROUP BY machine, device, what;

-- Whether a cost grows with N at every theta. Costs are computed, not timed: two that are less than 10 % apart are level.
CREATE TEMP VIEW larger AS
SELECT machine, device, what, total(sums = 3) = 5 AS sum_grows, total(means = 3) = 5 AS mean_grows
FROM (SELECT machine, device, what, total(0.95 * sum > 1.05 * sum_before) AS sums, total(0.95 * mean > 1.05 * mean_before) AS means
  FROM (SELECT *, lag(sum) OVER size AS sum_before, lag(mean) OVER size AS mean_before FROM cost
    WINDOW size AS (PARTITION BY machine, device, what, theta ORDER BY n))
  GROUP BY machine, device, what, theta)
GROUP BY machine, device, what;

-- Twelve parts: eight curves, and for each cost the growth of its sum, which is in the way it is made, and of its mean.
INSERT INTO verdict
SELECT 'F8', machine, device, verdict_of(total(sigmoids) + total(sum_grows) + total(mean_grows), 12),
  'means at theta = 0.05, 0.5, 1, 5, 50: ' || group_concat(text, '; '),
  printf('a sigmoid in %d of 8 curves, steepest between theta = ', total(sigmoids)) || group_concat(steep, '; ')
  || printf('; the sum over the bodies, which grows with them by construction, does so at every theta for %d of 2 costs, the'
    || ' mean for %d', total(sum_grows), total(mean_grows))
  || coalesce('; the velocity cost compares speeds, as vectors it is ' || shown((SELECT median(vector / sum) FROM cost v
    WHERE v.machine = c.machine AND v.device = c.device AND what = 'velocity' AND sum > 0)) || ' times as large', '')
  || iif(total(curves) < 8, printf('; %d of 8 curves measured', total(curves)), '')
FROM curves c JOIN larger USING (machine, device, what)
GROUP BY machine, device HAVING max(thetas) = 5;

INSERT INTO claim(id, text, published, needs) VALUES ('F9',
  'Removing the barrier that throttles threads waiting for a lock slows the simulation down around 1000 times',
  'around 1000 times',
  'orrery run feng/throttle --preset paper');

-- BuildQuadTree, the kernel that takes the locks, against itself with the barrier.
CREATE TEMP VIEW throttled AS
SELECT o.machine, o.device, o.n, o.steps, o.theta, o.sort, o.throttle, o.seconds / b.seconds AS ratio, timing_over(o.timing, b.timing) AS timing
FROM (SELECT *, max(steps) OVER (PARTITION BY machine, device) AS most FROM kernel_time WHERE figure = 'throttle') o
JOIN kernel_time b USING (machine, device, figure, n, steps, theta, sort, name)
WHERE name = 'BuildQuadTree' AND o.steps = most AND o.throttle <> 'barrier' AND b.throttle = 'barrier';

CREATE TEMP VIEW throttled_step AS
SELECT machine, device, t.throttle, listing(n, shown(o.seconds / b.seconds)) AS text
FROM throttled t JOIN own o USING (machine, device, n, steps, theta, sort, throttle)
JOIN own b USING (machine, device, figure, n, steps, theta, sort)
WHERE figure = 'throttle' AND b.throttle = 'barrier' GROUP BY machine, device, t.throttle;

INSERT INTO comparison SELECT 'F9', machine, device, timing FROM throttled WHERE throttle = 'none';

-- A part a size, that it is slower, and one that it is so by as much somewhere: "around 1000" is 500 or more.
INSERT INTO verdict
SELECT 'F9', machine, device, verdict_of(total(sign > 0) + (max(high) >= 500), count(*) + 1, count(*) - count(sign)),
  'without it BuildQuadTree takes ' || listing(n, shown(ratio)) || ' times as long, a whole step ' || (SELECT text
    FROM throttled_step s WHERE s.throttle = t.throttle AND s.machine = t.machine AND s.device = t.device)
    || ', at N = ' || listing(n, n),
  printf('slower at %d of %d sizes; around 1000 times %s. To Burtscher & Pingali the barrier is an optimisation only. Here a'
    || ' body that finds a lock tries again in the next round instead of spinning', total(sign > 0), count(*),
    iif(max(high) >= 500, 'at one of them', 'at none'))
  || coalesce('; with growing pauses instead of it ' || (SELECT listing(n, shown(ratio)) FROM throttled p
    WHERE p.throttle = 'backoff' AND p.machine = t.machine AND p.device = t.device), '')
FROM (SELECT *, timing_high(timing) AS high, differs(machine, timing) AS sign FROM throttled WHERE throttle = 'none') t
GROUP BY machine, device;
