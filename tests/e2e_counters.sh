#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery run --counters: what is asked for, in which round, by which process, what is known of chips without a GPU; and what PAPI counts,
# of the processor, or of the kernel where it has none, or why there are none.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
plugins_paper right=quick wrong=faults counted_apart=apart quick:random-3d:n=2,3 faults:random-3d:n=60 apart:random-3d:n=60
quick=(run plugins/quick "${common[@]}")
each() { echo "length > 0 and all(.outcome == \"ok\" and ($1))"; } # cell
told='(.counters | type == "array" and length > 0 and all((.source | length) > 0 and ((.values | type) == "object" or (.reason | length) > 10)))'
first_round=$(each "if .round == 1 then $told else .counters == null end")

check "--counters: values or a reason, in the first round" measures 0 "$first_round" "${quick[@]}" --counters auto --repeats 2
all=$(journal)
check "they stand in the request" jq -es '.[0].request.counters == "auto"' "$all"
check "describe shows them" prints '^- counters: none of|\(papi\)' describe "$(cell_id)" -r "$all"
mkdir -p "$work/gpu/m" "$work/cut/m"
jq -c 'del(.check) | if .record == "run" then .schema = 1 elif .record == "cell" and .round == 1 then .counters = [{source: "cupti", groups: ["fp32"], values: {fp32_add: 4, fp32_mul: 3, fp32_fma: 6}}, {source: "cupti", groups: ["special"], values: {special: 1}}] | .flops_true = 20 else . end' "$all" > "$work/gpu/m/$(basename "$all")"
check "what was executed" shows '- executed: 20 operations in single precision, 1.0000 of what the variant declares' describe "$(cell_id)" -r "$work/gpu"
check "by name" grep -qE '^\| fp32_fma \(cupti\) +\| +6' "$work/out"
head -n 2 "$all" > "$work/cut/m/$(basename "$all")"
check "a run that was cut before its cells" run 0 run --resume last -o "$work/cut" --machine m
check "counts as it was asked to" recorded "$first_round" "$work/cut/m/$(basename "$all")"
check "another request is another run" eval 'run 0 "${quick[@]}" --continue --repeats 2 --counters papi && [ "$(journal)" != "$all" ]'
check "the same request goes on" prints '^2 cells: 2 ok' "${quick[@]}" --continue --repeats 2 --counters papi
check "no word of counters: none" measures 0 "$(each '.counters == null')" "${quick[@]}"
check "as describe says" shows '`orrery run --counters auto` takes them' describe "$(cell_id)" -r "$(journal)"
paper=(run plugins/quick --device host --preset paper --repeats 1 --no-energy --time-limit 0.1 --set n=2 -o "$results")
check "the preset paper counts" measures 0 "$(each "$told")" "${paper[@]}"
check "unless told not to" measures 0 "$(each '.counters == null')" "${paper[@]}" --counters none
check "for a profiler there is only the one step" measures 0 "$(each '.counters == null')" "${quick[@]}" --once --counters auto
check "a cell that fails has none" measures 3 'length == 1 and all(.outcome == "wrong" and .counters == null)' run plugins/wrong "${common[@]}" --only '*faults*' --counters auto
check "a group that nobody knows" fails 2 "no group of counters 'fp3'; did you mean 'fp32'" "${quick[@]}" --counters fp3
check "no group at all" fails 2 'counters takes auto, none or groups' "${quick[@]}" --counters ''

# What counts does so in a process of its own: its end costs no cell, and no cell that comes after it.
export TEST_FIRST=$work/first
apart=(run plugins/apart "${common[@]}" --counters papi)
because() { each ".counters[0] | .source == \"papi\" and (.reason | test(\"$1\"))"; }
check "a crash under counters is a reason" measures 0 "$(because SIGSEGV)" "${apart[@]}"
rm -f "$TEST_FIRST"
check "a wrong result is one, too" eval 'TEST_WRONG=1 measures 0 "$(because bound)" "${apart[@]}"'
unset TEST_FIRST

# CUPTI's metrics have their names with or without libcupti.
names='fp32_add fp32_mul fp32_fma fp64_add fp64_mul fp64_fma special integer shared_loads shared_stores shared_atomics shared_conflicts global_loads global_stores global_atomics global_sectors l1_bytes l2_bytes dram_bytes issued_slots active_threads elapsed_cycles'
has_names() { local name; for name in $names; do grep -q "^$name " "$work/out" || { echo "no $name"; return 1; }; done; }
check "list counters has every logical name" eval 'ORRERY_CUPTI=off run 0 list counters && has_names'

# --- PAPI ---
unset ORRERY_HOME ORRERY_PLUGINS
host=(run fujiwara/table2 --only 'fujiwara/cpu-simd*' --set n=999 --repeats 1 "${common[@]}")
papi='(.counters | map(select(.source == "papi")))'
check "a cell of the host has values of the processor, or the reason with its remedy" measures 0 "$(each "$papi | length == 1 and all((.values | length) > 0 or (.reason | test(\"; \")))")" "${host[@]}" --counters auto
reason=$(jq -r "select(.record == \"cell\") | $papi[0].reason // empty" "$(journal)" | head -n 1)
"$orrery" doctor >"$work/doctor" 2>&1
doctor_agrees() { if [ -z "$reason" ]; then grep -q '^ok  *processor counters' "$work/doctor"; else grep -qF -- "${reason%%; *}" "$work/doctor"; fi; }
check "which doctor gives, too" doctor_agrees
check "a group that nothing counts here has the reason" measures 0 "$(each '.counters[0].reason == "nothing counts shared on host"')" "${host[@]}" --counters shared
for gone in sde work gpm activity; do check "--counters $gone" fails 2 "--counters $gone: gone; " "${host[@]}" --counters "$gone"; done

# On a processor whose counters others stand for, with the threads that OpenMP makes in a step.
one_source='.counters == [.counters[0]] and (.counters[0] | .source == "papi" and'
if ldd "$orrery" | grep -q libpapi && ! ldd "$orrery" | grep -q libasan; then # which wants to be loaded first
    export LD_PRELOAD=$BUILD/tests/drivers/perf.so
    check "events that start" shows 'cycles, instructions, branches' doctor
    check "a step under them is counted in each pass" measures 0 "$(each "$one_source"' .values.cycles > 0 and .values.branch_misses > 0 and .raw["perf::CYCLES"] == .values.cycles)')" "${host[@]}" --counters cycles,branches
    unset LD_PRELOAD
    check "what the kernel counts, or its reason" measures 0 "$(each "$one_source"' (.values.task_clock > 0 or (.reason | test("; "))))')" "${host[@]}" --counters system
fi
