-- SPDX-License-Identifier: MIT
-- The roofline of a paper or an experiment on every device (docs/METHOD.md, "Roofline"). Made
-- before: `asked`(experiment), and `request`(what, machine), how it was called and whose results, NULL
-- for all. Flops, bytes and seconds are of one step.

--: programs *

--: part roofline
--: setup
-- Cells that declare their work, measured or, for the paper's own devices, extrapolated.
CREATE TEMP TABLE roof_work AS
SELECT l.*, v.place AS program, v.label
FROM latest l JOIN variant v ON v.paper = l.paper AND l.variant = v.paper || '/' || v.variant
WHERE l.outcome = 'ok' AND l.seconds > 0
    AND l.experiment IN (SELECT e.cells FROM asked JOIN experiment e USING (experiment));

-- Counters of the cells, of the best source that has any, as columns. Through the first level go
-- l1_bytes and the words of shared memory, which are counted apart; an atomic update is two.
CREATE TEMP TABLE roof_counter AS
WITH source(source, place) AS (VALUES ('cupti', 0), ('papi', 1)),
 best AS (
    SELECT cell_key, source, row_number() OVER (PARTITION BY cell_key ORDER BY place) AS age
    FROM (SELECT DISTINCT cell_key, source FROM counter) JOIN source USING (source))
SELECT c.cell_key, c.source,
    sum(value * CASE name WHEN 'fp32_fma' THEN 2 WHEN 'fp64_fma' THEN 2 WHEN 'fp32_add' THEN 1
        WHEN 'fp32_mul' THEN 1 WHEN 'fp64_add' THEN 1 WHEN 'fp64_mul' THEN 1 END) AS flops,
    max(value) FILTER (WHERE name = 'issued_slots') AS instructions,
    max(value) FILTER (WHERE name = 'l1_bytes')
        + 4 * max(value) FILTER (WHERE name = 'shared_loads')
        + 4 * max(value) FILTER (WHERE name = 'shared_stores')
        + 8 * max(value) FILTER (WHERE name = 'shared_atomics') AS l1,
    max(value) FILTER (WHERE name = 'l2_bytes') AS l2,
    max(value) FILTER (WHERE name = 'dram_bytes') AS dram
FROM counter c JOIN best b ON b.cell_key = c.cell_key AND b.source = c.source AND b.age = 1
WHERE c.cell_key IN (SELECT cell_key FROM roof_work) GROUP BY c.cell_key;

-- Words that the counting build read and wrote in local and in global memory, in bytes; an atomic
-- update reads one and writes one. All of them pass the first level.
CREATE TEMP TABLE roof_count AS
SELECT cell_key, 4.0 * sum(value * CASE WHEN kind IN ('AS', 'AG') THEN 2 ELSE 1 END) AS bytes
FROM count WHERE kind IN ('SR', 'SW', 'AS', 'GR', 'GW', 'AG', 'IR')
    AND cell_key IN (SELECT cell_key FROM roof_work) GROUP BY cell_key;

-- The cells: work by counters where they were read, else as the variant declares it.
CREATE TEMP TABLE roof_cell AS
SELECT w.cell_key, w.machine, w.device, w.device_name, w.experiment, w.variant, w.label, w.program,
    w.dataset, w.n, w.per_box, w.parameters, w.seconds, w.clock_mhz_median AS clock_mhz,
    coalesce(r.flops, nullif(w.flops_true, 0)) AS flops,
    iif(r.flops IS NULL, 'declared', r.source) AS flops_source, r.instructions,
    coalesce(r.flops, nullif(w.flops_true, 0)) / w.seconds AS rate,
    nullif(w.flops_true, 0) / w.interactions AS flops_pair, e.ceiling_kind, e.ceiling,
    e.fma_per_second, w.run, w.id, w.line
FROM roof_work w LEFT JOIN roof_counter r USING (cell_key) LEFT JOIN cell_ceiling e USING (cell_key)
WHERE NOT w.extrapolated AND (SELECT coalesce(machine = w.machine, 1) FROM request);

