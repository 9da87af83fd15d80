-- What was judged of all papers so far.

-- A claim's place is its order in claims.sql. `of` parts could be told here, `measured_parts` of them were, `held` of
-- these hold and `unclear` are not told apart.
CREATE TEMP TABLE IF NOT EXISTS judgement(paper TEXT, place INTEGER, id TEXT, section TEXT, text TEXT, quote TEXT,
    published TEXT, machine TEXT, device TEXT, reading TEXT, verdict TEXT, held INTEGER, of INTEGER,
    measured_parts INTEGER, unclear INTEGER, measured TEXT, why TEXT);
CREATE TEMP TABLE IF NOT EXISTS judgement_part(paper TEXT, id TEXT, machine TEXT, device TEXT, reading TEXT, place REAL,
    what TEXT, at TEXT, wants TEXT, value REAL, low REAL, high REAL, unit TEXT, holds INTEGER, cannot TEXT, cells TEXT,
    is_measured INTEGER);
-- How many differences a claim calls.
CREATE TEMP TABLE IF NOT EXISTS judgement_compared(paper TEXT, id TEXT, machine TEXT, device TEXT,
    comparisons INTEGER);
-- The parts that claims have wherever they are judged.
CREATE TEMP TABLE IF NOT EXISTS judgement_wanted(paper TEXT, id TEXT, reading TEXT, place REAL, what TEXT,
    at TEXT, wants TEXT);
-- Their sentences of at most 54 characters.
CREATE TEMP TABLE IF NOT EXISTS judgement_short(paper TEXT, id TEXT, text TEXT);
-- What measures them.
CREATE TEMP TABLE IF NOT EXISTS judgement_needs(paper TEXT, id TEXT, needs TEXT);
