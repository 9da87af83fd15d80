-- SPDX-License-Identifier: MIT
-- Every verdict so far, of one machine or (NULL) of all, with its parts as an array in JSON: what was
-- wanted, what was found, and the cells it was found from, by the journal that holds them. state: yes, no, unclear
-- for want of processes, not told apart, not measured, or why nothing on the device can tell.
SELECT paper, id, section, text, quote, published, machine, device, reading, verdict,
    coalesce(range, CASE verdict WHEN 'partly' THEN printf('%s (%d of %d)', verdict, held, of - unclear)
        WHEN 'incomplete' THEN printf('%s (%d of %d measured)', verdict, measured_parts, of) ELSE verdict END
        || iif(unclear > 0 AND verdict NOT IN ('unclear', 'incomplete'), printf(', %d not told apart', unclear), '')) AS score,
    held, of, measured_parts, unclear, measured, why,
    (SELECT json_group_array(json_object('what', what, 'at', at, 'value', value, 'low', low, 'high', high,
            'unit', unit, 'wants', wants, 'measured', json(iif(is_measured, 'true', 'false')),
            'holds', json(CASE holds WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END),
            'cannot', cannot, 'state', CASE WHEN NOT is_measured THEN 'not measured' WHEN cannot NOT NULL
                THEN cannot WHEN holds IS NULL
                THEN iif(value NOT NULL AND low IS NULL, 'unclear', 'not told apart') WHEN holds THEN 'yes' ELSE 'no' END, 'cells', json((
                SELECT json_group_array(json_object('machine', c.machine, 'run', c.run, 'cell', c.id,
                    'commit', c.commit_id, 'file', c.path, 'line', c.line, 'experiment', c.experiment,
                    'variant', c.variant, 'device', c.device, 'dataset', c.dataset, 'n', c.n,
                    'extrapolated', json(iif(c.extrapolated, 'true', 'false')), 'beside', c.beside))
                FROM json_each(p.cells) k JOIN cells c ON c.cell_key = k.value))))
     FROM (SELECT * FROM judgement_part q WHERE q.paper = j.paper AND q.id = j.id AND q.machine IS j.machine
            AND q.device IS j.device AND q.reading = j.reading ORDER BY place) p) AS parts,
    coalesce((SELECT s.text FROM judgement_short s WHERE s.paper = j.paper AND s.id = j.id), text) AS short
FROM judgement j WHERE machine IS NULL OR coalesce(machine = ?, 1)
ORDER BY paper, place, machine, device, reading <> 'as printed', reading
