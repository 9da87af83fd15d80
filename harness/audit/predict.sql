-- SPDX-License-Identifier: MIT
-- Fits the printed times of the paper ?1: for each variant whose evaluations its formulas count,
-- the straight line t = floor + pair x evaluations, fitted with relative weights. An
-- evaluation counts with the lanes of its warp that idle where a box has fewer bodies than a warp
-- has lanes.

-- Two-sided 95 % of Student's t.
CREATE VIEW IF NOT EXISTS audit_student(freedom, t) AS
VALUES (1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (6, 2.447), (7, 2.365),
    (8, 2.306), (9, 2.262), (10, 2.228);

-- One row for each printed time. evaluations: lanes included that idle.
CREATE TABLE audit_fit_point AS
WITH printed AS (
    SELECT p.*, substr(p.variant, instr(p.variant, '/') + 1) AS name,
        CAST(a.vals AS INTEGER) AS tree,
        p.n / (1 << 2 * CAST(a.vals AS INTEGER)) AS boxed,
        coalesce((SELECT value FROM published_fact r WHERE r.paper = p.paper
            AND r.device = p.device AND r.quantity = 'lanes of a warp'), 1) AS warp
    FROM published p JOIN axis a ON a.experiment = p.experiment AND a.name = 'level'
        AND a.numbers AND NOT a.several
    WHERE p.paper = ?1 AND p.quantity = 'seconds' AND p.n IS NOT NULL)
SELECT p.paper, p.experiment, name AS variant, device, boxed AS per_box,
    CAST(formula_value(f.formula, n, boxed, tree) * (CAST(boxed + warp - 1 AS INTEGER)
        / CAST(warp AS INTEGER) * warp) / boxed AS REAL) AS evaluations, value AS seconds
FROM printed p JOIN audit_formula f ON f.paper = p.paper AND f.variant = name AND f.says = 'sum'
    AND f.kinds = 'CP'
WHERE boxed > 0;
-- ..._error: half the 95 % interval. misfit: the largest relative residual. pair_slots: turns of
-- the card's issuing unit that a warp's evaluations take, by its documented rates; NULL where they
-- are not known.
CREATE TABLE audit_fit AS
WITH weighted AS (SELECT *, 1 / (seconds * seconds) AS w FROM audit_fit_point WHERE paper = ?1),
 sums AS (
    SELECT paper, experiment, variant, device, count(*) AS points, sum(w) AS s,
        sum(w * evaluations) AS sx, sum(w * seconds) AS sy,
        sum(w * evaluations * evaluations) AS sxx, sum(w * evaluations * seconds) AS sxy
    FROM weighted GROUP BY paper, experiment, variant, device HAVING count(*) > 2),
 line AS (
    SELECT *, (s * sxy - sx * sy) / (s * sxx - sx * sx) AS pair_s,
        (sxx * sy - sx * sxy) / (s * sxx - sx * sx) AS floor_s FROM sums),
 rest AS (
    SELECT l.*, sum(w * (seconds - floor_s - pair_s * evaluations)
            * (seconds - floor_s - pair_s * evaluations)) / (points - 2) AS variance,
        max(abs((floor_s + pair_s * evaluations) / seconds - 1)) AS misfit
    FROM line l JOIN weighted USING (paper, experiment, variant, device)
    GROUP BY experiment, variant, device),
 issue AS (
    SELECT device, max(value) FILTER (WHERE quantity = 'multiprocessors')
            * max(value) FILTER (WHERE quantity = 'clock')
            / max(value) FILTER (WHERE quantity = 'clocks of an issue slot')
            * max(value) FILTER (WHERE quantity = 'lanes of a warp') AS lanes
    FROM published_fact WHERE paper = ?1 GROUP BY device)
SELECT paper, experiment, variant, device, points, floor_s,
    t * sqrt(variance * sxx / (s * sxx - sx * sx)) AS floor_error_s, pair_s, misfit,
    pair_s * lanes AS pair_slots,
    t * sqrt(variance * s / (s * sxx - sx * sx)) * lanes AS pair_slots_error
FROM rest LEFT JOIN issue USING (device)
JOIN (SELECT freedom, t FROM audit_student) ON freedom = min(10, points - 2);

-- Counts times measured costs: what a cell should take, beside what it took. Of the paper ?1;
-- audit.h has the rows of audit_cost.

-- Cells that are wrong on purpose: the newest of each. Only what begins with audit_racing knows
-- their times.
CREATE TABLE audit_racing AS
SELECT key AS wrong_key, substr(experiment, 1, instr(experiment, '/') - 1) AS paper, machine, device,
    device_name, experiment, substr(variant, instr(variant, '/') + 1) AS variant, dataset, n, level,
    per_box, parameters, seconds, seconds_low, seconds_high, error_median
FROM (SELECT w.*, w.wrong_on_purpose_key AS key, r.machine, row_number() OVER (
        PARTITION BY r.machine, w.experiment, w.variant, w.device, w.dataset, w.n, w.seed,
            w.parameters
        ORDER BY coalesce(w.started, r.started) DESC, w.wrong_on_purpose_key DESC) AS age
    FROM wrong_on_purpose w JOIN run r USING (run_key) WHERE r.operand = '' AND w.seconds > 0)
WHERE age = 1 ORDER BY key;

-- The cells that may be predicted, with their counts. key: of the cell; of one that is wrong on purpose its
-- own, negative.
CREATE VIEW IF NOT EXISTS audit_task AS
SELECT cell_key AS key, paper, machine, device, experiment, variant, parameters, seconds
FROM audit_cell
UNION ALL SELECT -wrong_key, paper, machine, device, experiment, variant, parameters, seconds
FROM audit_racing;
-- All lanes of a warp count as busy where they were not counted.
CREATE TABLE audit_tally AS
WITH task AS MATERIALIZED (SELECT key FROM audit_task),
 counted AS MATERIALIZED (
    SELECT cell_key AS key, procedure, kind, value FROM count WHERE cell_key IN task
    UNION ALL SELECT -wrong_on_purpose_key, procedure, kind, value FROM wrong_on_purpose_count
    WHERE -wrong_on_purpose_key IN task)
SELECT * FROM counted
UNION ALL SELECT key, procedure, 'LP', value FROM counted
WHERE kind = 'CP' AND key > 0 AND key NOT IN (
    SELECT key FROM counted WHERE kind = 'LP' AND value > 0)
UNION ALL SELECT key, '', 'step', 1 FROM task;
CREATE INDEX audit_tally_of ON audit_tally(key, kind);

-- The cost of an access, an operation or an ordered pair on a device as a whole, by its newest
-- access ceilings; pairs by the ceilings of a run where those have none. high: the next measured
-- degree, between which the cost is linear; beyond the last one it grows as the degree does.
CREATE TABLE audit_rate AS
WITH pair AS (
    SELECT r.machine, p.device, p.kind, p.rate, row_number() OVER (
        PARTITION BY r.machine, p.device, p.kind ORDER BY r.started DESC, r.run_key DESC) AS age
    FROM ceiling_pair p JOIN run r USING (run_key) WHERE r.operand = '' AND p.kind <> 'mix'),
 every AS (
    SELECT machine, device, kind, unit, degree, seconds FROM access_cost WHERE operand = ''
    UNION ALL SELECT machine, device, kind, iif(kind = 'fma', 'operation', 'pair'), 1, 1 / rate
    FROM pair p WHERE age = 1 AND NOT EXISTS (SELECT 1 FROM access_cost a
        WHERE a.operand = '' AND a.machine = p.machine AND a.device = p.device
            AND a.kind = p.kind))
SELECT machine, device, kind, unit, degree AS low, lead(degree) OVER w AS high, seconds AS cost,
    lead(seconds) OVER w AS cost_high
FROM every WINDOW w AS (PARTITION BY machine, device, kind ORDER BY degree);
CREATE INDEX audit_rate_of ON audit_rate(machine, device, kind);

-- Which part of a device a kind of access keeps busy; parts work side by side, and the busiest
-- takes as long as the step.
CREATE VIEW IF NOT EXISTS audit_pipe(pattern, pipe) AS
VALUES ('shared-*', 'shared memory'), ('shuffle', 'shared memory'), ('global-*', 'global memory'),
    ('l2', 'global memory'), ('dram', 'global memory'), ('latency-*', 'waiting'),
    ('barrier', 'barriers'),
    ('launch', 'launches'), ('group', 'starts of groups'), ('*-device-*', 'transfers'), ('fma-fp64', 'double precision'),
    ('add', 'issue'), ('mul', 'issue'), ('fma', 'issue'), ('rsqrt', 'issue'), ('2d*', 'issue'),
    ('3d*', 'issue');

-- Accesses that costs.csv names and no rate is known of.
CREATE TABLE audit_unknown(cell_key INTEGER, kind TEXT, degree REAL);
-- Accesses of the paper's counts, by costs.csv, whether their rates are known or
-- not. counted: the kind of the count.
CREATE TABLE audit_used AS
WITH rule AS (
    SELECT t.key, t.machine, t.device, c.kind, c.access, c.degree, c.times
    FROM audit_task t JOIN audit_cost c USING (paper, variant)
    WHERE paper = ?1 AND c.kind NOT IN ('kernel', 'left-out', 'counters') AND (c.condition = '' OR json_extract(t.parameters, '$.'
            || substr(c.condition, 1, instr(c.condition, '=') - 1))
            = substr(c.condition, instr(c.condition, '=') + 1)))
SELECT r.key, r.machine, r.device, r.access, r.kind AS counted, iif(r.degree = 'counted',
        (SELECT 1.0 * nullif(d.value, 0) / a.value
         FROM audit_tally d JOIN audit_tally a USING (key, procedure)
         WHERE d.key = r.key AND d.procedure = y.procedure AND d.kind = 'AD' AND a.kind = 'AS'),
        max(1.0, CAST(r.degree AS REAL))) AS degree,
    r.times * y.value AS count
FROM rule r JOIN audit_tally y ON y.key = r.key AND y.kind = r.kind WHERE y.value > 0;
-- Groups that a device works on at once: as many as its multiprocessors hold, or all. A processor runs the
-- threads of a group one after another, so that its groups do not wait; NULL where the driver does not tell.
CREATE TABLE audit_at_once AS
WITH unit AS (
    SELECT r.machine, d.device, max(d.compute_units) AS units
    FROM device d JOIN run r USING (run_key) WHERE d.kind = 2 AND r.operand = '' GROUP BY 1, 2)
SELECT t.key, 1.0 * min((SELECT sum(value) FROM audit_tally y WHERE y.key = t.key AND y.kind = 'NG'),
    u.units * (SELECT max(nullif(k.resident, -1)) FROM kernel k
        WHERE k.cell_key = t.key AND k.name = c.access)) AS groups
FROM audit_task t JOIN audit_cost c USING (paper, variant) JOIN unit u USING (machine, device)
WHERE t.paper = ?1 AND c.kind = 'kernel';
CREATE UNIQUE INDEX audit_at_once_of ON audit_at_once(key);
-- Ceilings from before groups were started have no rate of it; then it is left out.
DELETE FROM audit_used WHERE (access GLOB 'latency-*' OR access = 'group')
    AND NOT EXISTS (SELECT 1 FROM audit_at_once o WHERE o.key = audit_used.key);
DELETE FROM audit_used WHERE access = 'group' AND NOT EXISTS (SELECT 1 FROM audit_rate r
    WHERE r.machine = audit_used.machine AND r.device = audit_used.device AND r.kind = 'group');
-- One row for each access of a cell's counts (counted: their kind) with a measured rate; kind,
-- degree: of the access. What groups wait for is divided by as many of them as are there at once.
CREATE TABLE predicted AS
SELECT key AS cell_key, access AS kind, degree, sum(count) AS count, unit, 1 / each AS rate,
    sum(count) * each / at_once AS seconds, pipe, counted
FROM (
    SELECT u.*, r.unit, p.pipe, iif(p.pipe = 'waiting', o.groups, 1) AS at_once,
        iif(r.high IS NULL, r.cost * u.degree / r.low,
            r.cost + (r.cost_high - r.cost) * (u.degree - r.low) / (r.high - r.low)) AS each
    FROM audit_used u JOIN audit_rate r ON r.machine = u.machine AND r.device = u.device
        AND r.kind = u.access AND u.degree >= r.low AND (r.high IS NULL OR u.degree < r.high)
    JOIN audit_pipe p ON u.access GLOB p.pattern LEFT JOIN audit_at_once o USING (key))
WHERE at_once NOT NULL GROUP BY key, access, degree, counted;
CREATE INDEX predicted_cell ON predicted(cell_key);
INSERT INTO audit_unknown
SELECT DISTINCT key, iif(access GLOB 'latency-*', iif((SELECT groups FROM audit_at_once o
        WHERE o.key = u.key) IS NULL, 'groups at once', 'latencies'), access),
    iif(access GLOB 'latency-*', 1, degree)
FROM audit_used u WHERE NOT EXISTS (SELECT 1 FROM predicted p
    WHERE p.cell_key = u.key AND p.kind = u.access AND p.degree = u.degree);
-- Journals from before chains were counted: without them the busiest part is a lower bound.
INSERT INTO audit_unknown
SELECT key, 'what groups wait for', 1 FROM audit_at_once o JOIN audit_task t USING (key)
WHERE t.paper = ?1 AND NOT EXISTS (SELECT 1 FROM audit_tally y
    WHERE y.key = o.key AND y.kind = 'DP' AND y.value > 0);

CREATE VIEW IF NOT EXISTS audit_lack AS
SELECT cell_key, kind || iif(degree IS NULL, ' (its degree was not counted)',
    iif(degree > 1, printf(' of degree %.3g', degree), '')) AS text FROM audit_unknown;

-- Cells on devices with access ceilings. slowest_s: the busiest pipe with all others behind it, and
-- the launches; waiting_s: what groups wait for, and the launches; binds: which of the two is
-- larger; sum_s: all of it, one after another. predicted_s lies between the larger of the first two,
-- where all parts overlap, and sum_s, where none does. How far they overlap is not known: the
-- geometric mean is as many times too long at most as it is too short at most. Where a rate is not
-- known it is the lower bound. share: predicted_s by the measured time; holds: within a quarter of
-- it, NULL where not all rates are known and those that are do not take longer already. left_out_s:
-- of sum_s, words that are in no paper's formula. rest: what may explain a measured time farther off.
CREATE TABLE prediction AS
WITH task AS (
    SELECT t.* FROM audit_task t WHERE paper = ?1 AND EXISTS (SELECT 1 FROM access_cost a
        WHERE a.operand = '' AND a.machine = t.machine AND a.device = t.device)),
 pipe AS (
    SELECT cell_key, pipe, sum(p.seconds) AS seconds, row_number() OVER (PARTITION BY cell_key
            ORDER BY pipe IN ('launches', 'waiting'), pipe = 'waiting', sum(p.seconds) DESC)
            AS place
    FROM predicted p JOIN task ON key = cell_key GROUP BY cell_key, pipe),
 bound AS (
    SELECT t.key, b.pipe, b.seconds + coalesce((SELECT seconds FROM pipe l WHERE l.cell_key = t.key
            AND l.pipe = 'launches' AND l.place > 1), 0) AS slowest_s,
        (SELECT sum(seconds) FROM pipe w WHERE w.cell_key = t.key
            AND w.pipe IN ('launches', 'waiting') HAVING max(w.pipe = 'waiting')) AS waiting_s,
        (SELECT sum(seconds) FROM predicted p WHERE p.cell_key = t.key) AS sum_s,
        (SELECT group_concat(text, ', ') FROM (SELECT DISTINCT text FROM audit_lack l
            WHERE l.cell_key = t.key ORDER BY 1)) AS lacks
    FROM task t JOIN pipe b ON b.cell_key = t.key AND b.place = 1)
SELECT t.key AS cell_key,
    max(b.slowest_s, coalesce(b.waiting_s, 0.0))
        * sqrt(iif(lacks IS NULL, b.sum_s / max(b.slowest_s, coalesce(b.waiting_s, 0.0)), 1)) AS predicted_s,
    iif(b.waiting_s > b.slowest_s, 'waiting', b.pipe) AS binds, b.sum_s, b.slowest_s,
    b.pipe AS slowest_pipe, (SELECT p.kind FROM predicted p WHERE p.cell_key = t.key
        AND p.pipe = b.pipe ORDER BY p.seconds DESC LIMIT 1) AS slowest_kind, b.waiting_s,
    iif(t.key > 0, t.seconds, NULL) AS measured_s, NULL AS share, NULL AS holds,
    (SELECT sum(value) FROM audit_tally y WHERE y.key = t.key AND y.kind = 'IR') AS left_out_words,
    (SELECT sum(seconds) FROM predicted p WHERE p.cell_key = t.key AND p.counted = 'IR'
        AND pipe <> 'waiting') AS left_out_s,
    lacks, NULL AS rest
FROM task t JOIN bound b USING (key) ORDER BY t.key;
CREATE UNIQUE INDEX prediction_cell ON prediction(cell_key);
UPDATE prediction SET share = predicted_s / measured_s;
UPDATE prediction SET holds = abs(share - 1) <= 0.25 WHERE lacks IS NULL OR share > 1.25;
-- Explanations of the rest, each a row. Named by costs.csv beforehand, with the direction in which
-- it pushes; nothing is fitted. That is of lanes and groups that run together, which a processor's
-- do not.
CREATE TABLE audit_rest(cell_key INTEGER, place INTEGER, text TEXT);
INSERT INTO audit_rest
WITH kind AS (
    SELECT r.machine, d.device, d.kind FROM device d JOIN run r USING (run_key) GROUP BY 1, 2, 3),
 missed AS (
    SELECT p.*, t.* FROM prediction p JOIN audit_task t ON t.key = p.cell_key
    WHERE t.paper = ?1 AND NOT p.holds)
SELECT cell_key, 0, 'its parts overlap ' || iif(share > 1, 'more', 'less') FROM missed
WHERE measured_s BETWEEN max(slowest_s, coalesce(waiting_s, 0)) AND sum_s
UNION ALL SELECT m.cell_key, 1 + c.rowid, c.note
FROM missed m JOIN audit_cost c USING (paper, variant) JOIN kind k USING (machine, device)
WHERE c.kind = 'left-out' AND c.access = iif(m.share > 1, 'too long', 'too short') AND k.kind = 2
    AND (c.condition = '' OR json_extract(m.parameters, '$.'
        || substr(c.condition, 1, instr(c.condition, '=') - 1))
        = substr(c.condition, instr(c.condition, '=') + 1))
UNION ALL SELECT cell_key, 1000, 'what the processor''s compiler makes of work-items: loops between'
    || ' barriers, and lanes that are not put into vectors'
FROM missed JOIN kind k USING (machine, device) WHERE share < 1 AND k.kind = 1;
UPDATE prediction SET rest = coalesce((SELECT group_concat(text, '; ') FROM (
        SELECT text FROM audit_rest r WHERE r.cell_key = prediction.cell_key ORDER BY place)),
    'nothing that is counted or declared')
WHERE NOT holds AND cell_key IN (SELECT key FROM audit_task WHERE paper = ?1);

-- One finding for the predictions of a variant on a device: how many are within a quarter of the
-- time, and what takes the rest. Without all rates a prediction is a lower bound, and judged only
-- where that is too long already.
INSERT INTO audit_finding
WITH told AS (
    SELECT t.*, p.*, iif(p.holds IS NULL, NULL, p.share) AS known
    FROM prediction p JOIN audit_task t ON t.key = p.cell_key WHERE t.paper = ?1 AND t.key > 0)
SELECT ?1, experiment, printf('time of %s on %s, %s', variant, machine, device), min(holds),
    printf('%d cell%s measured', count(*), iif(count(*) = 1, '', 's')),
    iif(count(holds), printf('%d of %d predicted within 25 %%, predicted over time %.2f to %.2f;'
            || ' %d between the bounds', sum(holds), count(holds), min(known), max(known),
            sum(holds NOT NULL AND measured_s BETWEEN max(slowest_s, coalesce(waiting_s, 0)) AND sum_s)),
        printf('none can be predicted; at least %.2f to %.2f of the time', min(share), max(share)))
        || iif(count(holds) BETWEEN 1 AND count(*) - 1,
            printf('; %d more cannot be predicted', count(*) - count(holds)), ''),
    'binding: ' || group_concat(DISTINCT binds)
        || coalesce('; no rate of ' || (SELECT group_concat(text, ', ') FROM (SELECT DISTINCT text
            FROM audit_lack l JOIN told o ON o.key = l.cell_key WHERE o.variant = t.variant
                AND o.machine = t.machine AND o.device = t.device
                AND o.experiment = t.experiment ORDER BY text)), '')
        || coalesce('; besides: ' || (SELECT group_concat(text, '; ') FROM (SELECT DISTINCT r.text
            FROM audit_rest r JOIN told o ON o.key = r.cell_key WHERE o.variant = t.variant
                AND o.machine = t.machine AND o.device = t.device
                AND o.experiment = t.experiment ORDER BY r.place)), ''), machine
FROM told t GROUP BY machine, device, experiment, variant ORDER BY min(key);

--: text costs_csv
-- Takes over costs.csv of the paper ?1 (its columns: audit.h), whose lines are the table csv.
INSERT INTO csv_fault
SELECT line, coalesce(
    unknown('unknown variant', variant,
        (SELECT group_concat(name) FROM audit_name WHERE what = 'variant')),
    iif(kind IN ('step', 'kernel', 'left-out', 'counters'), NULL,
        unknown('unknown kind of count', kind,
            (SELECT group_concat(name) FROM audit_name WHERE what = 'count'))),
    CASE WHEN access = '' THEN 'no access is named'
    WHEN kind = 'left-out' AND access NOT IN ('too short', 'too long')
        THEN printf('left-out is ''%s'', not ''too short'' or ''too long''', access)
    WHEN degree NOT IN ('', 'counted') AND coalesce(parsed(degree) < 1, 1)
        THEN printf('degree ''%s'' is no number from 1 up and not ''counted''', degree)
    WHEN coalesce(parsed(times) <= 0, 1) THEN printf('times ''%s'' is no positive number', times)
    WHEN condition <> '' AND NOT instr(condition, '=')
        THEN printf('condition ''%s'' is no parameter=value', condition) END) AS text
FROM csv;
INSERT INTO audit_cost
SELECT ?1, line, variant, kind, access, degree, parsed(times), condition, note
FROM csv WHERE NOT EXISTS (SELECT 1 FROM csv_fault WHERE text NOT NULL);
