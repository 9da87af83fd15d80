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
check "journal: run record" jq -es 'map(select(.record == "run"))[0] | .schema == 3 and .orrery.flags != "" and .machine.cpu != "" and (.devices | length > 0) and .request.what == ["plugins/quick"]' "$journal"
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
check "--machine names the folder" run 0 run plugins/quick --device host --preset smoke -o "$results" --machine my-box
check "as it says" test -d "$results/my-box"
check "one body" run 0 run plugins/right "${common[@]}" --only '*slow*' --set n=1
check "feels nothing" jq -es 'map(select(.record == "cell"))[0] | .outcome == "ok" and .error.max == 0' "$(sed -n 's/^journal: //p' "$work/out")"

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
