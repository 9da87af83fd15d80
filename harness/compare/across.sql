-- SPDX-License-Identifier: MIT
-- Machines and devices across, programs down (docs/METHOD.md, "Side by side"). C fills
-- operand(place, operand, word, device, machine, label), device '' for all of them, and the tables of
-- sides.sql, and offers wanted(experiment, variant, dataset, device).

--: column experiment | experiment | | left | people if several
--: columns left | people | program, input

-- "A, B and C"
--: part labels
--: remark
SELECT group_concat(iif(place = 1, '', iif(place = (SELECT max(place) FROM operand), ' and ', ', ')) || label, '') FROM operand;

--: part across
--: use against
--: setup
-- A column each: a device of a side.
CREATE TEMP TABLE across_column AS
SELECT row_number() OVER (ORDER BY s.place, c.device = 'host', c.device) AS place,
    s.place AS side, s.operand,
    s.machine, c.device, max(c.device_name) AS device_name, s.label || ' ' || c.device AS head
FROM operand s JOIN side_cell c ON c.operand = s.operand AND c.machine = s.machine
    AND s.device IN ('', c.device)
WHERE wanted(c.shown_as, c.paper || '/' || c.variant, c.dataset, c.device)
GROUP BY s.place, c.device;
-- Rows: one program with one setting and input. A number that is printed has a row where nobody
-- measured it.
CREATE TEMP TABLE across_row AS
WITH every AS (
    SELECT c.experiment_place, c.shown_as, c.paper, c.variant, c.program, c.input, c.setting,
        c.ordered, coalesce(c.seed, 0) AS seed, c.steps, c.head, c.dataset, c.n, c.level, c.per_box
    FROM side_cell c JOIN across_column o USING (operand, machine, device)
    WHERE wanted(c.shown_as, c.paper || '/' || c.variant, c.dataset, c.device)
    UNION ALL SELECT p.experiment_place, p.shown_as, p.paper, p.variant, p.program, p.input, '', '',
        NULL, NULL, p.head, p.dataset, p.n, p.level, p.per_box
    FROM side_printed p
    WHERE wanted(p.shown_as, p.paper || '/' || p.variant, p.dataset, '') AND NOT EXISTS (
        SELECT 1 FROM side_cell c JOIN across_column o USING (operand, machine, device)
        WHERE c.shown_as = p.shown_as AND c.variant = p.variant AND c.input = p.input))
SELECT row_number() OVER (ORDER BY experiment_place, input, program, variant, steps, min(ordered),
        setting COLLATE by_number, seed) AS row, shown_as, paper, variant, setting, input, seed,
    steps, variant || iif(setting = '', '', ' (' || setting || ')') AS label, dataset || ', '
        || head || iif(seed > 1, printf(', seed %d', seed), '') AS input_text, dataset, n, level,
    per_box
FROM every GROUP BY shown_as, variant, setting, input, seed, steps;
-- The newest cell where a row meets a column.
CREATE TEMP TABLE across_cell AS
SELECT * FROM (
    SELECT w.row, o.place AS col, o.head AS column_head, c.*, row_number() OVER (
        PARTITION BY w.row, o.place ORDER BY c.ok DESC, c.extrapolated, c.started DESC, c.cell_key)
        AS rank
    FROM across_row w JOIN side_cell c ON c.shown_as = w.shown_as AND c.variant = w.variant
        AND c.setting = w.setting AND c.input = w.input AND coalesce(c.seed, 0) = w.seed
        AND c.steps = w.steps
    JOIN across_column o USING (operand, machine, device))
WHERE rank = 1;
CREATE INDEX across_cell_at ON across_cell(row, col);
-- The papers' own cards, a column each.
CREATE TEMP TABLE across_card AS
SELECT row_number() OVER (ORDER BY coalesce(d.device_place, 1e9), p.device) AS place,
    p.device AS card, p.paper, p.device || coalesce(' (' || CAST(d.year AS INTEGER) || ')', '')
        AS head, CAST(d.year AS INTEGER) AS year
