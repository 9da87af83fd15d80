-- SPDX-License-Identifier: MIT
-- Sections of the report that are of the ledger alone. machine_turn(machine, turn) has the order of machines in all pages.
-- present/queries.h says how such a file is read.

-- What the pages say of claims, once all are judged. C makes said(paper, says, found), what the paper says and the sentence that is
-- filled with today's numbers, and verdict, all that orr_claims_query tells. A machine on which nothing could be judged, as one with
-- scaling alone, has no verdict beside others.
--: layout scores
--: setup
CREATE TEMP TABLE judged AS
SELECT DISTINCT machine FROM judgement WHERE machine NOT NULL AND verdict NOT IN ('incomplete', 'not measurable here');
DELETE FROM judgement WHERE machine NOT NULL AND machine NOT IN (SELECT machine FROM judged)
    AND (paper, id) IN (SELECT paper, id FROM judgement WHERE machine IS NULL OR machine IN (SELECT machine FROM judged));
-- One verdict of each claim on each device, as printed where it was judged so. readings: what became of each reading.
CREATE TEMP TABLE score AS
SELECT * FROM (SELECT j.paper, j.place, j.id, coalesce(s.text, j.text) AS text, j.machine, j.device, j.verdict, j.held, j.of, t.turn,
        row_number() OVER of_device AS choice,
        group_concat(reading || ': ' || verdict, '; ') OVER (PARTITION BY j.paper, j.id, j.machine, j.device) AS readings
    FROM judgement j LEFT JOIN judgement_short s USING (paper, id) LEFT JOIN machine_turn t USING (machine)
    WHERE j.machine IS NULL OR t.turn NOT NULL
    WINDOW of_device AS (PARTITION BY j.paper, j.id, j.machine, j.device ORDER BY reading <> 'as printed', reading))
WHERE choice = 1 ORDER BY paper, place, turn, device;
CREATE TEMP VIEW scored AS SELECT machine, turn FROM score WHERE turn NOT NULL GROUP BY turn;
-- The class of a colour, a sign for those who see none, and a word; NULL: how many parts hold.
CREATE TEMP TABLE look(verdict TEXT, class TEXT, sign TEXT, word TEXT);
INSERT INTO look VALUES ('reproduced', 'yes', '✓', 'yes'), ('partly', 'partly', '◐', NULL), ('not reproduced', 'no', '✗', 'no'),
    ('unclear', 'unclear', '?', 'unclear'), ('incomplete', 'incomplete', '…', 'not all measured'),
    ('not measurable here', 'unknown', '–', 'not measurable');
CREATE TEMP VIEW badge AS
SELECT paper, id, machine, printf('<a class="badge %s" href="%s.html#claim-%s" title="%s %s; %s">%s %s</a>' || char(10), class,
    html(paper), html(id), html(machine), html(device), html(readings), sign, coalesce(word, held || '/' || of)) AS html
FROM score JOIN look USING (verdict) ORDER BY turn, device;
-- What was found of a paper on the first device with results of it: its sentence with "1.02 to 1.06", "26.3 ms", what the part of a
-- claim, {N1:double-unrolling over cpu-only}, has as printed, if all were measured; and how many claims hold.
CREATE TEMP TABLE found AS
WITH RECURSIVE first AS (
    SELECT * FROM (SELECT paper, machine, device, sum(verdict = 'reproduced') AS held, sum(verdict = 'partly') AS partly,
            sum(verdict = 'not reproduced') AS broken, row_number() OVER (PARTITION BY paper ORDER BY turn, device) AS choice
        FROM score WHERE turn NOT NULL GROUP BY paper, machine, device)
    WHERE choice = 1),
 sentence(paper, done, name, rest) AS (
    SELECT paper, '', '', found FROM first JOIN said USING (paper)
    UNION ALL SELECT s.paper, done || substr(rest, 1, instr(rest, '{') - 1) || (
            SELECT number_text(min(value)) || coalesce(' to ' || nullif(number_text(max(value)), number_text(min(value))), '')
            FROM judgement_part p WHERE p.paper = f.paper AND p.machine = f.machine AND p.device = f.device AND reading = 'as printed'
                AND is_measured AND id || ':' || what = substr(rest, instr(rest, '{') + 1, instr(rest, '}') - instr(rest, '{') - 1)
            HAVING count(value)), '', substr(rest, instr(rest, '}') + 1)
    FROM sentence s JOIN first f USING (paper) WHERE instr(rest, '{'))
