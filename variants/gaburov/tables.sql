-- SPDX-License-Identifier: MIT
-- The tables and figures that only this paper shows. harness/present/queries.h says how such a file
-- is read, scope.sql beside it what its queries may take, common.sql what all papers share.

-- --- families of curves, as the figures of several panels draw them ---

-- Which curves a figure draws: all, or those of the programs that the paper has a name for; where
-- none of these was measured, all.
--: part all_programs
--: setup
CREATE TEMP VIEW drawn AS SELECT over, place AS curve FROM drawn_curve;

--: part own_programs
--: setup
CREATE TEMP VIEW drawn AS
SELECT over, curve FROM (
    SELECT over, place AS curve, named, max(named) OVER (PARTITION BY over) AS any_named
    FROM (SELECT c.*, EXISTS (SELECT 1 FROM program p WHERE p.variant = c.variant AND p.named)
              AS named FROM drawn_curve c))
WHERE named OR NOT any_named;

-- The curves of a program differ in one number, which is the curve's member: theta where they are
-- over N, N where they are over theta; NULL where the program has none, as a direct sum has no
-- theta. style: a colour a member, others for numbers of bodies than for a parameter, and a dash
-- (hundreds) a program, device and rest of the setting. program: what tells these apart, '' for
-- the only one; label: the member, "theta = 0.5", which the colour tells, or without one the
-- program; dash_name: the program, where the dash tells it.
--: part family
--: setup
CREATE TEMP TABLE family AS
WITH one AS (
    SELECT d.over, d.curve, c.variant, c.label, c.device, iif(d.over = 'n', (
            SELECT p.number FROM curve_point o JOIN parameter p USING (cell_key)
            WHERE o.over = d.over AND o.curve = d.curve AND p.name = s.parameter
            ORDER BY o.x LIMIT 1), i.n) AS member,
        coalesce((SELECT group_concat(entry, ', ') FROM (SELECT entry FROM line_entry e
            WHERE e.line = c.line AND e.name IS NOT s.parameter ORDER BY e.place)), '') AS setting,
        coalesce((SELECT group_concat(entry, ', ') FROM (SELECT entry FROM line_entry e
            WHERE e.line = c.line AND e.name IS NOT s.parameter AND NOT common AND (own OR c.strange)
            ORDER BY e.place)), '') AS difference
    FROM drawn d JOIN scope s JOIN drawn_curve c ON c.over = d.over AND c.place = d.curve
    LEFT JOIN input i ON i.place = c.input),
 grouped AS (
    SELECT *, min(curve) OVER (PARTITION BY over, variant, device, setting) AS first,
        dense_rank() OVER (PARTITION BY over ORDER BY member NULLS LAST) - 1 AS colour,
        min(variant) OVER whole <> max(variant) OVER whole AS variants,
        min(device) OVER whole <> max(device) OVER whole AS devices
    FROM one WINDOW whole AS (PARTITION BY over)),
 named AS (
    SELECT *, dense_rank() OVER (PARTITION BY over ORDER BY first) - 1 AS dash,
        iif(variants, label, '') || iif(variants AND difference <> '', ', ', '') || difference
            || iif(devices AND (variants OR difference <> ''), ', ', '')
            || iif(devices, device, '') AS program
    FROM grouped)
SELECT f.over, curve, member, colour, 100 * dash AS dash,
    1 + colour + iif(f.over = 'n', 0, 50) + 100 * dash AS style, program,
    iif(member IS NULL, program, iif(f.over = 'n', printf('%s = %.6g', s.parameter, member),
        printf('N = %.0f', member))) AS label, iif(member IS NULL, '', program) AS dash_name
FROM named f JOIN scope s;
-- The parameter along x, and its tics.
CREATE TEMP VIEW parameter_axis AS
SELECT parameter AS x_label, (SELECT group_concat(printf('%.6g', x), ' ')
    FROM (SELECT x FROM curve_x WHERE over = 'parameter' ORDER BY x)) AS tics FROM scope;
-- At most so many numbers of bodies as a figure over the parameter shows, rising: the measured ones
-- that the experiment's axis names, evenly chosen where it names more; else of all measured.
CREATE TEMP TABLE chosen_size AS
WITH measured AS (
    SELECT DISTINCT f.member AS n, EXISTS (SELECT 1 FROM axis_value v
        WHERE v.experiment = s.experiment AND v.name = 'n' AND v.value = printf('%.0f', f.member))
            AS named
    FROM scope s JOIN family f ON f.over = 'parameter'
    JOIN curve_point c ON c.over = f.over AND c.curve = f.curve JOIN result r USING (cell_key)
    WHERE NOT r.extrapolated),
 kept AS (
    SELECT n, row_number() OVER (ORDER BY n) - 1 AS place, count(*) OVER () AS kept
    FROM measured WHERE named OR NOT (SELECT max(named) FROM measured)),
 chosen AS (
    SELECT most, min(most, kept) AS chosen, k.kept, k.place
    FROM (SELECT 3 AS most UNION ALL SELECT 6) JOIN kept k WHERE k.place < most)
SELECT most, c.place, k.n FROM chosen c JOIN kept k ON k.place = iif(chosen > 1,
    (2 * c.place * (c.kept - 1) + chosen - 1) / (2 * (chosen - 1)), 0);

-- --- distributions of the errors of accelerations (figure 3.4) ---

-- Which share of the bodies has an error larger than a value, a panel for each number of bodies.
--: layout distribution
--: setup
CREATE TEMP TABLE share(place, name, head, fraction);
INSERT INTO share VALUES (0, 'half', '50 %', 0.5), (1, 'tenth', '10 %', 0.1),
    (2, 'hundredth', '1 %', 0.01);
