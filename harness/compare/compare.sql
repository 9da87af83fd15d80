-- SPDX-License-Identifier: MIT
-- Two sets of results cell by cell (docs/METHOD.md, "Comparing"). C fills the table
-- operand(operand, word, path, device, what, everything, machine), 'A' and 'B'; device '' where none was named; the tables of
-- sides.sql; and the row of rule(margin, beyond), 0.02 for 2 %: what is smaller is no difference, what is slower by more is
-- worse.

-- Titles of documents.
--: part compare
--: remark
SELECT group_concat(word || ' (' || operand || ')', ' against ') FROM operand;
--: part twice
--: remark
SELECT 'The same cells measured twice';

-- Why an operand cannot be compared. A device that only the other one names is said last.
--: part unusable
--: remark
SELECT operand || ', ' || path || CASE machines WHEN 0
        THEN ', has no results: no journal there holds a cell' || coalesce(' of ' || what, '')
    WHEN 1 THEN ', has no results on a device ''' || device || '''; there are: ' || coalesce((SELECT group_concat(device, ', ')
        FROM (SELECT DISTINCT c.device FROM cells c WHERE c.operand = o.operand AND c.device NOT NULL ORDER BY 1)), '')
    ELSE ', has results of ' || machines || ' machines, and a side is one: name the folder, a journal or the machine of one of'
        || ' them (' || (SELECT group_concat(machine, ', ')
            FROM (SELECT DISTINCT c.machine FROM cells c WHERE c.operand = o.operand ORDER BY 1)) || ')' END
FROM (SELECT *, (SELECT count(DISTINCT machine) FROM cells c WHERE c.operand = operand.operand) AS machines FROM operand) o
WHERE machines <> 1
    OR (device <> '' AND NOT EXISTS (SELECT 1 FROM cells c WHERE c.operand = o.operand AND c.device = o.device))
ORDER BY machines = 1 AND word = path, operand;

-- Which cells are the same work, and what is found of them.
--: part judge
--: use against
--: setup
-- The cells of both operands (sides.sql).
CREATE TABLE compared AS
SELECT c.* FROM side_cell c JOIN operand o USING (operand) WHERE o.device IN ('', c.device);
CREATE INDEX compared_cell ON compared(cell_key);
-- likeness of two results of a variant: 1 the variant, 2 the device too (when one was named for
-- each side they need not be the same), 3 data set, n, seed and level of the boxes too, 4 and every
-- parameter: the same work.
CREATE TEMP TABLE candidate AS
SELECT a.cell_key AS a, b.cell_key AS b, a.ok AND b.ok AS both_ok, a.id <> '' AND a.id = b.id
        AS same_request,
    CASE WHEN NOT across AND a.device <> b.device THEN 1
        WHEN a.input <> b.input OR coalesce(a.seed, 0) <> coalesce(b.seed, 0) THEN 2
        WHEN a.parameters = '' OR a.parameters <> b.parameters THEN 3 ELSE 4 END AS likeness,
    a.dataset = b.dataset AND a.n = b.n AND coalesce(a.seed, 0) = coalesce(b.seed, 0)
        AND (across OR a.device = b.device) AS same_bodies, 0 AS agree
FROM (SELECT min(device <> '') AS across FROM operand) JOIN compared a ON a.operand = 'A'
JOIN compared b ON b.operand = 'B' AND b.experiment = a.experiment AND b.variant = a.variant;
-- The same values of the parameters that both have.
UPDATE candidate SET agree = NOT EXISTS (
    SELECT 1 FROM side_parameter p JOIN side_parameter q USING (name)
    WHERE p.cell_key = a AND q.cell_key = b AND p.value <> q.value)
WHERE likeness = 3 OR (same_bodies AND NOT both_ok);
-- A result that failed early knows only some of its parameters: it goes with the one that was asked
-- for in the same words (its id) or, where there is exactly one for either, agrees in all that both
-- know. With both ok the same request can be other work: a default that changed.
CREATE TEMP TABLE partner(a INTEGER PRIMARY KEY, b INTEGER UNIQUE);
-- Pairs of which neither has another candidate of that turn.
CREATE TEMP VIEW sole AS
SELECT turn, a, b FROM (
    SELECT *, count(*) OVER (PARTITION BY turn, a) AS of_a, count(*) OVER (PARTITION BY turn, b) AS of_b
    FROM candidate JOIN (SELECT 1 AS turn UNION ALL SELECT 2 UNION ALL SELECT 3)
    WHERE CASE turn WHEN 1 THEN likeness = 4 WHEN 2 THEN NOT both_ok AND same_request
            ELSE NOT both_ok AND same_bodies AND agree END
        AND a NOT IN (SELECT a FROM partner) AND b NOT IN (SELECT b FROM partner))
WHERE of_a = 1 AND of_b = 1;
INSERT INTO partner SELECT a, b FROM sole WHERE turn = 1;
INSERT INTO partner SELECT a, b FROM sole WHERE turn = 2;
INSERT INTO partner SELECT a, b FROM sole WHERE turn = 3;
-- By experiment, in the order of A's results; those only in B behind them. sample: 1 for steps; -1 for
-- whole calls (ratio_bound), below.
CREATE TEMP TABLE judged AS
WITH every AS (
    SELECT experiment_place, experiment, paper, cell_key AS a, b, place, variant, dataset, device
    FROM compared LEFT JOIN partner p ON p.a = cell_key WHERE operand = 'A'
    UNION ALL SELECT experiment_place, experiment, paper, NULL, cell_key, 1000000000 + place,
        variant, dataset, device
    FROM compared WHERE operand = 'B' AND cell_key NOT IN (SELECT b FROM partner))
SELECT row_number() OVER (ORDER BY e.experiment_place, e.place) AS place, 1 AS sample, e.experiment,
    e.paper, e.a, e.b,
    iif(x.ok AND y.ok AND x.steps = y.steps AND x.input = y.input, x.seconds / y.seconds, NULL)
        AS ratio, NULL AS low, NULL AS high, NULL AS p_different, NULL AS p_adjusted,
    NULL AS p_same, x.beside NOT NULL OR y.beside NOT NULL AS beside, NULL AS held_up, NULL AS hidden,
    CASE WHEN e.b IS NULL THEN 'only in A' WHEN e.a IS NULL THEN 'only in B'
        WHEN x.dataset_sha256 <> '' AND y.dataset_sha256 <> ''
            AND x.dataset_sha256 <> y.dataset_sha256 THEN 'other data'
        WHEN x.extrapolated OR y.extrapolated THEN 'extrapolated'
        WHEN x.ok AND NOT y.ok THEN 'broken' WHEN y.ok AND NOT x.ok THEN 'mended'
        WHEN NOT x.ok THEN 'failed in both' ELSE 'unclear' END AS finding
FROM every e LEFT JOIN compared x ON x.cell_key = e.a AND x.experiment = e.experiment
LEFT JOIN compared y ON y.cell_key = e.b AND y.experiment = e.experiment
WHERE wanted(e.experiment, e.paper || '/' || e.variant, e.dataset, e.device);
UPDATE judged SET ratio = NULL WHERE finding <> 'unclear';
-- Their whole calls, upload, a step and fetch: a table of its own, and no verdict of a pair. On the host
-- a call is a step and a copy.
INSERT INTO judged
SELECT p.place, -1, p.experiment, p.paper, p.a, p.b, x.end_to_end_seconds / y.end_to_end_seconds, NULL,
    NULL, NULL, NULL, NULL, p.beside, NULL, NULL, p.finding
FROM judged p JOIN compared x ON x.cell_key = p.a AND x.experiment = p.experiment
JOIN compared y ON y.cell_key = p.b AND y.experiment = p.experiment
WHERE p.ratio IS NOT NULL AND x.end_to_end_seconds > 0 AND y.end_to_end_seconds > 0
    AND x.device <> 'host' AND y.device <> 'host';
-- A few processes tell little of how far processes are apart; those of the whole table tell more.
CREATE TEMP TABLE common AS
SELECT sample AS kind, ratio_prior(sample * b, sample * a) AS prior FROM judged WHERE ratio IS NOT NULL
GROUP BY sample;
UPDATE judged SET low = ratio_bound(sample * b, sample * a, 0, prior),
    high = ratio_bound(sample * b, sample * a, 1, prior),
    p_different = ratio_p(sample * b, sample * a, prior),
    p_same = ratio_within(sample * b, sample * a, margin, prior)
FROM rule, common WHERE kind = sample AND ratio IS NOT NULL;
-- At most one in twenty of all differences called is expected to be none.
UPDATE judged SET p_adjusted = p_adjusted(p_different, everything)
FROM (SELECT sample AS kind, p_values(p_different) AS everything FROM judged GROUP BY sample)
WHERE kind = sample;
-- B is faster or slower where the adjusted difference is significant and beyond the margin.
UPDATE judged SET finding = CASE WHEN p_adjusted <= 0.05 AND ratio > 1 + margin THEN 'faster'
    WHEN p_adjusted <= 0.05 AND ratio * (1 + margin) < 1 THEN 'slower'
    WHEN p_same <= 0.05 THEN 'same' ELSE 'not told apart' END
FROM rule WHERE p_adjusted IS NOT NULL;
-- Co-runners during most processes of a cell. They held one side up more than the other if they
-- used more than twice as many cores beside it, beyond what a count in ticks leaves open, or were more
-- on the GPU.
CREATE TEMP TABLE around AS
SELECT cell_key, 2 * others_marked >= coalesce(processes, 1) AS disturbed,
    iif(instr(beside, 'others used '), others_cores_median - others_cores_unsure, 0) AS least,
    coalesce(others_cores_median + others_cores_unsure, 0) AS most, coalesce(others_gpu_median, 0) AS on_gpu
FROM cell WHERE cell_key IN (SELECT a FROM judged UNION SELECT b FROM judged);
CREATE INDEX temp.around_cell ON around(cell_key);
UPDATE judged SET held_up = (
    SELECT CASE WHEN y.disturbed AND (y.least > 2 * x.most OR y.on_gpu > x.on_gpu) THEN 'B'
        WHEN x.disturbed AND (x.least > 2 * y.most OR x.on_gpu > y.on_gpu) THEN 'A' END
    FROM around x JOIN around y WHERE x.cell_key = a AND y.cell_key = b)
WHERE beside AND p_adjusted IS NOT NULL;
-- Others make nothing faster: only that the other side is slower all the same is sure then.
UPDATE judged SET finding = 'unclear'
WHERE held_up NOT NULL AND finding <> iif(held_up = 'A', 'slower', 'faster');
-- As of claims: what is found must be so, too, if without others each side had taken its share less.
UPDATE judged SET hidden = 1, finding = 'unclear' FROM rule, disturbed x, disturbed y
WHERE x.cell_key = a AND y.cell_key = b AND x.share + y.share > 0 AND NOT CASE finding
    WHEN 'faster' THEN low * (1 - x.share) > 1 WHEN 'slower' THEN high / (1 - y.share) < 1
    WHEN 'same' THEN low * (1 - x.share) > 1 / (1 + margin) AND high / (1 - y.share) < 1 + margin ELSE 1 END;
CREATE TEMP VIEW pair AS SELECT * FROM judged WHERE sample = 1;
CREATE TEMP VIEW whole AS SELECT * FROM judged WHERE sample = -1;
-- The findings in the order of the summary; with a row each, or only counted.
CREATE TEMP TABLE finding(place INTEGER, finding TEXT, has_row INTEGER, meaning TEXT);
INSERT INTO finding VALUES
    (0, 'faster', 1, 'B takes less time: significant, and by more than the margin'),
    (1, 'slower', 1, 'B takes more time: significant, and by more than the margin'),
    (2, 'same', 1, 'any difference is smaller than the margin'),
    (3, 'not told apart', 1, 'these samples show neither a difference nor its absence'),
    (4, 'unclear', 1, 'fewer than three processes on a side, or more co-runners during one of them'),
    (5, 'broken', 1, 'ok in A and not in B'),
    (6, 'mended', 1, 'ok in B and not in A'),
    (7, 'failed in both', 0, 'no row'),
    (8, 'extrapolated', 0, 'not measured on one side: no row'),
    (9, 'other data', 0,
        'the data sets of this name have other contents: not comparable, no row'),
    (10, 'only in A', 0, 'no row'),
    (11, 'only in B', 0, 'no row');
INSERT INTO provenance_cell
SELECT operand || ' ', iif(operand = 'A', a, b) FROM operand JOIN pair JOIN finding USING (finding) WHERE has_row;
-- The cells whose times are compared.
CREATE TEMP VIEW timed AS
SELECT p.place AS pair, c.* FROM pair p JOIN compared c ON c.cell_key IN (p.a, p.b) AND c.experiment = p.experiment
WHERE p.ratio NOT NULL;
-- Pairs as they are shown. The parameters of a result that failed early are not all of them: those
-- of the other one are.
CREATE TEMP VIEW shown_pair AS
SELECT p.place, p.a, p.b, p.experiment, p.paper, p.finding, p.ratio, p.low, p.high, f.has_row,
    p.p_different, p.p_adjusted, p.p_same, p.beside, p.held_up, p.hidden,
    CASE WHEN p.finding <> 'unclear' THEN NULL
        WHEN p.held_up NOT NULL THEN 'co-runners did more during ' || p.held_up
        WHEN p.hidden THEN 'co-runners may have made the difference'
        ELSE 'fewer than three processes on a side' END AS why,
    x.beside AS beside_a, y.beside AS beside_b,
    z.label, z.setting, z.parameters, z.dataset, z.n, z.level, z.seed,
    z.dataset || iif(z.level IS NULL, '', printf(', level %.0f', z.level))
        || iif(z.seed > 1, printf(', seed %d', z.seed), '') AS input_text, x.variant, x.label AS label_a,
    x.device AS device_a, y.device AS device_b,
    x.device || iif(x.device = y.device, '', ' / ' || y.device) AS device,
    x.outcome AS outcome_a, y.outcome AS outcome_b, x.ok AS ok_a, x.reason AS reason_a,
    y.reason AS reason_b, x.dataset AS dataset_a, x.n AS n_a, x.seconds AS seconds_a, y.seconds AS seconds_b,
    x.processes AS processes_a, y.processes AS processes_b, x.p5 AS p5_a, x.p95 AS p95_a,
    y.p5 AS p5_b, y.p95 AS p95_b, x.two_peaks AS two_peaks_a, y.two_peaks AS two_peaks_b,
    x.time_text AS time_a, y.time_text AS time_b
FROM pair p JOIN finding f USING (finding)
JOIN compared x ON x.cell_key = p.a AND x.experiment = p.experiment
JOIN compared y ON y.cell_key = p.b AND y.experiment = p.experiment
JOIN compared z ON z.cell_key = iif(x.ok OR NOT y.ok, p.a, p.b) AND z.experiment = p.experiment;
CREATE TEMP VIEW worse AS
SELECT shown_pair.*, row_number() OVER (ORDER BY place) AS rank FROM shown_pair JOIN rule
WHERE finding = 'broken' OR (p_adjusted <= 0.05
    AND ratio * (1 + beyond) < 1 AND held_up IS NOT 'B' AND hidden IS NULL);
-- The cases of --junit. A cell that is in one side alone is none.
CREATE TEMP VIEW test_case AS
SELECT experiment AS class, label || ', ' || dataset || iif(level IS NULL, '', printf(', level %.0f', level))
        || printf(', N = %.0f', n) || iif(seed > 1, printf(', seed %d', seed), '') || ', ' || device AS name,
    seconds_b AS seconds, iif(place IN (SELECT place FROM worse), CASE finding
        WHEN 'broken' THEN 'broken: ' || outcome_b || coalesce(': ' || nullif(reason_b, ''), '')
        ELSE printf('slower: %.3g times as fast', ratio) END, NULL) AS failure,
    iif(finding IN ('faster', 'slower', 'same', 'broken', 'mended'), NULL,
        finding || coalesce(': ' || why, '')) AS skipped,
    'A: ' || time_a || ', B: ' || time_b AS said
FROM shown_pair ORDER BY place;
-- The time that the paper prints of a pair, and its card.
CREATE TEMP TABLE printed_pair AS
SELECT p.place, g.card || coalesce(', ' || CAST(d.year AS INTEGER), '') AS on_card,
    min(g.card_seconds) AS seconds, seconds_text(min(g.card_seconds)) AS published
FROM pair p JOIN against g ON g.cell_key = coalesce(p.a, p.b) AND g.experiment = p.experiment
LEFT JOIN published_device d ON d.paper = g.paper AND d.device = g.card
GROUP BY p.place;
-- Cells that leave a pair unclear, why, how often to measure them, and what `orrery run` was asked for
-- when they were measured.
CREATE TEMP TABLE undecided AS
WITH short AS (
    SELECT operand, iif(operand = 'A', a, b) AS cell_key, held_up FROM pair JOIN operand
    WHERE finding = 'unclear' AND coalesce(held_up, operand) = operand),
 option(name, member) AS (VALUES ('device', 'devices'), ('set', 'set'), ('only', 'only'),
    ('exclude', 'exclude'))
SELECT s.operand, iif(held_up IS NULL, 'fewer', 'beside') AS because,
    max(3, coalesce(c.processes, 1)) AS repeats, c.experiment, c.device,
    ' --preset ' || coalesce(r.preset, 'quick') || coalesce((
        SELECT group_concat(' --' || o.name || ' '
            || iif(j.value GLOB '*[^-a-zA-Z0-9_=:,./@+]*',
                '''' || replace(j.value, '''', '''\''''') || '''', j.value), '')
        FROM option o, json_each(r.request, '$.' || o.member) j), '') AS asked
