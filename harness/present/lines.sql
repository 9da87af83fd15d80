-- SPDX-License-Identifier: MIT
-- Behind scope.sql: lines, baselines, parts of the time and curves.

-- A dash a device in figures; the host and the first device have none.
CREATE TEMP TABLE dash AS
SELECT device, iif(device = 'host', 0, row_number() OVER (PARTITION BY device = 'host'
    ORDER BY device) - 1) AS dash
FROM (SELECT DISTINCT device FROM result);
-- Figures name published numbers by the card, without its clock, and the paper's year.
CREATE TEMP VIEW printed_card AS
SELECT DISTINCT p.device, trim(iif(instr(p.device, '('), substr(p.device, 1, instr(p.device, '(')
    - 1), p.device)) || coalesce(', ' || o.year, '') AS name
FROM published p JOIN scope s ON p.paper = substr(s.experiment, 1, instr(s.experiment, '/') - 1)
LEFT JOIN paper o USING (paper);
-- Lines of a table or figure: a program on a device with one setting, in the paper's order of
-- programs, then by device and setting; device '' where a program of the experiment was not
-- measured. One line of each program and device is faithful, the one that the published numbers
-- stand beside: that with the paper's setting, in words rather than from before a parameter was
-- there, or, where there is none, the first. style is of plots/common.gp: a dash a device, a colour
-- a program or, where programs have several settings, a program with its setting.
CREATE TEMP TABLE line AS
WITH every AS (
    SELECT variant, program, program_label AS label, device, setting, min(ordered) AS ordered,
        max(faithful AND standard) AS faithful
    FROM result GROUP BY variant, device, setting
    UNION ALL SELECT variant, place, label, '', '', '', 1 FROM program p
    WHERE takes_part AND NOT EXISTS (SELECT 1 FROM result r WHERE r.variant = p.variant)),
 placed AS (
    SELECT *, row_number() OVER whole - 1 AS place,
        dense_rank() OVER (ORDER BY program, ordered, setting COLLATE by_number) AS kind,
        row_number() OVER (PARTITION BY variant, device
            ORDER BY faithful DESC, length(ordered) DESC, ordered, setting COLLATE by_number) = 1
            AS chosen,
        count(*) OVER (PARTITION BY variant, device) AS siblings
    FROM every WINDOW whole AS (ORDER BY program, device, ordered, setting COLLATE by_number))
SELECT place, variant, program, label, device, setting, '' AS difference, chosen AS faithful,
    iif((SELECT max(siblings) FROM placed) > 1, kind, program + 1) + 100 * coalesce(dash, 0) AS style
FROM placed LEFT JOIN dash USING (device) ORDER BY place;
UPDATE scope SET settings = EXISTS (SELECT 1 FROM line WHERE setting <> '');
-- The value of what is no axis of the experiment that figures show: the guess that was taken for what
-- the paper does not print, else that of most cells.
CREATE TEMP TABLE usual AS
SELECT variant, entry FROM (SELECT r.variant, e.entry, row_number() OVER (PARTITION BY r.variant, e.name
        ORDER BY EXISTS (SELECT 1 FROM guess g JOIN scope s USING (paper)
            WHERE e.entry = g.setting || '=' || g.taken) DESC, count(*) DESC, e.entry) AS age
    FROM setting_entry e JOIN result r USING (cell_key) WHERE NOT e.own GROUP BY r.variant, e.name, e.entry)
WHERE age = 1;
-- The entries of each line's setting, in their order. common: all lines of the program have it;
-- varied: it is a value of one of the experiment's axes but the first; strange: of no axis, and not
-- usual.
CREATE TEMP TABLE line_entry AS
WITH every AS (
    SELECT l.place AS line, l.variant, e.name, e.entry, e.own, coalesce(e.rank, 1) > 0 AS later,
        row_number() OVER (PARTITION BY l.place ORDER BY e.place NULLS LAST, e.name) AS place
    FROM line l JOIN setting_entry e ON e.cell_key = (SELECT min(cell_key) FROM result r
        WHERE r.variant = l.variant AND r.device = l.device AND r.setting = l.setting))
SELECT line, place, name, entry, own, own AND later AS varied,
    NOT own AND (variant, entry) NOT IN (SELECT variant, entry FROM usual) AS strange,
    (SELECT count(*) FROM every o WHERE o.variant = e.variant
    AND o.entry = e.entry) = (SELECT count(*) FROM line l WHERE l.variant = e.variant) AS common
FROM every e ORDER BY line, place;
UPDATE line SET difference = coalesce((SELECT group_concat(entry, ', ')
    FROM (SELECT entry FROM line_entry e WHERE e.line = line.place AND NOT common
          ORDER BY e.place)), '');

