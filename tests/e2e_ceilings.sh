#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery run ceilings: what each access costs, from the command to the tables, on the host, which is quick.
. "$(dirname "$0")/lib_e2e.sh"
export ORRERY_HOME=$root
cd "$work" || exit 1

# --- what is asked ---
check alone-only fails 2 'ceilings are a run of their own' run ceilings shan
check takes-no-samples fails 2 '.run ceilings. takes --device' run ceilings --once
check takes-no-settings fails 2 '.run ceilings. takes --device' run ceilings --set n=3
check knows-its-devices fails 4 "no device 'cuda:9'" run ceilings --device cuda:9 -o results
check dry-run shows 'ceilings host' run ceilings --device host --dry-run -o results
check dry-run-writes-nothing test ! -e results
check nothing-measured-yet fails 2 'orrery run ceilings' table ceilings

# --- a run of three rounds ---
check run run 0 run ceilings --device host --preset smoke --repeats 3 --json -o results --machine unit
cp out told
journal=$(echo results/unit/*.jsonl)
records() { jq -s '[.[] | select(.record == "access_ceilings")] | length' "$journal"; }
check one-record-a-round test "$(records)" -eq 3
check json-is-the-journal bash -c "diff <(jq -Sc . told) <(jq -Sc 'select(.record == \"access_ceilings\") | del(.check)' '$journal')"
whole() {
    jq -se 'map(select(.record == "access_ceilings")) | all(.device == "host" and (.rates | length) == 118
        and all(.rates[]; (.rate > 0 and .check == "ok") != ((.reason // "") != "")))' "$journal"
}
check every-kind-has-a-rate-or-a-reason whole
check the-request-is-kept bash -c "jq -se '.[0].request.what == [\"ceilings\"] and .[0].locks.held == [\"cores\"]' '$journal'"
check the-end-is-told bash -c "jq -se '.[-1].record == \"end\" and .[-1].ok == 3' '$journal'"

# --- what is shown of it ---
# Medians over the rounds, computed here from the journal.
medians() {
    run 0 table ceilings --format json && jq -se '(.[0] | map(select(.record == "access_ceilings") | .rates[]) | group_by([.kind, .degree])
        | map({key: "\(.[0].kind) \(.[0].degree)", value: ([.[].rate | select(.)] | sort | .[(length - 1) / 2 | floor])}) | from_entries) as $m
        | .[1].rows | length == 118 and all($m["\(.kind) \(.degree)"] as $r | if $r then (.rate / $r - 1 | fabs) < 1e-9
            and .rate_low <= .rate and .rate <= .rate_high and .rounds == 3 else (.reason | length) > 0 end)' <(jq -s . "$journal") out
}
check table-has-the-medians medians
check table-in-markdown shows '| shared-atomic-float' table ceilings
check table-of-another-machine fails 2 "no results of a machine 'other'" table ceilings -m other
check query-costs shows '1' query "SELECT count(*) FROM access_cost WHERE kind = 'fma' AND seconds = 1 / rate" --format csv
check report run 0 report -o page
check report-has-them grep -q 'What each access costs' page/*.html

# --- going on ---
check resume-has-nothing-to-do run 0 run --resume last -o results
check resume-measures-nothing test "$(records)" -eq 3
grep -v '"round":3' "$journal" | grep -vE '"record":"(end|resume)"' >cut && cp cut "$journal"
check a-round-is-missing test "$(records)" -eq 2
check resume run 0 run --resume last -o results
check resume-measures-what-is-missing test "$(records)" -eq 3
check continue run 0 run ceilings --device host --preset smoke --repeats 3 --continue -o results --machine unit
check continue-measures-nothing test "$(records)" -eq 3

# --- damage ---
sed -i '/"record":"access_ceilings"/s/"rate":[0-9]/"rate":-1/' "$journal"
check damage-is-named fails 2 'damaged lines in the journals skipped' table ceilings
finish
