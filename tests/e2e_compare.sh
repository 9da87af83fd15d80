#!/bin/bash
# SPDX-License-Identifier: MIT
# Two sets of results compared through the command line: recorded results and changed copies of their journals.
. "$(dirname "$0")/lib_e2e.sh"
use_papers

# finds FILTER ARGUMENTS...: jq's filter is true of the JSON rows of orrery compare.
finds() { gives "$1" compare "${@:2}" --json >/dev/null || { jq -c '.[] | [.experiment, .label, .n, .ratio, .verdict]' out | head; return 1; }; }
# one_line COMMAND...: it succeeds, and exactly one line is on stderr.
one_line() { "$@" && [ "$(wc -l <err)" -eq 1 ]; }

# A machine before and after, each cell measured by three processes 0.1 % apart: the same journal, and one in which a variant takes
# 1.2 times as long and another fails.
mkdir -p old new one results/mine elsewhere
times='def times(f): if .samples.step_s then .seconds *= f | .interactions_per_second /= f | .interval |= map(. * f) | .samples.step_s |= map(. * f) else . end;'
cp "$root/tests/data/nvidia-h200/20261120T154958Z-ae36.jsonl" one/a.jsonl
jq -c "$times"' if .record == "cell" then . as $cell | [1, 0.999, 1.001] | to_entries[] | . as $round
    | $cell | .round = $round.key + 1 | times($round.value) else . end' one/a.jsonl >old/a.jsonl
slower="$times"'def slow: if .variant == "fujiwara/optimised" and .dataset.n == 18000 then times(1.2) else . end;
    def fail: if .variant == "fujiwara/double-unrolling" and .dataset.n == 4096 then .outcome = "wrong" | .reason = "error max 0.5" else . end;
    if .record == "cell" then slow | fail elif .record == "run" then .orrery.commit = "newer" | .devices[0].driver = "next" else . end'
jq -c "$slower" old/a.jsonl >new/a.jsonl
cp new/a.jsonl results/mine/a.jsonl
jq -c '.machine.name = "another"' old/a.jsonl >elsewhere/a.jsonl
jq -c 'if .record == "cell" then .build_flags = "-O3" else . end' old/a.jsonl >flags.jsonl

# With itself everything is the same; what fewer than three processes measured is not judged.
check with-itself finds 'length == 36 and all(.verdict == "same" and .ratio == 1 and .processes_a == 3)' old old
check one-process-is-unclear finds 'length == 36 and all(.verdict == "unclear" and .p_different == null and .ratio == 1)' one old
check what-would-decide-only-that-side eval 'prints "A: 36 cells measured by fewer than three processes; .orrery run fujiwara/.*--repeats 3. decides" compare one old && [ "$(grep -c "fewer than three processes;" out)" -eq 1 ]'
jq -c 'if .record == "run" then .request.exclude = ["*it'"'"'s*"] | .request.set = ["n=1:8:*2"] else . end' one/a.jsonl >quoted.jsonl
check a-command-for-the-shell shows "--set 'n=1:8:*2' --exclude '*it'\\''s*' --repeats 3\` decides" compare quoted.jsonl old
check flags-that-differ shows '- B flags: -O3' compare old flags.jsonl

check slower-and-broken finds 'map(select(.verdict != "same")) | length == 3 and (map(.verdict) | sort) == ["broken", "slower", "slower"]
    and all(.verdict == "broken" or (.n == 18000 and .ratio > 0.83 and .ratio < 0.84))' old new
