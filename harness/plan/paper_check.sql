-- SPDX-License-Identifier: MIT
-- What is wrong with a paper.yaml: each query selects line and message of faults, and the first one
-- found is reported. A message that is NULL is none.
--
-- node has a row for each value of the file: of the second name of the third experiment's axes the
-- path is experiments[2].axes[1].name and the kind experiments.axes.name. number is NULL of what is
-- none, or infinite. field has what the schema says of each kind: of the value of a key (item 0) or
-- of the items of a list (item 1).
--
-- no(WHAT, WORD, NAMES) is "<what> '<word>'" with the nearest of the names (lines of a text);
-- axis_fault(AXIS, VALUES) and preset_fault(NAME) are NULL where nothing is wrong.

-- Keys and types
SELECT n.key_line, no('unknown key', n.key,
    (SELECT group_concat(key, char(10)) FROM field WHERE parent = m.kind))
FROM node n JOIN node m ON m.id = n.parent
WHERE n.key NOT NULL AND m.kind IN (SELECT parent FROM field)
    AND NOT EXISTS (SELECT 1 FROM field WHERE kind = n.kind);
SELECT max(key_line), printf('the key ''%s'' is there twice', key)
FROM node WHERE key NOT NULL GROUP BY parent, key HAVING count(*) > 1;
SELECT m.line, printf('the key ''%s'' is missing', f.key)
FROM node m JOIN field f ON f.parent = m.kind AND f.required
WHERE m.type = 'map' AND NOT EXISTS (SELECT 1 FROM node WHERE parent = m.id AND key = f.key)
ORDER BY m.id, f.rowid;
SELECT n.line, printf('%s must be a %s%s', coalesce(n.key, nullif(n.kind, ''), 'this'), f.type,
    iif(f.most, printf(' of %d to %d characters', f.least, f.most), ''))
FROM node n JOIN field f ON f.kind = n.kind AND f.item = (n.key IS NULL)
WHERE NOT CASE f.type WHEN 'number' THEN n.number NOT NULL
    WHEN 'yes or a no' THEN coalesce(n.value IN ('true', 'false', 'yes', 'no'), 0)
    WHEN 'text' THEN n.type = 'text' AND length(n.value) BETWEEN f.least AND f.most
    ELSE n.type = f.type END;

-- Items of lists by their names
CREATE TABLE named AS
SELECT l.path AS list, i.kind, i.path, i.id, i.line, n.value AS name, n.line AS name_line
FROM node n CROSS JOIN node i ON i.id = n.parent CROSS JOIN node l ON l.id = i.parent
WHERE n.key = 'name';
-- and as they stand in messages.
CREATE TABLE names AS SELECT kind, group_concat(name, char(10)) AS text FROM named GROUP BY kind;
-- The variants that take part in an experiment
CREATE TABLE takes_part AS
SELECT v.name AS variant, n.value AS experiment, n.line
FROM node n JOIN node l ON l.id = n.parent JOIN named v ON v.id = l.parent
WHERE n.kind = 'variants.in' AND n.type = 'text';

SELECT n.line, replace(rule.column4, 'KEY', n.key)
FROM (VALUES
    ('flops_per_interaction', 1e-300, 1e300, 'KEY must be above 0'),
    ('year', 0, 9999, 'KEY must be at most 9999'),
    ('tree_bounds.up_to', 0, 1e300, 'KEY must be above 0'),
    ('tree_bounds.*.[fat]*', 1e-300, 1e300, 'floor, at and theta must be above 0'),
    ('experiments.bound.*', 1e-300, 1e300, 'bound KEY must be above 0'),
    ('experiments.targets', 1, 1e6, 'KEY must be from 1 to 1000000'),
    ('experiments.presets.time*_s', 0, 1e300,
        'KEY must be a number of seconds, 0 for the default'),
    ('experiments.presets.long_samples', 0, 1e6, 'KEY must be at most 1000000'),
    ('experiments.presets.limits.n', 1e-300, 1e300, 'a limit''s n must be above 0')) rule
    CROSS JOIN node n ON n.kind GLOB rule.column1
WHERE n.type = 'text' AND (n.number BETWEEN rule.column2 AND rule.column3) IS NOT TRUE;

