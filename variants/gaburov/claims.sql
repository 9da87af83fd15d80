-- What Gaburov, Bédorf & Portegies Zwart 2010 say, judged over the ledger. harness/claims/claims.h explains the tables claim and
-- verdict, harness/claims/claims_parts.h the view `compared` and the functions used here; docs/METHOD.md, "Claims", the rules. Most
-- of it is judged by shape: the figures print no numbers.

-- Section 3.3: the sizes of the paper's Milky Way models.
CREATE TEMP VIEW size AS VALUES (10000), (30000), (100000), (300000), (1000000), (3000000), (10000000);
CREATE TEMP VIEW angle AS VALUES (0.2), (0.3), (0.4), (0.5), (0.6), (0.7);

-- The paper's own program in its own setting: one host thread, the scan on the host, two walks, quadrupoles.
CREATE TEMP VIEW faithful AS
SELECT *, json_extract(parameters, '$.theta') AS theta,
  coalesce(json_extract(parameters, '$.nleaf'), 64) AS nleaf, coalesce(json_extract(parameters, '$.ngroup'), 64) AS ngroup
FROM latest
WHERE variant = 'gaburov/octgrav' AND outcome = 'ok' AND NOT extrapolated
  AND coalesce(json_extract(parameters, '$.host_threads'), 1) = 1 AND coalesce(json_extract(parameters, '$.scan'), 'host') = 'host'
  AND coalesce(json_extract(parameters, '$.walk'), 'two') = 'two' AND coalesce(json_extract(parameters, '$.share'), 'off') = 'off'
  AND coalesce(json_extract(parameters, '$.opening'), 'octgrav') = 'octgrav'
  AND coalesce(json_extract(parameters, '$.multipole'), 'quadrupole') = 'quadrupole';

-- The newest cell of each work: two experiments may have it.
CREATE TEMP VIEW own AS
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY machine, device, dataset, n, seed, coalesce(steps, 0), theta, nleaf, ngroup
    ORDER BY coalesce(started, run_started) DESC, cell_key DESC) AS recency FROM faithful)
WHERE recency = 1 AND ngroup = 64;

-- Single evaluations of the Milky Way's forces, without softening.
CREATE TEMP VIEW sweep AS
SELECT * FROM own
WHERE dataset = 'milky-way' AND coalesce(steps, 0) = 0 AND coalesce(json_extract(parameters, '$.eps'), 0) = 0 AND n IN size;

CREATE TEMP VIEW error AS
SELECT machine, device, n, theta, nleaf, what, iif(what = 'median', error_median, error_p99) AS value
FROM sweep, (SELECT 'median' AS what UNION ALL SELECT '99 %')
WHERE theta IN angle AND error_median > 0;

INSERT INTO claim(id, text, published, needs) VALUES ('G1',
  'Figures 3.4 and 3.5: the median and the 99 % of the relative errors of the accelerations follow theta to the power of 4, from'
  || ' theta = 0.2 to 0.7, at N = 30000, 100000 and 1000000',
  '4, by least squares',
  'orrery run gaburov/fig3.7 --preset paper');

CREATE TEMP VIEW over_theta AS
SELECT *, low <= 4.5 AND high >= 3.5 AND high - low <= 2 AS holds, printf('%.2f [%.2f, %.2f]', slope, low, high) AS text
FROM (SELECT machine, device, n, what, count(*) AS thetas, loglog_slope(theta, value) AS slope, loglog_slope_low(theta, value) AS low,
    loglog_slope_high(theta, value) AS high
  FROM error WHERE nleaf = 64 GROUP BY machine, device, n, what HAVING count(*) > 2);

