-- What the times of Table III imply; harness/audit/fit.sql has the fit, harness/audit/racing.sql the two tables.

-- An issue slot is a warp's turn at the instruction unit. The inner loops by their statements (kernels/shan_bpb.cl,
-- kernels/shan_bpb_n3l.cl) on a card whose multiply-adds are one instruction and whose roots are issued in one slot:
--   interaction 19: 10 of arithmetic (PAIR2: 2 differences, 2 for the square, root, 3 products, 2 sums), 3 reads of array A,
--     1 address, 3 of the loop, 2 to leave out the own body
--   counterforce 3: 3 products more (PAIR2_BOTH without its sums, which are the updates)
--   plain update 3: load, addition, store
--   atomic update at one address: lanes take turns, so at least one slot a lane, 32; without an atomic addition of floats
--     each turn compares and swaps: load, addition, swap, comparison, branch, 5
--   pair with plain updates 26: the 19 without leaving out, 17, counterforce and two updates
INSERT INTO own_slots
WITH loop(interaction, counterforce, plain, turn, lanes) AS (VALUES (19, 3, 3, 5, 32)),
 one AS (SELECT * FROM audit_fit WHERE paper = 'shan' AND experiment = 'shan/table3' AND variant = 'bpb'),
 both AS (SELECT * FROM audit_fit WHERE paper = 'shan' AND experiment = 'shan/table3' AND variant = 'bpb-n3l'),
 known AS (
    SELECT l.*, o.pair_slots AS one, o.pair_slots_error AS one_error, b.pair_slots AS both, b.pair_slots_error AS both_error,
        b.pair_slots - o.pair_slots AS left_over, sqrt(o.pair_slots_error * o.pair_slots_error
            + b.pair_slots_error * b.pair_slots_error) AS left_error
    FROM loop l JOIN one o JOIN both b WHERE o.pair_slots NOT NULL AND b.pair_slots NOT NULL)
SELECT 'shan/table3', item, slots, error, declared, why FROM (
    SELECT 1 AS place, 'interaction of bpb' AS item, one AS slots, one_error AS error, interaction AS declared,
        'statements of the loop' AS why FROM known
    UNION ALL SELECT 2, 'pair of bpb-n3l', both, both_error, interaction - 2 + counterforce + 2 * plain,
        'statements of the loop with plain updates' FROM known
    UNION ALL SELECT 3, 'left for the counterforce and its two updates', left_over, left_error, counterforce + 2 * plain,
        'three products; twice load, addition, store' FROM known
    UNION ALL SELECT 4, 'left for one update', (left_over - counterforce) / 2, left_error / 2, plain,
        'load, addition, store' FROM known
    UNION ALL SELECT 5, 'update at which the third law stops paying', (one - counterforce) / 2, one_error / 2, NULL,
        'two interactions become a pair, a counterforce and two updates' FROM known
    UNION ALL SELECT 6, 'atomic update, all lanes at one address', NULL, NULL, lanes, 'at least one turn a lane' FROM known
    UNION ALL SELECT 7, 'the same by compare-and-swap', NULL, NULL, lanes * turn,
        'a turn: load, addition, swap, comparison, branch' FROM known
    UNION ALL SELECT 8, 'compare-and-swap, each lane at its own address', NULL, NULL, turn, 'one turn' FROM known)
ORDER BY place;

INSERT INTO own_finding
SELECT experiment, 'what the times of Table III hold besides pairs', NULL, 'not said',
    group_concat(printf('%s %.1f +- %.1f ms', variant, 1e3 * floor_s, 1e3 * floor_error_s), ', ') || ' at every P',
    printf('t = floor + pair x evaluations, fitted to %d times each; residuals up to %.0f %%', min(points), 100 * max(misfit))
FROM audit_fit WHERE paper = 'shan' AND experiment = 'shan/table3' AND variant IN ('bpb', 'bpb-n3l')
HAVING count(*) = 2;

INSERT INTO own_finding
SELECT 'shan/table3', 'issue slots of an ' || item, abs(slots - declared) <= error, printf('%d by the loop as written', declared),
    printf('%.1f +- %.1f by Table III and the rates of the Tesla C1060', slots, error), why
FROM own_slots WHERE item = 'interaction of bpb';

-- The verdict: which of the three kinds of update has room.
INSERT INTO own_finding
WITH at AS (
    SELECT max(iif(item LIKE 'left for the counterforce%', slots, NULL)) AS slots,
        max(iif(item LIKE 'left for the counterforce%', error, NULL)) AS error,
        max(iif(item LIKE 'left for the counterforce%', declared, NULL)) AS plain,
        max(iif(item = 'update at which the third law stops paying', slots, NULL)) AS most,
        max(iif(item = 'left for one update', slots, NULL)) AS one,
        max(iif(item = 'left for one update', error, NULL)) AS one_error,
        max(iif(item = 'atomic update, all lanes at one address', declared, NULL)) AS serial,
        max(iif(item = 'the same by compare-and-swap', declared, NULL)) AS swap,
        max(iif(item = 'compare-and-swap, each lane at its own address', declared, NULL)) AS spread
    FROM own_slots),
 judged AS (
    SELECT *, iif(slots + error < 3 + 2 * spread, 'racy, not atomic',
        iif(slots + error < 3 + 2 * serial, 'not atomic at one address', 'room for atomic ones')) AS verdict
    FROM at WHERE slots NOT NULL)
SELECT 'shan/table3', 'updates of the counterforce', verdict = 'room for atomic ones', 'atomic (section III C, steps 3 and 5)',
    printf('%s: %.1f +- %.1f issue slots are left for the counterforce and its two updates', verdict, slots, error),
    printf('plain updates need %.0f; 32 lanes at one address, one after the other, at least %.0f, %.0f times as many, by'
        || ' compare-and-swap %.0f; each lane at its own address, by compare-and-swap, %.0f. Which code was run is not known.',
        plain, 3 + 2 * serial, (3 + 2 * serial) / slots, 3 + 2 * swap, 3 + 2 * spread)
FROM judged
UNION ALL SELECT 'shan/table3', 'cost of an update on the Tesla C1060', one - one_error < 3 AND one + one_error > 3,
    'not said', printf('%.1f +- %.1f slots; the third law pays up to %.1f', one, one_error, most),
    printf('its documented rates allow a plain update in 3, and none of 32 lanes in turn below %.0f', serial)
FROM judged;
