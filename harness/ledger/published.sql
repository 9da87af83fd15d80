-- SPDX-License-Identifier: MIT
-- Takes over numbers printed in the paper ?1, whose lines are the table csv. Times are kept in
-- seconds whatever unit the paper prints, so that they compare with measured ones.
INSERT INTO csv_fault
SELECT line, CASE WHEN half_unit(value) IS NULL THEN printf('''%s'' is no number', value)
    WHEN n <> '' AND coalesce(parsed(n) NOT BETWEEN 0 AND 1e15, 1)
        THEN printf('n = ''%s'' is no number of bodies', n) END AS text
FROM csv;
INSERT INTO published
SELECT ?1, experiment, iif(variant = '', NULL, ?1 || '/' || variant), nullif(dataset, ''),
    nullif(CAST(parsed(n) AS INTEGER), 0), substr(quantity, 1, instr(quantity || '/', '/') - 1),
    iif(instr(quantity, '/'), substr(quantity, instr(quantity, '/') + 1), NULL),
    parsed(ltrim(value, '~')) * iif(unit = 'ms', 1e-3, 1), value,
    half_unit(value) * iif(unit = 'ms', 1e-3, 1), unit, device, includes, nullif(erratum, '')
FROM csv WHERE NOT EXISTS (SELECT 1 FROM csv_fault WHERE text NOT NULL) ORDER BY line;

--: text devices
-- Takes over facts of the devices of the paper ?1, whose lines are the table csv.
INSERT INTO csv_fault
SELECT line, CASE WHEN quantity = '' THEN NULL
    WHEN parsed(value) IS NULL THEN printf('''%s'' is no number', value)
    WHEN parsed(value) <= 0
        THEN printf('%s of ''%s'' must be above 0, not %s', quantity, device, value)
    WHEN source = ''
        THEN printf('where ''%s'' of ''%s'' is from is not said', quantity, device)
    WHEN origin NOT IN ('printed', 'derived', 'external')
        THEN printf('the origin of ''%s'' of ''%s'' is printed, derived or external, not ''%s''',
            quantity, device, origin) END AS text
FROM csv;
INSERT INTO published_fact
SELECT ?1, device, nullif(substr(quantity, 1, instr(quantity || '/', '/') - 1), ''),
    iif(instr(quantity, '/'), substr(quantity, instr(quantity, '/') + 1), NULL),
    iif(quantity = '', NULL, parsed(value)), nullif(unit, ''), nullif(origin, ''),
    nullif(source, ''), nullif(erratum, '')
FROM csv WHERE NOT EXISTS (SELECT 1 FROM csv_fault WHERE text NOT NULL) ORDER BY line;
