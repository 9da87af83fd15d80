-- What Fujiwara & Nakasato 2009 say, judged over the ledger. harness/claims/claims.h explains the tables claim and verdict,
-- harness/claims/claims_parts.h the view `compared` and the functions used here; docs/METHOD.md, "Claims", the rules.

-- The paper's own programs, with its 4 x 1 and 4 x 4 stages, against each other at the sizes that its tables name.
CREATE TEMP VIEW pair AS
SELECT *, substr(variant, 10) || ' over ' || substr(baseline, 10) AS what
FROM compared
WHERE paper = 'fujiwara' AND (device = baseline_device OR baseline = 'fujiwara/cpu-only')
  AND (dataset, n) IN (SELECT dataset, n FROM published WHERE experiment = 'fujiwara/table2')
  AND 4 = coalesce(json_extract(parameters, '$.unroll_i'), 4) AND 4 = coalesce(json_extract(parameters, '$.unroll_j'), 4)
  AND 4 = coalesce(json_extract(baseline_parameters, '$.unroll_i'), 4)
  AND 4 = coalesce(json_extract(baseline_parameters, '$.unroll_j'), 4)
  AND 0 = coalesce(json_extract(parameters, '$.block'), 0) AND 0 = coalesce(json_extract(baseline_parameters, '$.block'), 0);

-- Each unrolling against the one before, and the least against the CPU, where a claim orders them; the longest run of Figure 13.
CREATE TEMP VIEW rung AS
SELECT * FROM (SELECT *, max(steps) OVER (PARTITION BY machine, device, experiment) AS most_steps,
    CASE experiment WHEN 'fujiwara/table2' THEN 'N1' WHEN 'fujiwara/table3' THEN 'N2' ELSE 'N3' END AS claim
  FROM pair
  WHERE what IN ('double-unrolling over simple-unrolling', 'simple-unrolling over no-unrolling', 'no-unrolling over cpu-only')
    AND CASE experiment WHEN 'fujiwara/table2' THEN 1 WHEN 'fujiwara/table3' THEN steps = 100 AND what LIKE 'double-unrolling %'
      WHEN 'fujiwara/fig13' THEN n = 100000 AND baseline <> 'fujiwara/cpu-only' ELSE 0 END)
WHERE experiment <> 'fujiwara/fig13' OR steps IS most_steps;

INSERT INTO comparison SELECT claim, machine, device, timing FROM rung;

-- One row a size: what is faster than what, and of how much that is unclear.
CREATE TEMP VIEW size AS
SELECT machine, device, claim, n, max(estimated) AS estimated, total(sign > 0) AS faster, count(*) - count(sign) AS unclear,
  total(sign > 0 AND what = 'double-unrolling over simple-unrolling') AS double_simple,
  total(sign > 0 AND what = 'simple-unrolling over no-unrolling') AS simple_none,
  total(sign > 0 AND what = 'no-unrolling over cpu-only') AS none_cpu
FROM (SELECT *, differs(machine, timing) AS sign FROM rung) GROUP BY machine, device, claim, n;

INSERT INTO claim(id, text, published, needs) VALUES ('N1',
  'Table II: a step takes less time with double-unrolling than with simple-unrolling, less with that than with'
  || ' gpu-no-unrolling, and less with that than with cpu-only, at every N; over cpu-only the three are faster by factors of'
  || ' 600 to 1900, 500 to 1200 and 400 to 800',
  'double-unrolling > simple-unrolling > gpu-no-unrolling > cpu-only; 600 to 1900, 500 to 1200, 400 to 800 over cpu-only',
  'orrery run fujiwara/table2 --preset paper');

CREATE TEMP VIEW factor AS
SELECT f.machine, f.device, p.value AS least, total(f.high >= p.value - p.half_unit) = 4 AS reached,
  substr(f.variant, 10) || ' ' || listing(f.n, shown(f.ratio)) AS text, listing(f.n, f.n) AS sizes
FROM pair f JOIN published p ON p.experiment = f.experiment AND p.variant = f.variant AND p.reference = 'cpu-only'
  AND p.quantity = 'ratio_min'
WHERE f.experiment = 'fujiwara/table2' AND f.baseline = 'fujiwara/cpu-only'
GROUP BY f.machine, f.device, f.variant;

