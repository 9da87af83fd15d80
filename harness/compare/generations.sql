-- SPDX-License-Identifier: MIT
-- From the papers' own cards to the devices measured here, the speedup taken apart (docs/METHOD.md,
-- "Generations"). C fills request(what) and offers chip_lanes(capability) and kendall_p(n,
-- score).

--: column experiment | experiment | | left | all
--: columns left | people | input, on: measured on
--: programs *

--: part generations
--: use against
--: setup
-- Cells of the experiments that print something.
CREATE TEMP TABLE generation_cell AS
SELECT * FROM side_cell WHERE ok AND shown_as IN (SELECT shown_as FROM side_printed);
CREATE INDEX generation_cell_of ON generation_cell(shown_as, machine, device, input);
-- The devices measured here. lanes: documented; fma: multiply-adds a second, measured; year:
-- of release where it is known, else a bound, that of the newest run.
CREATE TEMP TABLE target AS
WITH own AS (
    SELECT machine, device, max(device_name) AS name, max(run_key) AS run_key
    FROM generation_cell GROUP BY machine, device),
 dated AS (
    SELECT o.*, CAST((SELECT value FROM published_fact f WHERE f.paper = ''
            AND f.quantity = 'year' AND o.name GLOB f.device LIMIT 1) AS INTEGER) AS released,
        CAST(substr((SELECT max(started) FROM run r WHERE r.machine = o.machine), 1, 4) AS INTEGER)
            AS measured
    FROM own o)
SELECT machine, device, name, coalesce(released, measured) AS year, released IS NULL AS year_bound,
    iif(released IS NULL, '≤ ', '') || coalesce(released, measured) AS year_text,
    (SELECT chip_lanes(v.capability) * v.compute_units FROM device v
        WHERE v.run_key = d.run_key AND v.device_name = d.name AND v.kind = 2
            AND chip_lanes(v.capability) IS NOT NULL LIMIT 1) AS lanes,
    (SELECT max(p.rate) FROM ceiling_pair p JOIN run r USING (run_key)
        WHERE r.machine = d.machine AND p.device = d.device AND p.kind = 'fma') AS fma,
    (SELECT max(a.rate) FROM access_cost a WHERE a.machine = d.machine AND a.device = d.device
        AND a.kind = 'dram') AS bandwidth
FROM dated d;

-- Turns of lanes that a cell issued, by the GPU's own counters.
CREATE TEMP TABLE issued AS
SELECT cell_key, 32 * max(value) AS slots FROM counter
WHERE source = 'cupti' AND name = 'issued_slots' GROUP BY cell_key;

-- A printed number beside a cell of the same program and input, with both devices. A rate is turned
-- into the time that it means of the cell's work. Of a device, or of one core of it for a program of
-- one thread: clock [1/s]; slots_rate, turns of its lanes a second; limit_rate, interactions a second
-- if every turn were used.
CREATE TEMP TABLE generation AS
WITH timed AS (
    SELECT p.card, p.printed, p.quantity, p.erratum, p.card_seconds, p.card_low, p.card_high, r.*,
        iif(f.value = 1, u.cores, 1.0) AS cores, iif(f.value = 1, d.cores, 1.0) AS card_cores
    FROM against p JOIN generation_cell r USING (cell_key, shown_as) JOIN run u USING (run_key)
    LEFT JOIN published_device d ON d.paper = p.paper AND d.device = p.card
    LEFT JOIN published_fact f ON f.paper = p.paper AND f.device = p.card
        AND f.quantity = 'threads' AND f.reference = r.variant),
 device AS (
    SELECT g.*, t.name, t.year, t.year_text, t.year_bound, t.fma AS machine_fma, t.bandwidth,
        c.interactions, c.clock_mhz_median * 1e6 AS clock, c.power_w_median AS power,
        t.lanes / g.cores AS lanes, coalesce(t.lanes * c.clock_mhz_median * 1e6, e.fma_per_second,
            t.fma) / g.cores AS slots_rate, coalesce(e.fma_per_second, t.fma) / g.cores AS fma,
        i.slots AS issued, iif(e.ceiling_kind = 'other' OR e.ceiling_fraction > 1, NULL,
            e.ceiling / g.cores) AS ceiling,
        coalesce(c.bound_by_terms, 0) AS by_terms, d.year AS card_year, d.clock AS card_clock,
        coalesce(d.lanes * d.clock, d.peak_gflops * 5e8) / g.card_cores AS card_slots_rate,
        d.peak_gflops * 1e9 / g.card_cores AS card_peak, d.bandwidth_gbs * 1e9 AS card_bandwidth,
        d.power_w AS card_power, (SELECT f.value FROM published_fact f WHERE f.paper = g.paper
            AND f.device = g.card AND f.quantity = 'slots' AND f.reference = g.variant)
            AS card_slots
    FROM timed g JOIN target t USING (machine, device) JOIN cell c USING (cell_key)
    LEFT JOIN cell_ceiling e USING (cell_key) LEFT JOIN issued i USING (cell_key)
    LEFT JOIN published_device d ON d.paper = g.paper AND d.device = g.card)
