-- SPDX-License-Identifier: MIT
-- Where the numbers of the documentation come from; tools/docs_numbers.py says how it reads this file. `make docs-numbers` puts
-- the numbers of today's reference results into the documents.

-- The card that the pages are about.
CREATE VIEW h200 AS SELECT *, json_extract(parameters, '$.theta') AS theta, coalesce(json_extract(parameters, '$.block'), 0) AS block,
  json_extract(parameters, '$.atomic') AS atomic, json_extract(parameters, '$.order') AS place,
  coalesce(json_extract(parameters, '$.multipole'), 'quadrupole') AS multipole
FROM cell WHERE machine = 'nvidia-h200' AND outcome = 'ok' AND device IN ('cuda:0', 'host');
CREATE VIEW on_h200 AS SELECT * FROM part WHERE machine = 'nvidia-h200' AND device = 'cuda:0' AND cannot IS NULL;
CREATE VIEW judged AS SELECT * FROM verdict WHERE machine = 'nvidia-h200' AND device = 'cuda:0';
CREATE VIEW by_loop AS
SELECT json_extract(parameters, '$.unroll_i') AS i, json_extract(parameters, '$.unroll_j') AS j,
  1e-12 * max(iif(n = 100000, interactions_per_second, NULL)) AS few, 1e-12 * max(iif(n = 500000, interactions_per_second, NULL)) AS more,
  1e-12 * max(iif(n = 1000000, interactions_per_second, NULL)) AS most
FROM h200 WHERE experiment = 'fujiwara/large' GROUP BY i, j;
CREATE VIEW near AS
SELECT substr(variant, 6) AS code, block, max(iif(per_box = 8, s, NULL)) AS p8, max(iif(per_box = 32, s, NULL)) AS p32,
  max(iif(per_box = 128, s, NULL)) AS p128, max(iif(per_box = 512, s, NULL)) AS p512
FROM (SELECT *, ms(seconds, extrapolated) AS s FROM h200
  WHERE experiment = 'shan/table3' AND coalesce(atomic, 'cas') = 'cas' AND coalesce(place, 'same') = 'same')
GROUP BY code, block;
CREATE VIEW steps AS
SELECT substr(variant, 6) AS code, max(iif(n = 1000, a, NULL)) AS a3, max(iif(n = 10000, a, NULL)) AS a4,
  max(iif(n = 100000, a, NULL)) AS a5, max(iif(n = 1000000, a, NULL)) AS a6, max(iif(n = 1000, b, NULL)) AS b3,
  max(iif(n = 10000, b, NULL)) AS b4, max(iif(n = 100000, b, NULL)) AS b5, max(iif(n = 1000000, b, NULL)) AS b6
FROM (SELECT *, duration(seconds, extrapolated) AS a, duration(end_to_end_seconds, extrapolated) AS b FROM h200
  WHERE experiment = 'feng/fig6' AND theta = 0.9 AND steps = 20) GROUP BY code;
CREATE VIEW million AS
SELECT substr(variant, 9) AS code, theta, json_extract(parameters, '$.tree') AS tree, json_extract(parameters, '$.host_threads') AS threads,
  json_extract(parameters, '$.threads') AS cpu_threads, duration(seconds, extrapolated) AS step,
  duration(end_to_end_seconds, extrapolated) AS whole, error_median AS error, seconds, cell_key
FROM h200 WHERE experiment = 'gaburov/headline' AND n = 1000000 AND multipole = 'quadrupole';
CREATE VIEW speed AS SELECT substr(variant, 10) AS code, n, max(interactions_per_second) AS rate FROM h200
WHERE experiment = 'fujiwara/fig14' GROUP BY code, n;
CREATE VIEW by_cards AS SELECT *, duration(one) AS a, duration(two) AS b, duration(four) AS c, one / four AS gain
FROM (SELECT variant AS code, n, max(iif(ranks IS NULL, seconds, NULL)) AS one, max(iif(ranks = 2, seconds, NULL)) AS two,
    max(iif(ranks = 4, seconds, NULL)) AS four
  FROM cell WHERE machine = 'nvidia-h200-x4' AND outcome = 'ok' AND experiment LIKE '%/scaling' GROUP BY code, n);

