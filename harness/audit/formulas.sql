-- SPDX-License-Identifier: MIT
-- Derives what follows from the formulas of the paper ?1, and the findings that its tables alone make, by the functions of audit.h.

-- Kinds of a change that only one of its two variants has counts of.
CREATE VIEW IF NOT EXISTS audit_gap AS
SELECT f.paper, f.place, f.says, k.kind, k.place AS kind_place, c.variant AS complete,
    iif(c.variant = f.variant, f.over, f.variant) AS lacking
FROM audit_formula f JOIN audit_kind k ON instr(f.kinds, k.kind)
JOIN audit_formula c ON c.paper = f.paper AND c.says = 'count' AND c.kinds = k.kind
    AND c.variant IN (f.variant, f.over)
WHERE f.says IN ('change', 'number') AND f.variant <> f.over
GROUP BY f.paper, f.place, k.kind HAVING count(DISTINCT c.variant) = 1;

-- They follow where another kind stands in one proportion to theirs in every procedure of the complete variant, as two writes
-- to the sums in registers belong to every pair evaluated.
INSERT INTO audit_formula
WITH own AS MATERIALIZED (
    SELECT place, experiment, variant, item, kinds AS kind, formula
    FROM audit_formula WHERE paper = ?1 AND says = 'count'),
 tried AS (
    SELECT g.*, k.kind AS source, k.place AS source_place,
        count(*) = count(o.place) AND count(*) = count(formula_ratio(m.formula, s.formula)) AS every,
        min(formula_ratio(m.formula, s.formula)) AS ratio, max(formula_ratio(m.formula, s.formula)) AS most
    FROM audit_gap g JOIN audit_kind k ON k.kind <> g.kind
    JOIN own m ON m.variant = g.complete AND m.kind = g.kind
    LEFT JOIN own s ON s.variant = g.complete AND s.item = m.item AND s.kind = k.kind
    LEFT JOIN own o ON o.variant = g.lacking AND o.item = m.item AND o.kind = k.kind
    WHERE g.paper = ?1 AND g.says = 'change' GROUP BY g.place, g.kind_place, k.place),
 chosen AS (
    SELECT *, row_number() OVER (PARTITION BY lacking, kind ORDER BY place, kind_place, source_place) AS choice
    FROM tried WHERE every AND ratio = most)
SELECT ?1, (SELECT max(place) FROM audit_formula WHERE paper = ?1) + row_number() OVER (ORDER BY c.place, c.kind_place, m.place),
    'count', o.experiment, o.variant, '', o.item, c.kind, formula('(' || o.formula || ')(' || ratio || ')'), NULL, '',
    ratio || ' ' || source, NULL, NULL
FROM chosen c JOIN own m ON m.variant = c.complete AND m.kind = c.kind
JOIN own o ON o.variant = c.lacking AND o.item = m.item AND o.kind = c.source WHERE choice = 1;

INSERT INTO audit_formula
SELECT ?1, (SELECT max(place) + 1 FROM audit_formula), 'sum', '', variant, '', 'total', kinds,
    formula(group_concat('+(' || formula || ')', '')) AS total, NULL, '', NULL, NULL, NULL
FROM audit_formula WHERE paper = ?1 AND says = 'count' GROUP BY variant, kinds HAVING total <> '0';

UPDATE audit_formula AS f SET follows = (
    SELECT coalesce(formula(group_concat(iif(c.variant = f.variant, '+(', '-(') || c.formula || ')', '')), '0')
    FROM audit_formula c WHERE c.paper = f.paper AND c.says = 'count' AND c.variant IN (f.variant, f.over)
        AND instr(f.kinds, c.kinds)), follows_read_write = (
    SELECT iif(max(c.says = 'atomic'),
        formula(group_concat(iif(c.variant = f.variant, '+(', '-(') || c.formula || ')', '')), NULL)
    FROM audit_formula c WHERE c.paper = f.paper AND c.variant IN (f.variant, f.over)
        AND ((c.says = 'count' AND instr(f.kinds, c.kinds))
            OR (c.says = 'atomic' AND instr(f.kinds, replace(c.kinds, 'W', 'R')))))
WHERE paper = ?1 AND says IN ('change', 'number') AND variant <> over;