SELECT row_number() OVER (ORDER BY experiment_place, program, variant, input, machine, device)
        AS entry, *,
    coalesce(slots_rate / (issued / interactions), ceiling) AS limit_rate,
    CASE WHEN issued / interactions IS NOT NULL THEN 'counted' WHEN ceiling IS NOT NULL
        THEN 'ceiling' END AS limit_from,
    card_slots_rate / card_slots AS card_limit_rate
FROM device;
CREATE INDEX generation_entry ON generation(entry);

-- The fastest program on the same device and bodies at no larger error: one of the same bound, or
-- for tree codes, whose error follows theta, of no larger median by the terms. What was extrapolated
-- has no error. Of the experiments with these bodies the one with most such rivals tells it, so that
-- a program has one factor in all of them. own_seconds: of the program there; scale: what turns
-- seconds there into those of the entry's steps.
CREATE TEMP TABLE modern AS
WITH beside AS (
    SELECT g.entry, o.experiment_place, o.shown_as, o.cell_key AS own_key, g.seconds / o.seconds
        AS scale, o.seconds AS own_seconds, m.cell_key, m.variant, m.setting, m.seconds,
        m.seconds_low, m.seconds_high, m.processes,
        sum(m.variant <> o.variant) OVER (PARTITION BY g.entry, o.cell_key) AS rivals
    FROM generation g JOIN generation_cell o ON o.paper = g.paper AND o.machine = g.machine
        AND o.device = g.device AND o.variant = g.variant AND o.dataset IS g.dataset
        AND o.n IS g.n AND o.level IS g.level AND o.age = 1
    JOIN cell f ON f.cell_key = o.cell_key JOIN generation_cell m ON m.shown_as = o.shown_as
        AND m.machine = o.machine AND m.device = o.device AND m.input = o.input
        AND m.steps = o.steps JOIN cell c ON c.cell_key = m.cell_key
    WHERE NOT g.extrapolated AND NOT o.extrapolated AND NOT m.extrapolated AND iif(g.by_terms,
        c.error_by_terms_median <= f.error_by_terms_median,
        NOT coalesce(c.bound_by_terms, 0) AND c.error_median IS NOT NULL
            AND f.error_median IS NOT NULL))
SELECT *, own_seconds / seconds AS algorithm FROM (
    SELECT *, row_number() OVER (PARTITION BY entry ORDER BY rivals DESC, experiment_place, seconds,
        cell_key) AS rank FROM beside WHERE rivals > 0)
WHERE rank = 1;

-- The facts known of both devices, as ratios: each is one of all factors up to there. What is not
-- known merges its factor with the next.
CREATE TEMP TABLE reached AS
SELECT g.entry, clock / card_clock AS clock, slots_rate / card_slots_rate AS slots_rate,
    iif(slots_rate / card_slots_rate IS NULL, NULL, limit_rate / card_limit_rate) AS limit_rate,
    card_seconds / g.seconds AS speedup, card_low / coalesce(g.seconds_high, g.seconds) AS low,
    card_high / coalesce(g.seconds_low, g.seconds) AS high, m.algorithm,
    iif(m.cell_key = m.own_key, 1, ratio_bound(m.cell_key, m.own_key, 0)) AS algorithm_low,
    iif(m.cell_key = m.own_key, 1, ratio_bound(m.cell_key, m.own_key, 1)) AS algorithm_high,
    card_low / m.scale / coalesce(m.seconds_high, m.seconds) AS together_low,
    card_high / m.scale / coalesce(m.seconds_low, m.seconds) AS together_high
