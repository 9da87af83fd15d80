-- The tables and figures that only this paper shows. harness/present/queries.h says how such a file
-- is read, scope.sql beside it what its queries may take, common.sql what all papers share.

-- --- families of curves, as the figures of several panels draw them ---

-- Which curves a figure draws: all, or those of the programs that the paper has a name for; where
-- none of these was measured, all.
--: part all_programs
--: setup
CREATE TEMP VIEW drawn AS SELECT over, place AS curve FROM curve;

--: part own_programs
--: setup
CREATE TEMP VIEW drawn AS
SELECT over, curve FROM (
    SELECT over, place AS curve, named, max(named) OVER (PARTITION BY over) AS any_named
    FROM (SELECT c.*, EXISTS (SELECT 1 FROM program p WHERE p.variant = c.variant AND p.named)
              AS named FROM curve c))
WHERE named OR NOT any_named;

-- The curves of a program differ in one number, which is the curve's member: theta where they are
-- over N, N where they are over theta; NULL where the program has none, as a direct sum has no
-- theta. style: a colour a member, others for numbers of bodies than for a parameter, and a dash
-- (hundreds) a program, device and rest of the setting. program: what tells these apart, '' for
-- the only one; label: the member and the program, "theta = 0.5, Octgrav".
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
            WHERE e.line = c.line AND e.name IS NOT s.parameter AND NOT common
            ORDER BY e.place)), '') AS difference
    FROM drawn d JOIN scope s JOIN curve c ON c.over = d.over AND c.place = d.curve
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
    coalesce(iif(f.over = 'n', printf('%s = %.6g', s.parameter, member),
        printf('N = %.0f', member)) || iif(program = '', '', ', '), '') || program AS label
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
    r.error_by_terms_p99 AS by_terms_p99, r.error_max, r.seconds
FROM result r JOIN scope s WHERE NOT r.extrapolated ORDER BY r.place;
--: column error_median | relative, median | | small | all
--: column error_p99 | relative, 99 % | | small | all
--: column by_mean_median | by the mean, median | | small | all
--: column by_mean_p99 | by the mean, 99 % | | small | all
--: column by_terms_median | by the terms, median | | small | all
--: column by_terms_p99 | by the terms, 99 % | | small | all
--: column error_max | relative, largest | | small | all
--: use own_programs
--: use family
--: setup
-- A row of panels a norm: over theta both ends, where there are a few values of it, then the median
-- and the 99 % over N.
ALTER TABLE scope ADD COLUMN across;
UPDATE scope SET across = iif((SELECT count(*) FROM curve_x WHERE over = 'parameter') < 3, 2, 3);
CREATE TEMP TABLE error_end AS SELECT 0 AS place, 'median' AS name UNION ALL SELECT 1, '99 %';
CREATE TEMP TABLE error_panel AS
SELECT row_number() OVER (ORDER BY norm, ending) - 1 AS place, p.* FROM (
    SELECT n.place AS norm, n.name, 'n' AS over, e.place AS ending, e.name AS end
    FROM norm n JOIN error_end e
    UNION ALL SELECT n.place, n.name, 'parameter', -1, NULL
    FROM norm n JOIN scope WHERE across > 2) p;
--: figure panels
--: panels {across}
SELECT iif(over = 'n', end || ', ' || name, 'median (lines) and 99 % (dashed), ' || name) AS title,
    iif(over = 'n', 'N (bodies)', x_label) AS x_label, 'error of the acceleration' AS y_label,
    iif(over = 'n', NULL, tics) AS tics, 0 AS linear, 0 AS least, 0 AS most
FROM error_panel JOIN parameter_axis ORDER BY place;
--: series
-- Over theta each norm begins with a line through the lowest of the first points: with what power
-- of theta the paper says that errors grow.
WITH measured AS (
    SELECT p.place AS panel, p.over, f.curve, e.place AS ending, f.label, f.style, f.member, c.x,
        iif(e.place, n.p99, n.median) AS y
    FROM error_panel p JOIN error_end e JOIN family f USING (over)
    JOIN curve_point c ON c.over = f.over AND c.curve = f.curve
    JOIN norm_error n ON n.cell_key = c.cell_key AND n.norm = p.norm
    WHERE p.ending IN (-1, e.place)),
 ends AS (SELECT min(x) AS least, max(x) AS most FROM curve_x WHERE over = 'parameter'),
 lowest AS (
    SELECT m.panel, e.least, e.most, min(m.y) AS y
    FROM measured m JOIN ends e WHERE m.over = 'parameter' AND m.ending = 0 AND m.x = e.least
        AND m.y > 0 GROUP BY m.panel),
 guide AS (
    SELECT l.*, s.parameter || ' to the power of ' || q.printed AS label, q.value AS power
    FROM lowest l JOIN scope s JOIN printed q ON q.quantity = 'exponent'
        AND q.reference = s.parameter AND q.input IS NULL)
SELECT panel, panel || '/guide' AS series, label, 0 AS style, least AS x, y, -1 AS _curve,
    0 AS _ending FROM guide
UNION ALL SELECT panel, panel || '/guide', label, 0, most, y * power(most / least, power), -1, 0
FROM guide
UNION ALL SELECT panel, panel || '/' || curve || '/' || ending,
    iif(over = 'parameter' AND ending, '', label), style + iif(over = 'n', 0, 100 * ending), x, y,
    curve, ending
FROM measured
WHERE y > 0 AND (over = 'n' OR member IN (SELECT n FROM chosen_size WHERE most = 3))
ORDER BY panel, _curve, _ending, x;
--: nothing measures it | {experiment} was not measured here