-- Six parts: both errors at three sizes.
INSERT INTO verdict
SELECT 'G1', machine, device, verdict_of(total(holds), 6),
  'slopes of the median ' || listing(n, iif(what = 'median', text, NULL)) || ', of the 99 % ' || listing(n, iif(what = '99 %', text, NULL))
    || ' at N = ' || listing(n, iif(what = 'median', n, NULL)),
  printf('the intervals of %d of 6 slopes over theta meet 3.5 to 4.5', total(holds))
  || iif(count(*) < 6, printf('; %d of 3 sizes measured', count(*) / 2), '')
  || iif(min(thetas) < 6, printf('; %d of 6 theta measured', min(thetas)), '')
  || coalesce('; the median at ' || (SELECT listing(n, printf('%d: %.2f', n, slope)) FROM over_theta x
    WHERE x.machine = o.machine AND x.device = o.device AND what = 'median' AND n NOT IN (30000, 100000, 1000000)), '')
FROM over_theta o WHERE n IN (30000, 100000, 1000000) GROUP BY machine, device;

INSERT INTO claim(id, text, published, needs) VALUES ('G2',
  'Figure 3.5: with 64 bodies in a leaf the error doubles when the number of bodies grows by two orders of magnitude',
  '2',
  'orrery run gaburov/fig3.7 --preset paper');

CREATE TEMP VIEW over_n AS
SELECT machine, device, theta, nleaf, what, count(*) AS sizes, max(n) AS largest, max(n) / min(n) AS span, loglog_slope(n, value) AS slope,
  loglog_slope_low(n, value) AS low, loglog_slope_high(n, value) AS high
FROM error GROUP BY machine, device, theta, nleaf, what HAVING count(*) > 2;

-- Twelve parts: the median and the 99 % at six theta.
INSERT INTO verdict
SELECT 'G2', machine, device, verdict_of(total(holds), 12),
  'per two orders the median grows by ' || listing(theta, iif(what = 'median', shown(power(100, slope)), NULL)) || ', the 99 % by '
    || listing(theta, iif(what = '99 %', shown(power(100, slope)), NULL)) || ' times at theta = '
    || listing(theta, iif(what = 'median', printf('%g', theta), NULL)),
  printf('between 1.5 and 2.5 times, and up beyond the interval of the slope, for %d of 12', total(holds))
  || printf('; from %d sizes up to %d', min(sizes), min(largest))
FROM (SELECT *, low > 0 AND power(100, low) <= 2.5 AND power(100, high) >= 1.5 AS holds FROM over_n
  WHERE nleaf = 64 AND span >= 100)
GROUP BY machine, device;

INSERT INTO claim(id, text, published, needs) VALUES ('G3',
  'Section 3.3.1: with 8 bodies in a leaf the error falls as the number of bodies grows, and is twice as large as with 64 at'
  || ' N = 1000000',
  'falls; 2 at N = 1000000',
  'orrery run gaburov/nleaf8 --preset paper');

CREATE TEMP VIEW leaves AS
SELECT a.machine, a.device, a.n, a.value / b.value AS ratio FROM error a JOIN error b USING (machine, device, n, theta, what)
WHERE a.nleaf = 8 AND b.nleaf = 64 AND theta = 0.5 AND what = 'median';

-- Two parts.
INSERT INTO verdict
SELECT 'G3', s.machine, s.device, verdict_of((s.high < 0) + coalesce(r.ratio BETWEEN 1.5 AND 2.5, 0), 2),
  printf('log-log slope %.3f [%.3f, %.3f] over N with 8', s.slope, s.low, s.high)
    || coalesce(printf(', %.3f with 64', o.slope), '') || ' at theta = 0.5'
    || coalesce('; ' || (SELECT listing(n, shown(ratio)) || ' times the error at N = ' || listing(n, n) FROM leaves l
      WHERE l.machine = s.machine AND l.device = s.device), ''),
  'the median error ' || CASE WHEN s.high < 0 THEN 'falls' WHEN s.low > 0 THEN 'grows' ELSE 'neither falls nor grows beyond its interval' END
  || CASE WHEN r.ratio IS NULL THEN '; 1000000 bodies were not measured' WHEN r.ratio BETWEEN 1.5 AND 2.5 THEN '; twice as large at 1000000'
    ELSE '; not twice as large at 1000000' END
