#!/bin/bash
# SPDX-License-Identifier: MIT
# How often `orrery compare` finds a difference between two runs of the same cells, and how often a true one of 5 %: on a quiet
# machine, and with another program on one core throughout. usage: tests/self_comparison.sh [DEVICE]
# EXPERIMENTS, PRESET, REPEATS and SET (AXIS=VALUES ...) choose what is measured twice, SIZES the cells of which one run is slowed,
# LOADS "quiet", "busy" or both. Results stay in KEEP if that names a folder. Ends with 1 where more than 1 % of the differences are
# false or fewer than 95 % of the true ones are found.
. "$(dirname "$0")/lib_e2e.sh"
device=${1:-host}
read -ra experiments <<<"${EXPERIMENTS:-fujiwara shan}"
read -ra settings <<<"${SET:-}"
read -ra loads <<<"${LOADS:-quiet busy}"
preset=${PRESET:-quick}
repeats=${REPEATS:-5}
slowed_by=5
[ "$device" = host ] && variant=slowed || variant=device_slowed
[ "$device" = host ] && sizes=${SIZES:-40:438:+2} || sizes=${SIZES:-64:6432:+32}
results=${KEEP:-$work/results}
busy=
stop_other() { [ -z "$busy" ] || kill "$busy" 2>/dev/null; busy=; }
at_exit() { stop_other; }

# Another program, on whichever core it gets.
start_other() {
    while :; do :; done &
    busy=$!
}

# measured_twice LOAD: what `orrery compare --self` says, one line of JSON.
measured_twice() {
    local words=(--device "$device" --preset "$preset" --repeats "$repeats" -o "$results/$1") each
    for each in "${settings[@]}"; do words+=(--set "$each"); done
    ORRERY_HOME=$root "$orrery" compare --self "${experiments[@]}" "${words[@]}" --json 2>>"$work/log" | jq -c .
}
# one_slowed LOAD PERCENT: a run of the test plugin.
one_slowed() {
    ORRERY_HOME=$work/home ORRERY_PLUGINS=$BUILD/tests ORRERY_TEST_SLOW=$2 "$orrery" run plugins/late --device "$device" \
        --preset "$preset" --repeats "$repeats" -o "$results/$1-slowed-$2" >>"$work/log" 2>&1
}
# true_difference LOAD: how many of how many cells are found to be slower.
true_difference() {
    one_slowed "$1" 0 && one_slowed "$1" $slowed_by &&
        ORRERY_HOME=$work/home ORRERY_PLUGINS=$BUILD/tests "$orrery" compare "$results/$1-slowed-0" "$results/$1-slowed-$slowed_by" \
            --json 2>>"$work/log" | jq -c '{comparisons: map(select(.ratio)) | length,
                found: map(select(.verdict == "slower")) | length, unclear: map(select(.verdict == "unclear")) | length,
                median: (map(select(.ratio) | .ratio) | sort | .[length / 2 | floor])}'
}

# row LOAD STEPS JSON: a line of the table of false differences.
row() {
    jq -r --arg load "$1" --arg steps "$2" '[$load, $steps, .comparisons, .different,
        (if .comparisons > 0 then 100 * .different / .comparisons else null end), .median_difference, .largest_difference] | @tsv' <<<"$3" |
        awk -F'\t' 'function percent(value, by) { return value == "" ? "-" : sprintf("%.2f %%", by * value) }
            {printf "%-6s %-15s %12d %10d %9s %11s %11s\n", $1, $2, $3, $4, percent($5, 1), percent($6, 100), percent($7, 100)}'
}

mkdir -p "$work/home/variants/plugins"
ORRERY_HOME=$work/home plugins_paper "$variant=late" "late:random-3d:n=$sizes"
: >"$work/log"
printf '%-6s %-15s %12s %10s %9s %11s %11s\n' load steps comparisons different share median largest
for load in "${loads[@]}"; do
    [ "$load" = quiet ] || start_other
    twice=$(measured_twice "$load") && slowed=$(true_difference "$load") || { tail -20 "$work/log" >&2; exit 2; }
    stop_other
    row "$load" all "$twice"
    row "$load" 'below 100 us' "$(jq '.steps[0]' <<<"$twice")"
    row "$load" '100 us to 1 ms' "$(jq '.steps[1]' <<<"$twice")"
    row "$load" 'above 1 ms' "$(jq '.steps[2]' <<<"$twice")"
    jq -r --arg load "$load" --arg by $slowed_by \
        '"\($load): \(.found) of \(.comparisons) cells that take \($by) % longer are called slower; median of A / B \(.median)"' <<<"$slowed"
    check "$load-false-differences" jq -e '.comparisons > 0 and .unclear == 0 and .different <= .comparisons / 100' <<<"$twice"
    check "$load-true-differences" jq -e '.comparisons > 0 and .found >= .comparisons * 0.95' <<<"$slowed"
done