SELECT f.*, done || rest AS sentence FROM first f LEFT JOIN sentence s ON s.paper = f.paper AND NOT instr(rest, '{');
CREATE TEMP VIEW summary AS
SELECT p.paper, p.title, '<p class="soft">' || html(authors) || ', ' || html(venue) || coalesce(' (' || nullif(year, 0) || ')', '')
    || '</p>' || char(10) || coalesce('<p>' || html(says) || '</p>' || char(10), '')
    || coalesce('<p><b>Found on ' || html(f.machine) || ':</b> ' || coalesce(html(sentence) || '; ', '') || iif(held + partly + broken,
            printf('of %d judged claims, %d are reproduced, %d partly, %d not.</p>', held + partly + broken, held, partly, broken),
            'too little was measured to judge a claim; <code>orrery run ' || html(p.paper) || '</code> measures more.</p>'),
        '<p class="soft">Nothing was measured of it here.</p>') AS html
FROM paper p JOIN said USING (paper) LEFT JOIN found f USING (paper) ORDER BY p.rowid;

-- The pages, of these and of what C makes: view, a row each experiment (NULL: a roofline) and machine in their order, with its
-- figure or why there is none, and its document in whole and in brief; and piece(name, html), the documents of the layouts below.
--: layout pages
--: setup
-- A line a claim, with its verdict on each machine.
CREATE TEMP TABLE overview AS
SELECT '<h2><a href="' || html(paper) || '.html">' || html(title) || '</a></h2>' || char(10) || html AS html FROM summary
UNION ALL SELECT '<h2 id="scoreboard">Scoreboard</h2>'
UNION ALL SELECT '<p>' || group_concat('<span class="badge ' || class || '">' || sign || ' ' || coalesce(word, '3/4') || '</span> '
    || iif(word NOT NULL, verdict, '3 of 4 parts hold') || char(10), '') || '</p>' FROM look
UNION ALL SELECT '<div class="wide"><table class="scores"><thead><tr><th>claim</th><th>what the paper says</th>'
    || coalesce(group_concat('<th>' || html(machine) || '</th>', ''), '') || '</tr></thead><tbody>' FROM scored
UNION ALL SELECT * FROM (
    SELECT iif(row_number() OVER (PARTITION BY paper ORDER BY place) = 1, '<tr class="paper"><th colspan="'
            || (SELECT count(*) + 2 FROM scored) || '">' || html(paper) || '</th></tr>' || char(10), '')
        || printf('<tr><td><a href="%s.html#claim-%s">%s</a></td><td>%s</td>', html(paper), html(id), html(id), html(text))
        || coalesce((SELECT group_concat('<td data-head="' || html(machine) || '">' || coalesce((SELECT group_concat(html, '')
            FROM badge b WHERE b.paper = s.paper AND b.id = s.id AND coalesce(b.machine = m.machine, 1)), '') || '</td>', '')
            FROM scored m), '') || '</tr>'
    FROM score s GROUP BY paper, id ORDER BY paper, place)
UNION ALL SELECT '</tbody></table></div>'
-- Where the results of machines are that have no column.
UNION ALL SELECT '<p class="soft">' || html(machine) || ' measured nothing that a claim is judged by; its results are on the pages of '
    || html(papers) || '.</p>'
FROM (SELECT machine, replace(group_concat(DISTINCT paper), ',', ', ') AS papers FROM cells JOIN machine_turn USING (machine)
    WHERE machine NOT IN (SELECT machine FROM scored) GROUP BY machine ORDER BY turn);
