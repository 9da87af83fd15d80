-- SPDX-License-Identifier: MIT
-- What Shan & Lei 2012 say, judged over the ledger. harness/claims/claims.h explains the tables that are filled here,
-- harness/claims/claims.h the view `compared` and the functions used, harness/audit/audit.h the tables that begin with
-- audit_; docs/METHOD.md, "Claims", the rules, docs/VALIDITY.md, "shan", what differs from the paper.

-- Each claim in at most 54 characters, for tables.
INSERT INTO short VALUES
  ('S1', 'BPB''s speedup over the CPU grows with P, 8 to 512'),
  ('S2', 'The improved BPB is 326 times as fast as the CPU'),
  ('S3', 'The improved BPB is never slower, and gains with P'),
  ('S4', 'Atomic updates keep the improved BPB''s gain below 2'),
  ('S5', 'Table I counts what BPB and the improved BPB access'),
  ('S6', 'The changes in Table II follow from Table I'),
  ('S7', 'The improved BPB accesses both memories less'),
  ('S8', 'The improved BPB evaluates half as many pairs'),
  ('S9', 'Counts of access and work predict the faster program'),
  ('S10', 'BPB is the most efficient of the three mappings'),
  ('S11', 'The improved BPB accesses registers half as often');

-- Journals of older versions have the tuned program under the name shan/bpb; its kernel was shan_bpb. They say nothing of the
-- paper's.
CREATE TEMP TABLE older AS
SELECT cell_key FROM cell JOIN kernel k USING (cell_key) WHERE variant = 'shan/bpb' AND k.name = 'shan_bpb';

-- Comparisons within one block size, newest cells first. `faithful` is the paper's own setting: 512 threads a block, and for
-- the third law compare-and-swap with all threads at the same place.
CREATE TEMP TABLE alike AS
SELECT *, block = 512 AND atomic = 'cas' AND place = 'same' AS faithful, row_number() OVER (PARTITION BY machine, device,
    experiment, what, per_box, block, atomic, place ORDER BY cell_key DESC, baseline_key DESC) AS age
FROM (SELECT *, substr(variant, 6) || ' over ' || substr(baseline, 6) AS what,
    coalesce(json_extract(parameters, '$.block'), json_extract(baseline_parameters, '$.block'), 512) AS block,
    coalesce(json_extract(baseline_parameters, '$.block'), json_extract(parameters, '$.block'), 512) AS baseline_block,
    coalesce(json_extract(parameters, '$.atomic'), json_extract(baseline_parameters, '$.atomic'), 'cas') AS atomic,
    coalesce(json_extract(parameters, '$.order'), json_extract(baseline_parameters, '$.order'), 'same') AS place
  FROM compared
  WHERE paper = 'shan' AND dataset = 'uniform-boxes' AND level = 7 AND (device = baseline_device OR baseline = 'shan/serial')
    AND (NOT estimated OR baseline = 'shan/serial')
    AND coalesce(json_extract(parameters, '$.forces'), 'off') = 'off'
    AND coalesce(json_extract(baseline_parameters, '$.forces'), 'off') = 'off'
    AND cell_key NOT IN (SELECT cell_key FROM older) AND baseline_key NOT IN (SELECT cell_key FROM older))
WHERE block = baseline_block AND timing NOT NULL;

-- Table III's sizes, and the next larger one of each.
CREATE TEMP VIEW size AS
SELECT value AS per_box, 2 * value AS next, printf('P = %d', value) AS at, printf('P = %d to %d', value, 2 * value) AS step
FROM json_each('[8, 16, 32, 64, 128, 256, 512]');

-- Table III at its level and sizes.
CREATE TEMP TABLE pair AS
SELECT a.* FROM alike a JOIN size USING (per_box) WHERE experiment = 'shan/table3' AND age = 1;

INSERT INTO sequence
SELECT CASE what WHEN 'bpb over serial' THEN 'S1' ELSE 'S3' END, machine, device, what, per_box, timing, cells FROM pair
WHERE faithful AND what IN ('bpb over serial', 'bpb-n3l over bpb');

-- The neighbours of a sequence that the paper has, with the quotient of their speedups. A serial time that was scaled may be
-- off by a tenth, so that it cannot decide less.
CREATE TEMP VIEW growth AS
SELECT s.*, z.step AS at, timing_value(s.timing) AS value,
  (SELECT max(estimated) FROM pair p WHERE p.machine = s.machine AND p.device = s.device AND p.what = s.name AND p.faithful
    AND p.per_box = s.x) AS scaled
FROM step s JOIN size z ON z.per_box = s.x_from AND z.next = s.x;

-- What else should be known of a series: what it is, what of it was scaled, and the best other block at the largest size.
CREATE TEMP VIEW about AS
SELECT machine, device, what, what || ' is ' || listing(per_box, shown(ratio)) || ' at P = ' || listing(per_box, per_box) AS text,
  substr(what, instr(what, ' over ') + 6) || ' is scaled from fewer at P = '
    || listing(per_box, CASE WHEN estimated THEN per_box END) AS scaled