FROM (SELECT DISTINCT paper, device FROM side_printed) p
LEFT JOIN published_device d ON d.paper = p.paper AND d.device = p.device;
-- The printed numbers of a row.
CREATE TEMP TABLE across_printed AS
SELECT w.row, k.place AS card, p.printed, p.quantity, p.erratum, iif(p.quantity = 'seconds',
    seconds_text(p.value), p.printed || iif(p.quantity = 'gflops', ' GFLOPS', ' bodies/s')) AS text
FROM across_row w JOIN side_printed p ON p.shown_as = w.shown_as AND p.variant = w.variant
    AND p.input = w.input
JOIN across_card k ON k.card = p.device AND k.paper = p.paper
WHERE NOT EXISTS (SELECT 1 FROM across_cell c WHERE c.row = w.row)
    OR EXISTS (SELECT 1 FROM across_cell c WHERE c.row = w.row AND c.age = 1
        AND (p.quantity <> 'seconds' OR c.standard))
GROUP BY w.row, k.place;
-- The first side's cell that another one's is put in relation to: on the same device if it has one.
CREATE TEMP TABLE across_base AS
SELECT row, col, base FROM (
    SELECT c.row, c.col, a.col AS base, row_number() OVER (PARTITION BY c.row, c.col
        ORDER BY a.device <> c.device, a.col) AS rank
    FROM across_cell c JOIN across_cell a USING (row) JOIN across_column o ON o.place = c.col
    JOIN across_column f ON f.place = a.col
    WHERE f.side = 1 AND o.side > 1 AND a.ok AND c.ok)
WHERE rank = 1;
CREATE TEMP TABLE across_ratio AS
SELECT c.row, c.col, k.place AS card, g.card_seconds / c.seconds AS ratio,
    g.card_low / coalesce(c.seconds_high, c.seconds) AS low,
    g.card_high / coalesce(c.seconds_low, c.seconds) AS high, c.extrapolated, c.processes
FROM across_cell c JOIN against g USING (cell_key, shown_as)
JOIN across_card k ON k.card = g.card AND k.paper = g.paper
GROUP BY c.row, c.col, k.place
UNION ALL SELECT c.row, c.col, 0, a.seconds / c.seconds, ratio_bound(c.cell_key, a.cell_key, 0),
    ratio_bound(c.cell_key, a.cell_key, 1), a.extrapolated OR c.extrapolated,
    min(a.processes, c.processes)
FROM across_base b JOIN across_cell a ON a.row = b.row AND a.col = b.base
JOIN across_cell c ON c.row = b.row AND c.col = b.col
WHERE (a.dataset_sha256 = '' OR c.dataset_sha256 = '' OR a.dataset_sha256 = c.dataset_sha256)
    AND NOT EXISTS (SELECT 1 FROM side_parameter p JOIN side_parameter q USING (name)
        WHERE p.cell_key = a.cell_key AND q.cell_key = c.cell_key AND p.value <> q.value);
CREATE TEMP TABLE scope AS
SELECT (SELECT max(shown_as) FROM side_experiment) AS experiment,
    (SELECT count(*) FROM (SELECT DISTINCT shown_as FROM across_row)) > 1 AS several,
    (SELECT label FROM operand WHERE place = 1) AS first;
INSERT INTO provenance_cell
SELECT o.head || ' ', c.cell_key FROM across_cell c JOIN across_column o ON o.place = c.col;

--: layout across
--: facts
SELECT operand, word FROM operand WHERE word NOT NULL ORDER BY place;
--: facts
SELECT lead || name, text FROM provenance WHERE name IN ('machine', 'device', 'driver', 'orrery')
ORDER BY (SELECT place FROM across_column WHERE head || ' ' = lead), place;
--: grid Times of a step: published, and measured with the 95 % interval
SELECT row, shown_as AS experiment, label AS program, input_text AS input, NULL AS "*times"
FROM across_row ORDER BY row;
--: spread times
SELECT NULL AS row, 'card ' || place AS key, head, NULL AS value, NULL AS note, 0 AS kind, place
FROM across_card
UNION ALL SELECT NULL, 'column ' || place, head, NULL, NULL, 1, place FROM across_column
UNION ALL SELECT row, 'card ' || card, '', text, erratum, 0, card FROM across_printed
UNION ALL SELECT row, 'column ' || col, '', time_text, NULL, 1, col FROM across_cell
ORDER BY row, kind, place;
--: grid? Ratios: the published time, and that of {first}, over each
SELECT row, shown_as AS experiment, label AS program, input_text AS input, NULL AS "*ratios"
FROM across_row WHERE row IN (SELECT row FROM across_ratio) ORDER BY row;
--: spread ratios
SELECT NULL AS row, k.place || '/' || o.place AS key, k.head || ' / ' || o.head AS head,
    NULL AS value, k.place AS card, o.place AS col
