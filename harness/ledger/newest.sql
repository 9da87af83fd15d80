-- SPDX-License-Identifier: MIT
-- Run once journals were loaded: names become identities, then the newest cells are found.

-- A name is not an identity. Machines of one name that
-- are not one machine, and devices of one id that are not one device, are told apart by what differs
-- between them: "amd-epyc-2-cores (avx2+fma)", "opencl:0.0 (PoCL 6.0)". Names that mean one thing stay
-- as they are. All of it is done anew from what the journals say whenever more are loaded.
INSERT OR IGNORE INTO named SELECT run_key, machine FROM run;

CREATE TEMP TABLE machine_now AS
WITH one AS (SELECT run_key, operand, n.machine, cpu, simd, threads,
        instr('/' || path, '/results/reference/') > 0 AS reference FROM run JOIN named n USING (run_key)),
kinds AS (SELECT operand, machine, count(DISTINCT cpu) AS cpus, count(DISTINCT simd) AS simds,
        count(DISTINCT threads) AS counts, count(DISTINCT reference) AS origins
    FROM one GROUP BY operand, machine)
SELECT run_key, machine || coalesce(' (' || nullif(trim(iif(cpus > 1, ', ' || cpu, '')
        || iif(counts > 1, printf(', %d thread%s', threads, iif(threads = 1, '', 's')), '')
        || iif(simds > 1, ', ' || simd, '') || iif(origins > 1 AND reference, ', reference', ''),
        ', '), '') || ')', '') AS machine
FROM one JOIN kinds USING (operand, machine);
UPDATE run SET machine = o.machine FROM machine_now o
WHERE o.run_key = run.run_key AND o.machine <> run.machine;
DROP TABLE machine_now;

-- Older journals do not name the implementation of OpenCL; its version does.
INSERT INTO alias SELECT run_key, device, device FROM device d
WHERE NOT EXISTS (SELECT 1 FROM alias a WHERE a.run_key = d.run_key AND a.device = d.device);
WITH one AS (SELECT d.run_key, a.given, a.device, r.operand, r.machine, d.device_name,
        coalesce(nullif(platform, ''), CASE WHEN toolkit LIKE '% PoCL%'
            THEN 'PoCL ' || substr(driver, instr(driver, ', driver ') + 9)
            WHEN driver LIKE 'OpenCL % CUDA,%' THEN 'NVIDIA CUDA' ELSE '' END) AS platform
    FROM device d JOIN alias a USING (run_key, device) JOIN run r USING (run_key)
    WHERE EXISTS (SELECT 1 FROM cell c WHERE c.run_key = d.run_key AND c.device = d.device)
        OR EXISTS (SELECT 1 FROM access_rate c WHERE c.run_key = d.run_key AND c.device = d.device)),
kinds AS (SELECT operand, machine, given, count(DISTINCT platform) AS platforms,
        count(DISTINCT device_name) AS names FROM one GROUP BY operand, machine, given)
UPDATE alias SET device = o.now FROM (
    SELECT run_key, given, given || CASE WHEN platforms > 1 AND platform <> '' THEN ' (' || platform || ')'
        WHEN platforms > 1 OR names > 1 THEN ' (' || device_name || ')' ELSE '' END AS now
    FROM one JOIN kinds USING (operand, machine, given)) o
WHERE o.run_key = alias.run_key AND o.given = alias.given AND o.now <> alias.device;

-- Which cells are the newest (schema.sql, latest). Those of
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
