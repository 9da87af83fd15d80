-- SPDX-License-Identifier: MIT
-- What only the audit of Shan & Lei shows: the issue slots that Table III leaves, updates that are right beside those that
-- race, and the cost at which an update ceases to pay.

-- Updates of bpb-n3l by P, in device-wide seconds an update. pays: the largest cost with which the third law pays, from the
-- time of bpb with the same block and the ceilings of both kinds of pair: at bpb's share of the ceiling two ordered pairs take
-- 2 t, and one evaluation the part of that which the ceilings have to one another.
--: part updates
--: setup
CREATE TEMP TABLE own_bpb AS
SELECT r.device, r.device_name, r.level, r.per_box, r.cell_key, r.seconds, json_extract(r.parameters, '$.block') AS block,
    l.interactions AS pairs,
    (SELECT cost FROM audit_rate x WHERE x.machine = l.machine AND x.device = l.device AND x.kind = '2d-both')
        / (SELECT cost FROM audit_rate x WHERE x.machine = l.machine AND x.device = l.device AND x.kind = '2d') AS both
FROM result r JOIN latest l USING (cell_key) WHERE r.variant = 'bpb' AND r.ok AND NOT r.extrapolated;
CREATE TEMP TABLE own_update AS
SELECT b.device, b.level, b.per_box, b.block, b.seconds AS base, b.pairs, b.seconds * (1 - b.both) / b.pairs AS pays,
    json_extract(u.parameters, '$.atomic') AS atomic, json_extract(u.parameters, '$.order') AS place,
    u.cell_key AS key, u.seconds, u.seconds_low, u.seconds_high, b.cell_key AS base_key,
    (u.seconds - b.seconds * b.both) / b.pairs AS costs
FROM own_bpb b JOIN result u ON u.variant = 'bpb-n3l' AND u.ok AND NOT u.extrapolated AND u.device = b.device
    AND u.level IS b.level AND u.per_box IS b.per_box AND json_extract(u.parameters, '$.block') = b.block;
CREATE TEMP TABLE own_kind AS
SELECT column1 AS atomic, column2 AS rank FROM (VALUES ('none', 0), ('fixed', 1), ('cas', 2), ('native', 3));

--: part paper_audit
--: use updates
--: setup
CREATE TEMP TABLE wrong_degree AS
SELECT key, 1.0 * sum(iif(kind = 'AD', value, 0)) / nullif(sum(iif(kind = 'AS', value, 0)), 0) AS degree
FROM audit_tally WHERE key < 0 GROUP BY key;
--: remark
SELECT 'With 512 threads a block a box of P bodies leaves 512 - P of them idle: few warps are under way, each access waits for'
    || ' the one before, and what groups wait for binds. Fitted blocks show how much of it that is.'
FROM scope s WHERE s.name = 'updates' AND EXISTS (SELECT 1 FROM own_bpb);
--: remark
SELECT 'A processor runs the threads of a group one after another: there no two lanes meet at an address, and updates that are'
    || ' not atomic lose nothing but what groups do to each other.' FROM scope s
WHERE EXISTS (SELECT 1 FROM own_bpb b WHERE b.device LIKE 'opencl%') AND EXISTS (SELECT 1 FROM audit_racing w
    JOIN wrong_degree d ON d.key = -w.wrong_key WHERE w.machine = s.machine AND d.degree = 1);
--: grid? Issue slots of a warp on the paper's card | slots
SELECT item, slots, iif(slots IS NULL, NULL, printf('%.1f +- %.1f', slots, error)) AS "slots.text", error, declared, why
FROM audit_slots a JOIN scope s USING (paper) WHERE s.name = 'updates' ORDER BY a.place;
--: column item | what | | left | all
--: column slots | by Table III | | right | all
--: column error | half the interval | | right | programs
--: column declared | by instructions | | right | all
--: column why | which are | | left | all

-- Those that race are wrong, and marked. printed, without: bpb over bpb-n3l in Table III, as printed and less both floors.
--: grid? Updates of counterforces, atomic and racing | updates
WITH every AS (
    SELECT u.device, u.level, u.per_box, u.block, u.atomic, u.place, u.key, u.seconds, u.base, NULL AS error, u.seconds_low,
        u.seconds_high FROM own_update u
    UNION ALL SELECT w.device, w.level, w.per_box, b.block, json_extract(w.parameters, '$.atomic'), json_extract(w.parameters, '$.order'),
        -w.wrong_key, w.seconds, b.seconds, w.error_median, w.seconds_low, w.seconds_high
    FROM audit_racing w JOIN scope s ON s.cells = w.experiment AND s.machine = w.machine
    JOIN own_bpb b ON b.device = w.device AND b.level IS w.level AND b.per_box IS w.per_box
        AND b.block = json_extract(w.parameters, '$.block')
    WHERE w.variant = 'bpb-n3l'),
 printed AS (
    SELECT b.per_box, b.seconds / u.seconds AS printed, iif(b.seconds - f.floor_s > 3 * f.floor_error_s
            AND u.seconds - g.floor_s > 3 * g.floor_error_s, (b.seconds - f.floor_s) / (u.seconds - g.floor_s), NULL) AS without
    FROM audit_fit_point b JOIN audit_fit_point u USING (paper, experiment, per_box)
    JOIN audit_fit f ON f.paper = b.paper AND f.experiment = b.experiment AND f.variant = b.variant
    JOIN audit_fit g ON g.paper = u.paper AND g.experiment = u.experiment AND g.variant = u.variant
    WHERE b.paper = 'shan' AND b.variant = 'bpb' AND u.variant = 'bpb-n3l')
