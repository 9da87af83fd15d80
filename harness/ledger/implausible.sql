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
