-- SPDX-License-Identifier: MIT
-- One problem on several devices: what ranks gain, what they lose by exchanges, and what a model of
-- both says (docs/METHOD.md, "Ranks").

--: layout scaling
--: setup
-- base_key: the cell of one rank that a cell is measured against, of the same N or, where N grows
-- with the ranks, of the N of each. work: interactions by those of that cell. gained: what counts as
-- done, all of it where N grows; with the same N what ranks compute in addition is their loss.
-- bytes: that reach a rank in a step.
CREATE TEMP TABLE ranked AS
SELECT r.cell_key, r.input, r.place, r.program, r.program_label, r.variant, r.device, r.dataset,
    r.n, r.seconds, r.kernel_seconds, r.samples, r.processes, coalesce(c.ranks, 1) AS ranks, c.interactions,
    c.exchange_seconds, c.skew, c.transport, c.mode, (SELECT max(value) FROM figure f
        WHERE f.cell_key = r.cell_key AND f.name = 'bytes a rank receives') AS bytes,
    (SELECT group_concat(name || '=' || value) FROM (SELECT name, value FROM parameter p
        WHERE p.cell_key = r.cell_key AND name <> 'ranks' ORDER BY name)) AS otherwise
FROM result r JOIN cell c USING (cell_key) WHERE r.ok AND NOT r.extrapolated;
CREATE TEMP TABLE scaled AS
SELECT *, gained * base_seconds / seconds AS speedup, work * base_seconds / ranks AS work_seconds,
    gained / ranks * ratio_bound(cell_key, base_key, 0) AS low,
    gained / ranks * ratio_bound(cell_key, base_key, 1) AS high
FROM (SELECT *, iif(growth > 1, work, 1.0) AS gained FROM (SELECT o.*, b.cell_key AS base_key, b.seconds AS base_seconds, b.mode AS base_mode,
        b.processes AS base_processes, o.n / b.n AS growth,
        o.interactions / b.interactions AS work, row_number() OVER (PARTITION BY o.cell_key
            ORDER BY b.n = o.n DESC, b.place) AS age
    FROM ranked o LEFT JOIN ranked b ON b.ranks = 1 AND b.variant = o.variant
        AND b.device = o.device AND b.dataset = o.dataset AND b.otherwise IS o.otherwise
        AND (b.n = o.n OR b.n * o.ranks = o.n))
    WHERE age = 1);
-- wire: what a program's exchanges take by the bytes that they bring, fitted to its cells of the
-- fewest ranks, so that what it says of more is a prediction. Where those cells all bring as much,
-- or more bytes take no longer, there is no bandwidth to tell, and an exchange takes their mean.
CREATE TEMP TABLE wire AS
SELECT *, CASE WHEN slope <= 0 THEN NULL WHEN seconds < slope * bytes THEN direct ELSE slope END
    AS per_byte, CASE WHEN slope <= 0 THEN NULL ELSE max(seconds - slope * bytes, 0) END AS latency
FROM (SELECT variant, device, transport, ranks, avg(bytes) AS bytes,
        avg(exchange_seconds) AS seconds,
        avg(bytes * exchange_seconds) / avg(bytes * bytes) AS direct,
        (avg(bytes * exchange_seconds) - avg(bytes) * avg(exchange_seconds))
            / nullif(avg(bytes * bytes) - avg(bytes) * avg(bytes), 0) AS slope
    FROM (SELECT *, rank() OVER (PARTITION BY variant, device, transport ORDER BY ranks) AS fewest
        FROM scaled WHERE ranks > 1 AND bytes > 0 AND exchange_seconds > 0)
    WHERE fewest = 1 GROUP BY variant, device, transport);
-- Numbers of ranks that were not measured are predicted: work as it grew up to the most ranks that were, bytes
-- by the share of all bodies that is the other ranks'. grown: N grows with the ranks.
CREATE TEMP TABLE predicted AS
WITH axis AS (SELECT CAST(value AS INTEGER) AS ranks
    FROM axis_value a JOIN scope USING (experiment) WHERE a.name = 'ranks'),
 most AS (SELECT *, growth > 1 AS grown, row_number() OVER (PARTITION BY base_key, growth > 1
        ORDER BY ranks DESC) AS first FROM scaled WHERE ranks > 1 AND base_key NOT NULL)
