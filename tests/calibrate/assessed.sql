-- SPDX-License-Identifier: MIT
-- What came of a calibration. A claim in one reading is `reproduced` by printed numbers where all
-- parts hold that these feed, but for those that the paper contradicts itself; where they feed none
-- it is not judgeable. What is reproduced of numbers that say nothing is a fault of the claim.

-- What came of each part. fed: told by printed numbers; not so what is unclear where one of the
-- part's cells has no printed time.
CREATE TEMP TABLE outcome AS
SELECT p.*, told AND NOT (holds IS NULL AND EXISTS (SELECT 1 FROM json_each(p.cells) j
        JOIN untimed u ON u.id = json_extract(j.value, '$[0]'))) AS fed
FROM told_part p;
CREATE INDEX temp.outcome_claim ON outcome(id, reading, machine);

-- Verdicts by what became of their parts. The host counts only where it is the only device, a
-- derivation only once.
CREATE TEMP TABLE tally AS
SELECT t.machine, t.place, t.id, t.reading, t.derived, t.verdict, t.published, t.comparisons, t.fed,
    coalesce(sum(o.counts), t.of, 0) AS of, total(o.fed AND o.holds NOT NULL) AS measured, total(o.fed AND o.holds IS NULL) AS open,
    total(o.fed AND o.holds IS 1) AS held
FROM told t LEFT JOIN outcome o ON o.machine = t.machine AND o.id = t.id
    AND o.reading = t.reading AND o.derived = t.derived AND o.device IS t.device
WHERE iif(t.derived, t.machine = 'published', t.device <> 'host' OR NOT EXISTS (SELECT 1 FROM told o
        WHERE o.machine = t.machine AND o.id = t.id AND o.device <> 'host'))
GROUP BY t.rowid;

-- Parts that do not hold of printed numbers, with the erratum that says why.
CREATE TEMP TABLE amiss AS
SELECT p.id, p.reading, p.place, p.what, p.at, p.value, p.holds, p.wants, e.why
FROM outcome p LEFT JOIN erratum e ON e.claim = p.id AND e.reading IN ('', p.reading)
    AND e.what IN ('', p.what) AND e.at IN ('', p.at)
WHERE p.machine = 'published' AND fed AND holds IS 0;

-- Errata of parts that hold, or that no claim has.
CREATE TEMP VIEW idle AS
SELECT claim, trim(what || ' ' || at) AS part, why FROM erratum e
WHERE NOT EXISTS (SELECT 1 FROM amiss a WHERE a.id = e.claim AND e.reading IN ('', a.reading) AND e.what IN ('', a.what) AND e.at IN ('', a.at));

-- The cells behind a claim's parts.
CREATE TEMP VIEW behind AS
SELECT p.id, p.reading, count(DISTINCT j.value) AS cells,
    count(DISTINCT iif(json_extract(j.value, '$[1]'), j.value, NULL)) AS scaled
FROM outcome p, json_each(p.cells) j
WHERE p.machine = 'published' AND fed GROUP BY p.id, p.reading;

-- Which nulls refute a claim that printed numbers may reproduce: the shuffles are one kind of null.
CREATE TEMP VIEW refuted AS
SELECT id, reading, total(times) AS times, total(of) AS of,
    total(iif(null_kind = 'tenfold', 0, of - times)) AS blind, group_concat(CASE times WHEN 0 THEN NULL
        WHEN of THEN null_kind ELSE printf('%s %d of %d', null_kind, times, of) END, ', ') AS nulls
FROM (SELECT id, reading, substr(machine, 1, instr(machine || '-', '-') - 1) AS null_kind,
        total(held < measured) AS times, count(*) AS of
    FROM tally JOIN machine m USING (machine) WHERE m.place = 1 AND measured > 0
    GROUP BY id, reading, null_kind ORDER BY null_kind)
GROUP BY id, reading;

CREATE TEMP TABLE assessed AS
SELECT t.id AS claim, t.reading, t.derived AND measured > 0 AS derived, t.verdict, t.published, t.held,
    t.measured, t.open, t.of, t.fed, coalesce(b.cells, 0) AS cells, coalesce(b.scaled, 0) AS scaled,
    (SELECT count(*) FROM amiss a WHERE a.id = t.id AND a.reading = t.reading AND why NOT NULL)
        AS excused,
    coalesce(r.nulls, '') AS refuted,
    -- Differences, orders and growths are refuted by every null but `tenfold`, which leaves them;
    -- an amount that is fed as a whole by one null at least.
    coalesce(NOT t.derived AND measured > 0 AND iif(comparisons > 0, r.blind > 0,
        measured = t.of AND r.times = 0), 0) AS blind