FROM over_n s
LEFT JOIN over_n o ON o.machine = s.machine AND o.device = s.device AND o.theta = s.theta AND o.what = s.what AND o.nleaf = 64
LEFT JOIN leaves r ON r.machine = s.machine AND r.device = s.device AND r.n = 1000000
WHERE s.nleaf = 8 AND s.theta = 0.5 AND s.what = 'median' AND s.largest >= 100000;

INSERT INTO claim(id, text, published, needs) VALUES ('G4',
  'Figures 3.6 and 3.7: the time on the host does not depend on theta and grows as N log N',
  'independent; N log N',
  'orrery run gaburov/fig3.7 --preset paper');

-- The host's stages and the device's phases of an evaluation.
CREATE TEMP VIEW spent AS
SELECT machine, device, n, theta, cell_key, seconds,
  (SELECT sum(g.seconds) FROM stage g WHERE g.cell_key = s.cell_key AND g.in_step) AS host,
  (SELECT sum(phase_s) FROM (SELECT median(p.seconds) AS phase_s FROM phase p WHERE p.cell_key = s.cell_key GROUP BY p.name)) AS gpu
FROM sweep s WHERE nleaf = 64 AND theta IN angle;

-- What theta changes in the host's time from one end to the other, by the fitted slope.
CREATE TEMP VIEW hosted AS
SELECT machine, device, n, count(*) AS thetas, median(host) AS host, power(max(theta) / min(theta), loglog_slope(theta, host)) AS change
FROM spent WHERE host > 0 GROUP BY machine, device, n;

-- Eight parts: independence at seven sizes, and the growth.
INSERT INTO verdict
SELECT 'G4', h.machine, h.device,
  verdict_of(total(thetas > 2 AND change BETWEEN 0.9 AND 1.1) + coalesce(max(grows), 0), 8),
  'host ' || listing(n, shown(1000 * host)) || ' ms at N = ' || listing(n, n)
    || coalesce(printf('; slope over N log N %.2f [%.2f, %.2f]', max(slope), max(low), max(high)), ''),
  printf('theta changes it by less than 10 %% at %d of 7 sizes, by ', total(thetas > 2 AND change BETWEEN 0.9 AND 1.1))
    || listing(n, iif(thetas > 2, printf('%+.0f %%', 100 * (change - 1)), NULL)) || '; N log N '
    || CASE WHEN NOT max(large) THEN 'is not judged below 100000 bodies' WHEN max(grows) THEN 'holds' ELSE 'does not hold' END
    || iif(count(*) < 7, printf('; %d of 7 sizes measured', count(*)), '')
    || coalesce('; at N = 1000000 and theta = 0.5 it is ' || (SELECT shown(host / gpu) FROM spent x WHERE x.machine = h.machine
      AND x.device = h.device AND x.n = 1000000 AND x.theta = 0.5) || ' times the device''s, which the paper calls comparable', '')
FROM hosted h
JOIN (SELECT *, large AND low <= 1.15 AND high >= 0.85 AND high - low <= 1 AS grows
  FROM (SELECT machine, device, max(n) >= 100000 AS large, loglog_slope(n * logarithm(n), host) AS slope,
      loglog_slope_low(n * logarithm(n), host) AS low, loglog_slope_high(n * logarithm(n), host) AS high
    FROM hosted GROUP BY machine, device HAVING count(*) > 2)) USING (machine, device)
WHERE thetas > 2
GROUP BY h.machine, h.device;

INSERT INTO claim(id, text, published, needs) VALUES ('G5',
  'Figure 3.7: the time on the device grows between N and N log N',
  'between N and N log N',
  'orrery run gaburov/fig3.7 --preset paper');

CREATE TEMP VIEW scaled AS
SELECT machine, device, theta, count(*) AS sizes, loglog_slope(n, gpu) AS slope, loglog_slope_low(n, gpu) AS low,
  loglog_slope_high(n, gpu) AS high, loglog_slope(n, n * logarithm(n)) AS steepest