FROM short s JOIN cell c USING (cell_key) JOIN run r USING (run_key)
WHERE held_up NOT NULL OR coalesce(c.processes, 1) < 3;

--: layout compare
-- Flags of host code make other programs: named where they differ.
--: facts
WITH flags(a, b) AS (
    SELECT (SELECT text FROM provenance WHERE name = 'flags' AND lead = 'A '),
        (SELECT text FROM provenance WHERE name = 'flags' AND lead = 'B '))
SELECT operand, word FROM (
    SELECT operand, word, 0 AS place FROM operand
    UNION ALL SELECT 'margin', printf('%.4g %%', 100 * margin), 19 FROM rule
    UNION ALL SELECT lead || name, text, place FROM provenance WHERE name <> 'flags'
    UNION ALL SELECT 'A flags', coalesce(a, 'none'), 20 FROM flags WHERE a IS NOT b
    UNION ALL SELECT 'B flags', coalesce(b, 'none'), 21 FROM flags WHERE a IS NOT b)
ORDER BY place >= 20, substr(operand, 1, 1), place;
--: data Times of a step, A seconds / B seconds
SELECT experiment, variant, setting, label, device_a, device_b, device,
    input_text AS input, dataset, n, level, coalesce(seed, 0) AS seed, parameters, outcome_a, outcome_b, time_a, time_b,
    seconds_a, seconds_b, processes_a, processes_b, p5_a, p95_a, p5_b, p95_b, two_peaks_a,
    two_peaks_b, ratio, iif(ratio IS NULL, NULL,
        ratio_text(ratio, low, high, 0, min(processes_a, processes_b)))
        AS "ratio.text",
    low AS ratio_low, high AS ratio_high,
    p_different, p_adjusted, p_same, finding AS verdict,
    finding || iif(beside, ', with co-runners', '') AS said, why, beside_a, beside_b, t.seconds AS published,
    t.published || ' (' || t.on_card || ')' AS "published.text", t.on_card
