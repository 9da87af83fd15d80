-- SPDX-License-Identifier: MIT
-- What the report by Feng and Romero shows: the phases of an iteration (figures 7 to 13 and its
-- remarks on memory accesses) and what approximating costs (figures 14 to 17). An iteration is one
-- evaluation of the forces; a step of `steps` leap-frog steps has steps + 1 of them.

-- What scope.quantity names of each phase, 'seconds', 'share' or 'growth', as a grid; and every
-- value for programs.
--: part phase_tables
--: use clocks
--: setup
-- Phases in the order of a step, the iteration first. drawn: the experiment lists them; style:
-- by the place in its list, so that figures with and without a phase agree.
CREATE TEMP TABLE shown_phase AS
WITH listed AS (SELECT d.name, d.place FROM drawn_phase d JOIN scope USING (experiment))
SELECT p.place, p.name, l.place IS NOT NULL AS drawn,
    1 + coalesce(l.place, (SELECT count(*) FROM listed) + p.place) AS style
FROM phase_name p LEFT JOIN listed l USING (name)
UNION ALL SELECT -1, 'iteration', NOT EXISTS (SELECT 1 FROM listed), NULL;
-- Each phase at each point of a curve. share: of the sum of all phases; growth: over the time at
-- the curve's smallest size, which a curve over a parameter has not.
CREATE TEMP TABLE phase_value AS
WITH point AS (
    SELECT p.curve, p.x, p.cell_key, p.x = min(p.x) OVER (PARTITION BY p.curve) AS first,
        r.extrapolated, r.seconds / (r.steps + 1) AS seconds
    FROM curve c JOIN curve_point p ON p.over = c.over AND p.curve = c.place
    JOIN result r USING (cell_key) WHERE c.along),
 every AS (
    SELECT curve, x, cell_key, first, extrapolated, -1 AS phase, seconds FROM point
    UNION ALL SELECT o.curve, o.x, o.cell_key, o.first, o.extrapolated, t.place, t.seconds
    FROM point o JOIN phase_time t USING (cell_key))
SELECT curve, x, cell_key, extrapolated, phase, seconds, iif(phase < 0, 1.0, seconds
        / sum(iif(phase < 0, 0, seconds)) OVER (PARTITION BY cell_key)) AS share,
    iif(s.over_n, seconds / max(iif(first, seconds, NULL)) OVER (PARTITION BY curve, phase), NULL)
        AS growth
FROM every JOIN scope s ORDER BY curve, x, cell_key, phase;
CREATE INDEX phase_value_curve ON phase_value(curve, phase);
-- Growth that the report prints, beside the curves with its setting.
CREATE TEMP TABLE printed_growth AS
SELECT c.place AS curve, h.place AS phase, p.input, i.n AS x, p.value, p.half_unit, p.printed,
    p.device, p.erratum
FROM scope s JOIN curve c ON c.along AND c.faithful JOIN printed p USING (variant)
JOIN shown_phase h ON h.name = p.reference JOIN input i ON i.place = p.input
WHERE s.quantity = 'growth' AND p.quantity = 'growth' AND s.over_n;
ALTER TABLE scope ADD COLUMN phase_title TEXT;
UPDATE scope SET settings = EXISTS (SELECT 1 FROM curve WHERE along AND setting <> ''),
    phase_title = CASE quantity WHEN 'seconds' THEN 'Time of each phase in an iteration'
        WHEN 'share' THEN 'Share of each phase in the sum of all, and the time of an iteration'
        ELSE 'Time of each phase over its time at the smallest size' END;
-- The grid's rows: printed numbers above the measured ones of their phase.
CREATE TEMP TABLE phase_row AS
SELECT DISTINCT curve, phase, 1 AS measured, '' AS device FROM phase_value
UNION ALL SELECT curve, phase, 0, device FROM (
    SELECT curve, phase, device, min(input) FROM printed_growth GROUP BY curve, phase);
--: grid {phase_title}
SELECT r.curve || '/' || r.phase || '/' || r.measured AS row, c.label AS program,
    iif(r.measured, c.setting, '') AS setting,
    iif(r.measured, c.device, 'published, ' || r.device) AS "on", printf('%.0f', i.n) AS n,
    h.name AS phase, NULL AS "*sizes"
FROM phase_row r JOIN curve c ON c.along AND c.place = r.curve
JOIN shown_phase h ON h.place = r.phase LEFT JOIN input i ON i.place = c.input
ORDER BY r.curve, r.phase < 0, r.phase, r.measured;
--: column n | N | | right | people if NOT over_n
--: column phase | phase | | left | people
--: spread sizes
SELECT NULL AS row, place AS key, head, NULL AS value, NULL AS note FROM curve_x WHERE along
UNION ALL SELECT v.curve || '/' || v.phase || '/1', k.place, '', CASE
        WHEN s.quantity = 'growth' THEN number_text(v.growth)
        WHEN s.quantity = 'share' AND v.phase >= 0 THEN printf('%.1f %%', 100 * v.share)
        ELSE seconds_text(v.seconds) END || iif(v.extrapolated, ' ≈', ''), NULL
