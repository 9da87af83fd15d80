-- What printed times imply of the paper ?1: for each variant whose evaluations its formulas count,
-- the straight line t = floor + pair x evaluations, fitted with relative weights. An
-- evaluation counts with the lanes of its warp that idle where a box has fewer bodies than a warp
-- has lanes.

-- Two-sided 95 % of Student's t.
CREATE VIEW IF NOT EXISTS audit_student(freedom, t) AS
VALUES (1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (6, 2.447), (7, 2.365),
    (8, 2.306), (9, 2.262), (10, 2.228);

-- One row for each printed time. evaluations: lanes included that idle.
CREATE TABLE IF NOT EXISTS audit_fit_point(paper TEXT, experiment TEXT, variant TEXT, device TEXT,
    per_box INTEGER, evaluations REAL, seconds REAL);
-- ..._error: half the 95 % interval. misfit: the largest relative residual. pair_slots: turns of
-- the card's issuing unit that a warp's evaluations take, by its documented rates; NULL where they
-- are not known.
CREATE TABLE IF NOT EXISTS audit_fit(paper TEXT, experiment TEXT, variant TEXT, device TEXT,
    points INTEGER, floor_s REAL, floor_error_s REAL, pair_s REAL, pair_error_s REAL, misfit REAL,
    pair_slots REAL, pair_slots_error REAL);
DELETE FROM audit_fit_point WHERE paper = ?1;
DELETE FROM audit_fit WHERE paper = ?1;
INSERT INTO audit_fit_point
WITH printed AS (
    SELECT p.*, substr(p.variant, instr(p.variant, '/') + 1) AS name,
        CAST(a.vals AS INTEGER) AS tree,
        p.n / (1 << 2 * CAST(a.vals AS INTEGER)) AS boxed,
        coalesce((SELECT value FROM published_fact r WHERE r.paper = p.paper
            AND r.device = p.device AND r.quantity = 'lanes of a warp'), 1) AS warp
    FROM published p JOIN axis a ON a.experiment = p.experiment AND a.name = 'level'
        AND a.numbers AND NOT a.several
    WHERE p.paper = ?1 AND p.quantity = 'seconds' AND p.n IS NOT NULL)
SELECT p.paper, p.experiment, name, device, boxed,
    formula_value(f.formula, n, boxed, tree)
        * (CAST(boxed + warp - 1 AS INTEGER) / CAST(warp AS INTEGER) * warp) / boxed, value
FROM printed p JOIN audit_formula f ON f.paper = p.paper AND f.variant = name AND f.says = 'sum'
    AND f.kinds = 'CP'
WHERE boxed > 0;
INSERT INTO audit_fit
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
    t * sqrt(variance * sxx / (s * sxx - sx * sx)), pair_s,
    t * sqrt(variance * s / (s * sxx - sx * sx)), misfit, pair_s * lanes,
    t * sqrt(variance * s / (s * sxx - sx * sx)) * lanes
FROM rest LEFT JOIN issue USING (device)
JOIN (SELECT freedom, t FROM audit_student) ON freedom = min(10, points - 2);