-- The values under which an experiment's numbers hold, ready to be put in the place of symbols, and the words for them.
CREATE VIEW IF NOT EXISTS audit_where AS
SELECT paper, experiment, coalesce('(' || max(formula) FILTER (WHERE item = 'P') || ')', 'P') AS p,
    coalesce('(' || max(formula) FILTER (WHERE item = 'N') || ')', 'N') AS n,
    coalesce('(' || max(formula) FILTER (WHERE item = 'B') || ')', 'B') AS b,
    CAST(max(formula) FILTER (WHERE item = 'level') AS INTEGER) AS level,
    coalesce('at level ' || max(formula) FILTER (WHERE item = 'level'), 'in numbers') AS words
FROM (SELECT paper, experiment, formula, iif(says = 'where', item, NULL) AS item FROM audit_formula)
GROUP BY paper, experiment;

-- Changes of entries that say 'number' with values put in. what: 0 with an atomic update as one write, 1 with it as a read and
-- a write, 2 what the printed symbols give.
CREATE TEMP TABLE IF NOT EXISTS audit_put(place INTEGER, experiment TEXT, what INTEGER, change TEXT, words TEXT);
DELETE FROM audit_put;
INSERT INTO audit_put
WITH asked(place, experiment, what, text) AS (
    SELECT place, experiment, 0, follows FROM audit_formula WHERE paper = ?1 AND says = 'number'
    UNION ALL SELECT place, experiment, 1, follows_read_write FROM audit_formula WHERE paper = ?1 AND says = 'number'
    UNION ALL SELECT f.place, f.experiment, 2, e.formula FROM audit_formula f JOIN audit_formula e
        USING (paper, experiment, variant, item) WHERE paper = ?1 AND f.says = 'number' AND e.says = 'change'),
 put AS MATERIALIZED (
    SELECT place, experiment, what, formula(replace(replace(replace(text, 'P', p), 'N', n), 'B', b)) AS change
    FROM asked JOIN audit_where USING (experiment) WHERE paper = ?1 AND text NOT NULL)
SELECT *, CASE WHEN change = '0' THEN 'unchanged' WHEN change LIKE '-%' THEN 'reduced by ' || formula('-(' || change || ')')
    ELSE 'increased by ' || change END FROM put ORDER BY place, what;

-- Where changes in one symbol are a fall or a rise, of whole values from `start` on; what is asked, of any change, is in
-- audit_change. ahead: the sign for large values. steady: from this value on it has that sign. root, last_root: break-evens.
CREATE TEMP TABLE IF NOT EXISTS audit_change(place INTEGER, read_write INTEGER, level INTEGER, said INTEGER, change TEXT,
    start INTEGER);
DELETE FROM audit_change;
CREATE TEMP VIEW IF NOT EXISTS audit_fall AS
WITH one AS MATERIALIZED (
    SELECT DISTINCT change, start, replace(replace(change, 'N', 'P'), 'B', 'P') AS f,
        CASE WHEN instr(change, 'P') THEN 'P' WHEN instr(change, 'N') THEN 'N' WHEN instr(change, 'B') THEN 'B' END AS symbol,
        (change <> '0') - 2 * (change LIKE '-%') AS ahead FROM audit_change),
 point AS MATERIALIZED (
    SELECT *, formula_value(f, 0, 0, 0) AS d, formula_value(f, 0, 1, 0) AS v1, formula_value(f, 0, 2, 0) AS v2,
        formula_value(f, 0, 3, 0) AS v3, formula_value(f, 0, 4, 0) AS v4 FROM one),
 cubic AS (SELECT *, (v3 - 3 * v2 + 3 * v1 - d) / 6.0 AS a, (4 * v2 - 5 * v1 + 2 * d - v3) / 2.0 AS b FROM point),
 known AS MATERIALIZED (SELECT *, v1 - d - a - b AS c FROM cubic),
 -- Roots at 0 are none: a common power goes, and x2 P^2 + x1 P + x0 is left.
 left AS MATERIALIZED (
    SELECT *, iif(d, b, iif(c, a, 0)) AS x2, iif(d, c, iif(c, b, a)) AS x1, iif(d, d, iif(c, c, b)) AS x0 FROM known),
 solved AS (SELECT *, -0.5 * (x1 + iif(x1 < 0, -1, 1) * power(x1 * x1 - 4 * x2 * x0, 0.5)) AS q FROM left),
 root AS MATERIALIZED (
    SELECT *, iif(q / x2 > 0, q / x2, NULL) AS one_root,
        iif(x0 / q > 0 AND (x2 = 0 OR x1 * x1 <> 4 * x2 * x0), x0 / q, NULL) AS other_root FROM solved),
 sorted AS (
    SELECT *, coalesce(max(one_root, other_root), one_root, other_root) AS last_root, min(one_root, other_root) AS root
    FROM root),
 placed AS MATERIALIZED (
    SELECT s.*, coalesce(max(at + 1) FILTER (WHERE at >= start AND sign(formula_value(f, 0, at, 0)) <> ahead), start) AS steady
    FROM (SELECT *, coalesce(CAST(last_root AS INTEGER) + step, 0) AS at
        FROM sorted JOIN (SELECT -1 AS step UNION VALUES (0), (1), (NULL))) s GROUP BY change, start)
