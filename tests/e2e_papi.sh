#!/bin/bash
# SPDX-License-Identifier: MIT
# Counters by PAPI: of the processor, or of the kernel where it has none, or why there are none.
. "$(dirname "$0")/lib_e2e.sh"
counted=(--preset smoke --repeats 1 -o "$work/results")
journal() { sed -n 's/^journal: //p' "$work/out"; }
record() { jq -es "map(select(.record == \"cell\")) | length > 0 and all(.outcome == \"ok\" and ($1))" "$(journal)"; }
source_of() { printf '(.counters | map(select(.source == "%s")))' "$1"; }

host=(run fujiwara/table2 --only 'fujiwara/cpu-simd*' --set n=999 --device host "${counted[@]}")
check "a cell of the host with counters" run 0 "${host[@]}" --counters auto
check "has values of the processor, or the reason with its remedy" record "$(source_of papi) | length == 1 and all((.values | length) > 0 or (.reason | test(\"; \")))"
"$orrery" doctor >"$work/doctor" 2>&1
reason=$(jq -r "select(.record == \"cell\") | $(source_of papi)[0].reason // empty" "$(journal)" | head -n 1)
doctor_agrees() { if [ -z "$reason" ]; then grep -q '^ok  *processor counters' "$work/doctor"; else grep -qF -- "${reason%%; *}" "$work/doctor"; fi; }
check "which doctor gives, too" doctor_agrees
check "no counters are asked for" run 0 "${host[@]}" --counters none
check "and none are there" record '.counters == null'
check "a group that nothing counts here" run 0 "${host[@]}" --counters shared
check "has the reason" record '.counters[0].reason == "nothing counts shared on host"'
check "a group that nobody knows" fails 2 "no group of counters 'shard'; did you mean 'shared'" "${host[@]}" --counters shard
for gone in sde work gpm activity; do
    check "--counters $gone" fails 2 "--counters $gone: gone; " "${host[@]}" --counters "$gone"
done

# On a processor whose counters others stand for, with the threads that OpenMP makes in a step.
if ldd "$orrery" | grep -q libpapi && ! ldd "$orrery" | grep -q libasan; then # which wants to be loaded first
    export LD_PRELOAD=$BUILD/tests/drivers/perf.so
    check "events that start" shows 'cycles, instructions, branches' doctor
    check "a step under them" run 0 "${host[@]}" --counters cycles,branches
    check "is counted in each pass" record '.counters == [.counters[0]] and (.counters[0] | .source == "papi" and .values.cycles > 0 and .values.branch_misses > 0 and .raw["perf::CYCLES"] == .values.cycles)'
    unset LD_PRELOAD
    check "what the kernel counts" run 0 "${host[@]}" --counters system
    check "is counted or has a reason" record '.counters == [.counters[0]] and (.counters[0] | .source == "papi" and (.values.task_clock > 0 or (.reason | test("; "))))'
fi
finish