FROM spent WHERE gpu > 0 GROUP BY machine, device, theta HAVING count(*) > 2 AND max(n) >= 100000;

-- Six parts, the theta.
INSERT INTO verdict
SELECT 'G5', machine, device, verdict_of(total(high >= 1 AND low <= steepest AND high - low <= 1), 6),
  'log-log slopes ' || listing(theta, printf('%.2f [%.2f, %.2f]', slope, low, high)) || ' at theta = ' || listing(theta, printf('%g', theta)),
  printf('%d of 6 meet 1 to %.2f, which is N log N over these sizes; %d are below, %d above, the intervals of %d wider than 1',
    total(high >= 1 AND low <= steepest AND high - low <= 1), max(steepest), total(high < 1), total(low > steepest),
    total(high - low > 1))
  || iif(count(*) < 6, printf('; %d of 6 theta measured', count(*)), '') || iif(min(sizes) < 7, printf('; %d of 7 sizes', min(sizes)), '')
FROM scaled GROUP BY machine, device;

INSERT INTO claim(id, text, published, needs) VALUES ('G6',
  'Section 3.3.3 and Figure 3.8: the forces are evaluated at about 100 Gflop/s, 38 flops for two bodies and 70 for a body and a cell,'
  || ' 26 % of the card''s 384 (~30 % in print), because groups hold 3 to 4 times fewer bodies than the 64 they could and about 30 %'
  || ' of the threads work',
  '~100 Gflop/s; 26 % of the peak; a factor of 3 or 4; ~30 % of the threads',
  'orrery run gaburov/fig3.7 --preset paper');

-- Figures of the work and times of the phases; both evaluations are added sample by sample.
CREATE TEMP VIEW work AS
SELECT s.machine, s.device, s.n, s.theta, s.cell_key, s.ngroup, s.flops_true, c.fma_per_second,
  (SELECT 70 * f.value FROM figure f WHERE f.cell_key = s.cell_key AND f.name = 'node interactions')
    + (SELECT 38 * f.value FROM figure f WHERE f.cell_key = s.cell_key AND f.name = 'leaf interactions') AS flops,
  (SELECT f.value FROM figure f WHERE f.cell_key = s.cell_key AND f.name = 'bodies per group') AS per_group,
  (SELECT f.value FROM figure f WHERE f.cell_key = s.cell_key AND f.name = 'active threads') AS active,
  (SELECT timing(process, both) FROM (SELECT max(p.process) AS process, sum(p.seconds) AS both FROM phase p
    WHERE p.cell_key = s.cell_key AND p.name IN ('nodes', 'leaves') GROUP BY p.idx)) AS timing
FROM sweep s LEFT JOIN cell_ceiling c USING (cell_key)
WHERE s.nleaf = 64;

-- At the theta that the paper recommends, the most bodies.
CREATE TEMP VIEW busy AS
SELECT *, flops / seconds / 1e9 AS rate, flops / timing_low(timing) / 1e9 AS best,
  flops_true / seconds > 2 * fma_per_second AS low_peak, flops / seconds / (2 * fma_per_second) AS share, ngroup / per_group AS factor
FROM (SELECT *, max(n) OVER (PARTITION BY machine, device) AS largest
  FROM (SELECT *, timing_value(timing) AS seconds FROM work) WHERE theta = 0.5 AND flops > 0 AND seconds > 0)
WHERE n = largest;