FROM pair WHERE faithful GROUP BY machine, device, what;
CREATE TEMP VIEW other AS
SELECT machine, device, what, max(ratio), printf('with block=%d%s%s %s is %s at P = %d', block,
    iif(atomic = 'cas', '', ', atomic=' || atomic), iif(place = 'same', '', ', order=' || place), what, shown(ratio), per_box) AS text
FROM (SELECT *, max(per_box) OVER (PARTITION BY machine, device, what) AS largest FROM pair WHERE NOT faithful)
WHERE per_box = largest GROUP BY machine, device, what;

INSERT INTO claim VALUES ('S1', 'Section IV B, Table III',
  'the speedup of BPB over the serial CPU (steps) grows with the number of particles in a box, from 8 to 512',
  'The runtimes of the different implementations on CPU and GPU are recorded in Tab.3.',
  '1.90, 7.06, 25.40, 78.04, 155.31, 225.01, 234.08 at P = 8, 16, 32, 64, 128, 256, 512',
  'orrery run shan/table3 --preset paper');

INSERT INTO wanted
SELECT 'S1', 'as printed', 'growth of bpb over serial', step, per_box, 'above 1.02' FROM size WHERE per_box < 512;

INSERT INTO part
SELECT 'S1', machine, device, 'as printed', 'growth of bpb over serial', at, timing, NULL, NULL, NULL, 'above 1.02',
  CASE WHEN scaled AND max(value, 1 / value) < 1.1 THEN 'the serial time is scaled, which decides no 10 %' END, cells
FROM growth WHERE claim = 'S1';

INSERT INTO note SELECT 'S1', machine, device, 'as printed', text FROM about WHERE what = 'bpb over serial';
INSERT INTO note SELECT 'S1', machine, device, 'as printed', scaled FROM about WHERE what = 'bpb over serial' AND scaled NOT NULL;
INSERT INTO note SELECT 'S1', machine, device, 'as printed', text FROM other WHERE what = 'bpb over serial';

INSERT INTO claim VALUES ('S2', 'Section IV B, Table III',
  'the highest speedup of the improved BPB over the serial CPU (steps) is 326, at 512 particles in a box',
  'The highest speedup of the improved BPB algorithm''s implementation compared to the serial CPU implementation reaches 326.',
  '326.67 at P = 512, 326 in the text',
  'orrery run shan/table3 --preset paper');

-- A speedup over one core that a slower program reaches is no merit of the third law.
INSERT INTO wanted VALUES
  ('S2', 'as printed', 'bpb-n3l over serial', 'P = 512', 1, 'at least 326'),
  ('S2', 'as printed', 'bpb-n3l over serial, over the highest of a smaller P', 'P = 512', 2, 'above 1.02');

CREATE TEMP VIEW smaller AS
SELECT s.machine, s.device, s.per_box, s.ratio, l.estimated OR s.estimated AS scaled, timing_over(l.timing, s.timing) AS timing,
  (SELECT json_group_array(value) FROM (SELECT value FROM json_each(l.cells) UNION SELECT value FROM json_each(s.cells)))
    AS cells
FROM pair s JOIN pair l USING (machine, device, what)
WHERE s.faithful AND l.faithful AND what = 'bpb-n3l over serial' AND s.per_box < 512 AND l.per_box = 512;

INSERT INTO comparison SELECT 'S2', machine, device, timing FROM smaller;

-- Whether the improved BPB gains over BPB is judged once, by S3. Where it does not, what else is said of its gain says nothing.
CREATE TEMP VIEW gains AS
SELECT machine, device, per_box, CASE WHEN timing_value(timing) < 1.02
  THEN 'it is no faster than bpb there, which S3 judges: without a gain this says nothing of the third law' END AS cannot
FROM pair WHERE faithful AND what = 'bpb-n3l over bpb';
INSERT INTO part
SELECT 'S2', machine, device, 'as printed', what, 'P = 512', coalesce(timing, ratio), low, high, NULL, '[326, null]', g.cannot, cells
FROM pair JOIN gains g USING (machine, device, per_box) WHERE faithful AND what = 'bpb-n3l over serial' AND per_box = 512;
INSERT INTO part
SELECT 'S2', s.machine, s.device, 'as printed', 'bpb-n3l over serial, over the highest of a smaller P', 'P = 512',
  timing, NULL, NULL, NULL, 'above 1.02', coalesce(g.cannot, CASE WHEN scaled AND max(timing_value(timing), 1 / timing_value(timing)) < 1.1
    THEN 'the serial time is scaled, which decides no 10 %' END), cells