FROM generation g LEFT JOIN modern m USING (entry);
CREATE TEMP TABLE factor AS
SELECT entry, speedup, low, high, clock, slots_rate / coalesce(clock, 1) AS lanes,
    limit_rate / coalesce(slots_rate, clock, 1) AS slots,
    speedup / coalesce(limit_rate, slots_rate, clock, 1) AS share,
    low / coalesce(limit_rate, slots_rate, clock, 1) AS share_low,
    high / coalesce(limit_rate, slots_rate, clock, 1) AS share_high,
    algorithm, algorithm_low, algorithm_high, speedup * algorithm AS together, together_low,
    together_high,
    nullif(substr(iif(clock IS NULL AND slots_rate IS NOT NULL, '; clock × lanes', '')
        || iif(slots_rate IS NULL AND limit_rate IS NOT NULL, iif(clock IS NULL,
            '; clock × lanes × slots', '; lanes × slots'), '')
        || CASE WHEN limit_rate IS NOT NULL THEN '' WHEN slots_rate IS NOT NULL
            THEN '; slots × share' WHEN clock IS NOT NULL THEN '; lanes × slots × share'
            ELSE '; clock × lanes × slots × share' END, 3), '') AS merged
FROM reached;

-- Speedups by what the newer device has more of. by_peak: both as documented; by_ceiling: the
-- multiply-adds that it was measured to reach, over the card's peak.
CREATE TEMP TABLE normalised AS
SELECT g.entry, f.speedup, f.speedup / (2 * g.lanes * g.clock / card_peak) AS by_peak,
    f.speedup / (2 * fma / card_peak) AS by_ceiling,
    f.speedup / (bandwidth / card_bandwidth) AS by_bandwidth,
    f.speedup / (power / card_power) AS by_watt
FROM generation g JOIN factor f USING (entry);

-- The largest published input of each program and card on each device, of the first experiment that
-- prints it: what others print of the same work is the same speedup in other digits. What was
-- measured comes before what was extrapolated.
CREATE TEMP TABLE largest AS
SELECT entry FROM (SELECT entry, row_number() OVER (PARTITION BY paper, variant, card, machine,
    device ORDER BY extrapolated, n DESC, experiment_place, entry DESC) AS rank FROM generation)
WHERE rank = 1;

-- Programs of one input in the order of their printed times and of those measured. Those of the
-- host stand beside each of its devices where the device has not run them.
CREATE TEMP TABLE ranked AS
SELECT g.shown_as AS experiment, g.experiment_place, g.input, g.head, g.dataset, g.n, g.machine, t.device,
    t.name, g.variant, g.entry, g.card_seconds, g.card_low, g.card_high, g.seconds,
    coalesce(g.seconds_low, g.seconds) AS low, coalesce(g.seconds_high, g.seconds) AS high
FROM generation g JOIN target t ON t.machine = g.machine
WHERE NOT g.extrapolated AND (g.device = t.device OR (g.device = 'host' AND NOT EXISTS (
    SELECT 1 FROM generation o WHERE o.shown_as = g.shown_as AND o.input = g.input
        AND o.machine = g.machine AND o.variant = g.variant AND o.device = t.device)))
    AND EXISTS (SELECT 1 FROM generation o WHERE o.shown_as = g.shown_as AND o.input = g.input
        AND o.machine = g.machine AND o.device = t.device);
CREATE TEMP TABLE kendall AS
WITH pair AS (
    SELECT a.experiment, a.experiment_place, a.input, a.head, a.dataset, a.n, a.machine, a.device,
        a.name, CASE WHEN a.card_seconds = b.card_seconds OR a.seconds = b.seconds THEN 0
            WHEN (a.card_seconds < b.card_seconds) = (a.seconds < b.seconds) THEN 1 ELSE -1 END
            AS sign,
        a.card_high < b.card_low AND (a.high < b.low OR b.high < a.low) AS certain,
        iif(a.card_seconds < b.card_seconds AND a.seconds > b.seconds,
            a.variant || ' behind ' || b.variant, NULL) AS turned
    FROM ranked a JOIN ranked b USING (experiment, input, machine, device)
    WHERE a.entry <> b.entry AND (a.card_seconds < b.card_seconds
        OR (a.card_seconds = b.card_seconds AND a.entry < b.entry))),
 scored AS (
    SELECT experiment, experiment_place, input, head, dataset, n, machine, device, name,
        count(*) AS pairs, sum(sign) AS score, sum(iif(certain, sign, -1)) AS least,
        sum(iif(certain, sign, 1)) AS most, group_concat(turned, '; ') AS turned
    FROM pair GROUP BY experiment, input, machine, device)