FROM shown_pair LEFT JOIN printed_pair t USING (place) WHERE has_row ORDER BY place;
--: column experiment | experiment | | left | all
--: columns left | people | label: variant, device, input: data set, said: verdict
--: column n | N | | count | all
--: columns right | people | time_a: A, time_b: B
--: columns right | all | ratio: A / B, published
--: programs *
--: grid? Whole calls: upload, a step and fetch | whole
SELECT s.experiment, s.label AS variant, s.device, s.input_text AS input, s.n,
    x.end_to_end_seconds AS seconds_a, y.end_to_end_seconds AS seconds_b,
    time_text('ok', x.end_to_end_seconds, 0, median_bound(-w.a, 0), median_bound(-w.a, 1), NULL, s.processes_a, 0)
        AS "seconds_a.text",
    time_text('ok', y.end_to_end_seconds, 0, median_bound(-w.b, 0), median_bound(-w.b, 1), NULL, s.processes_b, 0)
        AS "seconds_b.text",
    w.ratio, ratio_text(w.ratio, w.low, w.high, 0, min(s.processes_a, s.processes_b)) AS "ratio.text",
    w.low AS ratio_low, w.high AS ratio_high, w.finding AS verdict
FROM whole w JOIN shown_pair s USING (place)
JOIN compared x ON x.cell_key = w.a AND x.experiment = w.experiment
JOIN compared y ON y.cell_key = w.b AND y.experiment = w.experiment ORDER BY w.place;
--: columns left | all | experiment, variant, device, input: data set, verdict
--: column n | N | | count | all
--: columns right | all | seconds_a: A, seconds_b: B, ratio: A / B
--: programs ratio_low ratio_high
--: grid Cells | summary
SELECT finding AS verdict, (SELECT count(*) FROM pair p WHERE p.finding = f.finding) AS cells,
    meaning FROM finding f ORDER BY place;
