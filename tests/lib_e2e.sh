# SPDX-License-Identifier: MIT
# Shared by the tests through the command line: a folder of its own, plugins that misbehave, checks that print ok or not ok.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
BUILD=$(realpath "${BUILD:-build}")
orrery=$BUILD/orrery
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
# Cells that two machines measured, in rounds; they are never measured again.
frozen_gpu=$root/tests/data/frozen-gpu.jsonl frozen_cpu=$root/tests/data/frozen-cpu.jsonl
# Tests run side by side; locks of their own keep them from waiting for each other.
export ORRERY_LOCKS=$work/locks
# Every run measures ceilings, which costs a processor two seconds and here nobody reads; e2e_doctor.sh and test_machine measure whole ones.
export ORRERY_SPAN_SECONDS=${ORRERY_SPAN_SECONDS:-0.001}

. "$root/tests/patience.sh"
# check NAME COMMAND...: the command must succeed.
check() {
    local name=$1
    shift
    if "$@" >"$work/check.log" 2>&1; then echo "ok $name"; else
        echo "not ok $name: $*"
        sed 's/^/    /' "$work/check.log" "$work/out" "$work/err" 2>/dev/null | tail -20
        failures=$((failures + 1))
    fi
}
# advise NAME COMMAND...: prose that the command finds wanting is told, and refuses nothing.
advise() {
    local name=$1
    shift
    "$@" >"$work/advice" 2>&1 || { echo "$name: not so" && head -20 "$work/advice"; } | sed 's/^/warning: /'
}
# run STATUS ARGUMENTS...: runs orrery with its output in $work/out and $work/err; whether it exits with STATUS.
run() {
    local expected=$1 status=0
    shift
    timeout "$(patience 120)" "$orrery" "$@" >"$work/out" 2>"$work/err" || status=$?
    [ $status -eq "$expected" ] || { echo "exit status $status, not $expected: orrery $*"; return 1; }
}
# fails STATUS TEXT ARGUMENTS...: it exits with STATUS and says TEXT on one line of stderr.
fails() {
    local expected=$1 text=$2
    shift 2
    run "$expected" "$@" && grep -qE -- "$text" "$work/err"
}
# shows TEXT ARGUMENTS...: orrery ends well and prints the text.
shows() {
    local text=$1
    shift
    run 0 "$@" && grep -qF -- "$text" "$work/out"
}
# python_with MODULE: a Python that has it, of the user's, of `make nightly` and the system's.
python_with() {
    local python
    for python in python3 "$BUILD/python/bin/python3" /usr/bin/python3; do
        if "$python" -c "import $1" 2>/dev/null; then echo "$python"; return 0; fi
    done
    return 1
}
finish() { exit $((failures > 0)); }

# Plugins of tests/plugins as a paper of their own.
use_test_plugins() {
    export ORRERY_HOME=$work/home ORRERY_PLUGINS=$BUILD/tests
    mkdir -p "$ORRERY_HOME/variants/plugins"
    {
        printf 'paper: plugins\ntitle: Plugins that misbehave\nauthors: nobody\nvenue: tests\nyear: 2026\n'
        printf 'flops_per_interaction: 38\nvariants:\n'
        printf '  - {name: right, label: right, in: [faults, slow, quick]}\n'
        for name in wrong wrong_later not_a_number writes_nothing crash_in_step killed no_memory hang_in_step; do
            printf '  - {name: %s, label: %s, in: [faults]}\n' $name $name
        done
        printf 'experiments:\n'
        for experiment in faults:60 slow:60,61,62,63 quick:2,3; do
            printf '  - name: %s\n    shows: Table F\n    title: Faults\n    layout: times\n    axes:\n' "${experiment%:*}"
            printf '      - {name: dataset, values: "random-3d"}\n      - {name: n, values: "%s"}\n' "${experiment#*:}"
            printf '    bound: {median: 1.0e-5, p99: 1.0e-4, max: 1.0e-2}\n'
        done
    } >"$ORRERY_HOME/variants/plugins/paper.yaml"
}
# Those that run on ranks, and one that does not. journal: the newest in $results; said RANKS...: a cell of it says so.
use_rank_plugins() {
    {
        printf 'paper: plugins\ntitle: Plugins on ranks\nauthors: nobody\nvenue: tests\nyear: 2026\n'
        printf 'flops_per_interaction: 38\nvariants:\n'
        for name in right ranks; do printf '  - {name: %s, label: %s, in: [one, scaling]}\n' $name $name; done
        printf 'experiments:\n'
        for experiment in one: scaling:1,2,3; do
            printf '  - name: %s\n    shows: Table R\n    title: Ranks\n    layout: times\n    axes:\n' "${experiment%:*}"
            printf '      - {name: dataset, values: "random-3d"}\n'
            if [ "${experiment#*:}" ]; then printf '      - {name: ranks, values: "%s"}\n      - {name: per_rank, values: 20}\n' "${experiment#*:}"
            else printf '      - {name: n, values: "61"}\n'; fi
            printf '    bound: {median: 1.0e-5, p99: 1.0e-4, max: 1.0e-2}\n'
        done
    } >"$ORRERY_HOME/variants/plugins/paper.yaml"
}
journal() { ls -t "$results"/*/*.jsonl 2>/dev/null | head -1; }
said() { jq -rc 'select(.record == "cell") | "\(.variant) \(.ranks // 1) \(.outcome) \(.reason)"' "$(journal)" | grep -qxE "plugins/$1"; }
# box_experiment NAME LEVELS PER_BOX [LINE]: an experiment of near fields, with a line of its own.
box_experiment() {
    printf '  - name: %s\n    shows: Table B\n    title: Near fields\n    layout: times\n' "$1"
    [ $# -lt 4 ] || printf '    %s\n' "$4"
    printf '    axes:\n      - {name: dataset, values: uniform-boxes}\n'
    printf '      - {name: level, values: "%s"}\n      - {name: per_box, values: "%s"}\n' "$2" "$3"
    printf '    bound: {median: 1.0e-5, p99: 1.0e-4, max: 1.0e-3}\n'
}
# near_paper IN: the plugins' paper is about tests/plugins/near.c, in the experiments IN; they come on standard input.
near_paper() {
    {
        printf 'paper: plugins\ntitle: Near fields\nauthors: nobody\nvenue: tests\nyear: 2026\n'
        printf 'flops_per_interaction: 15\nvariants:\n  - {name: near, label: near, in: [%s]}\nexperiments:\n' "$1"
        cat
    } >"$ORRERY_HOME/variants/plugins/paper.yaml"
}
# cells JOURNAL: "variant outcome" of each cell record that counts, the last one of each id.
cells() { jq -rsR 'split("\n") | map(fromjson?) | map(select(.record == "cell")) | group_by(.id) | map(.[-1]) | .[] | "\(.variant) \(.outcome)"' "$@"; }
