#!/bin/bash
# SPDX-License-Identifier: MIT
# What cheats is caught, what goes wrong by accident costs its own cell or is said, and honest plugins that look alike stay ok.
# docs/CHEATS.md says which check is for what.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
# Threads that spin for a while after a parallel region are not work that goes on.
unset OMP_WAIT_POLICY

honest=(openmp own_thread stage_in_upload scratch odd_note cuts_memory)
wrong=(first_step_only in_prepare keeps_geometry spins_on previous_result scaled_previous skips_every_third unlocks_masses
    million_fold counts_itself forges_done overflows_after overflows_before)
timed=(in_fetch combines)
uploading=(in_upload in_piece)
crashing=(zeroes_masses moves_positions closes_descriptors exits endless_line)
endless=(stops_itself talks_on)
reported=(leaks_host leaks_buffer prints)
staged=(in_stage stage_unpriced stage_zero stage_most stage_in_fetch tree_in_stage)
slow=(slows_clock works_in_clock_and_waits)
paced=(skips_forces takes_long_steps)
halted=(takes_double_steps keeps_forces)
changing=(ignores_signals rounds_up changes_surroundings leaves_child)
law() { # FLOOR VARIANTS: of a tree, whose errors are the floor's at theta = 0
    printf 'tree_bounds:\n  - {variants: [%s], median: {floor: 1.0e-%d, at: 0.04, theta: 2.6},\n' "$2" "$1"
    printf '     p99: {floor: 1.0e-%d, at: 0.3, theta: 2.6}, max: {floor: 1.0e-%d, at: 3.0, theta: 2.6}}' $(($1 - 1)) $(($1 - 2))
}
bounds=$(law 5 tree_in_stage) plugins_paper right=small,after,evading crash_in_step=after works_in_clock=clocks $(
    all_in small "${honest[@]}" "${wrong[@]}" "${timed[@]}" "${crashing[@]}" "${reported[@]}"
    all_in before "${changing[@]}" "${uploading[@]}"
    all_in evading "${staged[@]}" renames_device stage_named
    all_in large default_targets goes_on never_joined "${slow[@]}"
    all_in endless "${endless[@]}"
    all_in devices device_right launches_in_fetch overflows_buffer repeats_nothing repeats_little
    for name in small before after endless devices; do echo "$name:random-3d:n=256"; done
) evading:random-3d:n=750 clocks:random-3d:n=400 large:random-3d:n=2100