-- What a paper says, judged on every device. A part has its interval, and each cell by its id, which `describe` takes, where the
-- pointer rests; what a state says beyond yes and no stands below the number. Verdicts come by the names of machines; the page has an
-- order of its own.
CREATE TEMP TABLE claim_html AS
WITH part AS (
    SELECT v.rowid AS verdict, j.key AS place, j.value->>'what' AS what, coalesce(j.value->>'at', '') AS at,
        coalesce(j.value->>'wants', '') AS wants, j.value->>'state' AS state, number_text(j.value->>'value') || coalesce(' [' || number_text(j.value->>'low') || ', '
            || number_text(j.value->>'high') || ']', '') || coalesce(' ' || nullif(j.value->>'unit', ''), '') AS value,
        (SELECT group_concat(html(c.value->>'cell'), ', ') FROM json_each(j.value, '$.cells') c) AS cells
    FROM verdict v, json_each(v.parts) j),
 shown AS (
    SELECT v.rowid AS place, v.*, printf('<div class="verdict" style="order:%d"><p><span class="badge %s">%s %s</span>', turn, class,
            sign, html(score)) || coalesce(' <b>' || html(machine) || '</b>', '') || coalesce(', ' || html(device), '')
        || coalesce(', ' || html(reading), '') || '</p>' || char(10) || coalesce((
            SELECT '<div class="wide"><table class="parts"><tr><th>part</th><th>at</th><th class="r">measured [95&nbsp;% interval]</th>'
                || '<th>expected</th></tr>' || char(10) || group_concat('<tr><td>' || html(what) || '</td><td>' || html(at)
                || '</td><td class="r ' || CASE state WHEN 'yes' THEN 'yes' WHEN 'no' THEN 'no' ELSE 'unclear' END || '" title="'
                || html(state) || coalesce('; cells ' || cells, '') || '">' || coalesce(html(value), '—') || CASE state WHEN 'yes' THEN ' ✓' WHEN 'no'
                THEN ' ✗' WHEN 'unclear' THEN ' ?' ELSE ' ?<br>' || html(state) END || '</td><td class="soft">' || html(wants)
                || '</td></tr>' || char(10), '') || '</table></div>' || char(10)
            FROM (SELECT * FROM part p WHERE p.verdict = v.rowid ORDER BY place) HAVING count(*)), '')
        || coalesce('<details><summary>In words</summary><p>' || html(nullif(measured, '')) || '</p>'
                || coalesce('<p>' || html(nullif(why, '')) || '</p>', '') || '</details>',
            '<p class="soft">' || html(nullif(why, '')) || '</p>', '') || '</div>' || char(10) AS html
    FROM verdict v JOIN look USING (verdict) LEFT JOIN machine_turn USING (machine))
SELECT paper, '<details class="claim" id="claim-' || html(id) || '"><summary><b>' || html(id) || '</b>' || html(text) || char(10)
    || coalesce((SELECT group_concat(html, '') FROM badge b WHERE b.paper = s.paper AND b.id = s.id), '') || '</summary>' || char(10)
    || coalesce('<blockquote>&ldquo;' || html(nullif(quote, '')) || '&rdquo;</blockquote>' || char(10), '') || '<p class="soft">'
    || coalesce(html(section), '') || coalesce(iif(section <> '', '; ', '') || 'published: ' || html(nullif(published, '')), '')
    || '</p>' || char(10) || '<div class="verdicts">' || char(10)
    || (SELECT group_concat(html, '') FROM (SELECT html FROM shown o WHERE o.paper = s.paper AND o.id = s.id ORDER BY place))
    || '</div></details>' || char(10) AS html
FROM shown s GROUP BY paper, id ORDER BY min(place);
-- telling: 1 for the first figure of a telling experiment. picture: the figure, which leads to its page; %s: what it shows.
CREATE TEMP TABLE placed AS
SELECT v.rowid AS place, v.paper, v.experiment, v.machine, stem, said, e.title, coalesce(e.name, 'roofline') AS name,
    coalesce(e.shows || ': ' || e.title, 'Rooflines') AS heading, v.rowid = min(v.rowid) OVER (PARTITION BY v.paper, v.experiment)
        AS first, row_number() OVER (PARTITION BY v.experiment, NOT telling OR drawing IS NULL ORDER BY v.rowid)
        + 1000 * (NOT telling OR drawing IS NULL) AS telling,
    iif(drawing IS NULL, NULL, '<a class="figure" href="' || stem || '.html"><img src="' || stem || '.svg" alt="%s" loading="lazy"></a>'
        || char(10)) AS picture
FROM view v LEFT JOIN experiment e USING (experiment) ORDER BY place;
-- All of a view stands on its page, and in short on the paper's, where it is folded but for the first machine's.
CREATE TEMP VIEW brief AS
SELECT p.place, p.paper, iif(first, '<h2 id="' || html(name) || '">' || html(heading) || '</h2>' || char(10), '')
    || '<details class="machine" id="' || p.stem || '"' || iif(first AND p.experiment NOT NULL, ' open', '') || '><summary>'
    || html(p.machine) || '</summary>' || char(10) || coalesce(printf(picture, html(p.said)), '') || v.brief
    || '<p class="soft"><a href="' || p.stem || '.html">Every cell</a></p>' || char(10) || '</details>' || char(10) AS html
