-- SPDX-License-Identifier: MIT
-- Finds what no run can have written of its ok cells, a text a row: rates beyond the run's own ceiling
-- (?1 times that of a GPU, ?2 times that of a processor: referee/referee.h), devices that it did not
-- have, dates that do not go together; and cells that are ok beyond their own bounds (`beyond`): a bound of 0, in older
-- journals, was not judged.
WITH ok AS (
    SELECT c.*, printf('%s:%d: %s %s', path, line, experiment, c.variant) AS who,
        d.device_name AS of_run, d.kind AS kind, d.device IS NULL AS is_absent
    FROM cells c LEFT JOIN device d USING (run_key, device)
    WHERE outcome = 'ok' AND NOT extrapolated),
bounded AS (
    SELECT who, interactions_per_second AS rate, iif(kind = 2, ?1, ?2) * coalesce(ranks, 1) * (
        SELECT max(rate) FROM ceiling_pair p WHERE p.run_key = ok.run_key AND p.device = ok.device
        AND p.kind NOT IN ('mix', 'fma', '3d-node')
        AND (p.kind = '3d-matrix') IS (coalesce(pair, '') = '3d-matrix')
        AND (coalesce(pair, 'other') = 'other' OR substr(p.kind, 1, 2) = substr(pair, 1, 2))) AS most
    FROM ok)
SELECT beyond, text FROM (
    SELECT 0 AS beyond, printf('%s has %.3g interactions a second, and its run''s ceiling allows %.3g', who, rate,
        most) AS text, NULL AS place
    FROM bounded WHERE rate > most
    UNION ALL SELECT 0, printf('%s ran on %s, which its run does not list', who, device), NULL
    FROM ok WHERE is_absent
    UNION ALL SELECT 0, printf('%s ran on "%s", and %s of its run is "%s"', who, device_name, device, of_run), NULL
    FROM ok WHERE device_name <> of_run
    UNION ALL SELECT 0, printf('%s: it began at %s, before its run, at %s', who, started, run_started), NULL
    FROM ok WHERE julianday(started) < julianday(run_started) - 1.0 / 24
    UNION ALL SELECT 0, printf('%s:1: its run began at %s, and is named %s', path, started, run), NULL
    FROM run WHERE abs(julianday(started) - julianday(printf('%s-%s-%s %s:%s:%s', substr(run, 1, 4),
        substr(run, 5, 2), substr(run, 7, 2), substr(run, 10, 2), substr(run, 12, 2),
        substr(run, 14, 2)))) * 86400 > 2
    UNION ALL SELECT 1, printf('%s is ok with errors of %.3g, %.3g, %.3g (median, p99, max) and bounds of %.3g, %.3g, %.3g',
        who, median, p99, most, bound_median, bound_p99, bound_max), path || ':' || line
    FROM (SELECT *, iif(bound_by_terms, error_by_terms_median, error_median) AS median,
            iif(bound_by_terms, error_by_terms_p99, error_p99) AS p99, iif(bound_by_terms, error_by_terms_max, error_max) AS most,
            printf('%s:%d: %s %s', path, line, experiment, variant) AS who
        FROM cells WHERE outcome = 'ok')
    WHERE (bound_median > 0 AND median > bound_median) OR (bound_p99 > 0 AND p99 > bound_p99)
        OR (bound_max > 0 AND most > bound_max))
ORDER BY coalesce(place, text)

--: text campaign
-- Finds what keeps runs from being put together, or should be known when they are: kind, text. With
-- ?1 = 1 it looks at all runs, which are to be of one Orrery; with 0 at those with shards, each
-- campaign by itself, and for journals of a later schema than ?2, which `orrery check` names by line.
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
    UNION ALL SELECT 'newer', printf('%s%s written by a later Orrery (journals of schema %d, this one '
            || 'knows up to %d); what it does not know is passed over', (SELECT path FROM run
            WHERE schema > ?2 ORDER BY run_key LIMIT 1), iif(count(*) > 1, ' and others were', ' was'),
        max(schema), ?2)
    FROM run WHERE NOT ?1 AND schema > ?2 HAVING count(*) > 0
    UNION ALL SELECT 'twice', printf('%d cell%s of %s measured more than once, as %s in %s and '
            || '%s; the newest counts, or one of more processes by the same build', count(*), iif(count(*) > 1, 's', ''), machine,
        min(name), first, last)
    FROM twice WHERE ?1 GROUP BY machine)
ORDER BY CASE kind WHEN 'newer' THEN 0 WHEN 'input' THEN 1 WHEN 'mixed' THEN 2 WHEN 'plans' THEN 3 WHEN 'shards' THEN 4
    ELSE 5 END, text
