#!/bin/bash
# orrery tune: the best of a variant's knobs is found, what is wrong or crashes is not, and a gain is only what is one.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
results=$work/results
paper=$ORRERY_HOME/variants/plugins/paper.yaml
sed -i 's/^experiments:/  - name: knobs\n    label: knobs\n    in: [quick]\n    knobs: [{name: unroll, values: "2,4,16,32"}, {name: pad, values: "1,2"}]\n&/' "$paper"
tune=(tune plugins/knobs --device host --preset smoke --set n=40 --min-samples 3 -o "$results" --machine trial)
journal() { ls -t "$results"/trial/*.jsonl | head -1; }
told() { jq -e "$1" "$work/out" >/dev/null; }

# --- what is found ---
check "text is not taken for JSON" fails 2 '^orrery: --json prints what was measured, and --dry-run measures nothing; leave out one of them$' "${tune[@]}" --dry-run --json
check "what would be searched" shows '15 configurations, all of them' "${tune[@]}" --dry-run
check "nothing is written by that" test ! -e "$results/trial"
check "a variant is tuned" run 0 "${tune[@]}" --json --repeats 3
cp "$work/out" "$work/tuned.json" 2>/dev/null
check "the best is found" told '.knobs == {"unroll": 4, "pad": 2}'
check "its gain over the default has an interval" told '.gain and .verdict == "faster" and .ratio > 1.5 and .interval[0] > 1.02 and .interval[1] > .ratio'
check "all was searched, and the default" told '.strategy == "full" and .configurations == 15 and .measured == 15'
check "what is quick and wrong is left out" told '.outcomes.wrong == 3 and ([.rows[] | select(.knobs.unroll == 16)] == [])'
check "so is what crashes, which costs nothing else" told '.outcomes.crashed == 3 and .outcomes.ok == 9'
check "reasons are told" told '[.refused[] | select(.outcome == "crashed") | .reason] | all(test("SIGSEGV")) and length == 3'
check "the best ones have three processes" told '[.rows[] | .processes] | length >= 5 and all(. >= 3)'
check "what each knob does alone" told '.sensitivity | map(.spread > 1.2) == [true, true]'
fresh() { jq -es '[.[] | select(.tuning.stage == "final")] | length == 6 and (map(.id) | unique | length == 2)' "$(journal)" >/dev/null; }
check "the default and the best are measured anew, three processes each" fresh
check "the journal is whole" run 0 check "$results"
check "one knows every member" bash -c "! grep -q 'does not know' '$work/out'"
kept() { jq -e '.schema == "orrery/tuned/1" and (.entries | length == 1 and .[0].knobs == {"unroll": 4, "pad": 2} and .[0].gain)' "$results/trial/tuned.json"; }
check "it is kept by device" kept

# --- what stands where ---
check "no table has a cell of it" bash -c "! '$orrery' table plugins/quick -r '$results' -f csv | grep knobs | grep -q ok"
query() { "$orrery" query "$1" -r "$results" -f csv | tail -n +2 | tr -d '\r' | tr '\n' ' '; }
check "a query has them" test "$(query "SELECT DISTINCT tuning FROM cells ORDER BY 1")" = "final search "
id=$(query "SELECT id FROM cells WHERE knobs LIKE '%:8%' OR (tuning = 'search' AND knobs LIKE '%\"unroll\":2%') LIMIT 1")
again() { run 0 describe "${id% }" -r "$results" && grep -qE 'measure it again: `orrery run plugins/quick .*--set unroll=2' "$work/out"; }
check "a cell of it says how to measure it again" again
use=(run plugins/quick --only '*knobs*' --device host --preset smoke -o "$results" --machine trial)
check "a run keeps the defaults" run 0 "${use[@]}" --set n=40 --json
check "silently it never has others" told '.parameters.unroll == 1 and .parameters.pad == 0 and (has("tuning") | not)'
check "--tuned takes what was found" run 0 "${use[@]}" --set n=40 --tuned --json
check "which the cell says" told '.parameters.unroll == 4 and .parameters.pad == 2 and .tuning.stage == "used" and .tuning.knobs == {"unroll": 4, "pad": 2} and (.tuning.run | length > 10)'
check "and resuming makes the same plan" shows '0 cells to run' run --resume last --dry-run -o "$results"
both() { run 0 table plugins/quick -r "$results" -f csv && [ "$(grep -c knobs "$work/out")" -eq 1 ] && grep -q '1 cells with tuned settings are left out' "$work/err"; }
check "its time is in no table, which says so" both
check "a size beyond twice the tuned one keeps the defaults" run 0 "${use[@]}" --set n=81 --tuned --dry-run --json
check "and is told" grep -q 'no tuned settings fit 1 of 1 cells' "$work/err"
plain() { jq -e '.settings == {}' "$work/out"; }
check "with its own settings" plain
check "so does a cell whose own setting is another" run 0 "${use[@]}" --set n=40 --set unroll=2 --tuned --dry-run
check "which is told, too" grep -q 'no tuned settings fit 1 of 1 cells' "$work/err"
sed -i 's/^    label: knobs/&\n    in: [quick, scaled]/; s/^    in: \[quick\]$//' "$paper"
cat >>"$paper" <<'EOF'
  - name: scaled
    shows: Table S
    title: A size that is scaled
    layout: times
    axes: [{name: dataset, values: random-3d}, {name: n, values: "40,60"}]
    bound: {median: 1.0e-5, p99: 1.0e-4, max: 1.0e-2}
    presets: [{name: smoke, limits: [{variant: knobs, n: 40}]}]
EOF
check "what is scaled from a tuned cell has its settings" run 0 run plugins/scaled --device host --preset smoke -o "$results" --machine trial --tuned --dry-run --json
scaled() { jq -es 'length == 2 and .[1].extrapolate_from == .[0].id and (map(.settings) | unique == [{"unroll": "4", "pad": "2"}])' "$work/out" >/dev/null; }
check "and its place in the plan" scaled
sed -i 's/"plugin_sha256": "./&0/' "$results/trial/tuned.json"
check "what another build was tuned to is not used" run 0 "${use[@]}" --set n=40 --tuned --dry-run
check "and told" grep -q 'no tuned settings fit 1 of 1 cells' "$work/err"
check "tuned settings and shards" fails 2 '--shard and --tuned exclude each other' "${use[@]}" --tuned --shard 1/2
echo '{' >"$results/trial/tuned.json"
check "a damaged file is named" fails 2 'tuned.json:[0-9]+: ' "${use[@]}" --set n=40 --tuned --dry-run
rm "$results/trial/tuned.json"

# --- a search that goes on ---
records=$(wc -l <"$(journal)")
last=$(grep -l '"tuner"' "$results"/trial/*.jsonl)
mv "$last" "$work/whole.jsonl"
rm -f "$results"/trial/*.jsonl
grep -v '"record":"tuned"\|"record":"end"' "$work/whole.jsonl" | head -12 >"$last"
check "a tuning that was cut short goes on" run 0 "${tune[@]}" --json --repeats 3 --continue
once() { [ "$(jq -s '[.[] | select(.record == "cell") | .id + (.round | tostring)] | length == (unique | length)' "$last")" = true ] && [ "$(ls "$results"/trial/*.jsonl | wc -l)" -eq 1 ]; }
check "without a cell measured twice" once
check "and finds the same" told '.knobs == {"unroll": 4, "pad": 2} and .gain'
check "run --resume names the command" fails 2 'is of .orrery tune., which --continue goes on with' run --resume last -o "$results"

# --- no gain, and hangs ---
check "knobs that do nothing: no gain" run 0 "${tune[@]}" --set flat=yes --knob unroll=2,4 --knob pad=2 --json --repeats 3
check "is called one" told '.gain == false and (.verdict | IN("same", "not told apart", "slower", "default"))'
check "a staged search with a hang and a refusal" run 0 "${tune[@]}" --knob unroll=2,4,5,64 --knob pad=1,2,3 --strategy staged --configurations 3 --timeout 1 --repeats 3
check "finds it, too" grep -qE '^1  *4  *2 ' "$work/out"
check "and says the gain" grep -qE '^gain: [0-9.]+ \[' "$work/out"
check "and what was left out" grep -qE '^left out: unroll=(5|64) pad=.: (failed|timed out)' "$work/out"
check "a budget ends the search, not the comparison" run 0 "${tune[@]}" --knob unroll=1,2,4,8 --budget 0.01 --json --repeats 3
check "which is told" told '.out_of_budget and .measured <= 1'

# --- mistakes ---
check "one variant" fails 2 'tune takes one variant' tune
check "an unknown one" fails 2 "did you mean 'plugins/knobs'" tune plugins/knob
check "a variant without knobs" fails 2 'plugins/right declares no knobs' tune plugins/right
check "no such knob" fails 2 "knobs declares no knob 'flat'; " "${tune[@]}" --knob flat=yes
check "a value beyond the range" fails 2 "knob 'pad': .*8" "${tune[@]}" --knob pad=9
check "a knob that is set" fails 2 'unroll is a knob, which is varied; --knob unroll=VALUE holds it there' "${tune[@]}" --set unroll=4
check "no such strategy" fails 2 "did you mean 'staged'" "${tune[@]}" --strategy stagd
check "an experiment of others" fails 2 'knobs does not take part in faults' "${tune[@]}" --experiment faults
sed -i 's/name: pad, values: "1,2"/name: n, values: "1,2"/' "$paper"
check "what says what is computed is no knob" fails 2 "paper.yaml:[0-9]+: 'n' says what is computed" "${tune[@]}"
sed -i 's/name: n, values: "1,2"/name: pad, values: "1,2", on: tpu/' "$paper"
check "nor is one of no kind of device" fails 2 "a knob's 'on' must be cpu or gpu, not 'tpu'" "${tune[@]}"
sed -i 's/on: tpu/on: gpu/' "$paper"
check "one of another kind is left alone" shows '5 configurations, all of them' "${tune[@]}" --dry-run
finish