--: column verdict | verdict | | left | all
--: column cells | cells | | right | all
--: column meaning | | | left | people
--: grid Ratios of the same work by variant | variants
WITH ranked AS (
    SELECT *, row_number() OVER (PARTITION BY paper, variant, device_a, device_b ORDER BY ratio)
            AS rank,
        count(*) OVER (PARTITION BY paper, variant, device_a, device_b) AS cells
    FROM shown_pair WHERE ratio IS NOT NULL)
SELECT paper || '/' || variant AS variant, device, cells,
    avg(iif(rank IN ((cells + 1) / 2, (cells + 2) / 2), ratio, NULL)) AS median_ratio,
    min(ratio) AS smallest_ratio, max(ratio) AS largest_ratio
FROM ranked GROUP BY paper, variant, device_a, device_b ORDER BY min(place);
--: columns left | all | variant, device
--: column cells | cells | | right | all
--: columns number | all | median_ratio: median of A / B, smallest_ratio: smallest
--: columns number | all | largest_ratio: largest
--: remark
SELECT 'A / B above 1: B is faster. In brackets the 95 % interval of this ratio by itself; verdicts hold the'
    || ' false discovery rate of the whole table at 5 % (docs/METHOD.md)'
UNION ALL SELECT 'Medians of ratios sum up and judge nothing; each cell has its own verdict';
--: remark
SELECT finding || ': ' || experiment || ' ' || label || ', ' || dataset_a
    || printf(' N = %.0f on ', n_a) || iif(ok_a, device_b, device_a) || ': '
    || iif(ok_a, outcome_b || ' in B', outcome_a || ' in A')
    || coalesce(': ' || nullif(iif(ok_a, reason_b, reason_a), ''), '')