SELECT change, start, ahead, iif(solved, steady, NULL) AS steady, iif(solved AND last_root >= start, last_root, NULL) AS break_even,
    CASE WHEN NOT solved THEN 'has several symbols, or a degree above 2' ELSE CASE WHEN NOT ahead THEN 'does not change' WHEN symbol IS NULL THEN verb
        WHEN steady = start THEN printf('%s for every %s >= %d', verb, symbol, start)
        ELSE printf('%s from %s = %d on', verb, symbol, steady) END
    || iif(root >= start, printf(', break-even %s = %.4g', symbol, root), '')
    || iif(last_root >= start, printf(', break-even %s = %.4g', symbol, last_root), '')
    || iif(ahead AND steady <> start, printf('; at %s = %d it %s by %.15g', symbol, start,
        CASE sign(first) WHEN 1 THEN 'rises' WHEN -1 THEN 'falls' ELSE 'changes' END, abs(first)), '') END AS words
FROM (SELECT *, iif(ahead < 0, 'falls', 'rises') AS verb, formula_value(f, 0, start, 0) AS first,
    (instr(change, 'P') > 0) + (instr(change, 'N') > 0) + (instr(change, 'B') > 0) < 2 AND (d = 0 OR a = 0)
        AND abs(64 * a + 16 * b + 4 * c + d - v4) <= 1e-9 * abs(v4) AS solved FROM placed);

-- From where on the numbers hold, and at which levels; those that were counted and the published one.
INSERT INTO audit_change
SELECT u.place, what, NULL, f.place, change, CAST(f.formula AS INTEGER)
FROM audit_put u JOIN audit_formula f USING (experiment) WHERE f.paper = ?1 AND f.says = 'from' AND what < 2;
INSERT INTO audit_change
WITH asked(level) AS (SELECT level FROM audit_cell WHERE paper = ?1 AND per_box NOT NULL UNION SELECT level FROM audit_where WHERE paper = ?1),
 reading(read_write) AS (VALUES (0), (1))
SELECT f.place, read_write, a.level, NULL,
    formula(replace(replace(iif(read_write, follows_read_write, follows), 'N', printf('(%dP)', 1 << 2 * a.level)), 'B',
        printf('(%d)', box_neighbours(a.level)))),
    coalesce((SELECT CAST(s.formula AS INTEGER) FROM audit_formula s WHERE s.paper = ?1 AND s.says = 'from'
        AND s.experiment = f.experiment AND s.item = 'P' ORDER BY s.place LIMIT 1), 1)
FROM audit_formula f JOIN audit_where w USING (paper, experiment) JOIN asked a JOIN reading
WHERE f.paper = ?1 AND f.says = 'number' AND a.level BETWEEN 0 AND 12
    AND (a.level = w.level OR a.level IN (SELECT level FROM audit_cell WHERE paper = ?1 AND per_box NOT NULL));
INSERT INTO audit_break_even
SELECT f.paper, c.place, c.read_write, c.level, coalesce(c.level = w.level, 0), c.change, l.break_even,
    iif(ahead < 0, steady, NULL), l.words, iif(c.level = w.level,
        ahead = (f.formula <> '0') - 2 * (f.formula LIKE '-%') AND steady = start, NULL)
