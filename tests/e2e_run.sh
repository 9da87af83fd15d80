#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery run: options, exit codes, what it prints.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
results=$work/results
common=(--device host --preset smoke -o "$results")

check "a run that is right" run 0 run plugins/quick "${common[@]}"
check "ends with a summary" grep -q '^2 cells: 2 ok, 0 wrong, 0 failed' "$work/out"
check "names its journal" test -s "$(sed -n 's/^journal: //p' "$work/out")"
check "progress on stderr" grep -qE '^\[[12]/2\] plugins/right random-3d n=[23] host … a step [0-9.]+ [mun]?s ± [0-9.]+ % within one run \([0-9]+\) .*int/s err [0-9]e-[0-9]+ ok eta [0-9]+s$' "$work/err"
uncoloured() { ! grep -q $'\033' "$work/err"; }
check "no colour and no rewriting off a terminal" uncoloured
journal=$(ls "$results"/*/*.jsonl)
check "journal: run, ceiling, cells, end" test "$(jq -r .record "$journal" | tr '\n' ' ')" = "run ceiling cell cell end "
check "journal: run record" jq -es 'map(select(.record == "run"))[0] | .schema == 3 and .orrery.flags != "" and .machine.cpu != "" and (.devices | length > 0) and .request.what == ["plugins/quick"]' "$journal"
check "journal: ceiling record" jq -es 'map(select(.record == "ceiling"))[0] | (.pairs | keys) == ["2d", "2d-both", "3d", "3d-both", "3d-matrix", "3d-node"] and all(.pairs[]; . > 0)' "$journal"
check "journal: kind of pair" jq -es 'map(select(.record == "cell")) | all(.pair == "3d")' "$journal"
ceiling_of_own_run() { run 0 describe "$(jq -rs 'map(select(.record == "cell"))[0].id' "$journal")" -r "$journal" && grep -q "^- ceiling: .*, pairs of the kind 3d, measured in this run" "$work/out"; }
check "describe names the ceiling" ceiling_of_own_run
check "journal: cell record" jq -es 'map(select(.record == "cell")) | all(.outcome == "ok" and .samples.step_s != [] and (.samples.end_to_end_s | length) == (.samples.step_s | length) and .interval[0] <= .seconds and .seconds <= .interval[1] and .error.targets == .dataset.n and .interactions == .dataset.n * (.dataset.n - 1) and (.plugin_sha256 | length) == 64 and (.dataset.sha256 | length) == 64 and .warmups > 0 and .harness_s < .wall_s)' "$journal"

check "rounds" run 0 run plugins/quick "${common[@]}" --repeats 3 --json
check "a cell is told once, of all its processes" jq -es 'length == 2 and all(.processes == 3 and .samples >= 9 and .outcome == "ok")' "$work/out"
rounds=$(sed -n 's/^journal: //p' "$work/err")
check "a record a cell and round, one round after another" jq -es 'map(select(.record == "cell")) | length == 6 and [.[].round] == [1, 1, 2, 2, 3, 3] and ([.[].id] | unique | length) == 2' "$rounds"
check "a ceiling a round" jq -es 'map(select(.record == "ceiling") | .round) == [1, 2, 3]' "$rounds"
check "the ledger knows the processes" run 0 query 'SELECT count(*) AS n FROM latest WHERE processes = 3' -r "$rounds" -f json
check "of every cell" jq -e '.rows[0].n == 2' "$work/out"
head -n 5 "$rounds" > "$work/cut.jsonl"; mkdir -p "$work/cut/m"; cp "$work/cut.jsonl" "$work/cut/m/$(basename "$rounds")"
check "a run that was cut" run 0 run --resume last -o "$work/cut" --machine m
check "goes on with the rounds that lack" jq -es 'map(select(.record == "cell")) | length == 6 and ([.[].round] | sort) == [1, 1, 2, 2, 3, 3]' "$work/cut/m/$(basename "$rounds")"
check "no processes at all" fails 2 'repeats takes a whole number' run plugins/quick "${common[@]}" --repeats 1.5

check "--json" run 0 run plugins/quick "${common[@]}" --json
check "one object a cell and nothing else" jq -es 'length == 2 and all(has("experiment", "variant", "device", "parameters", "outcome", "reason", "seconds", "interval", "samples", "interactions_per_second", "error_median", "error_p99", "error_max") and .seconds > 0 and .parameters.delay == 0)' "$work/out"
check "the summary then is on stderr" grep -q '^2 cells: 2 ok' "$work/err"
check "--json of a wrong cell" run 3 run plugins/wrong "${common[@]}" --json
check "has no time" jq -e '.outcome == "wrong" and .seconds == null and .error_max > 0.01 and (.reason | test("above the bound"))' "$work/out"

# On a disk that is full from the start nothing stays behind that --resume last would take for a run.
full() { (trap '' XFSZ; ulimit -f 0; run 2 run plugins/quick --device host --preset smoke -o "$work/full"); [ -z "$(find "$work/full" -type f)" ]; }
check "no journal on a full disk" full

count=$(ls "$results"/*/*.jsonl | wc -l)
check "--dry-run" run 0 run plugins "${common[@]}" --dry-run
check "shows cells and an estimate" grep -qE '^[0-9]+ cells to run, 0 finished; about [0-9]+[smh]' "$work/out"
check "and writes nothing" test "$(ls "$results"/*/*.jsonl | wc -l)" = "$count"
slow=(run plugins/slow "${common[@]}" -o "$work/slow" --set delay=0.05)
check "a slow run" run 0 "${slow[@]}"
took=$(jq -s 'map(select(.record == "cell").wall_s) | add' "$work"/slow/*/*.jsonl)
check "is estimated by what it took" run 0 "${slow[@]}" --dry-run
not_guessed() { grep -qE '^4 cells to run, 0 finished; about [0-9]+s$' "$work/out"; }
check "which is no guess" not_guessed
echo "# estimated as $(sed -n 's/.*about //p' "$work/out"), and its cells took $took s"
check "--machine names the folder" run 0 run plugins/quick --device host --preset smoke -o "$results" --machine my-box
check "as it says" test -d "$results/my-box"
check "one body" run 0 run plugins/right "${common[@]}" --only '*slow*' --set n=1
check "feels nothing" jq -es 'map(select(.record == "cell"))[0] | .outcome == "ok" and .error.max == 0' "$(sed -n 's/^journal: //p' "$work/out")"

# Joules of a step: of a processor that always takes 100 W, or the reason why there are none.
journal_of_run() { sed -n 's/^journal: //p' "$work/out"; }
energy() { jq -es "map(select(.record == \"cell\")) | length > 0 and all(.outcome == \"ok\" and (.energy | $1))" "$(journal_of_run)"; }
check "--energy" run 0 run plugins/quick "${common[@]}" --set n=2 --energy
check "gives joules or a reason" energy '(.joules_step > 0 and .counter == "rapl") or (.reason | length > 10)'
check "--no-energy" run 0 run plugins/quick --device host --preset paper --repeats 1 -o "$results" --set n=2 --no-energy
check "gives none" energy '. == null'
check "--no-energy beside it" run 2 run plugins/quick "${common[@]}" --energy --no-energy
powercap=$work/powercap.so
check "a processor with a counter" gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -fPIC -shared -o "$powercap" tests/drivers/powercap.c
counted() { (export LD_PRELOAD=$powercap; run 0 run plugins/quick --device host --preset quick -o "$results" --set n=2 --energy --repeats 2); }
if nm -D "$orrery" | grep -q __asan; then
    echo "skipped: joules under a sanitizer, which wants to be loaded first"
else
    check "--energy of a processor that counts" counted
    check "is its power by time" energy 'if . == null then true else .window_s >= 0.5 and .steps > 1 and (.joules_step * .steps / .window_s | . > 97 and . < 103) and (.idle_w | . > 97 and . < 103) and .busy > 0 and .busy < 1 and .joules_interaction > 0 end'
    first_round() { [ "$(jq -rs '[.[] | select(.record == "cell" and .energy) | .round] | unique | join(",")' "$(journal_of_run)")" = 1 ]; }
    check "of the first round" first_round
    check "the power of each sample" jq -es 'map(select(.record == "cell")) | all((.samples.power_w | length) == (.samples.step_s | length) and (.samples.power_w | all(. == null or (. > 50 and . < 150))))' "$(journal_of_run)"
    counted_in=$(journal_of_run)
    check "describe shows them" shows "J a step" describe "$(jq -rs 'map(select(.record == "cell"))[0].id' "$(journal_of_run)")" -r "$results"
    table_of_joules() { run 0 table plugins/quick -q energy -f json -r "$counted_in" && jq -e '.rows | length > 0 and all(.joules_step > 0 and .joules_counter == "rapl" and (.joules_step - .joules_idle_step - .joules_net_step | fabs) < 1e-6 * .joules_step)' "$work/out"; }
    check "a table of them" table_of_joules
fi
# How long and how a cell is sampled.
newest() { sed -n 's/^journal: //p' "$work/out"; }
check "sampling as it is asked for" run 0 run plugins/quick "${common[@]}" --min-samples 12 --precision 99% --time-limit 3
check "takes at least so many samples" jq -es 'map(select(.record == "cell")) | all((.samples.step_s | length | . >= 12 and . <= 60) and .stop == "converged")' "$(newest)"
check "and stands in the request" jq -es 'map(select(.record == "run"))[0].request.sampling == {min_samples: 12, precision: 0.99, time_limit_s: 3}' "$(newest)"
check "it is part of the request" run 0 run plugins/quick "${common[@]}" --continue --min-samples 12 --precision 0.99 --time-limit 3
check "which --continue finds" grep -q '^2 cells: 2 ok' "$work/out"
check "with nothing left to do" test ! -s "$work/err"
for gone in cold lock-clocks; do
    check "--$gone" fails 2 "run --$gone: gone; " run plugins/quick "${common[@]}" --$gone
done
check "one step for a profiler" run 0 run plugins/quick "${common[@]}" --once -o "$work/once"
once=$(newest)
check "is verified and has no time" jq -es '(map(select(.record == "ceiling")) | length == 0) and (map(select(.record == "cell")) | length == 2 and all(.once and .outcome == "ok" and .error.targets > 0 and (has("samples") | not) and (has("seconds") | not)))' "$once"
check "and is finished" run 0 run --resume last -o "$work/once"
check "as it says" grep -q '^2 cells: 2 ok' "$work/out"
no_once() { run 0 query 'SELECT count(*) AS cells FROM cell' -r "$work/once" --format csv && grep -q '^0' "$work/out"; }
check "no table has it" no_once
check "a wrong one is found" run 3 run plugins/wrong "${common[@]}" --once -o "$work/once"
for bad in '--min-samples 0' '--min-samples 1.5' '--min-samples nan' '--precision 0' '--precision 101%' '--precision -1%' \
    '--precision nan' '--time-limit 0' '--time-limit -1' '--time-limit inf'; do
    check "$bad" fails 2 "${bad% *} takes .*not '${bad#* }'" run plugins/quick $bad
done
check "--once with samples" fails 2 '--once takes no samples' run plugins/quick --once --min-samples 3
check "--resume with sampling" fails 2 'everything from the run' run --resume last --min-samples 3

check "nothing asked for: lists the papers" fails 2 'Name papers \(plugins\)' run
check "an unknown paper" fails 2 "plugin" run plugin/quick
check "an unknown option: suggests the nearest" fails 2 "did you mean '--preset'" run plugins --prest smoke
check "an option without its value" fails 2 '--preset needs a value' run plugins --preset
check "an unknown preset" fails 2 "smoke" run plugins --preset smok
check "a parameter out of range" fails 2 'eps' run plugins/quick "${common[@]}" --set eps=-1
check "a parameter of the wrong type" fails 2 'eps' run plugins/quick "${common[@]}" --set eps=soft
check "an unknown axis" fails 2 'epz' run plugins/quick "${common[@]}" --set epz=1
check "no bodies" fails 2 '\bn\b' run plugins/quick "${common[@]}" --set n=0
check "a device that is not there" fails 4 "no device 'cuda:99'" run plugins/quick --device cuda:99 --preset smoke -o "$results"
check "a timeout below zero" fails 2 'timeout' run plugins --timeout -3
check "--resume of nothing" fails 2 "no run 'nowhere'" run --resume nowhere -o "$results"
check "--resume with a request" fails 2 'everything from the run' run plugins --resume last
check "a machine name that leaves the folder" fails 2 'no name for a machine' run plugins/quick "${common[@]}" --machine ../x
check "--help" run 0 run --help
check "names the options" grep -q -- '--dry-run' "$work/out"
finish