FROM tally t LEFT JOIN behind b USING (id, reading) LEFT JOIN refuted r USING (id, reading)
WHERE t.machine = 'published'
ORDER BY place, t.reading <> 'as printed', t.reading;

-- Parts that hold of printed numbers and of every null.
CREATE TEMP VIEW unrefuted AS
SELECT id, reading, place, what, at FROM outcome p
WHERE machine = 'published' AND fed AND holds AND cells <> '[]' AND NOT EXISTS (
    SELECT 1 FROM outcome n WHERE n.id = p.id AND n.reading = p.reading AND n.what = p.what
        AND n.at = p.at AND n.machine IN (SELECT machine FROM machine WHERE place = 1) AND n.holds IS NOT 1);

-- What is held of the published numbers and broken beside other programs, or the reverse: parts, and claims as a whole.
CREATE TEMP VIEW opposite AS
SELECT DISTINCT p.id, p.reading, p.place, p.what || iif(p.at = '', '', ' at ' || p.at) AS part
FROM outcome p JOIN outcome o USING (id, reading, what, at) JOIN machine m ON m.machine = o.machine AND m.place = 2
WHERE p.machine = 'published' AND p.fed AND p.holds <> o.holds
UNION
SELECT p.id, p.reading, 0, 'the verdict' FROM tally p JOIN tally o USING (id, reading) JOIN machine m ON m.machine = o.machine AND m.place = 2
WHERE p.machine = 'published' AND p.measured > 0 AND o.measured > 0 AND ((p.held = p.measured AND o.held = 0) OR (p.held = 0 AND o.held = o.measured));

-- The same in words, a row for each claim and reading, and one for each erratum that excuses nothing.
-- why: what is printed, of a claim that nothing judges. amiss: the parts that do not hold; unrefuted: those that no null refutes; both as JSON. fails,
-- blind: what is wrong with the claim.
CREATE TEMP VIEW calibration AS
SELECT claim, iif(reading = 'as printed', '', reading) AS reading,
    CASE WHEN measured = 0 AND open THEN 'unclear' WHEN measured = 0 THEN 'not judgeable: ' || iif(a.fed,
            'what is printed feeds no part', 'nothing printed')
        WHEN held = measured THEN 'reproduced' WHEN held + excused >= measured
        THEN 'reproduced but for errata' ELSE verdict END AS verdict,
    iif(measured = 0, '', printf('%d of %d', held, measured) || iif(open, printf(', %d not told apart', open), '')
        || iif(of > measured + open, printf(', %d not printed', of - measured - open), '')) AS parts,
    CASE WHEN derived THEN 'a derivation' WHEN cells THEN printf('%d cells', cells)
        || iif(scaled, printf(', %d scaled', scaled), '') ELSE '' END AS fed,
    iif(measured = 0, '', refuted) AS refuted, (SELECT json_group_array(json_object('part',
            what || iif(at = '', '', ' at ' || at), 'value', value, 'wants', wants, 'is', 'not so', 'erratum', why))
        FROM (SELECT * FROM amiss m WHERE m.id = a.claim AND m.reading = a.reading ORDER BY place))
        AS amiss, (SELECT json_group_array(what || iif(at = '', '', ' at ' || at)) FROM (
            SELECT * FROM unrefuted u WHERE u.id = a.claim AND u.reading = a.reading
            ORDER BY place)) AS unrefuted,
    (SELECT json_group_array(part) FROM (SELECT * FROM opposite o WHERE o.id = a.claim AND o.reading = a.reading ORDER BY place)) AS opposite,
    held + excused < measured OR EXISTS (SELECT 1 FROM opposite o WHERE o.id = a.claim AND o.reading = a.reading) AS fails, blind,
    iif(measured + open, '', iif(reading = 'as printed', published, iif(reading = 'mechanism', 'of the mechanism nothing is printed', 'nothing is printed of sizes that fill the card'))) AS why
FROM assessed a
UNION ALL
SELECT claim, '', 'an erratum that excuses nothing: ' || part, '', '', '', '[]', '[]', '[]', 1, 0, '' FROM idle;
