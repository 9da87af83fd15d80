-- SPDX-License-Identifier: MIT
-- A paper, experiment, variant or data set, ?1, as `orrery describe NAME --json` writes it, for people: lines of a head and a text
-- that wraps behind it, or tables of a list and its columns. Plain members come first, then lists of objects.
WITH node AS MATERIALIZED (
    SELECT id, parent, key, type, value, CASE type WHEN 'true' THEN 'yes' WHEN 'false' THEN 'no' WHEN 'null' THEN ''
        WHEN 'real' THEN iif(atom = CAST(atom AS INTEGER) AND abs(atom) < 1e15, printf('%d', atom),
            iif(CAST(printf('%.6g', atom) AS REAL) = atom, printf('%.6g', atom), printf('%.15g', atom))) ELSE atom END AS text
    FROM json_tree(?1)),
member AS MATERIALIZED (
    SELECT id, key, type, value, type = 'array' AND EXISTS (SELECT * FROM node c
        WHERE c.parent = m.id AND type = 'object') AS listed,
        CASE type WHEN 'array' THEN (SELECT group_concat(text, ', ') FROM (SELECT * FROM node c
            WHERE c.parent = m.id ORDER BY id))
            WHEN 'object' THEN coalesce((SELECT group_concat(key || ' = ' || text, '; ') FROM (SELECT * FROM node c
                WHERE c.parent = m.id ORDER BY id)), '')
            ELSE text END AS text
    FROM node m WHERE parent = (SELECT id FROM node WHERE parent IS NULL)),
-- A parameter without choices has a range, perhaps in steps; a default of null comes from the data set.
parameter AS (
    SELECT p.id, p.value, coalesce(p.value ->> 'choices', '*') AS choices, (SELECT text FROM node
        WHERE parent = p.id AND key = 'min')
        || ' to ' || (SELECT text FROM node WHERE parent = p.id AND key = 'max') AS span,
        (SELECT text FROM node WHERE parent = p.id AND key = 'default') AS preset
    FROM member m JOIN node p ON p.parent = m.id WHERE m.key = 'parameters'),
list(key, list, columns) AS (
    SELECT key, value, CASE key WHEN 'experiments' THEN 'name experiment|shows|title'
        WHEN 'variants' THEN 'name variant|label in the paper'
        WHEN 'devices' THEN 'device|year|clock_ghz GHz|lanes|peak_gflops Gflop/s|bandwidth_gbs GB/s|power_w W|'
            || 'external not in the paper|source from' END FROM member WHERE listed
    UNION ALL SELECT 'parameters', json_group_array(json_object('name', value ->> 'name', 'type', value ->> 'type', 'range',
            CASE WHEN choices NOT GLOB '[*]*' THEN choices WHEN choices = '*' THEN span
                ELSE span || ' by ' || substr(choices, 2) END,
            'default', iif(preset = '', 'of data set', preset), 'help', value ->> 'help')),
                'name parameter|type|range|default|help what'
        FROM (SELECT * FROM parameter ORDER BY id)),
preset AS (SELECT key AS place, value FROM json_each(?1, '$.presets')),
-- An experiment that shows another's cells may lack the variant that a limit is of.
bounded AS (
    SELECT place, l.key, l.value ->> 'n' AS n, l.value ->> 'on' AS kind, (SELECT group_concat(v.value, ', ')
        FROM json_each(?1, '$.variants') v WHERE v.value GLOB (l.value ->> 'variant')) AS variants
    FROM preset, json_each(preset.value, '$.limits') l),
said AS (
    SELECT place, 1 AS at, 'axes' AS label, (SELECT group_concat(key || ' = ' || value, '; ')
        FROM json_each(p.value, '$.axes')) AS text
        FROM preset p
    UNION ALL SELECT place, 2, 'sampling time', printf('%g s', value ->> 'time_limit_s') FROM preset
        WHERE value ->> 'time_limit_s' > 0
    UNION ALL SELECT place, 3, 'timeout of a cell', printf('%g s', value ->> 'timeout_s') FROM preset
        WHERE value ->> 'timeout_s' > 0
    UNION ALL SELECT place, 4, 'samples of long steps', printf('%g', value ->> 'long_samples') FROM preset
        WHERE value ->> 'long_samples' > 0
    UNION ALL SELECT place, 5 + key, 'scaled, not run', printf('%s beyond n = %.15g%s', variants, n, coalesce(' on a ' || kind,
        '')) FROM bounded
        WHERE variants NOT NULL)
SELECT head, text, list, columns, indent FROM (
    SELECT 0 AS part, 0 AS id, 0 AS place, 0 AS at, '' AS head, printf('%s (%s)', ?1 ->> 'name', ?1 ->> 'kind') AS text, NULL
        AS list,
        NULL AS columns, 0 AS indent
    UNION ALL SELECT 1, id, 0, 0, printf('  %-21s ', replace(key, '_', ' ')), text, NULL, NULL, 0 FROM member
        WHERE NOT listed AND key NOT IN ('name', 'kind') AND (text <> '' OR type = 'object')
    UNION ALL SELECT 2, id, place, 0, '', printf('  preset %s%s', preset.value ->> 'name', iif(preset.value ->> 'skip',
        ': left out', '')),
        NULL, NULL, 0 FROM member JOIN preset WHERE key = 'presets'
    UNION ALL SELECT 2, id, place, at, printf('    %-21s ', label), said.text, NULL, NULL, 0 FROM member JOIN said
        WHERE key = 'presets' AND said.text <> ''
    UNION ALL SELECT 2, id, 0, 0, '', '', NULL, NULL, 0 FROM member JOIN list USING (key) WHERE listed AND columns NOT NULL
    UNION ALL SELECT 2, id, 1, 0, '', '', list, columns, 2 FROM member JOIN list USING (key) WHERE listed AND columns NOT NULL)
ORDER BY part, id, place, at;
