-- Once journals were loaded: which of their cells are the newest (schema.sql, latest). Those of
-- several ranks are for experiments with an axis of that name; elsewhere a cell is of one device.
-- A tuner's cells and those with tuned settings are none of them: what is shown is the default.
-- begun: '' of a run that is dated in the future, by a clock that was ahead; it is older than others.
-- same: the settings of a cell, its id where it failed before it had any. Another measurement of
-- the same plugin by more processes, up to three, stands before the newest one, if that has nothing
-- more to say: three tell differences (docs/METHOD.md, "Statistics"), and what was once measured with
-- care is not hidden by a look. Without counters of its own it has those of the newest measurement
-- that took any.
DELETE FROM newest;
DELETE FROM counter WHERE origin NOT NULL;
CREATE TEMP TABLE aged AS
WITH one AS (
    SELECT *, row_number() OVER (PARTITION BY run_key, id ORDER BY extrapolated, cell_key DESC)
        AS turn, iif(run_started > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+1 hour'), '',
            coalesce(started, run_started)) AS begun
    FROM cells WHERE tuning IS NULL AND (coalesce(ranks, 1) = 1 OR EXISTS (SELECT 1
        FROM axis a WHERE a.experiment = cells.experiment AND a.name = 'ranks'))),
known AS (
    SELECT *, coalesce(first_value(parameters) OVER (PARTITION BY operand, machine, id
        ORDER BY parameters IS NULL, extrapolated, begun DESC, cell_key DESC), id) AS same
    FROM one WHERE turn = 1)
SELECT cell_key, extrapolated, begun, outcome = 'ok' AS ok, plugin_sha256 AS plugin, processes,
    joules_step NOT NULL AS joules, row_number() OVER ages AS age,
    first_value(cell_key) OVER ages AS newest
FROM known
WINDOW ages AS (PARTITION BY operand, machine, experiment, variant, device, dataset, n, seed, same
    ORDER BY extrapolated, begun DESC, cell_key DESC);
CREATE INDEX aged_newest ON aged(newest);

CREATE TEMP TABLE kin AS -- the newest, and what it may be shown by
SELECT o.*, n.newest AS of, row_number() OVER (PARTITION BY n.newest ORDER BY o.extrapolated,
    min(coalesce(o.processes, 0), 3) DESC, o.age) AS place
FROM aged n JOIN aged o ON o.newest = n.newest
WHERE n.age = 1 AND (o.age = 1 OR n.ok AND o.ok AND o.extrapolated = n.extrapolated
    AND o.plugin = n.plugin AND o.joules >= n.joules);
INSERT INTO newest SELECT cell_key FROM kin WHERE place = 1;

INSERT INTO counter
SELECT s.cell_key, c.source, c.name, c.value, c.cell_key
FROM kin s JOIN (
    SELECT k.of, k.cell_key, row_number() OVER (PARTITION BY k.of ORDER BY k.age) AS turn
    FROM kin k WHERE EXISTS (SELECT 1 FROM counter c WHERE c.cell_key = k.cell_key)) k
    ON k.of = s.of AND k.turn = 1
JOIN counter c ON c.cell_key = k.cell_key
WHERE s.place = 1 AND NOT EXISTS (SELECT 1 FROM counter o WHERE o.cell_key = s.cell_key);
DROP TABLE kin;
DROP TABLE aged;
