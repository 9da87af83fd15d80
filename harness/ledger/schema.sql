-- SPDX-License-Identifier: MIT
-- The ledger beside the tables that mirror journal records (members.csv: run, device, ceiling, cell,
-- kernel, stage). `orrery query --schema` prints the comment above each table and view.

-- The records of a cell, one a process. process: from 0 in the order of rounds; round: of the run,
-- from 1; line: of the journal.
CREATE TABLE round(cell_key INTEGER, process INTEGER, round INTEGER, line INTEGER, started TEXT,
    outcome TEXT, reason TEXT);
-- What the journals call the machine of each run; one name may mean several (newest.sql).
CREATE TABLE named(run_key INTEGER PRIMARY KEY, machine TEXT);
-- What the journals call the devices of each run, and what they are called here. given: as in the
-- journal.
CREATE TABLE alias(run_key INTEGER, given TEXT, device TEXT,
    PRIMARY KEY (run_key, given)) WITHOUT ROWID;
-- Raw times of a cell, in seconds. kind: step_s, single_s, kernel_s, device_s or end_to_end_s, as
-- in the journal; idx: over all processes; throttled: taken while the device throttled.
CREATE TABLE sample(cell_key INTEGER, kind TEXT, idx INTEGER, value REAL, throttled INTEGER,
    process INTEGER, PRIMARY KEY (cell_key, kind, idx)) WITHOUT ROWID;
-- Times of the phases of a single step by device events, one row a sample.
CREATE TABLE phase(cell_key INTEGER, name TEXT, idx INTEGER, seconds REAL, process INTEGER);
-- Times of the stages that are part of a step, one row a sample.
CREATE TABLE stage_sample(cell_key INTEGER, name TEXT, idx INTEGER, seconds REAL,
    process INTEGER);
-- What the sensors said of each sample; NULL: the device does not tell. throttle: names of the
-- reasons, '' for none.
CREATE TABLE sensor(cell_key INTEGER, process INTEGER, idx INTEGER, clock_mhz REAL,
    memory_clock_mhz REAL, power_w REAL, temperature_c REAL, throttle TEXT,
    PRIMARY KEY (cell_key, idx)) WITHOUT ROWID;
-- What the counting build counted. kind: GR GW SR SW RR RW CP AS AG IR AD LP BA CX CN CY CE PJ CT CA
-- CL CB TB TL AF, of kernels/count.h.
CREATE TABLE count(cell_key INTEGER, procedure TEXT, kind TEXT, value INTEGER);
-- What counters counted in one step that is no sample, by logical name (`orrery list counters`):
-- operations of single threads, bytes, cycles. source: cupti, papi (hardware events), sde
-- (software-defined events), gpm (averages over a window). origin: the
-- cell whose step it was, where that is another measurement by the same plugin; NULL: this one.
CREATE TABLE counter(cell_key INTEGER, source TEXT, name TEXT, value REAL, origin INTEGER);
-- Why a source that was asked counted nothing.
CREATE TABLE counter_reason(cell_key INTEGER, source TEXT, reason TEXT);
-- The same of those that are wrong on purpose.
CREATE TABLE wrong_on_purpose_count(wrong_on_purpose_key INTEGER, procedure TEXT, kind TEXT,
    value INTEGER);
-- What else the variant knows of the work of a step ("node interactions", "groups").
CREATE TABLE figure(cell_key INTEGER, name TEXT, value REAL);
-- Distribution of the errors: `error` is what a `fraction` of the bodies exceeds. normalisation:
-- relative, by_mean, by_terms.
CREATE TABLE error_curve(cell_key INTEGER, normalisation TEXT, fraction REAL, error REAL);
-- The ceilings of a run's devices, the largest of its rounds: a ceiling is a maximum, and the
-- largest was disturbed least. kind: of pairs (3d, 3d-both, 3d-matrix, 3d-node, 2d, 2d-both),
-- rate: ordered ones a second; mix: 12 operations and a root; fma: multiply-adds alone.
CREATE TABLE ceiling_pair(run_key INTEGER, device TEXT, kind TEXT, rate REAL,
    PRIMARY KEY (run_key, device, kind)) WITHOUT ROWID;
