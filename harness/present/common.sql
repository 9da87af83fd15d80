-- SPDX-License-Identifier: MIT
-- Shown by several papers: columns that mean the same everywhere, parts of layouts, and the
-- layouts times and speedups. present/queries.h says how such a file is read, scope.sql what it
-- queries.

--: columns left | all | dataset: data set, device
--: column boxes | in a box | | right | people if boxed
--: column n | N | | count | all
--: columns right | all | steps, samples, processes
--: columns left | people | label: variant, program, on
--: column published_printed | published | {published_in} | right | all
--: columns right | people | ratio: {ratio_of}, measured: a step, error: error median / p99 / max
--: column published_over_measured | ratio | | right | programs if timed
--: column measured_over_published | ratio | | right | programs if rated
--: column end_to_end_seconds | end to end | | seconds | all
--: column interactions_per_second | interactions/s | | si | all
--: column gflops | GFLOPS at {flops} | | number | all
--: column ceiling_fraction | of ceiling | | percent | all
--: column setting | setting | | left | people if settings
--: programs machine variant device_name parameters level per_box outcome reason extrapolated
--: programs published published_half_unit published_unit seconds seconds_low seconds_high p5 p95
--: programs kernel_seconds ratio_low ratio_high joules_step joules_idle_step error_median error_p99
--: programs error_max run cell line

-- Every table begins with what lets it stand alone.
--: part facts
--: setup
INSERT INTO provenance_cell SELECT '', cell_key FROM result;
--: facts
SELECT 'paper', p.authors || ', ' || p.title || ', ' || p.venue || coalesce(' (' || p.year || ')', '')
FROM paper p JOIN scope s USING (paper)
UNION ALL SELECT name, text FROM provenance WHERE name <> 'flags'
UNION ALL SELECT 'published on', group_concat(text, '; ') FROM (
    SELECT d.device || iif(d.source IS NULL, '', ': '
        || iif(d.peak_gflops IS NULL, '', printf('%g Gflop/s', d.peak_gflops))
        || iif(d.bandwidth_gbs IS NULL, '', printf(', %g GB/s', d.bandwidth_gbs)) || ' (' || d.source || ')') AS text
    FROM published_device d JOIN scope s USING (paper)
    WHERE d.device IN (SELECT p.device FROM published p WHERE p.experiment = s.experiment)
    ORDER BY d.device_place) HAVING count(*)
UNION ALL SELECT 'boxes', printf('P bodies in each of %.0f boxes (level %.0f)', 1 << 2 * i.level,
    i.level) FROM input i JOIN scope s ON s.boxed WHERE i.place = 0;

-- Every table ends with what differs from the paper, what failed and what is missing.
--: part remarks
--: remark
SELECT note FROM scope WHERE note IS NOT NULL;
--: remark
SELECT r.label || ' ' || r.dataset || ' ' || i.head || ' on ' || r.device || ': ' || iif(r.ok,
    printf('%d of %d samples were taken while the device throttled', r.throttled, r.samples),
    r.outcome || iif(r.reason = '', '', ': ' || r.reason))
FROM result r JOIN input i ON i.place = r.input WHERE NOT r.ok OR r.throttled ORDER BY r.place;
--: remark
SELECT printf('%d of %d cells were measured with co-runners; ', beside, cells)
    || iif(beside = 1, '', 'the busiest: ') || label || ' ' || dataset || ' ' || head || ' on '
    || device || ': ' || what
FROM (SELECT r.label, r.dataset, i.head, r.device, r.beside AS what, count(*) OVER () AS beside,
        (SELECT count(*) FROM result c WHERE c.ok AND NOT c.extrapolated) AS cells
    FROM result r JOIN input i ON i.place = r.input WHERE r.ok AND r.beside IS NOT NULL
    ORDER BY r.others_cores DESC, r.place LIMIT 1);
--: remark
SELECT '≈ extrapolated by the number of interactions (with theta by N log N) from the largest size'
    || ' measured, not measured; `orrery run ' || s.experiment || ' --preset paper` measures '
    || iif(EXISTS (SELECT 1 FROM preset_limit l
        WHERE l.experiment = s.cells AND l.preset = 'paper'), 'further', 'it')
FROM scope s WHERE EXISTS (SELECT 1 FROM result WHERE extrapolated);
--: remark
SELECT '— not measured yet on this machine; `orrery run ' || s.experiment || '` measures it'
FROM scope s WHERE EXISTS (SELECT 1 FROM program p WHERE p.takes_part AND (
    NOT EXISTS (SELECT 1 FROM result r WHERE r.variant = p.variant)
    OR EXISTS (SELECT 1 FROM input i WHERE i.published AND NOT EXISTS (SELECT 1 FROM result r
        WHERE r.variant = p.variant AND r.input = i.place))));

-- Which clock a time is of, wherever times are shown.
--: part clocks
--: facts
SELECT 'clocks', coalesce(iif(steps > 1, printf('%.0f steps are timed as one; ', steps), NULL), '')
    || 'a step begins with its bodies on the device and ends with its results there; '
    || 'end to end: the bodies to the device, a step, the results back; '
    || iif(EXISTS (SELECT 1 FROM phase_name), 'phases: device events; ', '')
    || 'unless noted, times, rates, ratios and speedups are per step'
