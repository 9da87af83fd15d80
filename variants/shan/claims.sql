-- What Shan & Lei 2012 say, judged over the ledger. harness/claims/claims.h explains the tables claim and verdict,
-- harness/claims/claims_parts.h the view `compared` and the functions used here, harness/audit/audit.h the tables
-- audit_finding and audit_situation; docs/METHOD.md, "Claims", the rules.

-- Table III's comparisons at the paper's level and sizes, within one block size. `faithful` is the paper's own setting: 512
-- threads a block, and for the third law compare-and-swap with all threads at the same place.
CREATE TEMP VIEW pair AS
SELECT *, block = 512 AND atomic = 'cas' AND place = 'same' AS faithful
FROM (SELECT machine, device, per_box, substr(variant, 6) || ' over ' || substr(baseline, 6) AS what, ratio, low, high, timing,
    estimated, coalesce(json_extract(parameters, '$.block'), json_extract(baseline_parameters, '$.block'), 512) AS block,
    coalesce(json_extract(baseline_parameters, '$.block'), json_extract(parameters, '$.block'), 512) AS baseline_block,
    coalesce(json_extract(parameters, '$.atomic'), json_extract(baseline_parameters, '$.atomic'), 'cas') AS atomic,
    coalesce(json_extract(parameters, '$.order'), json_extract(baseline_parameters, '$.order'), 'same') AS place
  FROM compared
  WHERE experiment = 'shan/table3' AND level = 7 AND per_box IN (8, 16, 32, 64, 128, 256, 512)
    AND (device = baseline_device OR baseline = 'shan/serial'))
WHERE block = baseline_block;

INSERT INTO sequence(claim, machine, device, name, x, timing)
SELECT CASE what WHEN 'bpb over serial' THEN 'S1' ELSE 'S3' END, machine, device, what, per_box, timing FROM pair
WHERE faithful AND what IN ('bpb over serial', 'bpb-n3l over bpb');

-- A series of up to seven sizes for each device.
CREATE TEMP VIEW series AS
SELECT machine, device, what, count(*) AS sizes,
  growth(machine, per_box, timing, 7) FILTER (WHERE what IN ('bpb over serial', 'bpb-n3l over bpb')) AS grows,
  course(machine, per_box, timing) FILTER (WHERE what IN ('bpb over serial', 'bpb-n3l over bpb')) AS course,
  listing(per_box, shown(ratio)) || ' at P = ' || listing(per_box, per_box) AS text,
  coalesce('; ' || substr(what, instr(what, ' over ') + 6) || ' extrapolated at P = '
      || listing(per_box, CASE WHEN estimated THEN per_box END), '')
    || CASE WHEN count(*) < 7 THEN printf('; %d of 7 sizes measured', count(*)) ELSE '' END AS lacks
FROM pair WHERE faithful GROUP BY machine, device, what;

-- The best other setting, at the largest size that has one.
CREATE TEMP VIEW other AS
SELECT machine, device, what, max(ratio), printf('; with block=%d %s at P = %d', block, shown(ratio), per_box) AS text
FROM (SELECT *, max(per_box) OVER (PARTITION BY machine, device, what) AS largest FROM pair WHERE NOT faithful)
WHERE per_box = largest GROUP BY machine, device, what;

INSERT INTO claim(id, text, published, needs) VALUES ('S1',
  'Table III: the speedup of BPB over the serial CPU grows with the number of particles in a box, from 8 to 512',
  '1.90, 7.06, 25.40, 78.04, 155.31, 225.01, 234.08 at P = 8, 16, 32, 64, 128, 256, 512',
  'orrery run shan/table3 --preset paper');

INSERT INTO verdict
SELECT 'S1', s.machine, s.device, grows, s.text, 'the speedup goes ' || course || lacks || coalesce(o.text, '')
FROM series s LEFT JOIN other o USING (machine, device, what)
WHERE what = 'bpb over serial' AND grows IS NOT NULL;

INSERT INTO claim(id, text, published, needs) VALUES ('S2',
  'The highest speedup of the improved BPB over the serial CPU is 326.67, at 512 particles in a box',
  '326.67 at P = 512',
  'orrery run shan/table3 --preset paper');

CREATE TEMP VIEW smaller AS
SELECT machine, device, timing_over(s.timing, l.timing) AS timing
FROM pair s JOIN pair l USING (machine, device, what)
WHERE s.faithful AND l.faithful AND what = 'bpb-n3l over serial' AND s.per_box < 512 AND l.per_box = 512;

