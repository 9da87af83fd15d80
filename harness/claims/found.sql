-- Fills found once comparison and sequence are full. Benjamini & Hochberg 1995: of the m
-- comparisons of a machine those up to the largest p with p <= q rank / m are differences, of which
-- then at most the share q is false on average. What several claims compare counts once.
INSERT INTO found
WITH asked AS (
    SELECT claim, machine, device, timing_apart(timing) AS apart FROM comparison
    UNION
    SELECT claim, machine, device, timing_apart(timing_over(timing,
        lag(timing) OVER (PARTITION BY claim, machine, device, name ORDER BY x))) FROM sequence
    UNION
    SELECT a.claim, a.machine, a.device, timing_apart(timing_over(b.timing, a.timing))
    FROM (SELECT *, min(x) FROM sequence GROUP BY claim, machine, device, name) a
    JOIN (SELECT *, max(x) FROM sequence GROUP BY claim, machine, device, name) b
        USING (claim, machine, device, name)
    WHERE a.x < b.x),
prior AS (SELECT machine, timing_prior(apart) AS prior
    FROM (SELECT DISTINCT machine, apart FROM asked) GROUP BY machine),
tested AS (SELECT DISTINCT machine, apart, timing_p(apart, prior) AS p
    FROM asked JOIN prior USING (machine) WHERE apart NOT NULL),
ranked AS (
    SELECT machine, p, count(*) OVER (PARTITION BY machine) AS tests,
        count(*) OVER (PARTITION BY machine ORDER BY p) AS place
    FROM tested WHERE p NOT NULL),
-- 0.05 is q, 1.02 the margin: a difference of less than 2 % is none.
last AS (SELECT machine, max(p) AS p FROM ranked WHERE p <= 0.05 * place / tests GROUP BY machine)
SELECT claim, machine, device, apart,
    CASE WHEN t.p IS NULL THEN NULL ELSE t.p <= coalesce(last.p, -1) AND timing_value(apart) > 1.02
        END
FROM asked JOIN tested t USING (machine, apart) LEFT JOIN last USING (machine);
