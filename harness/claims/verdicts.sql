-- SPDX-License-Identifier: MIT
-- Makes the verdicts of the paper that judged_paper names, of its parts.

-- The share that other programs may have taken of the cells behind a part; a scaled cell is as its source. A slope needs how
-- far apart the cells' sizes are.
CREATE TEMP VIEW disturbance AS
SELECT p.rowid AS part, 1.0 * max(c.n) / min(c.n) AS span,
    max(s.share) AS share
FROM part p, json_each(p.cells) j JOIN cell c ON c.cell_key = j.value JOIN disturbed s ON s.cell_key = coalesce((
    SELECT max(o.cell_key) FROM cell o WHERE o.id = c.extrapolated_from AND o.run_key = c.run_key AND o.extrapolated_from IS NULL),
    c.cell_key)
WHERE p.claim NOT IN (SELECT claim FROM untimed) GROUP BY p.rowid;

-- The number of each part and its interval; a timing that is announced has that of its machine's comparisons.
CREATE TEMP VIEW number AS
SELECT p.rowid AS part, p.*, typeof(p.value) = 'blob' AS is_timing,
    iif(typeof(p.value) = 'blob', timing_value(p.value), p.value) AS number,
    CASE WHEN typeof(p.value) <> 'blob' THEN p.low WHEN f.apart IS NULL THEN timing_low(p.value)
        ELSE iif(timing_value(p.value) < 1, 1 / f.high, f.low) END AS least,
    CASE WHEN typeof(p.value) <> 'blob' THEN p.high WHEN f.apart IS NULL THEN timing_high(p.value)
        ELSE iif(timing_value(p.value) < 1, 1 / f.low, f.high) END AS most
FROM part p LEFT JOIN (SELECT DISTINCT machine, apart, low, high FROM found) f
    ON f.machine = p.machine AND f.apart = timing_apart(p.value);

-- Others give no time: without them each may have taken its share less, a ratio or a rate be off by that, and a slope over
-- sizes by what their logarithms make of it, of least squares at most half as much again. What has no interval is exact, but
-- for a unit.
CREATE TEMP VIEW widened AS
SELECT part, claim, machine, device, reading, what, at, number, unit, holds, cannot, cells, is_timing,
    CASE WHEN NOT coalesce(share, 0) OR typeof(holds) = 'integer' OR (least IS NULL AND unit IS NULL) THEN least
        WHEN is_timing OR unit NOT NULL OR span = 1 THEN coalesce(least, number) * (1 - share)
        ELSE least + 1.5 * ln(1 - share) / ln(span) END AS least,
    CASE WHEN NOT coalesce(share, 0) OR typeof(holds) = 'integer' OR (most IS NULL AND unit IS NULL) THEN most
        WHEN is_timing OR unit NOT NULL OR span = 1 THEN coalesce(most, number) / (1 - share)
        ELSE most - 1.5 * ln(1 - share) / ln(span) END AS most
FROM number LEFT JOIN disturbance USING (part);

-- A part holds where its interval lies within its limits, and does not where it lies beyond them; else it is not told apart. A
-- difference of less than 2 % is none.
CREATE TEMP VIEW decided AS
SELECT *, CASE WHEN holds IS NULL OR typeof(limits) = 'integer' THEN holds
    WHEN low >= coalesce(json_extract(limits, '$[0]'), low) AND high <= coalesce(json_extract(limits, '$[1]'), high) THEN 1
    WHEN high < json_extract(limits, '$[0]') OR low > json_extract(limits, '$[1]') THEN 0 END AS is_so
FROM (SELECT *, iif(is_timing, least, coalesce(least, number)) AS low, iif(is_timing, most, coalesce(most, number)) AS high,
        CASE holds WHEN 'above 1.02' THEN '[1.02, null]' WHEN 'below 0.98' THEN json_array(NULL, 1 / 1.02)
        WHEN 'at least 0.98' THEN json_array(1 / 1.02, NULL) ELSE holds END AS limits
    FROM widened);

INSERT INTO judgement_part
SELECT key, d.claim, d.machine, d.device, w.reading, w.place, w.what, w.at, w.wants, p.number, p.least, p.most, p.unit,
    p.is_so, p.cannot, coalesce(p.cells, '[]'), p.claim NOT NULL
FROM judged_paper, (SELECT DISTINCT claim, machine, device FROM part) d JOIN wanted w USING (claim)
LEFT JOIN decided p ON p.claim = d.claim AND p.machine IS d.machine AND p.device IS d.device AND p.reading = w.reading
    AND p.what = w.what AND p.at = w.at;