INSERT INTO comparison SELECT 'S2', machine, device, timing FROM smaller;

-- Two parts: that no other size is faster, and that the number is reached.
INSERT INTO verdict
SELECT 'S2', m.machine, m.device, verdict_of((last AND NOT coalesce(faster, 0) AND NOT coalesce(unclear, 0)) + reached, 2,
    last AND NOT coalesce(faster, 0) AND coalesce(unclear, 0)),
  printf('%s at P = %d', shown(top), at),
  printf('the number is %s; %s', iif(reached, 'reached', 'not reached'), CASE WHEN NOT last THEN 'P = 512 was not measured'
    WHEN faster THEN 'a smaller P is faster' WHEN unclear THEN 'whether a smaller P is faster is unclear'
    ELSE 'no smaller P is faster' END)
  || s.lacks || coalesce(o.text, '')
FROM (SELECT machine, device, what, max(iif(rank = 1, ratio, NULL)) AS top, max(iif(rank = 1, per_box, NULL)) AS at,
    max(per_box) = 512 AS last, max(high) >= 326.665 AS reached
  FROM (SELECT *, row_number() OVER (PARTITION BY machine, device ORDER BY ratio DESC) AS rank FROM pair
    WHERE faithful AND what = 'bpb-n3l over serial')
  GROUP BY machine, device, what) m
JOIN series s USING (machine, device, what) LEFT JOIN other o USING (machine, device, what)
LEFT JOIN (SELECT machine, device, total(differs(machine, timing) > 0) AS faster, total(differs(machine, timing) IS NULL) AS unclear
  FROM smaller GROUP BY machine, device) USING (machine, device);

INSERT INTO claim(id, text, published, needs) VALUES ('S3',
  'Figure 8: the improved BPB is never slower than BPB, and the more particles in a box the more it is faster',
  '1.0035, 1.0115, 1.0240, 1.0637, 1.1567, 1.2910, 1.3955 at P = 8, 16, 32, 64, 128, 256, 512',
  'orrery run shan/table3 --preset paper');

CREATE TEMP VIEW improved AS SELECT machine, device, timing FROM pair WHERE faithful AND what = 'bpb-n3l over bpb';

INSERT INTO comparison SELECT 'S3', machine, device, timing FROM improved;

-- Two parts: never slower at any of seven sizes, and the growth, of which a rise from end to end with a dip is half.
INSERT INTO verdict
SELECT 'S3', s.machine, s.device,
  verdict_of((slower = 0 AND NOT unclear) + CASE grows WHEN 'reproduced' THEN 1 WHEN 'partly' THEN 0.5 ELSE 0 END,
    2, (slower = 0 AND unclear) + (grows = 'unclear')),
  s.text, printf('slower at %d of %d sizes; BPB over improved goes ', slower, sizes) || course || lacks || coalesce(o.text, '')
FROM series s LEFT JOIN other o USING (machine, device, what)
JOIN (SELECT machine, device, total(differs(machine, timing) < 0) AS slower, total(differs(machine, timing) IS NULL) AS unclear
  FROM improved GROUP BY machine, device) USING (machine, device)
WHERE what = 'bpb-n3l over bpb' AND grows IS NOT NULL;

INSERT INTO claim(id, text, published, needs) VALUES ('S4',
  'Section IV B: the improved BPB gains less than twofold because of the atomic updates; so without conflicts the same pairs'
  || ' come closer to twofold',
  'at most 1.3955 at P = 512',
  'orrery run shan/table3 --preset paper');

-- A part a size: the improved BPB stays under 2, and the same pairs without atomic updates, which take the threads they need
-- and so are compared with a BPB that does, are nearer to 2 on either side.
CREATE TEMP VIEW gain AS
SELECT a.machine, a.device, per_box, a.estimated OR f.estimated AS estimated, a.ratio AS atomic, f.ratio AS free,
  a.high < 2 AS below, f.high - 2 < 2 - a.high AS near, timing_over(f.timing, a.timing) AS timing
FROM pair a JOIN pair f USING (machine, device, per_box)
WHERE a.faithful AND a.what = 'bpb-n3l over bpb' AND f.what = 'bpb-n3l-free over bpb' AND f.block = 0;

INSERT INTO comparison SELECT 'S4', machine, device, timing FROM gain;