FROM (SELECT *, max(ratio), count(*) AS sizes FROM smaller GROUP BY machine, device) s
JOIN gains g ON g.machine = s.machine AND g.device = s.device AND g.per_box = 512
WHERE sizes = 6;
INSERT INTO note
SELECT 'S2', machine, device, 'as printed', scaled FROM about WHERE what = 'bpb-n3l over serial' AND scaled NOT NULL;
INSERT INTO note SELECT 'S2', machine, device, 'as printed', text FROM other WHERE what = 'bpb-n3l over serial';

INSERT INTO claim VALUES ('S3', 'Section IV B, Figure 8',
  'the improved BPB is never slower than BPB (steps), and the more particles in a box the more it is faster',
  'Fig.8 demonstrates the conclusion in the theoretical analysis that acceleration of the improved BPB algorithm is enhanced'
  || ' with the increment of the number of particles per box.',
  '1.0035, 1.0115, 1.0240, 1.0637, 1.1567, 1.2910, 1.3955 at P = 8, 16, 32, 64, 128, 256, 512, derived from Table III',
  'orrery run shan/table3 --preset paper');

-- As printed, never slower at seven sizes and six steps up, of which two are printed as less than the 2 % that make a
-- difference and need only be no fall. The mechanism is that half the pairs take less time; what an update costs decides
-- whether that is seen.
INSERT INTO wanted SELECT 'S3', 'as printed', 'bpb-n3l over bpb', at, per_box, 'at least 0.98' FROM size;
INSERT INTO wanted
SELECT 'S3', 'as printed', 'growth of bpb-n3l over bpb', step, 1000 + per_box, iif(per_box < 32, 'at least 0.98', 'above 1.02')
FROM size WHERE per_box < 512;
INSERT INTO wanted SELECT 'S3', 'mechanism', 'bpb-n3l-free over bpb-tuned', at, per_box, 'above 1.02' FROM size;
INSERT INTO wanted VALUES ('S3', 'mechanism', 'gain with updates that race', '', 1000, 'above 1 at P = 512, by the audit');

CREATE TEMP VIEW improved AS SELECT * FROM pair WHERE faithful AND what = 'bpb-n3l over bpb';
-- Without conflicts, beside a BPB that is tuned as well; both take the threads that they need.
CREATE TEMP VIEW free AS SELECT * FROM pair WHERE block = 0 AND what = 'bpb-n3l-free over bpb-tuned';

INSERT INTO comparison SELECT 'S3', machine, device, timing FROM improved;
INSERT INTO comparison SELECT 'S3', machine, device, timing FROM free;

INSERT INTO part
SELECT 'S3', machine, device, 'as printed', what, at, timing, NULL, NULL, NULL, 'at least 0.98', NULL, cells
FROM improved JOIN size USING (per_box);
INSERT INTO part
SELECT 'S3', machine, device, 'as printed', 'growth of bpb-n3l over bpb', at, timing, NULL, NULL, NULL,
  iif(x_from < 32, 'at least 0.98', 'above 1.02'), NULL, cells
FROM growth WHERE claim = 'S3';
INSERT INTO part
SELECT 'S3', machine, device, 'mechanism', what, at, timing, NULL, NULL, NULL, 'above 1.02', NULL, cells
FROM free JOIN size USING (per_box);
-- Table III leaves no room for atomic updates at one address (variants/shan/audit.sql). Only the audit knows the times of such wrong results, and says
-- here whether they are shorter than those of bpb.
CREATE TEMP VIEW racing AS
SELECT machine, device, over_key, sign, row_number() OVER (PARTITION BY machine, device ORDER BY wrong_key DESC) AS age
FROM audit_racing_gain
WHERE paper = 'shan' AND experiment = 'shan/updates' AND variant = 'bpb-n3l' AND over = 'bpb' AND level = 7 AND per_box = 512
  AND json_extract(parameters, '$.order') = 'same' AND json_extract(parameters, '$.block') = 512;
CREATE TEMP VIEW measured AS
SELECT machine, device FROM improved UNION SELECT machine, device FROM free UNION SELECT machine, device FROM racing;
INSERT INTO part
SELECT 'S3', m.machine, m.device, 'mechanism', 'gain with updates that race', '', NULL, NULL, NULL, NULL, sign > 0,
  CASE WHEN sign IS NULL THEN 'the audit has no time of updates that race: orrery run shan/updates' END,
  CASE WHEN sign IS NULL THEN '[]' ELSE json_array(over_key) END
FROM measured m LEFT JOIN (SELECT * FROM racing WHERE age = 1) r ON r.machine = m.machine AND r.device = m.device;

INSERT INTO note SELECT 'S3', machine, device, 'as printed', text FROM other WHERE what = 'bpb-n3l over bpb';
INSERT INTO note
SELECT DISTINCT 'S3', machine, device, 'mechanism', 'bpb-n3l-free leaves out what an update costs; it does not tell that cost'
FROM free;

