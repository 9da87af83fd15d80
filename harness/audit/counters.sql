-- SPDX-License-Identifier: MIT
-- Puts what a card's counters counted beside what the kernels of the paper ?1 count themselves.

-- A cell's counts, by its kernels and by the card's counters, in one step: words of each memory, an
-- atomic update as one write, and single-precision operations. counted: by the kernels, of
-- operations as the variant declares them. besides: words of indices, which no count has. hardware:
-- by the counters. how: what makes the difference, 'unexplained' is none.
--
--   as counted       the same
--   tries            an update by compare-and-swap, each try of it
--   words updated    an update by compare-and-swap reads its word before its first try
--   shared           a warp's lanes read one word, which the counters have once: of 32 lanes at most
--   fourth words     a body's three words come as four; indices once a warp
--   not counted      what the kernels do besides, which costs.csv ('counters') names for this kind
--   rest of the step kernels that count nothing are in the counters alone (the same, 'step')
CREATE TABLE audit_counter AS
WITH compared AS (
    SELECT c.cell_key, k.place, k.kind, o.once AS counted, o.updates, o.read_write,
        iif(k.kind = 'GR', coalesce((SELECT words FROM audit_index i
            WHERE i.cell_key = c.cell_key AND i.procedure = 'total'), 0), 0) AS besides,
        w.words AS hardware
    FROM audit_cell c JOIN audit_words w USING (cell_key) JOIN audit_kind k USING (kind)
    JOIN audit_count o ON o.cell_key = c.cell_key AND o.procedure = 'total' AND o.kind = w.kind
    WHERE c.paper = ?1 AND (o.once > 0 OR w.words > 0)
    UNION ALL SELECT c.cell_key, 9, 'operations', e.declared, 0, e.declared, 0, e.flops
    FROM audit_cell c JOIN executed e USING (cell_key) WHERE c.paper = ?1 AND e.declared > 0),
 noted AS (
    SELECT p.*, (SELECT t.note FROM audit_cost t JOIN audit_cell c USING (paper, variant)
        WHERE c.cell_key = p.cell_key AND t.kind = 'counters' AND t.access = 'step') AS note,
        (SELECT t.note FROM audit_cost t JOIN audit_cell c USING (paper, variant)
        WHERE c.cell_key = p.cell_key AND t.kind = 'counters' AND t.access = p.kind) AS own_note
    FROM compared p),
 judged AS (
    SELECT *, CASE WHEN abs(hardware - counted) <= 0.01 * counted THEN 'as counted'
        WHEN hardware > counted AND own_note NOT NULL THEN 'not counted'
        WHEN kind = 'operations' AND hardware > counted AND note NOT NULL THEN 'rest of the step'
        WHEN kind = 'operations' THEN 'unexplained'
        WHEN kind = 'GR' AND abs(hardware - 4 * counted / 3.0 - besides / 32.0) <= 0.01 * hardware
            THEN 'fourth words'
        WHEN kind IN ('GW', 'SW') AND abs(hardware - 4 * counted / 3.0) <= 0.01 * hardware
            THEN 'fourth words'
        WHEN kind IN ('GW', 'SW') AND hardware > counted AND updates THEN 'tries'
        WHEN kind = 'SR' AND hardware > counted AND read_write > counted THEN 'words updated'
        WHEN kind IN ('GR', 'SR') AND hardware < 4 * counted / 3.0 + besides
            AND 32.5 * hardware >= counted + besides THEN 'shared'
        WHEN kind = 'GR' AND hardware > counted AND read_write > counted THEN 'words updated'
        WHEN hardware > counted AND note NOT NULL THEN 'rest of the step'
        ELSE 'unexplained' END AS how
    FROM noted)
SELECT cell_key, place, kind, counted, besides, hardware, how, CASE how
    WHEN 'as counted' THEN 'the same'
    WHEN 'fourth words' THEN 'a body''s three words come as four' || iif(besides,
        ', an index once a warp', '')
    WHEN 'shared' THEN iif(hardware > counted + besides, 'a body''s three words come as four; ',
        '') || 'what a warp''s lanes read at one address counts once'
        || iif(hardware > counted + besides, '', printf(': %.1f of them share a word',
            (counted + besides) / (1.0 * hardware))) || iif(note NOT NULL, '; ' || note, '')
    WHEN 'tries' THEN printf('%.2f tries of a compare-and-swap an update',
        1.0 * (hardware - counted + updates) / updates)
    WHEN 'words updated' THEN 'updates read what they add to'
    WHEN 'not counted' THEN own_note
    WHEN 'rest of the step' THEN note
    ELSE 'unexplained: the counts say nothing of it' END AS why
FROM judged;

INSERT INTO audit_finding
SELECT ?1, c.experiment, printf('counters of %s on %s, %s', c.variant, c.machine, c.device),
    sum(how = 'unexplained') = 0, printf('%d counts of the kernels', count(*)),
    printf('%d as counted within 1 %%, %d explained, %d not, in %d cell%s', sum(how = 'as counted'),
        sum(how NOT IN ('as counted', 'unexplained')), sum(how = 'unexplained'),
        count(DISTINCT cell_key), iif(count(DISTINCT cell_key) = 1, '', 's')),
    coalesce((SELECT group_concat(text, '; ') FROM (
        SELECT DISTINCT o.kind || ' ' || o.how AS text FROM audit_counter o
        JOIN audit_cell d USING (cell_key)
        WHERE d.machine = c.machine AND d.device = c.device AND d.experiment = c.experiment
            AND d.variant = c.variant AND o.how <> 'as counted' ORDER BY o.place)), ''), c.machine
FROM audit_counter JOIN audit_cell c USING (cell_key)
GROUP BY c.machine, c.device, c.experiment, c.variant ORDER BY min(c.place);