SELECT m.place, m.program, m.program_label, m.variant, m.device, m.dataset, m.transport, a.ranks,
    m.n * iif(grown, 1.0 * a.ranks / m.ranks, 1) AS n, m.base_key, m.grown, m.base_seconds,
    pow(m.work, ln(a.ranks) / ln(m.ranks)) AS work, m.bytes * iif(grown, 1.0 * a.ranks / m.ranks, 1)
        * (1 - 1.0 / a.ranks) / (1 - 1.0 / m.ranks) AS bytes
FROM most m JOIN axis a WHERE m.first = 1 AND a.ranks > 1 AND NOT EXISTS (SELECT 1 FROM scaled s
    WHERE s.base_key = m.base_key AND s.ranks = a.ranks AND s.growth > 1 = m.grown);
-- Seconds that the fewest ranks, with the same base, left undivided.
CREATE TEMP TABLE left_over AS
SELECT base_key, growth > 1 AS grown, min(ranks) AS ranks, work,
    seconds - work_seconds - exchange_seconds AS seconds
FROM scaled WHERE ranks > 1 AND base_key NOT NULL GROUP BY base_key, growth > 1;
--: grid Ranks | ranks
WITH row AS (
    SELECT place, n, program, program_label, variant, device, dataset, ranks, seconds,
        kernel_seconds, speedup, low, high, min(processes, base_processes) AS processes, base_key = cell_key AS alone,
        exchange_seconds, bytes, work, base_key, growth > 1 AS grown, base_seconds, work_seconds,
        skew, transport FROM scaled
    UNION ALL SELECT place, n, program, program_label, variant, device, dataset, ranks, NULL, NULL,
        NULL, NULL, NULL, NULL, 0, NULL, bytes, work, base_key, grown, base_seconds,
        work * base_seconds / ranks, NULL, transport FROM predicted),
 modelled AS (
    SELECT r.*, w.per_byte, w.latency, iif(r.ranks > 1, work_seconds
        + coalesce(w.latency + w.per_byte * r.bytes, w.seconds), NULL) AS wire_seconds,
        iif(r.ranks > 1, work_seconds + exchange_seconds, NULL) AS model_seconds,
        iif(r.ranks > o.ranks, o.seconds * r.work / o.work * o.ranks / r.ranks, NULL) AS undivided
    FROM row r LEFT JOIN wire w USING (variant, device, transport)
    LEFT JOIN left_over o USING (base_key, grown))
SELECT place AS row, n, program_label AS program, variant, device, ranks,
    seconds_text(seconds, '') AS step, seconds, seconds_text(kernel_seconds, '') AS kernels,
    kernel_seconds, iif(speedup IS NULL, NULL, printf('%.2f', speedup)) AS gain, speedup,
    iif(alone OR speedup IS NULL, NULL, printf('%.1f %%', 100 * speedup / ranks)
        || iif(low IS NULL, '', printf(' (%.1f to %.1f)', 100 * low, 100 * high)
            || iif(processes < 3, '†', ''))) AS efficient,
    speedup / ranks AS efficiency, low AS efficiency_low, high AS efficiency_high,
    seconds_text(exchange_seconds, '') AS exchange, exchange_seconds,
    exchange_seconds / seconds AS exchange_share, 1 - model_seconds / seconds AS undivided_share,
    skew, bytes / exchange_seconds / 1e9 AS bandwidth_gbs, bytes AS bytes_received,
    model_seconds, seconds / model_seconds AS measured_over_model,
    seconds_text(wire_seconds, '') AS wire, wire_seconds,
    work * base_seconds / ranks / wire_seconds AS wire_efficiency,
    seconds / wire_seconds AS measured_over_wire,
    seconds_text(wire_seconds + undivided, '') AS whole, wire_seconds + undivided AS whole_seconds,
    work * base_seconds / ranks / (wire_seconds + undivided) AS whole_efficiency,
    seconds / (wire_seconds + undivided) AS measured_over_whole, 1e-9 / per_byte AS wire_gbs,
    latency AS wire_latency, transport