INSERT INTO verdict
SELECT 'S4', g.machine, g.device, verdict_of(total(sign > 0), 7, total(sign IS NULL)),
  listing(per_box, shown(atomic)) || ' with atomic updates, ' || listing(per_box, shown(free)) || ' without, at P = '
    || listing(per_box, per_box),
  printf('under 2 at %d of 7 sizes, nearer to 2 without atomic updates at %d', total(below), total(sign > 0))
  || CASE WHEN count(*) < 7 THEN printf('; %d of 7 sizes measured', count(*)) ELSE '' END
  || CASE WHEN max(estimated) THEN '; BPB partly extrapolated' ELSE '' END || coalesce(o.text, '')
FROM (SELECT *, CASE WHEN below AND near THEN differs(machine, timing) ELSE 0 END AS sign FROM gain) g
LEFT JOIN (SELECT machine, device, max(ratio), printf('; the best kind of atomic update, %s and %s, gains %s at P = %d',
      json_extract(parameters, '$.atomic'), json_extract(parameters, '$.order'), shown(ratio), per_box) AS text
    FROM (SELECT *, max(per_box) OVER (PARTITION BY machine, device) AS largest FROM compared
      WHERE experiment = 'shan/atomics' AND level = 7 AND variant = 'shan/bpb-n3l' AND baseline = 'shan/bpb'
        AND device = baseline_device AND json_extract(parameters, '$.block') = json_extract(baseline_parameters, '$.block'))
    WHERE per_box = largest GROUP BY machine, device) o USING (machine, device)
GROUP BY g.machine, g.device;

INSERT INTO claim(id, text, published, needs) VALUES ('S5',
  'Table I: how often the previous and the improved BPB read and write global memory, shared memory and registers, and how many'
  || ' pairs they evaluate',
  'Table I: GR, GW, SR, SW, RR, RW, CP of three procedures',
  'orrery run shan/table1 --preset quick');

-- The audit evaluates each printed formula for each counted cell; an atomic update is one write, as in the paper.
INSERT INTO verdict
SELECT 'S5', machine, device, verdict_of(total(CAST(derived AS INTEGER)), total(CAST(printed AS INTEGER))),
  printf('%d of %d values', total(CAST(derived AS INTEGER)), total(CAST(printed AS INTEGER))),
  'formulas that the counting build gives exactly: ' || group_concat(variant || ' in ' || f.experiment || ' ' || derived, '; ')
FROM audit_finding f JOIN (SELECT DISTINCT machine, device, substr(variant, 6) AS variant FROM latest WHERE paper = 'shan') l
  ON f.item = 'counts of ' || variant || ' on ' || machine || ', ' || device
WHERE f.paper = 'shan' GROUP BY machine, device;

INSERT INTO claim(id, text, published, needs) VALUES ('S6',
  'Table II: the changes of computation and data access, in symbols and at level 7, follow from Table I',
  'shared memory: -N(P-1)-BP^2, reduced by P(146462P-89346)',
  'nothing to measure: the audit of Table II needs variants/shan/formulas.csv');

-- A derivation: one entry that does not follow is enough. It needs no machine.
INSERT INTO verdict
SELECT 'S6', NULL, NULL, iif(total(agrees) = count(*), 'reproduced', 'not reproduced'),
  printf('%d of %d entries follow', total(agrees), count(*)),
  coalesce('wrong: ' || group_concat(iif(agrees, NULL, printf('%s is printed as %s, from Table I: %s', item, printed, derived)),
    '; '), 'every entry follows')
FROM audit_finding WHERE paper = 'shan' AND experiment = 'shan/table2'
  AND replace(item, ' at level 7', '') IN ('computation', 'register', 'shared memory', 'global memory')
HAVING count(*) > 0;

INSERT INTO claim(id, text, published, needs) VALUES ('S7',
  'With at least one particle in each box, at level 7, both global and shared memory are accessed less by the improved BPB',
  'reduced by P(146462P-89346) and 32002P for P >= 1',
  'orrery run shan/table2 --preset quick');

CREATE TEMP VIEW fall AS
SELECT item, agrees, derived FROM audit_finding
WHERE paper = 'shan' AND item IN ('shared memory for P >= 1', 'global memory for P >= 1');

-- What was counted, an atomic update as one write.
CREATE TEMP VIEW change AS
SELECT machine, device, per_box, iif(kind IN ('GR', 'GW', 'AG'), 'global memory', 'shared memory') AS memory,
  total(iif(variant = 'shan/bpb-n3l', value, -value)) AS change