-- The cell of a line for an input: the newest, of those with the paper's steps and setting first.
CREATE TEMP TABLE line_result AS
SELECT line, input, cell_key FROM (
    SELECT l.place AS line, r.input, r.cell_key, row_number() OVER (PARTITION BY l.place, r.input
        ORDER BY r.standard DESC, r.faithful DESC, r.started DESC, r.place) AS age
    FROM line l JOIN result r USING (variant, device, setting))
WHERE age = 1;
CREATE INDEX line_result_line ON line_result(line, input);

-- A cell's speedup over each of the experiment's baselines is taken from one on the same device with
-- the same values of the parameters both have where there is such a cell, else from the fastest one.
CREATE TEMP TABLE reference AS
SELECT cell_key, baseline, other FROM (
    SELECT r.cell_key, b.variant AS baseline, o.cell_key AS other, row_number() OVER (
        PARTITION BY r.cell_key, b.variant ORDER BY o.device = r.device AND NOT EXISTS (
            SELECT 1 FROM parameter p JOIN parameter q USING (name)
            WHERE p.cell_key = r.cell_key AND q.cell_key = o.cell_key AND p.value <> q.value) DESC,
        o.seconds, o.place) AS age
    FROM baseline b JOIN scope s USING (experiment) JOIN result o USING (variant)
    JOIN result r ON r.input = o.input AND r.steps = o.steps
    WHERE o.ok AND r.ok)
WHERE age = 1 AND other <> cell_key;
-- baseline seconds / seconds, with its interval where both have samples, of so many processes a
-- side.
CREATE TEMP VIEW speedup AS
SELECT r.cell_key, f.baseline, b.seconds / r.seconds AS ratio,
    ratio_bound(r.cell_key, f.other, 0) AS low, ratio_bound(r.cell_key, f.other, 1) AS high,
    r.extrapolated OR b.extrapolated AS extrapolated, min(r.processes, b.processes) AS processes
FROM result r JOIN reference f USING (cell_key) JOIN result b ON b.cell_key = f.other;

-- The host's stages; in_step: they are part of the step.
CREATE TEMP TABLE stage_name AS
SELECT row_number() OVER (ORDER BY min(t.rowid)) - 1 AS place, t.name,
    max(coalesce(in_step, 0)) AS in_step
FROM stage t JOIN shown USING (cell_key) GROUP BY t.name;
-- Seconds of each of them, by cell.
CREATE TEMP TABLE stage_time AS
SELECT r.cell_key, n.place, n.name, n.in_step, sum(t.seconds) AS seconds
FROM result r JOIN stage t USING (cell_key) JOIN stage_name n USING (name)
GROUP BY r.cell_key, n.name;
CREATE INDEX stage_time_cell ON stage_time(cell_key, place);

-- Phases on the device. The cell with the most of them tells their order: others leave some out.
-- CROSS JOIN: of the phases of all cells, only those of these few are looked at.
CREATE TEMP TABLE phase_name AS
WITH p AS (
    SELECT cell_key, p.name, min(p.rowid) AS at
    FROM shown CROSS JOIN phase p USING (cell_key) GROUP BY cell_key, p.name),
 fullest AS (SELECT cell_key FROM p GROUP BY cell_key ORDER BY count(*) DESC LIMIT 1)
SELECT row_number() OVER (
    ORDER BY min(iif(cell_key IN fullest, at, NULL)) NULLS LAST, min(at)) - 1 AS place, name
FROM p GROUP BY name;
-- Median seconds of each phase, of one evaluation of the forces.
CREATE TEMP TABLE phase_time AS
SELECT r.cell_key, n.place, n.name, median(p.seconds) / (r.steps + 1) AS seconds
FROM result r CROSS JOIN phase p USING (cell_key) JOIN phase_name n USING (name)
GROUP BY r.cell_key, n.name;
CREATE INDEX phase_time_cell ON phase_time(cell_key, place);

-- Where the seconds of one evaluation go: the host's stages within the step, the device's phases,
-- and the whole of it; the rest is launches and waiting. Of a cell that failed nothing is known.
CREATE TEMP VIEW time_split AS
SELECT r.cell_key,
    (SELECT sum(t.seconds / (r.steps + 1)) FROM stage_time t
     WHERE t.cell_key = r.cell_key AND t.in_step AND r.ok) AS host,
    (SELECT sum(t.seconds) FROM phase_time t WHERE t.cell_key = r.cell_key AND r.ok) AS device,
    coalesce(r.single_seconds, r.seconds) / (r.steps + 1) AS whole
FROM result r;