INSERT INTO judgement_wanted
SELECT key, claim, reading, place, what, at, wants FROM judged_paper, wanted ORDER BY wanted.rowid;

INSERT INTO judgement_needs SELECT key, id, needs FROM judged_paper, claim;

INSERT INTO judgement_short SELECT key, claim, text FROM judged_paper, short;

INSERT INTO judgement_compared
SELECT key, claim, machine, device, count(*) FROM judged_paper, found GROUP BY claim, machine, device;

CREATE TEMP TABLE stated AS
SELECT *, CASE WHEN NOT is_measured THEN 'not measured' WHEN cannot NOT NULL THEN 'cannot' WHEN holds IS NULL
    THEN iif(value NOT NULL AND low IS NULL, 'unclear', 'open') WHEN holds THEN 'holds' ELSE 'fails' END AS state
FROM judgement_part WHERE paper = (SELECT key FROM judged_paper);

-- A verdict counts the parts that are told, where these are at least half: of the same machine measured twice, one part of six told by chance
-- made "reproduced" and "not reproduced". One that is unclear for want of processes leaves a verdict open that depends on it.
CREATE TEMP VIEW score AS
SELECT *, CASE WHEN of = 0 THEN 'not measurable here' WHEN measured < of THEN 'incomplete'
    WHEN 2 * (held + broken) < of OR (wanting > 0 AND (held = 0 OR broken = 0)) THEN 'unclear'
    WHEN broken = 0 THEN 'reproduced' WHEN held = 0 THEN 'not reproduced' ELSE 'partly' END AS verdict
FROM (SELECT *, of - none - held - broken AS unclear, of - none AS measured
    FROM (SELECT id, machine, device, reading, total(state <> 'cannot') AS of, total(state = 'not measured') AS none,
            total(state = 'holds') AS held, total(state = 'fails') AS broken, total(state = 'unclear') AS wanting
        FROM stated GROUP BY id, machine, device, reading));

-- Numbers of one quantity stand side by side, and so do the parts of one quantity of which the same became.
CREATE TEMP VIEW numbers AS
SELECT id, machine, device, reading, group_concat(what || ' ' || said || coalesce(' ' || unit, '') || coalesce(' at ' || at, ''), '; ') AS text
FROM (SELECT id, machine, device, reading, what, min(place) AS place, listing(place, shown(value)) AS said, max(unit) AS unit,
        places(place, at) AS at
    FROM stated WHERE value NOT NULL GROUP BY id, machine, device, reading, what ORDER BY place)
GROUP BY id, machine, device, reading;

-- "A over B" of two programs is how many times as fast A is.
CREATE TEMP VIEW worded AS
SELECT *, unit IS NULL AND instr(rest, ' over ') = 0 AND 2 = (
    SELECT count(DISTINCT name) FROM (SELECT faster AS name UNION SELECT substr(rest, 1, instr(rest || ',', ',') - 1))
    WHERE EXISTS (SELECT 1 FROM json_each(cells) k JOIN cell c ON c.cell_key = k.value
        WHERE name <> '' AND substr(c.variant, -length(name)) = name)) AS of_programs
FROM (SELECT *, substr(what, 1, instr(what, ' over ') - 1) AS faster, substr(what, instr(what, ' over ') + 6) AS rest
    FROM stated);

CREATE TEMP VIEW reason AS
SELECT id, machine, device, reading, state, min(place) AS place, CASE WHEN state <> 'fails' OR max(value) IS NULL THEN what
        WHEN of_programs THEN printf('%s is %s times as fast as %s', faster, listing(place, shown(value)), rest)
        ELSE what || ' is ' || listing(place, shown(value)) || coalesce(' ' || max(unit), '') END
    || coalesce(' at ' || places(place, at), '')
    || CASE state WHEN 'fails' THEN CASE WHEN NOT of_programs OR wants NOT IN ('above 1.02', 'at least 0.98')
            THEN printf(' (expected %s)', wants)
            ELSE printf(' (%s %s)', iif(reading = 'as printed', 'the paper says', 'expected'), iif(wants = 'above 1.02', 'faster', 'not slower')) END
        WHEN 'cannot' THEN ': ' || cannot ELSE '' END AS text
FROM worded WHERE state <> 'holds' GROUP BY id, machine, device, reading, state, what, wants, cannot, of_programs;