--: RESULTS | a tree of 4e8 bodies takes {} a step at a median error of {}, and
SELECT duration(seconds), error_median FROM cell
WHERE machine = 'nvidia-h100-80gb-hbm3-x4' AND outcome = 'ok' AND experiment = 'gaburov/scaling' AND n = 400000000;
--: RESULTS | direct sums of 262144 bodies a card keep {:.1f} % (`optimised`) and {:.1f} % (`third-law`) of
SELECT max(iif(variant LIKE '%/optimised', share, NULL)), max(iif(variant LIKE '%/third-law', share, NULL))
FROM (SELECT variant, 25 * max(iif(ranks = 4, interactions_per_second, NULL)) / max(iif(ranks IS NULL, interactions_per_second, NULL)) AS share
  FROM cell WHERE machine = 'nvidia-h100-80gb-hbm3-x4' AND outcome = 'ok' AND experiment = 'fujiwara/scaling-weak' GROUP BY variant);
--: RESULTS | | 1 x 1 | {} | {} | {} |
SELECT few, more, most FROM by_loop WHERE i = 1 AND j = 1;
--: RESULTS | | 4 x 1 | {} | {} | {} |
SELECT few, more, most FROM by_loop WHERE i = 4 AND j = 1;
--: RESULTS | | 1 x 4 | {} | {} | {} |
SELECT few, more, most FROM by_loop WHERE i = 1 AND j = 4;
--: RESULTS | | 4 x 4 | {} | {} | {} |
SELECT few, more, most FROM by_loop WHERE i = 4 AND j = 4;
--: RESULTS | On this card `gpu-no-unrolling` is the fastest of their {} programs at every size of the paper
--: while b < 1 AND c < 1
SELECT 'three', max(value), (SELECT max(value) FROM on_h200 WHERE id = 'N5' AND what LIKE 'double-unrolling over no-%')
FROM on_h200 WHERE id = 'N1' AND reading = 'as printed' AND what = 'simple-unrolling over no-unrolling';
--: RESULTS | At a million bodies unrolling over i gains {} times, unrolling over j alone {} times.
--: while a > 1.02 AND b > a
SELECT max(iif(i = 4 AND j = 1, most, NULL)) / max(iif(i = 1 AND j = 1, most, NULL)),
  max(iif(i = 1 AND j = 4, most, NULL)) / max(iif(i = 1 AND j = 1, most, NULL)) FROM by_loop;
