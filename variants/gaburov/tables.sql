-- The tables and figures that only this paper shows. harness/present/queries.h says how such a file
-- is read, scope.sql beside it what its queries may take, common.sql what all papers share.

-- --- integrations by the leap-frog scheme (section 3.4) ---

-- Bodies a second over the number of bodies, beside energy and momentum.
--: layout integration
--: use printed
--: data Integrations by the leap-frog scheme
SELECT s.machine, r.dataset, r.n, r.steps, r.variant, r.label, r.device, r.device_name,
    r.parameters, r.outcome, iif(r.extrapolated, 'extrapolated', 'no') AS extrapolated,
    r.bodies_per_second, r.extrapolated AS "bodies_per_second.about",
    r.seconds / (r.steps + 1) AS iteration_seconds,
    r.extrapolated AS "iteration_seconds.about",
    time_text(r.outcome, r.seconds, r.extrapolated, r.seconds_low, r.seconds_high, r.samples)
        AS measured,
    r.seconds, r.seconds_low, r.seconds_high, r.energy_drift, r.momentum_drift, r.error_median,
    r.error_p99, r.error_max, iif(r.extrapolated, NULL, r.samples) AS samples
FROM result r JOIN scope s ORDER BY r.place;
--: column bodies_per_second | bodies/s | | si | all
--: column iteration_seconds | a force evaluation | | seconds | all
--: column measured | all steps | | right | people
--: column energy_drift | drift of energy | | small | all
--: column momentum_drift | of momentum | | small | all
--: column error_median | error median | | small | all
--: column error_p99 | error p99 | | small | all
--: column error_max | error max | | small | all
--: figure curves
--: series
SELECT c.place AS series, l.label, c.style, p.x, r.bodies_per_second AS y,
    r.bodies_per_second * r.seconds / r.seconds_high AS low,
    r.bodies_per_second * r.seconds / r.seconds_low AS high, r.extrapolated
FROM curve c JOIN curve_label l USING (over, place)
JOIN curve_point p ON p.over = c.over AND p.curve = c.place JOIN result r USING (cell_key)
WHERE c.along AND r.bodies_per_second > 0 ORDER BY c.place, p.x;
--: series
-- Printed rates, an open symbol each of the program's colour.
SELECT v.place || '/' || i.place AS series, v.label || ', published, ' || p.device AS label,
    -(v.place + 1) AS style, i.n AS x, p.value AS y, p.value - p.half_unit AS low,
    p.value + p.half_unit AS high
FROM program v JOIN printed p USING (variant) JOIN input i ON i.place = p.input
WHERE p.quantity = 'bodies_per_second' AND p.reference IS NULL ORDER BY v.place, i.place;
--: variables
SELECT name, value FROM x_axis UNION ALL SELECT 'y_label', 'bodies a second'
UNION ALL SELECT 'y_format', '10^{%L}';
--: nothing measures it | {experiment} was not measured here

-- --- host and device ---

-- How the time divides: parts down, inputs across; times and speedups; every cell.
--: part time_tables
--: set matrices 1
--: use printed
--: use time_parts
--: use matrices
--: data Every cell
SELECT r.cell_key AS row, s.machine, r.dataset, r.n, r.steps, r.variant, r.label, r.device,
    r.device_name, r.parameters, r.outcome, iif(r.extrapolated, 'extrapolated', 'no')
        AS extrapolated,
    time_text(r.outcome, r.seconds, r.extrapolated, r.seconds_low, r.seconds_high, r.samples)
        AS measured,
    r.seconds, r.seconds_low, r.seconds_high, r.end_to_end_seconds, t.host AS host_seconds,
    t.device AS device_seconds, NULL AS "*parts", iif(r.extrapolated, NULL, r.samples) AS samples
FROM result r JOIN scope s JOIN time_split t USING (cell_key) ORDER BY r.place;
--: column measured | whole | | right | people
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