FROM placed p JOIN view v ON v.rowid = p.place;
CREATE TEMP VIEW page AS
WITH body(stem, title, html) AS (
    SELECT 'index', 'Orrery report', '<p>Published GPU N-body results, run again. Every force is checked against double precision.</p>'
        || char(10) || (SELECT group_concat(html || char(10), '') FROM overview) || '<h2>Figures</h2>' || char(10)
        || coalesce((SELECT group_concat('<h3>' || html(authors) || '</h3>' || char(10) || '<div class="telling">' || char(10) || (
                SELECT group_concat(printf(picture, html(title)), '') FROM (
                    SELECT * FROM placed v WHERE v.paper = p.paper AND telling = 1 LIMIT 3)) || '</div>' || char(10), '')
            FROM paper p), '')
        || '<h2 id="machines">Machines and devices</h2>' || char(10) || (SELECT html FROM piece WHERE name = 'trust')
        || '<h3>How it was measured</h3>' || char(10) || '<p>Accelerations of every cell are checked against double precision before it is'
        || ' timed; one whose error exceeds its bound is <b>wrong</b> and has no time. A time is the median over processes of their'
        || ' medians, with its 95&nbsp;% interval; with fewer than three processes it is "within one run" (†). A step begins with its'
        || ' bodies on the device and ends with its results there; end to end also sends the bodies and fetches the results. GFLOPS'
        || ' follow the paper''s convention; the ceiling is the rate of the cell''s own kind of pair held in registers, and a share'
        || ' above 100&nbsp;% says that it is too low. ≈ marks what was extrapolated, — what is not there. <code>docs/METHOD.md</code>'
        || ' has all rules.</p>' || char(10)
    UNION ALL SELECT 'sources', 'Sources', '<h2 id="missing">What is missing</h2>' || char(10)
        || (SELECT html FROM piece WHERE name = 'missing') || '<h2 id="provenance">Failures and provenance</h2>' || char(10)
        || (SELECT html FROM piece WHERE name = 'sources') || coalesce((SELECT '<details><summary>What each access costs</summary>'
            || char(10) || html || '</details>' || char(10) FROM piece WHERE name = 'ceilings'), '')
    UNION ALL SELECT paper, title, html || char(10) || '<p class="contents"><a href="#claims">Claims</a>' || char(10)
        || coalesce((SELECT group_concat('<a href="#' || html(name) || '">' || html(name) || '</a>' || char(10), '')
            FROM placed v WHERE v.paper = s.paper AND first), '') || '</p>' || char(10)
        || '<h2 id="claims">Claims</h2>' || char(10) || '<p class="soft">What the paper says, judged on every device that was measured.'
        || ' <code>docs/METHOD.md</code> has the rules; <code>orrery describe</code> shows a claim, and a cell by its id.</p>' || char(10)
        || coalesce((SELECT group_concat(html, '') FROM claim_html c WHERE c.paper = s.paper), '<p>None.</p>' || char(10))
        || coalesce((SELECT group_concat(html, '') FROM brief v WHERE v.paper = s.paper), '')
    FROM summary s
    UNION ALL SELECT p.stem, coalesce(p.experiment || ', ' || heading, p.said), printf('%s%s' || char(10) || '%s<p class="soft">This table'
            || ' as <a href="%s.md">markdown</a> and <a href="%s.csv">CSV</a>.</p>' || char(10), '<p class="contents">' || (
            SELECT group_concat(iif(o.place = p.place, '<b>' || html(o.machine) || '</b>', '<a href="' || o.stem || '.html">'
                || html(o.machine) || '</a>') || char(10), '') FROM placed o WHERE o.experiment = p.experiment) || '</p>' || char(10),
        iif(drawing IS NULL, '<p class="soft">No figure: ' || html(why) || '</p>', printf('<div class="figure full">' || char(10) || '%s</div>'
            || char(10) || '<p class="soft">The figure as <a href="%s.svg">SVG</a>.</p>', drawing, p.stem)), whole, p.stem, p.stem)
    FROM placed p JOIN view v ON v.rowid = p.place)
