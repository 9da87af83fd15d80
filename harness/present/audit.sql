-- SPDX-License-Identifier: MIT
-- The costs of a paper's algorithms: its formulas beside exact counts, what follows from them beside
-- what it prints; and the model of a change of variant. audit/audit.sql has the tables.

--: columns left | all | experiment: table, item: entry, printed, procedure, kind, from, to
--: columns yes | all | agrees
--: columns left | all | derived: follows, why: remark
--: column counted | counted | | count | all
--: column counted_read_write | counted, atomics r+w | | count | all

--: layout audit
--: fill audit
--: setup
CREATE TEMP TABLE audit_says AS
SELECT coalesce(max(says = 'count'), 0) AS counts, coalesce(max(says = 'change'), 0) AS changes
FROM audit_formula f JOIN scope s USING (paper, experiment);
CREATE TEMP TABLE own_cell AS
SELECT c.*, coalesce(r.label, c.variant) AS label
FROM audit_cell c JOIN scope s USING (paper, experiment, machine)
LEFT JOIN result r USING (cell_key);
CREATE TEMP TABLE own_finding AS
SELECT f.experiment, f.item, f.printed, f.derived, f.agrees, f.why,
    y.counts AS _counts
FROM audit_finding f JOIN scope s USING (paper) JOIN audit_says y
WHERE (y.changes OR f.experiment = s.experiment OR (NOT y.counts AND f.experiment IN (
        SELECT experiment FROM audit_slots o WHERE o.paper = s.paper)))
    AND coalesce(f.counted_on = s.machine, 1)
ORDER BY f.rowid;

-- Counts beside formulas: each kind in each procedure, and in all of them, of every cell or, where
-- nothing of a variant was counted, of the formulas alone (cell_key NULL). What can be compared
-- comes first, procedures in the order in which the paper has them, then others that were counted.
CREATE TEMP TABLE own_formula AS
SELECT variant, item AS procedure, kinds AS kind, f.place, formula,
    coalesce(printed, formula) AS shown,
    coalesce('Not printed: ' || inferred || ', as in the other variant.', nullif(f.note, ''))
        AS note
FROM audit_formula f JOIN scope s USING (paper) WHERE says IN ('count', 'sum');
CREATE INDEX own_formula_of ON own_formula(variant, procedure, kind);
CREATE TEMP TABLE count_row AS
WITH each AS (
    SELECT p.place AS program, p.variant, c.place AS cell, c.cell_key,
        EXISTS (SELECT 1 FROM own_formula f WHERE f.variant = p.variant) AS compared
    FROM audit_says y JOIN program p LEFT JOIN own_cell c USING (variant) WHERE y.counts),
 entry AS (
    SELECT e.*, f.procedure, f.kind, f.place FROM each e JOIN own_formula f USING (variant)
    UNION ALL SELECT e.*, o.procedure, o.kind, 1e9 + coalesce(o.place, 1e15)
    FROM each e JOIN audit_count o USING (cell_key) WHERE o.read_write > 0)
SELECT compared, program, variant, cell, cell_key, procedure, kind,
    min(min(place)) OVER (PARTITION BY variant, cell_key, procedure) AS place
FROM entry GROUP BY variant, cell_key, procedure, kind;

--: data? What is printed, and what follows | findings
SELECT * FROM own_finding WHERE NOT _counts;

--: grid? What is printed, and what follows | findings
SELECT * FROM own_finding WHERE _counts;

-- A paper's tables.sql may define this part anew, for what only its audit shows.
--: use paper_audit

--: grid? Formulas, counts of the kernels, and counters of the card | counters
SELECT c.label, c.device, c.dataset, c.n, c.level, c.per_box, o.kind,
    formula_value(f.formula, c.n, c.per_box, c.level) AS value, o.counted,
    nullif(o.besides, 0) AS besides, CAST(round(o.hardware) AS INTEGER) AS hardware,
    1.0 * o.hardware / nullif(o.counted, 0) AS ratio, o.how, o.why
FROM audit_counter o JOIN own_cell c USING (cell_key) LEFT JOIN own_formula f
    ON f.variant = c.variant AND f.procedure = 'total' AND f.kind = o.kind
ORDER BY c.place, o.place;
--: columns right | all | level, per_box: P
--: columns count | all | value: formula, besides: indices besides, hardware: counters
--: column ratio | counters / counted | | number | all
--: column why | the difference | | left | all
--: programs dataset how