-- Seven parts: the order at each of the four sizes, and the lower ends of the three ranges at all of them.
INSERT INTO verdict
SELECT 'N1', machine, device, verdict_of(ordered + reached, 7, unclear), 'over cpu-only: ' || text || ' at N = ' || sizes,
  printf('this order at %d of 4 sizes: double-unrolling beats simple-unrolling at %d, that gpu-no-unrolling at %d, that'
    || ' cpu-only at %d; %d of the 3 factors are in their range or above it at every N', ordered, double_simple, simple_none,
    none_cpu, reached)
  || coalesce('; what is beaten is extrapolated at N = ' || guessed, '')
  || CASE WHEN measured < 4 THEN printf('; only %d sizes measured', measured) ELSE '' END
FROM (SELECT machine, device, count(*) AS measured, total(faster = 3) AS ordered, total(faster < 3 AND faster + unclear = 3) AS unclear,
    total(double_simple) AS double_simple, total(simple_none) AS simple_none, total(none_cpu) AS none_cpu,
    listing(n, CASE WHEN estimated THEN n END) AS guessed
  FROM size WHERE claim = 'N1' GROUP BY machine, device)
JOIN (SELECT machine, device, sum(reached) AS reached, listing(-least, text) AS text, max(sizes) AS sizes
  FROM factor GROUP BY machine, device) USING (machine, device);

INSERT INTO claim(id, text, published, needs) VALUES ('N2',
  'Table III: over 100 time steps double-unrolling is faster than simple-unrolling by 1.08, 1.35, 1.28 and 1.45 at'
  || ' N = 7500, 10000, 18000 and 100000',
  '1.08, 1.35, 1.28, 1.45 (the table itself gives 1.09 for the first)',
  'orrery run fujiwara/table3 --preset paper');

-- Eight parts: at each of the four sizes that it is faster, and that it is so by as much.
INSERT INTO verdict
SELECT 'N2', s.machine, s.device, verdict_of(total(sign > 0) + total(high >= value - half_unit), 8, count(*) - count(sign)),
  listing(s.n, shown(ratio)) || ' at N = ' || listing(s.n, s.n),
  printf('faster at %d of 4 sizes, by as much as printed at %d', total(sign > 0), total(high >= value - half_unit))
  || coalesce('; simple-unrolling extrapolated at N = ' || listing(s.n, CASE WHEN estimated THEN s.n END), '')
  || CASE WHEN count(*) < 4 THEN printf('; only %d of them measured', count(*)) ELSE '' END
FROM (SELECT *, differs(machine, timing) AS sign FROM rung WHERE claim = 'N2') s JOIN published p ON p.experiment = s.experiment
  AND p.n = s.n AND p.variant = s.variant AND p.reference = 'simple-unrolling' AND p.quantity = 'ratio'
GROUP BY s.machine, s.device;

INSERT INTO claim(id, text, published, needs) VALUES ('N3',
  'Figure 13: gpu-no-unrolling, simple-unrolling and double-unrolling reach 319, 476 and 690 Gflops at N = 100000, with 38'
  || ' operations an interaction',
  '319, 476, 690 Gflop/s',
  'orrery run fujiwara/fig13 --preset paper');

CREATE TEMP VIEW speed AS
SELECT r.machine, r.device, r.steps, p.value AS printed, r.gflops, r.extrapolated,
  r.gflops * r.seconds / coalesce(r.seconds_low, r.seconds) >= p.value - p.half_unit AS reached,
  max(r.steps) OVER (PARTITION BY r.machine, r.device) AS most_steps
FROM rates r JOIN published p ON p.experiment = r.experiment AND p.variant = r.variant AND p.n = r.n
  AND p.quantity = 'gflops'
WHERE r.experiment = 'fujiwara/fig13' AND 4 = coalesce(json_extract(r.parameters, '$.unroll_i'), 4)
  AND 4 = coalesce(json_extract(r.parameters, '$.unroll_j'), 4) AND 0 = coalesce(json_extract(r.parameters, '$.block'), 0);

-- Four parts: the three rates, which are bound to a card, and their order, which is not.
INSERT INTO verdict
SELECT 'N3', s.machine, s.device, verdict_of(total(reached) + coalesce(faster = 2, 0), 4, coalesce(faster < 2 AND faster + unclear = 2, 0)),
  listing(printed, shown(gflops)) || ' Gflop/s',
  printf('%d of the 3 rates are reached', total(reached))
  || CASE WHEN faster = 2 THEN '; each unrolling is faster than the one before'
     WHEN faster + unclear < 2 THEN '; not each unrolling is faster than the one before' ELSE '' END
  || CASE WHEN count(*) < 3 THEN printf('; only %d of them measured', count(*)) ELSE '' END
  || CASE WHEN max(extrapolated) THEN '; extrapolated from smaller N' ELSE '' END
