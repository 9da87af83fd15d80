#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery run --counters: what is asked for, in which round, by which process, what is known of chips without a GPU; and what PAPI counts,
# of the processor, or of the kernel where it has none, or why there are none.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
plugins_paper right=quick wrong=faults counted_apart=apart quick:random-3d:n=2,3 faults:random-3d:n=60 apart:random-3d:n=60
results=$work/results
common=(--device host --preset smoke -o "$results")
journal() { sed -n 's/^journal: //p' "$work/out"; }
cells() { jq -es "map(select(.record == \"cell\")) | length > 0 and all(.outcome == \"ok\" and ($1))" "${2:-$(journal)}"; }
told='(.counters | type == "array" and length > 0 and all((.source | length) > 0 and ((.values | type) == "object" or (.reason | length) > 10)))'

check "--counters" run 0 run plugins/quick "${common[@]}" --counters auto --repeats 2
all=$(journal)
check "values or a reason, in the first round" cells "(if .round == 1 then $told else .counters == null end)" "$all"
check "they stand in the request" jq -es '.[0].request.counters == "auto"' "$all"
check "the ledger has them" run 0 query 'SELECT count(*) AS n FROM cell c WHERE EXISTS (SELECT 1 FROM counter WHERE cell_key = c.cell_key) OR EXISTS (SELECT 1 FROM counter_reason WHERE cell_key = c.cell_key)' -r "$all" -f json
check "of every cell" jq -e '.rows[0].n == 2' "$work/out"
described() { run 0 describe "$(jq -rs 'map(select(.record == "cell"))[0].id' "$all")" -r "$all" && grep -qE '^- counters: none of|\(papi\)' "$work/out"; }
check "describe shows them" described
mkdir -p "$work/gpu/m" "$work/cut/m"
jq -c 'del(.check) | if .record == "run" then .schema = 1 elif .record == "cell" and .round == 1 then .counters = [{source: "cupti", groups: ["fp32"], values: {fp32_add: 4, fp32_mul: 3, fp32_fma: 6}}, {source: "cupti", groups: ["special"], values: {special: 1}}] | .flops_true = 20 else . end' "$all" > "$work/gpu/m/$(basename "$all")"
check "what was executed" shows '- executed: 20 operations in single precision, 1.0000 of what the variant declares' describe "$(jq -rs 'map(select(.record == "cell"))[0].id' "$all")" -r "$work/gpu"
check "by name" grep -qE '^\| fp32_fma \(cupti\) +\| +6' "$work/out"
head -n 2 "$all" > "$work/cut/m/$(basename "$all")"
check "a run that was cut before its cells" run 0 run --resume last -o "$work/cut" --machine m
check "counts as it was asked to" cells "(if .round == 1 then $told else .counters == null end)" "$work/cut/m/$(basename "$all")"
check "--resume takes no groups" fails 2 'everything from the run' run --resume last -o "$results" --counters none
check "another request" run 0 run plugins/quick "${common[@]}" --continue --repeats 2 --counters papi
check "is another run" test "$(journal)" != "$all"
check "the same request" run 0 run plugins/quick "${common[@]}" --continue --repeats 2 --counters papi
check "goes on" grep -q '^2 cells: 2 ok' "$work/out"
check "no word of counters" run 0 run plugins/quick "${common[@]}"
check "none" cells '.counters == null'
check "as describe says" shows '`orrery run --counters auto` takes them' describe "$(jq -rs 'map(select(.record == "cell"))[0].id' "$(journal)")" -r "$(journal)"
check "the preset paper" run 0 run plugins/quick --device host --preset paper --repeats 1 --no-energy --time-limit 0.1 --set n=2 -o "$results"
check "counts" cells "$told"
check "the preset paper without" run 0 run plugins/quick --device host --preset paper --repeats 1 --no-energy --time-limit 0.1 --set n=2 -o "$results" --counters none
check "counts nothing" cells '.counters == null'
check "for a profiler" run 0 run plugins/quick "${common[@]}" --once --counters auto -o "$work/once"
check "there is only the one step" cells '.counters == null'
check "a cell that fails" run 3 run plugins/wrong "${common[@]}" --only '*faults*' --counters auto
check "has no counters" jq -es 'map(select(.record == "cell")) | length == 1 and all(.outcome == "wrong" and .counters == null)' "$(journal)"
check "a group that nobody knows" fails 2 "no group of counters 'fp3'; did you mean 'fp32'" run plugins/quick "${common[@]}" --counters fp3
check "no group at all" fails 2 'counters takes auto, none or groups' run plugins/quick "${common[@]}" --counters ''

