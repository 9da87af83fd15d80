-- SPDX-License-Identifier: MIT
-- What sorting and throttling do, by counts; harness/audit/limits.sql has audit_work.

-- TB: cells that bodies test, TL: those that a warp visits, for each of its lanes. Without sorting a warp's bodies are far
-- apart, and it visits the cells of all.
INSERT INTO own_counted
WITH one AS (
    SELECT c.*, json_extract(parameters, '$.sort') AS sort, json_extract(parameters, '$.theta') AS theta,
        json_extract(parameters, '$.throttle') AS throttle,
        (SELECT sum(value) FROM count o WHERE o.cell_key = c.cell_key AND o.kind = 'TB') AS alone,
        (SELECT sum(value) FROM count o WHERE o.cell_key = c.cell_key AND o.kind = 'TL') AS together,
        (SELECT sum(value) FROM count o WHERE o.cell_key = c.cell_key AND procedure = 'ComputeForces' AND o.kind = 'CT')
            AS visits
    FROM audit_cell c WHERE c.experiment = 'feng/visits' AND c.variant = 'barnes-hut')
SELECT 'feng/visits', printf('divergence of ComputeForces, theta = %g, N = %d, %s', a.theta, a.n, a.device),
    1.0 * a.alone / a.together > 1.0 * b.alone / b.together,
    '"This optimization decreases thread divergence within warps" (Figure 8)',
    printf('of the lanes that visit a cell %.3g %% want it with sorting, %.3g %% without; a warp visits %.3g times fewer cells',
        100.0 * a.alone / a.together, 100.0 * b.alone / b.together, 1.0 * b.visits / a.visits),
    printf('a body alone tests %.0f cells, with its sorted warp it passes %.0f, unsorted %.0f', 1.0 * a.alone / a.n,
        1.0 * a.together / a.n, 1.0 * b.together / b.n), a.machine
FROM one a JOIN one b USING (machine, device, n, theta, dataset, throttle)
WHERE a.sort = 'on' AND b.sort = 'off' AND a.throttle = 'barrier' AND a.together > 0 AND b.together > 0;

-- Attempts at locks; how many fail depends on when threads run, so these counts are of one step.
INSERT INTO own_counted
WITH one AS (
    SELECT c.*, json_extract(parameters, '$.throttle') AS throttle, sum(iif(o.kind = 'AF', o.value, 0)) AS failed,
        sum(iif(o.kind = 'AG', o.value, 0)) AS updates, sum(iif(o.kind = 'PJ', o.value, 0)) AS rounds
    FROM audit_cell c JOIN count o USING (cell_key)
    WHERE c.experiment = 'feng/visits' AND c.variant = 'barnes-hut' AND o.procedure = 'BuildQuadTree'
        AND json_extract(parameters, '$.sort') = 'on'
    GROUP BY cell_key),
 least AS (SELECT *, min(json_extract(parameters, '$.theta')) FROM one GROUP BY machine, device, n, throttle)
SELECT 'feng/visits', printf('attempts of BuildQuadTree at N = %d, %s', n, device), NULL,
    '"this throttling decreases the excess memory accesses for lock acquisition"',
    group_concat(printf('%s: %.4g attempts a body fail, %.3g atomic updates and %.3g rounds a body', throttle, 1.0 * failed / n,
        1.0 * updates / n, 1.0 * rounds / n), '; '),
    'how many fail depends on when threads run; with barriers a group goes on while one of its bodies is left', machine
FROM (SELECT * FROM least ORDER BY throttle) GROUP BY machine, device, n;