FROM scope WHERE EXISTS (SELECT 1 FROM result WHERE ok);
--: remark
SELECT printf('%d of %d cells have work in the transfer of bodies or results, and there a step '
    || 'holds that transfer: ', sum(timed <> 'step'), count(*))
    || group_concat(DISTINCT iif(timed <> 'step', variant || ' on ' || device || ': ' || timed, NULL))
FROM result WHERE ok AND NOT extrapolated HAVING sum(timed <> 'step') > 0;

-- A row a cell, and one for each published number without a cell. Published numbers stand beside
-- the faithful line of each program and device.
--: part cell_rows
--: setup
UPDATE scope SET timed = quantity = 'seconds', rated = quantity = 'gflops',
    published_in = iif(quantity = 'gflops', 'GFLOPS', iif(unit = '', 's', unit)),
    ratio_of = iif(quantity = 'gflops', 'measured / published', 'published / measured');
CREATE TEMP TABLE cell_speedup AS
SELECT v.*, b.place FROM scope s JOIN speedup v
JOIN baseline b ON b.experiment = s.experiment AND b.variant = v.baseline WHERE s.speedups;
CREATE TEMP TABLE cell_row AS
SELECT 'c' || r.cell_key AS row, r.cell_key, r.input, r.variant, r.program, r.place,
    coalesce(l.faithful, 1) AS faithful
FROM result r LEFT JOIN line l USING (variant, device, setting)
WHERE EXISTS (SELECT 1 FROM program p WHERE p.variant = r.variant)
UNION ALL SELECT 'v' || i.place || p.variant, NULL, i.place, p.variant, p.place, 0, 1
FROM input i JOIN program p WHERE i.published AND p.takes_part
    AND NOT EXISTS (SELECT 1 FROM result r WHERE r.variant = p.variant AND r.input = i.place);
-- The printed number of a row, and its ratio to what was measured: half a unit in the last printed
-- digit and the interval of the median taken together. A speed is turned round: more is better.
CREATE TEMP TABLE cell_printed AS
SELECT c.row, p.*, iif(s.timed, iif(r.standard, p.value / r.seconds, NULL), r.gflops / p.value)
        AS ratio,
    iif(s.timed AND r.standard, (p.value - p.half_unit) / coalesce(r.seconds_high, r.seconds),
        NULL) AS low,
    iif(s.timed AND r.standard, (p.value + p.half_unit) / coalesce(r.seconds_low, r.seconds),
        NULL) AS high
FROM cell_row c JOIN scope s JOIN printed p ON p.variant = c.variant AND p.input = c.input
    AND p.quantity = s.quantity AND p.reference IS NULL LEFT JOIN result r USING (cell_key)
WHERE c.faithful;

-- `orrery reproduce` shows this of one experiment on one machine: the inputs that it measured, the printed ones first, with the
-- printed number of each cell.
--: part brief
--: setup
INSERT INTO provenance_cell SELECT '', cell_key FROM result;
UPDATE scope SET quantity = 'gflops' WHERE layout = 'rates';
--: use cell_rows
--: setup
CREATE TEMP TABLE brief AS
SELECT row_number() OVER (ORDER BY NOT EXISTS (
        SELECT 1 FROM cell_printed o JOIN cell_row x USING (row) WHERE x.input = c.input), i.place, c.program, c.place) AS place,
    i.head || iif(EXISTS (SELECT 1 FROM input o WHERE o.n = i.n AND o.dataset <> i.dataset), ' ' || i.dataset, '') AS input,
    coalesce(p.label, c.variant) || coalesce(' (' || nullif(r.setting, '') || ')', '') AS program, r.device AS "on",
    q.printed AS published, q.erratum AS note,
    iif(s.rated, number_text(r.gflops), r.time_text) AS here,
    iif(q.row IS NULL, NULL, ratio_text(q.ratio, NULL, NULL, r.extrapolated)) AS factor
FROM cell_row c JOIN scope s JOIN input i ON i.place = c.input LEFT JOIN program p ON p.variant = c.variant
LEFT JOIN result r USING (cell_key) LEFT JOIN cell_printed q USING (row)
WHERE r.cell_key OR EXISTS (SELECT 1 FROM result o WHERE o.input = c.input);
--: facts
SELECT 'published', p.authors || coalesce(' ' || p.year, '') || coalesce(', on ' || (SELECT group_concat(device, ', ')
    FROM (SELECT DISTINCT q.device FROM published q WHERE q.experiment = s.experiment)), '')
FROM paper p JOIN scope s USING (paper)
UNION ALL SELECT name, text FROM provenance WHERE name IN ('machine', 'device');
--: grid {shows}: {title}
SELECT input, program, "on", published, note AS "published.note", here, factor FROM brief WHERE place <= 16 ORDER BY place;
--: columns left | people | input, program, on
--: column published | published [{published_in}] | | right | people
--: columns right | people | here, factor: times as fast
--: remark
SELECT printf('%d more cells: `orrery table %s`', count(*), experiment) FROM brief, scope WHERE place > 16 HAVING count(*);

