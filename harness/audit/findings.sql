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
