-- SPDX-License-Identifier: MIT
-- The rounds of one cell (process: a row a record, columns as of cell and those that members.csv
-- marks `own`; summary: medians and intervals of the samples, if each round has some) made one row.
-- members.csv says of each column what is made of it: what the first has that knows, the median, the
-- sum, the largest; `made` are those below.
CREATE TABLE rounds.summary(median, low, high, spread_within, spread_between, p5, p95, two_peaks,
    halving);

-- Which rounds count, and as what. alike: it timed the same span as most, of two as many the longer
-- one. single: it took steps back to back, another only single ones, so that single ones are its
-- samples. merges: the cell is more than one record, that of a round that failed or of an estimate.
CREATE TABLE rounds.chosen(process_key INTEGER PRIMARY KEY, alike, failed, merges, single, counts);
CREATE VIEW rounds.choice AS
WITH span AS (SELECT coalesce(timed, 'step') AS timed FROM process GROUP BY 1
    ORDER BY count(*) DESC, length(coalesce(timed, 'step')) DESC, min(process_key) LIMIT 1),
same AS (SELECT process_key, extrapolated_from, mode IS 'back to back' AND singles > 0 AS queued
    FROM process WHERE coalesce(timed, 'step') = (SELECT timed FROM span)),
one AS (SELECT
    (SELECT min(process_key) FROM process
        WHERE coalesce(outcome, '') NOT IN ('ok', 'wrong on purpose')) AS failed,
    (SELECT min(process_key) FROM same WHERE extrapolated_from NOT NULL) AS estimate)
SELECT p.process_key, s.process_key NOT NULL AS alike, failed NOT NULL AS failed,
    coalesce(failed, estimate) IS NULL AS merges,
    coalesce(s.queued AND NOT (SELECT min(queued) FROM same), 0) AS single,
    coalesce(p.process_key = coalesce(failed, estimate), s.process_key NOT NULL) AS counts
FROM one, process p LEFT JOIN same s USING (process_key);

CREATE VIEW rounds.counted AS
SELECT p.process_key, failed, merges, round_number, reason, processes, seconds_low, seconds_high,
    kernel_seconds, kernel_clock, beside, others_cores, load, watched_s, cpus, throttle_reasons,
    iif(gpu_before IS NULL AND gpu_after IS NULL, NULL, max(coalesce(gpu_before, 0),
        coalesce(gpu_after, 0))) AS gpu_processes,
    iif(merges AND single, single_seconds, seconds) AS seconds,
    iif(merges AND single, NULL, single_seconds) AS single_seconds,
    iif(merges AND single, 'single', mode) AS mode,
    iif(merges AND single, interactions_per_second * seconds / single_seconds,
        interactions_per_second) AS interactions_per_second,
    iif(merges AND single, bodies_per_second * seconds / single_seconds, bodies_per_second)
        AS bodies_per_second
FROM process p CROSS JOIN chosen USING (process_key) WHERE counts;

-- Others are shown as of the round in which they did most, and judged by the median round.
CREATE VIEW rounds.made AS
WITH one AS MATERIALIZED (SELECT * FROM counted),
busiest AS (SELECT beside, others_cores, load FROM one
    ORDER BY beside IS NULL, coalesce(others_cores, 0) DESC, process_key LIMIT 1),
some AS (
    SELECT max(failed) AS failed, max(merges) AS merges, count(*) AS count, (SELECT count(*) FROM process) AS rounds,
        first_known(processes) AS processes, first_known(reason) AS reason,
        first_known(round_number) AS round_number, first_known(seconds) AS seconds,
        first_known(seconds_low) AS low, first_known(seconds_high) AS high,
        first_known(mode) AS mode, median(single_seconds) AS single_seconds,
        median(kernel_seconds) AS kernel_seconds, first_known(kernel_clock) AS kernel_clock,
        median(kernel_seconds) FILTER (WHERE kernel_clock = 'kernel timestamps') AS timed,
        first_known(interactions_per_second) AS interactions_per_second,
        first_known(bodies_per_second) AS bodies_per_second, count(beside) AS marked,
        median(others_cores) AS cores, median(cpus) AS cpus, median(watched_s) AS watched_s,
        median(gpu_processes) AS gpu_processes, count(throttle_reasons) AS throttles
    FROM one)
SELECT merges, coalesce(processes, iif(failed, rounds, count)) AS processes,
    iif(failed AND rounds > 1, printf('round %d: %s', iif(round_number BETWEEN 1 AND 999999,
        round_number, 1), coalesce(reason, '')), reason) AS reason,
    coalesce(s.median, seconds) AS seconds, iif(s.median IS NULL, some.low, s.low) AS seconds_low,
    iif(s.median IS NULL, some.high, s.high) AS seconds_high, spread_within,
    spread_between, s.p5, s.p95, s.two_peaks, s.halving, mode, single_seconds,
    coalesce(timed, kernel_seconds) AS kernel_seconds,
    iif(timed IS NULL, kernel_clock, 'kernel timestamps') AS kernel_clock,
    coalesce(iif(merges, interactions_per_second * seconds / coalesce(s.median, seconds), NULL),
        interactions_per_second) AS interactions_per_second,
    coalesce(iif(merges, bodies_per_second * seconds / coalesce(s.median, seconds), NULL),
        bodies_per_second) AS bodies_per_second, busiest.*,
    iif(merges, marked, NULL) AS others_marked, iif(merges, cores, NULL) AS others_cores_median,
    iif(merges, unsure_cores(cpus, watched_s, count), NULL) AS others_cores_unsure,
    iif(merges, gpu_processes, NULL) AS others_gpu_median,
    iif(throttles, (SELECT json_group_array(DISTINCT value) FROM one, json_each(
        one.throttle_reasons)), NULL) AS throttle_reasons
FROM some, busiest LEFT JOIN summary s;