-- A sentence for each state.
CREATE TEMP VIEW reasons AS
SELECT id, machine, device, reading, group_concat(text, ' ') AS text
FROM (SELECT id, machine, device, reading, rank, word || ': ' || group_concat(text, '; ') || '.' AS text
    FROM (SELECT * FROM reason ORDER BY place) JOIN (SELECT column1 AS state, column2 AS rank, column3 AS word
        FROM (VALUES ('fails', 1, 'Broken'), ('unclear', 2, 'Unclear'), ('open', 3, 'Not told apart'),
            ('not measured', 4, 'Not measured'), ('cannot', 5, 'Cannot be judged here'))) USING (state)
    GROUP BY id, machine, device, reading, rank ORDER BY rank)
GROUP BY id, machine, device, reading;

CREATE TEMP VIEW notes AS
SELECT claim AS id, machine, device, reading, group_concat(text, '; ') AS text FROM note GROUP BY claim, machine, device, reading;

-- Cells behind a verdict that other programs may have disturbed. A cell of several parts counts once.
CREATE TEMP VIEW disturbed AS
SELECT id, machine, device, reading, printf('%d of %d cells behind this %s measured with co-runners%s: %s', marked, cells,
    iif(marked = 1, 'was', 'were'), iif(marked = 1, '', ', the busiest'), beside) AS text
FROM (SELECT *, count(*) OVER verdict AS cells, sum(beside NOT NULL) OVER verdict AS marked, row_number() OVER (
        PARTITION BY id, machine, device, reading ORDER BY beside IS NULL, others_cores DESC, cell_key) AS rank
    FROM (SELECT DISTINCT s.id, s.machine, s.device, s.reading, c.cell_key, c.beside, c.others_cores
        FROM stated s, json_each(s.cells) j JOIN cell c ON c.cell_key = j.value)
    WINDOW verdict AS (PARTITION BY id, machine, device, reading))
WHERE rank = 1 AND marked > 0;

-- The claim's command, for a device.
CREATE TEMP TABLE command AS
SELECT c.id, device, '`' || c.needs || coalesce(' --device ' || nullif(device_id(device), 'host'), '') AS text
FROM claim c, (SELECT DISTINCT device FROM latest UNION SELECT NULL);

-- Comparisons for want of processes.
CREATE TEMP VIEW want AS
SELECT f.claim AS id, f.machine, f.device, printf('%d of %d comparisons are unclear for want of three processes a side: ',
    count(*) - count(low), count(*)) || c.text || ' --repeats 3`' AS text
FROM found f JOIN command c ON c.id = f.claim AND c.device IS f.device
GROUP BY f.claim, f.machine, f.device HAVING count(*) > count(low);

INSERT INTO judgement(paper, place, id, section, text, quote, published, machine, device, reading, verdict, held, of,
    measured_parts, unclear, measured, why)
SELECT key, c.rowid, c.id, c.section, c.text, c.quote, c.published, s.machine, s.device, s.reading, s.verdict, s.held, s.of,
    s.measured, s.unclear, n.text, trim(CASE WHEN s.held = s.of AND s.of > 0 THEN iif(s.of = 1, 'It holds.', printf('All %d parts hold.', s.of))
        WHEN s.measured > 1 THEN printf('%d of %d parts hold.', s.held, s.of) ELSE '' END || coalesce(' ' || r.text, ''))
    || coalesce(' Also: ' || o.text || '.', '') || coalesce(' ' || d.text || '.', '')
    || coalesce(iif(s.wanting > 0, ' ' || w.text, NULL),
        iif(s.verdict = 'incomplete' AND c.needs LIKE 'orrery %', ' The rest takes ' || m.text || '`', ''))
FROM judged_paper, score s JOIN claim c USING (id)
LEFT JOIN numbers n ON n.id = s.id AND n.machine IS s.machine AND n.device IS s.device AND n.reading = s.reading
LEFT JOIN reasons r ON r.id = s.id AND r.machine IS s.machine AND r.device IS s.device AND r.reading = s.reading
LEFT JOIN notes o ON o.id = s.id AND o.machine IS s.machine AND o.device IS s.device AND o.reading = s.reading
LEFT JOIN disturbed d ON d.id = s.id AND d.machine IS s.machine AND d.device IS s.device AND d.reading = s.reading
LEFT JOIN command m ON m.id = s.id AND m.device IS s.device
LEFT JOIN want w ON w.id = s.id AND w.machine = s.machine AND w.device = s.device;