SELECT *, (1 + CAST(sqrt(1 + 8 * pairs) + 0.5 AS INTEGER)) / 2 AS programs FROM scored;
CREATE TEMP TABLE scope AS SELECT what AS experiment FROM request;
-- How often the devices meet each other in the figure and the tables.
CREATE TEMP VIEW card AS
SELECT DISTINCT g.paper, g.card, d.* FROM generation g
JOIN published_device d ON d.paper = g.paper AND d.device = g.card;

--: facts
SELECT 'from', group_concat(device || coalesce(' (' || CAST(year AS INTEGER) || ')', ''), ', ')
FROM (SELECT * FROM card ORDER BY device_place) HAVING count(*)
UNION ALL SELECT 'to', group_concat(text, ', ') FROM (
    SELECT name || ' (' || group_concat(device || ' of ' || machine, ', ') || ', ' || year_text
        || ')' AS text
    FROM target t WHERE EXISTS (SELECT 1 FROM generation g WHERE g.machine = t.machine
        AND g.device = t.device) GROUP BY name, year_text ORDER BY max(year_bound), max(year), name) HAVING count(*);
--: grid? From the paper's card to each device, at the largest published input that was measured
SELECT substr(g.shown_as, instr(g.shown_as, '/') + 1) || ': ' || g.variant AS program,
    g.head AS input, g.card || coalesce(' (' || CAST(g.card_year AS INTEGER) || ')', '') AS card,
    g.name || ' (' || g.device || ', ' || g.machine || ', ' || g.year_text || ')' AS "on",
    seconds_text(g.card_seconds) || iif(g.quantity = 'seconds', '', ' (' || g.printed || ' '
        || iif(g.quantity = 'gflops', 'GFLOPS', 'bodies/s') || ')') AS published,
    g.erratum AS "published.note",
    time_text(g.outcome, g.seconds, g.extrapolated) AS measured,
    ratio_text(f.speedup, f.low, f.high, g.extrapolated, g.processes) AS speedup,
    coalesce(number_text(f.clock), '→') AS clock,
    iif(g.slots_rate / g.card_slots_rate IS NULL, '→', number_text(f.lanes)) AS lanes,
    coalesce(number_text(f.slots), '→') AS slots, number_text(f.share) AS share,
    coalesce(m.variant, iif(g.extrapolated, NULL, 'no rival measured')) AS best,
    number_text(f.algorithm) AS algorithm,
    ratio_text(f.together, f.together_low, f.together_high, 0, m.processes) AS together
FROM generation g JOIN largest USING (entry) JOIN factor f USING (entry)
LEFT JOIN modern m USING (entry) ORDER BY entry;
--: columns left | people | program, card: published on, best: fastest at this error
--: columns right | people | published, together, measured: a step, speedup: times as fast
--: columns right | people | clock: = clock, lanes: x lanes, slots: x slots, share: x share
--: columns right | people | algorithm: x algorithm
--: data? Every input
SELECT g.shown_as AS experiment, g.variant, g.setting, g.dataset, g.n, g.level, g.per_box, g.card,
    CAST(g.card_year AS INTEGER) AS card_year, g.machine, g.device, g.name AS device_name, g.year,
    iif(g.year_bound, 'bound', 'release') AS year_is, g.printed, g.quantity, g.card_seconds,
    g.card_low, g.card_high, g.seconds, g.seconds_low, g.seconds_high, g.processes,
    iif(g.extrapolated, 'extrapolated', 'no') AS extrapolated, f.speedup, f.low AS speedup_low,
    f.high AS speedup_high, f.clock AS factor_clock,
    iif(g.slots_rate / g.card_slots_rate IS NULL, NULL, f.lanes) AS factor_lanes,
    f.slots AS factor_slots, f.share AS factor_share, f.share_low AS factor_share_low,
    f.share_high AS factor_share_high, f.algorithm AS factor_algorithm,
    f.algorithm_low AS factor_algorithm_low, f.algorithm_high AS factor_algorithm_high,
    f.together, f.together_low, f.together_high, f.merged, m.variant AS fastest,
    m.setting AS fastest_setting, m.shown_as AS fastest_in,
    m.scale * m.seconds AS fastest_seconds, g.card_clock, g.clock, g.card_slots_rate, g.slots_rate,
    g.card_limit_rate, g.limit_rate, g.limit_from,
    g.interactions / g.card_seconds / g.card_limit_rate AS card_share,
    g.interactions / g.seconds / g.limit_rate AS share, n.by_peak, n.by_ceiling, n.by_bandwidth,
    n.by_watt, g.run, g.id AS cell, g.line
