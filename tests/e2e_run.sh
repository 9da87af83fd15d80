#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery run and orrery reproduce: options, exit codes, what they print.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
quick=(run plugins/quick --device host --preset smoke -o "$results")

check "a run that is right ends with a summary" prints '^2 cells: 2 ok, 0 wrong, 0 failed' "${quick[@]}"
journal=$(journal)
check "names its journal" grep -qx "journal: $journal" "$work/out"
check "progress on stderr" grep -qE '^\[[12]/2\] plugins/right random-3d n=[23] host … a step [0-9.]+ [mun]?s ± [0-9.]+ % within one run \([0-9]+\) .*int/s err [0-9]e-[0-9]+ ok eta [0-9]+s$' "$work/err"
check "no colour and no rewriting off a terminal" eval '! grep -q $'\''\033'\'' "$work/err"'
check "journal: run, ceiling, cells, end" test "$(jq -r .record "$journal" | tr '\n' ' ')" = "run ceiling cell cell end "
check "journal: run and ceiling" jq -es '(.[0] | .schema == 3 and .orrery.flags != "" and .machine.cpu != "" and (.devices | length > 0) and .request.what == ["plugins/quick"])
    and (.[1] | (.pairs | keys) == ["2d", "2d-both", "3d", "3d-both", "3d-matrix", "3d-node"] and all(.pairs[]; . > 0))' "$journal"
check "journal: cells" recorded 'all(.outcome == "ok" and .pair == "3d" and .samples.step_s != [] and (.samples.end_to_end_s | length) == (.samples.step_s | length)
    and .interval[0] <= .seconds and .seconds <= .interval[1] and .error.targets == .dataset.n and .interactions == .dataset.n * (.dataset.n - 1)
    and (.plugin_sha256 | length) == 64 and (.dataset.sha256 | length) == 64 and .warmups > 0 and .harness_s < .wall_s)'
check "describe names the ceiling" prints '^- ceiling: .*, pairs of the kind 3d, measured in this run' describe "$(cell_id)" -r "$journal"

check "rounds: a cell is told once, of all its processes" gives_all 'length == 2 and all(.processes == 3 and .samples >= 9 and .outcome == "ok")' "${quick[@]}" --repeats 3 --json
rounds=$(journal)
check "a record a cell and round, one round after another" recorded 'length == 6 and [.[].round] == [1, 1, 2, 2, 3, 3] and ([.[].id] | unique | length) == 2'
check "a ceiling a round" jq -es 'map(select(.record == "ceiling") | .round) == [1, 2, 3]' "$rounds"
check "the ledger knows the processes of every cell" gives '.rows[0].n == 2' query 'SELECT count(*) AS n FROM latest WHERE processes = 3' -r "$rounds" -f json
mkdir -p "$work/cut/m" && head -n 5 "$rounds" >"$work/cut/m/$(basename "$rounds")"
check "a run that was cut" run 0 run --resume last -o "$work/cut" --machine m
check "goes on with the rounds that lack" recorded 'length == 6 and ([.[].round] | sort) == [1, 1, 2, 2, 3, 3]' "$work/cut/m/$(basename "$rounds")"
check "no processes at all" fails 2 'repeats takes a whole number' "${quick[@]}" --repeats 1.5

check "--json: one object a cell and nothing else" gives_all 'length == 2 and all(has("experiment", "variant", "device", "parameters", "outcome", "reason", "seconds", "interval", "samples",
    "interactions_per_second", "error_median", "error_p99", "error_max") and .seconds > 0 and .parameters.delay == 0)' "${quick[@]}" --json
check "the summary then is on stderr" grep -q '^2 cells: 2 ok' "$work/err"
check "--json of a wrong cell" run 3 run plugins/wrong "${common[@]}" --json
check "has no time" jq -e '.outcome == "wrong" and .seconds == null and .error_max > 0.01 and (.reason | test("above the bound"))' "$work/out"
# On a disk that is full from the start nothing stays behind that --resume last would take for a run.
full() { (trap '' XFSZ; ulimit -f 0; run 2 run plugins/quick --device host --preset smoke -o "$work/full"); [ -z "$(find "$work/full" -type f)" ]; }
check "no journal on a full disk" full

count=$(ls "$results"/*/*.jsonl | wc -l)
check "--dry-run shows cells and an estimate" prints '^[0-9]+ cells to run, 0 finished; about [0-9]+[smh]' run plugins "${common[@]}" --dry-run
check "and writes nothing" test "$(ls "$results"/*/*.jsonl | wc -l)" = "$count"
slow=(run plugins/slow "${common[@]}" -o "$work/slow" --set delay=0.05)
check "a slow run" run 0 "${slow[@]}"
check "is estimated by what it took, which is no guess" prints '^4 cells to run, 0 finished; about [0-9]+s$' "${slow[@]}" --dry-run
check "--machine names the folder" eval 'run 0 "${quick[@]}" --machine my-box && test -d "$results/my-box"'

# Joules of a step: of a processor that always takes 100 W, or the reason why there are none.
check "--energy gives joules or a reason" measures 0 'length > 0 and all(.outcome == "ok" and (.energy | (.joules_step > 0 and .counter == "rapl") or (.reason | length > 10)))' "${quick[@]}" --set n=2 --energy
check "--no-energy gives none" measures 0 'length > 0 and all(.outcome == "ok" and .energy == null)' run plugins/quick --device host --preset paper --repeats 1 -o "$results" --set n=2 --no-energy
check "--no-energy beside it" run 2 "${quick[@]}" --energy --no-energy
check "a processor with a counter" gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -fPIC -shared -o "$work/powercap.so" tests/drivers/powercap.c
# On a busy machine the second of its idle power may be missed: it is taken again.
counted() { (export LD_PRELOAD=$work/powercap.so; measures 0 'any(.energy.idle_w)' run plugins/quick --device host --preset quick -o "$results" --set n=2 --energy --repeats 2); }
if nm -D "$orrery" | grep -q __asan; then
    echo "skipped: joules under a sanitizer, which wants to be loaded first"
