-- SPDX-License-Identifier: MIT
-- Counts of programs whose paper prints no formulas of them: by interaction, what limits each, and all of them. harness/audit/
-- limits.sql has the tables. A paper's `part paper_audit` uses it.

--: part limits
--: grid? What a program does for each interaction | work
SELECT c.label, c.device, c.dataset, c.n, w.interactions, 1.0 * w.interactions / c.n AS by_body,
    1.0 * w.idle / (w.interactions + w.idle) AS idle,
    1.0 * w.global_words / w.interactions AS global_words,
    1.0 * w.index_words / w.interactions AS index_words,
    iif(w.index_words, NULL, '0') AS "index_words.text",
    1.0 * w.local_words / w.interactions AS local_words,
    iif(w.local_words, NULL, '0') AS "local_words.text", w.flops / w.interactions AS flops,
    w.flops / (4.0 * w.global_words) AS intensity, w.flops / w.least_bytes AS most
FROM audit_work w JOIN own_cell c USING (cell_key) WHERE w.interactions > 0 ORDER BY c.place;
--: column n | N | | right | all
--: column interactions | interactions | | count | all
--: columns number | all | by_body: a body, global_words: words of global memory
--: columns number | all | index_words: indices among them, local_words: words of local memory
--: columns number | all | flops: operations, intensity: operations a byte, most: at most
--: column idle | evaluated for nothing | | percent | all
--: programs dataset

--: grid? Whether computation or access limits it | limits
SELECT c.label, c.device, c.n, l.device AS "where", l.compute_s, l.access_s, l.least_s,
    seconds_text(l.compute_s, '') AS "compute_s.text", seconds_text(l.access_s, '') AS "access_s.text",
    seconds_text(l.least_s, '') AS "least_s.text", l.compute_s / l.access_s AS share, l.limits,
    l.misses, iif(l.place, NULL, c.seconds) AS seconds,
    iif(l.place, NULL, seconds_text(c.seconds, '')) AS measured
FROM audit_limit l JOIN own_cell c USING (cell_key) ORDER BY c.place, l.place;
--: columns right | all | n: N, compute_s: computation, access_s: access, least_s: least access
--: columns left | all | where: on, limits
--: column share | computation / access | | number | all
--: column misses | misses until access limits | | percent | all
--: column measured | measured | | right | people

--: grid? Counts | counts
SELECT c.label, c.device, c.dataset, c.n, o.procedure, o.kind, o.value AS counted,
    1.0 * o.value / c.n AS by_body,
    1.0 * o.value / (SELECT value FROM figure f WHERE f.cell_key = c.cell_key AND f.name = 'groups')
        AS by_group,
    1.0 * o.value / nullif(w.interactions, 0) AS by_interaction
FROM own_cell c JOIN count o USING (cell_key) JOIN audit_work w USING (cell_key)
WHERE o.value > 0 ORDER BY c.place, o.rowid;
--: column n | N | | right | all
--: columns number | all | by_body: a body, by_group: a group, by_interaction: an interaction
--: programs dataset

--: remark
SELECT 'Kinds: GR, GW, SR, SW words read and written of global and local memory, IR of indices and lists; CP and CN pairs of a'
    || ' body with a body and with a cell, CX and CY the same evaluated for nothing (a body with itself, padding, lanes without'
    || ' a body), CE cells that act on a group of bodies by the series of their field; PJ passes of the innermost loop; CT cells that walkers test, CA those that act as a whole, CL leaves opened,'
    || ' CB their bodies; TB cells that bodies test, TL those of CT for all lanes that walk together; AG atomic updates, AF'
    || ' attempts that failed.' WHERE EXISTS (SELECT 1 FROM own_cell)
UNION ALL SELECT 'Words are those that lanes ask for: what lanes of a warp read at one address, or find in a cache, is asked'
    || ' for but not moved. At most: by the bytes that any program has to move. Access on the paper''s card: all words of'
    || ' global memory at its published bandwidth, as if nothing were cached; least access: those bytes alone. Where caches limit,'
    || ' access would without any, and computation would with ideal ones.'
    WHERE EXISTS (SELECT 1 FROM own_cell)
UNION ALL SELECT printf('Access on %s is not known: `orrery run ceilings --device %s` measures what each costs.', device, device_id(device))
FROM (SELECT DISTINCT c.device FROM audit_limit l JOIN own_cell c USING (cell_key)
    WHERE l.place = 0 AND l.access_s IS NULL)
UNION ALL SELECT printf('On %s nothing follows: its peak or its bandwidth is not printed.', d.device)
FROM published_device d JOIN scope s USING (paper)
WHERE (d.peak_gflops IS NULL OR d.bandwidth_gbs IS NULL) AND EXISTS (SELECT 1 FROM own_cell);