INSERT INTO claim VALUES ('S4', 'Section IV B',
  'the improved BPB gains less than twofold (steps) because of the atomic updates; so without conflicts the same pairs come closer to'
  || ' twofold',
  'However, the runtime of the improved BPB algorithm is not half or more reduced for the half reduced amount of computation and'
  || ' the reduced amount of data access. The reason is that the usage of the atomic function harmfully influenced the performance'
  || ' of the implementation on GPU.',
  '1.0035 ... 1.3955 at P = 8 ... 512, derived from Table III',
  'orrery run shan --preset paper');

-- As printed the runtime is not halved. The mechanism: threads that meet at one
-- address wait for each other, and without updates the same pairs come nearer to twofold.
INSERT INTO wanted
SELECT 'S4', 'as printed', 'bpb-n3l over bpb', at, per_box, 'less than 2' FROM size;
INSERT INTO wanted
SELECT 'S4', 'mechanism', 'bpb-n3l-free over bpb-tuned, over bpb-n3l over bpb', at, per_box, 'above 1.02, the one nearer to 2' FROM size;
INSERT INTO wanted
SELECT 'S4', 'mechanism', 'bpb-n3l staggered over all threads at one address', at, 1000 + per_box, 'above 1.02'
FROM size WHERE per_box IN (32, 128, 512);
INSERT INTO wanted VALUES ('S4', 'mechanism', 'time of an update', '', 2000, 'most of what keeps the gain from 2');

CREATE TEMP VIEW gain AS
SELECT a.machine, a.device, per_box, a.ratio,
  timing_over(f.timing, a.timing) AS timing,
  (SELECT json_group_array(value) FROM (SELECT value FROM json_each(a.cells) UNION SELECT value FROM json_each(f.cells)))
    AS cells
FROM improved a JOIN free f USING (machine, device, per_box);

-- The updates of section IV B's experiment, over each other: where threads begin, with compare-and-swap.
CREATE TEMP TABLE spread AS
SELECT s.*
FROM (SELECT *, row_number() OVER (PARTITION BY machine, device, per_box ORDER BY cell_key DESC, baseline_key DESC) AS age
  FROM compared
  WHERE experiment = 'shan/atomics' AND dataset = 'uniform-boxes' AND level = 7 AND per_box IN (32, 128, 512) AND NOT estimated
    AND variant = 'shan/bpb-n3l' AND baseline = 'shan/bpb-n3l' AND device = baseline_device AND timing NOT NULL
    AND json_extract(parameters, '$.block') = 0 AND json_extract(baseline_parameters, '$.block') = 0
    AND json_extract(parameters, '$.atomic') = 'cas' AND json_extract(baseline_parameters, '$.atomic') = 'cas'
    AND json_extract(parameters, '$.order') = 'staggered' AND json_extract(baseline_parameters, '$.order') = 'same') s
WHERE age = 1;

INSERT INTO comparison SELECT 'S4', machine, device, timing FROM gain;
INSERT INTO comparison SELECT 'S4', machine, device, timing FROM spread;

INSERT INTO part
SELECT 'S4', machine, device, 'as printed', what, at, timing, NULL, NULL, NULL, '[null, 2]', g.cannot, cells
FROM improved JOIN size USING (per_box) LEFT JOIN gains g USING (machine, device, per_box);
INSERT INTO part
SELECT 'S4', machine, device, 'mechanism', 'bpb-n3l-free over bpb-tuned, over bpb-n3l over bpb', at, timing, NULL, NULL, NULL,
  json_array(1.02, 4 / ratio - 1), NULL, cells
FROM gain JOIN size USING (per_box);
INSERT INTO part
SELECT 'S4', machine, device, 'mechanism', 'bpb-n3l staggered over all threads at one address', at, timing, NULL, NULL, NULL,
  'above 1.02', NULL, cells
FROM spread JOIN size USING (per_box);
-- Of what keeps the gain from 2 at P = 512, the part that is not there where updates race, by the audit.
CREATE TEMP VIEW most AS
SELECT machine, device, cell_key, over_key, most, row_number() OVER (PARTITION BY machine, device ORDER BY cell_key DESC) AS age
FROM audit_racing_most
WHERE paper = 'shan' AND experiment = 'shan/updates' AND variant = 'bpb-n3l' AND over = 'bpb' AND per_box = 512
  AND json_extract(parameters, '$.atomic') = 'cas' AND json_extract(parameters, '$.order') = 'same'
  AND json_extract(parameters, '$.block') = 512;
INSERT INTO part
SELECT 'S4', m.machine, m.device, 'mechanism', 'time of an update', '', NULL, NULL, NULL, NULL, most,
  CASE WHEN most IS NULL THEN 'the audit has no time of updates that race: orrery run shan/updates' END,
  CASE WHEN most IS NULL THEN '[]' ELSE json_array(cell_key, over_key) END
FROM (SELECT machine, device FROM measured UNION SELECT machine, device FROM spread) m
LEFT JOIN (SELECT * FROM most WHERE age = 1) t ON t.machine = m.machine AND t.device = m.device;

