-- Once journals were loaded, before newest.sql: a name is not an identity. Machines of one name that
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
