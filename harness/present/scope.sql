-- SPDX-License-Identifier: MIT
-- The cells of one experiment as temporary tables, which every query of a layout reads; lines.sql
-- has the rest of them. The table `asked`(experiment) says which, and `side`(operand, machine) from
-- which machine or, in a comparison, from which two. All are made anew for each table or figure.

-- One row. level, steps: of the published numbers, NULL where the experiment has no such axis.
-- parameter: the first axis of several numbers that does not choose the input. over_n: whether
-- curves run over the number of bodies, else over the parameter. A layout sets what follows:
-- quantity, of the published numbers beside cells ('seconds' or 'gflops'); speedups, whether cells
-- show theirs; matrices, whether there are grids of programs by inputs.
CREATE TEMP TABLE scope AS
SELECT e.experiment, e.paper, e.name, e.shows, e.title, e.layout, e.note, e.cells,
    (SELECT machine FROM side) AS machine,
    p.flops,
    (SELECT CAST(vals AS REAL) FROM axis a
     WHERE a.experiment = e.experiment AND a.name = 'level' AND numbers AND NOT several) AS level,
    (SELECT CAST(vals AS REAL) FROM axis a
     WHERE a.experiment = e.experiment AND a.name = 'steps' AND numbers AND NOT several) AS steps,
    (SELECT a.name FROM axis a WHERE a.experiment = e.experiment AND several AND numbers
        AND a.name NOT IN ('dataset', 'n', 'seed', 'steps', 'level', 'per_box', 'per_rank')
     ORDER BY place LIMIT 1) AS parameter,
    EXISTS (SELECT 1 FROM axis a
            WHERE a.experiment = e.experiment AND a.name = 'n' AND several) AS over_n,
    coalesce((SELECT unit FROM published q
        WHERE q.experiment = e.experiment AND quantity = 'seconds' LIMIT 1), '') AS unit,
    'seconds' AS quantity, 0 AS speedups, 0 AS matrices, 0 AS boxed, 0 AS settings,
    '' AS published_in, '' AS ratio_of, 0 AS timed, 0 AS rated
FROM asked JOIN experiment e USING (experiment) JOIN paper p USING (paper);
UPDATE scope SET over_n = 1 WHERE parameter IS NULL;

-- The experiment's axes, and those of them that say how something is computed.
CREATE TEMP TABLE own_axis AS
SELECT a.place, a.name, a.name IN ('dataset', 'n', 'seed', 'steps', 'level', 'per_box', 'per_rank') AS of_input
FROM axis a JOIN scope s USING (experiment);

-- The variants of the paper; takes_part: in this experiment.
CREATE TEMP TABLE program AS
SELECT v.place, v.variant, v.label, v.named, EXISTS (SELECT 1 FROM takes_part t
    WHERE t.experiment = s.experiment AND t.variant = v.variant) AS takes_part
FROM variant v JOIN scope s USING (paper);

-- Latest cells of the experiment. An experiment may show the cells of some variants of another one.
-- mark: what stands behind the name of a program that is no plugin, unless its name says so.
CREATE TEMP TABLE shown AS
SELECT l.*, substr(l.variant, instr(l.variant, '/') + 1) AS name,
    iif(l.program_command IS NULL OR l.variant LIKE '%/external-%', '', ' [external]') AS mark
FROM latest l JOIN scope s ON l.experiment = s.cells
JOIN side d ON d.machine = l.machine AND d.operand = l.operand;

-- Inputs: what is computed. place: by level (the published one first), bodies in a box, n, data
-- set in its axis' order; what is not known comes first. size: the paper's measure of it, bodies
-- in a box where all have as many, else bodies. Published numbers are of the experiment's own
-- level; bodies in a box follow from N.
CREATE TEMP TABLE input AS
WITH every AS (
    SELECT p.dataset, p.n, CAST(s.level AS INTEGER) AS level,
        p.n / (1 << 2 * CAST(s.level AS INTEGER)) AS per_box, 1 AS published
    FROM published p JOIN scope s USING (experiment)
    WHERE p.n IS NOT NULL AND p.dataset IS NOT NULL
    UNION ALL SELECT dataset, n, level, per_box, 0 FROM shown),
 one AS (
    SELECT dataset, n, level, per_box, max(published) AS published
    FROM every GROUP BY dataset, n, level)
SELECT row_number() OVER (ORDER BY coalesce(one.level = s.level, 0) = 0, one.level NULLS FIRST,
        per_box NULLS FIRST, n NULLS FIRST, v.place NULLS LAST, dataset) - 1 AS place,
    dataset, n, one.level, per_box, published, coalesce(per_box, n) AS size, '' AS head