-- The best kind of update, at the largest size.
INSERT INTO note
SELECT 'S4', machine, device, 'mechanism', text
FROM (SELECT machine, device, max(ratio), printf('the best kind of update, %s and %s, gains %s at P = %d', atomic, place,
    shown(ratio), per_box) AS text
  FROM (SELECT *, max(per_box) OVER (PARTITION BY machine, device) AS largest FROM alike
    WHERE experiment = 'shan/atomics' AND age = 1 AND what = 'bpb-n3l over bpb')
  WHERE per_box = largest GROUP BY machine, device);

INSERT INTO claim VALUES ('S5', 'Section IV A, Table I',
  'how often the previous and the improved BPB read and write global memory, shared memory and registers, and how many pairs they'
  || ' evaluate',
  'Thus the criterion to measure the amount of data access could be the times of data access.',
  'GR, GW, SR, SW, RR, RW, CP of three procedures',
  'orrery run shan/table1 --preset quick');

CREATE TEMP VIEW program(place, variant) AS VALUES (1, 'bpb'), (2, 'bpb-n3l');
CREATE TEMP VIEW procedure(place, procedure) AS VALUES (1, 'Father box'), (2, 'Neighbor box'), (3, 'Return d_acc');

INSERT INTO wanted
SELECT 'S5', 'as printed', 'values of ' || variant || ' counted as printed, as a share', procedure, 10 * g.place + p.place,
  '1: each formula, at each P that was counted'
FROM program g, procedure p;

-- Each printed formula of each counted cell; an atomic update is one write, as in the paper.
CREATE TEMP TABLE formula AS
SELECT c.machine, c.device, c.cell_key, c.variant, f.item AS procedure,
  formula_value(f.formula, c.n, c.per_box, c.level) = coalesce(o.once, -1) AS holds
FROM audit_cell c JOIN audit_formula f USING (paper, variant)
LEFT JOIN audit_count o ON o.cell_key = c.cell_key AND o.procedure = f.item AND o.kind = f.kinds AND o.place NOT NULL
WHERE c.paper = 'shan' AND f.says = 'count' AND c.n NOT NULL AND c.level NOT NULL AND c.per_box NOT NULL;

INSERT INTO part
SELECT 'S5', machine, device, 'as printed', 'values of ' || variant || ' counted as printed, as a share', procedure,
  avg(holds), NULL, NULL, NULL, min(holds), NULL, json_group_array(DISTINCT cell_key)
FROM formula JOIN program USING (variant) JOIN procedure USING (procedure) GROUP BY machine, device, variant, procedure;

INSERT INTO note
SELECT 'S5', machine, device, 'as printed', printf('consistent as annotated, %d of %d values: the counters stand where Table I'
  || ' counts, so that they show how often loops run and not what the hardware does', total(holds), count(*))
FROM formula GROUP BY machine, device;
-- What Table I leaves out, at the smallest P.
INSERT INTO note
SELECT 'S5', machine, device, 'as printed', 'words of indices and lists, which Table I leaves out, beside the reads of global memory'
  || ' that it counts: ' || group_concat(text, '; ')
FROM (SELECT machine, device, printf('%s %d against %d at P = %d', c.variant, words, once, per_box) AS text,
    row_number() OVER (PARTITION BY machine, device, c.variant ORDER BY per_box, level DESC, c.cell_key DESC) AS age
  FROM audit_cell c JOIN audit_index i ON i.cell_key = c.cell_key AND i.procedure = 'total'
  JOIN audit_count o ON o.cell_key = c.cell_key AND o.procedure = 'total' AND kind = 'GR'
  WHERE experiment = 'shan/table1' AND c.variant IN (SELECT variant FROM program))
WHERE age = 1 GROUP BY machine, device;

INSERT INTO claim VALUES ('S6', 'Section IV A, Table II',
  'the changes of computation and data access, in symbols and at level 7, follow from Table I',
  'Therefore, the macro analysis of the change of the amount of the computation and data access in the improved BPB algorithm is'
  || ' presented in the Tab.2. It shows that the amount of computation and the amount of data access to register are half reduced.',
  'shared memory: -N(P-1)-BP^2, reduced by P(146462P-89346)',
  'nothing to measure: the audit of Table II needs variants/shan/formulas.csv');

CREATE TEMP VIEW entry(place, item) AS
VALUES (1, 'computation'), (2, 'register'), (3, 'shared memory'), (4, 'global memory');
INSERT INTO wanted SELECT 'S6', 'as printed', item || ' in symbols', '', place, 'what follows from Table I' FROM entry;
INSERT INTO wanted SELECT 'S6', 'as printed', item, 'level 7', 10 + place, 'what follows from Table I' FROM entry;