FROM generation g JOIN factor f USING (entry) JOIN normalised n USING (entry)
LEFT JOIN modern m USING (entry) ORDER BY entry;
--: programs experiment
--: grid? As fast by what the device has more of | normalised
SELECT g.shown_as AS experiment, g.variant AS program, g.head AS input, g.card, g.machine, g.device,
    g.name || ' (' || g.device || ', ' || g.machine || ')' AS "on", n.speedup, n.by_peak,
    n.by_ceiling, n.by_bandwidth, n.by_watt
FROM generation g JOIN largest USING (entry) JOIN normalised n USING (entry) ORDER BY entry;
--: columns left | all | program, input, card: published on
--: columns number | all | speedup: times as fast, by_peak, by_bandwidth, by_watt
--: columns number | all | by_ceiling: by measured ceiling
--: grid? Is the order of the programs kept? | orders
SELECT experiment, dataset, n, head AS input, machine, device,
    name || ' (' || device || ', ' || machine || ')' AS "on", programs, 1.0 * score / pairs AS tau,
    printf('%.3g', 1.0 * score / pairs) || iif(least = most, '', printf(' [%.3g, %.3g]',
        1.0 * least / pairs, 1.0 * most / pairs)) AS "tau.text",
    1.0 * least / pairs AS tau_low, 1.0 * most / pairs AS tau_high,
    kendall_p(programs, score) AS p,
    CASE WHEN least = pairs THEN 'kept' WHEN most < pairs THEN 'not kept' ELSE 'not told apart' END
        AS verdict, turned
FROM kendall k ORDER BY experiment_place, k.input, machine, device;
--: columns left | all | dataset: data set, verdict: order, turned
--: columns right | all | programs, tau: Kendall's tau
--: column p | p | | number | all
--: grid? Devices | devices
SELECT * FROM (
    SELECT 0 AS _kind, device_place AS _place, 'published' AS "is", device AS name,
        CAST(year AS INTEGER) AS year, CAST(CAST(year AS INTEGER) AS TEXT) AS "year.text", clock,
        lanes, peak_gflops * 1e9 AS peak, bandwidth_gbs * 1e9 AS bandwidth, power_w AS power,
        external, NULL AS machine, NULL AS device
    FROM card
    UNION ALL SELECT 1, t.rowid, 'measured', t.name || ' (' || t.device || ', ' || t.machine || ')',
        t.year, t.year_text, (SELECT max(clock) FROM generation g WHERE g.machine = t.machine
            AND g.device = t.device), t.lanes, 2 * t.fma, t.bandwidth,
        (SELECT max(power) FROM generation g WHERE g.machine = t.machine AND g.device = t.device),
        iif(t.year_bound, NULL, 'year'), t.machine, t.device
    FROM target t WHERE EXISTS (SELECT 1 FROM generation g WHERE g.machine = t.machine
        AND g.device = t.device))
ORDER BY _kind, _place;
--: columns left | all | is: figures, name: device
--: column year | year | | right | all
--: columns si | all | clock: clock [Hz], peak: flop/s, bandwidth: B/s
--: column lanes | lanes | | count | all
--: column power | W | | number | all
--: column external | not from the paper, nor measured | | left | all
--: remark
SELECT 'times as fast = clock x lanes x slots x share, and x algorithm = together. Lanes multiply'
    || ' and add in one clock; slots: turns of a lane an interaction; share: of the limit that'
    || ' these make. → was not known of one of the devices and is in the next factor'
    || ' (docs/METHOD.md, "Generations")' WHERE EXISTS (SELECT 1 FROM generation)
UNION ALL SELECT 'Algorithm: the same program against the fastest on that device and these bodies at no'
    || ' larger error, in the experiment that has most of them; — where no other was measured, or one was'
    || ' extrapolated, whose error is not known'
    WHERE EXISTS (SELECT 1 FROM generation)
UNION ALL SELECT 'A program of one thread is held against one core on both sides; what other cores add is'
    || ' in the algorithm' WHERE EXISTS (SELECT 1 FROM generation WHERE card_cores IS NOT 1)
UNION ALL SELECT 'By watt: the sensor''s power while the cell was sampled, against the largest that'
    || ' the vendor names for the card' WHERE EXISTS (SELECT 1 FROM normalised WHERE by_watt NOT NULL)
UNION ALL SELECT '≤ ' || max(year) || ': the year of release is not known, only that of the newest'
    || ' run; a line of variants/common/devices.csv tells it' FROM target t WHERE year_bound
    AND EXISTS (SELECT 1 FROM generation g WHERE g.machine = t.machine AND g.device = t.device)
    HAVING count(*)
