-- SPDX-License-Identifier: MIT
-- These are the tables that claims.sql fills and asks (harness/claims/claims.h; docs/METHOD.md, "Claims"), for one paper at a time.

CREATE TEMP TABLE claim(id TEXT NOT NULL PRIMARY KEY, section TEXT, text TEXT NOT NULL, quote TEXT,
    published TEXT NOT NULL, needs TEXT NOT NULL);
-- The claim in one sentence that a table has room for, beside the verdicts of three machines.
CREATE TEMP TABLE short(claim TEXT NOT NULL PRIMARY KEY,
    text TEXT NOT NULL CONSTRAINT "a short claim has at most 54 characters" CHECK (length(text) <= 54));

-- Each timing is compared with 1; it is a quotient of what the claim compares.
CREATE TEMP TABLE comparison(claim TEXT NOT NULL, machine TEXT NOT NULL, device TEXT NOT NULL,
    timing BLOB);
-- Timings in the order of x: neighbours are compared, and the last with the first.
CREATE TEMP TABLE sequence(claim TEXT NOT NULL, machine TEXT NOT NULL, device TEXT NOT NULL,
    name TEXT NOT NULL, x REAL NOT NULL, timing BLOB, cells TEXT DEFAULT '[]');
-- The interval of each, on the side of 1 on which it is above; NULL for want of processes.
CREATE TEMP TABLE found(claim TEXT, machine TEXT, device TEXT, apart BLOB, low REAL, high REAL);
CREATE INDEX temp.found_apart ON found(machine, apart);
CREATE INDEX temp.found_claim ON found(claim, machine, device);

-- The neighbours of each sequence, and its last over its first as those whose x_from is the least and x the
-- greatest: the timing of one over the other.
CREATE TEMP VIEW quotient AS
SELECT *, timing_over(later, earlier) AS timing,
    (SELECT json_group_array(value) FROM (SELECT value FROM json_each(some) UNION SELECT value FROM json_each(more)))
        AS cells
FROM (SELECT claim, machine, device, name, x, timing AS later, cells AS more, lag(x) OVER line AS x_from,
        lag(timing) OVER line AS earlier, lag(cells) OVER line AS some, 0 AS whole
    FROM sequence WHERE timing NOT NULL WINDOW line AS (PARTITION BY claim, machine, device, name ORDER BY x)
    UNION ALL
    SELECT claim, machine, device, name, b.x, b.timing, b.cells, a.x, a.timing, a.cells, 1
    FROM (SELECT *, min(x) FROM sequence WHERE timing NOT NULL GROUP BY claim, machine, device, name) a
    JOIN (SELECT *, max(x) FROM sequence WHERE timing NOT NULL GROUP BY claim, machine, device, name) b
        USING (claim, machine, device, name))
WHERE x > x_from;
CREATE TEMP VIEW step AS
SELECT claim, machine, device, name, x_from, x, timing, cells
FROM quotient WHERE NOT whole;
CREATE TEMP VIEW rise AS
SELECT claim, machine, device, name, x_from, x, timing, cells
FROM quotient WHERE whole;

-- The parts of a claim, whatever was measured.
CREATE TEMP TABLE wanted(claim TEXT NOT NULL,
    reading TEXT NOT NULL CONSTRAINT "readings are as printed, where the device is full or mechanism"
        CHECK (reading IN ('as printed', 'where the device is full', 'mechanism')),
    what TEXT NOT NULL, at TEXT NOT NULL, place REAL NOT NULL, wants TEXT NOT NULL,
    UNIQUE (claim, reading, what, at));
-- What was found of one on one device; NULL and NULL where it takes none. value: a number, with an interval or without, or a
-- timing, which has its own. holds: within which limits the interval is to lie, as an array in JSON, NULL for no limit, or in
-- words; or the answer itself.
CREATE TEMP TABLE part(claim TEXT NOT NULL, machine TEXT, device TEXT, reading TEXT NOT NULL, what TEXT NOT NULL,
    at TEXT NOT NULL, value REAL, low REAL, high REAL, unit TEXT,
    holds INTEGER CONSTRAINT "a part holds: 1, 0, NULL, above 1.02, below 0.98, at least 0.98 or [least, most]"
        CHECK (holds IN (0, 1, 'above 1.02', 'below 0.98', 'at least 0.98')
            OR iif(json_valid(holds), json_type(holds) = 'array' AND json_array_length(holds) = 2, 0)), cannot TEXT,
    cells TEXT NOT NULL CONSTRAINT "cells are an array in JSON" CHECK (json_type(cells) = 'array'),
    UNIQUE (claim, machine, device, reading, what, at));