-- A derivation needs no machine.
CREATE TEMP VIEW follows AS
SELECT f.item AS shown, e.item || iif(f.item = e.item, ' in symbols', '') AS item,
  iif(f.item = e.item, '', 'level 7') AS at, agrees, printed, derived
FROM audit_finding f JOIN entry e ON replace(f.item, ' at level 7', '') = e.item
WHERE paper = 'shan' AND experiment = 'shan/table2';
INSERT INTO part SELECT 'S6', NULL, NULL, 'as printed', item, at, NULL, NULL, NULL, NULL, agrees, NULL, '[]' FROM follows;
INSERT INTO note
SELECT 'S6', NULL, NULL, 'as printed', printf('%s is printed as %s, from Table I: %s', shown, printed, derived)
FROM follows WHERE NOT agrees;

INSERT INTO claim VALUES ('S7', 'Section IV A',
  'with at least one particle in each box, at level 7, both global and shared memory are accessed less by the improved BPB',
  'In the real numerical experiments, the height of the quadtree is set to 7, if there is at least one particle in each box, the'
  || ' amounts of data access to the shared memory and global memory are reduced, that is to say, both the amount of data access and'
  || ' the amount of computation are reduced, which lead to the superiority of the improved BPB algorithm.',
  'reduced by P(146462P-89346) and 32002P for P >= 1',
  'orrery run shan/table2 --preset quick');

-- Two parts, the two memories: each falls for every P >= 1 by Table I, and wherever it was counted.
INSERT INTO wanted VALUES
  ('S7', 'as printed', 'change of global memory', '', 1, 'a fall at every P >= 1, by Table I and as counted'),
  ('S7', 'as printed', 'change of shared memory', '', 2, 'a fall at every P >= 1, by Table I and as counted');

CREATE TEMP VIEW fall AS
SELECT replace(item, ' for P >= 1', '') AS memory, agrees, derived FROM audit_finding
WHERE paper = 'shan' AND item IN ('shared memory for P >= 1', 'global memory for P >= 1');

-- What was counted, an atomic update as one write.
CREATE TEMP VIEW change AS
SELECT machine, device, per_box, iif(kind IN ('GR', 'GW', 'AG'), 'global memory', 'shared memory') AS memory,
  total(iif(variant = 'shan/bpb-n3l', value, -value)) AS change, json_group_array(DISTINCT cell_key) AS cells
FROM latest JOIN count USING (cell_key)
WHERE experiment = 'shan/table2' AND level = 7 AND outcome = 'ok' AND variant IN ('shan/bpb', 'shan/bpb-n3l')
  AND kind IN ('GR', 'GW', 'AG', 'SR', 'SW', 'AS')
GROUP BY machine, device, per_box, 4 HAVING count(DISTINCT variant) = 2;

INSERT INTO part
SELECT 'S7', machine, device, 'as printed', 'change of ' || memory, '', change, NULL, NULL,
  printf('words at P = %d', per_box), falls AND f.agrees, NULL, cells
FROM (SELECT machine, device, memory, max(change) AS change, per_box, max(change) < 0 AS falls, cells
  FROM change GROUP BY machine, device, memory)
JOIN fall f USING (memory);
INSERT INTO part
SELECT 'S7', NULL, NULL, 'as printed', 'change of ' || memory, '', NULL, NULL, NULL, NULL, agrees, NULL, '[]'
FROM fall WHERE NOT EXISTS (SELECT 1 FROM change);

INSERT INTO note
SELECT 'S7', machine, device, 'as printed', memory || ' ' || listing(per_box, printf('%+d at P = %d', change, per_box))
FROM change GROUP BY machine, device, memory;
INSERT INTO note
SELECT DISTINCT 'S7', machine, device, 'as printed', 'by Table I ' || memory || ' is ' || derived
FROM fall, (SELECT machine, device FROM change UNION SELECT NULL, NULL WHERE NOT EXISTS (SELECT 1 FROM change));

INSERT INTO claim VALUES ('S8', 'Section IV A, Table I',
  'the improved BPB evaluates half as many pairs as the previous one',
  'It shows clearly that the amount of computation is half reduced in the improved BPB algorithm.',
  'N(P-1)/2 + BP^2/2 instead of N(P-1) + BP^2',
  'orrery run shan/table1 --preset quick');

INSERT INTO wanted
SELECT 'S8', 'as printed', 'pairs of bpb-n3l over those of bpb', procedure, place, 'exactly 0.5, at each P that was counted'
FROM procedure WHERE place < 3;

CREATE TEMP VIEW evaluated AS
SELECT machine, device, procedure, level, per_box, total(iif(variant = 'shan/bpb', value, 0)) AS before,
  total(iif(variant = 'shan/bpb-n3l', value, 0)) AS after, json_group_array(DISTINCT cell_key) AS cells