-- A panel each: the devices, then those of which counters tell instructions once more, then the
-- paper's own ones of which it has numbers. measure: 0 flops and bytes; 1 instructions of a warp,
-- 32 lanes, and transactions of 32 bytes. fma: multiply-adds a second.
CREATE TEMP TABLE roof_panel AS
WITH own AS (
    SELECT c.machine, c.device, max(device_name) AS name, max(max(coalesce(fma_per_second, 0)),
            coalesce((SELECT max(rate) FROM access_cost a WHERE a.machine = c.machine
                AND a.device = c.device AND a.kind = 'fma'), 0)) AS fma,
        coalesce((SELECT max(x.clock_mhz) FROM access_cost a
                JOIN access_ceiling x USING (run_key, device, kind, degree)
                WHERE a.machine = c.machine AND a.device = c.device AND a.kind = 'fma'),
            (SELECT max(r.clock_mhz) FROM ceiling r JOIN run USING (run_key)
                WHERE run.machine = c.machine AND r.device = c.device)) AS mhz,
        count(flops) AS known,
        count(iif(flops_source = 'cupti', instructions, NULL)) AS issued
    FROM roof_cell c GROUP BY c.machine, c.device),
 every AS (
    SELECT machine, device, name, fma, mhz, 0 AS published, 0 AS measure FROM own WHERE known
    UNION ALL SELECT machine, device, name, fma, mhz, 0, 1 FROM own WHERE issued
    UNION ALL SELECT '', device, device, peak_gflops * 1e9 / 2, NULL, 1, 0 FROM published_device d
    WHERE peak_gflops > 0 AND EXISTS (SELECT 1 FROM published p JOIN asked USING (experiment)
        WHERE p.paper = d.paper AND p.device = d.device AND p.quantity IN ('seconds', 'gflops')
            AND p.n IS NOT NULL AND p.variant IS NOT NULL))
SELECT row_number() OVER (ORDER BY published, fma DESC, machine, device, measure) AS panel, *
FROM every;

-- The levels of memory, from the core outwards.
CREATE TEMP TABLE roof_level(level INTEGER, name TEXT, of_host TEXT);
INSERT INTO roof_level VALUES (1, 'L1/shared', 'L1'), (2, 'L2', 'LLC'), (3, 'DRAM', 'DRAM');
-- Bytes that a cell moves at each level. What was declared is what must come from memory at least.
CREATE TEMP TABLE roof_bytes AS
SELECT cell_key, level, bytes, source FROM (
    SELECT *, row_number() OVER (PARTITION BY cell_key, level ORDER BY place) AS age FROM (
        SELECT cell_key, 1 AS level, l1 AS bytes, source, 0 AS place FROM roof_counter
        UNION ALL SELECT cell_key, 2, l2, source, 0 FROM roof_counter
        UNION ALL SELECT cell_key, 3, dram, source, 0 FROM roof_counter
        UNION ALL SELECT cell_key, 1, bytes, 'counts', 1 FROM roof_count
        UNION ALL SELECT cell_key, 3, bytes_min, 'declared', 2 FROM roof_work)
    WHERE bytes > 0)
WHERE age = 1;

-- Printed numbers of the paper's own devices: each program where it is fastest, or, so that it
-- has a mark, at a size whose bytes are known where it is less than 5 % slower. The work is that
-- which the program of this size declares here, but bytes of extrapolated cells are scaled, too, and
-- so not known.
CREATE TEMP TABLE roof_printed AS
WITH declared AS (
    SELECT experiment, variant, label, program, dataset, n, coalesce(steps, 0) AS steps, level,
        max(flops_true) AS flops, max(flops_convention) AS convention,
        min(iif(extrapolated, NULL, bytes_min)) AS bytes
    FROM roof_work WHERE flops_true > 0 GROUP BY experiment, variant, dataset, n,
        coalesce(steps, 0), level),
 every AS (
    SELECT p.device, d.variant, d.label, d.program, d.dataset, d.n, d.flops AS work, d.bytes,
        iif(p.quantity = 'seconds', d.flops / p.value, p.value * 1e9 * d.flops / d.convention)
            AS rate
    FROM published p JOIN asked USING (experiment) JOIN experiment e USING (experiment)
    JOIN declared d ON d.experiment = e.cells AND d.variant = p.variant AND d.n = p.n
        AND coalesce(d.dataset = p.dataset, 1)
    WHERE p.quantity IN ('seconds', 'gflops') AND p.reference IS NULL AND NOT EXISTS (
        SELECT 1 FROM axis a WHERE a.experiment = p.experiment AND a.numbers AND NOT a.several
            AND ((a.name = 'level' AND d.level IS NOT CAST(a.vals AS INTEGER))
                OR (a.name = 'steps' AND d.steps IS NOT CAST(a.vals AS INTEGER)))))
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY device, variant
        ORDER BY bytes IS NULL OR rate < 0.95 * highest, rate DESC) AS age
    FROM (SELECT *, max(rate) OVER (PARTITION BY device, variant) AS highest FROM every))
