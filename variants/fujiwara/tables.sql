-- SPDX-License-Identifier: MIT
-- What only this paper shows: speed over N, the sweep over unroll stages, what the kernels use, and
-- pictures of the bodies. present/queries.h says how such a file is read.

-- Speed over N: GFLOPS at the paper's 38 operations an interaction, the speeds and times quoted in
-- the text, and the measured ceilings.
--: layout rates
--: set quantity 'gflops'
--: setup
-- A program on a device, whatever its setting, in the order in which the devices appear.
CREATE TEMP TABLE speed_line AS
SELECT row_number() OVER (ORDER BY program, first) - 1 AS place, variant, device, label,
    program + 1 + 100 * (SELECT dash FROM dash d WHERE d.device = f.device) AS style
FROM (SELECT r.variant, p.place AS program, p.label, r.device, min(r.place) AS first
      FROM result r JOIN program p USING (variant) GROUP BY r.variant, r.device) f;
-- Its newest cell of an input, of those with the paper's steps and setting first. operations: of
-- one cell, in units of 1e9.
CREATE TEMP TABLE speed AS
SELECT line, input, n, outcome, ok, extrapolated, gflops, gflops * seconds AS operations,
    seconds_low, seconds_high, cell_key
FROM (SELECT l.place AS line, r.*, row_number() OVER (PARTITION BY l.place, r.input
        ORDER BY r.standard DESC, r.faithful DESC, r.started DESC, r.place) AS age
      FROM speed_line l JOIN result r USING (variant, device))
WHERE age = 1;
--: grid
SELECT printf('GFLOPS of a step, at %g operations an interaction', s.flops) AS grid, i.place AS row, i.n,
    i.dataset, NULL AS "*programs"
FROM input i JOIN scope s WHERE EXISTS (SELECT 1 FROM result) ORDER BY i.place;
--: spread programs
SELECT NULL AS row, place AS key, label || ' on ' || device AS head, label AS above, NULL AS value,
    place AS line
FROM speed_line
UNION ALL SELECT input, line, '', '',
    iif(ok, number_text(gflops) || iif(extrapolated, ' ≈', ''), outcome), line
FROM speed
ORDER BY row, line;
--: setup
-- The ok cell of a program whose N is nearest by factor; the fastest of those.
CREATE TEMP TABLE quoted AS
SELECT *, row_number() OVER (PARTITION BY place
    ORDER BY max(r_n * 1.0 / n, n * 1.0 / r_n), gflops DESC, r_place) AS age
FROM (SELECT p.rowid AS place, coalesce(v.label, p.name) AS program, p.n, p.quantity, p.value,
        p.printed || ' ' || p.unit AS published, p.erratum,
        p.device || '; ' || p.includes AS "where",
        r.n AS r_n, r.place AS r_place, r.device, r.gflops, r.outcome, r.seconds, r.seconds_low,
        r.seconds_high, r.samples, r.processes, r.two_peaks, r.extrapolated
    FROM (SELECT rowid, *, substr(variant, instr(variant, '/') + 1) AS name FROM published) p
    JOIN scope s USING (experiment) LEFT JOIN program v ON v.variant = p.name
    LEFT JOIN result r ON r.variant = p.name AND r.ok
    WHERE p.n IS NOT NULL AND p.quantity IN ('gflops', 'seconds'));
--: grid? Figures quoted in the text
SELECT program, n, published, erratum AS "published.note", printf('%.0f', r_n) || ', ' || device
        AS nearest,
    iif(quantity = 'gflops', number_text(gflops) || ' Gflop/s' || iif(extrapolated, ' ≈', ''),
        iif(r_n = n, time_text(outcome, seconds, extrapolated, seconds_low, seconds_high, samples,
            processes, two_peaks), NULL)) AS measured,
    iif(quantity = 'gflops' AND r_n IS NOT NULL,
        ratio_text(gflops / value, NULL, NULL, extrapolated), NULL) AS ratio, "where"
FROM quoted WHERE age = 1 ORDER BY place;
--: column published | published | | right | people
--: column nearest | nearest N measured | | right | people
--: column measured | measured there | | right | people
--: column ratio | measured / published | | right | people
--: column where | published on | | left | people
--: use cells
--: figure rates
--: variables
SELECT 'flops', flops FROM scope;
--: series
SELECT l.place AS series, l.label || ', ' || l.device AS label, l.style, v.n, v.gflops,
    coalesce(operations / seconds_high, gflops) AS low,
    coalesce(operations / seconds_low, gflops) AS high, iif(extrapolated, '≈', '') AS mark, cell_key,
    l.device AS "$dash"
