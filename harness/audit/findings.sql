-- SPDX-License-Identifier: MIT
-- Findings that follow from tables of the ledger, of the paper ?1.

-- Printed ratios beside printed times: one finding for the ratios of a variant over a reference,
-- one more for each that does not follow. Printed and true numbers differ by at most half a unit,
-- doubles by less than 1e-12.
INSERT INTO audit_finding
WITH ratio AS (
    SELECT r.experiment, substr(r.variant, instr(r.variant, '/') + 1) AS variant, r.reference, r.n,
        r.printed, b.value / v.value AS derived,
        coalesce(r.value * (1 + 1e-12) + r.half_unit
                >= (b.value - b.half_unit) / (v.value + v.half_unit)
            AND r.value * (1 - 1e-12) - r.half_unit
                <= (b.value + b.half_unit) / (v.value - v.half_unit), 0) AS follows
    FROM published r JOIN published v ON v.paper = r.paper AND v.experiment = r.experiment
        AND v.variant = r.variant AND v.dataset IS r.dataset AND v.n IS r.n
        AND v.quantity = 'seconds'
    JOIN published b ON b.paper = r.paper AND b.experiment = r.experiment
        AND b.variant = r.paper || '/' || r.reference AND b.dataset IS r.dataset AND b.n IS r.n
        AND b.quantity = 'seconds'
    WHERE r.paper = ?1 AND r.quantity = 'ratio'),
 found AS (
    SELECT experiment, printf('speedup of %s over %s at N = %.0f', variant, reference, n) AS item,
        0 AS agrees, printed, printf('%.5g from the printed times', derived) AS derived, variant,
        reference, n
    FROM ratio WHERE NOT follows
    UNION ALL SELECT experiment, printf('speedups of %s over %s', variant, reference),
        sum(follows) = count(*), printf('%d ratios', count(*)),
        printf('%d of %d follow from the printed times', sum(follows), count(*)), variant,
        reference, NULL
    FROM ratio GROUP BY experiment, variant, reference)
SELECT ?1, experiment, item, agrees, printed, derived, '', NULL
FROM found ORDER BY experiment, variant, reference, n NULLS LAST;

-- Ratios that the text calls the highest. A text may cut digits off where a table rounds: a whole
-- unit of its last digit is no difference.
INSERT INTO audit_finding
SELECT ?1, m.experiment, printf('highest speedup of %s over %s',
        substr(m.variant, instr(m.variant, '/') + 1), m.reference),
    abs(m.value - max(r.value)) < 2 * m.half_unit, m.printed,
    printf('%s in the table', r.printed), coalesce(m.includes, ''), NULL
FROM published m JOIN published r ON r.paper = m.paper AND r.experiment = m.experiment
    AND r.variant = m.variant AND r.reference = m.reference AND r.quantity = 'ratio'
WHERE m.paper = ?1 AND m.quantity = 'ratio_max' GROUP BY m.rowid ORDER BY m.rowid;

-- Formulas beside what was counted: one finding for a variant on a device of a machine.
INSERT INTO audit_finding
WITH judged AS MATERIALIZED (
    SELECT c.machine, c.device, c.experiment, c.variant, c.place, f.place AS entry, c.per_box,
        f.item, f.kinds AS kind, formula_value(f.formula, c.n, c.per_box, c.level) AS value,
        coalesce(o.once, -1) AS counted
    FROM audit_cell c JOIN audit_formula f USING (paper, variant)
    LEFT JOIN audit_count o ON o.cell_key = c.cell_key AND o.procedure = f.item
        AND o.kind = f.kinds AND o.place IS NOT NULL
    WHERE c.paper = ?1 AND f.says = 'count' AND c.n IS NOT NULL AND c.level IS NOT NULL
        AND c.per_box IS NOT NULL),
 found AS (SELECT *, typeof(value) = 'integer' AND value = counted AS holds FROM judged)
SELECT ?1, experiment, printf('counts of %s on %s, %s', variant, machine, device),
    sum(holds) = count(*), printf('%d formula values', count(*)),
    printf('%d of %d counted so, in %d cell%s', sum(holds), count(*), count(DISTINCT place),
        iif(count(DISTINCT place) = 1, '', 's')),
    coalesce((SELECT printf('first: %s %s at P = %d: %.15g, counted %d', w.item, w.kind, w.per_box,
            w.value, w.counted)
        FROM found w WHERE NOT w.holds AND w.machine = t.machine AND w.device = t.device
            AND w.experiment = t.experiment AND w.variant = t.variant
        ORDER BY w.place, w.entry LIMIT 1), ''), machine
FROM found t GROUP BY machine, device, experiment, variant ORDER BY min(place);

--: text own_findings
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