-- Four parts: the rate, which is bound to a card, its share of the peak, and what the paper gives as the reason.
INSERT INTO verdict
SELECT 'G6', b.machine, b.device,
  verdict_of((b.n >= 100000 AND best >= p.value - p.half_unit) + coalesce(b.n >= 100000 AND share >= 0.255 AND low_peak IS NOT 1, 0)
    + coalesce(factor BETWEEN 2.5 AND 4.5, 0) + coalesce(active BETWEEN 0.25 AND 0.35, 0), 4),
  printf('%s Gflop/s, %s %% of the peak; %s bodies in a group, 64 / %s; %s %% of the threads; at N = %d, theta = 0.5', shown(rate),
    coalesce(shown(100 * iif(low_peak, NULL, share)), 'unknown'), coalesce(shown(per_group), 'unknown'), coalesce(shown(factor), 'unknown'),
    coalesce(shown(100 * active), 'unknown'), b.n),
  CASE WHEN b.n < 100000 THEN 'rates are not judged below 100000 bodies'
    ELSE printf('rate %s, share of the peak %s', iif(best >= p.value - p.half_unit, 'reached', 'not reached'),
      CASE WHEN low_peak THEN 'not used: by its own count the device does more, so that the peak of that run is too low'
        WHEN share IS NULL THEN 'unknown' WHEN share >= 0.255 THEN 'reached' ELSE 'not reached' END) END
  || printf('; groups of 3 to 4 times fewer bodies: %s; about 30 %% of the threads: %s', iif(factor BETWEEN 2.5 AND 4.5, 'yes', 'no'),
    iif(active BETWEEN 0.25 AND 0.35, 'yes', 'no'))
  || '; the peak is two flops for each multiply-add measured, 38 and 70 are a convention'
FROM busy b JOIN published p ON p.experiment = 'gaburov/fig3.8' AND p.quantity = 'gflops';

INSERT INTO claim(id, text, published, needs) VALUES ('G7',
  'Section 3.3.3 and Figure 3.8: the first walk moves more than 50 GB/s, the second notably less, and both less the larger theta is',
  '> 50 GB/s; slower; falling',
  'orrery run gaburov/fig3.7 --preset paper');

CREATE TEMP VIEW walk AS
SELECT s.cell_key, s.machine, s.device, s.n, s.theta, f.name, f.value AS bytes, f.value / median(p.seconds) / 1e9 AS rate,
  timing(p.process, f.value / p.seconds / 1e9) AS timing
FROM sweep s JOIN figure f USING (cell_key) JOIN phase p USING (cell_key)
WHERE s.nleaf = 64 AND s.theta IN angle AND f.name IN ('walk 1 bytes', 'walk 2 bytes') AND p.name = substr(f.name, 1, 6)
GROUP BY s.cell_key, f.name HAVING median(p.seconds) > 0;

-- The two walks side by side, at the largest size with the most theta. They share samples, so that their rates are compared sample
-- by sample.
CREATE TEMP VIEW walks AS
SELECT *, (SELECT timing(p.process, first_bytes / p.seconds * q.seconds / second_bytes) FROM phase p JOIN phase q USING (cell_key, idx)
    WHERE cell_key = w.cell_key AND p.name = 'walk 1' AND q.name = 'walk 2') AS ahead
FROM (SELECT *, max(n) FILTER (WHERE thetas = most) OVER (PARTITION BY machine, device) AS chosen
  FROM (SELECT *, max(thetas) OVER (PARTITION BY machine, device) AS most
    FROM (SELECT a.cell_key, a.machine, a.device, a.n, a.theta, a.rate AS first, a.timing AS first_timing, a.bytes AS first_bytes,
        b.rate AS second, b.timing AS second_timing, b.bytes AS second_bytes,
        count(*) OVER (PARTITION BY a.machine, a.device, a.n) AS thetas
      FROM walk a JOIN walk b USING (machine, device, n, theta)
      WHERE a.name = 'walk 1 bytes' AND b.name = 'walk 2 bytes' AND n >= 100000))) w
WHERE n = chosen AND thetas > 1;

INSERT INTO comparison SELECT 'G7', machine, device, ahead FROM walks;
INSERT INTO sequence(claim, machine, device, name, x, timing) SELECT 'G7', machine, device, 'first', theta, first_timing FROM walks;
INSERT INTO sequence(claim, machine, device, name, x, timing) SELECT 'G7', machine, device, 'second', theta, second_timing FROM walks;

