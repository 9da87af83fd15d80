-- SPDX-License-Identifier: MIT
-- What one made-up machine's claims came to, to be kept when its results are dropped.

-- Verdicts. derived: it needs no machine; of: parts, NULL where a claim wants none; fed: numbers
-- are printed of cells that the claim's command measures.
CREATE TEMP VIEW told AS
SELECT j.paper, j.place, j.id, j.reading, j.machine IS NULL AS derived, j.device, j.verdict, j.published, j.of,
    coalesce(c.comparisons, 0) AS comparisons, EXISTS (
        SELECT 1 FROM judgement_needs n JOIN cell m ON instr(n.needs || ' ', ' ' || m.experiment || ' ')
            OR instr(n.needs || ' ', ' ' || n.paper || ' ')
        WHERE n.id = j.id) AS fed
FROM judgement j LEFT JOIN judgement_compared c ON c.id = j.id AND c.machine = j.machine
    AND c.device = j.device;
-- Parts. cells: id and whether it is scaled of each, JSON.
CREATE TEMP VIEW told_part AS
SELECT id, reading, machine IS NULL AS derived, device, place, what, at, wants,
    coalesce(shown(value) || coalesce(' ' || unit, ''), '') AS value, holds, is_measured
    AND cannot IS NULL AS told, cannot IS NULL AS counts, (
        SELECT json_group_array(json_array(c.id, c.extrapolated_from NOT NULL))
        FROM json_each(p.cells) j JOIN cell c ON c.cell_key = j.value) AS cells
FROM judgement_part p;
