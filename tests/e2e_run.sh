#!/bin/bash
# orrery run: options, exit codes, what it prints.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
results=$work/results
common=(--device host --preset smoke -o "$results")

check "a run that is right" run 0 run plugins/quick "${common[@]}"
check "ends with a summary" grep -q '^2 cells: 2 ok, 0 wrong, 0 failed' "$work/out"
check "names its journal" test -s "$(sed -n 's/^journal: //p' "$work/out")"
check "progress on stderr" grep -qE '^\[[12]/2\] plugins/right random-3d n=[23] host … [0-9.]+ [mun]?s ±[0-9.]+% \([0-9]+\) .*int/s err [0-9]e-[0-9]+ ok eta [0-9]+s$' "$work/err"
uncoloured() { ! grep -q $'\033' "$work/err"; }
check "no colour and no rewriting off a terminal" uncoloured
journal=$(ls "$results"/*/*.jsonl)
check "journal: run, ceiling, cells, end" test "$(jq -r .record "$journal" | tr '\n' ' ')" = "run ceiling cell cell end "
check "journal: run record" jq -es 'map(select(.record == "run"))[0] | .schema == 2 and .orrery.flags != "" and .machine.cpu != "" and (.devices | length > 0) and .request.what == ["plugins/quick"]' "$journal"
check "journal: cell record" jq -es 'map(select(.record == "cell")) | all(.outcome == "ok" and .samples.step_s != [] and (.samples.end_to_end_s | length) == (.samples.step_s | length) and (.samples.digests | length) == (.samples.step_s | length) and .interval[0] <= .seconds and .seconds <= .interval[1] and .error.targets == .dataset.n and .interactions == .dataset.n * (.dataset.n - 1) and (.plugin_sha256 | length) == 64 and (.dataset.sha256 | length) == 64 and .warmups > 0 and .harness_s < .wall_s)' "$journal"

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

# How long and how a cell is sampled.
newest() { sed -n 's/^journal: //p' "$work/out"; }
check "sampling as it is asked for" run 0 run plugins/quick "${common[@]}" --min-samples 12 --precision 50% --time-limit 3
check "takes at least so many samples" jq -es 'map(select(.record == "cell")) | all((.samples.step_s | length) == 12 and .stop == "converged")' "$(newest)"
check "and stands in the request" jq -es 'map(select(.record == "run"))[0].request.sampling == {min_samples: 12, precision: 0.5, time_limit_s: 3}' "$(newest)"
check "it is part of the request" run 0 run plugins/quick "${common[@]}" --continue --min-samples 12 --precision 0.5 --time-limit 3
check "which --continue finds" grep -q '^2 cells: 2 ok' "$work/out"
check "with nothing left to do" test ! -s "$work/err"
check "cold caches" run 0 run plugins/quick "${common[@]}" --cold
check "are told of each cell" jq -es 'map(select(.record == "cell")) | length == 2 and all(.parameters.caches == "cold" and .flushed_bytes >= 67108864 and .batch == 1 and (.samples | has("cold_s") | not) and (has("remarks") | not))' "$(newest)"
check "which is another cell" test "$(jq -r 'select(.record == "cell").id' "$(newest)" "$journal" | sort -u | wc -l)" = 4
check "a table" run 0 table plugins/quick -r "$results"
check "tells cold from warm" bash -c "grep -q 'caches=cold' '$work/out' && grep -q 'caches=warm' '$work/out'"
check "one step for a profiler" run 0 run plugins/quick "${common[@]}" --once -o "$work/once"
once=$(newest)
check "is verified and has no time" jq -es '(map(select(.record == "ceiling")) | length == 0) and (map(select(.record == "cell")) | length == 2 and all(.once and .outcome == "ok" and .error.targets > 0 and (has("samples") | not) and (has("seconds") | not)))' "$once"
check "and is finished" run 0 run --resume last -o "$work/once"
check "as it says" grep -q '^2 cells: 2 ok' "$work/out"
no_once() { run 0 query 'SELECT count(*) AS cells FROM cell' -r "$work/once" --format csv && grep -q '^0' "$work/out"; }
check "no table has it" no_once
check "a wrong one is found" run 3 run plugins/wrong "${common[@]}" --once -o "$work/once"
for bad in '--min-samples 0' '--min-samples 1.5' '--min-samples nan' '--precision 0' '--precision 101%' '--precision -1%' \
    '--precision nan' '--time-limit 0' '--time-limit -1' '--time-limit inf' '--lock-clocks 0'; do
    check "$bad" fails 2 "${bad% *} takes .*not '${bad#* }'" run plugins/quick $bad
done
check "--once with samples" fails 2 '--once takes no samples' run plugins/quick --once --cold
check "--lock-clocks without a GPU" fails 4 'no clocks to lock: .*; leave out --lock-clocks$' run plugins/quick "${common[@]}" --lock-clocks
check "--lock-clocks takes a clock" fails 4 'no clocks to lock' run --lock-clocks 1500 plugins/quick "${common[@]}"
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