FROM (SELECT l.*, c.*, row_number() OVER (PARTITION BY machine, device, variant, dataset, n, level, per_box, procedure
    ORDER BY cell_key DESC) AS age
  FROM latest l JOIN count c USING (cell_key)
  WHERE experiment = 'shan/table1' AND outcome = 'ok' AND variant IN ('shan/bpb', 'shan/bpb-n3l') AND kind = 'CP')
WHERE age = 1 GROUP BY machine, device, procedure, dataset, n, level, per_box HAVING count(DISTINCT variant) = 2;

-- The input that is furthest from half stands for all, here and for S11.
INSERT INTO part
SELECT 'S8', machine, device, 'as printed', 'pairs of bpb-n3l over those of bpb', procedure, ratio, NULL, NULL, NULL, off = 0, NULL,
  cells
FROM (SELECT *, max(abs(2 * after - before)) AS off, after / before AS ratio FROM evaluated JOIN procedure USING (procedure)
  WHERE before > 0 AND place < 3 GROUP BY machine, device, procedure);

INSERT INTO note
SELECT 'S8', machine, device, 'as printed', 'consistent as annotated: the counters stand in the loops; exactly half in '
  || printf('%d of %d counted inputs', total(2 * after = before), count(*))
FROM evaluated WHERE before > 0 GROUP BY machine, device;

INSERT INTO claim VALUES ('S9', 'Section V',
  'four situations, from the changes of computation and data access, predict which of two programs is faster (steps)',
  'When the transformation belongs to the first three situations, the algorithm on GPU could be theoretically optimized. When the'
  || ' transformation belongs to the last situation, the performance would be harmfully influenced.',
  'situations 1 to 3 are improvements, 4 is none; no times of BPT and PPT',
  'orrery run shan/table1 --preset paper');

-- Between the paper's programs, at blocks that are fitted alike, each two of them in the direction in which the computation
-- falls: the reverse would be the same test. bpt and ppt have no block. No two of them are in situation 1, or 3, its reverse.
-- bpb to bpb-n3l is judged once, by S3.
CREATE TEMP VIEW transformation(place, a, b) AS VALUES (2, 'ppt', 'bpb-n3l'), (3, 'bpt', 'bpb-n3l');
INSERT INTO wanted
SELECT 'S9', 'as printed', a || ' to ' || b || ', block=0', at, 1000 * place + per_box,
  'what its situation predicts'
FROM transformation, size WHERE per_box <= 64;
INSERT INTO wanted VALUES ('S9', 'as printed', 'situations 1 and 3', '', 9000, 'improvements');

CREATE TEMP TABLE prediction AS
SELECT *, timing_over(timing_of(a_key), timing_of(b_key)) AS timing
FROM (SELECT s.*, t.place, z.at, row_number() OVER (PARTITION BY s.machine, s.device, s.a, s.b, z.per_box
    ORDER BY b_key DESC, a_key DESC) AS age
  FROM audit_situation s JOIN transformation t USING (a, b) JOIN size z USING (per_box)
  JOIN cell x ON x.cell_key = a_key JOIN cell y ON y.cell_key = b_key
  WHERE s.paper = 'shan' AND s.experiment = 'shan/table1' AND s.dataset = 'uniform-boxes' AND s.level = 7 AND z.per_box <= 64
    AND predicts NOT NULL AND json_extract(y.parameters, '$.block') = 0
    AND coalesce(json_extract(x.parameters, '$.block'), 0) = 0
    AND a_key NOT IN (SELECT cell_key FROM older))
WHERE age = 1;

INSERT INTO comparison SELECT 'S9', machine, device, timing FROM prediction WHERE timing NOT NULL;

INSERT INTO part
SELECT 'S9', machine, device, 'as printed', a || ' to ' || b || ', block=0', at, timing, NULL, NULL, NULL,
  iif(predicts <> 'better', 'below 0.98', 'above 1.02'), NULL,
  json_array(a_key, b_key)
FROM prediction WHERE timing NOT NULL;
INSERT INTO part
SELECT DISTINCT 'S9', machine, device, 'as printed', 'situations 1 and 3', '', NULL, NULL, NULL, NULL, NULL,
  'never met by two of the paper''s programs', '[]'
FROM prediction;

INSERT INTO note
SELECT 'S9', machine, device, 'as printed', group_concat(text, ', ') || '; bpt, ppt and bpb evaluate as many pairs, of which no'
  || ' situation speaks; bpb to bpb-n3l is judged once, by S3'
FROM (SELECT machine, device, printf('situation %s at %d of %d', situation, count(*), sum(count(*)) OVER (PARTITION BY machine, device))
    AS text
  FROM prediction GROUP BY machine, device, situation)
GROUP BY machine, device;

INSERT INTO claim VALUES ('S10', 'Section I',
  'of the three mappings BPT, PPT and BPB the last is the most efficient (steps)',
  'In our previous work, three mapping strategies (BPT, PPT and BPB) [1] are proposed of which the BPB algorithm is the most'
  || ' efficient one, because it optimizes the task partition to maximize the CUDA threads [3] and take advantage of the shared memory'
  || ' of GPU for data reuse to break the performance bottleneck caused by frequent data access to the global memory.',
  'no numbers of the other two',
  'orrery run shan/table3 --preset paper');