-- What an access or operation of a kind was measured to do on a whole device, a second, by
-- `orrery run ceilings`, in each round. degree: lanes of a warp that share an address; unit:
-- operation, pair, word, update, byte, shuffle, barrier or launch; rate: NULL for the `reason`;
-- place: in the record, from 0.
CREATE TABLE access_rate(run_key INTEGER, device TEXT, round INTEGER, kind TEXT, degree INTEGER,
    place INTEGER, device_name TEXT, unit TEXT, rate REAL, reason TEXT, clock_mhz REAL, line INTEGER,
    PRIMARY KEY (run_key, device, round, kind, degree)) WITHOUT ROWID;
CREATE TRIGGER renamed AFTER UPDATE OF device ON alias BEGIN
    UPDATE device SET device = new.device WHERE run_key = new.run_key AND device = old.device;
    UPDATE cell SET device = new.device WHERE run_key = new.run_key AND device = old.device;
    UPDATE wrong_on_purpose SET device = new.device
    WHERE run_key = new.run_key AND device = old.device;
    UPDATE ceiling SET device = new.device WHERE run_key = new.run_key AND device = old.device;
    UPDATE ceiling_pair SET device = new.device WHERE run_key = new.run_key AND device = old.device;
    UPDATE access_rate SET device = new.device WHERE run_key = new.run_key AND device = old.device;
END;
CREATE INDEX round_cell ON round(cell_key);
CREATE INDEX phase_cell ON phase(cell_key);
CREATE INDEX stage_cell ON stage(cell_key);
CREATE INDEX count_cell ON count(cell_key);
CREATE INDEX counter_cell ON counter(cell_key);
CREATE INDEX counter_reason_cell ON counter_reason(cell_key);
CREATE INDEX figure_cell ON figure(cell_key);
CREATE INDEX error_curve_cell ON error_curve(cell_key);
CREATE INDEX cell_id ON cell(id);
CREATE INDEX cell_experiment ON cell(experiment);
CREATE INDEX kernel_cell ON kernel(cell_key);

-- Numbers printed in a paper, times in seconds. A quantity "ratio/cpu-only" is split into quantity
-- "ratio" and reference "cpu-only". `printed` keeps the digits as printed; half_unit is half a unit
-- in the last of them. includes: what the number covers; erratum: what is wrong with it.
CREATE TABLE published(paper TEXT, experiment TEXT, variant TEXT, dataset TEXT, n INTEGER,
    quantity TEXT, reference TEXT, value REAL, printed TEXT, half_unit REAL, unit TEXT,
    device TEXT, includes TEXT, erratum TEXT);
-- Facts of the papers' own devices (published/devices.csv). A quantity "slots/bpb" is split into
-- quantity "slots" and reference "bpb", as of `published`; NULL in a row that only names a device or
-- an erratum. quantity: year (of release), clock (Hz), lanes (that multiply and add in one clock, of
-- the whole device), peak (Gflop/s), bandwidth (GB/s), power (W), cores (of a processor), threads (of a
-- program of the paper), slots (turns of a lane that it takes for an interaction) and what else a vendor documents. origin: printed (in the
-- paper), derived (from what it prints) or external. source: where. paper: '' of devices that are
-- no paper's.
CREATE TABLE published_fact(paper TEXT, device TEXT, quantity TEXT, reference TEXT, value REAL,
    unit TEXT, origin TEXT, source TEXT, erratum TEXT);
-- The papers' own devices, one row each. device_place: in their order; external: quantities that are not
-- the paper's, with commas; source: where peak and bandwidth are from.
CREATE VIEW published_device AS
SELECT paper, min(rowid) AS device_place, device, max(value) FILTER (WHERE quantity = 'year') AS year,
    max(value) FILTER (WHERE quantity = 'clock') AS clock,
    max(value) FILTER (WHERE quantity = 'lanes') AS lanes,
    max(value) FILTER (WHERE quantity = 'peak') AS peak_gflops,
    max(value) FILTER (WHERE quantity = 'bandwidth') AS bandwidth_gbs,
    max(value) FILTER (WHERE quantity = 'power') AS power_w,
    max(value) FILTER (WHERE quantity = 'cores') AS cores,
    group_concat(quantity, ', ') FILTER (WHERE origin = 'external' AND quantity IN ('year',
        'clock', 'lanes', 'peak', 'bandwidth', 'power')) AS external,
    group_concat(quantity || iif(origin = 'printed', '', ', ' || origin) || ': ' || source, '; ')
        FILTER (WHERE quantity IN ('peak', 'bandwidth')) AS source,
    group_concat(erratum, ' ') AS erratum