# What counts does so in a process of its own: its end costs no cell, and no cell that comes after it.
export TEST_FIRST=$work/first
check "a crash under counters" run 0 run plugins/apart "${common[@]}" --counters papi
check "is a reason" cells '(.counters[0] | .source == "papi" and (.reason | test("SIGSEGV"))) and .seconds > 0'
check "a wrong result under counters" bash -c "rm -f '$TEST_FIRST'; TEST_WRONG=1 '$orrery' run plugins/apart --device host --preset smoke -o '$results' --counters papi > '$work/out'"
check "is one, too" cells '(.counters[0] | .source == "papi" and (.reason | test("bound"))) and .seconds > 0'
unset TEST_FIRST

# CUPTI's metrics have their names with or without libcupti.
names='fp32_add fp32_mul fp32_fma fp64_add fp64_mul fp64_fma special integer shared_loads shared_stores shared_atomics shared_conflicts global_loads global_stores global_atomics global_sectors l1_bytes l2_bytes dram_bytes issued_slots active_threads elapsed_cycles'
has_names() { local name; for name in $names; do grep -q "^$name " "$work/out" || { echo "no $name"; return 1; }; done; }
ORRERY_CUPTI=off check "list counters" run 0 list counters
check "has every logical name" has_names

# --- PAPI ---
unset ORRERY_HOME ORRERY_PLUGINS
host=(run fujiwara/table2 --only 'fujiwara/cpu-simd*' --set n=999 --repeats 1 "${common[@]}")
papi='(.counters | map(select(.source == "papi")))'
check "a cell of the host with counters" run 0 "${host[@]}" --counters auto
check "has values of the processor, or the reason with its remedy" cells "$papi | length == 1 and all((.values | length) > 0 or (.reason | test(\"; \")))"
reason=$(jq -r "select(.record == \"cell\") | $papi[0].reason // empty" "$(journal)" | head -n 1)
"$orrery" doctor >"$work/doctor" 2>&1
doctor_agrees() { if [ -z "$reason" ]; then grep -q '^ok  *processor counters' "$work/doctor"; else grep -qF -- "${reason%%; *}" "$work/doctor"; fi; }
check "which doctor gives, too" doctor_agrees
check "a group that nothing counts here" run 0 "${host[@]}" --counters shared
check "has the reason" cells '.counters[0].reason == "nothing counts shared on host"'
for gone in sde work gpm activity; do check "--counters $gone" fails 2 "--counters $gone: gone; " "${host[@]}" --counters "$gone"; done

# On a processor whose counters others stand for, with the threads that OpenMP makes in a step.
if ldd "$orrery" | grep -q libpapi && ! ldd "$orrery" | grep -q libasan; then # which wants to be loaded first
    export LD_PRELOAD=$BUILD/tests/drivers/perf.so
    check "events that start" shows 'cycles, instructions, branches' doctor
    check "a step under them" run 0 "${host[@]}" --counters cycles,branches
    check "is counted in each pass" cells '.counters == [.counters[0]] and (.counters[0] | .source == "papi" and .values.cycles > 0 and .values.branch_misses > 0 and .raw["perf::CYCLES"] == .values.cycles)'
    unset LD_PRELOAD
    check "what the kernel counts" run 0 "${host[@]}" --counters system
    check "is counted or has a reason" cells '.counters == [.counters[0]] and (.counters[0] | .source == "papi" and (.values.task_clock > 0 or (.reason | test("; "))))'
fi
finish