CREATE TEMP VIEW reading(reading) AS VALUES ('as printed'), ('where the device is full');
CREATE TEMP VIEW rival(place, what) AS VALUES (1, 'bpb over bpt'), (2, 'bpb over ppt');
INSERT INTO wanted SELECT 'S10', reading, what, at, 1000 * place + per_box, 'above 1.02' FROM reading, rival, size;

-- With the paper's 512 threads a block; bpt and ppt have none.
CREATE TEMP TABLE mapping AS
SELECT p.*, z.at, r.interactions_per_second AS rate
FROM pair p JOIN rival USING (what) JOIN size z USING (per_box) JOIN rates r ON r.cell_key = p.cell_key WHERE faithful;
CREATE TEMP VIEW full AS
SELECT machine, device, fills_from(per_box, rate) AS full_from, max(per_box) AS largest
FROM (SELECT DISTINCT machine, device, per_box, rate FROM mapping) GROUP BY machine, device;

INSERT INTO comparison SELECT 'S10', machine, device, timing FROM mapping;

INSERT INTO part
SELECT 'S10', machine, device, 'as printed', what, at, timing, NULL, NULL, NULL, 'above 1.02', NULL, cells
FROM mapping;
-- Where bpb does not fill the device nothing is to be told, measured or not.
INSERT INTO part
SELECT 'S10', f.machine, f.device, 'where the device is full', v.what, z.at, timing, NULL, NULL, NULL, 'above 1.02',
  CASE WHEN full_from IS NULL THEN printf('the rate of bpb still grows at P = %d', largest)
    WHEN z.per_box < full_from THEN 'bpb does not fill the device' END, coalesce(cells, '[]')
FROM full f, size z, rival v
LEFT JOIN mapping m ON m.machine = f.machine AND m.device = f.device AND m.per_box = z.per_box AND m.what = v.what
WHERE m.machine NOT NULL OR full_from IS NULL OR z.per_box < full_from;

INSERT INTO note SELECT 'S10', machine, device, 'as printed', text FROM other JOIN rival USING (what);
INSERT INTO note
SELECT 'S10', machine, device, 'where the device is full', printf('bpb fills it from P = %d on', full_from) FROM full
WHERE full_from NOT NULL;

INSERT INTO claim VALUES ('S11', 'Section IV A, Tables I and II',
  'the improved BPB accesses registers half as often as the previous one',
  'It shows that the amount of computation and the amount of data access to register are half reduced.',
  'N(P-1) + BP^2 writes instead of 2N(P-1) + 2BP^2; 2N reads in both',
  'orrery run shan/table1 --preset quick');

-- Only the writes halve: with the 2N reads of step 7 the sum comes near half. A tenth decides, as where a paper says "about".
INSERT INTO wanted
SELECT 'S11', 'as printed', 'register accesses of bpb-n3l over those of bpb', procedure, place, 'exactly 0.5, at each P that was counted'
FROM procedure WHERE place < 3;
INSERT INTO wanted VALUES ('S11', 'as printed', 'register accesses of bpb-n3l over those of bpb', 'all three', 3, '0.45 to 0.55');

CREATE TEMP VIEW held_in_registers AS
SELECT c.machine, c.device, c.n, c.level, c.per_box, o.procedure, total(iif(c.variant = 'bpb', o.once, 0)) AS before,
  total(iif(c.variant = 'bpb-n3l', o.once, 0)) AS after, json_group_array(DISTINCT c.cell_key) AS cells
FROM audit_cell c JOIN audit_count o USING (cell_key)
WHERE c.paper = 'shan' AND c.experiment = 'shan/table1' AND o.kind IN ('RR', 'RW') AND c.variant IN ('bpb', 'bpb-n3l')
GROUP BY c.machine, c.device, c.n, c.level, c.per_box, o.procedure HAVING count(DISTINCT c.variant) = 2;

INSERT INTO part
SELECT 'S11', machine, device, 'as printed', 'register accesses of bpb-n3l over those of bpb', procedure, after / before, NULL, NULL, NULL,
  off = 0, NULL, cells
FROM (SELECT *, max(abs(2 * after - before)) AS off FROM held_in_registers JOIN procedure USING (procedure)
  WHERE before > 0 AND place < 3 GROUP BY machine, device, procedure);
INSERT INTO part
SELECT 'S11', machine, device, 'as printed', 'register accesses of bpb-n3l over those of bpb', 'all three', share, NULL, NULL, NULL,
  '[0.45, 0.55]', NULL, cells
FROM (SELECT *, after / before AS share, max(after / before) FROM held_in_registers WHERE procedure = 'total' AND before > 0
  GROUP BY machine, device);