FROM shown_pair WHERE finding IN ('broken', 'mended') ORDER BY place;
-- A command for each side would decide, as most of its cells were asked for.
--: remark
WITH command AS (
    SELECT operand, because, repeats, asked, count(*) AS cells,
        iif(count(DISTINCT experiment) > 4,
            (SELECT group_concat(paper, ' ') FROM (
                SELECT DISTINCT substr(experiment, 1, instr(experiment, '/') - 1) AS paper
                FROM undecided w WHERE (w.operand, w.because, w.repeats, w.asked)
                    = (u.operand, u.because, u.repeats, u.asked) ORDER BY 1)),
            (SELECT group_concat(experiment, ' ') FROM (SELECT DISTINCT experiment
                FROM undecided w WHERE (w.operand, w.because, w.repeats, w.asked)
                    = (u.operand, u.because, u.repeats, u.asked) ORDER BY 1)))
        || iif(asked LIKE '% --device %' OR count(DISTINCT device) > 1, '',
            ' --device ' || min(device_id(device))) || asked AS words
    FROM undecided u GROUP BY operand, because, repeats, asked),
 ranked AS (
    SELECT *, sum(cells) OVER (PARTITION BY operand, because) AS every,
        row_number() OVER (PARTITION BY operand, because ORDER BY cells DESC, asked) AS rank
    FROM command)