-- Claims of errors and counts, which no other program disturbs.
CREATE TEMP TABLE untimed(claim TEXT NOT NULL);
CREATE TEMP TABLE note(claim TEXT NOT NULL, machine TEXT, device TEXT, reading TEXT NOT NULL, text TEXT);

-- Claims ask for pairs of cells of an experiment. Comparisons join on much more, and an index that is
-- always there would take them a worse way.
CREATE INDEX IF NOT EXISTS main.cell_experiment ON cell(experiment);
-- The cells of the paper ?1. Those with cold caches (of older journals) are in no setting of it: no claim sees them.
CREATE TEMP TABLE latest AS
SELECT * FROM main.latest
WHERE paper = ?1 AND coalesce(json_extract(parameters, '$.caches'), 'warm') = 'warm';
CREATE UNIQUE INDEX temp.latest_cell ON latest(cell_key);
CREATE TEMP VIEW compared AS
SELECT s.*, s.extrapolated AS estimated, coalesce(ratio_low, ratio) AS low, coalesce(ratio_high, ratio) AS high,
    timing_over(timing_of(s.baseline_key), timing_of(s.cell_key)) AS timing, json_array(s.cell_key, s.baseline_key) AS cells
FROM speedups s JOIN cell a ON a.cell_key = s.cell_key
-- The + keeps SQLite from pairing all cells with all others by their keys.
WHERE a.extrapolated_from IS NULL AND +s.cell_key IN (SELECT cell_key FROM latest)
    AND +s.baseline_key IN (SELECT cell_key FROM latest);

--: text book
-- These tables keep what was judged of all papers so far.

-- A claim's place is its order in claims.sql. `of` parts could be told here, `measured_parts` of them were, `held` of
-- these hold and `unclear` are not told apart. range: the best and the worst verdict over what the paper does not print,
-- where they differ.
CREATE TEMP TABLE IF NOT EXISTS judgement(paper TEXT, place INTEGER, id TEXT, section TEXT, text TEXT, quote TEXT,
    published TEXT, machine TEXT, device TEXT, reading TEXT, verdict TEXT, held INTEGER, of INTEGER,
    measured_parts INTEGER, unclear INTEGER, measured TEXT, why TEXT, range TEXT);
CREATE TEMP TABLE IF NOT EXISTS judgement_part(paper TEXT, id TEXT, machine TEXT, device TEXT, reading TEXT, place REAL,
    what TEXT, at TEXT, wants TEXT, value REAL, low REAL, high REAL, unit TEXT, holds INTEGER, cannot TEXT, cells TEXT,
    is_measured INTEGER);
-- The number of differences that a claim calls.
CREATE TEMP TABLE IF NOT EXISTS judgement_compared(paper TEXT, id TEXT, machine TEXT, device TEXT,
    comparisons INTEGER);
-- The parts that claims have wherever they are judged.
CREATE TEMP TABLE IF NOT EXISTS judgement_wanted(paper TEXT, id TEXT, reading TEXT, place REAL, what TEXT,
    at TEXT, wants TEXT);
-- Their sentences of at most 54 characters.
CREATE TEMP TABLE IF NOT EXISTS judgement_short(paper TEXT, id TEXT, text TEXT);
-- The command that measures each claim, or why no device can.
CREATE TEMP TABLE IF NOT EXISTS judgement_needs(paper TEXT, id TEXT, needs TEXT);
-- The verdict on a claim that hangs on a guess, with a value that was not taken.
CREATE TEMP TABLE IF NOT EXISTS judgement_choice(paper TEXT, guess INTEGER, place INTEGER, id TEXT, machine TEXT,
    device TEXT, verdict TEXT, held INTEGER, of INTEGER, measured_parts INTEGER, unclear INTEGER);
