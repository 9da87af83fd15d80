-- SPDX-License-Identifier: MIT
-- What an evaluation found, ?1, for people, as describe.sql has lines. Tree codes are judged by errors relative to the sum of the
-- terms' lengths; the largest error of a potential is 0 where there is none; only some variants round the bodies first.
WITH errors AS (
    SELECT key, printf(': median %.1e, 99 %% below %.1e, largest %.1e', value ->> 'median', value ->> 'p99', value ->> 'max')
        AS text
    FROM json_each(?1) WHERE key IN ('error', 'rounding'))
SELECT '' AS head, text, NULL AS list, NULL AS columns, 0 AS indent FROM (
    SELECT 1 AS place, printf('%s: %d bodies in %d dimensions on %s (%s), %s a step', ?1 ->> 'variant', ?1 ->> 'n', ?1 ->>
        'dimensions',
        ?1 ->> 'device', ?1 ->> 'device_name', seconds_text(?1 ->> 'seconds')) AS text
    -- The sum with its units, and notes on what was not asked for but matters.
    UNION ALL SELECT 2, ?1 ->> 'sum' UNION ALL SELECT 3 + key / 1000.0, value FROM json_each(?1, '$.notes')
    UNION ALL SELECT 4, 'before that on the host: ' || group_concat(value ->> 'name' || ' ' || seconds_text(value ->>
        'seconds'), ', ')
        FROM json_each(?1, '$.stages')
    UNION ALL SELECT 5, printf('relative error against fp64 over %d bodies%s%s', ?1 ->> '$.error.targets', text,
        iif(?1 ->> '$.error.phi_max' > 0, printf(', potential %.1e', ?1 ->> '$.error.phi_max'), '')) FROM errors
            WHERE key = 'error'
    UNION ALL SELECT 6,
        printf('by terms, as tree codes are judged: median %.1e of at most %.1e, 99 %% below %.1e of at most %.1e, '
        || 'largest %.1e of at most %.1e', by ->> 'median', bound ->> 'median', by ->> 'p99', bound ->> 'p99', by ->> 'max',
            bound ->> 'max')
        FROM (SELECT ?1 -> '$.error.by_terms' AS by, ?1 -> '$.error.bound' AS bound) WHERE bound ->> 'by_terms'
    UNION ALL SELECT 7, printf('rounding the bodies to single precision costs, over %d of them%s', ?1 ->> '$.rounding.targets',
        text)
        FROM errors WHERE key = 'rounding' AND ?1 ->> '$.rounding.targets' > 0
    UNION ALL SELECT 8, 'written: ' || (?1 ->> 'output'))
WHERE text NOT NULL ORDER BY place;
