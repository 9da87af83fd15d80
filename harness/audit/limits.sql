-- SPDX-License-Identifier: MIT
-- Sums up what the counts of the paper ?1 amount to, and tells whether computation or access to memory limits a cell: here, by measured
-- costs, and on the paper's own devices, by their published peaks.

-- Operations of an access of costs.csv (kernels/pair.h). What is not here has none: additions are those of loops.
CREATE VIEW IF NOT EXISTS audit_flop(access, flops) AS
VALUES ('2d', 14), ('2d-both', 9.5), ('3d', 20), ('mul', 1), ('fma', 2), ('rsqrt', 1);

-- The work of one step: pairs that were asked for, with bodies and with cells, and those evaluated for nothing; operations of both,
-- NULL where costs.csv tells none; words of global and of local memory that lanes read and write, indices among the former;
-- bytes that any program has to move.
CREATE TABLE audit_work AS
WITH flop AS (
    SELECT key, sum(count * flops) AS flops FROM audit_used JOIN audit_flop USING (access)
    GROUP BY key)
SELECT c.cell_key, c.paper, sum(iif(kind IN ('CP', 'CN', 'CE'), value, 0)) AS interactions,
    sum(iif(kind IN ('CX', 'CY'), value, 0)) AS idle, f.flops,
    sum(iif(kind IN ('GR', 'GW', 'IR', 'AG'), value, 0)) AS global_words,
    sum(iif(kind = 'IR', value, 0)) AS index_words,
    sum(iif(kind IN ('SR', 'SW', 'AS'), value, 0)) AS local_words,
    CAST(nullif(l.bytes_min, 0) AS REAL) AS least_bytes
FROM audit_cell c JOIN count o USING (cell_key) JOIN cell l USING (cell_key)
LEFT JOIN flop f ON f.key = c.cell_key
WHERE c.paper = ?1 GROUP BY c.cell_key;

-- The least time of each part of a cell, on a device that has nothing else to do. compute_s: the operations, here by the measured rate
-- of such pairs; access_s: here the busiest memory by the measured costs of its accesses, on the paper's device all words at
-- its bandwidth, as if nothing were cached; least_s: what any program has to move. limits: 'computation', 'access' (here which
-- memory) or, between access_s and least_s, 'caches'. misses: the largest share of the words that may come from memory
-- before access limits.
CREATE TABLE audit_limit AS
WITH busy AS (
    SELECT cell_key, pipe, sum(seconds) AS seconds,
        row_number() OVER (PARTITION BY cell_key ORDER BY sum(seconds) DESC) AS place
    FROM predicted WHERE pipe IN ('shared memory', 'global memory') GROUP BY cell_key, pipe),
 here AS (
    SELECT w.cell_key, w.paper, c.device, (SELECT sum(seconds) FROM predicted p
            WHERE p.cell_key = w.cell_key AND p.pipe = 'issue') AS compute_s,
        iif(EXISTS (SELECT 1 FROM audit_unknown u WHERE u.cell_key = w.cell_key
            AND (u.kind GLOB 'shared-*' OR u.kind GLOB 'global-*')), NULL, b.seconds) AS access_s,
        b.pipe
    FROM audit_work w JOIN audit_cell c USING (cell_key)
    LEFT JOIN busy b ON b.cell_key = w.cell_key AND b.place = 1
    WHERE w.paper = ?1)
SELECT cell_key, paper, 0 AS place, device, compute_s, access_s, NULL AS least_s,
    CASE WHEN access_s IS NULL THEN NULL WHEN compute_s >= access_s THEN 'computation'
        ELSE pipe END AS limits, NULL AS misses