FROM speed v JOIN speed_line l ON l.place = v.line JOIN input i ON i.place = v.input
WHERE v.ok ORDER BY l.place, i.place;
--: series
SELECT p.rowid AS series,
    coalesce(v.label, p.name) || ', ' || (SELECT name FROM printed_card k WHERE k.device = p.device) AS label,
    -1 - coalesce(v.place, (SELECT count(*) FROM program)) AS style, p.value AS "$value", p.n,
    p.value AS gflops, p.value - p.half_unit AS low, p.value + p.half_unit AS high, '' AS mark,
    NULL AS cell_key
FROM (SELECT rowid, *, substr(variant, instr(variant, '/') + 1) AS name FROM published) p
JOIN scope s USING (experiment) LEFT JOIN program v ON v.variant = p.name
WHERE p.quantity = 'gflops' AND p.n IS NOT NULL ORDER BY p.rowid;
--: variables
-- The measured ceilings of the cells' own runs as speeds by the paper's convention: a band for each
-- device and kind of pair, of several runs from the lowest to the highest. Where a device has
-- several, the names of their programs tell them apart. Devices of which each is within 3 % of the
-- next, as one card is by two drivers, share a band; where its programs tell it apart, or nothing
-- else has to be told apart, it names no device.
WITH kind AS (
    SELECT o.device, coalesce(c.pair, '3d') AS pair, p.label, max(r.ceiling) AS most,
        min(r.ceiling) AS least, min(p.place) AS program
    FROM rates r JOIN scope s ON r.experiment = s.cells AND r.machine = s.machine
    JOIN result o USING (cell_key) JOIN cell c USING (cell_key)
    JOIN program p ON p.variant = o.variant
    WHERE r.ceiling IS NOT NULL GROUP BY 1, 2, 3),
 of_device AS (
    SELECT device, pair, max(most) AS most, min(least) AS least,
        count(*) OVER (PARTITION BY device) > 1 AS several
    FROM kind GROUP BY device, pair),
 near AS (
    SELECT *, coalesce(most < 0.97 * lag(most) OVER (PARTITION BY pair ORDER BY most DESC, device),
        1) AS apart
    FROM of_device),
 banded AS (
    SELECT *, sum(apart) OVER (PARTITION BY pair ORDER BY most DESC, device) AS band FROM near),
 highest AS (
    SELECT max(b.most) * s.flops / 1e9 AS ceiling, min(b.least) * s.flops / 1e9 AS lowest,
        row_number() OVER (ORDER BY max(b.most) DESC, b.pair) AS place,
        count(*) > 1 AND (max(b.several) OR count(*) OVER () = 1) AS told,
        max(b.several) AS several, group_concat(b.device, ', ') AS devices,
        (SELECT group_concat(label, ', ') FROM (SELECT k.label FROM kind k JOIN banded o
            USING (device, pair) WHERE o.pair = b.pair AND o.band = b.band
            GROUP BY k.label ORDER BY min(k.program))) AS programs
    FROM banded b JOIN scope s GROUP BY b.pair, b.band)
SELECT 'ceiling_' || place, ceiling FROM highest
UNION ALL SELECT 'ceiling_low_' || place, lowest FROM highest
UNION ALL SELECT 'ceiling_label_' || place, 'measured ceiling'
    || iif(several, ' of ' || programs, '') || iif(told, '', ', ' || devices)
FROM highest
UNION ALL SELECT 'ceilings', count(*) FROM highest;
--: nothing measures it | {experiment} was neither measured nor published

-- Where the time of a step goes: the share of the forces in it, over N, and all its parts.
--: layout dominance
--: setup
CREATE TEMP TABLE forces_share AS
SELECT m.line, m.input, sum(p.seconds) / t.whole AS share
FROM line_result m JOIN phase_time p USING (cell_key) JOIN time_split t USING (cell_key)
WHERE p.name IN ('forces', 'reduce') GROUP BY m.line, m.input HAVING share IS NOT NULL;
--: grid Share of the forces in the time of a step
SELECT place AS row, label AS program, setting, nullif(device, '') AS device, NULL AS "*inputs"
FROM line ORDER BY place;
--: column device | device | | left | people
--: spread inputs
SELECT NULL AS row, place AS key, head, NULL AS value FROM input
UNION ALL SELECT line, input, '', printf('%.1f %%', 100 * share) FROM forces_share
ORDER BY row, key;
--: use time_parts
--: use cells
--: figure curves
--: series
SELECT c.place AS series, c.curve_label AS label, c.style, p.x, 100 * f.share AS y, NULL AS low, NULL AS high,
    0 AS extrapolated, cell_key, c.device AS "$dash"