FROM speed s LEFT JOIN size o ON o.machine = s.machine AND o.device = s.device AND o.claim = 'N3'
WHERE s.steps = most_steps GROUP BY s.machine, s.device;

INSERT INTO claim(id, text, published, needs) VALUES ('N4',
  'Figure 14: the optimised code reaches about 990 Gflops near N = 200000, 82 % of the card''s 1200, and takes roughly 2 s for'
  || ' N = 226304',
  '~990 Gflop/s, 82 % of the peak, ~2 s',
  'orrery run fujiwara/fig14 --preset paper');

-- What a device does at the two sizes of the text, beside what the paper prints; its peak as the paper counts it, two
-- operations a multiply-add, and that of the printed card.
CREATE TEMP VIEW quoted AS
SELECT r.machine, r.device, r.n, r.gflops, min(r.seconds) AS seconds, r.extrapolated, r.ceiling_fraction, r.ceiling_fault,
  r.gflops_true > 2e-9 * r.fma_per_second AS low_peak, r.gflops / (2e-9 * r.fma_per_second) AS share,
  (p.value - p.half_unit) / d.peak_gflops AS printed_share,
  CASE p.quantity WHEN 'seconds' THEN coalesce(r.seconds_low, r.seconds) <= p.value + p.half_unit
    ELSE r.gflops * r.seconds / coalesce(r.seconds_low, r.seconds) >= p.value - p.half_unit END AS reached
FROM rates r JOIN published p ON p.experiment = r.experiment AND p.variant = r.variant AND p.n = r.n
JOIN published_device d ON d.paper = r.paper AND d.device = p.device
WHERE r.experiment = 'fujiwara/fig14' GROUP BY r.machine, r.device, r.n;

-- Three parts: the rate, its share of the peak, the time.
INSERT INTO verdict
SELECT 'N4', r.machine, r.device,
  verdict_of(r.reached + coalesce(r.share >= r.printed_share AND r.low_peak IS NOT 1, 0) + coalesce(late.reached, 0), 3),
  printf('%s Gflop/s, %s %% of the peak, %s', shown(r.gflops), coalesce(shown(100 * iif(r.low_peak, NULL, r.share)), 'unknown'),
    coalesce(shown(late.seconds) || ' s', 'time unknown')),
  printf('rate %s, share of the peak %s, time %s', iif(r.reached, 'reached', 'not reached'),
    CASE WHEN r.low_peak THEN 'not used: by its own count the device does more, so that the peak of that run is too low'
      WHEN r.share >= r.printed_share THEN 'reached' WHEN r.share IS NULL THEN 'unknown' ELSE 'not reached' END,
    CASE WHEN late.reached THEN 'reached' WHEN late.reached IS NULL THEN 'not measured' ELSE 'not reached' END)
  || '; the peak is the measured rate of multiply-adds, the 38 operations are a convention'
  || CASE WHEN r.ceiling_fault IS NOT NULL THEN '; its share of the ceiling is ' || r.ceiling_fault
     ELSE coalesce(printf(': the device does %s %% of what it can with this mix', shown(100 * r.ceiling_fraction)), '') END
  || iif(r.extrapolated OR late.extrapolated, '; extrapolated from smaller N', '')
FROM quoted r LEFT JOIN quoted late ON late.machine = r.machine AND late.device = r.device AND late.n = 226304
WHERE r.n = 200000;

INSERT INTO claim(id, text, published, needs) VALUES ('N5',
  'Section VI: the inner loops take 6, 10 and 34 registers and 11, 25 and 72 ALU words, from which the speeds to reach at'
  || ' 625 MHz are 345, 608 and 844 Gflops; 92, 78 and 82 % of them are measured',
  '6, 10, 34 registers; 11, 25, 72 ALU words; 92, 78, 82 %',
  'orrery run fujiwara/resources --preset paper');

CREATE TEMP VIEW register AS
SELECT l.machine, l.device, l.variant, max(k.registers) AS used, p.value AS printed
FROM latest l JOIN kernel k USING (cell_key) JOIN published p ON p.experiment = l.experiment AND p.variant = l.variant
  AND p.quantity = 'registers'
WHERE l.experiment = 'fujiwara/resources' AND l.outcome = 'ok' AND 4 = coalesce(json_extract(l.parameters, '$.unroll_i'), 4)
  AND 4 = coalesce(json_extract(l.parameters, '$.unroll_j'), 4) AND 0 = coalesce(json_extract(l.parameters, '$.block'), 0)
GROUP BY l.machine, l.device, l.variant;

