-- SPDX-License-Identifier: MIT
-- What a paper's own numbers would be as a journal (docs/METHOD.md, "The judge is judged").

-- The cells of the preset `paper`, in the order of its plan; tests/calibrate.c fills it. level,
-- per_box, steps, theta: NULL where there is none. pairs: of the step, by which times are scaled;
-- source: the cell that this one would be scaled from, NULL for one that would be measured;
-- interactions: NULL of a tree; record: what a journal says of the cell before it is measured, JSON.
CREATE TEMP TABLE planned(cell INTEGER PRIMARY KEY, id TEXT, experiment TEXT, variant TEXT, device TEXT,
    dataset TEXT, n INTEGER, level INTEGER, per_box INTEGER, steps INTEGER, theta REAL,
    parameters TEXT, pairs REAL, source INTEGER, interactions REAL, record TEXT);

-- What is printed of each cell. what: 'seconds', of a step; 'phase' and 'stage', seconds of the one
-- that is named; 'figure' and 'kernel', a number that the variant or the compiler tells; 'member',
-- any other number of the record by its path. card: the paper's device. A paper's calibration.sql
-- adds what only it can say of its numbers.
CREATE TEMP TABLE fed(cell INTEGER NOT NULL, what TEXT NOT NULL CHECK (what IN
    ('seconds', 'phase', 'stage', 'figure', 'kernel', 'count', 'member')), name TEXT NOT NULL,
    value REAL NOT NULL CHECK (value > 0 OR (value = 0 AND what = 'count')), card TEXT, UNIQUE (cell, what, name) ON CONFLICT IGNORE);
-- What is fed to every machine that is made up: `published`, and those of null.sql.
CREATE TEMP TABLE given(machine TEXT, cell INTEGER, what TEXT, name TEXT, value REAL, card TEXT);
-- What came of each machine; judged.sql says what the rest means.
CREATE TEMP TABLE told(machine TEXT, paper TEXT, place INTEGER, id TEXT, reading TEXT,
    derived INTEGER, device TEXT, verdict TEXT, published TEXT, of INTEGER, comparisons INTEGER, fed INTEGER);
CREATE TEMP TABLE told_part(machine TEXT, id TEXT, reading TEXT, derived INTEGER, device TEXT,
    place REAL, what TEXT, at TEXT, wants TEXT, value TEXT, holds INTEGER, told INTEGER,
    counts INTEGER, cells TEXT);
-- What the card is, as a journal describes it.
CREATE TEMP TABLE card(description TEXT);
