-- SPDX-License-Identifier: MIT
-- An audit's tables; orr_audit_fill runs this for the paper ?1, reads formulas.csv and
-- costs.csv, and formulas.sql, findings.sql and the others add what follows.

-- Each statement of the paper beside what follows. counted_on: the machine whose counts say so, NULL
-- when the tables alone do. why: '' or how it is known, or how the printed one may have come about.
CREATE TABLE audit_finding(paper TEXT, experiment TEXT, item TEXT, agrees INTEGER,
    printed TEXT, derived TEXT, why TEXT, counted_on TEXT);
-- formulas.csv (audit.h), by its lines, with the counts that it leaves out (inferred: "1/2 SR", what they are taken from)
-- and what all counts of a variant's kind sum up to (says 'sum', item 'total'). follows: what an
-- entry that says 'change' or 'number' would have to print, with an atomic update as one write and,
-- where there are any, as a read and a write.
CREATE TABLE audit_formula(paper TEXT, place INTEGER, says TEXT, experiment TEXT,
    variant TEXT, over TEXT, item TEXT, kinds TEXT, formula TEXT, printed TEXT, note TEXT,
    inferred TEXT, follows TEXT, follows_read_write TEXT);
-- From where on an entry that says 'number' is a fall, at its published level and every counted
-- one. place: of the entry in audit_formula.
CREATE TABLE audit_break_even(paper TEXT, place INTEGER, read_write INTEGER,
    level INTEGER, published INTEGER, change TEXT, break_even REAL, falls_from INTEGER, words TEXT,
    agrees INTEGER);
-- costs.csv (audit.h): of what access each count of a variant is.
CREATE TABLE audit_cost(paper TEXT, place INTEGER, variant TEXT, kind TEXT,
    access TEXT, degree TEXT, times REAL, condition TEXT, note TEXT);
-- Operations of the pairs of kernels/pair.h; one_sided: without what the other body gets, 0: that gets nothing.
CREATE TABLE audit_pair_flops(pair TEXT, flops INTEGER, one_sided INTEGER);
-- The paper's experiments and variants, and kinds of counts, by which the files are checked.
CREATE TABLE audit_name(what TEXT, name TEXT);

-- Kinds of access (kernels/count.h) with the memory they are of. An atomic update, counted as
-- `updates`, is one of its writes and, taken as the read and the write that it is, of its reads.
CREATE VIEW IF NOT EXISTS audit_kind(place, kind, memory, updates, reads) AS
VALUES (0, 'GR', 'global', 'AG', 1), (1, 'GW', 'global', 'AG', 0), (2, 'SR', 'shared', 'AS', 1),
    (3, 'SW', 'shared', 'AS', 0), (4, 'RR', 'register', NULL, 0), (5, 'RW', 'register', NULL, 0),
    (6, 'CP', NULL, NULL, 0);

-- The paper's latest `ok` cells with counts, in the order in which they are shown; those with cold
-- caches are another setting than any that is explained or compared here.
CREATE TABLE audit_cell AS
SELECT row_number() OVER (ORDER BY machine, device, experiment, level, per_box, n, dataset, variant,
        parameters, cell_key) AS place,
    cell_key, paper, machine, device, experiment, substr(variant, instr(variant, '/') + 1) AS variant,
    dataset, n, level, per_box, coalesce(steps, 0) AS steps, seconds, parameters
FROM latest WHERE outcome = 'ok' AND paper = ?1 AND cell_key IN (SELECT cell_key FROM count)
    AND json_extract(parameters, '$.caches') IS NULL;

-- Accesses of every kind in every procedure, and in 'total', which has no place: with an atomic
-- update as one write, with it as a read and a write, and how many updates are among them.
CREATE TABLE audit_count(cell_key INTEGER, place INTEGER, procedure TEXT, kind TEXT,
    once INTEGER, read_write INTEGER, updates INTEGER);
