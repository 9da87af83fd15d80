-- SPDX-License-Identifier: MIT
-- What only this paper shows: the rounding errors of its sums.

--: layout rounding
--: setup
-- Each sum with the interactions that the paper prints for its size.
CREATE TEMP TABLE sum AS
SELECT m.line, m.input, r.*, p.number AS compensated, q.value AS printed_value, q.printed,
    q.erratum
FROM line_result m JOIN result r USING (cell_key)
JOIN parameter p ON p.cell_key = r.cell_key AND p.name = 'compensated'
LEFT JOIN printed q ON q.variant = r.variant AND q.input = m.input
    AND q.quantity = 'interactions';
--: grid Median error of the forces in {shows}, and the time of a sum
SELECT place AS row, label AS program, setting, nullif(device, '') AS "on", NULL AS "*sizes"
FROM line ORDER BY place;
--: spread sizes
SELECT NULL AS row, 'error ' || place AS key, head || ', error' AS head, NULL AS value, place AS _at,
    0 AS _part FROM input
UNION ALL SELECT NULL, 'time ' || place, head || ', time', NULL, place, 1 FROM input
UNION ALL SELECT line, 'error ' || input, '', printf('%.2e', error_median), input, 0 FROM sum WHERE ok
UNION ALL SELECT line, 'time ' || input, '', time_text(outcome, seconds, extrapolated), input, 1
FROM sum
ORDER BY row, _at, _part;
--: data Every sum
SELECT s.machine, x.dataset, x.n, x.variant, x.label, x.device, x.compensated,
    (SELECT c.interactions FROM shown c WHERE c.cell_key = x.cell_key) AS interactions,
    x.printed AS published_printed, x.erratum AS "published_printed.note",
    x.printed_value AS published, x.seconds, x.error_median
FROM sum x JOIN scope s ORDER BY x.line, x.input;
--: column compensated | compensated | | right | all
--: column interactions | interactions | | count | all
--: column published_printed | published | | right | all
--: column seconds | seconds | | right | programs
--: column error_median | error | | small | all
--: figure curves
--: series
SELECT x.line AS series, l.label || iif(l.difference = '', '', ', ' || l.difference) || ', '
    || l.device AS label, l.style, x.n AS x, x.error_median AS y, x.extrapolated
FROM sum x JOIN line l ON l.place = x.line WHERE x.ok AND x.error_median > 0
ORDER BY x.line, x.input;
--: variables
SELECT 'x_label', 'N (bodies)'
UNION ALL SELECT 'x_base', 10
UNION ALL SELECT 'y_label', 'median error of the forces'
UNION ALL SELECT 'y_format', '10^{%L}';
--: nothing measures them | no sum of {experiment} was measured
