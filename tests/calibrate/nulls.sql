-- SPDX-License-Identifier: MIT
-- A cell of which other numbers are printed takes as long as its parts. A time that nobody printed is
-- anything from a nanosecond to a gigasecond, of a single process, lest a verdict rest on it.
INSERT INTO fed
SELECT cell, 'seconds', '', sum(value), NULL FROM fed WHERE what IN ('phase', 'stage') GROUP BY cell;
CREATE TEMP TABLE untimed AS
SELECT cell, id FROM planned WHERE cell IN (SELECT cell FROM fed)
    AND cell NOT IN (SELECT cell FROM fed WHERE what = 'seconds');
INSERT INTO fed
SELECT cell, 'seconds', 'not printed', power(10, (cell + 1) * 48271 % 2147483647
    * ((cell + 1) * 48271 % 2147483647) % 18001 / 1000. - 9), NULL
FROM untimed;

-- The machines of a calibration. `published` has the printed numbers, with those scaled that the
-- preset scales.
INSERT INTO given
SELECT 'published', f.cell, what, name, value, card FROM fed f JOIN planned USING (cell)
WHERE source IS NULL;
INSERT INTO given
SELECT 'published', p.cell, 'seconds', '', f.value * p.pairs / s.pairs, card
FROM planned p JOIN planned s ON s.cell = p.source JOIN fed f ON f.cell = s.cell
WHERE what = 'seconds' AND s.source IS NULL;

-- One input of an experiment.
CREATE TEMP VIEW truth AS
SELECT g.*, printf('%s %s %s %s %s', experiment, dataset, n, level, steps) AS input
FROM given g JOIN planned USING (cell) WHERE machine = 'published';

-- Numbers that say nothing. Each null takes one thing away that claims are about:
--   equal       programs and settings do not differ: each has the geometric mean of its input
--   flat        nothing differs: all numbers of a kind are their geometric mean
--   inverted    every ratio of two numbers of a kind is turned over
--   tenfold     all is ten times worse: less work (figures and counts), and more of everything else
--   shuffled-k  at each input the numbers are dealt to other programs and settings
INSERT INTO given
SELECT 'equal', cell, what, name, coalesce(power(2.718281828459045, avg(ln(value))
    OVER (PARTITION BY what, name, input)), 0), card
FROM truth
UNION ALL
SELECT 'flat', cell, what, name, coalesce(power(2.718281828459045, avg(ln(value))
    OVER (PARTITION BY what, name)), 0), card
FROM truth
UNION ALL
SELECT 'inverted', cell, what, name, coalesce(power(2.718281828459045, 2 * avg(ln(value))
    OVER (PARTITION BY what, name)) / value, 0), card
FROM truth
UNION ALL
SELECT 'tenfold', cell, what, name, value * iif(what IN ('figure', 'count'), 0.1, 10), card FROM truth;

-- In a random order of its numbers each one goes to the next cell, the last one to the first: none
-- stays where it was.
INSERT INTO given
SELECT 'shuffled-' || seed, cell, what, name,
    coalesce(lag(value) OVER deal, last_value(value) OVER (deal ROWS BETWEEN CURRENT ROW
        AND UNBOUNDED FOLLOWING)), card
FROM (SELECT *, (mixed + cell) * (mixed + cell) % 2147483647 AS turn
    FROM (SELECT *, (cell + 1) * 48271 * (seed + 40692) % 2147483647 AS mixed
        FROM truth, (SELECT value AS seed FROM json_each('[1, 2, 3, 4, 5]'))))
WINDOW deal AS (PARTITION BY seed, what, name, input ORDER BY turn);

-- The published numbers once more, measured beside other programs: in all processes, or in some as a coin falls. slowdown() in
-- calibrate.c says how much longer each takes.
INSERT INTO given
SELECT m.value, cell, what, name, t.value, card
FROM truth t, (SELECT value FROM json_each('["loaded", "dealt-1", "dealt-2", "dealt-3"]')) m;

-- place: 0 published, 1 a null, 2 the published one beside other programs.
CREATE TEMP TABLE machine AS
SELECT machine, CASE WHEN machine = 'published' THEN 0 WHEN machine = 'loaded' OR machine LIKE 'dealt-%' THEN 2 ELSE 1 END AS place
FROM given GROUP BY machine
UNION SELECT 'published', 0;