FROM published_fact WHERE paper <> '' GROUP BY paper, device;

-- Parts of claims in which a paper contradicts itself: what is printed cannot reproduce them. An
-- empty reading, what or at: any.
CREATE TABLE erratum(paper TEXT, claim TEXT, reading TEXT, what TEXT, at TEXT, why TEXT);

-- A paper.yaml. flops: of one interaction, by the paper's convention. In what follows `place` is
-- the place in that file, `variant` a name without the paper, `experiment` "paper/name".
CREATE TABLE paper(paper TEXT, title TEXT, authors TEXT, venue TEXT, year INTEGER, flops REAL);
-- A paper's variants. label: the paper's own name for it; named: it has one.
CREATE TABLE variant(paper TEXT, place INTEGER, variant TEXT, label TEXT, named INTEGER);
-- A paper's tables and figures. cells: the experiment whose cells are shown.
CREATE TABLE experiment(paper TEXT, place INTEGER, experiment TEXT, name TEXT, shows TEXT,
    title TEXT, layout TEXT, note TEXT, cells TEXT);
-- Which variants belong to an experiment.
CREATE TABLE takes_part(experiment TEXT, variant TEXT);
-- What an experiment varies. vals: the text "a,b,c" or "lo:hi:*factor"; numbers: all are numbers.
CREATE TABLE axis(experiment TEXT, place INTEGER, name TEXT, vals TEXT, numbers INTEGER,
    several INTEGER);
-- The words of such a text between commas. means: what stands behind the value in brackets.
CREATE TABLE axis_value(experiment TEXT, name TEXT, place INTEGER, value TEXT, means TEXT);
-- What an experiment has of its own in a preset. skip: the preset leaves it out.
CREATE TABLE preset(experiment TEXT, place INTEGER, preset TEXT, skip INTEGER, time_limit_s REAL,
    timeout_s REAL, long_samples INTEGER);
-- Axes in place of the experiment's.
CREATE TABLE preset_axis(experiment TEXT, preset TEXT, name TEXT, vals TEXT);
-- Sizes beyond which a variant is scaled and not run, on every device or those of a kind.
CREATE TABLE preset_limit(experiment TEXT, preset TEXT, variant TEXT, n REAL, kind TEXT);
-- What the speedups of an experiment are over.
CREATE TABLE baseline(experiment TEXT, place INTEGER, variant TEXT);
-- The phases that a figure draws; without any the whole step is.
CREATE TABLE drawn_phase(experiment TEXT, place INTEGER, name TEXT);
-- The values of each setting that a paper does not print, of which the one at place 0 was taken. They count for cells that
-- have `met` in the setting `condition`, or for all where it is NULL. claims: those that hang on it, as an array in JSON.
CREATE TABLE guess(paper TEXT, guess INTEGER, place INTEGER, name TEXT, setting TEXT, value NUMERIC, taken NUMERIC,
    condition TEXT, met NUMERIC, claims TEXT);

-- The ceiling of each kind of access in a run: the median over its rounds, with the 95 % interval
-- that three rounds know (docs/METHOD.md, "Access ceilings").
CREATE VIEW access_ceiling AS
SELECT run.machine, run.operand, a.device, max(a.device_name) AS device_name, a.run_key, a.kind,
    a.degree, a.unit, median(a.rate) AS rate, rounds_low(a.rate) AS rate_low,
    rounds_high(a.rate) AS rate_high, count(*) AS rounds, max(a.clock_mhz) AS clock_mhz
FROM access_rate a JOIN run USING (run_key)
WHERE a.rate NOT NULL
GROUP BY a.run_key, a.device, a.kind, a.degree;