FROM audit_change c JOIN audit_fall l USING (change, start) JOIN audit_formula f ON f.place = c.place
JOIN audit_where w USING (paper, experiment)
WHERE f.paper = ?1 AND c.level NOT NULL ORDER BY c.place, c.level, c.read_write;

-- Counts that are left out. The first of a kind and variant speaks for all procedures.
INSERT INTO audit_finding
SELECT ?1, experiment, kinds || ' of ' || variant, 0, NULL, group_concat(item || ' ' || formula, ', '), printf(
    'not printed, though the change of ''%s'' needs it; in the other variant %s is %s in every procedure, and so it is taken to be here',
    (SELECT c.item FROM audit_formula c WHERE c.paper = ?1 AND c.says = 'change' AND instr(c.kinds, i.kinds)
        AND i.variant IN (c.variant, c.over) ORDER BY c.place LIMIT 1), kinds, inferred), NULL
FROM (SELECT * FROM audit_formula WHERE paper = ?1 AND inferred NOT NULL ORDER BY place) i
GROUP BY variant, kinds ORDER BY min(place);

-- Operations of a pair. A convention may be generous; one that is below what the source needs leaves something out.
INSERT INTO audit_finding
SELECT ?1, experiment, 'flops of a pair in ' || variant, flops <= formula_value(formula, 0, 0, 0), printed,
    printf('%d, counted in kernels/pair.h (%s)', flops, item),
    CASE WHEN flops <= formula_value(formula, 0, 0, 0) THEN note WHEN one_sided THEN printf(
        'the printed number leaves the counterforce out: %d serve one body, %d more the other', one_sided, flops - one_sided)
        ELSE '' END, NULL
FROM audit_formula JOIN audit_pair_flops ON pair = item WHERE paper = ?1 AND says = 'flops' ORDER BY place;

-- Changes from one variant to another.
INSERT INTO audit_finding
WITH judged AS MATERIALIZED (
    SELECT f.*, place IN (SELECT place FROM audit_gap WHERE paper = ?1) AS gaps FROM audit_formula f
    WHERE paper = ?1 AND says = 'change')
SELECT ?1, experiment, item, formula = follows AND NOT gaps, printed, follows,
    CASE WHEN gaps THEN 'counts that it needs are not printed, and nothing gives them' WHEN formula = follows THEN ''
        ELSE coalesce((SELECT printf('the printed one repeats the entry ''%s''', o.item) FROM judged o
            WHERE o.place <> j.place AND o.experiment = j.experiment AND o.formula = j.formula AND o.follows = o.formula
            ORDER BY o.place LIMIT 1), '') END, NULL
FROM judged j ORDER BY place;

-- Findings on the values that the numbers were made with.
INSERT INTO audit_finding
SELECT ?1, experiment, item || ' ' || words, formula = r.value, printed, item || ' = ' || r.value, '', NULL
FROM (SELECT f.*, words, formula(CASE item WHEN 'N' THEN printf('%dP', 1 << 2 * level)
        WHEN 'B' THEN box_neighbours(level) ELSE item END) AS value
    FROM audit_formula f JOIN audit_where w USING (paper, experiment)
    WHERE paper = ?1 AND says = 'where' AND item <> 'level' AND level BETWEEN 0 AND 12) r ORDER BY place;

-- Numbers.
INSERT INTO audit_finding
SELECT ?1, f.experiment, item || ' ' || w.words, f.formula = u.change AND NOT gaps, printed, u.words,
    CASE WHEN (f.formula = u.change AND NOT gaps) OR p.change IS NULL THEN ''
        WHEN p.change = f.formula THEN 'the printed one follows from the printed symbols, which are wrong'
        ELSE 'the printed one follows neither from the counts nor from the printed symbols, which would give: ' || p.words END,
    NULL
