-- SPDX-License-Identifier: MIT
-- One cell in full, whose key is in the table `asked`. present/queries.h says how such a file is
-- read.

--: layout cell
--: setup
CREATE TEMP TABLE described AS
SELECT c.*, r.request, r.version, r.compiler, v.label, e.shows, e.title, p.flops,
    d.ceiling_kind, d.ceiling, d.ceiling_fraction, d.ceiling_fault,
    (SELECT max(m.clock_mhz) FROM ceiling m WHERE m.run_key = c.run_key AND m.device = c.device)
        AS ceiling_clock_mhz,
    (SELECT count(*) FROM sample m WHERE m.cell_key = c.cell_key AND kind = 'step_s') AS samples,
    (SELECT sum(throttled) FROM sample m WHERE m.cell_key = c.cell_key AND kind = 'step_s')
        AS throttled
FROM asked JOIN cells c USING (cell_key) JOIN run r USING (run_key)
LEFT JOIN variant v ON c.variant = v.paper || '/' || v.variant
LEFT JOIN experiment e USING (experiment) LEFT JOIN paper p ON p.paper = c.paper
LEFT JOIN cell_ceiling d USING (cell_key);
-- Parameters with the shortest text that means the same number.
CREATE TEMP TABLE given AS
SELECT j.id AS place, j.key AS name, CASE WHEN j.type <> 'real' THEN j.value
    WHEN CAST(printf('%.6g', j.value) AS REAL) = j.value THEN printf('%.6g', j.value)
    WHEN CAST(printf('%.15g', j.value) AS REAL) = j.value THEN printf('%.15g', j.value)
    ELSE printf('%!.17g', j.value) END AS value
FROM described d, json_each(d.parameters) j;
-- The settings of the very same cell: an id is made of what the axes of the experiment, of
-- its preset and of --set gave, and of no default.
CREATE TEMP TABLE setting AS
WITH along(name) AS (
    SELECT a.name FROM axis a JOIN described USING (experiment)
    UNION SELECT p.name FROM preset_axis p JOIN described d ON p.experiment = d.experiment
        AND p.preset = coalesce(d.preset, 'quick')
    UNION SELECT substr(j.value, 1, instr(j.value, '=') - 1)
    FROM described d, json_each(d.request, '$.set') j
    UNION SELECT j.key FROM described d, json_each(d.knobs) j)
SELECT -3 AS place, 'dataset' AS name, dataset AS value FROM described
UNION ALL SELECT -2, 'n', n FROM described
UNION ALL SELECT -1, 'seed', seed FROM described WHERE seed <> 1 OR 'seed' IN along
UNION ALL SELECT place, name, value FROM given
WHERE name IN along AND name NOT IN ('dataset', 'n', 'seed', 'per_box');
CREATE TEMP TABLE command AS
SELECT 'orrery run ' || d.experiment || ' --preset ' || coalesce(d.preset, 'quick') || ' --device '
    || device_id(d.device) || ' --only ' || d.variant || (SELECT group_concat(' --set ' || name || '='
        || value, '') FROM (SELECT * FROM setting ORDER BY place))
    || iif(coalesce(json_extract(d.request, '$.seed'), 1) = 1, '',
        ' --seed ' || json_extract(d.request, '$.seed'))
    || coalesce(' --min-samples ' || json_extract(d.request, '$.sampling.min_samples'), '')
    || coalesce(' --precision ' || json_extract(d.request, '$.sampling.precision'), '')
    || coalesce(' --time-limit ' || json_extract(d.request, '$.sampling.time_limit_s'), '')
    || iif(d.ranks > 1 AND 'ranks' NOT IN (SELECT name FROM setting), ' --ranks ' || d.ranks, '')
    || iif(d.ranks > 1 AND json_extract(d.request, '$.oversubscribe'), ' --oversubscribe', '')
        AS command
