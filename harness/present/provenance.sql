-- SPDX-License-Identifier: MIT
-- Where numbers come from: what lets a table stand alone. `provenance_cell` is filled with the cells that a
-- table tells of; `lead` goes before each name and tells two operands apart.
CREATE TEMP TABLE provenance_cell(lead TEXT, cell_key INTEGER);
CREATE TEMP VIEW provenance AS
WITH c AS MATERIALIZED (
    SELECT t.lead, l.cell_key, l.run_key, r.machine, l.device, l.device_name, l.build_flags,
        l.started, r.run, r.preset, r.commit_id, r.cpu, r.cores, r.threads, r.os, r.version,
        r.compiler, coalesce(r.schema, 1) < 2 AS unchecked, iif(instr(l.device, '('), NULL,
            (SELECT ', ' || nullif(platform, '') FROM device d WHERE d.run_key = l.run_key
                AND d.device = l.device)) AS platform
    FROM provenance_cell t JOIN cell l USING (cell_key) JOIN run r USING (run_key)),
 d AS MATERIALIZED (
    SELECT DISTINCT c.lead, c.device, d.driver, d.toolkit FROM c JOIN device d ON d.run_key = c.run_key AND d.device = c.device
    WHERE c.device <> 'host'),
 item(lead, place, name, text, first) AS (
    SELECT lead, 1, 'machine', machine || ' (' || coalesce(cpu, 'CPU not known') || ', '
        || coalesce(cores, '?') || ' cores, ' || coalesce(threads, '?') || ' threads, '
        || coalesce(os, '?') || ')' AS text, min(cell_key) FROM c GROUP BY lead, text
    UNION ALL SELECT lead, 2, 'device', device || ' ' || coalesce(max(device_name), '')
        || coalesce(max(platform), ''), 0
    FROM c GROUP BY lead, device
    UNION SELECT lead, 3, 'driver', device || ' ' || driver, 0 FROM d WHERE driver <> ''
    UNION SELECT lead, 4, 'toolkit', device || ' ' || toolkit, 0 FROM d WHERE toolkit <> ''
    UNION SELECT lead, 5, 'orrery', coalesce(version, '?') || ' commit ' || coalesce(commit_id, '?')
        || ', ' || coalesce(compiler, ''), 0 FROM c
    UNION SELECT lead, 6, 'date', CASE WHEN min(substr(started, 1, 10)) = max(substr(started, 1, 10))
        THEN min(substr(started, 1, 10))
        ELSE min(substr(started, 1, 10)) || ' to ' || max(substr(started, 1, 10)) END, 0
    FROM c GROUP BY lead
    UNION SELECT lead, 7, 'run', run || ' (preset ' || coalesce(preset, 'quick') || ')', 0 FROM c
    UNION SELECT lead, 8, 'journals', 'without checksums' || iif(min(unchecked), '', ': '
        || (SELECT group_concat(run, ', ') FROM (SELECT DISTINCT o.run FROM c o
            WHERE o.unchecked AND o.lead = c.lead ORDER BY 1))), 0
    FROM c GROUP BY lead HAVING max(unchecked)
    UNION SELECT lead, 9, 'flags', build_flags, 0 FROM c WHERE build_flags <> '')
SELECT lead, place, name, group_concat(text, '; ') AS text
FROM (SELECT * FROM item WHERE text <> '' ORDER BY lead, place, first, text)
GROUP BY lead, place;