SELECT operand || ': ' || every || iif(every = 1, ' cell', ' cells') || iif(because = 'fewer',
        ' measured by fewer than three processes', ' measured with more co-runners than'
        || ' the other side''s')
    || '; `orrery run ' || words || ' --repeats ' || repeats || '` '
    || iif(because = 'fewer', '', 'without these ')
    || iif(cells < every, 'measures ' || cells || ' of them', 'decides') FROM ranked WHERE rank = 1
ORDER BY because DESC, operand;
--: remark
SELECT operand || ': ' || cells || ' of these cells ' || iif(cells = 1, 'was', 'were')
    || ' measured with co-runners; ' || iif(cells = 1, '', 'the busiest: ') || label || ', '
    || dataset || printf(' N = %.0f', n) || ' on ' || device || ': ' || beside
FROM (SELECT *, count(*) OVER (PARTITION BY operand) AS cells, row_number() OVER (
        PARTITION BY operand ORDER BY others_cores DESC, pair) AS rank FROM timed WHERE beside NOT NULL)
WHERE rank = 1 ORDER BY operand;
-- Times under throttling compare the cooling.
--: remark
SELECT operand || ': ' || sum(throttled > 0) || ' of these cells have samples taken while the device throttled'
FROM timed GROUP BY operand HAVING sum(throttled > 0);
--: remark
SELECT count(DISTINCT p.a) || ' of the cells that are only in A are in B but for a parameter that one'
    || ' of the two does not have: another version of the variant, not compared'
