-- SPDX-License-Identifier: MIT
-- What this paper says: one sentence that follows from the sizes alone, and one that no processor makes true.

INSERT INTO claim VALUES ('T1', 'Section 1', 'A direct sum over N bodies takes N (N - 1) interactions', NULL,
  '62250, 249500, ~999000', 'orrery run trial/rounding --preset smoke');

-- A part a size.
INSERT INTO wanted
SELECT 'T1', 'as printed', 'interactions', printf('N = %d', n), n, printed FROM published
WHERE experiment = 'trial/rounding' AND quantity = 'interactions';

INSERT INTO part
SELECT 'T1', l.machine, l.device, 'as printed', 'interactions', printf('N = %d', l.n), l.interactions, NULL, NULL, NULL,
  min(abs(l.interactions - p.value) <= p.half_unit), NULL, json_group_array(l.cell_key)
FROM latest l JOIN published p ON p.experiment = l.experiment AND p.n = l.n AND p.quantity = 'interactions'
WHERE l.experiment = 'trial/rounding' AND l.outcome = 'ok' GROUP BY l.machine, l.device, l.n;

INSERT INTO claim VALUES ('T2', 'Section 2', 'A sum over 1000 bodies takes a microsecond', NULL, '0.001 ms',
  'orrery run trial/rounding --preset smoke');

INSERT INTO wanted VALUES ('T2', 'as printed', 'the fastest sum', 'N = 1000', 1, 'at most 1.5 us');

INSERT INTO part
SELECT 'T2', l.machine, l.device, 'as printed', 'the fastest sum', 'N = 1000', 1e6 * min(l.seconds), NULL, NULL, 'us',
  min(l.seconds) <= p.value + p.half_unit, NULL, json_array(l.cell_key)
FROM latest l JOIN published p ON p.experiment = l.experiment AND p.n = l.n AND p.quantity = 'seconds'
WHERE l.experiment = 'trial/rounding' AND l.outcome = 'ok' GROUP BY l.machine, l.device;
