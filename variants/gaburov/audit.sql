-- SPDX-License-Identifier: MIT
-- What groups, walks and lists cost, by counts; harness/audit/limits.sql has audit_work.

-- Section 3.3.3: "On average, therefore, only about 30% of the threads in a block are active." Only of blocks that have a
-- thread for each of ngroup bodies.
INSERT INTO own_counted
SELECT 'gaburov/walks', printf('lanes with a body in octgrav, theta = %g, N = %d, %s', json_extract(c.parameters, '$.theta'), c.n,
        c.device), iif(c.device LIKE '%.%', NULL, round(1.0 * w.interactions / (w.interactions + w.idle), 1) = 0.3),
    '"only about 30% of the threads in a block are active" (section 3.3.3)',
    printf('%.3g %% of the pairs evaluated are asked for', 100.0 * w.interactions / (w.interactions + w.idle)),
    'a block has a thread for each of ngroup bodies; groups have fewer', c.machine
FROM audit_cell c JOIN audit_work w USING (cell_key)
WHERE c.experiment = 'gaburov/walks' AND c.variant = 'octgrav' AND json_extract(c.parameters, '$.share') = 'off'
    AND json_extract(c.parameters, '$.walk') = 'two' AND json_extract(c.parameters, '$.multipole') = 'quadrupole';

-- The second walk reads what the first one read and writes the lists.
INSERT INTO own_counted
WITH walk AS (
    SELECT cell_key, procedure, sum(iif(kind IN ('GR', 'IR'), value, 0)) AS reads, sum(iif(kind = 'GW', value, 0)) AS writes,
        sum(iif(kind = 'CT', value, 0)) AS tests
    FROM count WHERE procedure IN ('walk 1', 'walk 2') GROUP BY cell_key, procedure)
SELECT 'gaburov/walks', printf('the two walks of octgrav, theta = %g, N = %d, %s', json_extract(c.parameters, '$.theta'), c.n,
        c.device), a.tests = b.tests, '"In the second tree walk, the threads write the interaction lists" (section 3.2.2)',
    printf('both test %d cells, %.3g a group and %.3g a body; the first reads %.3g MB, the second writes %.3g MB besides',
        a.tests, a.tests / g.value, 1.0 * a.tests / c.n, 4e-6 * a.reads, 4e-6 * b.writes),
    printf('a body takes %.0f interactions with cells and %.0f with bodies', 1.0 * (SELECT sum(value) FROM count o
            WHERE o.cell_key = c.cell_key AND o.kind = 'CN') / c.n, 1.0 * (SELECT sum(value) FROM count o
            WHERE o.cell_key = c.cell_key AND o.kind = 'CP') / c.n), c.machine
FROM audit_cell c JOIN walk a ON a.cell_key = c.cell_key AND a.procedure = 'walk 1'
JOIN walk b ON b.cell_key = c.cell_key AND b.procedure = 'walk 2'
JOIN figure g ON g.cell_key = c.cell_key AND g.name = 'groups'
WHERE c.experiment = 'gaburov/walks' AND c.variant = 'octgrav';

-- One walk without lists.
INSERT INTO own_counted
SELECT 'gaburov/walks', printf('words of octgrav-modern, theta = %g, N = %d, %s', json_extract(m.parameters, '$.theta'), m.n,
        m.device), NULL, 'none: the paper writes lists',
    printf('%.3g times fewer words of global memory than octgrav, and %.3g times as many operations', 1.0 * w.global_words
        / v.global_words, v.flops / w.flops),
    'one walk of the device''s own tree for a group of neighbours, whose lists stay in local memory', m.machine
FROM audit_cell m JOIN audit_work v USING (cell_key)
JOIN audit_cell o ON o.machine = m.machine AND o.device = m.device AND o.experiment = m.experiment AND o.n = m.n
    AND o.dataset IS m.dataset AND json_extract(o.parameters, '$.theta') = json_extract(m.parameters, '$.theta')
    AND json_extract(o.parameters, '$.multipole') = json_extract(m.parameters, '$.multipole')
JOIN audit_work w ON w.cell_key = o.cell_key
WHERE m.experiment = 'gaburov/walks' AND m.variant = 'octgrav-modern' AND o.variant = 'octgrav'
    AND json_extract(o.parameters, '$.walk') = 'two';