FROM drawn_curve c
JOIN curve_point p ON p.over = c.over AND p.curve = c.place
JOIN line_result m USING (cell_key) JOIN forces_share f ON f.line = m.line AND f.input = m.input
WHERE c.along ORDER BY c.place, p.x;
--: variables
SELECT name, value FROM x_axis
UNION ALL SELECT 'y_label', 'share of the forces in a step [%]'
UNION ALL SELECT 'y_most', 103
UNION ALL SELECT 'y_format', '%g';
--: nothing measures it | {experiment} was not measured yet

-- A sweep of two parameters, the first two axes of the experiment that do not choose the input: a
-- matrix and a heat map for each program, device and input. Numbers stand in their own order, words
-- in that of the axis.
--: layout sweep
--: setup
CREATE TEMP TABLE swept AS
SELECT r.name AS row_name, c.name AS column_name
FROM (SELECT name FROM own_axis WHERE NOT of_input ORDER BY place LIMIT 1) r
JOIN (SELECT name FROM own_axis WHERE NOT of_input ORDER BY place LIMIT 1, 1) c;
CREATE TEMP TABLE sweep_value AS
SELECT p.cell_key, p.name, p.value, coalesce(p.number, v.place) AS at
FROM parameter p JOIN scope s LEFT JOIN axis_value v
    ON v.experiment = s.experiment AND v.name = p.name AND v.value = p.value;
-- Cells that crashed before their parameters were known are only in the list of failures.
CREATE TEMP TABLE sweep_cell AS
SELECT dense_rank() OVER (ORDER BY first) - 1 AS matrix, * FROM (
    SELECT min(r.place) OVER (PARTITION BY r.variant, r.device, r.input) AS first, a.at AS y,
        b.at AS x, a.value AS y_name, b.value AS x_name, r.*
    FROM swept s JOIN result r JOIN sweep_value a ON a.cell_key = r.cell_key AND a.name = s.row_name
    JOIN sweep_value b ON b.cell_key = r.cell_key AND b.name = s.column_name
    WHERE a.at IS NOT NULL AND b.at IS NOT NULL);
CREATE TEMP TABLE sweep_row AS SELECT row_number() OVER (ORDER BY y) - 1 AS place, y,
    y_name AS name FROM (SELECT DISTINCT y, y_name FROM sweep_cell);
CREATE TEMP TABLE sweep_column AS SELECT row_number() OVER (ORDER BY x) - 1 AS place, x,
    x_name AS name FROM (SELECT DISTINCT x, x_name FROM sweep_cell);
CREATE TEMP TABLE sweep_matrix AS
SELECT matrix, variant, device, dataset, n, extrapolated FROM sweep_cell WHERE place = first;
-- What stands in row and column of a matrix: the newest cell, its rate and that relative to the
-- rate of the first row and column.
CREATE TEMP TABLE sweep_entry AS
WITH newest AS (
    SELECT * FROM (SELECT c.*, a.place AS row, b.place AS "column", row_number() OVER (
            PARTITION BY matrix, y, x ORDER BY started DESC, c.place) AS age
        FROM sweep_cell c JOIN sweep_row a USING (y) JOIN sweep_column b USING (x))
    WHERE age = 1)
SELECT e.matrix, e.row, e."column", e.extrapolated, e.cell_key,
    iif(e.ok, coalesce(si_text(e.interactions_per_second, '/s'), '—'), e.outcome) AS text,
    iif(e.ok, e.interactions_per_second, NULL) AS rate,
    iif(e.ok AND u.ok, e.interactions_per_second / u.interactions_per_second, NULL) AS relative
FROM newest e LEFT JOIN newest u ON u.matrix = e.matrix AND u.row = 0 AND u."column" = 0;
--: grid
SELECT printf('%s on %s, %s N = %.0f: interactions/s, and relative to %s = %s, %s = %s', m.variant,
        m.device, m.dataset, m.n, row_name, (SELECT name FROM sweep_row WHERE place = 0),
        column_name, (SELECT name FROM sweep_column WHERE place = 0)) AS grid,
    m.matrix || '/' || r.place AS row, NULL AS "*columns"
FROM sweep_matrix m JOIN sweep_row r JOIN swept ORDER BY m.matrix, r.place;
--: spread columns
SELECT NULL AS row, 'row' AS key, row_name || ' \ ' || column_name AS head, NULL AS value,
    -1 AS place FROM swept