SELECT e.device, e.level, e.per_box, e.block, iif(e.block, printf('%d', e.block), 'fitted') AS "block.text", e.atomic, e.place, (SELECT 1.0 * nullif(sum(iif(kind = 'AD', value, 0)), 0)
        / nullif(sum(iif(kind = 'AS', value, 0)), 0) FROM audit_tally t WHERE t.key = e.key) AS degree,
    iif(e.error IS NULL, 'right', printf('wrong on purpose, median error %.2g', e.error)) AS result, seconds_text(e.seconds, '')
        || iif(e.error IS NULL, '', ' (of a wrong result)') AS measured, e.seconds, e.seconds_low, e.seconds_high,
    p.predicted_s, seconds_text(p.predicted_s, '') AS "predicted_s.text", p.binds, e.base / e.seconds AS gain,
    printf('%.3f', e.base / e.seconds) AS "gain.text", t.printed, iif(t.printed IS NULL, NULL, printf('%.3f', t.printed)) AS "printed.text", t.without,
    iif(t.without IS NULL, NULL, printf('%.3f', t.without)) AS "without.text"
FROM every e JOIN scope s ON s.name = 'updates' LEFT JOIN own_kind k USING (atomic) LEFT JOIN prediction p ON p.cell_key = e.key
LEFT JOIN printed t ON t.per_box = e.per_box
ORDER BY e.device, e.level, e.block DESC, e.per_box, k.rank, e.place;
--: column level | level | | right | all
--: column per_box | P | | right | all
--: column block | block | | right | all
--: column atomic | update | | left | all
--: column place | order | | left | all
--: column degree | lanes at an address | | number | all
--: column result | forces | | left | all
--: column measured | a step | | right | people
--: column predicted_s | predicted | | right | all
--: column binds | what binds | | left | all
--: column gain | bpb over it | | right | all
--: column printed | Table III | | right | all
--: column without | without its floor | | right | all

-- The layout of `orrery table shan/crossover`, which knows nothing of results that are wrong.
--: layout crossover
--: fill audit
--: use updates
--: data The largest cost of an update with which the third law pays
WITH card AS (
    SELECT max(iif(item = 'update at which the third law stops paying, of accelerations', slots, NULL)) AS pays,
        max(iif(item = 'left for one update, of accelerations', slots, NULL)) AS own,
        f.device, f.pair_s / f.pair_slots AS slot
    FROM audit_slots a JOIN audit_fit f USING (paper) WHERE a.paper = 'shan' AND f.variant = 'bpb' AND f.pair_slots NOT NULL)
SELECT 0 AS row, device || ', Table III' AS device, NULL AS block, NULL AS per_box, NULL AS measured, NULL AS seconds, NULL AS updates, pays * slot AS pays,
    printf('%.3g', 1e12 * pays * slot) AS "pays.text", NULL AS "*kinds" FROM card WHERE pays NOT NULL
UNION ALL SELECT b.cell_key, b.device, iif(b.block, b.block, 'fitted'), b.per_box, seconds_text(b.seconds, ''), b.seconds, b.pairs,
    b.seconds * (1 - b.both) / b.pairs, printf('%.3g', 1e12 * b.seconds * (1 - b.both) / b.pairs), NULL
FROM own_bpb b ORDER BY 2, 3, 4;
--: column device | device | | left | all
--: column block | block | | right | all
--: column per_box | P | | right | all
--: column measured | bpb | | right | people
--: column updates | updates | | count | all
--: column pays | pays up to | ps | right | all
--: spread kinds
SELECT NULL AS row, atomic || '_' || place AS key, atomic || ', ' || place AS head, place AS above, NULL AS value, NULL AS text, NULL AS unit
FROM own_kind JOIN (SELECT 'same' AS place UNION ALL SELECT 'staggered') WHERE atomic <> 'none'
UNION ALL SELECT base_key, atomic || '_' || place, atomic || ', ' || place, place, costs, printf('%.3g%s', 1e12 * costs,
        iif(costs < pays, ' pays', '')), 'ps'
FROM own_update
UNION ALL SELECT b.cell_key, 'ceiling_' || x.low, printf('measured alone, %d lane%s at an address', x.low, iif(x.low = 1, '', 's')),
    'measured alone', x.cost, printf('%.3g', 1e12 * x.cost), 'ps'
FROM own_bpb b JOIN scope s JOIN audit_rate x ON x.machine = s.machine AND x.device = b.device
    AND x.kind = 'shared-atomic-float-cas' AND (x.low = 1 OR x.high IS NULL)
UNION ALL SELECT 0, 'printed', 'as the printed times imply', '', own * slot, printf('%.3g pays', 1e12 * own * slot), 'ps'
FROM (SELECT max(iif(item = 'left for one update, of accelerations', slots, NULL)) AS own,
        f.pair_s / f.pair_slots AS slot
    FROM audit_slots a JOIN audit_fit f USING (paper) WHERE a.paper = 'shan' AND f.variant = 'bpb' AND f.pair_slots NOT NULL)
WHERE own NOT NULL;
--: remark
VALUES ('Picoseconds of the whole device an update. Pays up to: what two updates may cost before half the evaluations take'
    || ' longer, at the share of its ceiling that bpb reaches. Beside it what each kind of update costs by its time here: all'
    || ' of bpb-n3l that half the evaluations do not explain. Measured alone: a compare-and-swap by `orrery run ceilings`.'),
    ('Of the paper''s card by Table III without its floor and the card''s documented rates: the cost that its printed times'
    || ' leave for an update of accelerations is that of a load, an addition and a store; of forces, whose opposite is a sign, half'
    || ' as much again (`orrery audit shan/updates`).');
--: remark
SELECT 'Nothing was measured here yet: `orrery run shan/updates` does.' WHERE NOT EXISTS (SELECT 1 FROM own_bpb);
--: nothing {experiment} is a table and has no figure
