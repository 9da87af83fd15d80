-- SPDX-License-Identifier: MIT
-- The lines of each made-up machine's journal: a run for each card, cells by five processes, and
-- those that a run would scale. tests/calibrate.c has the functions measured, merged,
-- beside and scaled.

-- Process 6 is no line of its own: it has the printed numbers as they are, which are scaled.
CREATE TEMP VIEW measurement AS
SELECT machine, cell, process, what, name, value, p.n, p.steps, p.interactions,
    measured(machine, what, name, cell, process, 3, value) AS middle, json_array(
        measured(machine, what, name, cell, process, 1, value),
        measured(machine, what, name, cell, process, 2, value),
        measured(machine, what, name, cell, process, 3, value),
        measured(machine, what, name, cell, process, 4, value),
        measured(machine, what, name, cell, process, 5, value)) AS samples
FROM given JOIN planned p USING (cell), (SELECT value AS process FROM json_each('[1, 2, 3, 4, 5, 6]'))
WHERE machine NOT IN (SELECT machine FROM machine WHERE place <> 1) OR source IS NULL;

-- What each number adds to a record. Only times scatter.
CREATE TEMP VIEW addition AS
SELECT machine, cell, process, CASE what
    WHEN 'seconds' THEN json_patch('{}', json_object('seconds', middle,
        'interval', json_array(json_extract(samples, '$[0]'), json_extract(samples, '$[4]')),
        'end_to_end_seconds', middle,
        'samples', json_object('step_s', json(samples), 'end_to_end_s', json(samples)),
        'bodies_per_second', n * (steps + 1) / middle, 'interactions', interactions,
        'interactions_per_second', interactions / middle,
        'flops_convention', interactions * (SELECT flops FROM paper)))
    WHEN 'phase' THEN json_object('phases', json_array(json_object('name', name, 'kernel_s', json(samples))))
    WHEN 'stage' THEN json_object('stages', json_array(json_object('name', name, 'seconds', middle,
        'in_step', json('true'), 'host_s', json(samples))))
    WHEN 'figure' THEN json_object('figures', json_object(name, value))
    WHEN 'kernel' THEN json_object('kernels', json_array(json_object('name', 'loop',
        name, CAST(round(value) AS INTEGER))))
    WHEN 'count' THEN -- "Father box/GR"
        json_object('counts', json_object(rtrim(rtrim(name, replace(name, '/', '')), '/'),
            json_object(replace(name, rtrim(name, replace(name, '/', '')), ''), CAST(round(value) AS INTEGER))))
    ELSE iif(instr(name, '/'), json_object(substr(name, 1, instr(name, '/') - 1),
        json_object(substr(name, instr(name, '/') + 1), value)), json_object(name, value)) END AS addition
FROM measurement ORDER BY what, name;

CREATE TEMP TABLE record AS
SELECT a.machine, a.cell, a.process, coalesce(c.card, '') AS card, json_patch(json_patch(p.record,
    json_object('round', a.process, 'device_name', coalesce(c.card, ''), 'outcome', 'ok')),
    json_patch(merged(a.addition), beside(a.machine, a.cell, a.process))) AS record
FROM addition a JOIN planned p USING (cell)
JOIN (SELECT machine, cell, max(card) AS card FROM given GROUP BY machine, cell) c USING (machine, cell)
GROUP BY a.machine, a.cell, a.process;

-- The peak of the card, two operations a multiply-add, is what the ceiling would be. A time that is
-- not printed is of one process.
CREATE TEMP TABLE line AS
SELECT DISTINCT machine, card, -2 AS cell, 0 AS process, json_object('record', 'run', 'schema', 1,
    'run', printf('%s-%s', machine, card), 'started', '2000-01-01T00:00:00Z',
    'request', json_object('preset', 'paper'), 'machine', json_object('name', machine),
    'devices', json_array(json((SELECT description FROM card)))) AS line
FROM record
UNION ALL
SELECT DISTINCT machine, card, -1, 0, json_object('record', 'ceiling', 'device', 'cuda:0', 'device_name', card,
    'round', 1, 'fma_per_second', 5e8 * peak_gflops)
FROM record JOIN published_device d ON d.device = card AND d.paper = (SELECT paper FROM paper)
WHERE peak_gflops NOT NULL
UNION ALL
SELECT machine, card, cell, process, record FROM record
WHERE process = 1 OR (process < 6 AND cell NOT IN (SELECT cell FROM untimed))
UNION ALL
SELECT machine, card, p.source, 6, scaled(p.cell, r.record) FROM record r JOIN planned p ON p.source = r.cell
WHERE machine IN (SELECT machine FROM machine WHERE place <> 1) AND process = 6;