-- Points of curves: the ok cells of a line over the number of bodies (over 'n') or over the
-- experiment's parameter (over 'parameter'), then one curve for each input.
CREATE TEMP TABLE curve_point AS
WITH over(over) AS (SELECT 'n' UNION ALL SELECT 'parameter' FROM scope WHERE parameter IS NOT NULL),
 point AS (
    SELECT over, l.place AS line, r.input, r.cell_key, l.variant, l.device,
        iif(over = 'n', r.n, p.number) AS x, iif(over = 'n', NULL, r.input) AS at,
        coalesce((SELECT group_concat(entry, ', ') FROM (
            SELECT entry FROM line_entry e WHERE e.line = l.place
                AND (over = 'n' OR e.name <> s.parameter) ORDER BY e.place)), '') AS setting
    FROM over JOIN scope s JOIN line l JOIN line_result m ON m.line = l.place
    JOIN result r USING (cell_key)
    LEFT JOIN parameter p ON p.cell_key = r.cell_key AND p.name = s.parameter
    WHERE r.ok),
 first AS (
    SELECT *, min(1000000 * line + input) OVER (
        PARTITION BY over, variant, device, setting, at) AS first
    FROM point WHERE x IS NOT NULL)
SELECT over, dense_rank() OVER (PARTITION BY over ORDER BY first) - 1 AS curve, x, cell_key, line,
    setting, at
FROM first;
-- The curves. `along`: over what the experiment asks for.
CREATE TEMP TABLE curve AS
SELECT c.over, c.curve AS place, min(c.line) AS line, l.variant, l.program, l.label, l.device,
    c.setting, '' AS difference, c.at AS input, max(l.faithful) AS faithful,
    iif(c.over = 'n', min(l.style), c.curve + 1 + 100 * coalesce(d.dash, 0)) AS style, (c.over = 'n') = s.over_n AS along
FROM curve_point c JOIN scope s JOIN line l ON l.place = c.line LEFT JOIN dash d USING (device)
GROUP BY c.over, c.curve;
UPDATE curve SET difference = coalesce((SELECT group_concat(entry, ', ') FROM (
    SELECT entry FROM line_entry e WHERE e.line = curve.line AND NOT common
        AND (curve.over = 'n' OR e.name <> (SELECT parameter FROM scope))
    ORDER BY e.place)), '');
-- Every x, and for curves over N the sizes of published inputs. head: "theta = 0.5", "N = 500".
CREATE TEMP TABLE curve_x AS
SELECT over, row_number() OVER (PARTITION BY over ORDER BY x) - 1 AS place, x,
    iif(over = 'n', printf('N = %.0f', x), printf('%s = %.6g', parameter, x)) AS head,
    (over = 'n') = over_n AS along
FROM (SELECT over, x FROM curve_point UNION SELECT 'n', CAST(n AS REAL) FROM input WHERE published)
    JOIN scope;
-- The curves that figures draw: of each program and device those with nothing strange in their
-- setting, or with the least of it. varied: how many axes have another value than their first, the
-- parameter apart. label: "CUDA, theta=1, N = 500, cuda:0".
CREATE TEMP TABLE drawn_curve AS
WITH every AS (
    SELECT c.*, coalesce(sum(e.strange), 0) AS strange, coalesce(sum(e.varied), 0) AS varied,
        min(coalesce(sum(e.strange), 0)) OVER (PARTITION BY c.over, c.variant, c.device) AS least
    FROM curve c JOIN scope s LEFT JOIN line_entry e ON e.line = c.line AND e.name IS NOT s.parameter
    GROUP BY c.over, c.place)
SELECT c.*, c.label || coalesce(', ' || (SELECT group_concat(entry, ', ')
        FROM (SELECT entry FROM line_entry e JOIN scope s WHERE e.line = c.line AND NOT common AND (own OR c.strange)
            AND (c.over = 'n' OR e.name <> s.parameter) ORDER BY e.place)), '')
    || iif(i.n IS NULL, '', printf(', N = %.0f', i.n)) || ', ' || c.device AS curve_label
FROM every c LEFT JOIN input i ON i.place = c.input WHERE c.strange = c.least;
-- The variables of plots/curves.gp for the x axis of the curves `along`.
CREATE TEMP VIEW x_axis AS
SELECT 'x_label' AS name, iif(over_n, 'N (bodies)', parameter) AS value FROM scope
UNION ALL SELECT 'x_base', iif(over_n, 10, 1) FROM scope
UNION ALL SELECT 'x_values', iif(over_n, '', coalesce((SELECT group_concat(printf('%.6g', x), ' ')
    FROM (SELECT x FROM curve_x WHERE along ORDER BY x)), '')) FROM scope;