FROM pair p JOIN candidate c USING (a) WHERE p.finding = 'only in A' AND c.likeness = 3 AND c.agree
    AND c.b NOT IN (SELECT b FROM partner) HAVING count(*);
-- Where everything was asked for.
--: remark
SELECT o.operand || ': ' || count(*)
    || ' cells are of experiments that no paper here has: not compared'
FROM operand o JOIN latest l USING (operand) WHERE o.everything AND o.device IN ('', l.device)
    AND l.experiment NOT IN (SELECT experiment FROM experiment) GROUP BY o.operand;

-- Why two operands have no cell in common, if none is left.
--: part nothing
--: remark
WITH likeness AS (SELECT CASE
    WHEN NOT EXISTS (SELECT 1 FROM compared a JOIN compared b USING (experiment)
                     WHERE a.operand = 'A' AND b.operand = 'B') THEN -1
    ELSE coalesce((SELECT max(likeness) FROM candidate), 0) END AS most),
 side AS (
    SELECT operand, word || ', ' || (SELECT count(*) FROM compared c WHERE c.operand = o.operand) || ' cells' AS holds,
        (SELECT group_concat(device, ', ') FROM (SELECT DISTINCT device FROM cells c
            WHERE c.operand = o.operand AND device NOT NULL ORDER BY 1)) AS devices FROM operand o)
SELECT iif(EXISTS (SELECT 1 FROM partner), '--only and --exclude leave none of the ' || (SELECT count(*) FROM partner)
    || ' cells that are in both', 'no cell of A (' || a.holds || ') is in B (' || b.holds || '): ' || CASE most
    WHEN -1 THEN 'no experiment was measured on both'
    WHEN 0 THEN 'no variant of any experiment is in both'
    WHEN 1 THEN 'their devices differ, A''s are ' || a.devices || ' and B''s ' || b.devices
        || '; compare one of each with A@DEVICE B@DEVICE'
    WHEN 2 THEN 'data set, n, seed or level differ in every variant; `orrery run` with the same'
        || ' preset and --set measures the same'
    ELSE 'every cell of the same input differs in some parameter; `orrery run` with the same --set'
        || ' measures the same' END)
FROM likeness JOIN side a ON a.operand = 'A' JOIN side b ON b.operand = 'B'
WHERE NOT EXISTS (SELECT 1 FROM pair WHERE a NOTNULL AND b NOTNULL);

-- Says in one line which cells got worse.
--: part worse
--: remark
WITH found AS (SELECT sum(finding <> 'broken') AS slower, sum(finding = 'broken') AS broken,
    count(*) AS cells FROM worse)
SELECT slower || ' cell' || iif(slower = 1, '', 's') || ' slower, ' || broken || ' broken:' || (
    SELECT group_concat(' ' || experiment || ' ' || label_a || ', ' || dataset_a
        || printf(' N = %.0f on ', n_a) || device_b || ' ' || iif(finding = 'broken',
            '(' || outcome_b || ')', printf('(%.3g times as fast%s)', ratio,
                iif(beside, ', with co-runners', ''))), ';')
    FROM (SELECT * FROM worse WHERE rank <= 5 ORDER BY rank))
    || iif(cells > 5, printf('; and %d more', cells - 5), '')
FROM found WHERE cells;

-- Says in one line which cells judge nothing.
--: part unclear
--: remark
SELECT count(*) || iif(count(*) = 1, ' cell is', ' cells are') || ' unclear, so that --fail-on does not'
    || ' count ' || iif(count(*) = 1, 'it: ', 'them: ') || group_concat(DISTINCT why)
