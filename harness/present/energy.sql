-- SPDX-License-Identifier: MIT
-- Energy of the cells of any experiment: `orrery table EXPERIMENT --quantity energy`
-- (docs/METHOD.md, "Energy and sensors").

--: layout energy
--: setup
-- digits: of the median error that the cell is judged by, at most those of single precision. error:
-- of the counter, by power integrated beside it; net: the same joules, of fewer.
CREATE TEMP TABLE energy_cell AS
WITH own AS (
    SELECT r.cell_key, c.joules_step AS step, c.joules_step - c.joules_idle_step AS net,
        c.joules_idle_step AS idle, c.joules_error AS error, c.idle_w, c.joules_counter AS counter,
        c.interactions, iif(coalesce(c.bound_by_terms, 0), c.error_by_terms_median, c.error_median)
            AS median,
        CASE WHEN NOT r.ok THEN r.outcome WHEN r.extrapolated THEN 'extrapolated, not measured'
            WHEN c.joules_step IS NULL THEN coalesce(c.joules_reason,
                'not asked for (run --energy)') END AS reason,
        r.ok AND (r.extrapolated OR (c.joules_step IS NULL AND c.joules_reason IS NULL)) AS unasked
    FROM result r JOIN cell c USING (cell_key))
SELECT *, CASE WHEN median >= 1 THEN NULL WHEN median > 0.5 / (1 << 23) THEN -log10(median)
    WHEN median >= 0 THEN 24 * log10(2) END AS digits
FROM own;
-- A cell whose energy nobody asked for, or nobody measured, has no row beside others: a remark counts it.
CREATE TEMP TABLE energy_left_out AS SELECT cell_key, reason FROM energy_cell
WHERE unasked AND EXISTS (SELECT 1 FROM energy_cell WHERE reason IS NULL);
UPDATE energy_cell SET step = NULL, net = NULL, idle = NULL, error = NULL, idle_w = NULL,
    counter = NULL, digits = NULL WHERE reason NOT NULL;
-- The same as people read it.
CREATE TEMP TABLE energy_text AS
SELECT cell_key, si_text(step, 'J') || iif(error IS NULL, '', printf(' ± %.1f %%', 100 * error))
        AS step, si_text(net, 'J') || iif(error * step / net IS NULL, '',
        printf(' ± %.1f %%', 100 * error * step / abs(net))) AS net_step,
    si_text(step / interactions, 'J') AS interaction,
    si_text(net / interactions, 'J') AS net_interaction,
    si_text(step / digits, 'J') AS digit, si_text(net / digits, 'J') AS net_digit
FROM energy_cell;
--: data Energy of every cell
SELECT r.cell_key AS row, s.machine, r.dataset, i.head AS boxes, r.n, r.variant, r.label, r.device,
    r.device_name, r.parameters, r.outcome, r.seconds, t.step, t.net_step, t.interaction,
    t.net_interaction, t.digit, t.net_digit, e.digits, e.step AS joules_step,
    e.idle AS joules_idle_step, e.net AS joules_net_step, e.step / e.interactions
        AS joules_interaction, e.net / e.interactions AS joules_net_interaction,
    e.step / e.digits AS joules_digit, e.net / e.digits AS joules_net_digit,
    e.error AS joules_error, e.error * e.step / abs(e.net) AS joules_net_error, e.idle_w,
    e.counter AS joules_counter, e.reason, r.run, r.id AS cell, r.line
FROM result r JOIN scope s JOIN input i ON i.place = r.input JOIN energy_cell e USING (cell_key)
JOIN energy_text t USING (cell_key)
WHERE cell_key NOT IN (SELECT cell_key FROM energy_left_out)
ORDER BY r.input, r.program, r.place;
--: columns right | people | step: a step, net_step: net, interaction: an interaction
--: columns right | people | net_interaction: net, digit: a digit of a step, net_digit: net
--: column digits | digits | | number | all
--: column reason | without, because | | left | all
--: programs *
--: remark
SELECT 'joules of the device by its own counter (' || group_concat(DISTINCT counter)
    || '), of one round; net: without what the idle device takes in that time; ± the difference '
    || 'from integrated power' || iif(count(error) < count(*),
        ', which a processor has none of', '')
FROM energy_cell WHERE step NOT NULL HAVING count(*) > 0;
--: remark
SELECT 'a digit: joules of a step over -log10 of the median error that the cell is judged by'
FROM energy_cell WHERE step NOT NULL AND digits NOT NULL LIMIT 1;
--: remark
SELECT 'no row: ' || group_concat(printf('%d cell%s %s', cells, iif(cells > 1, 's', ''), reason), '; ')
FROM (SELECT count(*) AS cells, reason FROM energy_left_out GROUP BY reason ORDER BY reason DESC)
HAVING count(*) > 0;
--: use sizes
--: setup
-- Over the size, or, where there is one size, over the experiment's parameter.
CREATE TEMP TABLE energy_point AS
WITH one(size) AS (SELECT count(DISTINCT i.size) = 1 AND (SELECT parameter NOT NULL FROM scope)
    FROM energy_cell e JOIN result r USING (cell_key) JOIN input i ON i.place = r.input
    WHERE e.step NOT NULL)
SELECT l.place, l.label || iif(l.difference = '', '', ', ' || l.difference) || ', ' || l.device
    AS label, l.style, i.size AS x, e.step, e.error, 0 AS over_parameter, e.cell_key, l.device
FROM one JOIN size_figure f JOIN line l JOIN line_result m ON m.line = l.place
JOIN energy_cell e USING (cell_key) JOIN input i ON i.place = m.input
WHERE NOT one.size AND e.step NOT NULL
    AND (NOT f.boxed OR (i.per_box IS NOT NULL AND i.level = f.shown))
UNION ALL SELECT c.place, c.curve_label, c.style, p.x, e.step, e.error, 1, e.cell_key, c.device
FROM one JOIN drawn_curve c
JOIN curve_point p ON p.over = c.over AND p.curve = c.place JOIN energy_cell e USING (cell_key)
WHERE one.size AND c.over = 'parameter' AND e.step NOT NULL;
--: figure curves
--: series
SELECT place AS series, label, style, x, step AS y, step * (1 - error) AS low,
    step * (1 + error) AS high, 0 AS extrapolated, cell_key, device AS "$dash"
FROM energy_point ORDER BY place, x;
--: variables
SELECT name, value FROM size_axis WHERE NOT EXISTS (SELECT 1 FROM energy_point
    WHERE over_parameter)
UNION ALL SELECT 'x_label', parameter FROM scope WHERE EXISTS (SELECT 1 FROM energy_point
    WHERE over_parameter)
UNION ALL SELECT 'x_base', 1 FROM scope WHERE EXISTS (SELECT 1 FROM energy_point
    WHERE over_parameter)
UNION ALL SELECT 'x_values', coalesce(group_concat(printf('%.6g', x), ' '), '')
FROM (SELECT DISTINCT x FROM energy_point WHERE over_parameter ORDER BY x)
UNION ALL SELECT 'estimates', 0
UNION ALL SELECT 'y_label', 'energy of a step [J], idle included'
UNION ALL SELECT 'y_format', iif(max(step) < 50 * min(step), '%g', '10^{%L}') FROM energy_point;
--: nothing with --energy measures it | no joules of {experiment} are known