WHERE age = 1;

-- The entries of a panel: cells, and printed numbers (cell_key NULL). work: in the panel's measure;
-- rate: work a second; pairs: what the ceiling of pairs allows; fastest: of its program there.
CREATE TEMP TABLE roof_entry AS
WITH every AS (
    SELECT p.panel, c.cell_key, c.variant, c.label, c.program, c.dataset, c.n, c.parameters,
        iif(p.measure, c.instructions, c.flops) AS work, c.seconds,
        iif(p.measure, NULL, c.ceiling * c.flops_pair) AS pairs,
        iif(c.ceiling_kind = 'mix', 'pair mix', 'pairs ' || c.ceiling_kind) AS pairs_name,
        c.flops_source AS source, c.clock_mhz
    FROM roof_cell c JOIN roof_panel p USING (machine, device)
    UNION ALL SELECT p.panel, NULL, o.variant, o.label, o.program, o.dataset, o.n, NULL, o.work,
        o.work / o.rate, NULL, NULL, 'published', NULL
    FROM roof_printed o JOIN roof_panel p ON p.published AND p.device = o.device)
SELECT *, work / seconds AS rate, row_number() OVER (PARTITION BY panel, variant
    ORDER BY source = 'declared', work / seconds DESC, cell_key) = 1 AS fastest
FROM every WHERE work > 0;
-- A ceiling of pairs that one of its cells is above, or that is above the peak, is of another pair
-- than theirs and bounds nothing (docs/METHOD.md, "The ceiling").
UPDATE roof_entry SET pairs = NULL WHERE pairs > (SELECT 2 * fma FROM roof_panel p
    WHERE p.panel = roof_entry.panel);
UPDATE roof_entry SET pairs = NULL WHERE (panel, pairs_name) IN (
    SELECT panel, pairs_name FROM roof_entry WHERE rate > pairs);
CREATE INDEX roof_entry_cell ON roof_entry(panel, variant, cell_key);
DELETE FROM roof_panel WHERE panel NOT IN (SELECT panel FROM roof_entry);

-- The roofs. level 0: of computing, work a second from low to high; 1 to 3: bytes or transactions a
-- second. Pairs have as many flops as the programs say, which may differ. The mix, by which cells of
-- older journals are held, is a roof of its own only where no kind of pair is known.
CREATE TEMP TABLE roof AS
SELECT panel, 0 AS level, CASE WHEN published THEN 'published peak' WHEN measure THEN 'fma issued'
        ELSE 'fp32 fma' END AS name, fma * unit AS rate, fma * unit AS low, fma * unit AS high
FROM (SELECT *, iif(measure, 1 / 32.0, 2) AS unit FROM roof_panel) WHERE fma > 0
UNION ALL SELECT panel, 0, pairs_name, max(pairs), min(pairs), max(pairs)
FROM roof_entry e WHERE pairs > 0 AND (pairs_name <> 'pair mix' OR NOT EXISTS (
    SELECT 1 FROM roof_entry o WHERE o.panel = e.panel AND o.pairs > 0
        AND o.pairs_name <> 'pair mix'))
GROUP BY panel, pairs_name
UNION ALL SELECT panel, level, name, rate, rate, rate FROM (
    SELECT p.panel, m.level, iif(p.device = 'host', m.of_host, m.name) AS name,
        max(a.rate * iif(a.unit = 'word', 4, 1)) / iif(p.measure, 32, 1) AS rate
    FROM roof_panel p JOIN access_cost a USING (machine, device) JOIN roof_level m ON m.level =
        CASE WHEN a.kind IN ('shared-load', 'shared-load-128') THEN 1
            WHEN a.kind = 'global-load' AND a.device = 'host' THEN 1
            WHEN a.kind = 'l2' THEN 2 WHEN a.kind = 'dram' THEN 3 END
    GROUP BY p.panel, m.level
    UNION ALL SELECT p.panel, 3, 'DRAM', d.bandwidth_gbs * 1e9
    FROM roof_panel p JOIN published_device d USING (device)
    WHERE p.published AND d.bandwidth_gbs > 0 AND d.paper IN (
        SELECT paper FROM asked JOIN experiment USING (experiment)));