-- Names
SELECT b.line, printf('''%s'' appears twice in %s', b.name, b.list)
FROM named a JOIN named b USING (list, name) WHERE a.id < b.id AND b.kind <> 'guess';
SELECT v.line, printf('''%s'' names a variant and an experiment', v.name)
FROM named v JOIN named e USING (name) WHERE v.kind = 'variants' AND e.kind = 'experiments';
SELECT n.line, no(p.value || ' has no ' || rtrim(k.column2, 's'), n.value, names.text)
FROM (VALUES ('variants.in', 'experiments'), ('experiments.cells', 'experiments'),
        ('experiments.baselines', 'variants')) k
    JOIN names ON names.kind = k.column2 CROSS JOIN node n ON n.kind = k.column1
    CROSS JOIN node p ON p.kind = 'paper'
WHERE n.value NOT IN (SELECT name FROM named WHERE kind = k.column2);
SELECT n.line, no(k.column2, n.value, names.text)
FROM (VALUES ('tree_bounds.variants', 'bound of an unknown variant'),
        ('experiments.presets.limits.variant', 'limit for an unknown variant')) k
    CROSS JOIN node n ON n.kind = k.column1 JOIN names ON names.kind = 'variants'
WHERE n.type = 'text'
    AND NOT EXISTS (SELECT 1 FROM named WHERE kind = 'variants' AND name GLOB n.value);
SELECT line, preset_fault(name) FROM named WHERE kind = 'experiments.presets';
SELECT line, printf('a %s''s ''on'' must be cpu or gpu, not ''%s''',
    iif(kind = 'variants.knobs.on', 'knob', 'limit'), value)
FROM node WHERE kind IN ('variants.knobs.on', 'experiments.presets.limits.on')
    AND value NOT IN ('cpu', 'gpu');

-- Axes and their values; a knob and a guess have values, too.
SELECT name_line, printf('''%s'': axes vary together in --set only; name one here', name)
FROM named WHERE kind GLOB '*axes' AND name GLOB '*,*';
SELECT b.line, printf('%s and %s both say how many bodies there are; name one of them',
    min(a.name, b.name), max(a.name, b.name))
FROM named a JOIN named b USING (list) WHERE a.kind GLOB '*axes' AND a.id < b.id
    AND a.name IN ('n', 'per_box', 'per_rank') AND b.name IN ('n', 'per_box', 'per_rank');
SELECT v.line, axis_fault(iif(v.kind GLOB '*axes.values', i.name, ''), v.value)
FROM node v JOIN named i ON i.id = v.parent WHERE v.key = 'values' AND v.type = 'text';
SELECT e.line, printf('experiment ''%s'' has no axis ''dataset''', e.name)
FROM named e WHERE e.kind = 'experiments' AND NOT EXISTS
    (SELECT 1 FROM named WHERE list = e.path || '.axes' AND name = 'dataset');
SELECT name_line, printf('''%s'' says what is computed, not how: it is no knob', name)
FROM named WHERE kind = 'variants.knobs' AND name IN ('dataset', 'n', 'seed', 'per_box', 'ranks',
    'per_rank', 'eps', 'theta', 'level', 'steps', 'dt', 'integrator');

-- An experiment has cells of its own, and a bound, or shows those of one that has.
SELECT e.line, 'the key ''bound'' is missing' FROM named e WHERE e.kind = 'experiments'
    AND NOT EXISTS (SELECT 1 FROM node WHERE parent = e.id AND key IN ('bound', 'cells'));
SELECT c.line, printf('%s shows cells of %s: %s', e.name, c.value,
    iif(x.key = 'cells', 'name the experiment that has them',
        'presets and bound belong there, not here'))
FROM node c JOIN named e ON e.id = c.parent
    JOIN named s ON s.kind = 'experiments' AND s.name = c.value
    JOIN node x ON x.parent = s.id AND x.key = 'cells'
        OR x.parent = e.id AND x.key IN ('presets', 'bound')
WHERE c.kind = 'experiments.cells';
SELECT c.line, printf('%s takes part in %s but not in %s, which has the cells', t.variant, e.name,
    c.value)
FROM node c JOIN named e ON e.id = c.parent JOIN takes_part t ON t.experiment = e.name
WHERE c.kind = 'experiments.cells'
    AND t.variant NOT IN (SELECT variant FROM takes_part WHERE experiment = c.value);

-- A guess of a setting. Its claims are checked where they are judged: their SQL knows which there
-- are.
SELECT g.line, no('no axis and no knob is called', substr(g.value, 1, instr(g.value || '=', '=') - 1),
    (SELECT group_concat(name, char(10)) FROM named
     WHERE kind IN ('experiments.axes', 'variants.knobs')))
FROM node g WHERE g.kind IN ('guess.setting', 'guess.where')
    AND (g.key = 'setting' OR g.value GLOB '*=*')
    AND substr(g.value, 1, instr(g.value || '=', '=') - 1) NOT IN
        (SELECT name FROM named WHERE kind IN ('experiments.axes', 'variants.knobs'));
SELECT line, '''where'' is a setting, as in nleaf=8' FROM node
WHERE kind = 'guess.where' AND value NOT GLOB '*=*';
SELECT line, 'a guess has the value that was taken and others' FROM node
WHERE kind = 'guess.values' AND value NOT GLOB '*[,:]*';