-- Four parts: the rate, which is bound to a card, the order, and the course of each; a course that falls from end to end but not
-- at every step is half of one.
INSERT INTO verdict
SELECT 'G7', machine, device,
  verdict_of((best > printed) + (slower = thetas) + CASE first_falls WHEN 'reproduced' THEN 1 WHEN 'partly' THEN 0.5 ELSE 0 END
    + CASE second_falls WHEN 'reproduced' THEN 1 WHEN 'partly' THEN 0.5 ELSE 0 END, 4,
    (slower < thetas AND slower + unclear = thetas) + (first_falls = 'unclear') + (second_falls = 'unclear')),
  'first walk ' || first_text || ', second ' || second_text || ' GB/s at theta = ' || angles || printf(', N = %d', n),
  printf('more than 50 GB/s: %s; the second slower at %d of %d theta; the first goes ', iif(best > printed, 'yes', 'no'), slower, thetas)
    || first_course || ', the second ' || second_course || '; words that threads read and write, from whatever cache'
    || iif(thetas < 6, printf('; %d of 6 theta measured', thetas), '')
FROM (SELECT w.machine, w.device, w.n, count(*) AS thetas, max(timing_high(first_timing)) AS best, max(p.value) AS printed,
    total(differs(w.machine, ahead) > 0) AS slower, total(differs(w.machine, ahead) IS NULL) AS unclear,
    growth(w.machine, -theta, first_timing, 6) AS first_falls, growth(w.machine, -theta, second_timing, 6) AS second_falls,
    course(w.machine, theta, first_timing) AS first_course, course(w.machine, theta, second_timing) AS second_course,
    listing(theta, shown(first)) AS first_text, listing(theta, shown(second)) AS second_text,
    listing(theta, printf('%g', theta)) AS angles
  FROM walks w JOIN published p ON p.experiment = 'gaburov/fig3.8' AND p.quantity = 'bandwidth'
  GROUP BY w.machine, w.device);

INSERT INTO claim(id, text, published, needs) VALUES ('G8',
  'Abstract: it takes about a second to compute the forces on a million particles at theta = 0.5',
  '~1 s, on a card of 384 Gflop/s',
  'orrery run gaburov/headline gaburov/fig3.7 --preset paper');

-- The whole call, from bodies on the host to forces there; the Milky Way, which is the paper's, before anything else.
CREATE TEMP VIEW whole_call AS
SELECT *, row_number() OVER (PARTITION BY machine, device ORDER BY dataset = 'milky-way' DESC, dataset) AS place
FROM (SELECT o.machine, o.device, o.dataset, o.end_to_end_seconds AS seconds, o.kernel_seconds, 2e-9 * c.fma_per_second AS peak,
    (SELECT sum(g.seconds) FROM stage g WHERE g.cell_key = o.cell_key AND g.in_step) AS host, o.error_median
  FROM own o LEFT JOIN cell_ceiling c USING (cell_key)
  WHERE o.n = 1000000 AND o.theta = 0.5 AND o.nleaf = 64 AND coalesce(o.steps, 0) = 0 AND o.end_to_end_seconds > 0);

-- Two parts: the time, which is bound to a card, and the same by what the card can do.
INSERT INTO verdict
SELECT 'G8', w.machine, w.device,
  verdict_of((w.seconds <= p.value + p.half_unit) + coalesce(w.seconds * w.peak / d.peak_gflops <= p.value + p.half_unit, 0), 2),
  shown(w.seconds) || ' s the whole call' || coalesce(', ' || shown(w.host) || ' s of it on the host', '') || ' (' || w.dataset || ')',
  iif(w.seconds <= p.value + p.half_unit, 'reached', 'not reached')
  || coalesce('; by the peak of this device, ' || shown(w.peak) || ' Gflop/s, it is as much as ' || shown(w.seconds * w.peak / d.peak_gflops)
    || ' s of a card of 384: ' || iif(w.seconds * w.peak / d.peak_gflops <= p.value + p.half_unit, 'reached', 'not reached'),
    '; the peak of this device is unknown')
  || coalesce('; octgrav-modern takes ' || (SELECT shown(min(m.end_to_end_seconds)) FROM latest m WHERE m.variant = 'gaburov/octgrav-modern'
    AND m.machine = w.machine AND m.device = w.device AND m.dataset = w.dataset AND m.n = 1000000 AND m.outcome = 'ok'
    AND NOT m.extrapolated AND coalesce(m.steps, 0) = 0 AND json_extract(m.parameters, '$.theta') = 0.5) || ' s', '')