CREATE TEMP TABLE norm(place, name, head);
INSERT INTO norm VALUES (0, 'relative', 'relative'), (1, 'by_mean', 'by mean'),
    (2, 'by_terms', 'by terms');
-- The error that each share of the bodies exceeds; the logarithms are linear between those that
-- are known.
CREATE TEMP TABLE exceeded AS
WITH known AS (
    SELECT e.cell_key, e.normalisation AS norm, fraction, error,
        lag(fraction) OVER rising AS fraction_before, lag(error) OVER rising AS error_before
    FROM error_curve e JOIN result r USING (cell_key) WHERE NOT r.extrapolated
    WINDOW rising AS (PARTITION BY e.cell_key, e.normalisation ORDER BY fraction DESC)),
 near AS (
    SELECT k.*, s.name AS share, s.fraction AS wanted, row_number() OVER (
        PARTITION BY cell_key, norm, s.name ORDER BY k.fraction DESC) AS nearness
    FROM known k JOIN share s
        ON k.fraction = s.fraction OR (k.fraction < s.fraction AND k.error_before > 0))
SELECT cell_key, norm, share, iif(fraction = wanted, error, error_before * power(
    error / error_before,
    ln(fraction_before / wanted) / ln(fraction_before / fraction))) AS error
FROM near WHERE nearness = 1;
--: use printed
--: data Errors of accelerations that half, a tenth and a hundredth of the bodies exceed, by three norms
SELECT r.cell_key AS row, s.machine, r.dataset, r.n, r.steps, r.variant, r.label, r.device,
    r.device_name, r.parameters, r.outcome, NULL AS "*shares", r.error_max, r.run,
    r.id AS cell, r.line
FROM result r JOIN scope s WHERE NOT r.extrapolated ORDER BY r.place;
--: column error_max | largest, relative | | small | all
--: spread shares
SELECT NULL AS row, n.name || '_' || s.name AS key, n.head || ', ' || s.head AS head, n.head AS above,
    'all' AS audience, 'small' AS format, NULL AS value, n.place, s.place AS share
FROM norm n JOIN share s
UNION ALL SELECT cell_key, norm || '_' || share, '', '', 'all', 'small', error, 0, 0 FROM exceeded
ORDER BY row, 8, share;
--: use own_programs
--: use family
--: setup
-- The curves of each panel, relative to the body's own acceleration; the axis of errors is the same
-- in every panel.
CREATE TEMP TABLE distribution AS
SELECT z.place AS panel, f.curve, f.label, f.style, e.fraction, e.error, f.dash_name,
    iif(e.fraction IN (SELECT fraction FROM share), cell_key, NULL) AS told
FROM family f JOIN curve_point p ON p.over = f.over AND p.curve = f.curve
JOIN error_curve e USING (cell_key) LEFT JOIN chosen_size z ON z.most = 3 AND z.n = p.x
WHERE f.over = 'n' AND e.normalisation = 'relative' AND e.error > 0;
ALTER TABLE scope ADD COLUMN across;
UPDATE scope SET across = (SELECT max(1, count(*)) FROM chosen_size WHERE most = 3);
--: figure panels
--: panels {across}
SELECT printf('N = %.0f', n) AS title, 'relative error of the acceleration' AS x_label,
    'share of the bodies with a larger error' AS y_label, '' AS tics, 0 AS linear, 1e-3 AS least,
    1.2 AS most
FROM chosen_size WHERE most = 3 ORDER BY place;
--: series
-- With the horizontal lines of the paper's figure.
SELECT z.place AS panel, z.place || '/' || s.name AS series, '' AS label, 0 AS style, e.error AS x,
    s.fraction AS y, 1 AS plain, -1 AS _curve, s.place AS _share, '' AS "$dash",
    NULL AS cell_key
FROM chosen_size z JOIN share s JOIN (SELECT min(error) AS error FROM distribution
    UNION ALL SELECT max(error) FROM distribution) e WHERE z.most = 3 AND e.error IS NOT NULL
UNION ALL SELECT panel, panel || '/' || curve, label, style, error, fraction, 1, curve, 0, dash_name, told
FROM distribution WHERE panel IS NOT NULL
ORDER BY panel, _curve, _share, y DESC, x;
--: nothing keeps them | no distributions of errors of {experiment} here

-- --- errors of accelerations over theta and over N (figure 3.5, section 3.3.1) ---

--: layout errors
--: setup
CREATE TEMP TABLE norm(place, name, title);
INSERT INTO norm VALUES
    (0, 'relative', 'Error of the acceleration, relative to the body''s own: median / 99 %'),
    (1, 'by the mean', 'The same by the mean acceleration of all bodies'),
    (2, 'by the terms',
        'The same by the sum of the lengths of all terms of the body''s acceleration');
CREATE TEMP VIEW norm_error AS
SELECT cell_key, 0 AS norm, error_median AS median, error_p99 AS p99 FROM result
UNION ALL SELECT cell_key, 1, error_by_mean_median, error_by_mean_p99 FROM result
UNION ALL SELECT cell_key, 2, error_by_terms_median, error_by_terms_p99 FROM result;
--: use printed
--: grid
SELECT n.title AS grid, n.place || '/' || l.place AS row, l.label AS program, l.setting,
    l.device AS "on", NULL AS "*inputs"
FROM norm n JOIN line l ORDER BY n.place, l.place;
--: spread inputs
SELECT NULL AS row, place AS key, head, NULL AS value FROM input
UNION ALL SELECT e.norm || '/' || m.line, m.input, '',
    coalesce(errors_text(e.median, e.p99) || iif(r.ok, '', ' ' || r.outcome),
        iif(r.ok, NULL, r.outcome))