else
    check "--energy of a processor that counts" wait_for counted
    check "is its power by time, of the first round" recorded '[.[] | select(.energy).round] == [1] and (.[0].energy | .window_s >= 0.5 and .steps > 1
        and (.joules_step * .steps / .window_s | . > 97 and . < 103) and (.idle_w | . > 97 and . < 103) and .busy > 0 and .busy < 1 and .joules_interaction > 0)'
    check "the power of each sample" recorded 'all((.samples.power_w | length) == (.samples.step_s | length) and (.samples.power_w | all(. == null or (. > 50 and . < 150))))'
    check "describe shows them" shows "J a step" describe "$(cell_id)" -r "$results"
    check "a table of them" gives '.rows | length > 0 and all(.joules_step > 0 and .joules_counter == "rapl" and (.joules_step - .joules_idle_step - .joules_net_step | fabs) < 1e-6 * .joules_step)' \
        table plugins/quick -q energy -f json -r "$(journal)"
fi
# How long and how a cell is sampled.
check "sampling as it is asked for" measures 0 'all((.samples.step_s | length | . >= 12 and . <= 60) and .stop == "converged")' "${quick[@]}" --min-samples 12 --precision 99% --time-limit 3
check "stands in the request" jq -es '.[0].request.sampling == {min_samples: 12, precision: 0.99, time_limit_s: 3}' "$(journal)"
check "which --continue finds" prints '^2 cells: 2 ok' "${quick[@]}" --continue --min-samples 12 --precision 0.99 --time-limit 3
check "with nothing left to do" test ! -s "$work/err"
for gone in cold lock-clocks; do check "--$gone" fails 2 "run --$gone: gone; " "${quick[@]}" --$gone; done
check "one step for a profiler" run 0 "${quick[@]}" --once -o "$work/once"
check "is verified and has no time" jq -es 'all(.record != "ceiling") and (map(select(.record == "cell")) | length == 2 and all(.once and .outcome == "ok" and .error.targets > 0 and (has("samples", "seconds") | not)))' "$work"/once/*/*.jsonl
check "and is finished" prints '^2 cells: 2 ok' run --resume last -o "$work/once"
check "no table has it" gives '.rows == [{"cells": 0}]' query 'SELECT count(*) AS cells FROM cell' -r "$work/once" --format json
check "a wrong one is found" run 3 run plugins/wrong "${common[@]}" --once -o "$work/once"
for bad in '--min-samples 0' '--min-samples nan' '--precision 0' '--precision 101%' '--precision -1%' '--precision nan' '--time-limit 0' '--time-limit inf'; do
    check "$bad" fails 2 "${bad% *} takes .*not '${bad#* }'" run plugins/quick $bad
done
check "--once with samples" fails 2 '--once takes no samples' run plugins/quick --once --min-samples 3

check "nothing asked for: says what can be" fails 2 "Name papers, experiments .*orrery list. shows them" run
check "an unknown paper" fails 2 "plugin" run plugin/quick
check "an unknown option: suggests the nearest" fails 2 "did you mean '--preset'" run plugins --prest smoke
check "an option without its value" fails 2 '--preset needs a value' run plugins --preset
check "an unknown preset" fails 2 "smoke" run plugins --preset smok
for bad in eps=-1 eps=soft epz=1 n=0; do check "--set $bad" fails 2 "\b${bad%=*}\b" "${quick[@]}" --set $bad; done
check "a device that is not there" fails 4 "no device 'cuda:99'" run plugins/quick --device cuda:99 --preset smoke -o "$results"
check "--resume of nothing" fails 2 "no run 'nowhere'" run --resume nowhere -o "$results"
check "--resume with a request" fails 2 'everything from the run' run plugins --resume last
check "a machine name that leaves the folder" fails 2 'no name for a machine' "${quick[@]}" --machine ../x

# --- run, table and verdicts in one go ---
reproduce=(reproduce plugins/quick --preset smoke --device host -o)
check "an experiment is run and shown" shows '## plugins/quick' "${reproduce[@]}" "$work/shown"
check "with what was measured" grep -qE '\| *right ' "$work/out"
check "a second time nothing is run" eval 'run 0 "${reproduce[@]}" "$work/shown" && [ "$(ls "$work"/shown/*/*.jsonl | wc -l)" -eq 1 ]'
sed -i 's/name: wrong, label: wrong, in: .faults./name: wrong, label: wrong, in: [quick]/' "$ORRERY_HOME/variants/plugins/paper.yaml"
check "what is wrong is told by the exit code, and shown" eval 'run 3 "${reproduce[@]}" "$work/wrong" && grep -q "## plugins/quick" "$work/out"'
check "an unknown name" fails 2 "there is no paper, experiment or variant 'plugins/quik'; did you mean 'plugins/quick'" reproduce plugins/quik
check "one name" fails 2 'reproduce takes one experiment, paper or claim' reproduce
if [ -n "${ORRERY_ALL_TESTS:-}" ] && [ -n "$("$orrery" list devices --json | jq -r '.[] | select(.id | startswith("opencl")) | .id')" ]; then
    unset ORRERY_PLUGINS
    export ORRERY_HOME=$root
    check "a claim: what decides it is run" shows '## shan/table1' reproduce S5 --preset smoke -o "$work/claim"
    check "and it is judged" grep -q '^shan S5 (claim)' "$work/out"
fi