-- A page may be a megabyte: printf copies it once.
SELECT stem, printf('<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<div class="nav" role="navigation"><a href="index.html">Overview</a>
%s<a href="sources.html">Sources</a></div>
<div class="main" role="main">
<h1>%s</h1>
%s</div>
<script src="script.js"></script>
</body>
</html>
', html(title), (SELECT group_concat('<a href="' || html(paper) || '.html">' || html(paper) || '</a>' || char(10), '') FROM paper),
    html(title), html) AS html FROM body;

--: layout trust
--: grid Machines
SELECT machine, max(cpu) AS processor, max(cores) AS cores, max(threads) AS threads, printf('%.0f GiB', max(memory_bytes) / 1073741824.0)
    AS memory, max(os) AS system, max(simd) AS simd, count(*) AS runs
FROM run JOIN machine_turn USING (machine) GROUP BY machine ORDER BY turn;
--: columns left | all | machine, processor, cores, threads, memory, system, simd: vector instructions, runs
--: grid? Devices
SELECT run.machine, d.device, d.device_name AS name, d.driver, d.toolkit, d.capability, d.compute_units AS units,
    nullif(d.clock_mhz, 0) AS mhz, printf('%.3g', max(c.interactions_per_second)) AS pairs, printf('%.3g', max(c.fma_per_second)) AS fma
FROM device d JOIN run USING (run_key) JOIN ceiling c USING (run_key, device) JOIN machine_turn t ON t.machine = run.machine
GROUP BY run.machine, d.device ORDER BY turn, d.device;
--: columns left | all | machine, device, name, driver, toolkit, capability, units, mhz: MHz
--: column pairs | interactions/s | | left | all | highest ceiling
--: column fma | fma/s | | left | all | highest ceiling
--: grid? How far the numbers can be trusted
SELECT machine, count(*) AS cells, sum(outcome = 'ok') AS ok, sum(outcome = 'ok' AND coalesce(error_targets >= n, 0)) AS whole,
    sum(outcome = 'ok' AND coalesce(error_targets < n, 0)) AS sample, sum(coalesce(processes >= 3, 0)) AS processes,
    sum(coalesce(seconds_high <= 1.02 * seconds_low, 0)) AS narrow, sum(coalesce(others_cores > 0.5, 0)) AS others,
    sum(coalesce(throttle_reasons NOT IN ('', '[]'), 0)) AS throttled, sum(extrapolated) AS extrapolated
FROM latest JOIN machine_turn USING (machine) GROUP BY machine ORDER BY turn;
--: column machine | machine | | left | all
--: column cells | all | | left | all | cells
--: column ok | without a failure | | left | all | cells
--: column whole | all | | left | all | bodies checked
--: column sample | a sample | | left | all | bodies checked
--: column processes | from 3 processes or more | | left | all | times
--: column narrow | interval within 2 % | | left | all | times
--: column others | with co-runners | | left | all | times
--: column throttled | throttled | | left | all | times
--: column extrapolated | extrapolated | | left | all | times
--: grid? The same measured twice, the last time
-- The last time of each set of devices, or how to do it.
WITH kept AS (
    SELECT machine, s.*, row_number() OVER (PARTITION BY machine, devices ORDER BY finished DESC, self_key DESC) AS age
    FROM self s JOIN run USING (run_key))
SELECT machine, coalesce((SELECT group_concat(printf('%s: %d of %d comparisons called different%s, median difference %.1f %%, largest %.1f %%',
            (SELECT group_concat(value, ', ') FROM json_each(k.devices)), different, comparisons,
            iif(beside, printf(' (%d with co-runners)', beside), ''), 100 * median_difference, 100 * largest_difference), '; ')
        FROM kept k WHERE k.machine = r.machine AND age = 1),
    'not done; orrery compare --self ' || (SELECT group_concat(paper, ' ') FROM (SELECT DISTINCT paper FROM cells c
        WHERE c.machine = r.machine ORDER BY 1)) || ' does it') AS result
FROM run r JOIN machine_turn USING (machine) GROUP BY machine ORDER BY turn;
--: columns left | all | machine, result
--: remark
SELECT 'No journal was found: nothing has been measured yet. `orrery run` starts.' WHERE NOT EXISTS (SELECT 1 FROM run);