FROM line_result m JOIN result r USING (cell_key) JOIN norm_error e USING (cell_key)
ORDER BY row, key;
--: data Every cell
SELECT s.machine, r.dataset, r.n, r.steps, r.variant, r.label, r.device, r.device_name,
    r.parameters, r.outcome, r.error_median, r.error_p99, r.error_by_mean_median AS by_mean_median,
    r.error_by_mean_p99 AS by_mean_p99, r.error_by_terms_median AS by_terms_median,
    r.error_by_terms_p99 AS by_terms_p99, r.error_max, r.seconds, r.run, r.id AS cell,
    r.line
FROM result r JOIN scope s WHERE NOT r.extrapolated ORDER BY r.place;
--: column error_median | relative, median | | small | all | relative
--: column error_p99 | relative, 99 % | | small | all | relative
--: column by_mean_median | by the mean, median | | small | all | by the mean
--: column by_mean_p99 | by the mean, 99 % | | small | all | by the mean
--: column by_terms_median | by the terms, median | | small | all | by the terms
--: column by_terms_p99 | by the terms, 99 % | | small | all | by the terms
--: column error_max | relative, largest | | small | all | relative
--: use own_programs
--: use family
--: setup
-- The paper's panels: over theta both ends, where there are a few values of it, then the median and
-- the 99 % over N.
ALTER TABLE scope ADD COLUMN across;
UPDATE scope SET across = iif((SELECT count(*) FROM curve_x WHERE over = 'parameter') < 3, 2, 3);
CREATE TEMP TABLE error_end AS SELECT 0 AS place, 'median' AS name UNION ALL SELECT 1, '99 %';
CREATE TEMP TABLE error_panel AS
SELECT across - 3 AS place, 'parameter' AS over, 'median (lines) and 99 % (dashed)' AS title, NULL AS ending
FROM scope WHERE across > 2
UNION ALL SELECT across - 2 + e.place, 'n', e.name, e.place FROM scope JOIN error_end e;
--: figure panels
--: panels {across}
SELECT title, iif(over = 'n', 'N (bodies)', x_label) AS x_label, 'relative error of the acceleration' AS y_label,
    iif(over = 'n', NULL, tics) AS tics, 0 AS linear, 0 AS least, 0 AS most
FROM error_panel JOIN parameter_axis ORDER BY place;
--: series
-- Each panel begins with a line through the lowest of the first points: how the paper says that errors
-- grow, with what power of theta, and how many times with 100 times the bodies.
WITH measured AS (
    SELECT p.place AS panel, p.over, f.curve, e.place AS ending, f.label, f.style, f.member, c.x,
        iif(e.place, r.error_p99, r.error_median) AS y, c.cell_key, f.dash_name
    FROM error_panel p JOIN error_end e JOIN family f USING (over)
    JOIN curve_point c ON c.over = f.over AND c.curve = f.curve
    JOIN result r USING (cell_key)
    WHERE coalesce(p.ending, e.place) = e.place),
 first AS (
    SELECT panel, over, min(x) AS least, max(x) AS most FROM measured WHERE y > 0 GROUP BY panel HAVING max(x) > min(x)),
 lowest AS (
    SELECT f.*, min(m.y) AS y FROM first f JOIN measured m ON m.panel = f.panel AND m.x = f.least AND m.y > 0
    GROUP BY f.panel),
 guide AS (
    SELECT l.*, iif(over = 'n', 'published: ' || q.printed || ' times over ' || q.reference,
            'published: ' || s.parameter || ' to the power of ' || q.printed) AS label,
        iif(over = 'n', ln(q.value) / ln(100), q.value) AS power
    FROM lowest l JOIN scope s JOIN printed q ON q.input IS NULL
        AND q.quantity = iif(over = 'n', 'error_growth', 'exponent'))
SELECT panel, panel || '/guide' AS series, label, 0 AS style, least AS x, y, -1 AS _curve,
    0 AS _ending, NULL AS cell_key, '' AS "$dash" FROM guide
UNION ALL SELECT panel, panel || '/guide', label, 0, most, y * power(1.0 * most / least, power), -1,
    0, NULL, '' FROM guide
UNION ALL SELECT panel, panel || '/' || curve || '/' || ending,
    iif(over = 'parameter' AND ending, '', label), style + iif(over = 'n', 0, 100 * ending), x, y,
    curve, ending, cell_key, iif(over = 'n', dash_name, '')
FROM measured
WHERE y > 0 AND (over = 'n' OR member IN (SELECT n FROM chosen_size WHERE most = 3))
ORDER BY panel, _curve, _ending, x;
--: nothing measures it | {experiment} was not measured here

-- --- time on the host and on the device (figures 3.6 and 3.7) ---

-- How the time divides: parts down, inputs across; times and speedups; every cell.
--: part time_cells
--: data Every cell
SELECT r.cell_key AS row, s.machine, r.dataset, r.n, r.steps, r.variant, r.label, r.device,
    r.device_name, r.parameters, r.outcome, iif(r.extrapolated, 'extrapolated', 'no')
        AS extrapolated,
    r.time_text AS measured,
    r.seconds, r.seconds_low, r.seconds_high, r.end_to_end_seconds,
    r.extrapolated AS "end_to_end_seconds.about", t.host AS host_seconds,
    t.device AS device_seconds, NULL AS "*parts", iif(r.extrapolated, NULL, r.samples) AS samples,
    r.run, r.id AS cell, r.line