FROM latest JOIN count USING (cell_key)
WHERE experiment = 'shan/table2' AND level = 7 AND outcome = 'ok' AND variant IN ('shan/bpb', 'shan/bpb-n3l')
  AND kind IN ('GR', 'GW', 'AG', 'SR', 'SW', 'AS')
GROUP BY machine, device, per_box, 4 HAVING count(DISTINCT variant) = 2;

-- Two parts, the two memories: each falls for every P >= 1 by Table I, and wherever it was counted.
INSERT INTO verdict
SELECT 'S7', machine, device, verdict_of(total(falls AND f.agrees), 2),
  group_concat(memory || ' ' || text, '; '), 'by Table I ' || group_concat(memory || ' is ' || f.derived, '; ')
FROM (SELECT machine, device, memory, max(change) < 0 AS falls,
    listing(per_box, printf('%+d at P = %d', change, per_box)) AS text
  FROM change GROUP BY machine, device, memory)
JOIN fall f ON f.item = memory || ' for P >= 1'
GROUP BY machine, device;

INSERT INTO verdict
SELECT 'S7', NULL, NULL, verdict_of(total(agrees), 2), NULL,
  'nothing counted; by Table I ' || group_concat(replace(item, 'for P >= 1', 'is ') || derived, '; ')
FROM fall WHERE NOT EXISTS (SELECT 1 FROM verdict WHERE claim = 'S7') HAVING count(*) = 2;

INSERT INTO claim(id, text, published, needs) VALUES ('S8',
  'The improved BPB evaluates half as many pairs as the previous one',
  'N(P-1)/2 + BP^2/2 instead of N(P-1) + BP^2',
  'orrery run shan/table1 --preset quick');

CREATE TEMP VIEW evaluated AS
SELECT machine, device, level, per_box, total(iif(variant = 'shan/bpb', value, 0)) AS before,
  total(iif(variant = 'shan/bpb-n3l', value, 0)) AS after
FROM latest JOIN count USING (cell_key)
WHERE experiment = 'shan/table1' AND outcome = 'ok' AND variant IN ('shan/bpb', 'shan/bpb-n3l') AND kind = 'CP'
GROUP BY machine, device, dataset, n, level, per_box HAVING count(DISTINCT variant) = 2;

INSERT INTO verdict
SELECT 'S8', machine, device, verdict_of(total(2 * after = before), count(*)),
  listing(level * 1e6 + per_box, printf('%.6g (level %d, P = %d)', after / before, level, per_box)),
  printf('exactly half in %d of %d counted inputs', total(2 * after = before), count(*))
FROM evaluated WHERE before > 0 GROUP BY machine, device;

INSERT INTO claim(id, text, published, needs) VALUES ('S9',
  'Section V: four situations, from the changes of computation and data access, predict which of two variants is faster',
  'situations 1 to 3 are improvements, 4 is none',
  'orrery run shan/table1 --preset quick');

CREATE TEMP VIEW prediction AS
SELECT machine, device, situation, a, b, predicts, timing_over(timing_of(a_key), timing_of(b_key)) AS timing
FROM audit_situation WHERE paper = 'shan' AND predicts IS NOT NULL;

INSERT INTO comparison SELECT 'S9', machine, device, timing FROM prediction;

-- A part for each pair whose times differ.
INSERT INTO verdict
SELECT 'S9', machine, device, verdict_of(total(agrees), total(sign IS NOT 0), total(sign IS NULL)),
  printf('%d of %d predictions come true', total(agrees), count(agrees)),
  printf('situation 1: %d of %d, 2: %d of %d, 3: %d of %d, 4: %d of %d', total(agrees AND situation = '1'),
    count(iif(situation = '1', agrees, NULL)), total(agrees AND situation = '2'), count(iif(situation = '2', agrees, NULL)),
    total(agrees AND situation = '3'), count(iif(situation = '3', agrees, NULL)), total(agrees AND situation = '4'),
    count(iif(situation = '4', agrees, NULL)))
  || coalesce('; wrong: ' || replace(group_concat(DISTINCT iif(agrees IS 0, a || ' to ' || b, NULL)), ',', ', '), '')
  || iif(total(situation IN ('1', '3')), '; 1 is the reverse of 3, so that half of these must fail', '')
FROM (SELECT *, iif(sign = 0, NULL, (predicts = 'better') = (sign > 0)) AS agrees
  FROM (SELECT *, differs(machine, timing) AS sign FROM prediction))
GROUP BY machine, device HAVING total(sign IS NOT 0) > 0;