FROM (SELECT *, place IN (SELECT place FROM audit_gap WHERE paper = ?1) AS gaps FROM audit_formula) f
JOIN audit_where w USING (paper, experiment)
JOIN audit_put u ON u.place = f.place AND u.what = 0 LEFT JOIN audit_put p ON p.place = f.place AND p.what = 2
WHERE paper = ?1 AND says = 'number' GROUP BY f.place ORDER BY f.place;
INSERT INTO audit_finding
SELECT ?1, f.experiment, printf('%s for %s%s', f.item, s.printed, iif(read_write, ', atomic updates read and written', '')),
    ahead = (f.formula <> '0') - 2 * (f.formula LIKE '-%') AND steady = start, f.printed,
    u.words || ': ' || l.words,
    iif(read_write, 'the table counts an atomic update as one write; it is a read and a write', ''), NULL
FROM audit_change c JOIN audit_fall l USING (change, start) JOIN audit_formula f ON f.paper = ?1 AND f.place = c.place
JOIN audit_formula s ON s.paper = ?1 AND s.place = c.said JOIN audit_put u ON u.place = c.place AND u.what = c.read_write
ORDER BY c.place, c.said, read_write;

--: text formulas_csv
-- Takes over formulas.csv of the paper ?1 (its columns: audit.h), whose lines are the table csv.

-- words: of the kinds, as an array in JSON; ordered: "SW+SR" as "SR+SW".
CREATE TEMP TABLE csv_words AS
SELECT c.*, words, (SELECT group_concat(kind, '+') FROM (SELECT kind FROM audit_kind
        WHERE kind IN (SELECT value FROM json_each(words)) ORDER BY place)) AS ordered
FROM (SELECT *, iif(kinds = '', '[]', '["' || replace(kinds, '+', '","') || '"]') AS words FROM csv) c;

INSERT INTO csv_fault
WITH known AS (
    SELECT (SELECT group_concat(name) FROM audit_name WHERE what = 'experiment') AS experiments,
        (SELECT group_concat(name) FROM audit_name WHERE what = 'variant') AS variants,
        (SELECT group_concat(pair) FROM audit_pair_flops) AS pairs,
        (SELECT group_concat(kind) FROM audit_kind) AS all_kinds)
SELECT line, coalesce(
    unknown('the column ''says'' holds', says, 'count,atomic,flops,change,where,from,number'),
    (SELECT unknown('unknown kind of access', value, all_kinds) AS fault FROM json_each(words)
        WHERE fault NOT NULL),
    'formula: ' || formula_fault(formula),
    iif(substr(experiment, 1, length(?1) + 1) <> ?1 || '/',
        printf('experiment ''%s'' is not of the paper ''%s''', experiment, ?1), NULL),
    unknown('unknown experiment', substr(experiment, length(?1) + 2), experiments),
    iif(says IN ('where', 'from'), NULL, unknown('unknown variant', variant, variants)),
    iif(says IN ('change', 'number'), unknown('unknown variant', "over", variants), NULL),
    iif(item = '', 'the column ''item'' is empty', NULL),
    iif(says IN ('from', 'flops') AND formula(formula) GLOB '*[BNP]*',
        says || ' is followed by a number', NULL),
    iif(says = 'flops', unknown('kernels/pair.h has no pair', item, pairs), NULL),
    iif(says = 'where' AND item NOT IN ('level', 'N', 'B', 'P'),
        printf('the symbol ''%s'' is none of N, B and P', item), NULL),
    CASE WHEN says = 'count' AND length(ordered) <> 2
        THEN 'a count is of one kind, GR, GW, SR, SW, RR, RW or CP'
    WHEN says = 'atomic' AND ordered NOT IN ('SW', 'GW')
        THEN 'atomic updates are a part of SW or GW'
    WHEN says IN ('change', 'number') AND ordered IS NULL
        THEN 'a change names the kinds it sums, as in SR+SW' END,
    (SELECT printf('line %d has this count already', min(o.line)) FROM csv_words o
        WHERE o.line < c.line AND c.says = 'count' AND o.says = 'count' AND o.variant = c.variant
            AND o.item = c.item AND o.ordered = c.ordered HAVING count(*))) AS text
FROM csv_words c, known;

INSERT INTO audit_formula
SELECT ?1, line, says, experiment, variant, "over", item, coalesce(ordered, ''), formula(formula),
    coalesce(nullif(printed, ''), formula), note, NULL, NULL, NULL
FROM csv_words WHERE NOT EXISTS (SELECT 1 FROM csv_fault WHERE text NOT NULL);
DROP TABLE csv_words;
