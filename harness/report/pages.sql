-- SPDX-License-Identifier: MIT
-- Sections of the report that are of the ledger alone. machine_turn(machine, turn) has the order of machines in all pages.
-- present/queries.h says how such a file is read.

-- One verdict of each claim on each device, once all are judged. A machine on which nothing could be judged, as one with scaling
-- alone, has none beside others.
--: layout scores
--: setup
CREATE TEMP TABLE judged AS
SELECT DISTINCT machine FROM judgement WHERE machine NOT NULL AND verdict NOT IN ('incomplete', 'not measurable here');
DELETE FROM judgement WHERE machine NOT NULL AND machine NOT IN (SELECT machine FROM judged)
    AND (paper, id) IN (SELECT paper, id FROM judgement WHERE machine IS NULL OR machine IN (SELECT machine FROM judged));
-- As printed, where it was judged so. readings: what became of each reading.
CREATE TEMP TABLE score AS
SELECT * FROM (SELECT j.paper, j.place, j.id, coalesce(s.text, j.text) AS text, j.machine, j.device, j.verdict, j.held, j.of, t.turn,
        row_number() OVER of_device AS choice,
        group_concat(reading || ': ' || verdict, '; ') OVER (PARTITION BY j.paper, j.id, j.machine, j.device) AS readings
    FROM judgement j LEFT JOIN judgement_short s USING (paper, id) LEFT JOIN machine_turn t USING (machine)
    WHERE j.machine IS NULL OR t.turn NOT NULL
    WINDOW of_device AS (PARTITION BY j.paper, j.id, j.machine, j.device ORDER BY reading <> 'as printed', reading))
WHERE choice = 1 ORDER BY paper, place, turn, device;

--: layout trust
--: grid Machines
SELECT machine, max(cpu) AS processor, max(cores) AS cores, max(threads) AS threads, printf('%.0f GiB', max(memory_bytes) / 1073741824.0)
    AS memory, max(os) AS system, max(simd) AS simd, count(*) AS runs
FROM run JOIN machine_turn USING (machine) GROUP BY machine ORDER BY turn;
--: columns left | all | machine, processor, cores, threads, memory, system, simd: vector instructions, runs
--: grid? Devices
SELECT run.machine, d.device, d.device_name AS name, d.driver, d.toolkit, d.capability, d.compute_units AS units,
    nullif(d.clock_mhz, 0) AS mhz, printf('%.3g', max(c.interactions_per_second)) AS pairs, printf('%.3g', max(c.fma_per_second)) AS fma
FROM device d JOIN run USING (run_key) JOIN ceiling c USING (run_key, device) JOIN machine_turn t ON t.machine = run.machine
GROUP BY run.machine, d.device ORDER BY turn, d.device;
--: columns left | all | machine, device, name, driver, toolkit, capability, units, mhz: MHz
--: column pairs | interactions/s | | left | all | highest ceiling
--: column fma | fma/s | | left | all | highest ceiling
--: grid? How far the numbers can be trusted
SELECT machine, count(*) AS cells, sum(outcome = 'ok') AS ok, sum(outcome = 'ok' AND coalesce(error_targets >= n, 0)) AS whole,
    sum(outcome = 'ok' AND coalesce(error_targets < n, 0)) AS sample, sum(coalesce(processes >= 3, 0)) AS processes,
    sum(coalesce(seconds_high <= 1.02 * seconds_low, 0)) AS narrow, sum(coalesce(others_cores > 0.5, 0)) AS others,
    sum(coalesce(throttle_reasons NOT IN ('', '[]'), 0)) AS throttled, sum(extrapolated) AS extrapolated
FROM latest JOIN machine_turn USING (machine) GROUP BY machine ORDER BY turn;
--: column machine | machine | | left | all
--: column cells | all | | left | all | cells
--: column ok | without a failure | | left | all | cells
--: column whole | all | | left | all | bodies checked
--: column sample | a sample | | left | all | bodies checked
--: column processes | from 3 processes or more | | left | all | times
--: column narrow | interval within 2 % | | left | all | times
--: column others | with co-runners | | left | all | times
--: column throttled | throttled | | left | all | times
--: column extrapolated | extrapolated | | left | all | times
--: grid? The same measured twice, the last time
-- The last time of each set of devices, or how to do it.
WITH kept AS (
    SELECT machine, s.*, row_number() OVER (PARTITION BY machine, devices ORDER BY finished DESC, self_key DESC) AS age
    FROM self s JOIN run USING (run_key))
