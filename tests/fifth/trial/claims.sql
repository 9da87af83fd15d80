-- What this paper says: one sentence that follows from the sizes alone, and one that no processor makes true.

INSERT INTO claim VALUES ('T1', 'A direct sum over N bodies takes N (N - 1) interactions', '62250, 249500, ~999000',
  'orrery run trial/rounding --preset smoke');

-- Three parts, a size each.
INSERT INTO verdict
SELECT 'T1', machine, device, verdict_of(total(right), 3), listing(n, interactions) || ' at N = ' || listing(n, n),
  printf('%d of %d sizes take what is printed', total(right), count(*))
FROM (SELECT l.machine, l.device, l.n, CAST(l.interactions AS INTEGER) AS interactions,
    min(abs(l.interactions - p.value) <= p.half_unit) AS right
  FROM latest l JOIN published p ON p.experiment = l.experiment AND p.n = l.n AND p.quantity = 'interactions'
  WHERE l.experiment = 'trial/rounding' AND l.outcome = 'ok' GROUP BY l.machine, l.device, l.n)
GROUP BY machine, device;

INSERT INTO claim VALUES ('T2', 'A sum over 1000 bodies takes a microsecond', '0.001 ms',
  'orrery run trial/rounding --preset smoke');

INSERT INTO verdict
SELECT 'T2', l.machine, l.device, verdict_of(min(l.seconds) <= p.value + p.half_unit, 1), shown(1e6 * min(l.seconds)) || ' us',
  'the fastest sum over 1000 bodies'
FROM latest l JOIN published p ON p.experiment = l.experiment AND p.n = l.n AND p.quantity = 'seconds'
WHERE l.experiment = 'trial/rounding' AND l.outcome = 'ok' GROUP BY l.machine, l.device;
