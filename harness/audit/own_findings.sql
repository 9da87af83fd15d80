-- SPDX-License-Identifier: MIT
-- Takes over what the audit.sql of the paper ?1 found.
INSERT INTO audit_finding
SELECT ?1, experiment, item, agrees, printed, derived, coalesce(why, ''), NULL FROM own_finding
ORDER BY rowid;
INSERT INTO audit_finding
SELECT ?1, experiment, item, agrees, printed, derived, coalesce(why, ''), machine FROM own_counted
ORDER BY rowid;
-- Issue slots on the paper's card: what printed times leave (error: half the 95 % interval), or
-- what instructions need (declared), at least.
CREATE TABLE audit_slots AS
SELECT ?1 AS paper, experiment, rowid AS place, item, slots, error, declared, why FROM own_slots;

-- Findings on what limits the programs of the paper ?1: one for each, here, and on the paper's devices by what the counts of this
-- device make of it. Behind what the paper's own audit found.
INSERT INTO audit_finding
WITH found AS (
    SELECT c.place, c.machine, c.device, c.experiment, c.variant, l.place AS other, l.device AS at,
        l.limits, l.misses, l.compute_s / l.access_s AS share, d.peak_gflops, d.bandwidth_gbs
    FROM audit_limit l JOIN audit_cell c USING (cell_key)
    LEFT JOIN published_device d ON d.device_place = l.place WHERE l.paper = ?1 AND l.limits NOT NULL)
SELECT ?1, experiment, printf('what limits %s on %s', variant,
        iif(other, 'the ' || at, printf('%s, %s', machine, device))), NULL, NULL,
    (SELECT group_concat(printf('%s in %d of %d cells', CASE limits WHEN 'computation' THEN 'computation'
            WHEN 'caches' THEN 'access without caches, computation with ideal ones' ELSE limits END,
            some, total), '; ')
     FROM (SELECT t.limits, count(*) AS some, sum(count(*)) OVER () AS total FROM found t
        WHERE t.machine = o.machine AND t.device = o.device AND t.experiment = o.experiment
            AND t.variant = o.variant AND t.other = o.other
        GROUP BY t.limits ORDER BY count(*) DESC)),
    iif(other, printf('by counts of %s and published peaks, %.0f GFLOP/s and %.1f GB/s; computation limits %s',
            device, peak_gflops, bandwidth_gbs, iif(min(misses) = 1, 'even if nothing is cached',
            printf('while at most %s of the words that lanes ask for come from memory', iif(
                printf('%.3g', 100 * min(misses)) = printf('%.3g', 100 * max(misses)),
                printf('%.3g %%', 100 * min(misses)),
                printf('%.3g to %.3g %%', 100 * min(misses), 100 * max(misses)))))),
        printf('computation over access %.2f to %.2f by measured ceilings', min(share), max(share))),
    machine
FROM found o GROUP BY machine, device, experiment, variant, other ORDER BY min(place), other;
