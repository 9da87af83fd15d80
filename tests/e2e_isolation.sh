#!/bin/bash
# What plugins and drivers start, break or hold up stays theirs: nothing outlives the run, nothing runs elsewhere than it should.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
results=$work/results
{
    printf 'paper: plugins\ntitle: Plugins that leave things behind\nauthors: nobody\nvenue: tests\nyear: 2026\n'
    printf 'flops_per_interaction: 38\nvariants:\n'
    for name in right crash_with_child leaves_daemon crash_on_some_loads; do
        printf '  - {name: %s, label: %s, in: [one]}\n' $name $name
    done
    printf 'experiments:\n  - name: one\n    shows: Table F\n    title: Faults\n    layout: times\n    axes:\n'
    printf '      - {name: dataset, values: "random-3d"}\n      - {name: n, values: "60"}\n'
    printf '    bound: {median: 1.0e-5, p99: 1.0e-4, max: 1.0e-2}\n'
} >"$ORRERY_HOME/variants/plugins/paper.yaml"
common=(--preset smoke -o "$results")
journal() { ls -t "$results"/*/*.jsonl 2>/dev/null | head -1; }
said() { jq -rc 'select(.record == "cell") | "\(.variant) \(.device) \(.outcome) \(.reason)"' "$(journal)" | grep -qxE "plugins/$1"; }
# Processes of this test are known by their environment.
export ORRERY_TEST_MARK=$work
strays() {
    local environment
    for environment in /proc/[0-9]*/environ; do
        environment=${environment%/environ}
        [ "${environment#/proc/}" = $$ ] || { tr '\0' '\n' <"$environment/environ" | grep -qx "ORRERY_TEST_MARK=$work" && cat "$environment/comm"; }
    done 2>/dev/null | grep -E 'orrery|exe'
}
nothing_left() { for _ in $(seq 50); do strays >/dev/null || return 0; sleep 0.02; done; strays; return 1; }

# --- what a plugin starts ---
check "a crash beside a child that keeps the socket, and a daemon" run 5 run plugins/crash_with_child plugins/leaves_daemon --device host "${common[@]}"
check "the crash is told as what it is" said 'crash_with_child host crashed crashed: SIGSEGV'
check "and at once" jq -se 'map(select(.variant == "plugins/crash_with_child")) | .[0].wall_s < 1' "$(journal)"
check "the daemon does not change the forces" said 'leaves_daemon host ok '
check "nothing is left after the run" nothing_left
export TEST_DAEMON=$work/daemon
env --default-signal=INT "$orrery" run plugins/leaves_daemon --device host --set delay=0.3 "${common[@]}" >"$work/out" 2>"$work/err" &
pid=$!
for _ in $(seq 500); do [ -e "$TEST_DAEMON" ] && break; sleep 0.02; done
check "a daemon beside a run" test -e "$TEST_DAEMON"
kill -INT $pid
wait $pid
check "Ctrl-C ends the run" test $? -eq 130
check "and leaves nothing" nothing_left

# --- a plugin that cannot be inspected ---
export TEST_LOADS=$work/loads
check "a plugin that dies once is inspected again" env TEST_CRASHES=1 "$orrery" run plugins/crash_on_some_loads "${common[@]}"
check "and runs where it can" said 'crash_on_some_loads host ok '
rm -f "$TEST_LOADS"
check "one that dies twice is refused" eval "TEST_CRASHES=2 run 5 run plugins/crash_on_some_loads $(printf '%q ' "${common[@]}")"
check "with the reason" said 'crash_on_some_loads [^ ]* crashed loading the plugin of plugins/crash_on_some_loads: crashed: Segmentation fault'
check "and does not run at all" test "$(wc -c <"$TEST_LOADS")" = 2
check "it can be run again" run 0 run plugins/crash_on_some_loads --continue --failed "${common[@]}"
finish