# The cells of a journal, which a hundred checks read and jq parses once: from the end of a run to the next.
records() {
    [ -s "$work/cells" ] || jq -cR 'fromjson? | select(.record == "cell")' "$results"/*/*.jsonl >"$work/cells"
    cat "$work/cells"
}
next() { records >>"$work/all"; rm -rf "$results" "$work/cells"; }
# is NAME OUTCOME [REASON [JQ]]: the plugin's cell has this outcome, a reason that matches, and is as the filter says.
is() {
    records | jq -es --arg name "plugins/$1" --arg outcome "$2" --arg reason "${3:-}" 'map(select(.variant == $name)) |
        if length == 1 then .[0] else error("\(length) cells of \($name)") end |
        if (.outcome | test("^(\($outcome))$")) and (.reason | test($reason)) and ('"${4:-true}"') then true
        else error("\(.outcome): \(.reason) \({seconds, timed, stages, remarks, error})") end'
}
# A time that holds the sums, which the right plugin needs too: its least, since other programs may have made its median longer.
figure() { records | jq -s --arg name "plugins/$1" "map(select(.variant == \$name))[0] | $2"; }
takes_its_time() { jq -ne --argjson own "$(figure "$1" .seconds)" --argjson right "$(figure "$2" '.samples.step_s | min')" '$own > 0.3 * $right'; }

# in_step NAME TIMED RIGHT: what a transfer computes is part of the step, which takes its time.
in_step() { is "$1" ok '' ".timed | test(\"$2\")" && takes_its_time "$1" "$3"; }

check "with more bodies: wrong results decide the exit code" run 3 run plugins/large --device host --preset smoke --time-limit 0.3 --timeout 20 -o "$results" --json
# Sixty samples: of few, none may end on the one step of three that is skipped.
check "on the host: wrong results decide the exit code" run 3 run plugins/small --device host --preset smoke --min-samples 60 --time-limit 0.3 --timeout 20 -o "$results" --json
check "and nothing is printed but records" jq -es 'length > 25 and all(type == "object")' "$work/out"
rm "$work/out" "$work/err" # what a check shows from here on is the cell
for name in right "${honest[@]}"; do check "honest: $name stays ok" is "$name" ok '^$' '(.remarks // []) == [] and (.timed // "step") == "step"'; done
check "the declared stage stands apart" is stage_in_upload ok '' '[.stages[].name] == ["sort"]'

# results of another sample
fresh='above the bound|the same accelerations'
check "axes that change places catch keeps_geometry" is keeps_geometry wrong 'above the bound'
for name in first_step_only in_prepare previous_result scaled_previous skips_every_third; do check "fresh masses catch $name" is "$name" wrong "$fresh"; done
check "no few masses make up the next: combines has to compute" eval 'is combines ok && takes_its_time combines right'

# work outside of the step
check "a fetch that computes is part of the step" in_step in_fetch fetch right
check "and the table says so" shows 'there a step holds that transfer: ' table plugins/small -r "$results"
for name in goes_on never_joined spins_on; do check "work after the step: $name" is "$name" suspect 'goes on after the step'; done
for name in "${slow[@]}"; do check "the referee's clock catches $name" is "$name" suspect 'the referee waits' '.seconds == null and .samples == null'; done

# verification
check "targets that nobody knows beforehand" is default_targets wrong 'above the bound'
for name in zeroes_masses moves_positions; do check "inputs are read-only: $name" is "$name" crashed 'SIGSEGV'; done
check "references are another process's" is unlocks_masses wrong "$fresh"
for name in million_fold counts_itself; do check "declared work: $name" is "$name" wrong 'interactions'; done
check "a record comes from who saw the result" is forges_done 'wrong|crashed'
for name in overflows_after overflows_before; do check "zones around results: $name" is "$name" wrong 'wrote (beyond|before)'; done

# accidents
check "a worker that leaves has crashed" is exits crashed 'status 0'
check "an answer without an end is none" is endless_line crashed 'damaged'
check "a leak is said" is leaks_host ok '' '.remarks | any(test("leak|memory"))'
check "of a device too" is leaks_buffer ok '' '.remarks | any(test("buffer"))'
check "and what a plugin prints" is prints ok '' '.remarks | any(test("print|stdout"))'
check "what is not ok has no time" eval 'records | jq -es "all(.outcome == \"ok\" or .seconds == null)"'

# work that is declared elsewhere, and clocks that lie
next
check "suspect times decide the exit code, too" run 3 run plugins/evading plugins/clocks --device host --preset smoke --time-limit 0.3 --timeout 60 -o "$results"
for name in right stage_named renames_device; do check "honest: $name stays ok" is "$name" ok '^$' '.timed == "step"'; done
for name in "${staged[@]}"; do check "a stage longer than the step is part of it: $name" in_step "$name" 'upload|fetch' right; done
check "a stage that leaves nothing to the step is part of it" is in_stage ok '' '.timed == "upload and step"'
check "the referee's clock catches works_in_clock" is works_in_clock suspect 'the referee waits' '.seconds == null and .samples == null'
check "no device has another's name" eval 'records | jq -es "map(.device_name) | unique | length == 1"'
check "what is suspect is shown as such" shows ' suspect |' table plugins/clocks -r "$results"
check "and names of stages are text" shows 'sort{keys}' table plugins/evading -r "$results" --format csv
check "the end counts them" eval 'cat "$results"/*/*.jsonl | jq -cR "fromjson? | select(.record == \"end\")" | jq -es ".[0].suspect == 1"'
check "and nothing is amiss with the journal" run 0 check "$results"

# what a plugin leaves behind in its process
next
check "what changes its process costs nothing" run 5 run plugins/before plugins/after --device host --preset smoke --timeout 20 -o "$results"
check "the cell after them is right" is right ok
for name in "${uploading[@]}"; do check "an upload that computes is part of the step: $name" in_step "$name" upload right; done
check "and a crash is a crash" is crash_in_step crashed 'SIGSEGV'

# what never ends
next
check "what never ends costs its time" run 5 run plugins/endless --device host --preset smoke --timeout 1 -o "$results"

# on a device
next
check "on a device: a wrong result decides the exit code" run 3 run plugins/devices --device opencl:0.0 --preset smoke --timeout 60 -o "$results"
check "honest: a step that returns early stays ok" is device_right ok '^$' '(.remarks // []) == [] and (.timed // "step") == "step"'
check "a fetch that launches is part of the step" in_step launches_in_fetch fetch device_right
single='.mode == "single" and .seconds > .kernel_seconds and (.samples | has("single_s") | not)'
check "its steps are timed back to back, and single ones beside them" is device_right ok '' '.mode == "back to back" and .kernel_clock == "kernel timestamps" and
    .batch > 0 and .single_seconds > .kernel_seconds and (.samples.single_s | length) == (.samples.step_s | length)'
check "not where a repeated step does nothing" is repeats_nothing ok '' "$single"' and (.remarks | any(test("does not launch as many kernels")))'
check "nor where its kernels do less" is repeats_little ok '' "$single"' and (.remarks | any(test("back to back take .* the kernels of a single one")))'
check "zones around buffers" is overflows_buffer wrong "wrote 4 bytes beyond"
# A tree code of this program, as it is and with a tree that is built once.
octgrav() { # PLUGINS: its time
    next
    ORRERY_HOME=$root ORRERY_PLUGINS=$1 run 0 run gaburov/fig3.5 --only '*octgrav *' --device opencl:0.0 --preset smoke --set n=10000 --set theta=0.5 \
        --time-limit 0.5 --timeout 60 -o "$results"
    records | jq -es 'map(.seconds) | if length == 1 then .[0] else error end'
}
mkdir -p "$work/planted/gaburov"
cp "$BUILD/tests/plugins/octgrav_keeps_tree.so" "$work/planted/gaburov/octgrav.so"
gains_nothing() { jq -ne --argjson kept "$(octgrav "$work/planted")" --argjson right "$(octgrav "$BUILD/variants")" '$kept > 1.3 * $right'; }
check "bodies in another order leave octgrav_keeps_tree no cell to skip" gains_nothing
# Integrations: every fault of the scheme, over bodies whose trajectory is judged and over more, which have a small-N cell.
moving=$(sed -n 's/^MOVES(\(.*\))/\1/p' tests/plugins/moves.c)
plugins_paper $(all_in moving $moving) 'moving:random-3d:n=200,1030 steps=10'
check "faults of integrations decide the exit code" run 3 run plugins/moving --device host --preset smoke --time-limit 0.1 --timeout 60 -o "$work/moving"
moved() { jq -cR 'fromjson? | select(.record == "cell")' "$work"/moving/*/*.jsonl | jq -es "$1"; }
check "each of them is wrong, at both sizes, and the honest one is not" moved 'length == 26 and all((.outcome == "ok") == (.variant == "plugins/moves_right") and (.outcome | test("^(ok|wrong)$")))'
check "many bodies have a small-N cell" moved 'map(select(.reason | test("^the same steps over 1024 bodies"))) | length >= 2'
# More bodies than a trajectory is judged of.
bounds=$(law 6 "tree_right, takes_double_steps, keeps_forces") plugins_paper $(all_in moving moves_right moves_many_too_little tree_right "${paced[@]}" "${halted[@]}") \
    'moving:random-3d:n=1100 steps=10'
next
check "steps that are not taken decide the exit code" run 3 run plugins/moving --device host --preset smoke --set theta=0.0001 --time-limit 0.3 --timeout 60 -o "$results"
for name in moves_right tree_right; do check "honest steps take their time, and may halt: $name" is "$name" ok; done
for name in "${halted[@]}"; do check "steps that halt at one drawn afterwards catch $name" is "$name" wrong 'halted after'; done
check "one step catches a time step that is wrong of many bodies" is moves_many_too_little wrong 'one step leaves'
# On a busy machine an evaluation may look cheap; the halt is left then.
is_paced() { is "$1" suspect 'there is time for' || is "$1" wrong 'halted after'; }
for name in "${paced[@]}"; do check "the time of an evaluation catches $name, or a halt" is_paced "$name"; done
# Pairs of boxes, counted by the referee.
plugins_paper near_in_stage=near 'near:uniform-boxes:level=2 per_box=60'
next
check "pairs of boxes that were not summed" run 3 run plugins/near --device host --preset smoke --time-limit 0.3 --timeout 60 -o "$results"
check "the ceiling, measured again, catches near_in_stage" is near_in_stage suspect 'above the ceiling'
next
# The table: it names every plugin, is what the runs gave, and stands in the documentation.
cat "$work"/moving/*/*.jsonl | jq -cR 'fromjson? | select(.record == "cell")' >>"$work/all"
sed -i 's#"gaburov/octgrav"#"plugins/octgrav_keeps_tree"#' "$work/all"
outcomes() {
    python3 tests/planted.py --outcomes e2e_cheats | jq -nRr --slurpfile cells "$work/all" '[inputs | capture("(?<name>[^ ]*) (?<outcome>.*)") | . as {$name, $outcome}
        | [$cells[] | select(.variant == "plugins/\($name)").outcome] | select(length == 0 or (all(test("^(\($outcome))$")) | not))
        | "\($name) is not always \($outcome)"] | .[], if . == [] then empty else halt_error end'
}
check "tests/planted.txt says what came of each" outcomes
python3 tests/planted.py >"$work/planted.md"
if [ -n "${ORRERY_GOLDEN_UPDATE:-}" ]; then sed -i -e '/^<!-- planted/,/^<!-- end/{/^<!--/!d}' -e "/^<!-- planted/r $work/planted.md" docs/CHEATS.md; fi
check "and docs/CHEATS.md shows it" diff "$work/planted.md" <(sed '1,/^<!-- planted/d;/^<!-- end/,$d' docs/CHEATS.md)