FROM shown_pair WHERE finding = 'unclear' HAVING count(*);

-- The same cells measured twice: how many comparisons called a difference, and how large the
-- differences are, by the time of a step.
--: layout twice
--: setup
CREATE TEMP TABLE step_class AS
WITH class(place, step, below_s) AS (VALUES (0, 'all', NULL), (1, 'below 100 us', 1e-4),
    (2, '100 us to 1 ms', 1e-3), (3, 'above 1 ms', NULL)),
 one AS (
    SELECT 1 + (seconds_a >= 1e-4) + (seconds_a >= 1e-3) AS place, finding, beside,
        abs(ratio - 1) AS difference
    FROM shown_pair WHERE ratio IS NOT NULL),
 ranked AS (
    SELECT *, row_number() OVER (PARTITION BY place ORDER BY difference) AS rank,
        count(*) OVER (PARTITION BY place) AS cells
    FROM (SELECT * FROM one UNION ALL SELECT 0, finding, beside, difference FROM one))
SELECT place, step, below_s, count(finding) - coalesce(sum(finding = 'unclear'), 0) AS comparisons,
    coalesce(sum(finding IN ('faster', 'slower')), 0) AS different,
    coalesce(sum(finding = 'same'), 0) AS same,
    coalesce(sum(finding = 'not told apart'), 0) AS not_told_apart,
    coalesce(sum(finding = 'unclear'), 0) AS unclear,
    coalesce(sum(beside AND finding <> 'unclear'), 0) AS beside,
    avg(iif(rank IN ((cells + 1) / 2, (cells + 2) / 2), difference, NULL)) AS median_difference,
    max(difference) AS largest_difference
FROM class LEFT JOIN ranked USING (place) GROUP BY place;
--: facts
SELECT operand, word FROM operand UNION ALL SELECT 'margin', printf('%.4g %%', 100 * margin)
FROM rule;
--: data Comparisons by the time of a step
SELECT step, comparisons, different, 1.0 * different / nullif(comparisons, 0) AS share, same,
    not_told_apart, unclear, beside, median_difference, largest_difference
FROM step_class ORDER BY place;
--: column step | step | | left | all
--: columns right | all | comparisons, same, not_told_apart, unclear, different: called different
--: columns right | all | beside: beside others
--: columns percent | all | share, median_difference, largest_difference: largest
--: remark
SELECT finding || ': ' || experiment || ' ' || label || ', ' || dataset_a
    || printf(' N = %.0f on ', n_a) || device || ': '
    || iif(ratio IS NULL, outcome_a || ', then ' || outcome_b, time_a || ', then ' || time_b
        || iif(beside, ', with co-runners', ''))
FROM shown_pair WHERE finding IN ('faster', 'slower', 'broken', 'mended') ORDER BY place LIMIT 20;
--: remark
SELECT count(*) || iif(count(*) = 1, ' comparison is', ' comparisons are') || ' unclear: ' || why
    || iif(held_up IS NULL, '; `--repeats 3` decides', ': measure both without these')
FROM shown_pair WHERE finding = 'unclear' GROUP BY why ORDER BY why;
--: remark
SELECT beside || iif(beside = 1, ' comparison is', ' comparisons are') || ' of cells with'
    || ' co-runners' FROM step_class
WHERE place = 0 AND beside;

-- As a record of the journal.
--: part twice_found
--: remark
SELECT json_object('comparisons', a.comparisons, 'different', a.different, 'same', a.same,
    'not_told_apart', a.not_told_apart, 'unclear', a.unclear, 'beside', a.beside,
    'changed', (SELECT count(*) FROM pair WHERE finding IN ('broken', 'mended')),
    'margin', (SELECT margin FROM rule),
    'median_difference', a.median_difference, 'largest_difference', a.largest_difference,
    'devices', (SELECT json_group_array(device) FROM (
        SELECT DISTINCT device_b AS device FROM shown_pair WHERE ratio IS NOT NULL ORDER BY 1)),
    'steps', (SELECT json_group_array(json_object('below_s', below_s, 'comparisons', comparisons,
        'different', different, 'median_difference', median_difference,
        'largest_difference', largest_difference)) FROM step_class WHERE place > 0))
FROM step_class a WHERE place = 0;