-- The first audit of a paper shows them of all its experiments.
--: grid? What the processor and its system counted of a step | host_counters
WITH first AS (SELECT e.experiment FROM experiment e JOIN scope s USING (paper)
    WHERE e.layout = 'audit' ORDER BY e.place LIMIT 1),
 counted AS (
    SELECT l.cell_key, l.experiment, l.variant, l.device, l.dataset, l.n, l.seconds,
        max(iif(c.name = 'cycles', value, NULL)) AS cycles,
        max(iif(c.name = 'instructions', value, NULL)) AS instructions,
        1e-9 * max(iif(c.name = 'task_clock', value, NULL)) AS ran,
        max(iif(c.name = 'page_faults', value, NULL)) AS faults,
        max(iif(c.name = 'context_switches', value, NULL)) AS switches,
        (SELECT json_extract(r.environment, '$.host.virtual') FROM cell x JOIN run r USING (run_key)
            WHERE x.cell_key = l.cell_key) AS virtual
    FROM scope s JOIN first f USING (experiment) JOIN latest l
        ON l.paper = s.paper AND l.machine = coalesce(s.machine, l.machine)
    JOIN counter c USING (cell_key)
    WHERE c.source = 'papi' AND l.outcome = 'ok' GROUP BY l.cell_key)
SELECT experiment, variant, device, dataset, n, seconds_text(seconds, '') AS step, seconds,
    ran AS processor_seconds, seconds_text(ran, '') AS processor, ran / seconds AS busy,
    cycles, instructions, CAST(faults AS INTEGER) AS faults, CAST(switches AS INTEGER) AS switches,
    iif(cycles IS NULL, 'the processor''s own counters do not start' || iif(virtual,
        ': a virtual machine has none', ''), NULL) AS lacks
FROM counted ORDER BY experiment, variant, device, n, dataset;
--: columns left | all | variant, dataset: data set, lacks: only the system's
--: columns right | people | step: a step, processor: threads ran, one step
--: column busy | threads at work | | number | all
--: columns count | all | cycles, instructions, faults: page faults, switches: context switches
--: programs processor_seconds

--: grid? Predicted by counts and by what each access costs here | predictions
SELECT c.label, c.device, c.level, c.per_box, c.n, p.predicted_s AS predicted, p.binds,
    p.measured_s AS seconds, seconds_text(p.measured_s, '') AS measured, p.share,
    printf(iif(p.lacks IS NULL, '%.2f', 'at least %.2f'), p.share) AS "share.text",
    p.slowest_s AS slowest, p.slowest_pipe AS pipe, p.slowest_kind AS kind, p.waiting_s AS waiting,
    p.sum_s AS sum, p.left_out_words AS left_out, p.left_out_s, p.lacks, p.rest
FROM prediction p JOIN own_cell c USING (cell_key) ORDER BY c.place;
--: columns right | all | level, per_box: P, share: predicted / measured
--: columns seconds | all | predicted, slowest: busiest part, waiting: groups wait
--: columns seconds | all | sum: one after another, left_out_s: their time
--: columns left | all | binds: by, pipe: which, kind: most of it, lacks: no rate of
--: columns left | all | rest: what explains the rest
--: column measured | measured | | right | people
--: column left_out | words left out | | count | all
--: programs n

--: data? Counts beside formulas
SELECT s.machine, t.variant, coalesce(c.label, t.variant) AS label, c.device, c.dataset, c.n,
    c.level, c.per_box, t.procedure, t.kind, f.shown AS formula, f.note AS "formula.note",
    f.value, iif(typeof(f.value) = 'integer', CAST(f.value AS TEXT), NULL) AS "value.text",
    t.counted, t.atomic, t.counted_read_write,
    (SELECT a.note FROM audit_formula a WHERE a.paper = s.paper AND a.says = 'atomic'
        AND a.variant = t.variant AND a.item = t.procedure AND a.kinds = t.kind
        AND t.cell_key IS NOT NULL) AS "counted_read_write.note",
    i.words AS indices, w.words AS hardware,
    iif(w.words IS NULL AND t.procedure = 'total' AND t.kind IN ('GR', 'GW', 'SR', 'SW'),
        (SELECT min(r.reason) FROM counter_reason r WHERE r.cell_key = t.cell_key
            AND r.source = 'cupti'), NULL) AS "hardware.note", f.value = t.counted AS agrees