-- The dots: work a byte or transaction, and what the level's roof allows there.
CREATE TEMP TABLE roof_dot AS
SELECT e.panel, e.cell_key, e.variant, e.rate, e.fastest, b.level, b.source, r.name,
    e.work * iif(p.measure, 32, 1) / b.bytes AS x, e.work * iif(p.measure, 32, 1) / b.bytes * r.rate
        AS bound
FROM roof_entry e JOIN roof_panel p USING (panel) JOIN roof_bytes b USING (cell_key)
LEFT JOIN roof r ON r.panel = e.panel AND r.level = b.level
UNION ALL SELECT e.panel, NULL, e.variant, e.rate, e.fastest, 3, 'published', r.name,
    e.work / o.bytes,
    e.work / o.bytes * r.rate
FROM roof_entry e JOIN roof_panel p ON p.panel = e.panel AND p.published
JOIN roof_printed o ON o.device = p.device AND o.variant = e.variant
LEFT JOIN roof r ON r.panel = e.panel AND r.level = 3 WHERE o.bytes > 0;

-- Every roof above an entry, and what it allows there. Pairs are held against the ceiling of the
-- cell's own run.
CREATE TEMP TABLE roof_over AS
SELECT panel, cell_key, variant, name, level, bound, rate / bound AS share
FROM roof_dot WHERE bound > 0
UNION ALL SELECT panel, cell_key, variant, pairs_name, -1, pairs, rate / pairs
FROM roof_entry WHERE pairs > 0
UNION ALL SELECT e.panel, e.cell_key, e.variant, r.name, 0, r.rate, e.rate / r.rate
FROM roof_entry e JOIN roof r ON r.panel = e.panel AND r.level = 0 AND r.name NOT LIKE 'pair%';
-- The lowest of them binds; one that the entry is above is none.
CREATE TEMP TABLE roof_binding AS
SELECT panel, cell_key, variant, name, bound, share FROM (
    SELECT *, row_number() OVER (PARTITION BY panel, variant, cell_key ORDER BY bound, level) AS age
    FROM roof_over WHERE share <= 1)
WHERE age = 1;

-- The figure has the eight fastest programs of a panel.
CREATE TEMP TABLE roof_shown AS
SELECT * FROM (SELECT e.*, row_number() OVER (PARTITION BY panel ORDER BY rate DESC, program)
    AS place FROM roof_entry e WHERE fastest) WHERE place <= 8;
CREATE TEMP TABLE roof_shown_dot AS
SELECT d.*, s.label, s.program FROM roof_shown s JOIN roof_dot d
    ON d.panel = s.panel AND d.variant = s.variant AND d.cell_key IS s.cell_key;
-- A panel's place in the figure, and what stands above it.
CREATE TEMP TABLE roof_place AS
SELECT row_number() OVER (ORDER BY panel) AS place, p.*,
    iif(published, 'as published', device || ' on ' || machine)
        || iif(mhz IS NULL, '', printf(', roofs at %.0f MHz', mhz)) || iif(programs > 8,
        printf(', 8 of %d programs', programs), '') AS "where"
FROM roof_panel p JOIN (SELECT panel, sum(fastest) AS programs FROM roof_entry GROUP BY panel)
    USING (panel);

-- Each entry under its roofs.
CREATE TEMP TABLE roof_row AS
WITH dots AS (
    SELECT panel, variant, cell_key, max(x) FILTER (WHERE level = 1) AS l1,
        max(x) FILTER (WHERE level = 2) AS l2, max(x) FILTER (WHERE level = 3) AS dram,
        group_concat(iif(source = 'published', NULL, m.name || ': ' || source), ', ') AS bytes_from
    FROM (SELECT * FROM roof_dot ORDER BY level) JOIN roof_level m USING (level) GROUP BY 1, 2, 3),
 shares AS (
    SELECT panel, variant, cell_key, max(share) FILTER (WHERE level = 1) AS l1,
        max(share) FILTER (WHERE level = 2) AS l2, max(share) FILTER (WHERE level = 3) AS dram,
        max(share) FILTER (WHERE level = -1) AS pairs, max(share) FILTER (WHERE level = 0) AS peak
    FROM roof_over GROUP BY 1, 2, 3)