FROM result r JOIN scope s JOIN time_split t USING (cell_key) ORDER BY r.place;
--: column host_seconds | host | | seconds | all
--: column device_seconds | device | | seconds | all
--: spread parts
-- Seconds of one evaluation.
SELECT NULL AS row, name AS key, name AS head, 'programs' AS audience, NULL AS value, 0 AS phase,
    place FROM stage_name
UNION ALL SELECT NULL, 'device ' || name, 'device ' || name, 'programs', NULL, 1, place
FROM phase_name
UNION ALL SELECT t.cell_key, t.name, '', 'programs', t.seconds / (r.steps + 1), 0, t.place
FROM stage_time t JOIN result r USING (cell_key)
UNION ALL SELECT cell_key, 'device ' || name, '', 'programs', seconds, 1, place FROM phase_time
ORDER BY row, phase, place;

--: part time_tables
--: set matrices 1
--: use clocks
--: use printed
--: use time_parts
--: use matrices
--: use time_cells

-- Over N, with the device's share and the speedup over the first baseline, a direct sum.
--: layout host-device
--: use time_tables
--: use all_programs
--: use family
--: figure panels
--: panels 3
SELECT 'time on the device, and on the host' AS title, 'N (bodies)' AS x_label,
    'time of an evaluation [s]' AS y_label, NULL AS tics, 0 AS linear, 0 AS least, 0 AS most
UNION ALL SELECT 'the device''s share of the whole', 'N (bodies)', 'device / whole', NULL, 1, 0,
    1.05
UNION ALL SELECT 'speedup over ' || coalesce((SELECT label FROM program p JOIN baseline b
        USING (variant) JOIN scope s USING (experiment) ORDER BY b.place LIMIT 1), 'nothing'),
    'N (bodies)', 'its time / time of the tree', NULL, 0, 0, 0;
--: series
-- The host's time is that of the tree, whatever theta: one curve a program. A direct sum, which has
-- no theta, has no share and no speedup. Guides go through the first time on the host and the first
-- speedup; style 61 is the host's, in the dash of the program.
-- Of more than three theta only the least, the middle and the largest: lines beyond eight say nothing.
WITH told AS (
    SELECT colour FROM (SELECT DISTINCT colour, max(colour) OVER () AS most FROM family
        WHERE over = 'n' AND member NOT NULL)
    WHERE most < 3 OR colour IN (0, (most + 1) / 2, most)),
 value AS (
    SELECT 0 AS panel, 'host' AS part, cell_key, host AS y, NULL AS low, NULL AS high,
        0 AS extrapolated FROM time_split
    UNION ALL SELECT 0, 'device', cell_key, device, NULL, NULL, 0 FROM time_split
    UNION ALL SELECT 1, 'share', cell_key, device / whole, NULL, NULL, 0 FROM time_split
    UNION ALL SELECT 2, 'speedup', v.cell_key, v.ratio, v.low, v.high, v.extrapolated
    FROM speedup v JOIN scope s JOIN baseline b ON b.experiment = s.experiment
        AND b.variant = v.baseline AND b.place = 0),
 point AS MATERIALIZED (
    SELECT v.*, c.x, f.curve, f.member, f.colour, f.dash, f.style, f.program, f.label,
        f.dash_name
    FROM value v JOIN curve_point c USING (cell_key) JOIN family f USING (over, curve)
    WHERE c.over = 'n' AND v.y > 0 AND (f.member IS NULL OR f.colour IN (SELECT colour FROM told))),
 start AS (
    SELECT panel, x, y, (SELECT max(x) FROM curve_x WHERE over = 'n') AS most, panel = 0 AS grows
    FROM (SELECT *, row_number() OVER (PARTITION BY panel ORDER BY curve, x) AS place
          FROM point WHERE part IN ('host', 'speedup'))
    WHERE place = 1 AND (SELECT count(*) FROM curve_x WHERE over = 'n') > 1),
 step(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM step WHERE k < 16),
 guide AS (SELECT *, x * power(1.0 * most / x, k / 16.0) AS at FROM start JOIN step)
SELECT panel, panel || '/guide' AS series, iif(grows, 'N log N', 'N / log N') AS label,
    0 AS style, at AS x, iif(grows, y * (at * ln(at)) / (x * ln(x)),
        y * (at / ln(at)) / (x / ln(x))) AS y, NULL AS low, NULL AS high,
    0 AS extrapolated, -1 AS _curve, 0 AS _part, NULL AS cell_key,
    '' AS "$dash"
FROM guide
UNION ALL SELECT panel, panel || '/' || curve || '/' || part,
    iif(part = 'host', 'host', label), iif(part = 'host', 61 + dash, style), x, y, low, high,
    extrapolated, curve, iif(part = 'host', 0, 1), cell_key, dash_name
FROM point WHERE CASE part WHEN 'host' THEN member IS NOT NULL AND colour = 0
    WHEN 'device' THEN 1 ELSE member IS NOT NULL END
ORDER BY panel, _curve, _part, x;
--: nothing measures it | {experiment} was not measured here

-- Over theta, a panel a number of bodies.
--: layout host-device-over
--: use time_tables
--: use all_programs
--: use family
--: setup
ALTER TABLE scope ADD COLUMN across;
UPDATE scope SET across = max(1, min(3, (SELECT count(*) FROM chosen_size WHERE most = 6)));
--: figure panels
--: panels {across}
SELECT printf('N = %.0f', n) AS title, x_label, 'time of an evaluation [s]' AS y_label, tics, 0 AS linear,
    0 AS least, 0 AS most