-- What an access costs, by the newest run of each machine and device: seconds = 1 / rate, of the
-- device as a whole.
CREATE VIEW access_cost AS
SELECT c.machine, c.operand, c.device, c.device_name, c.run_key, c.kind, c.degree, c.unit, c.rate,
    1 / c.rate AS seconds
FROM access_ceiling c JOIN (
    SELECT run_key, device, row_number() OVER (PARTITION BY operand, machine, device
        ORDER BY started DESC, run_key DESC) AS age
    FROM (SELECT DISTINCT run_key, device FROM access_rate WHERE rate NOT NULL)
    JOIN run USING (run_key)) newest USING (run_key, device)
WHERE newest.age = 1;

-- The cells of the view latest; found anew whenever journals were loaded.
CREATE TABLE newest(cell_key INTEGER PRIMARY KEY);

-- Every cell with its run. commit_id: of Orrery; run_started: when the run began.
CREATE VIEW cells AS SELECT cell.*,
    substr(cell.experiment, 1, instr(cell.experiment, '/') - 1) AS paper,
    cell.extrapolated_from IS NOT NULL AS extrapolated, run.operand, run.machine, run.run, run.path,
    run.commit_id, run.preset, run.started AS run_started
FROM cell JOIN run USING (run_key);

-- The newest of each cell on each machine (of a comparison: of each operand), whatever its
-- outcome. Within a journal the later record of a cell id counts; across the journals of one
-- machine the later started one, but not one of fewer than three processes in place of one of more
-- by the same plugin. A measured cell always stands before an estimate, so that a short
-- run does not hide what a long one measured. An id is made of the settings that were given: what
-- is equal in all parameters as well did the same, one with a default spelt out. A cell that failed
-- before it had parameters is only its id.
CREATE VIEW latest AS SELECT * FROM cells JOIN newest USING (cell_key);

-- What other programs may have taken of the machine beside a cell, as a share, 0 to 0.999: they give no time, so without them it may
-- have taken that much less. They must have been beside half of its processes, lest its median move.
CREATE VIEW disturbed AS SELECT cell_key,
    CASE WHEN beside IS NULL OR 2 * coalesce(others_marked, 1) < coalesce(processes, 1) THEN 0
        WHEN others_cores IS NULL OR instr(beside, 'on the GPU') THEN 0.999
        ELSE min(0.999, coalesce(others_cores_median, others_cores) / substr(beside, instr(beside, ' of ') + 4)) END AS share
FROM cell;

-- What each cell is measured by: the ceiling of its own run and device, of several ranks as many
-- times that, for its kind of pair, that
-- of the mix where an older journal tells no kinds, NULL where there is none. That of a tree code
-- with quadrupoles, 3d-tree, is what its cells and bodies take together, of kinds 3d-node and 3d.
-- ceiling_kind: which one; ceiling_fraction: the cell's rate by it; ceiling_fault: where that is above 1, what is said
-- of it: the ceiling is too low, and nothing may be judged by it. NULL else.
CREATE VIEW cell_ceiling AS
SELECT *, iif(ceiling_fraction > 1, 'above 100 %: the ceiling of that run' || iif(ceiling_kind
        = 'mix', ', 12 multiply-adds and a root,', '') || ' is too low, not used', NULL)
        AS ceiling_fault
FROM (
    SELECT cell_key, iif(rate NOT NULL, kind, NULL) AS ceiling_kind, rate * ranks AS ceiling,
        interactions_per_second / rate / ranks AS ceiling_fraction, fma_per_second
    FROM (SELECT c.cell_key, c.interactions_per_second, coalesce(c.ranks, 1) AS ranks, f.rate AS fma_per_second,
            iif(c.pair = '3d-tree', c.pair, p.kind) AS kind, iif(c.pair = '3d-tree', (
                SELECT iif(count(*) = 2, c.interactions / sum(g.value / q.rate), NULL)
                FROM figure g JOIN ceiling_pair q ON q.run_key = c.run_key AND q.device = c.device
                    AND q.kind = iif(g.name = 'pairs with quadrupoles', '3d-node', '3d')
                WHERE g.cell_key = c.cell_key AND g.name IN ('pairs with quadrupoles',
                    'pairs with masses')), p.rate) AS rate
    FROM cell c
    LEFT JOIN ceiling_pair p ON p.run_key = c.run_key AND p.device = c.device AND p.kind = iif(
        c.pair IS NULL OR (c.pair NOT IN ('other', '3d-tree') AND NOT EXISTS (SELECT 1 FROM ceiling_pair o
            WHERE o.run_key = c.run_key AND o.device = c.device AND o.kind NOT IN ('mix', 'fma'))),
        'mix', c.pair)
    LEFT JOIN ceiling_pair f ON f.run_key = c.run_key AND f.device = c.device AND f.kind = 'fma'));