SELECT machine, coalesce((SELECT group_concat(printf('%s: %d of %d comparisons called different%s, median difference %.1f %%, largest %.1f %%',
            (SELECT group_concat(value, ', ') FROM json_each(k.devices)), different, comparisons,
            iif(beside, printf(' (%d with co-runners)', beside), ''), 100 * median_difference, 100 * largest_difference), '; ')
        FROM kept k WHERE k.machine = r.machine AND age = 1),
    'not done; orrery compare --self ' || (SELECT group_concat(paper, ' ') FROM (SELECT DISTINCT paper FROM cells c
        WHERE c.machine = r.machine ORDER BY 1)) || ' does it') AS result
FROM run r JOIN machine_turn USING (machine) GROUP BY machine ORDER BY turn;
--: columns left | all | machine, result
--: remark
SELECT 'No journal was found: nothing has been measured yet. `orrery run` starts.' WHERE NOT EXISTS (SELECT 1 FROM run);

-- The experiments of `asked` that are missing: those that were not measured on the machine `only` (NULL: on any), and runs that did not
-- come to their end and left cells with fewer rounds than they were to have.
--: layout missing
--: remark
SELECT experiment || ', ' || coalesce(title, '') || ': not measured; `orrery run ' || experiment || '` measures it'
FROM asked JOIN experiment e USING (experiment) JOIN here h
WHERE NOT EXISTS (SELECT 1 FROM cells c WHERE c.experiment = e.cells AND coalesce(c.machine = h.only, 1)) ORDER BY asked.rowid;
--: remark
SELECT r.run || ' on ' || r.machine || iif(r.ended IS NULL, ' has no end yet', ' was interrupted')
    || printf(': %d of its %d cells shown here have fewer than %d rounds; ', sum(l.processes < r.request->>'repeats'), count(*),
        r.request->>'repeats')
    || iif(r.ended IS NULL, 'where its process died, ', '') || '`orrery run --resume ' || r.run || '` measures the rest'
FROM latest l JOIN run r USING (run_key) WHERE r.ended IS NOT 'over' AND l.outcome = 'ok' AND NOT l.extrapolated
GROUP BY run_key HAVING sum(l.processes < r.request->>'repeats') > 0 ORDER BY r.machine, r.run;
--: remark
SELECT 'Every experiment has results; cells that are missing are named below their table.'
FROM here h WHERE NOT EXISTS (SELECT 1 FROM asked JOIN experiment e USING (experiment) WHERE NOT EXISTS (
    SELECT 1 FROM cells c WHERE c.experiment = e.cells AND coalesce(c.machine = h.only, 1)));

-- Paths are shown below the folder of `here`, which ends with a bar.
--: layout sources
--: grid? What failed
SELECT machine, experiment, variant, dataset, group_concat(DISTINCT n) AS n, device, count(*) AS cells, outcome, reason
FROM (SELECT * FROM latest JOIN machine_turn USING (machine) WHERE outcome <> 'ok' ORDER BY n)
GROUP BY turn, machine, experiment, variant, dataset, device, outcome, reason ORDER BY turn, experiment, variant, min(n);
--: columns left | all | machine, experiment, variant, dataset: data set, n: N, device, cells, outcome, reason
--: remark
SELECT 'Nothing failed: the latest record of every cell is ok.' WHERE NOT EXISTS (SELECT 1 FROM latest WHERE outcome <> 'ok');
--: data? Settings that times depend on
SELECT DISTINCT machine, h->>'governor' AS governor, iif(h->>'boost', 'on', iif(h->>'boost' = 0, 'off', NULL)) AS boost,
    h->>'smt' AS smt, h->>'huge_pages' AS huge_pages, h->>'numa_nodes' AS numa_nodes, h->>'cpus_allowed' AS allowed,
    h->>'cpus_online' AS online, h->>'cpu_quota' AS quota, iif(h->>'virtual', coalesce(h->>'virtual_product', 'yes'), 'no') AS virtual,
    (SELECT group_concat(key || '=' || value, ' ') FROM json_each(run.environment, '$.variables')) AS variables
FROM (SELECT *, environment->'host' AS h FROM run) run JOIN machine_turn USING (machine) WHERE h NOT NULL ORDER BY turn;
--: columns left | all | machine, governor, boost, smt: SMT, huge_pages, numa_nodes: NUMA nodes
--: column allowed | allowed | | left | all | CPUs
--: column online | of | | left | all | CPUs
--: column quota | quota | | left | all | CPUs
--: columns left | all | virtual, variables
--: data? Settings of GPUs
SELECT DISTINCT machine, g->>'name' AS gpu, printf('%g W', g->>'power_limit_w') AS "set",
    printf('%g W', g->>'default_power_limit_w') AS "default", printf('%g W', g->>'enforced_power_limit_w') AS enforced,
    iif(g->>'ecc', 'on', iif(g->>'ecc' = 0, 'off', NULL)) AS ecc, iif(g->>'mig', 'on', iif(g->>'mig' = 0, 'off', NULL)) AS mig,
    iif(g->>'persistence', 'on', iif(g->>'persistence' = 0, 'off', NULL)) AS persistence,
    g->>'application_sm_mhz' || ' / ' || (g->>'application_memory_mhz') || ' MHz' AS application_clocks, g->>'compute_mode' AS compute_mode
