#!/bin/bash
# SPDX-License-Identifier: MIT
# Do CUPTI's counters say what is known? On an NVIDIA GPU with leave to read them: executed operations within 1 % of those declared,
# shared atomics equal to the counting build's. usage: tests/counters_on_gpu.sh [DEVICE]
# Results stay in KEEP if that names a folder. Where counters are refused the reason is printed and the exit status is 4.
. "$(dirname "$0")/lib_e2e.sh"
device=${1:-cuda:0}
results=${KEEP:-$work/results}
common=(--device "$device" --preset smoke --repeats 1 --counters cupti -o "$results")
journal() { sed -n 's/^journal: //p' "$work/out"; }
ask() { "$orrery" query "$1" -r "$2" --format csv | tr -d '\r'; }

# counted NAME ARGUMENTS...: runs and keeps the journal's path in $counted.
counted() {
    check "$1" run 0 run "${@:2}" "${common[@]}"
    counted=$(journal)
    [ -s "$counted" ] || exit 0
}
reasons() { ask "SELECT DISTINCT reason FROM counter_reason" "$counted" | tail -n +2; }
near_one() { awk -F, 'NR > 1 { rows++; if ($NF < 0.99 || $NF > 1.01) bad = 1 } END { exit bad || !rows }' "$work/shares"; }

"$orrery" doctor | grep -A 1 "counters $device"
counted "fujiwara/optimised" fujiwara/table2 --only 'fujiwara/table2 fujiwara/optimised *' --set n=98304
if [ -n "$(reasons)" ]; then
    printf 'counters are refused: %s\n' "$(reasons)"
    exit 4
fi
names=$("$orrery" list counters --json 2>/dev/null | jq '[.[] | select(.source == "cupti")] | length' | tr -dc 0-9)
check "all $names names have values" test "$(ask 'SELECT count(DISTINCT name) FROM counter' "$counted" | tail -n 1 | tr -dc 0-9)" -eq "$names"
ask 'SELECT variant, adds, muls, fmas, special, flops, declared, share FROM executed JOIN cell USING (cell_key)' "$counted" | tee "$work/shares"
check "operations of fujiwara/optimised are those declared, within 1 %" near_one
counted "shan/bpb" shan/table1 --only 'shan/table1 shan/bpb *' --set level=4 --set per_box=512
ask 'SELECT variant, adds, muls, fmas, special, flops, declared, share FROM executed JOIN cell USING (cell_key)' "$counted" | tee "$work/shares"
check "operations of shan/bpb are those declared, within 1 %" near_one

# A box of 32 bodies is one warp: threads that begin at different bodies never meet, and a loop of compare-and-swap needs one try.
# Otherwise each try counts, threads of a warp at one address may be one word, and an update in fixed point is one or two.
atomics="SELECT variant, parameters ->> 'atomic' AS atomic, parameters ->> 'order' AS \"order\",
    (SELECT sum(value) FROM count k WHERE k.cell_key = c.cell_key AND kind = 'AS') AS counted,
    (SELECT value FROM counter k WHERE k.cell_key = c.cell_key AND name = 'shared_atomic_warps') * 32 AS threads_at_most,
    (SELECT value FROM counter k WHERE k.cell_key = c.cell_key AND name = 'shared_atomics') AS executed,
    (SELECT value FROM counter k WHERE k.cell_key = c.cell_key AND name = 'shared_conflicts') AS conflicts,
    (SELECT value FROM counter k WHERE k.cell_key = c.cell_key AND name = 'shared_atomics')
    / (SELECT sum(value) FROM count k WHERE k.cell_key = c.cell_key AND kind = 'AS') AS share FROM cell c"
counted "shan/bpb-n3l" shan/table1 --only 'shan/table1 shan/bpb-n3l *' --set level=4 --set per_box=32 --set atomic=cas,native,fixed --set order=same,staggered
ask "$atomics" "$counted"
ask "$atomics WHERE atomic = 'cas' AND \"order\" = 'staggered'" "$counted" >"$work/shares"
check "shared atomics that never meet are those counted, within 1 %" near_one
