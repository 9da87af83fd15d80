#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery run ceilings: what each access costs, from the command to the tables, on the host, which is quick.
. "$(dirname "$0")/lib_e2e.sh"
use_papers

# --- what is asked ---
check alone-only fails 2 'ceilings are a run of their own' run ceilings shan
check takes-no-settings fails 2 '.run ceilings. takes --device' run ceilings --set n=3
check dry-run-writes-nothing eval 'shows "ceilings host" run ceilings --device host --dry-run -o results && [ ! -e results ]'
check nothing-measured-yet fails 2 'orrery run ceilings' table ceilings

# --- a run of three rounds ---
check run run 0 run ceilings --device host --preset smoke --repeats 3 --json -o results --machine unit
cp out told
journal=$(echo results/unit/*.jsonl)
records() { jq -s '[.[] | select(.record == "access_ceilings")] | length' "$journal"; }
check one-record-a-round test "$(records)" -eq 3
check json-is-the-journal bash -c "diff <(jq -Sc . told) <(jq -Sc 'select(.record == \"access_ceilings\") | del(.check)' '$journal')"
check every-kind-has-a-rate-or-a-reason jq -se 'map(select(.record == "access_ceilings")) | all(.device == "host" and (.rates | length) == 118
    and all(.rates[]; (.rate > 0 and .check == "ok") != ((.reason // "") != "")))' "$journal"
check request-and-end-are-kept jq -se '(.[0] | .request.what == ["ceilings"] and .locks.held == ["cores"]) and (.[-1] | .record == "end" and .ok == 3)' "$journal"

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
check report-has-them eval 'run 0 report -o page && grep -q "What each access costs" page/*.html'

# --- going on ---
# goes_on ROUNDS ARGUMENTS...: the same run goes on, and its journal has so many rounds then
goes_on() { run 0 run "${@:2}" -o results && [ "$(records)" -eq "$1" ]; }
check resume-measures-nothing goes_on 3 --resume last
grep -v '"round":3' "$journal" | grep -vE '"record":"(end|resume)"' >cut && cp cut "$journal"
check a-round-is-missing test "$(records)" -eq 2
check resume-measures-what-is-missing goes_on 3 --resume last
check continue-measures-nothing goes_on 3 ceilings --device host --preset smoke --repeats 3 --continue --machine unit

# --- damage ---
sed -i '/"record":"access_ceilings"/s/"rate":[0-9]/"rate":-1/' "$journal"
check damage-is-named fails 2 'damaged lines in the journals skipped' table ceilings