FROM one JOIN scope s LEFT JOIN axis_value v
    ON v.experiment = s.experiment AND v.name = 'dataset' AND v.value = one.dataset;
-- "P = 8", "N = 18000", with the level where it is not that of the first input.
UPDATE input SET head = printf('%s = %.0f', iif(per_box IS NULL, 'N', 'P'), size)
    || iif(level IS NOT NULL AND level <> coalesce((SELECT level FROM input WHERE place = 0), -1),
        printf(', level %.0f', level), '');
UPDATE scope SET boxed = EXISTS (SELECT 1 FROM input WHERE per_box IS NOT NULL);

-- Parameters of the cells as people write them: a whole number is the same text whether the journal
-- has it as 512 or 512.0.
CREATE TEMP TABLE parameter AS
SELECT c.cell_key, c.name AS variant, c.device, i.place AS input, j.key AS name, CASE j.type
    WHEN 'text' THEN j.value WHEN 'integer' THEN printf('%.6g', j.value)
    WHEN 'real' THEN printf('%.6g', j.value) WHEN 'true' THEN 'yes' ELSE 'no' END AS value,
    iif(j.type IN ('integer', 'real'), j.value, NULL) AS number
FROM shown c JOIN input i ON i.dataset IS c.dataset AND i.n IS c.n AND i.level IS c.level,
    json_each(c.parameters) j;
-- Beside cells with cold caches (of older journals) the others say that theirs are not.
INSERT INTO parameter
SELECT c.cell_key, c.name, c.device, i.place, 'caches', 'warm', NULL
FROM shown c JOIN input i ON i.dataset IS c.dataset AND i.n IS c.n AND i.level IS c.level
WHERE EXISTS (SELECT 1 FROM parameter WHERE name = 'caches')
    AND NOT EXISTS (SELECT 1 FROM json_each(c.parameters) WHERE key = 'caches');
-- Beside several ranks (`run --ranks`) the others are one.
INSERT INTO parameter
SELECT c.cell_key, c.name, c.device, i.place, 'ranks', '1', 1
FROM shown c JOIN input i ON i.dataset IS c.dataset AND i.n IS c.n AND i.level IS c.level
WHERE EXISTS (SELECT 1 FROM parameter WHERE name = 'ranks') AND coalesce(c.ranks, 1) = 1;
CREATE INDEX parameter_cell ON parameter(cell_key, name);

-- The entries of a cell's setting: its axes that do not choose the input, and whatever else
-- differs between two cells of one input, device and variant. What is the same everywhere (a
-- default nobody varied) belongs to no setting. rank: place of the value in its axis.
CREATE TEMP TABLE setting_entry AS
WITH differing AS (
    SELECT DISTINCT variant, name FROM parameter
    GROUP BY variant, device, input, name HAVING min(value) <> max(value))
SELECT p.cell_key, p.name, a.place, v.place AS rank, a.name IS NOT NULL AND NOT a.of_input AS own,
    p.name || '=' || p.value || coalesce(' (' || v.means || ')', '') AS entry
FROM parameter p JOIN scope s LEFT JOIN own_axis a USING (name)
LEFT JOIN axis_value v ON v.experiment = s.experiment AND v.name = p.name AND v.value = p.value
LEFT JOIN differing d ON d.variant = p.variant AND d.name = p.name
WHERE d.name IS NOT NULL OR (a.name IS NOT NULL AND NOT a.of_input);
CREATE INDEX setting_entry_cell ON setting_entry(cell_key);

-- The cells. place: by input, program, device, steps and setting. standard: with the steps of the
-- published numbers; faithful: with the first value of every axis, the setting of the published
-- numbers, what the paper does not print as it was taken (guess), and no cold caches. Times and rates
-- only of cells that are ok. samples, throttled: of the step; p5, p95: of its samples; time_text: the
-- time as people read it.
CREATE TEMP TABLE result AS
WITH rate AS MATERIALIZED (
    SELECT r.cell_key, r.seconds, r.seconds_low, r.seconds_high, r.interactions_per_second, r.gflops,
        r.ceiling_fraction, r.ceiling_fault, r.bodies_per_second
    FROM shown CROSS JOIN rates r USING (cell_key)),
 setting AS (
    SELECT cell_key, group_concat(entry, ', ') AS setting, min(iif(own, coalesce(rank, 1) = 0,
            entry <> 'caches=cold' AND entry NOT IN (SELECT g.setting || '=' || g.value FROM guess g
                JOIN scope USING (paper) WHERE g.place > 0))) AS faithful,
        group_concat(iif(own, printf('%03d', min(coalesce(rank, 999), 999)), NULL), '') AS ordered
    FROM (SELECT * FROM setting_entry ORDER BY cell_key, place NULLS LAST, name)
    GROUP BY cell_key)
