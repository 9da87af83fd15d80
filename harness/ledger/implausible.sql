-- SPDX-License-Identifier: MIT
-- Finds what no run can have written of its ok cells, a text a row: rates beyond the run's own ceiling
-- (?1 times that of a GPU, ?2 times that of a processor: run/referee.h), devices that it did not
-- have, dates that do not go together.
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
SELECT text FROM (
    SELECT printf('%s has %.3g interactions a second, and its run''s ceiling allows %.3g', who, rate,
        most) AS text
    FROM bounded WHERE rate > most
    UNION ALL SELECT printf('%s ran on %s, which its run does not list', who, device)
    FROM ok WHERE is_absent
    UNION ALL SELECT printf('%s ran on "%s", and %s of its run is "%s"', who, device_name, device, of_run)
    FROM ok WHERE device_name <> of_run
    UNION ALL SELECT printf('%s: it began at %s, before its run, at %s', who, started, run_started)
    FROM ok WHERE julianday(started) < julianday(run_started) - 1.0 / 24
    UNION ALL SELECT printf('%s:1: its run began at %s, and is named %s', path, started, run)
    FROM run WHERE abs(julianday(started) - julianday(printf('%s-%s-%s %s:%s:%s', substr(run, 1, 4),
        substr(run, 5, 2), substr(run, 7, 2), substr(run, 10, 2), substr(run, 12, 2),
        substr(run, 14, 2)))) * 86400 > 2)
ORDER BY text
