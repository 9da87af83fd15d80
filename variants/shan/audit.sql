-- SPDX-License-Identifier: MIT
-- What the times of Table III imply; harness/audit/fit.sql has the fit, harness/audit/racing.sql the two tables.

-- An issue slot is a warp's turn at the instruction unit. The inner loops by their statements (kernels/shan_bpb.cl,
-- kernels/shan_bpb_n3l.cl) on a card whose multiply-adds are one instruction and whose roots are issued in one slot:
--   interaction 19: 10 of arithmetic (PAIR2: 2 differences, 2 for the square, root, 3 products, 2 sums), 3 reads of array A,
--     1 address, 3 of the loop, 2 to leave out the own body
--   counterforce: of accelerations, which our loop sums, 3 products more (PAIR2_BOTH without its sums, which are the updates);
--     of forces, which the paper sums ("equal and opposite result"), a sign and no slot. Both are printed.
--   plain update 3: load, addition, store
--   atomic update at one address: lanes take turns, so at least one slot a lane, 32; without an atomic addition of floats
--     each turn compares and swaps: load, addition, swap, comparison, branch, 5
--   pair with plain updates: the 19 without leaving out, 17, counterforce and two updates
INSERT INTO own_slots
WITH loop(interaction, plain, turn, lanes) AS (VALUES (19, 3, 5, 32)),
 sums(of, counterforce, why) AS (VALUES ('accelerations', 3, 'three products'), ('forces', 0, 'a sign')),
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
    UNION ALL SELECT 2, 'pair of bpb-n3l, of ' || of, both, both_error, interaction - 2 + counterforce + 2 * plain,
        'statements of the loop with plain updates' FROM known, sums
    UNION ALL SELECT 3, 'left for the counterforce and its two updates', left_over, left_error, NULL, 'pair less interaction'
    FROM known
    UNION ALL SELECT 4, 'counterforce, of ' || of, NULL, NULL, counterforce, s.why FROM known, sums s
    UNION ALL SELECT 5, 'left for one update, of ' || of, (left_over - counterforce) / 2, left_error / 2, plain,
        'load, addition, store' FROM known, sums
    UNION ALL SELECT 6, 'update at which the third law stops paying, of ' || of, (one - counterforce) / 2, one_error / 2, NULL,
        'two interactions become a pair, a counterforce and two updates' FROM known, sums
    UNION ALL SELECT 7, 'atomic update, all lanes at one address', NULL, NULL, lanes, 'at least one turn a lane' FROM known
    UNION ALL SELECT 8, 'the same by compare-and-swap', NULL, NULL, lanes * turn,
        'a turn: load, addition, swap, comparison, branch' FROM known
    UNION ALL SELECT 9, 'compare-and-swap, each lane at its own address', NULL, NULL, turn, 'one turn' FROM known)
ORDER BY place, item;

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

-- The verdict: which of the three kinds of update has room, whether accelerations or forces are summed.
INSERT INTO own_finding
WITH kind AS (
    SELECT max(iif(item = 'atomic update, all lanes at one address', declared, NULL)) AS serial,
        max(iif(item = 'the same by compare-and-swap', declared, NULL)) AS swap,
        max(iif(item = 'compare-and-swap, each lane at its own address', declared, NULL)) AS spread
    FROM own_slots),
 sums AS (
    SELECT substr(o.item, instr(o.item, ', of ') + 5) AS of, o.slots, o.error, o.declared AS plain, l.slots AS whole,
        l.error AS whole_error, c.declared AS counterforce, c.why, p.slots AS most
    FROM own_slots o JOIN own_slots l ON l.item = 'left for the counterforce and its two updates'
    JOIN own_slots c ON c.item = replace(o.item, 'left for one update', 'counterforce')
    JOIN own_slots p ON p.item = replace(o.item, 'left for one update', 'update at which the third law stops paying')
    WHERE o.item LIKE 'left for one update, of %' ORDER BY of),
 judged AS (
    SELECT *, CASE WHEN slots + error < spread THEN 0 WHEN slots + error < serial THEN 1 ELSE 2 END AS room FROM sums, kind),
 verdict AS (
    SELECT *, max(room) OVER () AS widest, CASE room WHEN 0 THEN 'updates that race fit alone' WHEN 1
        THEN 'compare-and-swap at separate addresses fits, too' ELSE 'atomic ones at one address fit, too' END AS fits FROM judged)
SELECT 'shan/table3', 'updates of the counterforce', widest = 2, 'atomic (section III C, steps 3 and 5)',
    printf('%s: %.1f +- %.1f issue slots are left for the counterforce and its two updates', CASE widest
        WHEN 0 THEN 'racy, not atomic' WHEN 1 THEN 'not atomic at one address' ELSE 'room for atomic ones' END, whole, whole_error),
    group_concat(printf('of %s the counterforce is %s, and %.1f +- %.1f are left for an update: %s', of, why, slots, error, fits), '; ')
    || printf('. A plain one needs %d; 32 lanes at one address, one after the other, at least %d, by compare-and-swap %d; each'
        || ' lane at its own address, by compare-and-swap, %d. Which code was run is not known.', plain, serial, swap, spread)
FROM verdict
HAVING count(*)
UNION ALL SELECT 'shan/table3', 'cost of an update on the Tesla C1060', max(abs(slots - plain) < error), 'not said',
    group_concat(printf('%.1f +- %.1f slots of %s, where the third law pays up to %.1f', slots, error, of, most), '; '),
    printf('its documented rates allow a plain update in %d, and none of 32 lanes in turn below %d', plain, serial)
FROM judged HAVING count(*);
