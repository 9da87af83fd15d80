-- SPDX-License-Identifier: MIT
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
every AS (SELECT machine, p_values(p) AS everything FROM tested GROUP BY machine),
-- Where so many of all are different, an interval that misses 1 has a p value of that many times 5 % over all, and intervals
-- of those that are told are wrong in 5 % of the cases (Benjamini & Yekutieli 2005).
level AS (SELECT machine, 0.05 * max(1, total(p_adjusted(p, everything) <= 0.05)) / max(1, count(p)) AS tail
    FROM tested JOIN every USING (machine) GROUP BY machine)
SELECT claim, machine, device, apart, timing_low(apart, prior, tail), timing_high(apart, prior, tail)
FROM asked JOIN prior USING (machine) JOIN level USING (machine) WHERE apart NOT NULL;
