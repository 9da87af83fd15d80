-- SPDX-License-Identifier: MIT
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