FROM chosen_size z JOIN parameter_axis WHERE z.most = 6 ORDER BY z.place;
--: series
-- As in the paper: lines, dots and dashes where they need not tell programs apart.
WITH value AS (
    SELECT 0 AS part, 'device' AS name, 1 AS style, cell_key, device AS y, NULL AS low, NULL AS high, 0 AS extrapolated
    FROM time_split
    UNION ALL SELECT 1, 'host', 61, cell_key, host, NULL, NULL, 0 FROM time_split
    UNION ALL SELECT 2, 'whole', 2, cell_key, seconds / (steps + 1), seconds_low / (steps + 1),
        seconds_high / (steps + 1), extrapolated FROM result),
 drawn_value AS (
    SELECT z.place AS panel, v.*, f.curve, c.x, f.program, v.style + iif((SELECT max(dash) FROM family WHERE over = 'parameter'),
        f.dash, 100 * (3 - v.part) * (v.part > 0)) AS drawn_style, z.n
    FROM chosen_size z JOIN family f ON f.over = 'parameter' AND f.member = z.n
    JOIN curve_point c USING (over, curve) JOIN value v USING (cell_key)
    WHERE z.most = 6 AND v.y > 0)
SELECT panel, panel || '/' || curve || '/' || part AS series, name AS label, drawn_style AS style, x, y, low, high,
    extrapolated, curve AS _curve, part AS _part, cell_key, program AS "$dash"
FROM drawn_value
-- From where on the text has host and device take comparably long.
UNION ALL SELECT panel, panel || '/crossing', 'published: host like device from here', 0, p.value,
    iif(e.value, min(y), max(y)), NULL, NULL, 0, 1000, 3, NULL, ''
FROM drawn_value JOIN scope s JOIN published p ON p.experiment = s.experiment AND p.quantity = 'crossing' AND p.n <= drawn_value.n
JOIN json_each('[0, 1]') e GROUP BY panel, e.value
ORDER BY panel, _curve, _part, x, y;
--: nothing measures it | {experiment} was not measured here

-- --- bodies in a leaf and in a group (section 3.3) ---

-- Leaves down, groups across: the whole step, the host and the device, for each program, device and
-- input. relative: how much faster than the paper's 64 and 64.
--: layout leaf-group
--: use clocks
--: use printed
--: setup
CREATE TEMP TABLE leaf_cell AS
SELECT dense_rank() OVER (ORDER BY r.input, r.program, r.variant, r.device) - 1 AS matrix,
    r.cell_key, printf('%s on %s, %s N = %.0f', r.variant, r.device, r.dataset, r.n) AS title,
    l.number AS leaf, g.number AS bodies, r.outcome, r.ok, r.extrapolated, t.*
FROM result r JOIN parameter l ON l.cell_key = r.cell_key AND l.name = 'nleaf'
JOIN parameter g ON g.cell_key = r.cell_key AND g.name = 'ngroup'
JOIN time_split t ON t.cell_key = r.cell_key
WHERE r.cell_key IN (SELECT cell_key FROM line_result);
CREATE TEMP TABLE leaf_row AS SELECT row_number() OVER (ORDER BY leaf) - 1 AS place, leaf
FROM (SELECT DISTINCT leaf FROM leaf_cell);
CREATE TEMP TABLE leaf_column AS SELECT row_number() OVER (ORDER BY bodies) - 1 AS place, bodies
FROM (SELECT DISTINCT bodies FROM leaf_cell);
CREATE TEMP TABLE leaf_part AS
SELECT 0 AS place, 'a step' AS name UNION ALL SELECT 1, 'the host''s stages'
UNION ALL SELECT 2, 'the device''s phases';
--: grid
SELECT DISTINCT c.title || ': ' || p.name AS grid, c.matrix || '/' || p.place || '/' || r.place
    AS row, NULL AS "*columns", c.matrix AS _matrix, p.place AS _part, r.place AS _row
FROM leaf_cell c JOIN leaf_part p JOIN leaf_row r ORDER BY c.matrix, p.place, r.place;
--: spread columns
SELECT NULL AS row, 'row' AS key, 'nleaf \ ngroup' AS head, NULL AS value, -1 AS place
UNION ALL SELECT NULL, printf('%g', bodies), printf('%g', bodies), NULL, place FROM leaf_column
UNION ALL SELECT c.matrix || '/' || p.place || '/' || r.place, 'row', '', printf('%g', r.leaf), -1
FROM (SELECT DISTINCT matrix FROM leaf_cell) c JOIN leaf_part p JOIN leaf_row r
UNION ALL SELECT c.matrix || '/' || p.place || '/' || r.place, printf('%g', c.bodies), '',
    iif(c.ok, seconds_text(CASE p.place WHEN 0 THEN whole WHEN 1 THEN host ELSE device END)
        || iif(extrapolated, ' ≈', ''), outcome), k.place
FROM leaf_cell c JOIN leaf_part p JOIN leaf_row r USING (leaf) JOIN leaf_column k USING (bodies)
ORDER BY row, place;
--: use time_cells
--: figure sweep
--: series
SELECT m.matrix AS series, m.title || ': a step' AS label, 1 AS style, r.place AS row,
    k.place AS "column", iif(c.ok, 1 / c.whole, NULL) AS rate, p.whole / c.whole AS relative,
    iif(c.ok, seconds_text(c.whole), c.outcome) AS text, c.cell_key