FROM phase_value v JOIN scope s JOIN curve_x k ON k.along AND k.x = v.x
UNION ALL SELECT p.curve || '/' || p.phase || '/0', k.place, '', p.printed, p.erratum
FROM printed_growth p JOIN curve_x k ON k.along AND k.x = p.x
ORDER BY row, key;
--: data Every phase of every cell
SELECT v.cell_key, s.machine, r.dataset, r.n, r.steps, r.variant, r.label, r.device, r.device_name,
    r.parameters, r.outcome, iif(v.extrapolated, 'extrapolated', 'no') AS extrapolated,
    h.name AS phase, v.seconds, v.extrapolated AS "seconds.about", v.share,
    v.extrapolated AS "share.about", v.growth, v.extrapolated AS "growth.about",
    iif(v.growth IS NULL, '—', NULL) AS "growth.text",
    iif(v.phase < 0, errors_text(r.error_median, r.error_p99, r.error_max), NULL) AS error,
    iif(v.phase < 0, r.error_median, NULL) AS error_median,
    iif(v.phase < 0, r.error_p99, NULL) AS error_p99,
    iif(v.phase < 0, r.error_max, NULL) AS error_max,
    iif(v.phase < 0 AND NOT v.extrapolated, r.samples, NULL) AS samples, r.run, r.id AS cell, r.line
FROM phase_value v JOIN scope s JOIN result r USING (cell_key) JOIN shown_phase h
    ON h.place = v.phase
ORDER BY v.curve, v.x, v.cell_key, v.phase;
--: column steps | steps | | right | programs
--: column phase | phase | | left | all
--: column seconds | time | | seconds | all
--: column share | share | | percent | all
--: column growth | growth | | number | all

-- Curves of the drawn phases over the number of bodies or over the parameter. Times are in ms; only
-- those of the iteration have intervals.
--: part phase_curves
--: setup
CREATE TEMP TABLE phase_figure AS
SELECT s.quantity = 'growth' AS growth, count(d.name) AS listed, CASE count(d.name)
    WHEN 0 THEN 'an iteration' WHEN 1 THEN d.name ELSE 'a phase' END AS what
FROM scope s LEFT JOIN drawn_phase d USING (experiment);
CREATE TEMP TABLE phase_point AS
SELECT v.curve, v.phase, NULL AS input, iif(f.listed > 1, h.name || ', ', '') || c.curve_label AS label,
    iif(f.listed > 1, h.style + 100 * v.curve, c.style) AS style, v.x,
    iif(f.growth, v.growth, 1e3 * v.seconds) AS y, iif(f.growth OR v.phase >= 0, NULL,
        1e3 * (v.seconds / r.seconds) * r.seconds_low) AS low,
    iif(f.growth OR v.phase >= 0, NULL, 1e3 * (v.seconds / r.seconds) * r.seconds_high) AS high,
    v.extrapolated, r.cell_key, iif(f.listed > 1, c.curve_label, c.device) AS dash
FROM phase_figure f JOIN phase_value v JOIN drawn_curve c ON c.along AND c.place = v.curve
JOIN shown_phase h ON h.place = v.phase AND h.drawn
JOIN result r USING (cell_key)
UNION ALL SELECT p.curve, p.phase, p.input, h.name || coalesce(', ' || (SELECT name
        FROM printed_card k WHERE k.device = p.device), ', published'), -h.style, p.x, p.value,
    p.value - p.half_unit, p.value + p.half_unit, 0, NULL, NULL
FROM printed_growth p JOIN shown_phase h ON h.place = p.phase AND h.drawn
-- A setting that the text has so many times slower than the report's own, which is the first of its axis.
UNION ALL SELECT o.place, v.phase, -1, p.reference || ', published: ' || p.printed || ' times the first', -o.style, v.x,
    1e3 * v.seconds * p.value, NULL, NULL, 0, NULL, NULL
FROM printed p JOIN drawn_curve c ON c.along AND c.variant = p.variant AND c.varied = 0 JOIN drawn_curve o ON o.along
    AND o.variant = c.variant AND o.device = c.device AND instr(o.curve_label, p.reference || ',')