check no-time-that-is-wrong jq -e 'map(select(.outcome_b == "wrong")) | length == 1 and .[0].seconds_b == null and .[0].ratio == null' out
check exit-with-a-difference one_line fails 1 '^orrery: 2 cells slower, 1 broken: fujiwara/table2 optimised, cartwheel N = 18000 on opencl:0.0 \(0.833 times as fast\); ' compare old new --fail-on slower
# As test cases: slower and broken failed, what is not judged is skipped.
junit() { # EXPECTED ARGUMENTS...
    run 0 compare "${@:2}" --junit cases.xml && [ "$(python3 "$root/tests/junit.py" cases.xml)" = "$1" ]
}
check junit junit '36 3 0' old new
check junit-says-why grep -q '<failure message="broken: wrong: round 1: error max 0.5">A: .*, B: ' cases.xml
check junit-by-the-rule junit '31 0 0' old new --exclude '*double*' --fail-on slower:25%
check junit-skips-what-is-unclear junit '36 0 36' one old
check only-other-cells run 0 compare old new --fail-on slower --exclude '*optimised*' --exclude resources
check a-journal-and-a-machine finds 'length == 4 and (map(.verdict) | sort) == ["same", "same", "same", "slower"]' old/a.jsonl mine fujiwara/table2 --only optimised
check into-a-file eval 'run 0 compare old new -f csv -o t.csv && head -1 t.csv | grep -q "^experiment,variant,setting,device_a,"'
check the-margin-is-shown shows '- margin: 25 %' compare old new --margin 25%
check slower-by-more-than-that one_line fails 1 '2 cells slower, 1 broken' compare old new --fail-on slower:15%
check slower-by-less run 0 compare old new --fail-on slower:25% --exclude '*double-unrolling*'
# What others did beside B alone makes it slower for a script, too.
beside() { jq -c --argjson cores "$2" 'if .record == "cell" then .beside = "others used \($cores) of 2 cores" | .surroundings = {seconds: 1, cpus: 2, others_cores: $cores} else . end' "$1"; }
beside new/a.jsonl 1.9 >busy.jsonl
check beside-one-side-fails-nothing one_line fails 0 '^orrery: [0-9]* cells are unclear, so that --fail-on does not count them: co-runners did more during B$' \
    compare old busy.jsonl --fail-on slower --exclude '*double-unrolling*'
# Nor does what others beside both sides may have made.
beside old/a.jsonl 1.5 >busy-before.jsonl
check beside-both-sides-fails-nothing fails 0 ': co-runners may have made the difference' compare busy-before.jsonl busy.jsonl --fail-on slower --exclude '*double-unrolling*'
check broken-fails one_line fails 1 '0 cells slower, 1 broken' compare old new --fail-on broken

# Three and more side by side, without verdicts: devices across, programs down, the papers' cards beside them.
jq -c '.machine.name = "third"' old/a.jsonl >third.jsonl
check three-side-by-side finds 'map(select(.is == "measured")) as $m
    | ($m | map(.machine) | unique | length == 2) and ($m | map(select(.first_ratio)) | length == 32)
    and all($m[]; .first_ratio == null or (.first_ratio_low <= .first_ratio and .first_ratio <= .first_ratio_high))
    and ($m | map(select(.first_ratio and .first_ratio < 0.9)) | length == 1 and all(.first_ratio > 0.83 and .first_ratio < 0.84))' old new third.jsonl fujiwara/table2
check cards-are-columns finds 'map(select(.is == "published" and .device_name == "Radeon HD 4850 (625 MHz)"))
    | length == 12 and all(.year == 2008 and .seconds > 0)' old new third.jsonl fujiwara/table2