-- here(folder, only) is the folder that paths are shown below, which ends with a bar, lest the page tell where its maker's files are,
-- and the machine that is shown, or NULL. Missing are experiments that were not measured there, and what runs left that did not come
-- to their end, of which cells have fewer rounds than they were to have.
--: layout missing
--: remark
SELECT experiment || ', ' || coalesce(title, '') || ': not measured; `orrery run ' || experiment || '` measures it'
FROM experiment e JOIN here h
WHERE NOT EXISTS (SELECT 1 FROM cells c WHERE c.experiment = e.cells AND coalesce(c.machine = h.only, 1)) ORDER BY e.rowid;
--: remark
SELECT r.run || ' on ' || r.machine || iif(r.ended IS NULL, ' has no end yet', ' was interrupted')
    || printf(': %d of its %d cells shown here have fewer than %d rounds; ', sum(l.processes < r.request->>'repeats'), count(*),
        r.request->>'repeats')
    || iif(r.ended IS NULL, 'where its process died, ', '') || '`orrery run --resume ' || r.run || '` measures the rest'
FROM latest l JOIN run r USING (run_key) WHERE r.ended IS NOT 'over' AND l.outcome = 'ok' AND NOT l.extrapolated
GROUP BY run_key HAVING sum(l.processes < r.request->>'repeats') > 0 ORDER BY r.machine, r.run;
--: remark
SELECT 'Every experiment has results; cells that are missing are named below their table.'
FROM here h WHERE NOT EXISTS (SELECT 1 FROM experiment e WHERE NOT EXISTS (
    SELECT 1 FROM cells c WHERE c.experiment = e.cells AND coalesce(c.machine = h.only, 1)));

--: layout sources
--: grid? What failed
SELECT machine, experiment, variant, dataset, group_concat(DISTINCT n) AS n, device, count(*) AS cells, outcome, reason
FROM (SELECT * FROM latest JOIN machine_turn USING (machine) WHERE outcome <> 'ok' ORDER BY n)
GROUP BY turn, machine, experiment, variant, dataset, device, outcome, reason ORDER BY turn, experiment, variant, min(n);
--: columns left | all | machine, experiment, variant, dataset: data set, n: N, device, cells, outcome, reason
--: remark
SELECT 'Nothing failed: the latest record of every cell is ok.' WHERE NOT EXISTS (SELECT 1 FROM latest WHERE outcome <> 'ok');
--: data? Settings that times depend on
SELECT DISTINCT machine, h->>'governor' AS governor, iif(h->>'boost', 'on', iif(h->>'boost' = 0, 'off', NULL)) AS boost,
    h->>'smt' AS smt, h->>'huge_pages' AS huge_pages, h->>'numa_nodes' AS numa_nodes, h->>'cpus_allowed' AS allowed,
    h->>'cpus_online' AS online, h->>'cpu_quota' AS quota, iif(h->>'virtual', coalesce(h->>'virtual_product', 'yes'), 'no') AS virtual,
    (SELECT group_concat(key || '=' || value, ' ') FROM json_each(run.environment, '$.variables')) AS variables
FROM (SELECT *, environment->'host' AS h FROM run) run JOIN machine_turn USING (machine) WHERE h NOT NULL ORDER BY turn;
--: columns left | all | machine, governor, boost, smt: SMT, huge_pages, numa_nodes: NUMA nodes
--: column allowed | allowed | | left | all | CPUs
--: column online | of | | left | all | CPUs
--: column quota | quota | | left | all | CPUs
--: columns left | all | virtual, variables
--: data? Settings of GPUs
SELECT DISTINCT machine, g->>'name' AS gpu, printf('%g W', g->>'power_limit_w') AS "set",
    printf('%g W', g->>'default_power_limit_w') AS "default", printf('%g W', g->>'enforced_power_limit_w') AS enforced,
    iif(g->>'ecc', 'on', iif(g->>'ecc' = 0, 'off', NULL)) AS ecc, iif(g->>'mig', 'on', iif(g->>'mig' = 0, 'off', NULL)) AS mig,
    iif(g->>'persistence', 'on', iif(g->>'persistence' = 0, 'off', NULL)) AS persistence,
    g->>'application_sm_mhz' || ' / ' || (g->>'application_memory_mhz') || ' MHz' AS application_clocks, g->>'compute_mode' AS compute_mode
