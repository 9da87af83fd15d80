-- SPDX-License-Identifier: MIT
-- What unrolling does to the loads of bodies j and to the loop, by counts; harness/audit/limits.sql has audit_work.

-- Section VI: "a number of data load is smaller so that the performance of the double-unrolling is fastest". A variant's
-- words of global memory and passes of the loop for each interaction, at one N and of one device.
INSERT INTO own_counted
WITH one AS (
    SELECT c.machine, c.device, c.n, c.variant, coalesce(json_extract(c.parameters, '$.unroll_i'), 1) AS unroll_i,
        coalesce(json_extract(c.parameters, '$.unroll_j'), 1) AS unroll_j, w.interactions,
        (SELECT sum(value) FROM count o WHERE o.cell_key = c.cell_key AND o.procedure = 'interactions' AND o.kind = 'GR') / 4
            AS loads,
        (SELECT sum(value) FROM count o WHERE o.cell_key = c.cell_key AND o.kind = 'PJ') AS passes
    FROM audit_cell c JOIN audit_work w USING (cell_key)
    WHERE c.experiment = 'fujiwara/loads' AND c.variant LIKE '%-unrolling' AND c.steps = 0),
 paper AS (
    SELECT a.machine, a.device, a.n, 1.0 * a.loads / a.interactions AS none, 1.0 * s.loads / a.interactions AS simple,
        1.0 * d.loads / a.interactions AS twice, d.loads < s.loads AS fewer, 1.0 * a.passes / d.passes AS none_passes,
        1.0 * s.passes / d.passes AS simple_passes, d.passes, d.n * d.n / 16.0 AS said
    FROM one a JOIN one s USING (machine, device, n) JOIN one d USING (machine, device, n)
    WHERE a.variant = 'no-unrolling' AND s.variant = 'simple-unrolling' AND s.unroll_i = 4 AND d.variant = 'double-unrolling'
        AND d.unroll_i = 4 AND d.unroll_j = 4)
SELECT 'fujiwara/loads', printf('loads of x[j] at N = %d, %s', n, device), fewer,
    'of double-unrolling "a number of data load is smaller" (section VI)',
    printf('an interaction takes %.3f of them without unrolling, %.3f with 4 x 1 and %.3f with 4 x 4', none, simple, twice),
    'a read of x[j] serves the bodies i of a thread, so that unrolling over i divides the reads; unrolling over j reads the'
    || ' same ones and only makes the loop longer', machine
FROM paper
UNION ALL
SELECT 'fujiwara/loads', printf('passes of the inner loop at N = %d, %s', n, device), passes = said,
    '"the loop frequency is N^2/16" of double-unrolling (section III)',
    printf('%d passes; %.3g times as many without unrolling, %.3g times with 4 x 1', passes, none_passes, simple_passes),
    'what unrolling over j saves: counters, comparisons and branches', machine
FROM paper;

-- What the caches must hold for the loop to be limited by computation on the paper's card: compute_s / access_s is the share
-- of the words that may come from memory.
INSERT INTO own_counted
SELECT 'fujiwara/loads', printf('unrolling over i and the caches of the %s', l.device), NULL,
    '"the cache system on RV770 GPU is very effective" (section VI)',
    group_concat(printf('%d x 4: at most %.3g %% of the words from memory', unroll_i, 100 * l.misses), '; '),
    printf('beyond, access limits; without any cache computation would limit from %d bodies i a thread on',
        max(iif(l.misses < 1, unroll_i / l.misses, 0)) + 1), machine
FROM (SELECT c.machine, c.device AS counted_on, l.device, json_extract(c.parameters, '$.unroll_i') AS unroll_i, l.misses
    FROM audit_limit l JOIN audit_cell c USING (cell_key)
    WHERE c.experiment = 'fujiwara/loads' AND c.variant = 'double-unrolling' AND l.place > 0 AND l.misses NOT NULL
        AND json_extract(c.parameters, '$.unroll_j') = 4
        AND c.n = (SELECT max(n) FROM audit_cell m WHERE m.experiment = c.experiment AND m.machine = c.machine
            AND m.device = c.device)
    ORDER BY unroll_i) l
GROUP BY machine, counted_on, l.device;

-- Tiles in local memory: what the caches no longer have to serve.
INSERT INTO own_counted
SELECT 'fujiwara/loads', printf('tiles in local memory at N = %d, %s', a.n, a.device), NULL, 'none: RV770 reads through caches',
    printf('global memory is asked for %.3g times fewer words, local memory for %.3g an interaction',
        1.0 * p.global_words / max(q.global_words, 1), 1.0 * q.local_words / q.interactions),
    'optimised with staged=yes over staged=no: a word of a tile is brought once for a group', a.machine
FROM audit_cell a JOIN audit_work p USING (cell_key)
JOIN audit_cell b ON b.machine = a.machine AND b.device = a.device AND b.experiment = a.experiment AND b.variant = a.variant
    AND b.n = a.n JOIN audit_work q ON q.cell_key = b.cell_key
WHERE a.experiment = 'fujiwara/loads' AND a.variant = 'optimised' AND json_extract(a.parameters, '$.staged') = 'no'
    AND json_extract(b.parameters, '$.staged') = 'yes'
    AND json_remove(a.parameters, '$.staged') = json_remove(b.parameters, '$.staged')
GROUP BY a.machine, a.device, a.n;