CREATE INDEX audit_count_cell ON audit_count(cell_key, procedure, kind);
INSERT INTO audit_count SELECT cell_key, min(c.rowid), procedure, k.kind,
    sum(iif(c.kind = k.kind OR (c.kind = k.updates AND NOT k.reads), value, 0)),
    sum(iif(c.kind IN (k.kind, k.updates), value, 0)), sum(iif(c.kind = k.updates, value, 0))
FROM audit_cell JOIN count c USING (cell_key) JOIN audit_kind k
GROUP BY cell_key, procedure, k.kind;
INSERT INTO audit_count
SELECT cell_key, NULL, 'total', kind, sum(once), sum(read_write), sum(updates)
FROM audit_count GROUP BY cell_key, kind;

-- Words of indices and lists that were read from global memory, by procedure and in 'total'. They
-- are in no formula, and in none of the counts above and below.
CREATE VIEW IF NOT EXISTS audit_index AS
SELECT cell_key, procedure, value AS words FROM count WHERE kind = 'IR'
UNION ALL SELECT cell_key, 'total', sum(value) FROM count WHERE kind = 'IR' GROUP BY cell_key;

-- The accesses by memory, and of all three together. Registers know no atomic updates.
CREATE TABLE audit_access AS
WITH reading(read_write) AS (VALUES (0), (1)),
 memory(place, memory) AS (VALUES (0, 'register'), (1, 'shared'), (2, 'global'), (3, 'total'))
SELECT cell_key, r.read_write, m.place, m.memory,
    sum(iif(r.read_write, c.read_write, c.once)) AS accesses
FROM audit_count c JOIN audit_kind k USING (kind) JOIN memory m ON m.memory IN (k.memory, 'total')
JOIN reading r WHERE c.place IS NULL AND k.memory IS NOT NULL
    AND (m.memory <> 'register' OR NOT r.read_write)
GROUP BY cell_key, r.read_write, m.place;
CREATE INDEX audit_access_cell ON audit_access(cell_key);

-- Pairs of cells of one machine, device, experiment, input and number of steps, alike in every
-- parameter that both have but of two variants, with the evaluations of pairs of bodies in both.
CREATE TABLE audit_pair AS
SELECT a.place AS a_place, b.place AS b_place, a.cell_key AS a_key, b.cell_key AS b_key, a.paper,
    a.machine, a.device, a.experiment, a.dataset, a.n, a.level, a.per_box, a.variant AS a,
    b.variant AS b, p.once AS computation_before, q.once AS computation_after,
    a.seconds / b.seconds AS ratio
FROM audit_cell a JOIN audit_cell b ON a.variant <> b.variant AND a.machine = b.machine
    AND a.device = b.device AND a.experiment = b.experiment AND a.dataset IS b.dataset
    AND a.n = b.n AND a.level IS b.level AND a.steps = b.steps
    AND NOT EXISTS (SELECT 1 FROM json_each(a.parameters) x
        JOIN json_each(b.parameters) y USING (key) WHERE x.value <> y.value)
JOIN audit_count p ON p.cell_key = a.cell_key AND p.procedure = 'total' AND p.kind = 'CP'
JOIN audit_count q ON q.cell_key = b.cell_key AND q.procedure = 'total' AND q.kind = 'CP';
CREATE INDEX audit_pair_keys ON audit_pair(a_key, b_key);