FROM (SELECT t.*, k.place AS rank, iif(t.cell_key, coalesce(o.once, 0), NULL) AS counted,
        iif(t.cell_key, coalesce(o.read_write, 0), NULL) AS counted_read_write,
        iif(t.cell_key AND t.kind IN ('SW', 'GW'), coalesce(o.updates, 0), NULL) AS atomic
    FROM count_row t JOIN audit_kind k USING (kind)
    LEFT JOIN audit_count o USING (cell_key, procedure, kind)) t
JOIN scope s LEFT JOIN own_cell c USING (cell_key)
LEFT JOIN (SELECT f.*, c.cell_key,
        formula_value(f.formula, c.n, c.per_box, c.level) AS value
    FROM own_formula f LEFT JOIN own_cell c USING (variant)) f
    ON f.variant = t.variant AND f.procedure = t.procedure AND f.kind = t.kind
    AND f.cell_key IS t.cell_key
LEFT JOIN audit_index i ON i.cell_key = t.cell_key AND i.procedure = t.procedure AND t.kind = 'GR'
LEFT JOIN audit_words w ON w.cell_key = t.cell_key AND w.kind = t.kind AND t.procedure = 'total'
ORDER BY t.compared DESC, t.program, t.cell, t.place, t.rank;
--: columns right | all | level, per_box: P, value: its value
--: column formula | formula | | left | all
--: column indices | indices, besides | | count | all
--: column hardware | hardware | | count | all
--: programs dataset n atomic

-- At the published level first, then at those that were counted.
--: grid? Where each change begins to be a fall | break_even
SELECT f.item, iif(b.read_write, 'an atomic update is a read and a write',
    'an atomic update is one write') AS atomics, b.level, b.change, b.break_even,
    iif(b.break_even IS NULL, NULL, printf('%.3f', b.break_even)) AS "break_even.text",
    b.falls_from, b.words AS text, b.agrees
FROM audit_says y JOIN scope s JOIN audit_formula f USING (paper, experiment)
JOIN audit_break_even b ON b.paper = f.paper AND b.place = f.place
LEFT JOIN (SELECT level, min(place) AS first FROM own_cell WHERE per_box IS NOT NULL
    GROUP BY level) l ON l.level = b.level
WHERE y.changes AND f.says = 'number' AND (b.published OR l.level IS NOT NULL)
ORDER BY b.published DESC, l.first, f.place, b.read_write;
--: columns left | all | atomics: counted so that, change, text: in words
--: columns yes | all | agrees: as claimed
--: columns right | all | level, break_even: break-even P
--: column falls_from | falls from P | | count | all

--: grid? Changes as counted | changes
WITH change AS (
    SELECT p.a_place, p.b_place, f.place, p.a_key, p.b_key, f.item, f.formula, f.follows,
        sum(x.once) AS before, sum(y.once) - sum(x.once) AS counted,
        sum(y.read_write) - sum(x.read_write) AS counted_read_write
    FROM audit_says w JOIN scope s JOIN audit_pair p USING (paper, experiment, machine)
    JOIN audit_formula f USING (paper, experiment)
    JOIN audit_count x ON x.cell_key = p.a_key AND x.place IS NULL AND instr(f.kinds, x.kind)
    JOIN audit_count y ON y.cell_key = p.b_key AND y.place IS NULL AND y.kind = x.kind
    WHERE w.changes AND f.says = 'change' AND f.over = p.a AND f.variant = p.b
    GROUP BY p.a_place, p.b_place, f.place),
 valued AS MATERIALIZED (
    SELECT c.*, b.device, b.level, b.per_box, b.label AS "to",
        formula_value(c.formula, b.n, b.per_box, b.level) AS printed,
        formula_value(c.follows, b.n, b.per_box, b.level) AS derived
    FROM change c JOIN own_cell b ON b.cell_key = c.b_key)
SELECT s.machine, v.device, v.level, v.per_box, a.label AS "from", v."to", v.item, v.printed,
    iif(typeof(v.printed) = 'integer', CAST(v.printed AS TEXT), NULL) AS "printed.text", v.derived,
    iif(typeof(v.derived) = 'integer', CAST(v.derived AS TEXT), NULL) AS "derived.text", v.counted,
    iif(before = 0, NULL, printf('%+.1f %%', 100.0 * counted / before)) AS relative,
    v.counted_read_write, v.derived = v.counted AS agrees
FROM valued v JOIN scope s JOIN own_cell a ON a.cell_key = v.a_key
ORDER BY v.a_place, v.b_place, v.place;
--: columns right | all | level, per_box: P, printed: the printed symbols give, derived: follows
--: column relative | of the former | | right | people

