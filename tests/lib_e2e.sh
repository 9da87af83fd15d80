# SPDX-License-Identifier: MIT
# Shared by the tests through the command line: a folder of its own, plugins that misbehave, checks that print ok or not ok.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
BUILD=$(realpath "${BUILD:-build}")
orrery=$BUILD/orrery
work=$(mktemp -d)
failures=0
# A script ends with 1 where a check failed, whatever its last command was; at_exit: what else is done then.
at_exit() { :; }
leave() {
    local status=$?
    at_exit
    rm -rf "$work"
    exit $((status || failures))
}
trap leave EXIT
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
# exits STATUS COMMAND...: runs a program with its output in $work/out and $work/err; whether it exits with STATUS. run STATUS
# ARGUMENTS...: orrery does; exited STATUS PID: what was started in the background does.
exits() {
    local status=0
    timeout "$(patience 120)" "${@:2}" >"$work/out" 2>"$work/err" || status=$?
    [ $status -eq "$1" ] || { echo "exit status $status, not $1: ${*:2}"; return 1; }
}
run() { exits "$1" "$orrery" "${@:2}"; }
exited() { wait "$2"; [ $? -eq "$1" ]; }
# Of orrery ARGUMENTS...: fails STATUS REGEX: it exits with STATUS, and a line of stderr matches. It ends well, and what it prints
# has the text (shows TEXT), has a line that matches (prints REGEX), is one JSON value of which jq's filter is true (gives FILTER),
# or values of whose array it is (gives_all FILTER).
fails() { run "$1" "${@:3}" && grep -qE -- "$2" "$work/err"; }
shows() { run 0 "${@:2}" && grep -qF -- "$1" "$work/out"; }
prints() { run 0 "${@:2}" && grep -qE -- "$1" "$work/out"; }
gives() { run 0 "${@:2}" && jq -e "$1" "$work/out"; }
gives_all() { run 0 "${@:2}" && jq -es "$1" "$work/out"; }
# python_with MODULE: a Python that has it, of the user's, of `make nightly` and the system's.
python_with() {
    local python
    for python in python3 "$BUILD/python/bin/python3" /usr/bin/python3; do
        if "$python" -c "import $1" 2>/dev/null; then echo "$python"; return 0; fi
    done
    return 1
}

# Plugins of tests/plugins as a paper of their own, about variants NAME=EXPERIMENT,... in experiments NAME:DATASET:N, whose further lines
# of YAML are those of $more that begin with the name; $bounds has tree_bounds.
plugins_paper() {
    local word name rest more=${more:-} bounds=${bounds:-}
    {
        printf 'paper: plugins\ntitle: Plugins of tests\nauthors: nobody\nvenue: tests\nyear: 2026\nflops_per_interaction: 38\nvariants:\n'
        for word; do [[ $word == *:* ]] || printf '  - {name: %s, label: %s, in: [%s]}\n' "${word%%=*}" "${word%%=*}" "${word#*=}"; done
        printf '%s\nexperiments:\n' "$bounds"
        for word; do
            [[ $word == *:* ]] || continue
            name=${word%%:*} rest=${word#*:}
            printf '  - name: %s\n    shows: Table F\n    title: Plugins\n    layout: times\n' "$name"
            [[ $more != "$name "* ]] || printf '    %s\n' "${more#* }"
            printf '    bound: {median: 1.0e-5, p99: 1.0e-4, max: 1.0e-3}\n    axes:\n      - {name: dataset, values: %s}\n' "${rest%%:*}"
            printf '%s' "${rest#*:}" | tr ' ' '\n' | sed -E 's/^([a-z_]+)=(.*)/      - {name: \1, values: "\2"}/; s/$/\n/' | grep .
        done
    } >"$ORRERY_HOME/variants/plugins/paper.yaml"
}
# NAMES... EXPERIMENTS: each as an argument of plugins_paper.
all_in() { printf '%s\n' "${@:2}" | sed "s/\$/=$1/"; }
# The papers' own plugins, asked for from a folder of the test's.
use_papers() { export ORRERY_HOME=$root && cd "$work" || exit 1; }
use_test_plugins() {
    results=$work/results common=(--device host --preset smoke -o "$work/results")
    export ORRERY_HOME=$work/home ORRERY_PLUGINS=$BUILD/tests
    mkdir -p "$ORRERY_HOME/variants/plugins"
    plugins_paper right=faults,slow,quick $(all_in faults wrong wrong_later not_a_number writes_nothing crash_in_step killed no_memory hang_in_step) \
        faults:random-3d:n=60 slow:random-3d:n=60,61,62,63 quick:random-3d:n=2,3
}
# A claim of these: each cell takes less than two seconds.
claim_of_seconds() {
    cat >"$ORRERY_HOME/variants/plugins/claims.sql" <<'SQL'
INSERT INTO claim VALUES ('P1', 'Table F', 'a step | takes less than two seconds', NULL, '1', 'orrery run plugins/quick --preset smoke');
INSERT INTO wanted VALUES ('P1', 'as printed', 'seconds', '', 1, 'below 2');
INSERT INTO part SELECT 'P1', machine, device, 'as printed', 'seconds', '', max(seconds), NULL, NULL, 's', max(seconds) < 2, NULL,
    json_array(max(cell_key)) FROM latest GROUP BY machine, device;
SQL
}
# Those that run on ranks, and one that does not. journal: the newest in $results; said RANKS...: a cell of it says so.
use_rank_plugins() { plugins_paper right=one,scaling ranks=one,scaling one:random-3d:n=61 'scaling:random-3d:ranks=1,2,3 per_rank=20'; }
journal() { ls -t "$results"/*/*.jsonl 2>/dev/null | head -1; }
said() { jq -rc 'select(.record == "cell") | "\(.variant) \(.ranks // 1) \(.outcome) \(.reason)"' "$(journal)" | grep -qxE "plugins/$1"; }
# recorded FILTER [JOURNAL]: jq's filter is true of the cells of a journal, the newest where none is named.
recorded() { jq -es "map(select(.record == \"cell\")) | $1" "${2:-$(journal)}"; }
# measures STATUS FILTER ARGUMENTS...: orrery exits with STATUS, and the filter is true of the cells that it recorded.
measures() { run "$1" "${@:3}" && recorded "$2"; }
cell_id() { jq -rs 'map(select(.record == "cell"))[0].id' "${1:-$(journal)}"; } # of the first cell of a journal
# cells JOURNAL: "variant outcome" of each cell record that counts, the last one of each id.
cells() { jq -rsR 'split("\n") | map(fromjson?) | map(select(.record == "cell")) | group_by(.id) | map(.[-1]) | .[] | "\(.variant) \(.outcome)"' "$@"; }