FROM described d;
--: facts *
SELECT experiment || coalesce(' (' || shows || ': ' || title || ')', '') AS experiment,
    variant || coalesce(' (' || nullif(label, '') || ')', '') AS variant, device || coalesce(' ' || device_name, '') AS device,
    dataset || ', N = ' || n || ', seed ' || seed || coalesce(', ' || per_box || ' in a box', '')
        || coalesce(', SHA-256 ' || nullif(dataset_sha256, ''), '') AS "data set",
    (SELECT group_concat(name || '=' || value, ', ') FROM (SELECT * FROM given ORDER BY place)) AS parameters,
    outcome || coalesce(': ' || nullif(reason, ''), '') AS outcome,
    'from the cell ' || extrapolated_from || ' by the number of interactions, not measured' AS extrapolated,
    nullif(note, '') AS note, machine, run || ' (preset ' || coalesce(preset, 'quick') || ')' AS run,
    path || ':' || line || iif((SELECT schema FROM run r WHERE r.run_key = d.run_key) >= 2, '', ' (without checksums)') AS journal,
    coalesce(started, run_started) || coalesce(', took ' || seconds_text(wall_s), '')
        || coalesce(', of that the harness ' || seconds_text(harness_s), '') AS started,
    coalesce(version, '?') || ' commit ' || coalesce(commit_id, '?') || coalesce(', ' || compiler, '') AS orrery,
    'SHA-256 ' || plugin_sha256 AS plugin, nullif(build_flags, '') AS "build flags",
    nullif(samples, 0) || ' samples' || iif(processes > 1, ' of ' || processes || ' processes', '') || ' after ' || warmups
        || ' warm-ups, ended by ' || stop || '; ' || iif(throttled, throttled || ' of them', 'none') || ' while throttled' AS sampling,
    iif(spread_within IS NULL, NULL, printf('%.2g %% within a process', 100 * spread_within)
        || iif(spread_between IS NULL, '', printf(', %.2g %% between processes', 100 * spread_between))
        || coalesce('; 90 % of the samples lie from ' || seconds_text(p5) || ' to ' || seconds_text(p95), '')
        || iif(two_peaks, '; they have two peaks', '')) AS spread,
    CASE WHEN samples < 2 THEN NULL
        WHEN coalesce(processes, 1) < 3 THEN 'within one run: it excludes run-to-run variation'
        ELSE printf('of %d processes; %.0f would make it half as wide', processes, halving) END AS interval,
    iif(coalesce(clock_mhz_median, power_w_median, temperature_c_max) IS NULL, NULL, 'clock '
        || iif(clock_mhz_median IS NULL, '—', printf('%.0f MHz', clock_mhz_median))
        || iif(memory_clock_mhz_median IS NULL, '', printf(', memory %.0f MHz', memory_clock_mhz_median))
        || ', power ' || iif(power_w_median IS NULL, '—', printf('%.0f W', power_w_median))
        || ', at most ' || iif(temperature_c_max IS NULL, '—', printf('%.0f °C', temperature_c_max))
        || coalesce(', throttled by ' || nullif(throttle_reasons, '[]'), '')) AS sensors,
    si_text(ceiling, '/s') || CASE ceiling_kind WHEN 'mix' THEN ', 12 multiply-adds and a root'
        ELSE ', pairs of the kind ' || ceiling_kind END || ', measured in this run'
        || coalesce(' at ' || CAST(round(ceiling_clock_mhz) AS INTEGER) || ' MHz', '')
        || coalesce('; the cell is ' || ceiling_fault, '') AS ceiling,
    iif(joules_step IS NULL, 'unknown: ' || joules_reason, printf('%.3g J a step, %.3g J of that idle', joules_step, joules_idle_step)
        || iif(joules_interaction IS NULL, '', printf('; %.3g J an interaction', joules_interaction))
        || iif(joules_error IS NULL, '', printf('; integrated power differs by %.1f %%', 100 * joules_error))
        || ' (' || joules_counter || ')') AS "energy used",
    beside,
    iif(energy_drift IS NULL, NULL, printf('%.9g before, %.9g after, drift %.3g', energy_start, energy_end, energy_drift)
        || coalesce(', from ' || energy_source, '')) AS energy,
    iif(momentum_drift IS NULL, NULL, printf('drift %.3g', momentum_drift)) AS momentum,
    coalesce('not compared: ' || trajectory_reason, iif(trajectory_position_sum IS NULL, NULL,
        printf('squared distance from fp64 direct sums %.6g, of velocities %.6g (sums)', trajectory_position_sum,
            trajectory_velocity_sum))) AS trajectory,
    CASE WHEN counters NOT NULL THEN (SELECT group_concat('none of ' || r.source || ': ' || r.reason, '; ')
            FROM (SELECT DISTINCT source, reason FROM counter_reason JOIN asked USING (cell_key)) r)
        WHEN extrapolated THEN 'none: nothing was run'
        WHEN EXISTS (SELECT 1 FROM counter c JOIN asked USING (cell_key)) THEN 'of another run'
        WHEN outcome <> 'ok' THEN 'none: the cell did not end well'
        ELSE 'none: `orrery run --counters auto` takes them, as presets paper and beyond do' END AS counters,
    (SELECT printf('%.4g operations in single precision', flops) || coalesce(printf(', %.4f of what the variant declares', share), '')
        FROM executed JOIN asked USING (cell_key)) AS executed,
    '`' || command || '`' AS "measure it again"
