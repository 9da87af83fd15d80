-- Fills found once comparison and sequence are full. Of a machine's comparisons that are called
-- different at most 5 % are false on average. What several claims compare counts once.
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
every AS (SELECT machine, p_values(p) AS everything FROM tested GROUP BY machine)
-- A difference of less than 2 % is none.
SELECT claim, machine, device, apart,
    iif(p IS NULL, NULL, p_adjusted(p, everything) <= 0.05 AND timing_value(apart) > 1.02)
FROM asked JOIN tested USING (machine, apart) JOIN every USING (machine);