FROM (SELECT DISTINCT matrix, title FROM leaf_cell) m JOIN leaf_row r JOIN leaf_column k
LEFT JOIN leaf_cell c ON c.matrix = m.matrix AND c.leaf = r.leaf AND c.bodies = k.bodies
LEFT JOIN leaf_cell p ON p.matrix = m.matrix AND p.leaf = 64 AND p.bodies = 64
ORDER BY m.matrix, r.place, k.place;
--: variables
SELECT 'rows', group_concat(printf('%g', leaf), ' ') FROM (SELECT leaf FROM leaf_row ORDER BY place)
UNION ALL SELECT 'columns', group_concat(printf('%g', bodies), ' ')
FROM (SELECT bodies FROM leaf_column ORDER BY place)
UNION ALL SELECT 'row_name', 'nleaf' UNION ALL SELECT 'column_name', 'ngroup';
--: nothing measures it | {experiment} was not measured here

-- --- tree codes at equal error ---

-- Each cell with its three errors, and what a code takes for a given median error, between the two
-- nearest of its cells along power laws.
--: layout equal-error
--: setup
CREATE TEMP TABLE tried AS
SELECT r.cell_key, r.place, r.input, r.program, r.device, r.n, t.number AS theta, r.seconds,
    r.seconds_low, r.seconds_high, r.error_median, r.error_p99, r.error_max, r.extrapolated,
    (SELECT program_seconds FROM cell c WHERE c.cell_key = r.cell_key) AS own_seconds,
    r.variant || (SELECT mark FROM shown c WHERE c.cell_key = r.cell_key) || coalesce(' (' || (
        SELECT group_concat(entry, ', ') FROM (SELECT entry FROM setting_entry e
            WHERE e.cell_key = r.cell_key AND e.name <> 'theta' ORDER BY e.place, e.name)) || ')', '')
        AS code
FROM result r JOIN parameter t ON t.cell_key = r.cell_key AND t.name = 'theta'
WHERE r.ok AND r.error_median > 0;
CREATE TEMP TABLE end_of_errors(place, x_label);
INSERT INTO end_of_errors VALUES (0, 'median error of the acceleration'),
    (1, 'error that 1 % of the bodies exceed');
CREATE TEMP TABLE aim(median);
INSERT INTO aim VALUES (2e-5), (4.7e-5), (1e-4), (1.7e-4), (5e-4), (2e-3), (5e-3);
ALTER TABLE scope ADD COLUMN external;
UPDATE scope SET external = EXISTS (SELECT 1 FROM tried WHERE own_seconds NOT NULL);
CREATE TEMP TABLE at_equal_error AS
WITH step AS (
    SELECT *, lead(theta) OVER next AS theta_1, lead(seconds) OVER next AS seconds_1,
        lead(seconds_low) OVER next AS low_1, lead(seconds_high) OVER next AS high_1,
        lead(error_median) OVER next AS median_1, lead(error_p99) OVER next AS p99_1,
        lead(error_max) OVER next AS max_1
    FROM tried WINDOW next AS (PARTITION BY input, device, code ORDER BY error_median)),
 part AS (
    SELECT step.*, aim.median, ln(aim.median / error_median) / ln(median_1 / error_median) AS x
    FROM step JOIN aim ON aim.median >= error_median AND aim.median < median_1)
SELECT input, device, code, n, median, theta * power(theta_1 / theta, x) AS theta,
    seconds * power(seconds_1 / seconds, x) AS seconds,
    seconds_low * power(low_1 / seconds_low, x) AS low,
    seconds_high * power(high_1 / seconds_high, x) AS high,
    error_p99 * power(p99_1 / error_p99, x) AS p99,
    error_max * power(max_1 / error_max, x) AS most
FROM part;
--: grid? At the same median error, between the cells below | equal
SELECT n, device, median, code, theta, seconds, low, high, p99, most AS max,
    seconds / min(seconds) OVER (PARTITION BY input, device, median) AS slower
FROM at_equal_error ORDER BY input, device, median, seconds;
--: column n | N | | count | all
--: column device | device | | left | all
--: column median | median error | | small | all
--: column code | code | | left | all
--: column theta | theta | | number | all
--: column seconds | a step | s | seconds | all
--: column low | from | s | seconds | all | 95 % interval
--: column high | to | s | seconds | all | 95 % interval
--: column p99 | 99 % | | small | all
--: column max | largest | | small | all
--: column slower | times the fastest | | number | all
--: data Every cell
SELECT cell_key, n, device, code, theta, seconds, own_seconds, error_median AS median,
    error_p99 AS p99, error_max AS max
FROM tried ORDER BY input, device, code, theta;
--: column n | N | | count | all
--: column device | device | | left | all
--: column code | code | | left | all
--: column theta | theta | | number | all
--: column seconds | a step | s | seconds | all
--: column own_seconds | by the program's own clock | s | seconds | all if external
--: column median | median error | | small | all
--: column p99 | 99 % | | small | all
--: column max | largest | | small | all
--: figure panels
--: panels 2
SELECT printf('N = %.0f', n) AS title, e.x_label, 'a step [s]' AS y_label, NULL AS tics,
    0 AS linear, 0 AS least, 0 AS most
FROM (SELECT DISTINCT input, n FROM tried) JOIN end_of_errors e ORDER BY input, e.place;
--: series
SELECT 2 * (dense_rank() OVER (ORDER BY input) - 1) + e.place AS panel,
    input || '/' || e.place || '/' || device || '/' || code AS series,
    code || iif((SELECT count(DISTINCT device) > 1 FROM tried), ', ' || device, '') AS label,
    dense_rank() OVER (ORDER BY program, code) + 100 * coalesce(dash, 0) AS style,
    iif(e.place, error_p99, error_median) AS x, seconds AS y, seconds_low AS low,
    seconds_high AS high, extrapolated, cell_key