-- A claim without a verdict on a device that measured the paper says what it would take. The host counts only where it is
-- the only device, since it carries the baselines, and OpenCL only where it is the card's only interface.
CREATE TEMP TABLE here AS
WITH ran AS MATERIALIZED (SELECT DISTINCT machine, device FROM latest JOIN judged_paper ON paper = key),
cards AS MATERIALIZED (
    SELECT DISTINCT o.machine, o.device, d.backend, d.device_name
    FROM ran o JOIN run r USING (machine) JOIN device d ON d.run_key = r.run_key AND d.device = o.device),
measured AS (
    SELECT * FROM ran r
    WHERE (device <> 'host' OR NOT EXISTS (SELECT 1 FROM ran o WHERE o.machine = r.machine AND o.device <> 'host'))
      AND NOT EXISTS (
        SELECT 1 FROM cards a JOIN cards b USING (machine, device_name)
        WHERE a.machine = r.machine AND a.device = r.device AND a.backend = 'opencl' AND b.backend = 'cuda'))
SELECT * FROM measured UNION ALL SELECT NULL, NULL WHERE NOT EXISTS (SELECT 1 FROM measured);

CREATE TEMP TABLE failed AS
SELECT c.id, h.machine, h.device, printf('%d of its cells did not end well, such as ', count(*))
    || max(f.variant || ': ' || f.outcome || ': ' || coalesce(f.reason, '')) AS text
FROM claim c, here h JOIN latest f ON f.machine = h.machine AND f.device IN (h.device, 'host')
WHERE f.outcome <> 'ok' AND instr(c.needs || ' ', ' ' || f.experiment || ' ')
GROUP BY c.id, h.machine, h.device;

INSERT INTO judgement(paper, place, id, section, text, quote, published, machine, device, reading, verdict, held, of,
    measured_parts, unclear, measured, why)
SELECT key, c.rowid, c.id, c.section, c.text, c.quote, c.published, h.machine, h.device, 'as printed',
    iif(c.needs LIKE 'orrery %' AND f.text IS NULL AND w.of > 0, 'incomplete', 'not measurable here'), 0, w.of, 0, 0, NULL,
    iif(c.needs LIKE 'orrery %', 'needs ' || m.text || '`', c.needs) || coalesce('; ' || f.text, '')
FROM judged_paper, here h, claim c JOIN command m ON m.id = c.id AND m.device IS h.device
LEFT JOIN failed f ON f.id = c.id AND f.machine = h.machine AND f.device = h.device
LEFT JOIN (SELECT claim AS id, count(*) AS of FROM wanted WHERE reading = 'as printed' GROUP BY claim) w ON w.id = c.id
WHERE NOT EXISTS (SELECT 1 FROM judgement j WHERE j.paper = key AND j.id = c.id
    AND (j.machine IS NULL OR (j.machine = h.machine AND j.device = h.device)));

--: text found
-- Fills found once comparison and sequence are full. Of a machine's comparisons that are called
-- different at most 5 % are false on average. What several claims compare counts once.
INSERT INTO found
WITH asked AS (
    SELECT claim, machine, device, timing_apart(timing) AS apart FROM comparison
    UNION
    SELECT claim, machine, device, timing_apart(timing_over(timing,
        lag(timing) OVER (PARTITION BY claim, machine, device, name ORDER BY x))) FROM sequence
    UNION
    SELECT a.claim, a.machine, a.device, timing_apart(timing_over(b.timing, a.timing))
    FROM (SELECT *, min(x) FROM sequence GROUP BY claim, machine, device, name) a
    JOIN (SELECT *, max(x) FROM sequence GROUP BY claim, machine, device, name) b
        USING (claim, machine, device, name)
    WHERE a.x < b.x),
prior AS (SELECT machine, timing_prior(apart) AS prior
    FROM (SELECT DISTINCT machine, apart FROM asked) GROUP BY machine),
tested AS (SELECT DISTINCT machine, apart, timing_p(apart, prior) AS p
    FROM asked JOIN prior USING (machine) WHERE apart NOT NULL),
every AS (SELECT machine, p_values(p) AS everything FROM tested GROUP BY machine),
-- Where so many of all are different, an interval that misses 1 has a p value of that many times 5 % over all, and intervals
-- of those that are told are wrong in 5 % of the cases (Benjamini & Yekutieli 2005).
level AS (SELECT machine, 0.05 * max(1, total(p_adjusted(p, everything) <= 0.05)) / max(1, count(p)) AS tail
    FROM tested JOIN every USING (machine) GROUP BY machine)
SELECT claim, machine, device, apart, timing_low(apart, prior, tail), timing_high(apart, prior, tail)
FROM asked JOIN prior USING (machine) JOIN level USING (machine) WHERE apart NOT NULL;

--: text findings
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