FROM (SELECT machine, j.value AS g FROM run, json_each(run.environment, '$.gpus') j) JOIN machine_turn USING (machine)
ORDER BY turn, 2;
--: columns left | all | machine, gpu: GPU
--: column set | set | | left | all | power limit
--: column default | default | | left | all | power limit
--: column enforced | enforced | | left | all | power limit
--: columns left | all | ecc: ECC, mig: MIG, persistence, application_clocks, compute_mode
--: data? Journals
SELECT machine, run, coalesce(preset, 'quick') AS preset, started, version AS orrery, commit_id AS "commit", compiler, flags,
    iif(schema >= 2, 'in each line', 'none') AS checksums, iif(instr(path, folder) = 1, substr(path, length(folder) + 1), path) AS journal
FROM run JOIN here ORDER BY started;
--: columns left | all | machine, run, preset, started, orrery, commit, compiler, flags, checksums, journal
--: data? Variants
SELECT DISTINCT variant, build_flags, substr(plugin_sha256, 1, 16) || '…' AS plugin FROM latest WHERE plugin_sha256 NOT NULL ORDER BY 1;
--: columns left | all | variant, build_flags: compiler and flags, plugin: plugin SHA-256
--: data? Data sets
SELECT DISTINCT dataset, n, seed, substr(dataset_sha256, 1, 16) || '…' AS hash FROM latest WHERE dataset_sha256 NOT NULL ORDER BY 1, 2;
--: columns left | all | dataset: data set, n: N, seed, hash: SHA-256

-- The cost of each access, by the newest run of each machine and device; `asked` names the machine, or NULL for all.
--: layout ceilings
--: setup
CREATE TEMP TABLE chosen AS
SELECT run_key, device, machine FROM (
    SELECT r.run_key, r.machine, a.device, row_number() OVER (
        PARTITION BY r.machine, a.device ORDER BY r.started DESC, r.run_key DESC) AS age
    FROM (SELECT DISTINCT run_key, device FROM access_rate) a JOIN run r USING (run_key)
    JOIN asked q ON coalesce(q.machine = r.machine, 1))
WHERE age = 1;
-- One row a kind and degree, in the order of measuring. Where no round has a rate, the reason.
CREATE TEMP TABLE shown AS
SELECT c.machine, a.device, max(a.device_name) AS device_name, a.kind, a.degree, a.unit,
    min(a.place) AS place, max(r.rate) AS rate, max(r.rate_low) AS rate_low,
    max(r.rate_high) AS rate_high, coalesce(max(r.rounds), 0) AS rounds, max(r.clock_mhz) AS clock_mhz,
    iif(max(r.rate) IS NULL, min(a.reason), NULL) AS reason, max(d.compute_units) AS units
FROM chosen c JOIN access_rate a USING (run_key, device)
LEFT JOIN access_ceiling r USING (run_key, device, kind, degree)
LEFT JOIN device d USING (run_key, device)
GROUP BY c.run_key, a.device, a.kind, a.degree;
--: facts
SELECT 'run', r.run || ' on ' || c.machine || ' (' || c.device || '), ' || r.started
    || coalesce(', ' || r.preset, '') || ', commit ' || coalesce(r.commit_id, 'unknown')
FROM chosen c JOIN run r USING (run_key) ORDER BY c.machine, c.device;
--: data Rates of the whole device
SELECT machine, device, device_name, kind, degree, unit, rate,
    si_text(rate, CASE unit WHEN 'launch' THEN 'launches' ELSE unit || 's' END || '/s') AS "rate.text", rate_low, rate_high,
    max(rate_high - rate, rate - rate_low) / rate AS around, 1 / rate AS seconds,
    rate / (iif(kind GLOB 'latency-*', 1, units) * clock_mhz * 1e6) AS of_clock, rounds, clock_mhz, reason
FROM shown ORDER BY machine, device, place, degree;
--: columns left | all | machine, device, kind, reason: why there is none
--: columns right | all | degree, rate, rounds
--: column around | ± | | percent | people
--: column of_clock | a clock and unit | | number | all
--: column clock_mhz | MHz | | count | all
--: programs *
--: remark
SELECT 'Rates are of the whole device, a second, medians over the rounds. "A clock and unit" divides '
    || 'them by the clock of then and the multiprocessors or cores. Degree: lanes of a warp that '
    || 'share an address, on the host threads. Latencies are steps a second of one chain, by a group '
    || 'that has its multiprocessor to itself.';