FROM whole_call w JOIN published p ON p.experiment = 'gaburov/headline' AND p.quantity = 'seconds'
JOIN published_device d ON d.paper = 'gaburov' AND d.device = p.device
WHERE w.place = 1;

INSERT INTO claim(id, text, published, needs) VALUES ('G9',
  'Figure 3.7: the speedup over direct summation grows as N / log N',
  'N / log N',
  'orrery run gaburov/fig3.7 --preset paper');

CREATE TEMP VIEW gained AS
SELECT c.machine, c.device, f.theta, count(*) AS sizes, max(estimated) AS estimated,
  loglog_slope(c.n / logarithm(c.n), ratio) AS slope, loglog_slope_low(c.n / logarithm(c.n), ratio) AS low,
  loglog_slope_high(c.n / logarithm(c.n), ratio) AS high, listing(c.n, shown(ratio)) || ' at N = ' || listing(c.n, c.n) AS text,
  listing(c.n, iif(estimated, c.n, NULL)) AS guessed
FROM compared c JOIN faithful f ON f.cell_key = c.cell_key
WHERE c.experiment = 'gaburov/fig3.7' AND c.dataset = 'milky-way' AND c.baseline = 'gaburov/direct' AND c.baseline_device = c.device
  AND f.nleaf = 64 AND f.ngroup = 64 AND f.theta IN angle AND coalesce(c.steps, 0) = 0 AND c.n IN size
GROUP BY c.machine, c.device, f.theta HAVING count(*) > 2 AND max(c.n) >= 100000;

-- Six parts, the theta.
INSERT INTO verdict
SELECT 'G9', machine, device, verdict_of(total(holds), 6),
  coalesce(max(iif(theta = 0.5, text || ' (theta = 0.5); ', NULL)), '') || 'slopes over N / log N '
    || listing(theta, printf('%.2f [%.2f, %.2f]', slope, low, high)) || ' at theta = ' || listing(theta, printf('%g', theta)),
  printf('%d of 6 meet 0.85 to 1.15', total(holds)) || coalesce('; direct summation extrapolated at N = ' || max(guessed), '')
  || iif(count(*) < 6, printf('; %d of 6 theta measured', count(*)), '') || iif(min(sizes) < 7, printf('; %d of 7 sizes', min(sizes)), '')
FROM (SELECT *, low <= 1.15 AND high >= 0.85 AND high - low <= 1 AS holds FROM gained)
GROUP BY machine, device;

INSERT INTO claim(id, text, published, needs) VALUES ('G10',
  'Section 3.4: on a GT200, which has roughly twice the resources of the G80, a galaxy merger of 800000 particles is integrated at'
  || ' 1600000 particles a second',
  '1.6e6 particles/s; about 768 Gflop/s of peak',
  'orrery run gaburov/merger --preset paper');

-- The longest integration. Two parts: the rate, which is bound to a card, and the same by what the card can do.
INSERT INTO verdict
SELECT 'G10', m.machine, m.device,
  verdict_of((best >= p.value - p.half_unit) + coalesce(best / m.peak >= (p.value - p.half_unit) / (2 * d.peak_gflops), 0), 2),
  printf('%s particles/s over %d steps at theta = %g', shown(m.rate), m.steps, m.theta)
    || coalesce('; the energy drifts by ' || shown(m.energy_drift), ''),
  iif(best >= p.value - p.half_unit, 'reached', 'not reached')
  || coalesce(printf('; for each Gflop/s of peak %s particles/s, the paper''s %s: ', shown(m.rate / m.peak), shown(p.value / (2 * d.peak_gflops)))
    || iif(best / m.peak >= (p.value - p.half_unit) / (2 * d.peak_gflops), 'reached', 'not reached'), '; the peak of this device is unknown')
  || '; the bodies are a reconstruction' || coalesce('; the error of the forces is ' || shown(m.error_median) || ' in the median', '')