SELECT c.cell_key, c.operand, i.place AS input, c.id, c.run, c.path, c.line, c.name AS variant,
    coalesce(p.place, (SELECT count(*) FROM program)) AS program,
    coalesce(p.label, c.name) || c.mark AS program_label, c.device, coalesce(c.device_name, '') AS device_name, c.dataset, c.n,
    c.level, c.per_box, c.seed, coalesce(c.dataset_sha256, '') AS dataset_sha256,
    coalesce(c.parameters, '') AS parameters, coalesce(c.steps, 0) AS steps, c.outcome,
    c.outcome = 'ok' AS ok, coalesce(c.reason, '') AS reason, c.extrapolated,
    coalesce(c.started, c.run_started) AS started, coalesce(c.bodies_file, '') AS bodies_file,
    coalesce(t.setting, '') AS setting, coalesce(t.ordered, '') AS ordered,
    c.name || c.mark || coalesce(' (' || t.setting || ')', '') AS label,
    s.steps IS NULL OR coalesce(c.steps, 0) = s.steps AS standard,
    coalesce(t.faithful, 1) AS faithful, r.seconds, r.seconds_low, r.seconds_high,
    coalesce(c.processes, 1) AS processes, c.p5, c.p95, c.two_peaks,
    c.kernel_seconds, c.kernel_clock, c.single_seconds, c.end_to_end_seconds,
    coalesce(c.timed, 'step') AS timed,
    r.interactions_per_second, r.gflops, r.ceiling_fraction, r.ceiling_fault, r.bodies_per_second,
    c.joules_step, c.joules_idle_step,
    c.error_median, c.error_p99, c.error_max, c.error_by_mean_median, c.error_by_mean_p99,
    c.error_by_terms_median, c.error_by_terms_p99, c.energy_drift, c.momentum_drift,
    c.trajectory_position_sum, c.trajectory_position_mean, c.trajectory_speed_sum,
    c.trajectory_speed_mean, c.trajectory_velocity_sum, c.trajectory_velocity_mean,
    (SELECT count(*) FROM sample m WHERE m.cell_key = c.cell_key AND kind = 'step_s') AS samples,
    (SELECT count(*) FROM sample m
     WHERE m.cell_key = c.cell_key AND kind = 'step_s' AND m.throttled) AS throttled,
    c.beside, c.others_cores, 0 AS place, '' AS time_text
FROM shown c JOIN scope s
JOIN input i ON i.dataset IS c.dataset AND i.n IS c.n AND i.level IS c.level
LEFT JOIN rate r USING (cell_key) LEFT JOIN setting t USING (cell_key)
LEFT JOIN program p ON p.variant = c.name
WHERE s.cells = s.experiment OR p.takes_part;
UPDATE result SET place = o.place, time_text = time_text(outcome, seconds, extrapolated, seconds_low,
    seconds_high, samples, processes, two_peaks) FROM (
    SELECT cell_key, row_number() OVER (ORDER BY input, program, variant, device, steps, ordered,
        parameters COLLATE by_number) - 1 AS place FROM result) o
WHERE o.cell_key = result.cell_key;
CREATE UNIQUE INDEX result_cell ON result(cell_key);
CREATE INDEX result_work ON result(variant, input);

-- Published numbers of the experiment, beside the input each is of (input NULL: of none). A number
-- given for any data set counts; N is the paper's, but not of other boxes than its own.
CREATE TEMP TABLE printed AS
SELECT variant, input, quantity, reference, value, half_unit, printed, unit, device, includes,
    erratum FROM (
    SELECT substr(p.variant, instr(p.variant, '/') + 1) AS variant, i.place AS input, p.quantity,
        p.reference, p.value, p.half_unit, p.printed, p.unit, p.device, p.includes, p.erratum,
        row_number() OVER (PARTITION BY p.variant, i.place, p.quantity, p.reference
            ORDER BY p.dataset IS NULL, p.rowid) AS age
    FROM published p JOIN scope s USING (experiment) LEFT JOIN input i ON i.n = p.n
        AND coalesce(p.dataset = i.dataset, 1) AND coalesce(i.level = s.level, s.level IS NULL)
    WHERE i.place IS NOT NULL OR (p.n IS NULL AND p.dataset IS NULL))
WHERE age = 1;
CREATE INDEX printed_variant ON printed(variant, quantity, input);
