-- Counts times measured costs: what a cell should take, beside what it took. Of the paper ?1;
-- costs.h has the rows of audit_cost.

-- Cells that are wrong on purpose: the newest of each. Only what begins with audit_racing knows
-- their times.
CREATE TABLE IF NOT EXISTS audit_racing(wrong_key INTEGER PRIMARY KEY, paper TEXT, machine TEXT,
    device TEXT, device_name TEXT, experiment TEXT, variant TEXT, dataset TEXT, n INTEGER,
    level INTEGER, per_box INTEGER, parameters TEXT, seconds REAL, seconds_low REAL,
    seconds_high REAL, error_median REAL);
DELETE FROM audit_racing;
INSERT INTO audit_racing
SELECT key, substr(experiment, 1, instr(experiment, '/') - 1), machine, device, device_name,
    experiment, substr(variant, instr(variant, '/') + 1), dataset, n, level, per_box, parameters,
    seconds, seconds_low, seconds_high, error_median
FROM (SELECT w.*, w.wrong_on_purpose_key AS key, r.machine, row_number() OVER (
        PARTITION BY r.machine, w.experiment, w.variant, w.device, w.dataset, w.n, w.seed,
            w.parameters
        ORDER BY coalesce(w.started, r.started) DESC, w.wrong_on_purpose_key DESC) AS age
    FROM wrong_on_purpose w JOIN run r USING (run_key) WHERE r.operand = '' AND w.seconds > 0)
WHERE age = 1;

-- What may be predicted, with its counts. key: of the cell; of one that is wrong on purpose its
-- own, negative.
CREATE VIEW IF NOT EXISTS audit_task AS
SELECT cell_key AS key, paper, machine, device, experiment, variant, parameters, seconds
FROM audit_cell
UNION ALL SELECT -wrong_key, paper, machine, device, experiment, variant, parameters, seconds
FROM audit_racing;
-- Where lanes of warps were not counted, all are busy.
CREATE VIEW IF NOT EXISTS audit_tally AS
SELECT cell_key AS key, procedure, kind, value FROM count
UNION ALL SELECT -wrong_on_purpose_key, procedure, kind, value FROM wrong_on_purpose_count
UNION ALL SELECT cell_key, procedure, 'LP', value FROM count c
WHERE kind = 'CP' AND NOT EXISTS (
    SELECT 1 FROM count l WHERE l.cell_key = c.cell_key AND l.kind = 'LP' AND l.value > 0)
UNION ALL SELECT key, '', 'step', 1 FROM audit_task;

-- What an access, an operation or an ordered pair costs on a device as a whole, by its newest
-- access ceilings; pairs by the ceilings of a run where those have none. high: the next measured
-- degree, between which the cost is linear; beyond the last one it grows as the degree does.
CREATE TABLE IF NOT EXISTS audit_rate(machine TEXT, device TEXT, kind TEXT, unit TEXT, low INTEGER,
    high INTEGER, cost REAL, cost_high REAL);
DELETE FROM audit_rate;
INSERT INTO audit_rate
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
SELECT machine, device, kind, unit, degree, lead(degree) OVER w, seconds, lead(seconds) OVER w
FROM every WINDOW w AS (PARTITION BY machine, device, kind ORDER BY degree);
CREATE INDEX IF NOT EXISTS audit_rate_of ON audit_rate(machine, device, kind);

-- Which part of a device a kind of access keeps busy; parts work side by side, and the busiest
-- takes as long as the step.
CREATE VIEW IF NOT EXISTS audit_pipe(pattern, pipe) AS
VALUES ('shared-*', 'shared memory'), ('shuffle', 'shared memory'), ('global-*', 'global memory'),
    ('l2', 'global memory'), ('dram', 'global memory'), ('barrier', 'barriers'),
    ('launch', 'launches'), ('*-device-*', 'transfers'), ('fma-fp64', 'double precision'),
    ('add', 'issue'), ('mul', 'issue'), ('fma', 'issue'), ('rsqrt', 'issue'), ('2d*', 'issue'),
    ('3d*', 'issue');