--: remark
SELECT 'Predicted: counts times what each access costs by `orrery run ceilings`: at least the'
    || ' busiest part of the device or what its groups wait for, at most all of it one after another;'
    || ' predicted is the geometric mean of both bounds (docs/METHOD.md). Words left out: indices'
    || ' and lists, which no formula has.'
WHERE EXISTS (SELECT 1 FROM prediction JOIN own_cell USING (cell_key));
--: remark
SELECT iif(EXISTS (SELECT 1 FROM own_cell), 'r+w: an atomic update counts as the read and the'
    || ' write that it is, else as one write, as the paper counts it.',
    'Nothing was counted here yet: `orrery run ' || experiment || '` counts.') FROM scope
WHERE NOT EXISTS (SELECT 1 FROM own_cell)
    OR EXISTS (SELECT 1 FROM audit_formula f WHERE f.paper = scope.paper)
UNION ALL SELECT 'Indices: words of global memory that say where a box begins and which are'
    || ' around it. Every thread reads them, idle ones too; the formulas leave them out, and no sum here has'
    || ' them.' FROM audit_says WHERE counts
    AND EXISTS (SELECT 1 FROM audit_index JOIN own_cell USING (cell_key));
--: nothing {experiment} is a table of counts and has no figure; `orrery audit {experiment}` shows it

--: part paper_audit

-- `orrery audit PAPER` begins with the findings of all its experiments, each once.
--: part findings
--: fill audit
--: setup
CREATE TABLE IF NOT EXISTS found AS SELECT rowid AS place, f.* FROM audit_finding f WHERE 0;
INSERT INTO found SELECT f.rowid, f.* FROM audit_finding f JOIN scope s USING (paper)
WHERE NOT EXISTS (SELECT 1 FROM found o WHERE o.place = f.rowid);
--: data What is printed, and what follows | findings
SELECT experiment, item, printed, derived, agrees, why
FROM found ORDER BY counted_on NOT NULL, place;

-- `orrery audit --situation`: every input on which both variants of the table
-- situation_asked(a, b) were counted. Each scope adds its own.
--: part situations
--: fill audit
--: setup
CREATE TABLE IF NOT EXISTS judged AS SELECT p.*, '' AS "from", '' AS "to" FROM audit_situation p
WHERE 0;
INSERT INTO judged SELECT p.*, coalesce(x.label, p.a), coalesce(y.label, p.b)
FROM situation_asked JOIN scope s JOIN audit_situation p USING (a, b, paper, experiment, machine)
LEFT JOIN result x ON x.cell_key = p.a_key LEFT JOIN result y ON y.cell_key = p.b_key
ORDER BY p.a_place, p.b_place;
-- Each memory by each reading judges a row (by: "shared r+w"); the computation stands before them
-- (situation NULL).
CREATE TEMP TABLE reading AS
SELECT p.rowid AS row, j.place + 4 * j.read_write AS place,
    j.memory || iif(j.read_write, ' r+w', '') AS by,
    j.memory || iif(j.read_write, '_read_write', '') AS key, j.before, j.after, j.situation,
    j.predicts, j.situation <> p.situation AS other, j.predicts IS NOT p.predicts AS turned
FROM judged p JOIN audit_judgement j USING (a_key, b_key)
UNION ALL SELECT rowid, -1, 'computation', 'computation', computation_before, computation_after,
    NULL, NULL, 0, 0 FROM judged;
--: data Situation, prediction and measurement
SELECT j.rowid AS row, machine, device, experiment, dataset, n, level, per_box, "from", "to",
    NULL AS "*readings", situation,
    coalesce((SELECT group_concat(text, '; ') FROM (
        SELECT r.situation || ' by ' || by
            || iif(turned, ': ' || coalesce(r.predicts, 'nothing'), '') AS text
        FROM reading r WHERE r.row = j.rowid AND other ORDER BY place)), 'the same') AS otherwise,
    coalesce(predicts, 'nothing') AS predicts,
    NOT EXISTS (SELECT 1 FROM reading r WHERE r.row = j.rowid AND turned) AS certain,
    iif(ratio IS NULL, NULL, measured) AS measured,
    ratio_text(ratio, ratio_low, ratio_high, 0, processes) AS speedup, ratio, ratio_low, ratio_high,
    NULL AS "*magnitudes", agrees
FROM judged j ORDER BY j.rowid;
--: columns left | all | machine, situation, predicts, measured, otherwise: by other readings
--: columns yes | all | agrees: as predicted
--: columns right | all | level, per_box: P
--: column speedup | time before / after | | right | people
--: programs experiment dataset n certain ratio
--: spread readings
WITH part(part, ending, audience) AS (VALUES (0, '', 'people'), (1, '_before', 'programs'),
    (2, '_after', 'programs'), (3, '_situation', 'programs'))