-- latest `ok` cells with interactions/s, GFLOPS by the paper's convention and the fraction of the
-- ceiling (cell_ceiling, asked of each cell: joined, it would be made for all).
CREATE VIEW rates AS SELECT l.cell_key, l.machine, l.paper, l.experiment, l.variant, l.device,
    l.device_name, l.dataset, l.n, l.level, l.per_box, l.steps, l.parameters, l.extrapolated,
    l.seconds, l.seconds_low, l.seconds_high, l.interactions_per_second, l.bodies_per_second,
    l.flops_convention / l.seconds / 1e9 AS gflops, l.flops_true / l.seconds / 1e9 AS gflops_true,
    (SELECT ceiling_kind FROM cell_ceiling c WHERE c.cell_key = l.cell_key) AS ceiling_kind,
    (SELECT ceiling FROM cell_ceiling c WHERE c.cell_key = l.cell_key) AS ceiling,
    (SELECT ceiling_fraction FROM cell_ceiling c WHERE c.cell_key = l.cell_key) AS ceiling_fraction,
    (SELECT ceiling_fault FROM cell_ceiling c WHERE c.cell_key = l.cell_key) AS ceiling_fault,
    (SELECT fma_per_second FROM cell_ceiling c WHERE c.cell_key = l.cell_key) AS fma_per_second
FROM latest l
WHERE l.outcome = 'ok';

-- Every pair of latest `ok` cells of the same work: ratio = baseline seconds / variant seconds,
-- with its 95 % interval (docs/METHOD.md, "Statistics").
CREATE VIEW speedups AS SELECT a.machine, a.paper, a.experiment, a.dataset, a.n, a.level,
    a.per_box, a.steps, a.cell_key, a.variant, a.device, a.parameters,
    b.cell_key AS baseline_key, b.variant AS baseline, b.device AS baseline_device,
    b.parameters AS baseline_parameters, a.extrapolated OR b.extrapolated AS extrapolated,
    b.seconds / a.seconds AS ratio, ratio_bound(a.cell_key, b.cell_key, 0) AS ratio_low,
    ratio_bound(a.cell_key, b.cell_key, 1) AS ratio_high
FROM latest a JOIN latest b ON a.machine = b.machine AND a.experiment = b.experiment
    AND a.dataset = b.dataset AND a.n = b.n AND a.level IS b.level AND a.steps IS b.steps
    AND a.cell_key <> b.cell_key
WHERE a.outcome = 'ok' AND b.outcome = 'ok';

-- Single-precision operations of a step by the GPU's counters, a fused multiply-add as two, a
-- reciprocal root as one, beside those that the variant declares. share: the one over the other.
CREATE VIEW executed AS
SELECT cell_key, adds, muls, fmas, special, adds + muls + 2 * fmas + special AS flops,
    flops_true AS declared,
    (adds + muls + 2 * fmas + special) / nullif(flops_true, 0) AS share
FROM (SELECT cell_key, sum(iif(name = 'fp32_add', value, NULL)) AS adds,
        sum(iif(name = 'fp32_mul', value, NULL)) AS muls,
        sum(iif(name = 'fp32_fma', value, NULL)) AS fmas,
        sum(iif(name = 'special', value, NULL)) AS special
    FROM counter WHERE source = 'cupti' GROUP BY cell_key) JOIN cell USING (cell_key)
WHERE adds + muls + fmas + special NOT NULL;