SELECT p.place AS _panel, e.panel || '/' || e.variant || '/' || coalesce(e.cell_key, '') AS row,
    iif(p.measure, 'instructions', 'flops') AS measure, p.machine, p.device, p.name AS device_name,
    p.name || iif(p.published, ', as published', ' (' || p.device || ', ' || p.machine || ')')
        AS "on", e.label AS program,
    substr(e.variant, instr(e.variant, '/') + 1) AS variant, e.dataset, e.n, e.parameters,
    e.seconds, e.work, e.source, e.rate, e.fastest, d.l1 AS l1_intensity, d.l2 AS l2_intensity,
    d.dram AS dram_intensity, d.bytes_from, o.l1 AS l1_share, o.l2 AS l2_share,
    o.dram AS dram_share, o.pairs AS pairs_share, o.peak AS peak_share, b.name AS binding,
    b.bound AS binding_rate, b.share AS binding_share, 1 / b.share AS distance, e.clock_mhz,
    p.mhz AS ceiling_clock_mhz
FROM roof_entry e JOIN roof_place p USING (panel)
LEFT JOIN dots d ON d.panel = e.panel AND d.variant = e.variant AND d.cell_key IS e.cell_key
LEFT JOIN shares o ON o.panel = e.panel AND o.variant = e.variant AND o.cell_key IS e.cell_key
LEFT JOIN roof_binding b
    ON b.panel = e.panel AND b.variant = e.variant AND b.cell_key IS e.cell_key;
-- Which columns people see.
CREATE TEMP TABLE roof_columns AS
SELECT count(l1_intensity) > 0 AS l1, count(l2_intensity) > 0 AS l2, count(dram_intensity) > 0
    AS dram, count(l1_share) > 0 AS l1_roof, count(l2_share) > 0 AS l2_roof, count(dram_share) > 0
    AS dram_roof, count(pairs_share) > 0 AS pairs FROM roof_row WHERE fastest;
CREATE TEMP TABLE scope AS SELECT what AS experiment, machine, roof_columns.*
FROM request JOIN roof_columns;
--: grid The roofs of
SELECT iif(measure = 'flops', 'Flops: ', 'Instructions of a warp, a transaction of 32 bytes: ')
    || "on" AS grid, row, program, n, source, bytes_from, rate, l1_intensity, l2_intensity,
    dram_intensity, l1_share, l2_share, dram_share, pairs_share, peak_share, binding, distance
FROM roof_row WHERE fastest ORDER BY _panel, rate DESC;
--: columns left | people | program, bytes_from: bytes by, binding: binds
--: column n | N | | count | people
--: column rate | a second | | si | people
--: column l1_intensity | a byte of L1/shared | | number | people if l1
--: column l2_intensity | of L2 | | number | people if l2
--: column dram_intensity | of DRAM | | number | people if dram
--: column l1_share | of L1/shared's roof | | percent | people if l1_roof
--: column l2_share | of L2's | | percent | people if l2_roof
--: column dram_share | of DRAM's | | percent | people if dram_roof
--: column pairs_share | of pairs | | percent | people if pairs
--: column peak_share | of peak | | percent | people
--: column distance | below it by | | number | people
--: data? Every cell
SELECT row, measure, machine, device, device_name, variant, dataset, n, parameters, source,
    bytes_from, seconds, work, rate, fastest, l1_intensity, l2_intensity, dram_intensity, l1_share,
    l2_share, dram_share, pairs_share, peak_share, binding, binding_rate, binding_share, distance,
    clock_mhz, ceiling_clock_mhz
FROM roof_row ORDER BY _panel, variant, n, row;
--: remark
SELECT 'no cell of ' || what || ' here tells its work; `orrery run ' || what || '` measures it'
FROM request WHERE NOT EXISTS (SELECT 1 FROM roof_entry);
--: remark
SELECT label || ' on ' || device || ' of ' || machine
    || ': its flops are neither counted nor declared'