-- Turns of the issuing unit that an access takes where nothing is in its way, where it is not one:
-- loops over a compare-and-swap by their instructions. Ours (kernels/warp_atomics.h) begins with a
-- guess and so swaps twice: each time swap, addition, comparison, two moves and a branch; the
-- compiler's begins with a load: load, addition, swap, comparison, move, branch. An update that is
-- not atomic: load, addition, store.
CREATE VIEW IF NOT EXISTS audit_turn(kind, turns) AS
VALUES ('shared-atomic-float-cas', 12), ('global-atomic-float-cas', 12), ('shared-atomic-float', 6),
    ('shared-update-plain', 3);

-- One row for each access of a cell's counts (counted: their kind) with a measured rate; kind,
-- degree: of the access. part: 'access', or 'slot', the turns of the issuing unit that they take
-- besides.
CREATE TABLE IF NOT EXISTS predicted(cell_key INTEGER, kind TEXT, degree REAL, count REAL,
    unit TEXT, rate REAL, seconds REAL, pipe TEXT, counted TEXT, part TEXT);
CREATE INDEX IF NOT EXISTS predicted_cell ON predicted(cell_key);
-- What costs.csv wants and no rate is known of.
CREATE TABLE IF NOT EXISTS audit_unknown(cell_key INTEGER, kind TEXT, degree REAL);
DELETE FROM predicted WHERE cell_key IN (SELECT key FROM audit_task WHERE paper = ?1);
DELETE FROM audit_unknown WHERE cell_key IN (SELECT key FROM audit_task WHERE paper = ?1);
-- Accesses of the counts of the paper filled last, by costs.csv, whether their rates are known or
-- not. counted: the kind of the count.
CREATE TABLE IF NOT EXISTS audit_used(key INTEGER, machine TEXT, device TEXT, access TEXT,
    counted TEXT, degree REAL, count REAL);
DELETE FROM audit_used;
INSERT INTO audit_used
WITH rule AS (
    SELECT t.key, t.machine, t.device, c.kind, c.access, c.degree, c.times
    FROM audit_task t JOIN audit_cost c USING (paper, variant)
    WHERE paper = ?1 AND (c.condition = '' OR json_extract(t.parameters, '$.'
            || substr(c.condition, 1, instr(c.condition, '=') - 1))
            = substr(c.condition, instr(c.condition, '=') + 1)))
SELECT r.key, r.machine, r.device, r.access, r.kind AS counted, iif(r.degree = 'counted',
        (SELECT 1.0 * nullif(d.value, 0) / y.value FROM audit_tally d
         WHERE d.key = r.key AND d.procedure = y.procedure AND d.kind = 'AD'),
        max(1, CAST(r.degree AS REAL))) AS degree,
    r.times * y.value AS count
FROM rule r JOIN audit_tally y ON y.key = r.key AND y.kind = r.kind WHERE y.value > 0;
INSERT INTO predicted
SELECT key, access, degree, sum(count), unit, 1 / each, sum(count) * each, pipe, counted, 'access'
FROM (
    SELECT u.*, r.unit, p.pipe, iif(r.high IS NULL, r.cost * u.degree / r.low,
            r.cost + (r.cost_high - r.cost) * (u.degree - r.low) / (r.high - r.low)) AS each
    FROM audit_used u JOIN audit_rate r ON r.machine = u.machine AND r.device = u.device
        AND r.kind = u.access AND u.degree >= r.low AND (r.high IS NULL OR u.degree < r.high)
    JOIN audit_pipe p ON u.access GLOB p.pattern)
GROUP BY key, access, degree, counted;
INSERT INTO audit_unknown
SELECT DISTINCT key, access, degree FROM audit_used u WHERE NOT EXISTS (SELECT 1 FROM predicted p
    WHERE p.cell_key = u.key AND p.kind = u.access AND p.degree = u.degree);
INSERT INTO predicted
SELECT cell_key, 'add', 1, sum(count * coalesce(turns, 1)), 'operation', 1 / r.cost,
    sum(count * coalesce(turns, 1)) * r.cost, 'issue', counted, 'slot'