SELECT row, key || ending AS key, iif(part, substr(ending, 2), by) AS head, audience,
    iif(part, 'count', 'right') AS format,
    CASE part WHEN 1 THEN before WHEN 2 THEN after WHEN 3 THEN situation
        ELSE CASE WHEN before = after THEN '0 %' WHEN before = 0 THEN 'from none'
            ELSE printf('%+.3g %%', 100.0 * (after - before) / before) END
            || coalesce(' (' || situation || ')', '') END AS value
FROM reading JOIN part WHERE part < 3 OR situation IS NOT NULL ORDER BY row, place, part;
-- Magnitudes where access ceilings are known: times by counts and costs, and the busiest part of the
-- device before and after, which decides where sign and time disagree.
--: spread magnitudes
WITH both AS (
    SELECT j.rowid AS row, j.agrees, x.predicted_s AS before, y.predicted_s AS after,
        x.binds AS busy, y.binds AS busier, coalesce(x.lacks, y.lacks) AS lacks
    FROM judged j JOIN prediction x ON x.cell_key = j.a_key
    JOIN prediction y ON y.cell_key = j.b_key)
SELECT row, 'predicted_ratio' AS key, 'by counts and costs' AS head, before / after AS value,
    printf('%.3g%s', before / after, iif(lacks IS NULL, '', ' (not all rates known)')) AS text,
    'all' AS audience
FROM both UNION ALL
SELECT row, 'decides', 'what decides', NULL, iif(agrees = 0, 'not the sign: ', '') || iif(lacks IS NULL,
    busier || ', ' || seconds_text(after, '') || ', after ' || iif(busy = busier, '', busy || ', ')
    || seconds_text(before, ''), 'not known, no rate of ' || lacks), 'all'
FROM both ORDER BY 1, 2 DESC;
--: remark
SELECT 'By counts and costs: the predicted time, before over after'
    || ' (docs/METHOD.md).'
WHERE EXISTS (SELECT 1 FROM judged j JOIN prediction p ON p.cell_key = j.a_key);
--: remark
VALUES ('Section V: 1, less computation and more data access: better; 2, less computation and not'
    || ' more data access: better; 3, more computation and less data access: better; 4, more'
    || ' computation and not less data access: worse.'),
    ('What "data access" sums over the section does not say. The situation named is that of the'
    || ' total over registers, shared and global memory with an atomic update as one write, as'
    || ' Table I counts it.');
--: remark
SELECT 'Levels of memory or ways to count atomic updates disagree: the total decides, and the'
    || ' column of other readings says what each of them alone would make of it.'
WHERE EXISTS (SELECT 1 FROM reading WHERE other);
--: remark
SELECT printf('The cases overlap: situation 1 from %s to %s is situation 3 from %s to %s, or the'
    || ' reverse, and the model calls both an improvement. It cannot be right both ways.',
    a, b, b, a)
FROM situation_asked WHERE EXISTS (SELECT 1 FROM reading WHERE situation IN ('1', '3'));
--: remark
SELECT 'The cases leave a gap: where the computation does not change, none of the four situations'
    || ' applies and the model predicts nothing, whatever the data access does.'
WHERE EXISTS (SELECT 1 FROM judged WHERE situation = 'none');
--: remark
SELECT 'A prediction is judged where there is a difference: significant at a false discovery rate of'
    || ' 5 % over the machine''s pairs, and of more than 2 % (docs/METHOD.md).'
WHERE EXISTS (SELECT 1 FROM judged WHERE predicts IS NOT NULL AND agrees IS NULL);
--: remark
SELECT printf('%d unclear: fewer than three processes on a side; `orrery run %s --preset %s'
    || ' --device %s --repeats 3` measures them by three.', count(*), j.experiment, r.preset, device_id(j.device))
FROM judged j JOIN cell c ON c.cell_key = j.b_key
JOIN (SELECT run_key, coalesce(preset, 'quick') AS preset FROM run) r USING (run_key)
WHERE j.predicts IS NOT NULL AND j.measured = 'unclear'
GROUP BY j.machine, j.experiment, j.device, r.preset ORDER BY min(j.rowid);

-- Counts of programs whose paper prints no formulas of them: by interaction, what limits each, and all of them. audit/limits.sql
-- has the tables. A paper's `part paper_audit` uses it.
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