--: RESULTS | is worth little here: the caches alone serve the loop at {} to {} of the rate from local memory
--: while a > 0.8 AND b < 1.05
SELECT min(value), max(value) FROM on_h200 WHERE id = 'N9' AND what = 'caches over local memory';
--: RESULTS | reaches {:.2f}e12 interactions/s at N = 262 144; `third-law` evaluates each pair once and reaches {:.2f}e12, `matrix` uses matrix units for far pairs and reaches {:.2f}e12 (
--: while a < b AND b < c
SELECT 1e-12 * max(iif(code = 'optimised', rate, NULL)), 1e-12 * max(iif(code = 'third-law', rate, NULL)),
  1e-12 * max(iif(code = 'matrix', rate, NULL)) FROM speed WHERE n = 262144;

--: RESULTS | | CPU, serial | {} | {} | {} | {} | 579568 |
SELECT p8, p32, p128, p512 FROM near WHERE code = 'serial';
--: RESULTS | | cpu-simd, 16 cores | {} | {} | {} | {} | — |
SELECT p8, p32, p128, p512 FROM near WHERE code = 'cpu-simd';
--: RESULTS | | Previous BPB, 512 threads a block | {} | {} | {} | {} | 2475.9 |
SELECT p8, p32, p128, p512 FROM near WHERE code = 'bpb' AND block = 512;
--: RESULTS | | Improved BPB (compare-and-swap), 512 threads a block | {} | {} | {} | {} | 1774.183 |
SELECT p8, p32, p128, p512 FROM near WHERE code = 'bpb-n3l' AND block = 512;
--: RESULTS | | Previous BPB, block fitted | {} | {} | {} | {} | — |
SELECT p8, p32, p128, p512 FROM near WHERE code = 'bpb' AND block = 0;
--: RESULTS | | Improved BPB (compare-and-swap), block fitted | {} | {} | {} | {} | — |
SELECT p8, p32, p128, p512 FROM near WHERE code = 'bpb-n3l' AND block = 0;
--: RESULTS | | Previous BPB tuned on this card (bpb-tuned), block fitted | {} | {} | {} | {} | — |
SELECT p8, p32, p128, p512 FROM near WHERE code = 'bpb-tuned' AND block = 0;
--: RESULTS | | bpb-n3l-free | {} | {} | {} | {} | — |
SELECT p8, p32, p128, p512 FROM near WHERE code = 'bpb-n3l-free';
--: RESULTS | the improved BPB takes {}, {}, {} and {} times as long as BPB
--: while min(a, b, c, d) > 2
SELECT 1 / max(iif(at = 'P = 8', value, NULL)), 1 / max(iif(at = 'P = 32', value, NULL)), 1 / max(iif(at = 'P = 128', value, NULL)),
  1 / max(iif(at = 'P = 512', value, NULL)) FROM on_h200 WHERE id = 'S3' AND what = 'bpb-n3l over bpb';
--: RESULTS | the third law wins: `bpb-n3l-free` is {}, {}, {} and {} times as fast as the tuned BPB
--: while min(a, b, c, d) > 1.02
SELECT max(iif(at = 'P = 8', value, NULL)), max(iif(at = 'P = 32', value, NULL)), max(iif(at = 'P = 128', value, NULL)),
  max(iif(at = 'P = 512', value, NULL)) FROM on_h200 WHERE id = 'S3' AND what = 'bpb-n3l-free over bpb-tuned';

--: RESULTS | | CPU, serial (cpu-naive) | {} | {} | {} | {} |
SELECT a3, a4, a5, a6 FROM steps WHERE code = 'cpu-naive';
--: RESULTS | | cpu-tuned, 16 cores | {} | {} | {} | {} |
SELECT a3, a4, a5, a6 FROM steps WHERE code = 'cpu-tuned';
--: RESULTS | | Barnes-Hut, as published (barnes-hut) | {} | {} | {} | {} |↵| the same end to end | {} | {} | {} | {} |
SELECT a3, a4, a5, a6, b3, b4, b5, b6 FROM steps WHERE code = 'barnes-hut';
--: RESULTS | | barnes-hut-modern | {} | {} | {} | {} |↵| the same end to end | {} | {} | {} | {} |
SELECT a3, a4, a5, a6, b3, b4, b5, b6 FROM steps WHERE code = 'barnes-hut-modern';
--: RESULTS | the published program reaches {} times at 100 000 bodies; over all cores of the machine {} times at a million, and less than one at 10 000.
--: while c < 1
SELECT max(iif(b.variant LIKE '%naive' AND a.n = 100000, b.seconds / a.seconds, NULL)),
  max(iif(b.variant LIKE '%tuned' AND a.n = 1000000, b.seconds / a.seconds, NULL)),
  max(iif(b.variant LIKE '%tuned' AND a.n = 10000, b.seconds / a.seconds, NULL))
FROM h200 a JOIN h200 b USING (experiment, n, theta, steps)
WHERE experiment = 'feng/fig6' AND theta = 0.9 AND steps = 20 AND a.variant = 'feng/barnes-hut' AND b.device = 'host';
--: RESULTS | Sorting makes ComputeForces {} to {} times as fast.
--: while a > 1.02
SELECT min(value), max(value) FROM on_h200 WHERE id = 'F3' AND what = 'time without sorting over with it';
--: RESULTS | (F9, {}); without it a step takes {} times as long at most,
--: while b < 2
SELECT (SELECT text FROM judged WHERE id = 'F9' AND reading = 'as printed'), value FROM on_h200 WHERE id = 'F9' AND reading = 'as printed';

--: RESULTS | | cpu-tree: one thread, no vectors, theta = 0.5 | {} | {} | {} (measured at 100000) |
SELECT step, whole, (SELECT error_median FROM h200 WHERE experiment = 'gaburov/headline' AND variant = 'gaburov/cpu-tree' AND n = 100000)
FROM million WHERE code = 'cpu-tree' AND theta = 0.5;
--: RESULTS | | cpu-tree-simd: 16 cores, theta = 0.5 | {} | {} | {} |
SELECT step, whole, error FROM million WHERE code = 'cpu-tree-simd' AND theta = 0.5 AND cpu_threads = 0;
--: RESULTS | | direct summation in single precision | {} | {} | {} |
SELECT step, whole, error FROM million WHERE code = 'direct';
--: RESULTS | | direct summation in double precision | {} | {} | {} |
SELECT step, whole, error FROM million WHERE code = 'direct-fp64';
--: RESULTS | | Octgrav as published, theta = 0.5 | {} | {} | {} |
SELECT step, whole, error FROM million WHERE code = 'octgrav' AND theta = 0.5 AND tree = 'recursive' AND threads = 1;
--: RESULTS | | Octgrav, its tree sorted by 16 threads, theta = 0.5 | {} | {} | {} |
SELECT step, whole, error FROM million WHERE code = 'octgrav' AND theta = 0.5 AND tree = 'sorted' AND threads = 0;
--: RESULTS | | octgrav-modern, theta = 0.66 | {} | {} | {} |
SELECT step, whole, error FROM million WHERE code = 'octgrav-modern' AND theta = 0.66;
--: RESULTS | | octgrav-modern, theta = 0.43 | {} | {} | {} |
SELECT step, whole, error FROM million WHERE code = 'octgrav-modern' AND theta = 0.43;
--: RESULTS | Of the {} all but {} are the host's
SELECT shown(1e3 * m.seconds) || ' ms', shown(1e3 * (SELECT sum(seconds) FROM phase p WHERE p.cell_key = m.cell_key)) || ' ms'
FROM million m WHERE code = 'octgrav' AND theta = 0.5 AND tree = 'recursive' AND threads = 1;
--: RESULTS | eight million bodies take {} at theta = 0.43.
SELECT duration(seconds) FROM h200 WHERE experiment = 'gaburov/headline' AND variant = 'gaburov/octgrav-modern' AND n = 8000000 AND theta = 0.43;

--: rows RESULTS | 4 | generations -r results/reference
--: rows LIMITS | 3 | query docs/examples/limits.sql -r results/reference

--: RESULTS | | {} times as fast at P = 8, {} at 512 | {} |
SELECT max(iif(at = 'P = 8', value, NULL)), max(iif(at = 'P = 512', value, NULL)), (SELECT text FROM judged WHERE id = 'S3' AND reading = 'as printed')
FROM on_h200 WHERE id = 'S3' AND what = 'bpb-n3l over bpb';
--: RESULTS | | it falls by P(72962P - 138498) | {} |
SELECT DISTINCT text FROM verdict WHERE id = 'S6';
--: RESULTS | | 4 | {:.2f} to {:.2f} | {} |
SELECT min(value), max(value), (SELECT text FROM judged WHERE id = 'G1') FROM on_h200 WHERE id = 'G1';
--: RESULTS | | {:.3f} s end to end; the device's phases by peak: {} s of that card | {} |
SELECT max(iif(what LIKE 'the whole call%', value, NULL)), max(iif(what LIKE 'the device%', value, NULL)), (SELECT text FROM judged WHERE id = 'G8')
FROM on_h200 WHERE id = 'G8';
--: RESULTS | | a thread each: {}, and {} over the tuned one | {} |
SELECT max(iif(what LIKE 'over cpu-tree,%', value, NULL)), max(iif(what LIKE 'over cpu-tree-simd, a%', value, NULL)),
  (SELECT text FROM judged WHERE id = 'G11') FROM on_h200 WHERE id = 'G11';

--: RESULTS | | slope 1 | slopes of {} to {} | {} |
SELECT min(value), max(value), max(v.text) FROM part p JOIN verdict v USING (machine, device, id, reading)
WHERE machine = 'amd-epyc-2-cores' AND id = 'F14' AND device LIKE 'opencl%' AND cannot IS NULL;
--: RESULTS | | a thread each: {} and {} times | {} |
SELECT max(iif(what LIKE 'over cpu-tree,%', value, NULL)), max(iif(what LIKE 'over cpu-tree-simd, a%', value, NULL)), max(v.text)
FROM part p JOIN verdict v USING (machine, device, id, reading) WHERE machine = 'amd-epyc-2-cores' AND id = 'G11' AND device LIKE 'opencl%';

--: VALIDITY | | F4 holds more | {} to {}: far below |
--: while b < 0.6
SELECT min(value), max(value) FROM on_h200 WHERE id = 'F4' AND reading = 'as printed' AND what = 'log-log slope';
--: VALIDITY | | G1 holds more | {:.2f} to {:.2f}: at a quarter of a unit {:.0f} of 6 would hold |
--: while a >= 3.5 AND b <= 4.5 AND c < 6
SELECT min(value), max(value), sum(value BETWEEN 3.75 AND 4.25) FROM on_h200 WHERE id = 'G1';
--: VALIDITY | | cannot tell N log N from N (G4, G9) | G4 {:.2f}; half as wide would do |
--: while abs(a - 1) < 0.075
SELECT value FROM on_h200 WHERE id = 'G4' AND what LIKE 'slope%';
--: VALIDITY | | G2 and G3 hold more | medians {:.2f} to {:.2f}; the 99 % {:.2f} to {:.2f}, with 1.25 as limit {:.0f} of 6 would hold; G3 {:.2f} to {:.2f} |
--: while a > 1.5 AND d < 1.5
SELECT min(iif(what LIKE '%median%', value, NULL)), max(iif(what LIKE '%median%', value, NULL)), min(iif(what LIKE '%99 %', value, NULL)),
  max(iif(what LIKE '%99 %', value, NULL)), sum(what LIKE '%99 %' AND value > 1.25),
  (SELECT min(value) FROM on_h200 WHERE id = 'G3' AND what LIKE 'the median over%'),
  (SELECT max(value) FROM on_h200 WHERE id = 'G3' AND what LIKE 'the median over%') FROM on_h200 WHERE id = 'G2';
--: VALIDITY | | G11 holds more | a thread each {} and {}, all cores each {} |
SELECT max(iif(what LIKE 'over cpu-tree,%', value, NULL)), max(iif(what LIKE 'over cpu-tree-simd, a t%', value, NULL)),
  max(iif(what LIKE 'over cpu-tree-simd, all%', value, NULL)) FROM on_h200 WHERE id = 'G11';
--: VALIDITY | | F5 holds less | {}: far above |
--: while a > 1.5
SELECT value FROM on_h200 WHERE id = 'F5' AND what = 'growth of what sorting gains';
--: VALIDITY | | broken from 100000 bodies on: {} for 5 times as many |
--: while a < 5
SELECT value FROM on_h200 WHERE id = 'F1' AND what = 'growth of the speedup' AND at = 'N = 100000 to 500000';
--: VALIDITY | | F8 passes more curves | {:.0f} of 8 pass, at {} to {}; the others at {} to {} |
--: while c < 0.5 AND d > 0.5
SELECT sum(holds), min(iif(holds, value, NULL)), max(iif(holds, value, NULL)), min(iif(holds, NULL, value)), max(iif(holds, NULL, value))
FROM on_h200 WHERE id = 'F8';
--: VALIDITY | an H200's {} % with all bodies is within, {} % with 30000 is not (G6)
--: while a BETWEEN 23.4 AND 33 AND b < 23.4
SELECT max(iif(reading <> 'as printed', value, NULL)), max(iif(at = 'N = 30000', value, NULL))
FROM on_h200 WHERE id = 'G6' AND what LIKE 'share of%';
--: VALIDITY | at P = 8 the improved BPB takes {} ms, with 512 threads {} ms |
SELECT max(iif(block = 0, p8, NULL)), max(iif(block = 512, p8, NULL)) FROM near WHERE code = 'bpb-n3l';
--: VALIDITY | `staggered` takes {} to {} of the time at P = 32 to 512 |
--: while b < 0.9
SELECT min(1 / value), max(1 / value) FROM on_h200 WHERE id = 'S4' AND what LIKE 'bpb-n3l staggered%';
--: VALIDITY | | S11 | {} at P = 8 |
--: while a > 0.5 AND a < 0.55
SELECT value FROM on_h200 WHERE id = 'S11' AND at = 'all three';

--: METHOD | which can double it: for a million bodies at theta = 0.66, `gaburov/octgrav-modern` takes {} a step and {} end to end on an NVIDIA H200.
--: while d / c > 1.8
SELECT step, whole, seconds, (SELECT end_to_end_seconds FROM h200 c WHERE c.cell_key = m.cell_key) FROM million m
WHERE code = 'octgrav-modern' AND theta = 0.66;
--: RESULTS | | direct sum, `optimised` | 4e6 | {} | {} | {} | {:.2f} |
SELECT a, b, c, gain FROM by_cards WHERE code = 'fujiwara/optimised' AND n = 4000000;
--: RESULTS | | direct sum, `third-law` | 4e6 | {} | {} | {} | {:.2f} |
SELECT a, b, c, gain FROM by_cards WHERE code = 'fujiwara/third-law' AND n = 4000000;
--: RESULTS | | near field, `bpb` | 8.4e6 | {} | {} | {} | {:.2f} |
SELECT a, b, c, gain FROM by_cards WHERE code = 'shan/bpb' AND n = 8388608;
--: RESULTS | | near field, `bpb-n3l-free` | 8.4e6 | {} | {} | {} | {:.2f} |
SELECT a, b, c, gain FROM by_cards WHERE code = 'shan/bpb-n3l-free' AND n = 8388608;
--: RESULTS | | tree, `octgrav-modern` | 8e6 | {} | {} | {} | {:.2f} |
SELECT a, b, c, gain FROM by_cards WHERE code = 'gaburov/octgrav-modern' AND n = 8000000;
--: RESULTS | | tree, `octgrav-modern` | 6.4e7 | {} | {} | {} | {:.2f} |
SELECT a, b, c, gain FROM by_cards WHERE code = 'gaburov/octgrav-modern' AND n = 64000000;
--: RESULTS | | tree, `octgrav-modern` | 2e8 | {} | — | {} | {:.2f} |
SELECT a, c, gain FROM by_cards WHERE code = 'gaburov/octgrav-modern' AND n = 200000000;
--: RESULTS | | plane, `barnes-hut-modern` | 1e7 | {} | {} | {} | {:.2f} |
SELECT a, b, c, gain FROM by_cards WHERE code = 'feng/barnes-hut-modern' AND n = 10000000;
--: RESULTS | | plane, `barnes-hut-modern` | 3.2e7 | {} | {} | {} | {:.2f} |
SELECT a, b, c, gain FROM by_cards WHERE code = 'feng/barnes-hut-modern' AND n = 32000000;
--: RESULTS | the tree's {:.2f} at 6.4e7 bodies and the plane's {:.2f} at 3.2e7 are what sorting, exchanges and trees of parts leave
--: while a > 2.5 AND b > 2
SELECT (SELECT gain FROM by_cards WHERE code = 'gaburov/octgrav-modern' AND n = 64000000), (SELECT gain FROM by_cards WHERE code = 'feng/barnes-hut-modern' AND n = 32000000);