--: part cells
--: use clocks
--: use cell_rows
--: data Every cell
SELECT c.row, s.machine, i.dataset, i.head AS boxes, i.n, c.variant,
    coalesce(r.label, c.variant) AS label, r.device, r.device_name, r.parameters, i.level,
    i.per_box, coalesce(r.outcome, 'not measured') AS outcome, r.reason,
    iif(r.extrapolated, 'extrapolated', iif(r.cell_key, 'no', NULL)) AS extrapolated,
    p.printed AS published_printed, p.erratum AS "published_printed.note", p.value AS published,
    p.half_unit AS published_half_unit, p.unit AS published_unit,
    r.time_text AS measured,
    r.seconds, r.seconds_low, r.seconds_high, iif(r.ok, r.p5, NULL) AS p5,
    iif(r.ok, r.p95, NULL) AS p95, iif(r.ok, r.kernel_seconds, NULL) AS kernel_seconds,
    iif(r.ok, r.end_to_end_seconds, NULL) AS end_to_end_seconds,
    r.extrapolated AS "end_to_end_seconds.about",
    iif(p.row IS NULL, NULL, ratio_text(p.ratio, p.low, p.high, r.extrapolated,
        r.processes)) AS ratio,
    p.ratio AS published_over_measured, p.ratio AS measured_over_published, p.low AS ratio_low,
    p.high AS ratio_high, r.interactions_per_second,
    r.extrapolated AS "interactions_per_second.about",
    iif(r.interactions_per_second IS NULL, NULL, r.gflops) AS gflops,
    r.extrapolated AS "gflops.about",
    r.ceiling_fraction, r.extrapolated AS "ceiling_fraction.about",
    r.ceiling_fault AS "ceiling_fraction.note", NULL AS "*speedups",
    iif(r.ok, r.joules_step, NULL) AS joules_step,
    iif(r.ok, r.joules_idle_step, NULL) AS joules_idle_step,
    errors_text(r.error_median, r.error_p99, r.error_max) AS error, r.error_median, r.error_p99,
    r.error_max, iif(r.ok AND NOT r.extrapolated, r.samples, NULL) AS samples,
    iif(r.ok AND NOT r.extrapolated, r.processes, NULL) AS processes, NULL AS "*stages",
    r.run, r.id AS cell, r.line
FROM cell_row c JOIN scope s JOIN input i ON i.place = c.input LEFT JOIN result r USING (cell_key)
LEFT JOIN cell_printed p USING (row)
ORDER BY i.place, c.program, c.place;
--: spread speedups
WITH part(place, ending, who) AS (VALUES (0, '', 'all'), (1, '_low', 'programs'),
    (2, '_high', 'programs'))
SELECT NULL AS row, 'speedup_over_' || b.variant || ending AS key,
    iif(ending = '', 'over ' || b.variant, substr(ending, 2)) AS head, 'speedup' AS above,
    who AS audience, NULL AS value, NULL AS text, b.place, part.place AS end
FROM part, baseline b JOIN scope s USING (experiment) WHERE s.speedups
UNION ALL SELECT 'c' || v.cell_key, 'speedup_over_' || v.baseline || ending, '', '', who,
    CASE part.place WHEN 0 THEN ratio WHEN 1 THEN low ELSE high END,
    iif(part.place = 0, ratio_text(ratio, low, high, extrapolated, processes), NULL),
    v.place, part.place
FROM part, cell_speedup v
ORDER BY row, 8, end;
--: spread stages
SELECT NULL AS row, 'stage_' || name || '_seconds' AS key, name AS head, 'programs' AS audience,
    NULL AS value, place FROM stage_name
UNION ALL SELECT 'c' || t.cell_key, 'stage_' || t.name || '_seconds', t.name, 'programs',
    t.seconds, t.place FROM stage_time t JOIN result r USING (cell_key) WHERE r.ok
ORDER BY row, place;

-- Grids with programs down and inputs across, one a quantity: where a table has more inputs than
-- "published, measured, ratio" of each could stand beside one another. Published numbers are lines
-- of their own, above the measured ones.
--: part matrices
--: setup
CREATE TEMP TABLE matrix AS
SELECT 0 AS place, 'Time of a step' AS title, 1 AS in_unit
UNION ALL SELECT 1, 'The kernels alone, by ' || coalesce((
    SELECT replace(group_concat(clock, ' or '), 'events', 'device events') FROM (
        SELECT DISTINCT coalesce(kernel_clock, 'events') AS clock FROM result
        WHERE ok AND coalesce(kernel_clock, '') <> 'host clock' ORDER BY 1)), 'device events')
    || iif(EXISTS (SELECT 1 FROM stage_name WHERE in_step), ', and what the host does between them',
        ''), 1
UNION ALL SELECT 2, 'End to end: the bodies to the device, a step, the results back', 1
UNION ALL SELECT 3 + 2 * b.place + c.whole, 'Speedup over ' || p.label
    || iif(p.label = b.variant, '', ' (' || b.variant || ')') || c.clock, 0
FROM baseline b JOIN scope s USING (experiment) JOIN program p USING (variant)
JOIN (SELECT 0 AS whole, ', steps' AS clock UNION ALL SELECT 1, ', end to end') c
UNION ALL SELECT 100, group_concat(name, ' + ') || ', on the host and in no time above', 1
FROM (SELECT name FROM stage_name WHERE NOT in_step ORDER BY place);
UPDATE matrix SET title = title || (SELECT iif(in_unit AND unit <> '', ' [' || unit || ']', '')
    FROM scope);
