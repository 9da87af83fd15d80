#!/bin/bash
# Counters by PAPI: of the processor, or why there are none; and the work of a step as software-defined events, read back.
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
check "a group that nothing counts here" run 0 "${host[@]}" --counters activity
check "has the reason" record '.counters[0].reason == "nothing counts activity on host"'
check "a group that nobody knows" fails 2 "no group of counters 'wrok'; did you mean 'work'" "${host[@]}" --counters wrok

# On a processor whose counters others stand for, with the threads that OpenMP makes in a step.
if [ -e "$BUILD/liborrery_sde.so" ] && ! ldd "$orrery" | grep -q libasan; then # which wants to be loaded first
    export LD_PRELOAD=$BUILD/tests/drivers/perf.so
    check "events that start" shows 'cycles, instructions, branches' doctor
    check "a step under them" run 0 "${host[@]}" --counters cycles,branches
    check "is counted in each pass" record '.counters == [.counters[0]] and (.counters[0] | .source == "papi" and .values.cycles > 0 and .values.branch_misses > 0 and .raw["perf::CYCLES"] == .values.cycles)'
    unset LD_PRELOAD
fi

# Without PAPI, or where libsde is not there, all of it is a reason.
if [ -e "$BUILD/liborrery_sde.so" ] && ldconfig -p | grep -q 'libsde\.so\.1'; then
    check "work alone" run 0 "${host[@]}" --counters work
    check "is read back through PAPI" record "(.counters | length == 1) and $(source_of sde)[0].values.interactions == .interactions"
    if "$orrery" list devices --json | jq -e 'any(.[]; .id == "opencl:0.0")' >/dev/null 2>&1; then
        check "a counting build" run 0 run shan/table1 --only '*shan/bpb *' --set n=4096 --device opencl:0.0 "${counted[@]}" --counters work
        check "counts what PAPI reads" record "([.counts[] | to_entries[]] | group_by(.key) | map({(.[0].key): (map(.value) | add)}) | add) as \$sums | $(source_of sde)[0].values | del(.interactions) == \$sums and .CP > 0"
        check "the ledger has it" run 0 query 'SELECT k.value AS counted, (SELECT sum(value) FROM count c WHERE c.cell_key = k.cell_key AND c.kind = k.name) AS counts FROM counter k WHERE source = '"'sde' AND name = 'CP'" -r "$(journal)" -f json
        check "as it was counted" jq -e '(.rows | length > 0) and all(.rows[]; .counted == .counts and .counts > 0)' "$work/out"
    fi
    if command -v papi_native_avail >/dev/null; then
        papi_native_avail -sde "$BUILD/liborrery_sde.so" >"$work/avail" 2>&1
        check "PAPI's own tool lists the events" grep -q 'sde:::orrery::interactions' "$work/avail"
        all_kinds() { local kind; for kind in $("$orrery" list counters --json 2>/dev/null | jq -r '.[] | select(.source == "sde") | .metric'); do grep -q -- "$kind" "$work/avail" || return 1; done; }
        check "of every kind" all_kinds
    fi
fi
finish
