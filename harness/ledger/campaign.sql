-- SPDX-License-Identifier: MIT
-- Finds what keeps runs from being put together, or should be known when they are: kind, text. With
-- ?1 = 1 it looks at all runs, which are to be of one Orrery; with 0 at those with shards, each
-- campaign by itself.
WITH runs AS (
    SELECT *, iif(?1, '', machine || ' ' || plan || ' ' || shards) AS campaign,
        coalesce(version, '?') || ' (' || coalesce(commit_id, '?') || ')' AS orrery,
        json_remove(request, '$.shard') AS asked,
        (SELECT group_concat(value, ' ') FROM json_each(request, '$.what')) AS what
    FROM run WHERE ?1 OR shard IS NOT NULL),
-- Values that are to be the same in each scope, where they are known.
fixed AS (
    SELECT 'mixed' AS kind, campaign AS scope, 'Orrery' AS what, orrery AS value, path FROM runs
    UNION ALL SELECT 'mixed', campaign || machine || ' ' || name, name || ' of ' || machine, value,
        path
    FROM (
        SELECT campaign, machine, path, 'the processor' AS name,
            cpu || ', ' || cores || ' cores' AS value FROM runs
        UNION ALL SELECT campaign, machine, path, 'the compiler', compiler FROM runs
        UNION ALL SELECT campaign, machine, path, 'the flags of the compiler', flags FROM runs
        UNION ALL SELECT campaign, machine, path, 'device ' || device,
            device_name || ', driver ' || driver || ', toolkit ' || toolkit
        FROM runs JOIN device USING (run_key)
        WHERE (run_key, device) IN (SELECT run_key, device FROM cell)
        UNION ALL SELECT campaign, machine, path, 'the build of ' || variant,
            substr(plugin_sha256, 1, 12)
        FROM runs JOIN cell USING (run_key) GROUP BY 1, 2, 3, 4, 5)
    UNION ALL SELECT 'input', printf('%s %s %d %d %d %d', campaign, dataset, n, cell.seed, level,
            per_box), printf('the data set %s of %d bodies', dataset, n), dataset_sha256, path
    FROM runs JOIN cell USING (run_key) GROUP BY 1, 2, 3, 4, 5
    UNION ALL SELECT 'plans', printf('%s %s %s', campaign, machine, asked),
        'the plan of `orrery run ' || what || '`', plan || ', ' || plan_cells || ' cells', path
    FROM runs WHERE shard IS NOT NULL),
known AS (SELECT *, row_number() OVER (PARTITION BY scope, what ORDER BY path) AS place
    FROM fixed WHERE value IS NOT NULL),
-- The shards that are there, and those that are to be; a journal may name any number of them.
campaigns AS (
    SELECT machine, plan, shards, min(asked) AS asked, min(what) AS what,
        coalesce(max(json_extract(request, '$.sampling.once')), 0) AS once,
        coalesce(max(json_extract(request, '$.repeats')), 1) AS rounds
    FROM runs WHERE shard IS NOT NULL GROUP BY machine, plan, shards),
numbers(machine, plan, shards, number) AS (
    SELECT machine, plan, shards, 1 FROM campaigns
    UNION ALL SELECT machine, plan, shards, number + 1 FROM numbers
    WHERE number < min(shards, 20000)),
absent AS (
    SELECT machine, plan, shards, group_concat(number, ', ') AS list, min(number) AS first,
        count(*) AS many
    FROM (SELECT * FROM numbers WHERE NOT EXISTS (SELECT * FROM runs
            WHERE runs.machine = numbers.machine AND runs.plan = numbers.plan
            AND runs.shards = numbers.shards AND shard = number)
        ORDER BY machine, plan, shards, number)
    GROUP BY machine, plan, shards),
-- Cells of each shard; of one that failed or is extrapolated no further rounds are expected.
ended AS (
    SELECT run_key, id, processes >= rounds OR outcome <> 'ok' OR extrapolated_from IS NOT NULL
        AS whole
    FROM cell JOIN runs USING (run_key) JOIN campaigns USING (machine, plan, shards)
    UNION ALL SELECT run_key, id, processes >= rounds FROM wrong_on_purpose
        JOIN runs USING (run_key) JOIN campaigns USING (machine, plan, shards)),
reached AS (
    SELECT machine, plan, shards, shard, max(shard_cells) AS cells, max(run) AS last,
        (SELECT count(DISTINCT id) FROM ended JOIN runs AS own USING (run_key) WHERE whole
            AND own.machine = runs.machine AND own.plan = runs.plan
            AND own.shards = runs.shards AND own.shard = runs.shard) AS done
    FROM runs WHERE shard IS NOT NULL GROUP BY machine, plan, shards, shard),
-- A copy of a journal is no second measurement.
twice AS (
    SELECT machine, id, min(experiment || ' ' || variant || ' ' || device) AS name,
        min(path) AS first, max(path) AS last
    FROM runs JOIN cell USING (run_key)
    GROUP BY machine, id HAVING count(DISTINCT run) > 1)
SELECT kind, text FROM (
    SELECT kind, printf('%s: %s in %s, %s in %s', other.what, first.value, first.path,
        other.value, min(other.path)) AS text
    FROM known AS other JOIN known AS first USING (kind, scope, what)
    WHERE first.place = 1 AND other.value <> first.value
    GROUP BY kind, scope, other.what, other.value
    UNION ALL SELECT 'shards', printf('shard%s %s of %d of `orrery run %s` on %s %s missing; '
            || 'measure %s with --shard %d/%d%s, or name its journal', iif(many > 1, 's', ''), list,
        shards, what, machine, iif(many > 1, 'are', 'is'), iif(many > 1, 'the first', 'it'), first,
        shards, coalesce(' --campaign ' || json_extract(asked, '$.campaign'), ''))
    FROM absent JOIN campaigns USING (machine, plan, shards)
    UNION ALL SELECT 'shards', printf('shard %d/%d of `orrery run %s` on %s has %d of its %d '
            || 'cells; `orrery run --resume %s` measures the rest', shard, shards, what, machine,
        done, cells, last)
    FROM reached JOIN campaigns USING (machine, plan, shards) WHERE ?1 AND done < cells
        AND NOT once
    UNION ALL SELECT 'clock', printf('%d journal%s dated in the future, as %s, of %s: a clock was '
            || 'ahead; other measurements stand before %s', count(*), iif(count(*) > 1, 's are',
        ' is'), min(path), max(started), iif(count(*) > 1, 'theirs', 'its'))
    FROM run WHERE started > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+1 hour') HAVING count(*) > 0
    UNION ALL SELECT 'twice', printf('%d cell%s of %s measured more than once, as %s in %s and '
            || '%s; the newest counts, or one of more processes by the same build', count(*), iif(count(*) > 1, 's', ''), machine,
        min(name), first, last)
    FROM twice WHERE ?1 GROUP BY machine)
ORDER BY CASE kind WHEN 'input' THEN 1 WHEN 'mixed' THEN 2 WHEN 'plans' THEN 3 WHEN 'shards' THEN 4
    ELSE 5 END, text