FROM described d JOIN command;
--: data Time of a step
SELECT d.id AS cell, d.experiment, d.variant, d.device, d.machine, d.dataset, d.n, d.seed,
    d.parameters, d.outcome, d.reason, d.run, d.path, d.line, d.seconds,
    time_text(d.outcome, d.seconds, d.extrapolated, d.seconds_low, d.seconds_high, d.samples,
        d.processes, d.two_peaks)
        AS "seconds.text",
    d.seconds_low, d.seconds_high, d.mode, d.single_seconds, d.kernel_seconds, d.kernel_clock,
    d.end_to_end_seconds, d.wall_s, d.samples, coalesce(d.processes, 1) AS processes,
    d.spread_within, d.spread_between, d.p5, d.p95, d.two_peaks, d.halving,
    d.warmups, d.stop, coalesce(d.throttled, 0) AS throttled, d.interactions,
    d.interactions_per_second, d.bodies_per_second, d.flops_convention / d.seconds / 1e9 AS gflops,
    d.flops_true / d.seconds / 1e9 AS gflops_true, d.bytes_min,
    d.ceiling_fraction, d.ceiling_fault AS "ceiling_fraction.note", d.joules_step,
    d.joules_idle_step, d.joules_interaction, d.joules_error, d.energy_drift, d.momentum_drift,
    d.extrapolated_from, c.command
FROM described d JOIN command c;
--: column seconds | step | | right | all
--: columns seconds | all | seconds_low: from, seconds_high: to, single_seconds: a single one
--: columns seconds | all | kernel_seconds: its kernels, end_to_end_seconds: end to end
--: columns si | all | interactions, interactions_per_second: interactions/s
--: columns si | all | bodies_per_second: bodies/s
--: columns number | all | gflops: GFLOPS by the paper, gflops_true: as counted
--: column bytes_min | bytes, at least | | si | all
--: column ceiling_fraction | of ceiling | | percent | all
--: columns small | all | joules_step: J a step, joules_idle_step: of that idle
--: columns small | all | joules_interaction: J an interaction
--: programs *
--: grid? Samples, phases and stages | samples
WITH every AS (
    SELECT 0 AS part, CASE kind WHEN 'step_s' THEN 'step' WHEN 'single_s' THEN 'a single step'
        WHEN 'kernel_s' THEN 'its kernels' WHEN 'device_s' THEN 'its kernels, by their timestamps'
        ELSE 'end to end' END AS name, value, throttled,
        instr('step_s single_s kernel_s device_s end_to_end_s', kind) AS at
    FROM sample s JOIN asked USING (cell_key)
    UNION ALL SELECT 1, 'phase ' || name, seconds, 0, p.rowid
    FROM phase p JOIN asked USING (cell_key)
    UNION ALL SELECT 2, 'stage ' || name || ', in the step', seconds, 0, t.rowid
    FROM stage_sample t JOIN asked USING (cell_key)
    UNION ALL SELECT 3, 'stage ' || name || ', before it', seconds, 0, t.rowid
    FROM stage t JOIN asked USING (cell_key) WHERE NOT coalesce(in_step, 0)),
 ranked AS (
    SELECT *, row_number() OVER (PARTITION BY part, name ORDER BY value) - 1 AS rank,
        count(*) OVER (PARTITION BY part, name) AS count FROM every)