FROM modelled ORDER BY program, dataset, n, ranks, place;
--: column ranks | ranks | | right | all
--: columns right | people | step: a step, kernels, gain: speedup, efficient: efficiency, exchange
--: columns percent | all | exchange_share: of a step, undivided_share: undivided, skew
--: column wire | work / ranks + bytes / bandwidth + latency | | right | people
--: column measured_over_wire | measured / model | | number | all
--: column whole | with undivided / ranks | | right | people
--: column measured_over_whole | measured / that | | number | all
--: column transport | by | | left | all
--: programs *
--: remark
SELECT 'speedup and efficiency are of times, against one rank with the same N, or of rates, against '
    || 'one with N / ranks, where N grows with them; a step is that of the slowest rank after a common start'
WHERE EXISTS (SELECT 1 FROM scaled WHERE ranks > 1);
--: remark
SELECT 'exchange: what the rank took for it that the others waited for; undivided: what of a step is'
    || ' neither work / ranks nor exchange; skew: by how much of a step the busiest rank worked'
    || ' longer than the least busy' WHERE EXISTS (SELECT 1 FROM scaled WHERE ranks > 1);
--: remark
SELECT group_concat(printf('exchanges of %s by %s %s, as fitted to its cells of %d ranks', variant,
    transport, iif(per_byte IS NULL, printf('take %s', seconds_text(seconds, '')), printf(
        'take %s and bring %.3g GB/s', seconds_text(latency, ''), 1e-9 / per_byte)), ranks), '; ')
FROM wire HAVING count(*) > 0;
--: remark
SELECT 'with undivided / ranks: the model and what the fewest ranks left undivided, divided by more'
WHERE EXISTS (SELECT 1 FROM left_over);
--: remark
SELECT 'without a step: predicted, with work as it grew up to the most ranks measured and, for each'
    || ' rank, the bytes of the other ranks'' share of all bodies'
WHERE EXISTS (SELECT 1 FROM predicted);
--: remark
SELECT 'one rank timed steps back to back, several single ones: short steps lose a launch and a '
    || 'wait by that' WHERE EXISTS (SELECT 1 FROM scaled WHERE ranks > 1 AND base_mode <> mode);
--: remark
SELECT 'kernels of several ranks: from the first to the last one on the slowest rank; '
    || group_concat(printf('a step of %s on %d ranks (N = %.0f) takes %.0f %% longer, in which hosts '
    || 'queue and wait', variant, ranks, n, 100 * (seconds / kernel_seconds - 1)), '; ')
FROM scaled WHERE ranks > 1 AND seconds > 1.05 * kernel_seconds HAVING count(*) > 0;
--: remark
SELECT printf('%s: %.0f bodies are on one of %d ranks, since several would take longer', r.variant,
    r.n, r.ranks) FROM ranked r JOIN figure f USING (cell_key)
WHERE f.name = 'ranks at work' AND f.value < r.ranks;
--: remark
SELECT 'only one rank was measured: `orrery run ' || experiment || ' --ranks R` measures 1 to R'
FROM scope WHERE NOT EXISTS (SELECT 1 FROM scaled WHERE ranks > 1);
--: use cells
--: figure curves
--: series
SELECT DENSE_RANK() OVER (ORDER BY program, dataset, device, iif((SELECT count(DISTINCT n)
        FROM scaled) > 3, 0, n)) AS series,
    program_label || iif((SELECT count(DISTINCT n) FROM scaled) > 3, '', printf(', N = %.0f', n))
        || ', ' || device AS label, program + 1 AS style, ranks AS x, 100 * speedup / ranks AS y,
    100 * low AS low, 100 * high AS high, 0 AS extrapolated, cell_key
FROM scaled WHERE base_key IS NOT NULL ORDER BY series, x;
--: variables
SELECT 'x_label' AS name, 'ranks' AS value
UNION ALL SELECT 'x_base', 2
UNION ALL SELECT 'y_label', 'efficiency [%]'
UNION ALL SELECT 'y_most', max(105, 105 * max(speedup / ranks)) FROM scaled WHERE base_key IS NOT NULL
UNION ALL SELECT 'y_format', '%g';
--: nothing measures it | {experiment} was not measured