FROM tried JOIN end_of_errors e LEFT JOIN dash USING (device)
WHERE iif(e.place, error_p99, error_median) > 0 ORDER BY panel, style, x;
--: nothing measures it | {experiment} was not measured here

-- --- how a tree code of two walks uses its device (section 3.3.3, figure 3.8) ---

--: layout utilisation
--: setup
-- Of one evaluation, from the figures of a cell ("node interactions" ...) and the seconds of its
-- phases. GFLOPS by the paper's convention, 38 for two bodies (leaves) and 70 for a body and a cell
-- (nodes); a code of one walk has the phase "walk" alone. The peak is two flops for each
-- multiply-add that the device was measured to do. Walks: bytes a second that their threads read
-- and write. active_threads: the share of the threads that hold a body.
CREATE TEMP TABLE work AS
WITH figures AS (
    SELECT f.cell_key, max(iif(f.name = 'leaf interactions', f.value, NULL)) AS leaf,
        max(iif(f.name = 'node interactions', f.value, NULL)) AS node,
        max(iif(f.name = 'walk 1 bytes', f.value, NULL)) AS bytes_1,
        max(iif(f.name = 'walk 2 bytes', f.value, NULL)) AS bytes_2,
        max(iif(f.name = 'bodies per group', f.value, NULL)) AS per_group,
        max(iif(f.name = 'active threads', f.value, NULL)) AS active
    FROM figure f JOIN result USING (cell_key) GROUP BY f.cell_key),
 phases AS (
    SELECT cell_key, max(iif(name = 'nodes', seconds, NULL)) AS nodes_s,
        max(iif(name = 'leaves', seconds, NULL)) AS leaves_s,
        max(iif(name = 'walk', seconds, NULL)) AS walk_s,
        max(iif(name = 'walk 1', seconds, NULL)) AS walk_1_s,
        max(iif(name = 'walk 2', seconds, NULL)) AS walk_2_s
    FROM phase_time GROUP BY cell_key),
 known AS (
    SELECT r.cell_key, f.leaf / (r.steps + 1) AS leaf, f.node / (r.steps + 1) AS node,
        f.bytes_1 / (r.steps + 1) AS bytes_1, f.bytes_2 / (r.steps + 1) AS bytes_2,
        s.flops * (f.leaf / (r.steps + 1)) AS leaf_flops,
        r.gflops * 1e9 * r.seconds / (r.steps + 1) AS flops, p.*,
        iif(p.nodes_s IS NULL, p.walk_s, p.nodes_s + p.leaves_s) AS both_s,
        c.fma_per_second AS peak, o.flops_true / (r.steps + 1) AS flops_true, f.per_group, f.active
    FROM result r JOIN scope s LEFT JOIN figures f USING (cell_key)
    LEFT JOIN phases p USING (cell_key)
    LEFT JOIN cell_ceiling c USING (cell_key) JOIN cell o USING (cell_key)
    WHERE r.ok AND NOT r.extrapolated)
SELECT cell_key, (flops - leaf_flops) / nodes_s / 1e9 AS node_gflops,
    leaf_flops / leaves_s / 1e9 AS leaf_gflops, flops / both_s / 1e9 AS gflops,
    flops / both_s / (2 * peak) AS peak_share, flops_true / both_s > 2 * peak AS low_peak,
    node / nodes_s AS node_interactions_per_second,
    leaf / leaves_s AS leaf_interactions_per_second, bytes_1 / walk_1_s AS walk_1_bytes_per_second,
    bytes_2 / walk_2_s AS walk_2_bytes_per_second, per_group AS bodies_per_group,
    active AS active_threads
FROM known;
CREATE UNIQUE INDEX work_cell ON work(cell_key);
--: use printed
--: data Use of the device (GFLOPS count {flops} flops for two bodies, as the paper does)
SELECT s.machine, r.dataset, r.n, r.steps, r.variant, r.label, r.device, r.device_name,
    r.parameters, r.outcome, w.node_gflops, w.leaf_gflops, w.gflops, w.peak_share,
    number_text(100 * w.peak_share) AS "peak_share.text", iif(w.low_peak,
        'by its own count the device does more: the peak of that run is too low', NULL)
        AS "peak_share.note",
    w.node_interactions_per_second,
    w.leaf_interactions_per_second, w.walk_1_bytes_per_second,
    number_text(1e-9 * w.walk_1_bytes_per_second) AS "walk_1_bytes_per_second.text",
    w.walk_2_bytes_per_second,
    number_text(1e-9 * w.walk_2_bytes_per_second) AS "walk_2_bytes_per_second.text",
    w.bodies_per_group, w.active_threads,
    number_text(100 * w.active_threads) AS "active_threads.text", r.run, r.id AS cell, r.line
FROM result r JOIN scope s LEFT JOIN work w USING (cell_key)
WHERE NOT r.extrapolated ORDER BY r.place;
--: column node_gflops | GFLOPS, nodes | | number | all
--: column leaf_gflops | GFLOPS, leaves | | number | all
--: column gflops | GFLOPS, both | | number | all
--: column peak_share | of peak | % | right | all
--: column node_interactions_per_second | nodes/s | | si | all
--: column leaf_interactions_per_second | leaves/s | | si | all
--: column walk_1_bytes_per_second | walk 1 | GB/s | right | all
--: column walk_2_bytes_per_second | walk 2 | GB/s | right | all
--: column bodies_per_group | bodies in a group | | number | all
--: column active_threads | threads with a body | % | right | all
--: use own_programs
--: use family
--: setup
-- A column of panels a number of bodies.
ALTER TABLE scope ADD COLUMN across;
UPDATE scope SET across = max(1, (SELECT count(*) FROM chosen_size WHERE most = 3));
CREATE TEMP TABLE work_panel AS
SELECT s.across * row + z.place AS place, p.*, z.n FROM scope s JOIN (
    SELECT 0 AS row, 'GFLOPS by the convention' AS y_label, 0 AS most
    UNION ALL SELECT 1, 'bandwidth [GB/s]', 0
    UNION ALL SELECT 2, 'threads with a body [%]', 100) p