FROM across_card k JOIN across_column o
WHERE EXISTS (SELECT 1 FROM across_ratio r WHERE r.card = k.place AND r.col = o.place)
UNION ALL SELECT NULL, '0/' || place, (SELECT first FROM scope) || ' / ' || head, NULL, 1e9, place
FROM across_column WHERE side > 1
UNION ALL SELECT row, card || '/' || col, '', ratio_text(ratio, low, high, extrapolated, processes),
    iif(card, card, 1e9), col
FROM across_ratio
ORDER BY row, card, col;
--: data? Every cell
SELECT w.shown_as AS experiment, w.variant, w.setting, w.dataset, w.n, w.level, w.per_box,
    nullif(w.seed, 0) AS seed, w.steps, w."is", w.machine, w.device, w.device_name, w.year,
    w.outcome, w.printed, w.quantity, w.seconds, w.seconds_low, w.seconds_high, w.processes,
    w.extrapolated, w.card, w.card_ratio, w.card_ratio_low, w.card_ratio_high, w.first_ratio,
    w.first_ratio_low, w.first_ratio_high, w.run, w.cell, w.line
FROM (
    SELECT r.*, 1 AS kind, c.col AS place, 'measured' AS "is", c.machine, c.device, c.device_name,
        NULL AS year, c.outcome, NULL AS printed, NULL AS quantity, c.seconds, c.seconds_low,
        c.seconds_high, c.processes, iif(c.extrapolated, 'extrapolated', 'no') AS extrapolated,
        (SELECT card FROM across_card k WHERE k.place = a.card) AS card, a.ratio AS card_ratio,
        a.low AS card_ratio_low, a.high AS card_ratio_high, f.ratio AS first_ratio,
        f.low AS first_ratio_low, f.high AS first_ratio_high, c.run, c.id AS cell, c.line
    FROM across_row r JOIN across_cell c USING (row)
    LEFT JOIN across_ratio a ON a.row = c.row AND a.col = c.col AND a.card > 0
    LEFT JOIN across_ratio f ON f.row = c.row AND f.col = c.col AND f.card = 0
    UNION ALL SELECT r.*, 0, p.card, 'published', NULL, NULL, k.card, k.year, NULL, p.printed,
        p.quantity, (SELECT g.value FROM side_printed g WHERE g.shown_as = r.shown_as
            AND g.variant = r.variant AND g.input = r.input AND g.device = k.card
            AND g.quantity = 'seconds'), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL, NULL
    FROM across_row r JOIN across_printed p USING (row) JOIN across_card k ON k.place = p.card) w
ORDER BY w.row, w.kind, w.place;
--: programs experiment *
--: remark
SELECT 'ratios above 1: the column is faster. In brackets the 95 % interval of each by itself, with'
    || ' half a unit in the last printed digit where a number is printed; `orrery compare` of two'
    || ' judges what is a difference' WHERE EXISTS (SELECT 1 FROM across_ratio)
UNION ALL SELECT c.column_head || ': ' || w.label || ', ' || w.input_text || ': ' || c.outcome
    || coalesce(': ' || nullif(c.reason, ''), '')
FROM across_cell c JOIN across_row w USING (row) WHERE NOT c.ok
UNION ALL SELECT column_head || ': ' || cells || iif(cells = 1, ' cell was', ' cells were')
    || ' measured with co-runners' || iif(cells = 1, ': ', ', the busiest: ') || beside
FROM (SELECT column_head, beside, count(*) AS cells, max(others_cores) FROM across_cell
    WHERE ok AND beside IS NOT NULL GROUP BY col)
UNION ALL SELECT s.label || ': nothing of this was measured there' FROM operand s
WHERE NOT EXISTS (SELECT 1 FROM across_column o WHERE o.side = s.place);
