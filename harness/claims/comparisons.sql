-- What a paper's claims compare (docs/METHOD.md, "Claims"). claims.sql fills comparison and
-- sequence; found.sql finds which of them are differences.

-- Each timing is compared with 1; it is a quotient of what the claim compares.
CREATE TEMP TABLE comparison(claim TEXT NOT NULL, machine TEXT NOT NULL, device TEXT NOT NULL,
    timing BLOB);
-- Timings in the order of x: neighbours are compared, and the last with the first.
CREATE TEMP TABLE sequence(claim TEXT NOT NULL, machine TEXT NOT NULL, device TEXT NOT NULL,
    name TEXT NOT NULL, x REAL NOT NULL, timing BLOB);
-- What came of each. differs: 1, 0 not told apart, NULL unclear for want of processes.
CREATE TEMP TABLE found(claim TEXT, machine TEXT, device TEXT, apart BLOB, differs INTEGER);
CREATE INDEX temp.found_apart ON found(machine, apart);
CREATE INDEX temp.found_claim ON found(claim, machine, device);