-- Three parts: that each unrolling takes more registers than the one before, and the ALU words, which no device tells.
INSERT INTO verdict
SELECT 'N5', machine, device,
  iif(none >= 0 AND simple >= 0 AND double >= 0, verdict_of((none < simple) + (simple < double), 3), 'not measurable here'),
  iif(none >= 0, printf('%d, %d, %d registers', none, simple, double), NULL),
  iif(none >= 0, printf('registers of the whole kernel; %d of 2 steps of unrolling take more of them', (none < simple)
    + (simple < double)), 'this device does not tell how many registers a kernel takes')
  || '; ALU words are the RV770''s own unit and cannot be measured elsewhere'
FROM (SELECT machine, device, max(iif(printed = 6, used, NULL)) AS none, max(iif(printed = 10, used, NULL)) AS simple,
  max(iif(printed = 34, used, NULL)) AS double FROM register GROUP BY machine, device HAVING count(*) = 3);

INSERT INTO claim(id, text, published, needs) VALUES ('N6',
  'Section VII: "it is expected that a number of stages to unroll affects the computing performance"',
  'an expectation: only 1 x 1, 4 x 1 and 4 x 4 were tried',
  'orrery run fujiwara/unroll-sweep --preset paper');

-- The most complete sweep of a device, of those the largest.
CREATE TEMP VIEW stage AS
SELECT *, rank() OVER (PARTITION BY machine, device ORDER BY settings DESC, n DESC) AS place
FROM (SELECT machine, device, n, cell_key, seconds, count(*) OVER (PARTITION BY machine, device, n) AS settings,
    printf('%d x %d', json_extract(parameters, '$.unroll_i'), json_extract(parameters, '$.unroll_j')) AS stages
  FROM rates WHERE experiment = 'fujiwara/unroll-sweep' AND NOT extrapolated);

-- Each setting against the paper's: to choose the fastest and the slowest and compare these would find differences in noise.
CREATE TEMP VIEW other_stage AS
SELECT p.machine, p.device, p.seconds,
  timing_over(timing_of(p.cell_key), timing_of(o.cell_key)) AS timing
FROM stage p JOIN stage o USING (machine, device, place) WHERE place = 1 AND p.stages = '4 x 4' AND o.cell_key <> p.cell_key;

INSERT INTO comparison SELECT 'N6', machine, device, timing FROM other_stage;

INSERT INTO verdict
SELECT 'N6', b.machine, b.device, verdict_of(o.differ, 1, o.unclear),
  printf('%s is %s [%s, %s] times as fast as %s', b.stages, shown(c.ratio), shown(c.low), shown(c.high), w.stages),
  printf('fastest and slowest of %d settings, i x j, at N = %d; ', b.settings, b.n)
  || printf('%d differ from the paper''s 4 x 4, which is %s times as fast as the fastest', o.differ, shown(b.seconds / o.seconds))
FROM (SELECT *, min(seconds) FROM stage WHERE place = 1 GROUP BY machine, device) b
JOIN (SELECT *, max(seconds) FROM stage WHERE place = 1 GROUP BY machine, device) w USING (machine, device)
JOIN compared c ON c.cell_key = b.cell_key AND c.baseline_key = w.cell_key
JOIN (SELECT machine, device, seconds, total(differs(machine, timing) <> 0) AS differ, total(differs(machine, timing) IS NULL) AS unclear
  FROM other_stage GROUP BY machine, device) o USING (machine, device);

INSERT INTO claim(id, text, published, needs) VALUES ('N7',
  'Figures 5 to 12: the figure-eight and cartwheel galaxies at the start and after 100 steps',
  'pictures',
  'orrery run fujiwara/snapshots --preset paper');

-- Four parts: the three integrations, and that the pictures look alike, which no number judges.
INSERT INTO verdict
SELECT 'N7', machine, device, verdict_of(total(good), 4),
  'energy drift ' || listing(n, dataset || ' ' || coalesce(shown(energy_drift), 'unknown')),
  printf('%d of 3 systems end 100 steps with verified forces and an energy drift below 1 %%, at N = %s; the initial conditions'
    || ' are reconstructions and no number judges a picture: `orrery plot fujiwara/snapshots` shows them', total(good),
    listing(n, n))
FROM (SELECT machine, device, dataset, max(n) AS n, energy_drift, outcome = 'ok' AND coalesce(energy_drift < 0.01, 0) AS good
  FROM latest WHERE experiment = 'fujiwara/snapshots' AND steps = 100 GROUP BY machine, device, dataset)
GROUP BY machine, device;