UNION ALL SELECT 'An order is kept if every pair of programs is, beyond printed digits and intervals;'
    || ' p is exact: of all orders so many are as far from chance. Few programs have no small p'
    WHERE EXISTS (SELECT 1 FROM kendall);
--: remark
SELECT what || iif(EXISTS (SELECT 1 FROM side_printed),
    ': nothing whose time or rate is printed was measured here; `orrery run ' || what
    || '` measures it', ': the paper prints no time or rate of a program at a size')
FROM request WHERE NOT EXISTS (SELECT 1 FROM generation);
--: remark
SELECT card || ': no paper says its ' || rtrim(iif(card_clock IS NULL, 'clock, ', '')
    || iif(card_slots_rate IS NULL, 'peak, ', '') || iif(card_year IS NULL, 'year, ', ''), ', ')
FROM (SELECT DISTINCT card, card_clock, card_slots_rate, card_year FROM generation)
WHERE card_clock IS NULL OR card_slots_rate IS NULL OR card_year IS NULL;
--: remark
SELECT name || ' (' || device || ' of ' || machine || '): its clock is not in the journals, so '
    || 'clock and lanes are one factor, by the multiply-adds that were measured'
FROM generation GROUP BY machine, device HAVING count(clock) = 0 AND count(slots_rate) > 0;

--: figure generations
--: setup
-- Each program has one point on each device, of the first experiment that prints it.
CREATE TEMP TABLE year_shown AS
SELECT *, dense_rank() OVER (ORDER BY program) AS style FROM (
    SELECT g.*, f.speedup, f.low, f.high, f.together, f.together_low, f.together_high, f.algorithm,
        row_number() OVER (PARTITION BY variant, machine, device ORDER BY experiment_place, n DESC)
            AS rank
    FROM generation g JOIN largest USING (entry) JOIN factor f USING (entry)
    WHERE g.card_year NOT NULL)
WHERE rank = 1;
-- Devices by year; those of one year stand side by side, and push those of later years on.
CREATE TEMP TABLE year_place AS
WITH every AS (
    SELECT DISTINCT 0 AS measured, card AS name, '' AS machine, '' AS device, card_year AS year,
        card || ', ' || CAST(card_year AS INTEGER) AS text
    FROM year_shown
    UNION SELECT 1, name, machine, device, year, device || ' of ' || machine || ', ' || year_text
    FROM year_shown)
SELECT *, max(beside - 0.6 * place) OVER (ORDER BY place) + 0.6 * place AS x
FROM (SELECT *, year + 0.6 * (row_number() OVER one - (count(*) OVER (PARTITION BY year) + 1) / 2.0)
        AS beside, row_number() OVER (ORDER BY year, measured, name, machine, device) AS place
    FROM every WINDOW one AS (PARTITION BY year ORDER BY measured, name, machine, device));
-- role: 0 published, 1 the same program, 2 the fastest at its error.
CREATE TEMP TABLE year_point AS
SELECT variant, 0 AS role, -style AS style, c.x, 1 AS y, NULL AS low, NULL AS high,
    0 AS extrapolated
FROM year_shown s JOIN year_place c ON NOT c.measured AND c.name = s.card
UNION SELECT variant, 1, style, p.x, speedup, low, high, extrapolated
FROM year_shown s JOIN year_place p ON p.measured AND p.machine = s.machine AND p.device = s.device
UNION SELECT variant, 2, style + 200, p.x, together, together_low, together_high, 0
FROM year_shown s JOIN year_place p ON p.measured AND p.machine = s.machine AND p.device = s.device
WHERE algorithm > 1;
--: variables
SELECT 'devices', count(*) FROM year_place
UNION ALL SELECT 'name_' || row_number() OVER (ORDER BY x), text FROM year_place
UNION ALL SELECT 'x_' || row_number() OVER (ORDER BY x), x FROM year_place
UNION ALL SELECT 'modern', EXISTS (SELECT 1 FROM year_point WHERE role = 2)
UNION ALL SELECT 'estimates', EXISTS (SELECT 1 FROM year_point WHERE extrapolated)
UNION ALL SELECT 'width', 1100
UNION ALL SELECT 'height', 900;
--: series
SELECT variant || role AS series, variant AS label, style, x, y, low, high, extrapolated
FROM year_point ORDER BY style, variant, role, x;
--: nothing measures it | no time that {experiment} prints was measured here on a card whose year is known