-- The optimisation model of Shan & Lei 2012, section V: computation traded for data access, or the
-- reverse. From variant a to variant b
--
--   1  computation falls, data access rises               better
--   2  computation falls, data access stays or falls      better
--   3  computation rises, data access falls               better
--   4  computation rises, data access stays or rises      worse
--
-- Situation 1 from a to b is situation 3 from b to a, so that the model calls both directions an
-- improvement; unchanged computation is none of the four. The paper does not say which accesses are
-- "data access" when the levels of memory disagree: every reading is judged.
CREATE VIEW IF NOT EXISTS audit_judgement AS
SELECT *, CASE situation WHEN 'none' THEN NULL WHEN '4' THEN 'worse' ELSE 'better' END AS predicts
FROM (
    SELECT p.a_key, p.b_key, x.read_write, x.place, x.memory, x.accesses AS before,
        y.accesses AS after, CASE
            WHEN computation_after = computation_before THEN 'none'
            WHEN computation_after < computation_before THEN iif(y.accesses > x.accesses, '1', '2')
            ELSE iif(y.accesses < x.accesses, '3', '4') END AS situation
    FROM audit_pair p JOIN audit_access x ON x.cell_key = p.a_key
    JOIN audit_access y ON y.cell_key = p.b_key AND y.place = x.place
        AND y.read_write = x.read_write);

-- The pairs' times compared as docs/METHOD.md, "Comparing", explains. ratio = seconds of a / seconds
-- of b with its interval; measured: what b is, 'unclear' with fewer than three processes on a side.
-- All pairs of a machine are one table, which has each pair once: either direction is the same test.
CREATE VIEW IF NOT EXISTS audit_timed AS
WITH common AS (SELECT paper, machine, ratio_prior(b_key, a_key) AS prior
    FROM audit_pair WHERE a_key < b_key GROUP BY paper, machine),
 tested AS MATERIALIZED (
    SELECT a_key, b_key, paper, machine, ratio, prior, ratio_p(b_key, a_key, prior) AS p
    FROM audit_pair JOIN common USING (paper, machine)),
 every AS (SELECT paper, machine, p_values(p) AS everything
    FROM tested WHERE a_key < b_key GROUP BY paper, machine),
 judged AS (
    SELECT *, p_adjusted(p, everything) AS adjusted FROM tested JOIN every USING (paper, machine))
SELECT a_key, b_key, ratio_bound(b_key, a_key, 0, prior) AS ratio_low,
    ratio_bound(b_key, a_key, 1, prior) AS ratio_high, (
        SELECT min(coalesce(processes, 1)) FROM cell WHERE cell_key IN (a_key, b_key)) AS processes,
    CASE WHEN p IS NULL THEN 'unclear' WHEN adjusted <= 0.05 AND ratio > 1.02 THEN 'faster'
        WHEN adjusted <= 0.05 AND ratio * 1.02 < 1 THEN 'slower'
        WHEN ratio_within(b_key, a_key, 0.02, prior) <= 0.05 THEN 'same'
        ELSE 'not told apart' END AS measured
FROM judged;

-- Each pair with its situation: that of all accesses together with an atomic update as one write,
-- which is how the paper counts and sums. agrees: NULL without a prediction or a difference.
CREATE VIEW IF NOT EXISTS audit_situation AS
SELECT p.*, j.situation, j.predicts, ratio_low, ratio_high, processes, measured,
    iif(measured IN ('faster', 'slower'), (predicts = 'better') = (measured = 'faster'), NULL)
        AS agrees
FROM audit_pair p JOIN audit_judgement j USING (a_key, b_key) JOIN audit_timed USING (a_key, b_key)
WHERE j.memory = 'total' AND NOT j.read_write
ORDER BY a_place, b_place;

-- Words that a cell's kernels read and wrote by the card's counters. An atomic update is one write,
-- as in the counts.
CREATE VIEW IF NOT EXISTS audit_words AS
WITH kind_of(name, kind) AS (VALUES ('global_loads', 'GR'), ('global_stores', 'GW'),
    ('global_atomics', 'GW'), ('shared_loads', 'SR'), ('shared_stores', 'SW'),
    ('shared_atomics', 'SW'))
SELECT cell_key, kind, CAST(round(sum(value)) AS INTEGER) AS words
FROM counter CROSS JOIN kind_of USING (name) WHERE source = 'cupti' GROUP BY cell_key, kind;