JOIN phase_value v ON v.curve = c.place JOIN shown_phase h ON h.place = v.phase AND h.drawn
JOIN phase_figure f ON NOT f.growth WHERE p.quantity = 'slowdown' AND p.input IS NULL;
DELETE FROM phase_point WHERE coalesce(y, 0) <= 0;
--: series
SELECT curve || '/' || phase || '/' || coalesce(input, '') AS series, label, style, x, y, low,
    high, extrapolated, cell_key, dash AS "$dash"
FROM phase_point ORDER BY curve, phase, input, x;
--: variables
SELECT name, value FROM x_axis
UNION ALL SELECT 'y_label', iif(growth, 'time of ' || what || ' over that of the smallest size',
    'time of ' || what || ' [ms]') FROM phase_figure
UNION ALL SELECT 'y_format', '%g'
UNION ALL SELECT 'guide', iif(growth, (SELECT 1.0 / min(x) FROM phase_point), 0) FROM phase_figure
UNION ALL SELECT 'guide_name', 'linear'
-- The report's figures 9 and 10 have linear axes: of figure 12 it says that its axes are logarithmic. Where
-- little of their range was measured all would be in a corner.
UNION ALL SELECT 'straight', growth AND listed > 1 AND (SELECT 2 * max(iif(cell_key IS NULL, 0, x)) >= max(x) FROM phase_point)
FROM phase_figure
UNION ALL SELECT 'estimates', coalesce(max(extrapolated AND phase < 0), 0) FROM phase_point;
--: nothing measures them | no times of phases of {experiment} here

-- Times of the phases (figures 11 and 13), and what a setting such as sort or throttle changes.
--: layout phases
--: set quantity 'seconds'
--: setup
-- A curve beside the first of the same program and device that has all values of its setting but
-- one.
CREATE TEMP TABLE changed AS
WITH own AS (SELECT c.*, s.over_n, s.parameter FROM curve c JOIN scope s WHERE c.along),
 entry AS (
    SELECT c.place AS curve, e.entry FROM own c JOIN line_entry e USING (line)
    WHERE c.over_n OR e.name <> c.parameter)
SELECT c.place AS curve, min(o.place) AS other FROM own c JOIN own o USING (variant, device)
WHERE o.place < c.place AND o.input IS c.input AND (
    SELECT count(*) FROM entry e WHERE e.curve = c.place
        AND e.entry NOT IN (SELECT x.entry FROM entry x WHERE x.curve = o.place)) = 1
GROUP BY c.place;
--: grid? What the setting changes: time over that of another setting
SELECT d.curve || '/' || h.place AS row, c.label AS program,
    c.difference || ' over ' || o.difference AS factor, c.device AS "on", h.name AS phase,
    p.printed, p.erratum AS "printed.note", NULL AS "*sizes"
FROM changed d JOIN curve c ON c.along AND c.place = d.curve
JOIN curve o ON o.along AND o.place = d.other JOIN shown_phase h ON h.drawn OR h.place < 0
LEFT JOIN printed p ON h.place >= 0 AND p.variant = c.variant AND p.input IS NULL
    AND p.quantity = 'slowdown' AND p.reference = c.difference
ORDER BY d.curve, h.place;
--: column factor | factor | | left | people
--: column phase | phase | | left | people
--: column printed | printed | | right | people
--: spread sizes
SELECT NULL AS row, place AS key, head, NULL AS value FROM curve_x WHERE along
UNION ALL SELECT a.curve || '/' || a.phase, k.place, '', number_text(a.seconds / b.seconds)
    || iif(a.extrapolated OR b.extrapolated, ' ≈', '')
FROM changed d JOIN phase_value a ON a.curve = d.curve
JOIN phase_value b ON b.curve = d.other AND b.phase = a.phase AND b.x = a.x
JOIN curve_x k ON k.along AND k.x = a.x
ORDER BY row, key;
--: use phase_tables
--: figure curves
--: use phase_curves

-- How the phases grow with the number of bodies (figures 9, 10 and 12).
--: layout growth
--: set quantity 'growth'
--: use phase_tables
--: figure curves
--: use phase_curves

-- Shares of the phases in an iteration (figures 7 and 8): a stack of phases for each point. Bars
-- stand a unit apart, curves one and a half. An extrapolated point has no phases and no bar.
--: layout shares
--: set quantity 'share'
--: use phase_tables
--: setup
CREATE TEMP TABLE bar AS
SELECT row_number() OVER (ORDER BY curve, x) AS bar, curve, x, cell_key,
    row_number() OVER (ORDER BY curve, x) - 1 + 0.5 * curve AS place
FROM (SELECT DISTINCT curve, x, cell_key FROM phase_value
    WHERE phase >= 0 AND curve IN (SELECT place FROM drawn_curve WHERE along));
