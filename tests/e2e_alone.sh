#!/bin/bash
# SPDX-License-Identifier: MIT
# One run at a time measures on a device; a cell measured with co-runners says so.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
common=(--device host --preset smoke -o "$results" --machine trial)

# hold SECONDS: a run that hangs so long; $holder is its pid once it has the lock and a journal.
journals() { ls "$results"/trial/*.jsonl 2>/dev/null | wc -l; }
hold() {
    local before
    before=$(journals)
    "$orrery" run plugins/faults --only '*hang_in_step' --timeout "$1" "${common[@]}" >"$work/holder.out" 2>&1 &
    holder=$!
    holds() { grep -qs "(pid $holder," "$ORRERY_LOCKS/orrery-cores.lock" && [ "$(journals)" -gt "$before" ]; }
    wait_for holds
}
second_run_is_refused() {
    hold 4 && fails 6 "^orrery: host is in use: orrery run plugins/faults \(pid $holder, since [0-9:]+\) is measuring on it$" run plugins/quick --no-wait "${common[@]}" &&
        [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ] && [ "$(journals)" -eq 1 ]
}
check "a second run is refused with --no-wait" second_run_is_refused
printf 'x,y,z,mass\n0,0,0,1\n1,0,0,2\n' >"$work/two.csv"
check "a dry run and eval do not wait" eval 'run 0 run plugins/quick --dry-run "${common[@]}" && run 0 eval plugins/right --input "$work/two.csv" --output "$work/acc.csv" --device host'
waits_its_turn() {
    run 0 run plugins/quick "${common[@]}" && [ "$(grep -c '^orrery: waiting for host: ' "$work/err")" -eq 1 ] &&
        exited 5 "$holder" && ! grep -q waiting "$work/holder.out"
}
check "a second run waits for its turn" waits_its_turn
check "the journal says what was locked" jq -es '.[0].locks == {held: ["cores"]}' "$(journal)"
unlocked() {
    ORRERY_LOCKS=/proc/nowhere run 0 run plugins/quick "${common[@]}" && jq -es '.[0].locks.missing | startswith("host is not locked")' "$(journal)" &&
        [ "$(grep -c '^orrery: host is not locked: /proc/nowhere/.*; ORRERY_LOCKS names another folder$' "$work/err")" -eq 1 ]
}
check "without a folder for locks the run goes on and says so" unlocked

# --- others on the cores; only the busy direction, for tests run beside others ---
busy() {
    local spinners=() status
    for _ in $(seq "$(nproc)"); do
        (while :; do :; done) &
        spinners+=($!)
    done
    # long enough for a count in ticks
    gives_all 'length == 2 and all(.beside | startswith("others used "))' run plugins/quick --set delay=0.1 "${common[@]}" --json
    status=$?
    kill "${spinners[@]}"
    wait "${spinners[@]}" 2>/dev/null
    return $status
}
check "cells beside a busy loop are marked" busy
check "with what was seen" recorded 'all((.beside | test("^others used [0-9.]+ of [0-9]+ cores?$")) and .surroundings.others_cores > 0.1 and .surroundings.load >= 0 and .surroundings.seconds > 0)'
check "a table says so" shows " cells were measured with co-runners; " table plugins/quick -r "$results"
check "the page of the cell, too" prints 'beside.*others used' describe "$(cell_id)" -r "$results"

# --- what times depend on ---
settings() {
    OMP_DISPLAY_ENV=false ORRERY_SECRET=x run 0 run plugins/quick "${common[@]}" &&
        jq -es '.[0].environment | .host.cpus_allowed > 0 and .gpus == [] and .variables.OMP_DISPLAY_ENV == "false" and (.variables | has("ORRERY_SECRET") | not)' "$(journal)"
}
check "the journal has the machine's settings" settings
ln -s "$root/plots" "$ORRERY_HOME/plots"
check "and the report shows them" eval 'run 0 report -r "$results" -o "$work/report" && grep -q OMP_DISPLAY_ENV=false "$work/report/sources.html"'
check "doctor shows them, too" eval 'shows "cpus allowed" doctor && grep -q "^ok *locks" "$work/out"'
# The OpenMP library would leave one core to all processes of the run.
allowed() { sed -n 's/^Cpus_allowed_list:\t//p' "/proc/$1/status"; }
unbound() {
    local good
    OMP_PROC_BIND=true hold 60 || return 1
    [ "$(allowed "$holder")" = "$(allowed $$)" ] && [ "$(allowed "$(pgrep -P "$holder" | head -1)")" = "$(allowed $$)" ]
    good=$?
    kill -KILL "$holder"
    wait "$holder" 2>/dev/null
    return $good
}
check "threads that are bound leave the processes their cores" unbound