UNION ALL SELECT NULL, name, name, NULL, place FROM sweep_column
UNION ALL SELECT m.matrix || '/' || r.place, 'row', '', r.name, -1
FROM sweep_matrix m JOIN sweep_row r
UNION ALL SELECT e.matrix || '/' || e.row, c.name, '', text
    || coalesce(' (' || number_text(relative) || '×)', '')
    || iif(extrapolated AND rate IS NOT NULL, ' ≈', ''), c.place
FROM sweep_entry e JOIN sweep_column c ON c.place = e."column"
ORDER BY row, place;
--: use cells
--: figure sweep
--: series
SELECT m.matrix AS series, m.device || ', ' || m.dataset || printf(', N = %.0f', m.n)
        || iif(m.extrapolated, ', ≈ extrapolated', '') AS label, 1 AS style,
    a.place AS row, b.place AS "column", e.rate, e.relative, e.text, e.cell_key
FROM sweep_matrix m JOIN sweep_row a JOIN sweep_column b
LEFT JOIN sweep_entry e ON e.matrix = m.matrix AND e.row = a.place AND e."column" = b.place
ORDER BY m.matrix, a.place, b.place;
--: variables
SELECT 'rows', group_concat(name, ' ') FROM (SELECT name FROM sweep_row ORDER BY place)
UNION ALL
SELECT 'columns', group_concat(name, ' ') FROM (SELECT name FROM sweep_column ORDER BY place)
UNION ALL SELECT axis, coalesce(words, name)
FROM (SELECT 'row_name' AS axis, row_name AS name FROM swept
    UNION ALL SELECT 'column_name', column_name FROM swept)
LEFT JOIN (SELECT 'staged' AS name, 'bodies j from local memory' AS words
    UNION ALL SELECT 'bodies', 'bodies i that a read of j serves'
    UNION ALL SELECT 'unroll_i', 'unroll stages in i'
    UNION ALL SELECT 'unroll_j', 'unroll stages in j') USING (name);
--: nothing measures it | {experiment} was not measured yet

-- What the compiled kernels use, beside the registers and ALU words that the paper prints.
--: layout resources
--: data Registers and memory of each compiled kernel
WITH used AS (
    SELECT p.place AS program, p.variant, r.place, r.device, r.device_name, r.outcome, r.ok,
        r.run, r.id AS cell, r.line,
        k.kernel_key, k.name AS kernel, k.defines,
        iif(k.registers >= 0, k.registers, NULL) AS registers,
        iif(k.spill_bytes >= 0, k.spill_bytes, NULL) AS spill_bytes,
        iif(k.local_bytes >= 0, k.local_bytes, NULL) AS local_bytes,
        iif(k.max_group >= 0, k.max_group, NULL) AS max_group,
        iif(k.kernel_key IS NULL, NULL, 'not reported by this device') AS silent
    FROM program p LEFT JOIN result r USING (variant) LEFT JOIN kernel k USING (cell_key)
    WHERE p.takes_part OR r.cell_key IS NOT NULL)
SELECT s.machine, u.variant, u.device, device_name, outcome, CASE WHEN kernel_key IS NOT NULL
        THEN coalesce(u.kernel, '') WHEN ok THEN 'no kernel: host code' ELSE outcome END AS kernel,
    iif(kernel_key IS NULL, NULL, coalesce(defines, '')) AS defines,
    a.value AS published_registers, a.printed AS "published_registers.text",
    a.erratum AS "published_registers.note", b.value AS published_alu_words,
    b.printed AS "published_alu_words.text", b.erratum AS "published_alu_words.note",
    registers, iif(registers IS NULL, silent, NULL) AS "registers.text",
    spill_bytes, iif(spill_bytes IS NULL, silent, NULL) AS "spill_bytes.text",
    local_bytes, iif(local_bytes IS NULL, silent, NULL) AS "local_bytes.text",
    max_group, iif(max_group IS NULL, silent, NULL) AS "max_group.text", run, cell, line
FROM used u JOIN scope s
LEFT JOIN printed a ON a.variant = u.variant AND a.input IS NULL AND a.quantity = 'registers'
LEFT JOIN printed b ON b.variant = u.variant AND b.input IS NULL AND b.quantity = 'alu_words'
ORDER BY program, place, kernel_key;
--: column variant | variant | | left | all
--: column device_name | device name | | left | all
--: column kernel | kernel | | left | all
--: column defines | defines | | left | programs
--: column published_registers | published registers | | right | all
--: column published_alu_words | published ALU words | | right | all
--: column registers | registers | | right | all
--: column spill_bytes | spill bytes | | right | all
--: column local_bytes | local bytes | | right | all
--: column max_group | largest group | | right | all
--: figure resources
--: series
-- Bars, a group each program: what is printed, then the registers on each device. Of a program's
-- kernels the one with most registers counts: it limits how many threads are resident.
WITH used AS (
    SELECT c.name AS variant, c.device, max(k.registers) AS registers, c.cell_key
    FROM shown c JOIN kernel k USING (cell_key) WHERE k.registers >= 0 GROUP BY c.name, c.device),
 bar AS (
    SELECT 1 AS style, 'registers, published' AS label, 'registers' AS quantity, NULL AS device
    UNION ALL SELECT 2, 'ALU words, published', 'alu_words', NULL
    UNION ALL SELECT row_number() OVER (ORDER BY device) + 2, 'registers, ' || device, NULL, device
    FROM (SELECT DISTINCT device FROM used))