-- The text at a line (of published numbers: the program's first line) and input of a matrix.
CREATE TEMP TABLE matrix_cell AS
WITH own AS (SELECT m.line, m.input, r.*, s.unit FROM line_result m JOIN result r USING (cell_key)
    JOIN scope s),
 first AS (SELECT variant, min(place) AS line FROM line GROUP BY variant),
 quotient AS (
    SELECT a.variant, a.input, b.variant AS reference, b.value / a.value AS value, a.device
    FROM printed a JOIN printed b USING (input) WHERE a.quantity = 'seconds'
        AND b.quantity = 'seconds' AND a.variant <> b.variant)
SELECT m.place AS matrix, line, 1 AS measured, input, NULL AS note, '' AS device, iif(ok,
    seconds_text(CASE m.place WHEN 0 THEN seconds WHEN 1 THEN kernel_seconds
        ELSE end_to_end_seconds END, unit) || iif(extrapolated, ' ≈', ''),
    iif(m.place = 0, outcome, NULL)) AS text
FROM own JOIN matrix m ON m.place <= 2
UNION ALL SELECT 0, f.line, 0, p.input, p.erratum, p.device, p.printed
FROM printed p JOIN first f USING (variant)
WHERE p.quantity = 'seconds' AND p.reference IS NULL AND p.input IS NOT NULL
UNION ALL SELECT m.place, o.line, 1, o.input, NULL, '',
    factor_text(iif(m.place = 3 + 2 * b.place, v.seconds / o.seconds,
        v.end_to_end_seconds / o.end_to_end_seconds))
        || iif(o.extrapolated OR v.extrapolated, ' ≈', '')
FROM own o JOIN reference f USING (cell_key) JOIN result v ON v.cell_key = f.other
JOIN scope s JOIN baseline b ON b.experiment = s.experiment AND b.variant = f.baseline
JOIN matrix m ON m.place IN (3 + 2 * b.place, 4 + 2 * b.place)
UNION ALL SELECT 3 + 2 * b.place, f.line, 0, i.place, iif(p.printed IS NULL AND q.value NOT NULL,
        'Derived: the quotient of the published times.', p.erratum), coalesce(p.device, q.device),
    coalesce(p.printed, factor_text(q.value))
FROM scope s JOIN baseline b USING (experiment) JOIN first f JOIN input i
LEFT JOIN printed p ON p.variant = f.variant AND p.input = i.place AND p.quantity = 'ratio'
    AND p.reference = b.variant
LEFT JOIN quotient q ON q.variant = f.variant AND q.input = i.place AND q.reference = b.variant
UNION ALL SELECT 100, o.line, 1, o.input, NULL, '', (
    SELECT group_concat(coalesce(seconds_text(t.seconds, o.unit), '—'), ' + ') FROM (
        SELECT t.seconds FROM stage_name n LEFT JOIN stage_time t
            ON t.cell_key = o.cell_key AND t.name = n.name
        WHERE NOT n.in_step ORDER BY n.place) t)
FROM own o WHERE EXISTS (SELECT 1 FROM stage_time t WHERE t.cell_key = o.cell_key);
DELETE FROM matrix_cell WHERE coalesce(text, '') = '' OR NOT (SELECT matrices FROM scope);
--: grid
SELECT m.title AS grid, r.matrix || '/' || r.line || '/' || r.measured AS row, l.label AS program,
    iif(r.measured, l.setting, '') AS setting,
    iif(r.measured, nullif(l.device, ''), 'published, ' || r.device) AS "on", NULL AS "*inputs"
FROM (SELECT matrix, line, measured, max(printf('%05d', input)), device
      FROM matrix_cell GROUP BY matrix, line, measured
      UNION SELECT 0, place, 1, NULL, '' FROM line WHERE (SELECT matrices FROM scope)
          AND place NOT IN (SELECT line FROM matrix_cell WHERE matrix = 0 AND measured)) r
JOIN matrix m ON m.place = r.matrix JOIN line l ON l.place = r.line
ORDER BY r.matrix, r.line, r.measured;
--: spread inputs
SELECT NULL AS row, place AS key, head, NULL AS value, NULL AS note FROM input
UNION ALL SELECT matrix || '/' || line || '/' || measured, input, '', text, note
FROM matrix_cell ORDER BY row, key;

-- How the time of one evaluation divides: each host stage within the step, the host, each phase,
-- the device and its share; with many lines the wholes only.
--: part time_parts
--: setup
CREATE TEMP TABLE time_part AS
WITH own AS MATERIALIZED (
    SELECT m.line, m.input, m.cell_key, r.steps + 1 AS evaluations, t.host, t.device, t.whole,
        (SELECT count(*) FROM line) <= 8 AS few
    FROM line_result m JOIN result r USING (cell_key) JOIN time_split t USING (cell_key))
SELECT line, input, 0 AS kind, s.place, 'host: ' || s.name AS part,
    seconds_text(s.seconds / evaluations) AS text
FROM own JOIN stage_time s USING (cell_key) WHERE few AND s.in_step
UNION ALL SELECT line, input, 1, 0, 'host', seconds_text(host) FROM own
UNION ALL SELECT line, input, 2, p.place, 'device: ' || p.name, seconds_text(p.seconds)
FROM own JOIN phase_time p USING (cell_key) WHERE few
UNION ALL SELECT line, input, 3, 0, 'device', seconds_text(device) FROM own
UNION ALL SELECT line, input, 4, 0, 'device''s share', printf('%.1f %%', 100 * device / whole)
FROM own WHERE device / whole IS NOT NULL;
DELETE FROM time_part WHERE text IS NULL;
--: grid? Time on the host and on the device, and the device's share of the whole
SELECT p.line || '/' || kind || '/' || p.place AS row, l.label AS program, l.setting,
    l.device AS "on", part, NULL AS "*inputs"
FROM (SELECT DISTINCT line, kind, place, part FROM time_part) p JOIN line l ON l.place = p.line
ORDER BY p.line, kind, p.place;
--: columns left | people | setting, part
--: spread inputs
SELECT NULL AS row, place AS key, head, NULL AS value FROM input
UNION ALL SELECT line || '/' || kind || '/' || place, input, '', text FROM time_part
ORDER BY row, key;

-- Factors that the paper quotes in its text ("faster by a factor of 1.08, 1.35 ..."), beside those
-- of its own table, each entry of which may be off by half a unit in its last digit, and the
-- measured ones with their intervals. A largest factor without a smallest one ("the highest speedup
-- reaches 326") is compared with the largest of all inputs.
--: part quoted_ratios
--: setup
CREATE TEMP TABLE quoted AS
SELECT q.*, h.printed AS highest, h.erratum, coalesce(d.device, '') AS device,
    coalesce(d.place, 0) AS device_place FROM (
    SELECT min(p.rowid) AS place, substr(p.variant, instr(p.variant, '/') + 1) AS variant,
        p.reference
    FROM published p JOIN scope s USING (experiment) WHERE p.quantity LIKE 'ratio%'
    GROUP BY p.variant, p.reference) q
LEFT JOIN printed h ON h.variant = q.variant AND h.reference = q.reference AND h.input IS NULL
    AND h.quantity = 'ratio_max' AND NOT EXISTS (SELECT 1 FROM printed l
        WHERE l.variant = q.variant AND l.reference = q.reference AND l.input IS NULL
            AND l.quantity = 'ratio_min')
LEFT JOIN (SELECT variant, device, min(place) AS place FROM result GROUP BY variant, device) d
    ON d.variant = q.variant;
CREATE TEMP TABLE newest_on AS
SELECT variant, input, device, cell_key, row_number() OVER (PARTITION BY variant, input
    ORDER BY standard DESC, faithful DESC, started DESC, place) AS age,
    row_number() OVER (PARTITION BY variant, input, device
    ORDER BY standard DESC, faithful DESC, started DESC, place) AS device_age
FROM result;
-- Each quoted factor at each input. A reference on the host counts for every device.
CREATE TEMP TABLE quoted_at AS
WITH pair AS (
    SELECT q.place, q.device, i.place AS input, a.cell_key, coalesce(b.cell_key, c.cell_key) AS other,
        x.value AS x, x.half_unit AS dx, y.value AS y, y.half_unit AS dy
    FROM quoted q JOIN input i
    LEFT JOIN newest_on a ON a.variant = q.variant AND a.input = i.place
        AND iif(q.device = '', a.age = 1, a.device = q.device AND a.device_age = 1)
    LEFT JOIN newest_on b ON b.variant = q.reference AND b.input = i.place
        AND iif(q.device = '', b.age = 1, b.device = q.device AND b.device_age = 1)
    LEFT JOIN newest_on c ON c.variant = q.reference AND c.input = i.place AND c.age = 1
    LEFT JOIN printed x ON x.variant = q.variant AND x.input = i.place AND x.quantity = 'seconds'
        AND x.reference IS NULL
    LEFT JOIN printed y ON y.variant = q.reference AND y.input = i.place
        AND y.quantity = 'seconds' AND y.reference IS NULL)
SELECT p.place, p.device, p.input, o.seconds / r.seconds AS measured,
    iif(o.steps = r.steps AND o.ok, ratio_bound(p.cell_key, p.other, 0), NULL) AS low,
    iif(o.steps = r.steps AND o.ok, ratio_bound(p.cell_key, p.other, 1), NULL) AS high,
    r.extrapolated OR o.extrapolated AS extrapolated, min(r.processes, o.processes) AS processes,
    y / x AS "table",
    (y - dy) / (x + dx) AS table_low, (y + dy) / (x - dx) AS table_high
FROM pair p LEFT JOIN result r USING (cell_key)
LEFT JOIN result o ON o.cell_key = p.other AND o.steps = r.steps;
--: grid? Factors quoted in the text
SELECT q.variant || ' over ' || q.reference AS factor, printf('%.0f', i.n) AS n,
    coalesce(p.printed, l.printed || ' to ' || h.printed) AS printed, p.erratum AS "printed.note",
    iif(a."table" IS NULL, NULL, ratio_text(a."table", table_low, table_high, 0)) AS "table",
    ratio_text(a.measured, a.low, a.high, a.extrapolated, a.processes) AS measured,
    nullif(q.device, '') AS device, q.place AS _factor, i.place AS _input,
    q.device_place AS _device
FROM quoted q JOIN input i ON i.published
JOIN quoted_at a ON a.place = q.place AND a.device = q.device AND a.input = i.place
LEFT JOIN printed p ON p.variant = q.variant AND p.reference = q.reference AND p.input = i.place
    AND p.quantity = 'ratio'
LEFT JOIN printed l ON l.variant = q.variant AND l.reference = q.reference AND l.input IS NULL
    AND l.quantity = 'ratio_min'
LEFT JOIN printed h ON h.variant = q.variant AND h.reference = q.reference AND h.input IS NULL
    AND h.quantity = 'ratio_max'
WHERE q.highest IS NULL
UNION ALL SELECT q.variant || ' over ' || q.reference, 'highest', q.highest, q.erratum,
    (SELECT ratio_text("table", table_low, table_high, 0) || ' at ' || i.head
     FROM quoted_at a JOIN input i ON i.place = a.input
     WHERE a.place = q.place AND a.device = q.device AND "table" IS NOT NULL
     ORDER BY "table" DESC, i.place LIMIT 1),
    (SELECT ratio_text(measured, low, high, extrapolated, processes) || ' at ' || i.head
     FROM quoted_at a JOIN input i ON i.place = a.input
     WHERE a.place = q.place AND a.device = q.device AND measured IS NOT NULL
     ORDER BY measured DESC, i.place LIMIT 1),
    nullif(q.device, ''), q.place, 0, q.device_place
FROM quoted q WHERE q.highest IS NOT NULL
ORDER BY _factor, _input, _device;
--: columns left | people | factor, device
--: columns right | people | n: N, table: from the published table
--: column printed | published, text | | right | people

-- Every number that the paper prints for the experiment, and apart from these what was measured
-- elsewhere of its programs: quantities that begin with "elsewhere_".
--: part printed
--: setup
CREATE TEMP VIEW printed_row AS
SELECT p.quantity LIKE 'elsewhere\_%' ESCAPE '\' AS elsewhere,
    replace(replace(p.quantity, 'elsewhere_', ''), '_', ' ') || iif(p.reference IS NULL, '',
        iif(p.quantity = 'ratio', ' over ', ' of ') || p.reference) AS what,
    coalesce(v.label, substr(p.variant, instr(p.variant, '/') + 1), '') AS program,
    coalesce(CAST(p.n AS TEXT), '') AS n, p.printed || iif(p.unit = '1', '', ' ' || p.unit)
        AS printed, p.erratum, p.device || '; ' || p.includes AS "where", p.rowid AS place
FROM published p JOIN scope s USING (experiment)
LEFT JOIN program v ON p.variant = s.paper || '/' || v.variant;
--: grid? Printed in the text
SELECT what, program, n, printed, erratum AS "printed.note", "where"
FROM printed_row WHERE NOT elsewhere ORDER BY place;
--: columns left | people | what, where: of
--: columns right | people | n: N, printed
--: grid? Measured elsewhere, and not printed in the paper
SELECT what, program, n, printed AS measured, erratum AS "measured.note", "where"
FROM printed_row WHERE elsewhere ORDER BY place;
--: columns left | people | what, where: of
--: columns right | people | n: N, measured

-- Figures over the size of the input.
--: part sizes
--: setup
-- Two levels are two amounts of work: a figure is of the published one or, where that was not
-- measured, the highest; `levels`: the labels tell it.
CREATE TEMP TABLE size_figure AS
SELECT *, boxed AND shown IS NOT level AND EXISTS (SELECT 1 FROM input WHERE published) AS levels
FROM (SELECT unit, boxed, level, steps, iif(EXISTS (SELECT 1 FROM result r WHERE r.level = s.level),
        level, coalesce((SELECT max(level) FROM result), level)) AS shown FROM scope s);
-- The variables of plots/curves.gp for their x axis.
CREATE TEMP VIEW size_axis AS
SELECT 'x_label' AS name, iif(boxed AND NOT levels, printf('P (particles in each of %.0f boxes)',
        1 << 2 * CAST(shown AS INTEGER)), iif(boxed, 'P (particles in a box)', 'N (bodies)'))
        AS value FROM size_figure
UNION ALL SELECT 'x_base', iif(boxed, 2, 10) FROM size_figure;
-- The sizes by name, where they are bodies in a box.
CREATE TEMP VIEW size_tics AS
SELECT (SELECT group_concat(printf('%.0f', size), ' ') FROM (SELECT DISTINCT per_box AS size FROM input
    WHERE per_box NOT NULL ORDER BY size)) AS tics
FROM size_figure;

-- Times beside published times: the paper's own grid, the factors it quotes, every cell.
--: part time_sizes
--: setup
-- N, and the data set too where two of one size stand beside each other.
CREATE TEMP VIEW input_name AS
SELECT i.place, i.published, printf('%.0f', i.n) || iif(EXISTS (SELECT 1 FROM input o
    WHERE o.n = i.n AND abs(o.place - i.place) = 1), ' ' || i.dataset, '') AS name
FROM input i;
CREATE TEMP TABLE paper_cell AS
SELECT l.place AS line, i.place AS input, i.name, i.published, p.printed, p.erratum,
    coalesce(time_text(r.outcome, r.seconds, r.extrapolated), '—') AS measured,
    iif(p.printed IS NULL, NULL, ratio_text(iif(r.standard, p.value / r.seconds, NULL), NULL, NULL,
        r.extrapolated)) AS ratio
FROM line l JOIN input_name i LEFT JOIN line_result m ON m.line = l.place AND m.input = i.place
LEFT JOIN result r USING (cell_key)
LEFT JOIN printed p ON l.faithful AND p.variant = l.variant AND p.input = i.place
    AND p.quantity = 'seconds' AND p.reference IS NULL;
--: grid
SELECT s.shows || ' as printed, and ' || coalesce(iif(s.steps > 1, printf('%.0f steps', s.steps), NULL),
        'a step') || ' measured here (ratio: published / measured)' AS grid,
    l.place AS row, l.label AS program, l.setting, nullif(l.device, '') AS device,
    NULL AS "*inputs"
FROM line l JOIN scope s WHERE NOT s.matrices ORDER BY l.place;
--: columns left | people | program: program / particles, device
--: spread inputs
SELECT line AS row, 'published ' || input AS key, c.name || ' published' AS head,
    c.name AS above, printed AS value, erratum AS note, s.unit, input, 0 AS part
FROM paper_cell c JOIN scope s WHERE published
UNION ALL SELECT line, 'measured ' || input, iif(published, '', name || ' ') || 'measured',
    name, measured, NULL, '', input, 1 FROM paper_cell
UNION ALL SELECT line, 'ratio ' || input, 'ratio', name, ratio, NULL, '', input, 2
FROM paper_cell WHERE published
ORDER BY line, input, part;
--: use matrices
--: use quoted_ratios
--: use cells
--: use sizes
--: setup
-- scale: units of the time axis in a second.
CREATE TEMP TABLE times_figure AS
SELECT *, iif(unit = 'ms' OR (boxed AND unit = ''), 1e3, 1.0) AS scale FROM size_figure;
CREATE TEMP VIEW time_axis AS
SELECT 'time of ' || iif(steps > 1, printf('%.0f steps', steps), 'a step') || iif(scale = 1, ' [s]', ' [ms]')
    AS y_label FROM times_figure;
CREATE TEMP TABLE times_point AS
SELECT l.place AS line, l.faithful, l.style, l.label, l.difference, l.device, l.variant, i.place,
    i.level, i.size AS x, f.scale * r.seconds AS y, f.scale * r.seconds_low AS low,
    f.scale * r.seconds_high AS high, r.extrapolated, r.cell_key
FROM times_figure f JOIN line l JOIN line_result m ON m.line = l.place
JOIN result r USING (cell_key) JOIN input i ON i.place = m.input
WHERE r.ok AND (NOT f.boxed OR (i.per_box IS NOT NULL AND i.level = f.shown));

-- Several settings over few sizes.
--: layout settings
--: set matrices boxed
--: set speedups 1
--: use time_sizes
--: figure curves
--: series
SELECT line AS series, label || iif(difference = '', '', ', ' || difference) || ', ' || device AS label, style, x, y, low,
    high, extrapolated, cell_key, device AS "$dash"
FROM times_point ORDER BY line, place;
--: variables
SELECT name, value FROM size_axis
UNION ALL SELECT 'y_label', y_label FROM time_axis
UNION ALL SELECT 'y_format', '10^{%L}';
--: nothing measures it | {experiment} was not measured

-- The paper's programs over size, with its settings, and the fastest of the others; and, since a
-- factor of two is not seen over the decades between processor and card, the factors that it quotes
-- in a panel of their own. The program that these are over is drawn there alone where it is of the
-- host.
--: layout times
--: set matrices boxed
--: set speedups 1
--: use time_sizes
--: setup
CREATE TEMP TABLE time_program AS
SELECT p.variant, p.place, (SELECT style % 100 FROM line l WHERE l.variant = p.variant AND faithful ORDER BY l.place LIMIT 1)
        AS style, p.label || ', ' || (SELECT k.name FROM printed q JOIN printed_card k USING (device)
        WHERE q.variant = p.variant AND q.quantity = 'seconds' AND q.reference IS NULL ORDER BY q.input LIMIT 1) AS printed_label,
    iif(p.named, p.variant NOT IN (SELECT reference FROM quoted) OR p.variant NOT IN (SELECT variant FROM line WHERE device = 'host'),
        p.variant IS (SELECT variant FROM (SELECT o.variant, count(*) AS points, max(o.x) AS x, o.y FROM times_point o
                JOIN program n USING (variant) WHERE NOT n.named AND o.faithful GROUP BY o.line) ORDER BY points DESC, y LIMIT 1))
        AS drawn
FROM program p;
ALTER TABLE scope ADD COLUMN across;
UPDATE scope SET across = 1 + EXISTS (SELECT 1 FROM quoted);
--: figure panels
--: panels {across}
SELECT 'time' AS title, x.value AS x_label, y_label, tics, 0 AS linear, 0 AS least, 0 AS most
FROM time_axis JOIN size_axis x ON x.name = 'x_label' JOIN size_tics
UNION ALL SELECT 'times as fast as ' || label, x.value, 'times as fast', tics, 0, 0, 0
FROM (SELECT p.label FROM quoted q JOIN program p ON p.variant = q.reference ORDER BY q.place LIMIT 1) JOIN size_axis x ON x.name = 'x_label' JOIN size_tics;
--: series
SELECT 0 AS panel, 'measured ' || line AS series, label || ', ' || device || iif(f.levels, printf(', level %.0f',
        first_value(t.level) OVER (PARTITION BY line ORDER BY t.place)), '') AS label, t.style, x, y, low, high, extrapolated,
    cell_key, device AS "$dash", line AS _line, 1 AS _measured, t.place AS _place
FROM times_point t JOIN times_figure f JOIN time_program n USING (variant) WHERE t.faithful AND n.drawn
UNION ALL SELECT 0, 'printed ' || p.variant, n.printed_label, -n.style, i.size, f.scale * p.value,
    f.scale * (p.value - p.half_unit), f.scale * (p.value + p.half_unit), 0, NULL, NULL, 1000 + n.place, 0, i.place
FROM times_figure f JOIN printed p JOIN time_program n USING (variant) JOIN input i ON i.place = p.input
WHERE p.quantity = 'seconds' AND p.reference IS NULL AND n.drawn
UNION ALL SELECT 1, 'factor ' || q.place || q.device, v.label || ', ' || q.device, n.style + 100 * coalesce(d.dash, 0), i.size,
    a.measured, a.low, a.high, a.extrapolated, NULL, q.device, q.place, 1, i.place
FROM quoted q JOIN quoted_at a USING (place, device) JOIN input i ON i.place = a.input JOIN time_program n USING (variant)
JOIN program v USING (variant) LEFT JOIN dash d ON d.device = q.device WHERE a.measured IS NOT NULL
UNION ALL SELECT DISTINCT 1, 'printed factor ' || q.place, n.printed_label, -n.style, i.size, a."table", a.table_low,
    a.table_high, 0, NULL, NULL, 1000 + q.place, 0, i.place
FROM quoted q JOIN quoted_at a USING (place, device) JOIN input i ON i.place = a.input JOIN time_program n USING (variant)
WHERE a."table" IS NOT NULL
ORDER BY panel, _line, _measured, _place;
--: nothing measures it | {experiment} was neither measured nor published

-- Times of programs and their speedups over baselines; the figure is of the first baseline.
--: layout speedups
--: set matrices 1
--: set speedups 1
--: use printed
--: use matrices
--: use time_parts
--: setup
-- Where no program works on host and device in turn, there is nothing to divide.
DELETE FROM time_part WHERE NOT EXISTS (SELECT 1 FROM stage_name WHERE in_step);
--: use cells
--: setup
CREATE TEMP TABLE gain AS
SELECT c.place, c.variant, c.device, c.faithful, c.style, c.curve_label AS label, p.x, v.ratio, v.low, v.high,
    v.extrapolated, p.cell_key, v.baseline
FROM drawn_curve c
JOIN curve_point p ON p.over = c.over AND p.curve = c.place
JOIN speedup v ON v.cell_key = p.cell_key AND v.baseline = (SELECT b.variant
    FROM baseline b JOIN scope s USING (experiment) ORDER BY b.place LIMIT 1)
WHERE c.along;
-- Where there are more than eight curves, those with the experiment's own values are drawn: of each program on a
-- device the faithful one and the fastest at the largest size. The tables have all.
DELETE FROM gain WHERE (SELECT count(DISTINCT place) FROM gain) > 8 AND NOT faithful
    AND place NOT IN (SELECT place FROM (SELECT place, row_number() OVER (
            PARTITION BY variant, device ORDER BY x DESC, ratio DESC) AS rank
        FROM gain g WHERE NOT EXISTS (SELECT 1 FROM parameter p JOIN scope s
            JOIN own_axis a ON a.name = p.name WHERE p.cell_key = g.cell_key
                AND p.value NOT IN (SELECT value FROM axis_value v
                    WHERE v.experiment = s.cells AND v.name = p.name)))
        WHERE rank = 1);
UPDATE gain SET style = 100 * (style / 100) + (SELECT count(DISTINCT o.place) FROM gain o
    WHERE o.place <= gain.place);
--: figure curves
--: series
SELECT place AS series, label, style, x, ratio AS y, low, high, extrapolated, cell_key,
    device AS "$dash"
FROM gain ORDER BY place, x;
--: series
-- A factor that the text prints without a size.
SELECT 'printed ' || p.variant AS series, v.label || ', ' || p.printed || ', ' || k.name AS label,
    -coalesce((SELECT min(style) FROM gain g WHERE g.variant = p.variant AND g.faithful), 8) AS style,
    x, p.value AS y
FROM printed p JOIN program v USING (variant) JOIN printed_card k USING (device)
JOIN (SELECT min(x) AS x FROM gain UNION SELECT max(x) FROM gain)
WHERE p.quantity = 'ratio' AND p.input IS NULL AND p.value > 0
    AND p.reference = (SELECT max(baseline) FROM gain)
ORDER BY p.variant, p.printed, x;
--: variables
SELECT name, value FROM x_axis
UNION ALL SELECT 'y_label', 'speedup over ' || (SELECT b.variant
    FROM baseline b JOIN scope s USING (experiment) ORDER BY b.place LIMIT 1) || ', steps'
UNION ALL SELECT 'y_format', '%g'
UNION ALL SELECT 'guide', value FROM printed WHERE quantity = 'expected_speedup'
UNION ALL SELECT 'guide_name', 'N times, as the text expects' FROM printed WHERE quantity = 'expected_speedup';
--: nothing measures them | no two programs of {experiment} were measured
