-- SPDX-License-Identifier: MIT
-- A claim in full, ?1, as `orrery describe CLAIM --json` writes it, for people: lines of a head and a text that wraps behind it,
-- or tables of a list and its columns. Parts that are called alike stand under one heading, which says what all of them expect;
-- cells have a number in each verdict, in the order in which its parts name them.
WITH verdict AS MATERIALIZED (
    SELECT key AS place, value ->> 'parts' AS parts, value ->> 'why' AS why, printf('%s%s%s%s%s: %s', value ->> 'machine',
            iif(value ->> 'machine' IS NULL, '', ' '), value ->> 'device', iif(value ->> 'machine' IS NULL, '', ', '),
            value ->> 'reading', value ->> '$.score.text') AS head
    FROM json_each(?1, '$.verdicts')),
part AS MATERIALIZED (
    SELECT place, p.key, p.value ->> 'what' AS what, p.value ->> 'at' AS at, p.value ->> 'wants' AS wants, p.value ->> 'cells'
        AS cells,
        coalesce(number_text(p.value ->> 'value') || coalesce(' [' || number_text(p.value ->> 'low') || ', '
            || number_text(p.value ->> 'high') || ']', '') || coalesce(' ' || nullif(p.value ->> 'unit', ''), ''), '') AS value,
        CASE p.value ->> 'state' WHEN 'yes' THEN 'yes' WHEN 'no' THEN 'no' WHEN 'not told apart' THEN '?'
            WHEN 'unclear' THEN '?'
            WHEN 'not measured' THEN '-' ELSE 'n/a' END AS mark,
        min(p.key) OVER (PARTITION BY place, p.value ->> 'what') AS first
    FROM verdict, json_each(parts) p),
used AS MATERIALIZED (
    SELECT place, p.key, c.value AS cell, row_number() OVER (ORDER BY place, first, p.key, c.key) AS rank
    FROM part p, json_each(cells) c),
cell AS MATERIALIZED (
    SELECT place, cell, row_number() OVER (PARTITION BY place ORDER BY min(rank)) AS number FROM used GROUP BY place, cell),
quantity AS MATERIALIZED (
    SELECT place, first, what, wants, count(DISTINCT wants) = 1 AS alike, json_group_array(json_object('at', at, 'value', value,
        'wants', wants, 'mark', mark, 'cells', (SELECT group_concat(number, ', ') FROM (SELECT number FROM used
            JOIN cell USING (place, cell) WHERE used.place = p.place AND used.key = p.key ORDER BY rank)))) AS list
    FROM (SELECT * FROM part ORDER BY place, first, key) p GROUP BY place, first),
said AS (
    SELECT 1 AS place, 'where' AS label, ?1 ->> 'section' AS text
        UNION ALL SELECT 2, 'the paper', '"' || nullif(?1 ->> 'quote', '') || '"'
    UNION ALL SELECT 3, 'in our words', ?1 ->> 'text' UNION ALL SELECT 4, 'in short', ?1 ->> 'short'
    UNION ALL SELECT 5, 'published', ?1 ->> 'published'
    UNION ALL SELECT 6 + key, 'erratum', value ->> 'why' FROM json_each(?1, '$.errata'))
SELECT head, text, list, columns, indent FROM (
    SELECT 0 AS at, 0 AS place, 0 AS first, '' AS head, printf('%s %s (claim)', ?1 ->> 'paper', ?1 ->> 'id') AS text, NULL AS
        list,
        NULL AS columns, 0 AS indent
    UNION ALL SELECT 1, place, 0, printf('  %-13s ', label), text, NULL, NULL, 0 FROM said WHERE text <> ''
    UNION ALL SELECT 2, place, -3, '', '', NULL, NULL, 0 FROM verdict
    UNION ALL SELECT 2, place, -2, '', head, NULL, NULL, 0 FROM verdict
    UNION ALL SELECT 2, place, -1, '  ', why, NULL, NULL, 0 FROM verdict
    UNION ALL SELECT 2, place, first, '  ', what || iif(alike, printf(' (expected %s)', wants), ''), NULL, NULL, 0 FROM quantity
    UNION ALL SELECT 2, place, first + 0.5, '', '', list, iif(alike, 'at|value value [95 %]|mark holds|cells',
        'at|value value [95 %]|wants expected|mark holds|cells'), 4 FROM quantity
    UNION ALL SELECT 2, place, 1e9, '', '', json_group_array(json_object('number', number, 'cell', cell ->> 'cell', 'program',
            substr(cell ->> 'variant', instr(cell ->> 'variant', '/') + 1), 'input', printf('%s, N = %d%s%s', cell ->>
                'dataset',
                cell ->> 'n', iif(cell ->> 'extrapolated', ', extrapolated', ''), iif(cell ->> 'beside' IS NULL, '',
                    ', with co-runners')))),
        'number cell|cell id|program|input', 2 FROM (SELECT * FROM cell ORDER BY place, number) GROUP BY place
    UNION ALL SELECT 3, 0, 0, '', '', NULL, NULL, 0
        WHERE EXISTS (SELECT * FROM part) OR json_array_length(?1, '$.wanted')
    -- The parts of a verdict say what is expected.
    UNION ALL SELECT 3, 1, 0, '', '', ?1 ->> 'wanted', 'reading|what part|at|wants expected', 2
        WHERE NOT EXISTS (SELECT * FROM part) AND json_array_length(?1, '$.wanted')
    UNION ALL SELECT 3, 1, 0, '', '`orrery describe ID` shows a cell''s samples and the command that repeats it.', NULL, NULL, 0
        WHERE EXISTS (SELECT * FROM part))
ORDER BY at, place, first;