SELECT bar.style AS series, bar.label, bar.style, row_number() OVER (PARTITION BY bar.style
        ORDER BY p.place) AS place, p.label AS program, coalesce(q.value, u.registers) AS value,
    iif(q.value IS NULL, u.cell_key, NULL) AS cell_key
FROM bar JOIN program p
LEFT JOIN printed q ON q.variant = p.variant AND q.input IS NULL AND q.quantity = bar.quantity
LEFT JOIN used u ON u.variant = p.variant AND u.device = bar.device
WHERE p.takes_part ORDER BY bar.style, p.place;

-- Pictures of the bodies (Figs. 5 to 12): which there are, and panels of them.
--: layout snapshots
--: data Pictures
SELECT s.machine, r.dataset, r.n, r.steps, r.variant, r.device, r.outcome, r.energy_drift,
    r.momentum_drift, nullif(r.bodies_file, '') AS bodies_file, r.run, r.id AS cell, r.line
FROM result r JOIN scope s ORDER BY r.place;
--: column n | N | | right | all
--: column variant | variant | | left | all
--: column outcome | outcome | | left | all
--: column energy_drift | energy drift | | right | all
--: column momentum_drift | momentum drift | | right | all
--: column bodies_file | bodies | | left | all
--: setup
-- Directions from which a data set is seen; across, up: columns of the file of bodies. The
-- cartwheel's axis is x: the paper shows it from the side and from the front. place: the number of the
-- paper's figure before the first step; four figures on are 100 steps later.
CREATE TEMP TABLE seen(place, dataset, name, across, up);
INSERT INTO seen VALUES (5, 'figure-eight-3', '', 'x', 'y'), (6, 'figure-eight-4', '', 'x', 'y'),
    (7, 'cartwheel', 'side', 'x', 'y'), (8, 'cartwheel', 'front', 'y', 'z');
INSERT INTO seen SELECT DISTINCT 0, dataset, '', 'x', 'y' FROM input
WHERE dataset NOT IN (SELECT dataset FROM seen);
-- A row of panels for each data set and direction, at most six numbers of steps; the largest N
-- stands for the data set. Of several devices the first tells the picture.
CREATE TEMP TABLE panel AS
WITH picture AS (
    SELECT place, input, dataset, n, steps, file_beside(path, bodies_file) AS file
    FROM result WHERE ok),
 rising AS (
    SELECT *, max(n) OVER (PARTITION BY dataset) AS largest, max(steps) OVER (PARTITION BY input
        ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM picture WHERE file IS NOT NULL),
 ordered AS (
    SELECT *, row_number() OVER (PARTITION BY input ORDER BY place) - 1 AS "column" FROM rising
    WHERE n = largest AND steps > coalesce(before, -1))
SELECT dense_rank() OVER (ORDER BY o.input, s.place) - 1 AS row, o."column",
    iif(s.place > 0 AND o.steps IN (0, 100), printf('Figure %d: ', s.place + 4 * (o.steps > 0)), '') || o.dataset
        || iif(s.name = '', '', ', ' || s.name) || printf(', N = %.0f, %.0f steps', o.n, o.steps)
        AS label, s.across, s.up, o.file
FROM ordered o JOIN seen s USING (dataset) WHERE o."column" < 6;
--: figure snapshots
--: series
SELECT row || '/' || "column" AS series, label, 1 AS style, row AS "$row", "column" AS "$column",
    across AS "$across", up AS "$up", file, across, up
FROM panel ORDER BY row, "column";
--: variables
SELECT 'rows', max(row) + 1 FROM panel
UNION ALL SELECT 'columns', max("column") + 1 FROM panel
UNION ALL SELECT 'width', 30 + 420 * (max("column") + 1) FROM panel
UNION ALL SELECT 'height', 80 + 420 * (max(row) + 1) FROM panel;
--: nothing makes them | there are no bodies of {experiment} here

-- Of `orrery audit`.
--: part paper_audit
--: use limits