check three-say-what-was-beside shows '- B opencl:0.0: 35 cells were measured with co-runners, the busiest: others used 1.9 of 2 cores' compare old busy.jsonl third.jsonl
check cards-and-letters-are-named bash -c "'$orrery' compare old new third.jsonl fujiwara/table2 >t.md && grep -q '^| program .*| Radeon HD 4850 (625 MHz) (2008) .* A opencl:0.0 .* C opencl:0.0' t.md && grep -q '^- C: third.jsonl' t.md"
check cards-beside-two shows ' ms (Radeon HD 4850 (625 MHz), 2008) |' compare old new fujiwara/table2
check three-as-csv prints '^experiment,variant,setting,dataset,n,' compare old new third.jsonl -f csv
check three-that-globs-leave-nothing-of one_line fails 2 'none of them has a cell of what was asked for' compare old new third.jsonl --only nothing
check three-are-no-cases one_line fails 2 '--junit judge two sets' compare old new third.jsonl --junit cases.xml
check three-are-not-judged one_line fails 2 'judge two sets of results, not 3' compare old new third.jsonl --fail-on slower
check neither-results-nor-an-experiment one_line fails 2 "'thrid.jsonl' is neither results \(a journal, folder or machine\) nor an experiment or paper" compare old new thrid.jsonl
check one-side one_line fails 2 'compare takes two sets of results' compare old
check no-such-place one_line fails 2 "no journal, folder or machine 'no-such-place'" compare old no-such-place
mkdir empty
check nothing-there one_line fails 2 'A, empty, has no results' compare empty new
for word in faster slower:x slower: slower:100% broken:5%; do check "unknown-failure-$word" one_line fails 2 "--fail-on takes slower, slower:5% or broken, not '$word'" compare old new --fail-on "$word"; done
for word in 2 -1% 100% nan%; do check "no-margin-$word" one_line fails 2 "--margin takes a percentage below 100, as in 2%, not '$word'" compare old new --margin="$word"; done
check self-needs-experiments one_line fails 2 'name experiments or papers' compare --self
check self-does-not-fail-on one_line fails 2 'goes with none of' compare --self fujiwara --fail-on slower
check options-of-self one_line fails 2 'go with --self' compare old new --preset smoke
check flags-of-self one_line fails 2 'go with --self' compare old new --energy
check json-has-no-format one_line fails 2 'goes with neither' compare old new --json -o t.json

# The same cells measured twice. What a run that fails says is not hidden.
use_test_plugins
check self run 0 compare --self plugins/quick --device host --preset smoke --repeats 3 --min-samples 4 --time-limit 1e-3 --precision 2% --no-energy \
    --counters none --no-wait -o twice --json
both() { cat twice/*/*.jsonl | jq -se "$1"; }
check both-runs-have-its-options both '[.[] | select(.record == "run") | .request | [.sampling.min_samples, .sampling.time_limit_s, .sampling.precision, .energy, .counters, .repeats]]
    | length == 2 and all(. == [4, 0.001, 0.02, false, "none", 3])'
check at-least-the-samples-asked-for both '[.[] | select(.record == "cell")] | length == 12 and all(.samples.step_s | length >= 4)'
check self-as-json jq -e '.comparisons + .unclear == 2 and .changed == 0 and .devices == ["host"] and .margin == 0.02 and (.steps | length == 3)' out
check self-in-the-second-journal bash -c 'set -- twice/*/*.jsonl; [ $# -eq 2 ] && ! grep -q "record\":\"self" "$1" && tail -n 1 "$2" |
    jq -e --arg first "$(basename "$1" .jsonl)" ".record == \"self\" and .first == \$first and .finished != null and .check != null"'
check self-in-the-ledger shows host query "SELECT value FROM self, json_each(devices) WHERE comparisons + unclear = 2" -r twice
check self-that-cannot-run fails 2 'did you mean' compare --self plugins/quik -o nowhere
# ended_by SIGNAL: --self that is ended in its first run leaves a journal whose run was interrupted, and no second one.
ended_by() {
    rm -rf ended
    "$orrery" compare --self plugins/slow --device host --preset smoke --set delay=0.5 -o ended 2>err &
    wait_for grep -qrs '"record":"cell"' ended
    kill "-$1" $!
    wait $! && return 1
    wait_for grep -qrs '"interrupted":true' ended
    grep -q '"interrupted":true' ended/*/*.jsonl && [ "$(ls ended/* | wc -l)" -eq 1 ]
}
check self-that-is-ended ended_by TERM
ln -s "$root/plots" "$ORRERY_HOME/plots"
check report-says-it eval 'run 0 report -r twice -o page && grep -q "host: . of [012] comparisons called different" page/index.html'
rm "$(ls twice/*/*.jsonl | tail -n 1)"
check report-says-it-was-not-done bash -c "'$orrery' report -r twice -o page && grep -q 'not done; orrery compare --self plugins does it' page/index.html"
