-- SPDX-License-Identifier: MIT
-- What the report says of the ledger alone, of the machines in machine_turn. present/queries.h says how such a file is read; `here` is
-- the folder that paths are shown below, with the bar at its end.

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
-- Of each set of devices, or how to measure it so.
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

--: layout sources
--: grid? What failed
SELECT machine, experiment, variant, dataset, group_concat(DISTINCT n) AS n, device, count(*) AS cells, outcome, reason
FROM (SELECT * FROM latest JOIN machine_turn USING (machine) WHERE outcome <> 'ok' ORDER BY n)
GROUP BY turn, machine, experiment, variant, dataset, device, outcome, reason ORDER BY turn, experiment, variant, min(n);
--: columns left | all | machine, experiment, variant, dataset: data set, n: N, device, cells, outcome, reason
--: remark
SELECT 'Nothing failed: the latest record of every cell is ok.' WHERE NOT EXISTS (SELECT 1 FROM latest WHERE outcome <> 'ok');
--: data? Settings that times depend on
-- Of journals that tell them.
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
