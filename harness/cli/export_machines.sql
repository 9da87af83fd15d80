-- The machines of an artifact: of each its newest run tells what it is. ?1 is the folder of the results.
-- `command` is the command line of a run, as far as it chose cells and their sampling.
WITH option(place, name, path) AS (VALUES (1, 'preset', '$.preset'), (2, 'device', '$.devices'), (3, 'set', '$.set'),
    (4, 'only', '$.only'), (5, 'exclude', '$.exclude'), (6, 'repeats', '$.repeats'), (7, 'shard', '$.shard'),
    (8, 'ranks', '$.ranks'), (9, 'counters', '$.counters'), (10, 'min-samples', '$.sampling.min_samples'),
    (11, 'time-limit', '$.sampling.time_limit_s')),
 journal AS (
    SELECT machine, path, json_object('journal', 'results' || substr(path, length(?1) + 1), 'run', run, 'started', started,
        'version', coalesce(version, '?'), 'commit', coalesce(commit_id, 'unknown'), 'command', 'orrery run '
        || (SELECT group_concat(value, ' ') FROM json_each(request, '$.what'))
        || (SELECT coalesce(group_concat(' --' || name || ' ' || iif(value GLOB '*[^A-Za-z0-9_./:=,-]*',
            '''' || replace(value, '''', '''\''''') || '''', value), ''), '') FROM (SELECT o.name, j.value FROM option o, json_each(request, o.path) j
            WHERE j.value NOT NULL ORDER BY o.place, j.id))) AS told
    FROM run ORDER BY path),
 found AS (
    SELECT r.machine, max(r.started), json_object('device', device, 'device_name', device_name, 'driver', driver, 'toolkit',
        toolkit, 'capability', capability, 'compute_units', compute_units, 'clock_mhz', clock_mhz, 'memory_bytes',
        d.memory_bytes) AS told
    FROM device d JOIN run r USING (run_key) GROUP BY r.machine, device)
SELECT machine AS name, cpu, cores, threads, memory_bytes, simd, os, kernel, environment,
    (SELECT json_group_array(json(told)) FROM found f WHERE f.machine = newest.machine) AS devices,
    (SELECT json_group_array(json(told)) FROM journal j WHERE j.machine = newest.machine) AS journals
FROM run AS newest
WHERE run_key = (SELECT run_key FROM run WHERE machine = newest.machine ORDER BY started DESC, run_key DESC LIMIT 1)
ORDER BY name;
