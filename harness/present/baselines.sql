-- SPDX-License-Identifier: MIT
-- The programs that printed speedups are over: CPU programs that a paper prints times of, by one core
-- of their processor, and what a tuned code of the same years would have left of the speedups.

--: layout baselines
--: setup
-- The serial program is the experiment's first baseline. Its cells of one core beside a program's
-- with vectors and one thread, of the same work on the scope's machine, or on any where it has none;
-- width: floats in a vector. The narrowest vectors count, for SSE had four, then the most bodies.
CREATE TEMP TABLE one_core AS
WITH vectors AS MATERIALIZED (
    SELECT l.cell_key, l.machine, l.experiment, l.dataset, l.n, l.level, l.steps, l.seconds, l.processes,
        json_extract(l.parameters, '$.theta') AS theta, substr(l.variant, instr(l.variant, '/') + 1) AS name,
        CASE coalesce(nullif(json_extract(l.parameters, '$.simd'), 'auto'), r.simd)
            WHEN 'avx512f' THEN 16 WHEN 'avx2' THEN 8 WHEN 'avx2+fma' THEN 8 ELSE 4 END AS width
    FROM latest l JOIN run r USING (run_key) WHERE json_extract(l.parameters, '$.threads') = 1
        AND json_extract(l.parameters, '$.simd') NOT NULL AND l.outcome = 'ok' AND NOT l.extrapolated)
SELECT s.experiment, b.variant, a.seconds / v.seconds AS ratio, a.interactions_per_second AS here,
    coalesce(ratio_bound(v.cell_key, a.cell_key, 0), a.seconds / v.seconds) AS low,
    coalesce(ratio_bound(v.cell_key, a.cell_key, 1), a.seconds / v.seconds) AS high,
    min(a.processes, v.processes) AS processes, v.width,
    printf('%s at N = %d on %s', v.name, v.n, v.machine) AS of
FROM scope s JOIN baseline b USING (experiment)
JOIN latest a ON a.machine = coalesce(nullif(s.machine, ''), a.machine) AND a.variant = s.paper || '/' || b.variant
JOIN vectors v ON v.machine = a.machine AND v.experiment = a.experiment AND v.dataset = a.dataset
    AND v.n = a.n AND v.level IS a.level AND v.steps IS a.steps
    AND v.theta IS json_extract(a.parameters, '$.theta')
WHERE b.place = 0 AND a.outcome = 'ok' AND NOT a.extrapolated ORDER BY v.width, v.n DESC LIMIT 1;
-- Vectors of four floats gain as much as measured, or between the ratio of wider vectors, as if width were worth nothing,
-- and its share by width.
CREATE TEMP TABLE four_floats AS
SELECT *, ratio * sqrt(4.0 / width) AS gain, low * 4 / width AS least, high AS most FROM one_core;

-- Printed times of that program, and the least that is printed of the same input. pairs: of a step,
-- of direct sums, or of the near field of boxes, each with the bodies of its own and all neighbours.
CREATE TEMP TABLE printed_time AS
WITH one AS (
    SELECT p.*, substr(p.variant, instr(p.variant, '/') + 1) AS name,
        (SELECT CAST(vals AS INTEGER) FROM axis a WHERE a.experiment = p.experiment
            AND a.name = 'level' AND NOT several) AS level
    FROM published p JOIN scope s USING (paper)
    WHERE p.quantity = 'seconds' AND p.reference IS NULL AND p.n NOT NULL)
SELECT o.*, g.name AS fastest, g.value AS fastest_seconds, g.half_unit AS fastest_half,
    g.device AS card, o.n >> 2 * o.level AS per_box, iif(o.level IS NULL, o.n * (o.n - 1),
        o.n * ((o.n >> 2 * o.level) - 1) + ((3 * (1 << o.level) - 2) * (3 * (1 << o.level) - 2)
            - (1 << 2 * o.level)) * (o.n >> 2 * o.level) * (o.n >> 2 * o.level)) AS pairs
FROM one o JOIN scope s JOIN baseline b ON b.experiment = s.experiment AND b.variant = o.name
    AND b.place = 0
LEFT JOIN (SELECT *, row_number() OVER (PARTITION BY experiment, dataset, n ORDER BY value) AS rank
    FROM one WHERE name NOT IN (SELECT variant FROM baseline JOIN scope USING (experiment))) g
    ON g.experiment = o.experiment AND g.dataset IS o.dataset AND g.n = o.n AND g.rank = 1;
-- A paper prints of each program a time, else a factor, else nothing.
CREATE TEMP TABLE printed_baseline AS
SELECT p.name AS variant, iif(per_box, 'P = ' || per_box, 'N = ' || n) AS input, n,
    printed || ' ' || unit AS printed, number_text(value / fastest_seconds) AS printed_speedup,
    value AS seconds, half_unit AS half, device, pairs, fastest, card,
    fastest_seconds, value / fastest_seconds AS speedup,
    (value - half_unit) / (fastest_seconds + fastest_half) AS speedup_low,
    (value + half_unit) / (fastest_seconds - fastest_half) AS speedup_high, includes, erratum
FROM printed_time p;
INSERT INTO printed_baseline
SELECT p.reference, NULL, NULL, 'no time', p.printed, NULL, NULL, NULL, NULL,
    substr(p.variant, instr(p.variant, '/') + 1), p.device, NULL, p.value, p.value - p.half_unit,
    p.value + p.half_unit, p.includes, p.erratum
FROM published p JOIN scope s USING (paper) JOIN takes_part t ON t.experiment = s.experiment
    AND t.variant = p.reference