FROM here WHERE compute_s NOT NULL;
CREATE INDEX audit_limit_cell ON audit_limit(cell_key);
INSERT INTO audit_limit
WITH there AS (
    SELECT w.cell_key, w.paper, d.device_place AS place, d.device, w.flops / d.peak_gflops / 1e9 AS compute_s,
        4.0 * w.global_words / d.bandwidth_gbs / 1e9 AS access_s,
        w.least_bytes / d.bandwidth_gbs / 1e9 AS least_s
    FROM audit_work w JOIN published_device d USING (paper)
    WHERE paper = ?1 AND d.peak_gflops NOT NULL AND d.bandwidth_gbs NOT NULL AND w.flops > 0
        AND d.device IN (SELECT p.device FROM published p JOIN audit_cost c ON p.variant = c.paper || '/' || c.variant))
SELECT cell_key, paper, place, device, compute_s, access_s, least_s,
    CASE WHEN compute_s >= access_s THEN 'computation' WHEN compute_s < least_s THEN 'access' ELSE 'caches' END,
    min(1.0, compute_s / access_s)
FROM there;

-- Cells that are wrong on purpose tell yes or no here: claims are judged by that, and see no
-- time of a wrong result.

-- sign: a cell that is wrong on purpose is faster (1), slower (-1) or neither (0) than the same
-- input by a variant that is right, alike in every parameter that both have. By the intervals of
-- both medians.
CREATE TABLE audit_racing_gain AS
SELECT r.paper, r.machine, r.device, r.experiment, r.variant,
    substr(o.variant, instr(o.variant, '/') + 1) AS over, r.dataset, r.n, r.level, r.per_box,
    r.parameters, r.wrong_key, o.cell_key AS over_key,
    iif(r.seconds_high < o.seconds_low, 1, iif(r.seconds_low > o.seconds_high, -1, 0)) AS sign
FROM audit_racing r JOIN latest o ON o.machine = r.machine AND o.device = r.device
    AND o.experiment = r.experiment AND o.dataset IS r.dataset AND o.n IS r.n AND o.level IS r.level
    AND o.outcome = 'ok' AND NOT o.extrapolated AND o.operand = ''
    AND substr(o.variant, instr(o.variant, '/') + 1) <> r.variant
WHERE NOT EXISTS (SELECT 1 FROM json_each(r.parameters) x JOIN json_each(o.parameters) y USING (key)
    WHERE x.value IS NOT y.value);

-- most: of cells of the same variant that are right, alike in every parameter but one, most of
-- what keeps them from being twice as fast as the other variant is the time that being right takes.
CREATE TABLE audit_racing_most AS
SELECT g.paper, g.machine, g.device, g.experiment, g.variant, g.over, g.per_box, c.parameters,
    c.cell_key, g.over_key, c.seconds - r.seconds >= 0.5 * (c.seconds - 0.5 * o.seconds) AS most
FROM audit_racing_gain g JOIN audit_racing r USING (wrong_key)
JOIN cell o ON o.cell_key = g.over_key
JOIN latest c ON c.machine = g.machine AND c.device = g.device AND c.experiment = g.experiment
    AND c.variant = g.paper || '/' || g.variant AND c.dataset IS g.dataset AND c.n IS g.n
    AND c.level IS g.level AND c.outcome = 'ok' AND NOT c.extrapolated AND c.operand = ''
WHERE (SELECT count(*) FROM json_each(c.parameters) x JOIN json_each(g.parameters) y USING (key)
    WHERE x.value IS NOT y.value) = 1;

-- The paper's own audit.sql may write these: findings as in audit_finding, and rows of audit_slots.
CREATE TEMP TABLE IF NOT EXISTS own_finding(experiment TEXT, item TEXT, agrees INTEGER,
    printed TEXT, derived TEXT, why TEXT);
CREATE TEMP TABLE IF NOT EXISTS own_slots(experiment TEXT, item TEXT, slots REAL, error REAL,
    declared REAL, why TEXT);
-- Findings by what was counted on one machine.
CREATE TEMP TABLE IF NOT EXISTS own_counted(experiment TEXT, item TEXT, agrees INTEGER,
    printed TEXT, derived TEXT, why TEXT, machine TEXT);
DELETE FROM own_finding;
DELETE FROM own_counted;
DELETE FROM own_slots;