SELECT name, count, min(value) AS least,
    max(iif(rank = (count - 1) / 4, value, NULL)) AS quarter,
    avg(iif(rank IN ((count - 1) / 2, count / 2), value, NULL)) AS median,
    max(iif(rank = (3 * count - 3) / 4, value, NULL)) AS three_quarters, max(value) AS most,
    sum(throttled) AS throttled
FROM ranked GROUP BY part, name ORDER BY part, min(at);
--: column name | of | | left | all
--: columns right | all | count, throttled
--: columns seconds | all | least, quarter, median, three_quarters, most
--: grid? Errors of the accelerations against fp64 | errors
SELECT name, median, p99, most, bound, targets FROM (
    SELECT 'relative' AS name, error_median AS median, error_p99 AS p99, error_max AS most,
        CASE WHEN coalesce(bound_by_terms, 0) = 0 THEN
            errors_text(nullif(bound_median, 0), nullif(bound_p99, 0), nullif(bound_max, 0)) END AS bound,
        error_targets AS targets FROM described
    UNION ALL SELECT 'by the mean acceleration', error_by_mean_median, error_by_mean_p99,
        error_by_mean_max, NULL, error_targets FROM described
    UNION ALL SELECT 'by the terms', error_by_terms_median, error_by_terms_p99,
        error_by_terms_max, CASE WHEN bound_by_terms = 1 THEN
            errors_text(nullif(bound_median, 0), nullif(bound_p99, 0), nullif(bound_max, 0)) END,
        error_targets FROM described
    UNION ALL SELECT 'potential', NULL, NULL, error_phi_max, NULL, error_targets FROM described)
WHERE coalesce(median, p99, most) NOT NULL;
--: columns left | all | name: error, bound: bounds
--: columns small | all | median, p99: of 1 %, most: largest
--: column targets | bodies verified | | right | all
--: grid? Kernels | kernels
SELECT k.name, nullif(registers, -1) AS registers, nullif(spill_bytes, -1) AS spill_bytes,
    nullif(local_bytes, -1) AS local_bytes, nullif(max_group, -1) AS max_group,
    nullif(resident, -1) AS resident, build_s,
    iif(cached, 'yes', 'no') AS cached, defines
FROM kernel k JOIN asked USING (cell_key) ORDER BY kernel_key;
--: columns left | all | name: kernel, cached: from the cache, defines
--: columns right | all | registers, spill_bytes, local_bytes, max_group: largest group
--: columns right | all | resident: of them at once
--: column build_s | build | | seconds | all
--: grid? Work, counts and counters of a step | work
SELECT name, value FROM (
    SELECT 0 AS part, f.rowid AS at, name, value FROM figure f JOIN asked USING (cell_key)
    UNION ALL SELECT 1, c.rowid, procedure || ' ' || kind, value
    FROM count c JOIN asked USING (cell_key)
    UNION ALL SELECT 2, c.rowid, name || ' (' || source || coalesce((SELECT ', run ' || o.run
            FROM cells o WHERE o.cell_key = c.origin), '') || ')', value
    FROM counter c JOIN asked USING (cell_key))
ORDER BY part, at;
--: column name | what | | left | all
--: column value | value | | si | all
--: grid? Other records of this cell | records
SELECT c.machine, c.run, c.line, c.path, coalesce(c.started, c.run_started) AS started,
    time_text(c.outcome, c.seconds, c.extrapolated) AS "seconds.text",
    c.seconds
FROM described d JOIN cells c ON c.id = d.id AND c.cell_key <> d.cell_key
ORDER BY started DESC, c.cell_key DESC;
--: columns left | all | machine, run, started, path: journal
--: columns right | all | line, seconds: step