WHERE p.quantity = 'ratio' AND NOT EXISTS (SELECT 1 FROM printed_time) ORDER BY p.value DESC;
INSERT INTO printed_baseline(variant, printed, printed_speedup)
SELECT b.variant, 'no time', 'no number' FROM baseline b JOIN scope USING (experiment)
WHERE b.place = 0 AND NOT EXISTS (SELECT 1 FROM printed_baseline);
-- With one core of the processor: additions and multiplications of all its lanes.
CREATE TEMP TABLE audited AS
SELECT b.*, d.clock, d.peak_gflops * 1e9 / d.cores AS core_peak, b.pairs / b.seconds AS rate,
    b.seconds * d.clock / b.pairs AS clocks, s.flops * b.pairs / b.seconds / (d.peak_gflops * 1e9
        / d.cores) AS share, s.flops * b.pairs / b.fastest_seconds / (c.peak_gflops * 1e9)
        AS card_share, f.gain, f.least, f.most, f.processes, f.here, f.width, f.of
FROM printed_baseline b JOIN scope s
LEFT JOIN published_device d ON d.paper = s.paper AND d.device = b.device
LEFT JOIN published_device c ON c.paper = s.paper AND c.device = b.card
LEFT JOIN four_floats f ON f.variant = b.variant;

--: data The printed baselines, by one core of their processor | printed
SELECT coalesce(p.label, a.variant) AS program, a.variant, a.input, a.n,
    a.printed, coalesce(a.device, 'not printed') AS processor, a.includes AS "processor.note", a.seconds,
    a.clock, a.core_peak, a.pairs, a.rate, a.clocks, a.share, a.fastest, a.card, a.card_share,
    a.printed_speedup, a.speedup, a.speedup_low, a.speedup_high, a.here, a.width,
    iif(a.gain IS NULL, iif(a.variant IN (SELECT variant FROM baseline JOIN scope
        USING (experiment)), 'not measured', NULL),
        ratio_text(a.gain, a.least, a.most, 0, a.processes)) AS vectors,
    iif(a.gain NOT NULL AND a.width > 4, 'Measured with vectors of ' || a.width || ' floats: between'
        || ' that ratio and its share by width.', NULL) AS "vectors.note",
    a.gain, a.least AS gain_low, a.most AS gain_high, a.seconds / a.gain AS tuned,
    (a.seconds - a.half) / a.most AS tuned_low, (a.seconds + a.half) / a.least AS tuned_high,
    iif(a.gain IS NULL OR a.speedup IS NULL, NULL, ratio_text(a.speedup / a.gain,
        a.speedup_low / a.most, a.speedup_high / a.least, 0)) AS remains,
    a.speedup / a.gain AS remaining, a.speedup_low / a.most AS remaining_low,
    a.speedup_high / a.least AS remaining_high, a.speedup * a.share AS at_peak, a.of AS measured_with
FROM audited a LEFT JOIN program p USING (variant) ORDER BY a.rowid;
--: columns left | people | program, input, processor
--: columns right | people | printed: printed time, printed_speedup: printed speedup
--: columns right | people | vectors: serial over four floats, remains
--: columns si | all | clock: clock [Hz], core_peak: one core [flop/s], rate: pairs/s
--: columns number | all | clocks: clocks a pair
--: columns percent | all | share: of the core's peak, card_share: of the card's
--: column fastest | fastest printed | | left | all
--: column tuned | tuned code then | | seconds | all
--: column at_peak | remains at the core's peak | | number | all
--: column here | the loop here, pairs/s | | si | all
--: programs variant n seconds pairs card speedup speedup_low speedup_high width gain gain_low
--: programs gain_high tuned_low tuned_high remaining remaining_low remaining_high measured_with
--: grid? One core here | here
SELECT r.label, i.head AS input, r.time_text AS measured, r.interactions_per_second,
    ratio_text(v.ratio, v.low, v.high, 0, v.processes) AS times,
    errors_text(r.error_median, r.error_p99, r.error_max) AS error
FROM result r JOIN input i ON i.place = r.input LEFT JOIN speedup v USING (cell_key)
ORDER BY i.place, r.program, r.place;
--: columns left | people | input
--: columns right | people | times: times as fast
--: remark
SELECT printf('Clocks and shares are of one core, whose vectors add and multiply in one clock, at %g'
    || ' operations a pair. Tuned code then: the printed time over the ratio of the serial program to'
    || ' one with vectors of four floats, as SSE had, both on one core here (%s). Remains: the printed'
    || ' speedup over the same. A loop that took many times the clocks of today''s lacked more than'
    || ' vectors: at its core''s peak, by the same operations, the last column remains. They are the'
    || ' paper''s convention, so neither share nor remainder is a bound.', s.flops,
    coalesce((SELECT of FROM one_core), 'not measured'))
FROM scope s WHERE EXISTS (SELECT 1 FROM printed_time)
UNION ALL SELECT 'Neither a CPU time nor its processor is printed: nothing can be said of clocks and of a'
    || ' share of a peak' || iif((SELECT count(*) FROM printed_baseline) > 1, '. What remains over a'
        || ' tuned code the paper prints itself.', ', nor of a speedup, of which no number is printed.')
WHERE NOT EXISTS (SELECT 1 FROM printed_time)
UNION ALL SELECT 'Not measured: `orrery run ' || experiment || '` measures both programs on one core.'
FROM scope WHERE NOT EXISTS (SELECT 1 FROM one_core);
--: nothing {experiment} is a table and has no figure
