-- What cells that are wrong on purpose tell, as yes and no: claims are judged by that, and see no
-- time of a wrong result.

-- Whether a cell that is wrong on purpose is faster (1), slower (-1) or neither (0) than the same
-- input by a variant that is right, alike in every parameter that both have. By the intervals of
-- both medians.
CREATE TABLE IF NOT EXISTS audit_racing_gain(paper TEXT, machine TEXT, device TEXT,
    experiment TEXT, variant TEXT, over TEXT, dataset TEXT, n INTEGER, level INTEGER,
    per_box INTEGER, parameters TEXT, wrong_key INTEGER, over_key INTEGER, sign INTEGER);
DELETE FROM audit_racing_gain;
INSERT INTO audit_racing_gain
SELECT r.paper, r.machine, r.device, r.experiment, r.variant,
    substr(o.variant, instr(o.variant, '/') + 1), r.dataset, r.n, r.level, r.per_box,
    r.parameters, r.wrong_key, o.cell_key,
    iif(r.seconds_high < o.seconds_low, 1, iif(r.seconds_low > o.seconds_high, -1, 0))
FROM audit_racing r JOIN latest o ON o.machine = r.machine AND o.device = r.device
    AND o.experiment = r.experiment AND o.dataset IS r.dataset AND o.n IS r.n AND o.level IS r.level
    AND o.outcome = 'ok' AND NOT o.extrapolated AND o.operand = ''
    AND substr(o.variant, instr(o.variant, '/') + 1) <> r.variant
WHERE NOT EXISTS (SELECT 1 FROM json_each(r.parameters) x JOIN json_each(o.parameters) y USING (key)
    WHERE x.value IS NOT y.value);

-- Of cells of the same variant that are right, alike in every parameter but one: whether most of
-- what keeps them from being twice as fast as the other variant is the time that being right takes.
CREATE TABLE IF NOT EXISTS audit_racing_most(paper TEXT, machine TEXT, device TEXT,
    experiment TEXT, variant TEXT, over TEXT, per_box INTEGER, parameters TEXT, cell_key INTEGER,
    over_key INTEGER, most INTEGER);
DELETE FROM audit_racing_most;
INSERT INTO audit_racing_most
SELECT g.paper, g.machine, g.device, g.experiment, g.variant, g.over, g.per_box, c.parameters,
    c.cell_key, g.over_key, c.seconds - r.seconds >= 0.5 * (c.seconds - 0.5 * o.seconds)
FROM audit_racing_gain g JOIN audit_racing r USING (wrong_key)
JOIN cell o ON o.cell_key = g.over_key
JOIN latest c ON c.machine = g.machine AND c.device = g.device AND c.experiment = g.experiment
    AND c.variant = g.paper || '/' || g.variant AND c.dataset IS g.dataset AND c.n IS g.n
    AND c.level IS g.level AND c.outcome = 'ok' AND NOT c.extrapolated AND c.operand = ''
WHERE (SELECT count(*) FROM json_each(c.parameters) x JOIN json_each(g.parameters) y USING (key)
    WHERE x.value IS NOT y.value) = 1;

-- What the paper's own audit.sql may write: findings as in audit_finding, and rows of audit_slots.
CREATE TEMP TABLE IF NOT EXISTS own_finding(experiment TEXT, item TEXT, agrees INTEGER,
    printed TEXT, derived TEXT, why TEXT);
CREATE TEMP TABLE IF NOT EXISTS own_slots(experiment TEXT, item TEXT, slots REAL, error REAL,
    declared REAL, why TEXT);
-- Findings by what was counted on one machine.
CREATE TEMP TABLE IF NOT EXISTS own_counted(experiment TEXT, item TEXT, agrees INTEGER,
    printed TEXT, derived TEXT, why TEXT, machine TEXT);
DELETE FROM own_finding;
DELETE FROM own_counted;
DELETE FROM own_slots;
-- Issue slots on the paper's card: what printed times leave (error: half the 95 % interval), or
-- what instructions need (declared), at least.
CREATE TABLE IF NOT EXISTS audit_slots(paper TEXT, experiment TEXT, place INTEGER, item TEXT,
    slots REAL, error REAL, declared REAL, why TEXT);
DELETE FROM audit_slots WHERE paper = ?1;