FROM (SELECT o.machine, o.device, o.steps, o.theta, o.energy_drift, o.error_median, o.bodies_per_second AS rate,
    o.bodies_per_second * o.seconds / coalesce(o.seconds_low, o.seconds) AS best, 2e-9 * c.fma_per_second AS peak,
    row_number() OVER (PARTITION BY o.machine, o.device ORDER BY o.theta = 0.5 DESC, o.steps DESC) AS place
  FROM own o LEFT JOIN cell_ceiling c USING (cell_key)
  WHERE o.dataset = 'merger' AND o.n = 800000 AND o.steps > 0 AND o.nleaf = 64 AND o.bodies_per_second > 0) m
JOIN published p ON p.experiment = 'gaburov/merger' AND p.quantity = 'bodies_per_second'
JOIN published_device d ON d.paper = 'gaburov' AND d.device = 'GeForce 8800 Ultra'
WHERE m.place = 1;

INSERT INTO claim(id, text, published, needs) VALUES ('G11',
  'Section 3.4: the code is two orders of magnitude faster than the widely used CPU tree-code, and only one order faster than a'
  || ' vectorised, tuned one',
  '~100 times, ~10 times',
  'orrery run gaburov/headline --preset paper');

-- The most bodies at which both were measured.
CREATE TEMP VIEW order_of AS
SELECT *, row_number() OVER (PARTITION BY machine, device, baseline ORDER BY n DESC) AS place
FROM (SELECT c.machine, c.device, c.n, c.baseline, c.ratio, c.low, c.high, c.estimated, f.error_median, b.error_median AS other_error
  FROM compared c JOIN faithful f ON f.cell_key = c.cell_key JOIN cell b ON b.cell_key = c.baseline_key
  WHERE c.experiment = 'gaburov/headline' AND c.baseline IN ('gaburov/cpu-tree', 'gaburov/cpu-tree-simd') AND c.n >= 100000
    AND f.theta = 0.5 AND json_extract(c.baseline_parameters, '$.theta') = 0.5 AND f.nleaf = 64 AND f.ngroup = 64);

-- Two parts. Two orders are 31.6 times or more, one order is 3.16 to 31.6 times.
INSERT INTO verdict
SELECT 'G11', t.machine, t.device, verdict_of((t.high >= 31.6) + coalesce(s.high >= 3.16 AND s.low <= 31.6, 0), 2),
  printf('%s [%s, %s] times cpu-tree', shown(t.ratio), shown(t.low), shown(t.high))
    || coalesce(printf(', %s [%s, %s] times cpu-tree-simd', shown(s.ratio), shown(s.low), shown(s.high)), '') || printf(' at N = %d', t.n),
  printf('two orders: %s; one order: %s', iif(t.high >= 31.6, 'yes', 'no'),
    CASE WHEN s.ratio IS NULL THEN 'not measured' WHEN s.high < 3.16 THEN 'less' WHEN s.low > 31.6 THEN 'more' ELSE 'yes' END)
  || iif(t.estimated, '; cpu-tree is extrapolated', '')
  || coalesce('; median errors ' || shown(t.error_median), '') || coalesce(', ' || shown(t.other_error) || ' of cpu-tree', '')
  || coalesce(printf(', %s of cpu-tree-simd', shown(s.other_error)), '')
  || '; cpu-tree-simd has all cores, Octgrav one for its tree'
FROM order_of t LEFT JOIN order_of s ON s.machine = t.machine AND s.device = t.device AND s.n = t.n AND s.baseline = 'gaburov/cpu-tree-simd'
WHERE t.baseline = 'gaburov/cpu-tree' AND t.place = 1;