FROM (SELECT machine, j.value AS g FROM run, json_each(run.environment, '$.gpus') j) JOIN machine_turn USING (machine)
ORDER BY turn, 2;
--: columns left | all | machine, gpu: GPU
--: column set | set | | left | all | power limit
--: column default | default | | left | all | power limit
--: column enforced | enforced | | left | all | power limit
--: columns left | all | ecc: ECC, mig: MIG, persistence, application_clocks, compute_mode
--: data? Journals
SELECT machine, run, coalesce(preset, 'quick') AS preset, started, version AS orrery, commit_id AS "commit", compiler, flags,
    iif(schema >= 2, 'in each line', 'none') AS checksums, iif(instr(path, folder) = 1, substr(path, length(folder) + 1), path) AS journal
FROM run JOIN here ORDER BY started;
--: columns left | all | machine, run, preset, started, orrery, commit, compiler, flags, checksums, journal
--: data? Variants
SELECT DISTINCT variant, build_flags, substr(plugin_sha256, 1, 16) || '…' AS plugin FROM latest WHERE plugin_sha256 NOT NULL ORDER BY 1;
--: columns left | all | variant, build_flags: compiler and flags, plugin: plugin SHA-256
--: data? Data sets
SELECT DISTINCT dataset, n, seed, substr(dataset_sha256, 1, 16) || '…' AS hash FROM latest WHERE dataset_sha256 NOT NULL ORDER BY 1, 2;
--: columns left | all | dataset: data set, n: N, seed, hash: SHA-256

-- The cost of each access, by the newest run of each machine and device; `asked` names the machine, or NULL for all.
--: layout ceilings
--: setup
CREATE TEMP TABLE chosen AS
SELECT run_key, device, machine FROM (
    SELECT r.run_key, r.machine, a.device, row_number() OVER (
        PARTITION BY r.machine, a.device ORDER BY r.started DESC, r.run_key DESC) AS age
    FROM (SELECT DISTINCT run_key, device FROM access_rate) a JOIN run r USING (run_key)
    JOIN asked q ON coalesce(q.machine = r.machine, 1))
WHERE age = 1;
-- One row a kind and degree, in the order of measuring. Where no round has a rate, the reason.
CREATE TEMP TABLE shown AS
SELECT c.machine, a.device, max(a.device_name) AS device_name, a.kind, a.degree, a.unit,
    min(a.place) AS place, max(r.rate) AS rate, max(r.rate_low) AS rate_low,
    max(r.rate_high) AS rate_high, coalesce(max(r.rounds), 0) AS rounds, max(r.clock_mhz) AS clock_mhz,
    iif(max(r.rate) IS NULL, min(a.reason), NULL) AS reason, max(d.compute_units) AS units
FROM chosen c JOIN access_rate a USING (run_key, device)
LEFT JOIN access_ceiling r USING (run_key, device, kind, degree)
LEFT JOIN device d USING (run_key, device)
GROUP BY c.run_key, a.device, a.kind, a.degree;
--: facts
SELECT 'run', r.run || ' on ' || c.machine || ' (' || c.device || '), ' || r.started
    || coalesce(', ' || r.preset, '') || ', commit ' || coalesce(r.commit_id, 'unknown')
FROM chosen c JOIN run r USING (run_key) ORDER BY c.machine, c.device;
--: data Rates of the whole device
SELECT machine, device, device_name, kind, degree, unit, rate,
    si_text(rate, CASE unit WHEN 'launch' THEN 'launches' ELSE unit || 's' END || '/s') AS "rate.text", rate_low, rate_high,
    max(rate_high - rate, rate - rate_low) / rate AS around, 1 / rate AS seconds,
    rate / (iif(kind GLOB 'latency-*', 1, units) * clock_mhz * 1e6) AS of_clock, rounds, clock_mhz, reason
FROM shown ORDER BY machine, device, place, degree;
--: columns left | all | machine, device, kind, reason: why there is none
--: columns right | all | degree, rate, rounds
--: column around | ± | | percent | people
--: column of_clock | a clock and unit | | number | all
--: column clock_mhz | MHz | | count | all
--: programs *
--: remark
SELECT 'Rates are of the whole device, a second, medians over the rounds. "A clock and unit" divides '
    || 'them by the clock of then and the multiprocessors or cores. Degree: lanes of a warp that '
    || 'share an address, on the host threads. Latencies are steps a second of one chain, by a group '
    || 'that has its multiprocessor to itself.';