--: figure shares
--: series
SELECT v.phase AS series, h.name AS label, h.style, b.bar AS _bar,
    printf('%.3f', b.place) AS place, printf('%.6f', 100 * (v.top - v.share)) AS low,
    printf('%.6f', 100 * v.top) AS high, cell_key
FROM (SELECT *, sum(share) OVER (PARTITION BY cell_key ORDER BY phase) AS top
    FROM phase_value WHERE phase >= 0) v
JOIN bar b USING (cell_key) JOIN shown_phase h ON h.place = v.phase
ORDER BY v.phase, b.bar;
--: variables
SELECT 'bar_' || bar, place FROM bar
UNION ALL SELECT 'bar_x_' || bar, x FROM bar
UNION ALL SELECT 'bars', count(*) FROM bar
UNION ALL SELECT 'curve_' || (c.place + 1), (min(b.place) + max(b.place)) / 2
FROM curve c LEFT JOIN bar b ON b.curve = c.place WHERE c.along GROUP BY c.place
UNION ALL SELECT 'curve_label_' || (place + 1),
    coalesce((SELECT d.curve_label FROM drawn_curve d WHERE d.over = c.over AND d.place = c.place
        AND d.place IN (SELECT curve FROM bar)), '')
FROM curve c WHERE c.along
UNION ALL SELECT 'curves', count(*) FROM curve WHERE along
UNION ALL SELECT name, value FROM x_axis WHERE name = 'x_label';
--: nothing measures them | no times of phases of {experiment} here

-- How far the bodies went from where direct sums take them, over theta (figures 14 to 17). The
-- report's cost is the sum over all bodies, which grows with N by itself; the mean stands beside.
--: layout cost
--: data Squared distance of positions, squared difference of speeds and of velocities
SELECT r.cell_key, s.machine, r.dataset, r.n, r.steps, r.variant, r.label, r.device, r.device_name,
    r.parameters, r.outcome, trajectory_position_sum AS position_sum,
    trajectory_position_mean AS position_mean, trajectory_speed_sum AS speed_sum,
    trajectory_speed_mean AS speed_mean, trajectory_velocity_sum AS velocity_sum,
    trajectory_velocity_mean AS velocity_mean, r.error_median, r.error_p99, r.error_max, r.seconds,
    r.run, r.id AS cell, r.line
FROM result r JOIN scope s ORDER BY r.place;
--: column position_sum | position, sum | | small | all
--: column position_mean | position, mean | | small | all
--: column speed_sum | speed, sum | | small | all
--: column speed_mean | speed, mean | | small | all
--: column velocity_sum | velocity, sum | | small | all
--: column velocity_mean | velocity, mean | | small | all
--: column error_median | error median | | small | all
--: column error_p99 | error p99 | | small | all
--: column error_max | error max | | small | all
--: setup
-- The figure has one mean, on its right axis: of several numbers of bodies the largest is drawn,
-- with the most steps. Of many settings those that differ in one alone, and their positions.
CREATE TEMP TABLE cost_point AS
WITH every AS (
    SELECT c.place AS curve, c.style % 100 AS style, c.curve_label AS label, c.varied, p.x, r.*,
        rank() OVER (ORDER BY r.n DESC, r.steps DESC) AS size,
        (SELECT count(*) > 8 FROM drawn_curve WHERE along) AS many
    FROM scope s JOIN drawn_curve c ON c.along
    JOIN curve_point p ON p.over = c.over AND p.curve = c.place JOIN result r USING (cell_key)
    WHERE NOT s.over_n)
SELECT curve, 0 AS cost, 'position, ' || label AS label, style, x, n, steps,
    trajectory_position_sum AS y, cell_key, 'position' AS dash FROM every WHERE size = 1 AND NOT (many AND varied > 1)
UNION ALL SELECT curve, 1, 'speed, ' || label, style % 100 + 100, x, n, steps,
    trajectory_speed_sum, cell_key, 'speed' FROM every WHERE size = 1 AND NOT many;
UPDATE cost_point SET style = 100 * (style / 100) + (SELECT count(DISTINCT o.curve) FROM cost_point o
    WHERE o.curve <= cost_point.curve);
--: figure curves
--: series
SELECT curve || '/' || cost AS series, label, style, x, y, cell_key, dash AS "$dash"
FROM cost_point WHERE x > 0 AND y > 0
ORDER BY curve, cost, x;
--: variables
SELECT name, value FROM x_axis
UNION ALL SELECT 'y_label', printf('sum of the squared differences after %.0f steps', max(steps))
FROM cost_point
UNION ALL SELECT 'y_format', '10^{%L}'
UNION ALL SELECT 'mean_of', max(n) FROM cost_point;
--: nothing makes them | {experiment} has no trajectories here

-- Of `orrery audit`.
--: part paper_audit
--: use limits