FROM roof_cell GROUP BY machine, device, variant HAVING count(flops) = 0;
--: remark
SELECT 'bandwidths of ' || group_concat(p.device || ' of ' || p.machine, ', ')
    || ' were not measured; `orrery run ceilings --device ' || group_concat(DISTINCT device_id(p.device))
    || '` does it'
FROM roof_panel p WHERE NOT published AND measure = 0
    AND NOT EXISTS (SELECT 1 FROM roof r WHERE r.panel = p.panel AND r.level > 0)
HAVING count(*) > 0;
--: remark
SELECT 'work and bytes on the papers'' own devices are those that a program declares here at that '
    || 'size; peak and bandwidth are from published/devices.csv'
FROM roof_panel WHERE published LIMIT 1;
--: remark
SELECT 'counters of ' || c.label || ' on ' || c.device || ': ' || r.reason
FROM roof_cell c JOIN counter_reason r USING (cell_key) GROUP BY c.device, c.variant, r.reason;

--: figure roofline
--: setup
-- Panels stand side by side in so many columns.
CREATE TEMP TABLE roof_page AS
SELECT panels, columns, (panels + columns - 1) / columns AS rows
FROM (SELECT count(*) AS panels, min(2, count(*)) AS columns FROM roof_place);
--: variables
SELECT 'panels', panels FROM roof_page
UNION ALL SELECT 'columns', columns FROM roof_page
UNION ALL SELECT 'width', 700 * columns FROM roof_page
UNION ALL SELECT 'height', 130 + 480 * rows FROM roof_page
UNION ALL SELECT 'title_' || place, name FROM roof_place
UNION ALL SELECT 'where_' || place, "where" FROM roof_place
UNION ALL SELECT 'lacks_' || place, iif(published, 'no bandwidth is printed',
    'bandwidths not measured: orrery run ceilings') FROM roof_place
UNION ALL SELECT 'measure_' || place, measure FROM roof_place
UNION ALL SELECT 'counted', EXISTS (SELECT 1 FROM roof_shown_dot
    WHERE source NOT IN ('declared', 'counts', 'published'))
UNION ALL SELECT 'declared', EXISTS (SELECT 1 FROM roof_shown_dot
    WHERE source IN ('declared', 'counts'))
UNION ALL SELECT 'printed', EXISTS (SELECT 1 FROM roof_shown_dot WHERE source = 'published')
UNION ALL SELECT 'level_' || level || '_seen', EXISTS (SELECT 1 FROM roof_shown_dot d
    WHERE d.level = m.level) FROM roof_level m;
--: series
-- role: 0 a roof of computing, 1 of memory, 2 the line of a program, 3 its dot at a level.
SELECT * FROM (
    SELECT 'roof ' || p.place || ' ' || r.level || ' ' || r.name AS series, r.name || ' '
        || si_text(r.rate, CASE WHEN r.level = 0 THEN '' WHEN measure THEN '/s' ELSE 'B/s' END)
        AS label, 0 AS style, r.low AS x, r.rate AS y, p.place AS "$panel", r.level > 0 AS "$role",
        r.level AS "$level", r.low AS "$low", r.rate AS "$rate", 0 AS "$source", 0 AS "$x",
        NULL AS cell_key
    FROM roof r JOIN roof_place p USING (panel)
    UNION ALL SELECT 'line ' || p.place || ' ' || s.variant, s.label || iif(b.share IS NULL, '',
            printf(iif(b.share < 0.1, ' %.1f %%', ' %.0f %%'), 100 * b.share)),
        1 + s.program, 0, s.rate, p.place, 2, 0, 0, s.rate, 0, 0, NULL
    FROM roof_shown s JOIN roof_place p USING (panel) LEFT JOIN roof_binding b
        ON b.panel = s.panel AND b.variant = s.variant AND b.cell_key IS s.cell_key
    UNION ALL SELECT 'dot ' || p.place || ' ' || d.variant || ' ' || d.level, d.label,
        1 + d.program, d.x, d.rate, p.place, 3, d.level, 0, d.rate, CASE d.source
            WHEN 'published' THEN 3 WHEN 'declared' THEN 2 WHEN 'counts' THEN 2 ELSE 1 END, d.x,
        d.cell_key
    FROM roof_shown_dot d JOIN roof_place p USING (panel))
ORDER BY "$panel", "$rate", "$role", series;
--: nothing measures it | {experiment} has no cell here whose work is known