FROM predicted p JOIN audit_task t ON t.key = p.cell_key LEFT JOIN audit_turn USING (kind)
JOIN audit_rate r ON r.machine = t.machine AND r.device = t.device AND r.kind = 'add'
WHERE t.paper = ?1 AND p.part = 'access' AND p.unit IN ('word', 'update', 'shuffle')
GROUP BY cell_key, counted;

-- Cells on devices with access ceilings. sum_s: one access after another; slowest_s: the busiest
-- pipe with all others behind it, and the launches; share: slowest_s by the measured time.
-- left_out_s: of sum_s, words that are in no paper's formula.
CREATE TABLE IF NOT EXISTS prediction(cell_key INTEGER PRIMARY KEY, sum_s REAL, slowest_s REAL,
    slowest_pipe TEXT, slowest_kind TEXT, measured_s REAL, share REAL, left_out_words INTEGER,
    left_out_s REAL, lacks TEXT);
DELETE FROM prediction WHERE cell_key IN (SELECT key FROM audit_task WHERE paper = ?1);
INSERT INTO prediction
WITH task AS (
    SELECT t.* FROM audit_task t WHERE paper = ?1 AND EXISTS (SELECT 1 FROM access_cost a
        WHERE a.operand = '' AND a.machine = t.machine AND a.device = t.device)),
 pipe AS (
    SELECT cell_key, pipe, sum(p.seconds) AS seconds, row_number() OVER (PARTITION BY cell_key
            ORDER BY pipe = 'launches', sum(p.seconds) DESC) AS place
    FROM predicted p JOIN task ON key = cell_key GROUP BY cell_key, pipe)
SELECT t.key, (SELECT sum(seconds) FROM predicted p WHERE p.cell_key = t.key AND part = 'access'),
    b.seconds + coalesce((SELECT seconds FROM pipe l WHERE l.cell_key = t.key
        AND l.pipe = 'launches' AND l.place > 1), 0),
    b.pipe, (SELECT p.kind FROM predicted p WHERE p.cell_key = t.key AND p.pipe = b.pipe
        ORDER BY p.seconds DESC LIMIT 1),
    iif(t.key > 0, t.seconds, NULL), NULL,
    (SELECT sum(value) FROM audit_tally y WHERE y.key = t.key AND y.kind = 'IR'),
    (SELECT sum(seconds) FROM predicted p WHERE p.cell_key = t.key AND p.counted = 'IR'
        AND part = 'access'),
    (SELECT group_concat(text, ', ') FROM (
        SELECT DISTINCT kind || iif(degree IS NULL, ' (its degree was not counted)',
            iif(degree > 1, printf(' of degree %.3g', degree), '')) AS text
        FROM audit_unknown u WHERE u.cell_key = t.key ORDER BY 1))
FROM task t JOIN pipe b ON b.cell_key = t.key AND b.place = 1;
UPDATE prediction SET share = slowest_s / measured_s;

-- One finding for the predictions of a variant on a device: how many are within a quarter of the
-- time, and what takes the rest.
INSERT INTO audit_finding
WITH told AS (
    SELECT t.*, p.*, p.lacks IS NULL AND abs(p.share - 1) <= 0.25 AS holds
    FROM prediction p JOIN audit_task t ON t.key = p.cell_key WHERE t.paper = ?1 AND t.key > 0)
SELECT ?1, experiment, printf('time of %s on %s, %s', variant, machine, device),
    sum(holds) = count(*), printf('%d cell%s measured', count(*), iif(count(*) = 1, '', 's')),
    printf('%d of %d predicted within 25 %%, busiest part over time %.2f to %.2f; %d between'
        || ' busiest part and sum', sum(holds), count(*), min(share), max(share),
        sum(measured_s BETWEEN slowest_s AND sum_s)),
    'slowest: ' || group_concat(DISTINCT slowest_pipe)
        || coalesce('; no rate of ' || (SELECT group_concat(lacks) FROM (SELECT DISTINCT lacks
            FROM told o WHERE o.variant = t.variant AND o.machine = t.machine
                AND o.device = t.device AND o.experiment = t.experiment)), ''), machine
FROM told t GROUP BY machine, device, experiment, variant ORDER BY min(key);