JOIN chosen_size z ON z.most = 3;
CREATE TEMP VIEW work_drawn AS
SELECT cell_key, 0 AS row, 1 AS style, 'nodes' AS name, node_gflops AS y FROM work
UNION ALL SELECT cell_key, 0, 2, 'leaves', leaf_gflops FROM work
UNION ALL SELECT cell_key, 1, 3, 'walk 1', 1e-9 * walk_1_bytes_per_second FROM work
UNION ALL SELECT cell_key, 1, 4, 'walk 2', 1e-9 * walk_2_bytes_per_second FROM work
UNION ALL SELECT cell_key, 2, 5, 'threads with a body', 100 * active_threads FROM work;
--: figure panels
--: panels {across}
SELECT printf('N = %.0f', n) AS title, x_label, y_label, tics, most > 0 AS linear, 0 AS least, most
FROM work_panel JOIN parameter_axis ORDER BY place;
--: series
SELECT p.place AS panel, p.place || '/' || curve || '/' || w.style AS series,
    w.name AS label, w.style + f.dash AS style, c.x, w.y, f.curve AS _curve, w.style AS _style,
    cell_key, f.program AS "$dash"
FROM work_panel p JOIN family f ON f.over = 'parameter' AND f.member = p.n
JOIN curve_point c USING (over, curve) JOIN work_drawn w USING (cell_key, row)
WHERE w.y IS NOT NULL
-- What the text says of each curve, at every theta.
UNION ALL SELECT p.place, p.place || '/published', printf('published: %s %s', b.printed, b.unit),
    -7, x.x, b.value, 1000, 7, NULL, NULL
FROM work_panel p JOIN scope s JOIN published b ON b.experiment = s.experiment
    AND b.quantity = CASE p.row WHEN 0 THEN 'gflops' WHEN 1 THEN 'bandwidth' ELSE 'active_threads' END
JOIN curve_x x ON x.over = 'parameter'
ORDER BY panel, _curve, _style, 5;
--: nothing measures it | nothing is known of the work in {experiment} here

-- --- integrations by the leap-frog scheme (section 3.4) ---

-- Bodies a second over the number of bodies, beside energy and momentum.
--: layout integration
--: use clocks
--: use printed
--: data Integrations by the leap-frog scheme
SELECT s.machine, r.dataset, r.n, r.steps, r.variant, r.label, r.device, r.device_name,
    r.parameters, r.outcome, iif(r.extrapolated, 'extrapolated', 'no') AS extrapolated,
    r.bodies_per_second, r.extrapolated AS "bodies_per_second.about",
    r.seconds / (r.steps + 1) AS iteration_seconds,
    r.extrapolated AS "iteration_seconds.about",
    r.time_text AS measured,
    r.seconds, r.seconds_low, r.seconds_high, r.end_to_end_seconds,
    r.extrapolated AS "end_to_end_seconds.about", r.energy_drift, r.momentum_drift, r.error_median,
    r.error_p99, r.error_max, iif(r.extrapolated, NULL, r.samples) AS samples, r.run, r.id AS cell,
    r.line
FROM result r JOIN scope s ORDER BY r.place;
--: column bodies_per_second | bodies/s | | si | all
--: column iteration_seconds | a force evaluation | | seconds | all
--: column measured | all steps | | right | people
--: column end_to_end_seconds | all steps, end to end | | seconds | all
--: column energy_drift | drift of energy | | small | all
--: column momentum_drift | of momentum | | small | all
--: column error_median | error median | | small | all
--: column error_p99 | error p99 | | small | all
--: column error_max | error max | | small | all
--: figure curves
--: series
SELECT c.place AS series, c.curve_label AS label, c.style, p.x, r.bodies_per_second AS y,
    r.bodies_per_second * r.seconds / r.seconds_high AS low,
    r.bodies_per_second * r.seconds / r.seconds_low AS high, r.extrapolated, r.cell_key,
    c.device AS "$dash"
FROM drawn_curve c
JOIN curve_point p ON p.over = c.over AND p.curve = c.place JOIN result r USING (cell_key)
WHERE c.along AND r.bodies_per_second > 0 ORDER BY c.place, p.x;
--: series
-- Printed rates, an open symbol each of the program's colour.
SELECT v.place || '/' || i.place AS series, v.label || ', ' || (SELECT name FROM printed_card k WHERE
        k.device = p.device) AS label, -(v.place + 1) AS style, i.n AS x, p.value AS y, p.value - p.half_unit AS low,
    p.value + p.half_unit AS high
FROM program v JOIN printed p USING (variant) JOIN input i ON i.place = p.input
WHERE p.quantity = 'bodies_per_second' AND p.reference IS NULL ORDER BY v.place, i.place;
--: variables
SELECT name, value FROM x_axis UNION ALL SELECT 'y_label', 'bodies a second, by the time of the steps'
UNION ALL SELECT 'y_format', '10^{%L}'
-- Of one size there is a bar a program.
UNION ALL SELECT 'height', 250 + 60 * count(DISTINCT curve) FROM curve_point WHERE over = 'n' HAVING count(DISTINCT x) = 1;
--: nothing measures it | {experiment} was not measured here

-- Of `orrery audit`.
--: part paper_audit
--: use limits
