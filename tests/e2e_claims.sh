#!/bin/bash
# Claims through the command line: on the reference results, on invented records, on counts made here, and in the report.
# Prints "ok NAME" or "not ok NAME" a line.
. "$(dirname "$0")/lib_e2e.sh"
export ORRERY_HOME=$root
cd "$work" || exit 1

# says ARGUMENTS... -- FILTER: the JSON of orrery claims is an array and the filter is true for it.
says() {
    local words=()
    while [ "$1" != -- ]; do words+=("$1"); shift; done
    run 0 claims "${words[@]}" --json && jq -e "$2" "$work/out" >/dev/null || { jq -c '.[] | [.id, .machine, .device, .verdict, .measured]' "$work/out"; return 1; }
}

# Nothing measured: every claim is there, with the command that would measure it.
check claims-without-results says fujiwara -- 'length == 7 and all(.verdict == "not measurable here" and .machine == null)
    and (.[0].why | contains("orrery run fujiwara/table2"))'
check claims-of-all-papers says -- '[.[].paper] | unique | contains(["fujiwara", "shan"])'
check table-II-needs-no-machine says shan -- '.[] | select(.id == "S6") | .verdict == "not reproduced" and .measured == "6 of 8 entries follow"'

check json-has-every-member says fujiwara --reference -- \
    'length > 13 and all(keys == ["device", "held", "id", "machine", "measured", "measured_parts", "of", "paper", "published", "quote", "reading", "score",
        "section", "text", "unclear", "verdict", "why"])'
check one-machine says fujiwara -m nvidia-h200 -- 'all(.machine == "nvidia-h200")'
check one-journal says fujiwara -r intel-xeon-2-cores -- 'all(.machine == "intel-xeon-2-cores")'
# One process a cell is too few for a difference; the command is ready to be run.
decided_by() {
    says shan -r "$root/tests/data/shan-fixture.jsonl" -- '.[] | select(.id == "S1") | .verdict == "unclear"' &&
        command=$(jq -r '.[] | select(.id == "S1").why' out | sed 's/.*: `orrery \(.*\)`$/\1/') &&
        [ "$command" = 'run shan/table3 --preset paper --device cuda:0 --repeats 3' ] &&
        "$orrery" ${command/cuda:0/host} --dry-run >/dev/null
}
check an-unclear-claim-names-its-command decided_by
check gaburov-needs-its-sweep says gaburov -r "$root/tests/data/gaburov-fixture.jsonl" -- 'length == 11 and (map(select(.id == "G2")) | .[0].why |
    contains("needs `orrery run gaburov/fig3.7 --preset paper --device cuda:0`; 1 of its cells did not end well"))'

check unknown-paper fails 2 "did you mean 'fujiwara'" claims fujiwra
check an-experiment-is-no-paper fails 2 'there is no paper' claims fujiwara/table2
check two-papers fails 2 'one paper' claims fujiwara shan
check unknown-machine fails 2 'no results of a machine' claims fujiwara -m elsewhere
check help bash -c "'$orrery' claims --help | grep -q -- --json"

# Counts of a run: exact on every device, the processor's OpenCL too.
# Whether two variants differ beyond the noise of so short a run is the machine's to say (S9).
counted() {
    run 0 run shan/table1 --preset smoke --only 'shan/bpb' --only 'shan/bpb-n3l' --device "$1" -o here/results &&
        says shan -r here -- '[.[] | select(.id == "S5" or .id == "S8") | .verdict] == ["reproduced", "reproduced"]' &&
        says shan -r here -- '.[] | select(.id == "S9") | .verdict == "not measurable here" or (.measured | contains("predictions"))'
}
device=$("$orrery" list devices --json | jq -r '[.[] | select(.id | startswith("opencl"))][0].id // empty')
[ -z "$device" ] || check claims-of-a-run counted "$device"

# A paper of one's own: its claims.sql and nothing else.
mkdir -p own/variants/trial
cat >own/variants/trial/paper.yaml <<'PAPER'
paper: trial
title: A trial
authors: nobody
venue: tests
year: 2026
flops_per_interaction: 38
variants:
  - {name: one, label: one, in: [e]}
experiments:
  - name: e
    shows: Table E
    title: E
    layout: times
    axes:
      - {name: dataset, values: "random-3d"}
    bound: {median: 1.0e-5, p99: 1.0e-4, max: 1.0e-2}
PAPER
own() { ORRERY_HOME=$work/own "$@"; }
check no-claims-yet own fails 2 'variants/trial/claims.sql is missing' claims trial
check no-claims-at-all own says -- 'length == 0'
printf '%s\n' "INSERT INTO claim(id, text, published, needs) VALUES ('T1', '1 < 2 & 3', '\"so\"', 'nothing to measure');" >own/variants/trial/claims.sql
check own-claims own says trial -- '.[0].id == "T1" and .[0].why == "nothing to measure"'
report() { own run 0 report -o page && xmllint --html --noout page/index.html && grep -q '1 &lt; 2 &amp; 3' page/index.html && grep -q '<td class="unknown">not measurable here</td>' page/index.html; }
check report-has-claims report
printf '\nDELETE FROM cell;\n' >>own/variants/trial/claims.sql
check mistake-has-its-line own fails 2 'variants/trial/claims.sql:3: not allowed here' claims trial
report_without() { own run 0 report -o page && grep -q 'claims of trial are missing: .*claims.sql:3' err && grep -q '<h2 id="claims">' page/index.html; }
check report-without-claims report_without
# What has no end is ended, with the line where its statement begins.
endless='FROM d a, d b, d c, d e, d f, d g, d h, d i, d j, d k, d l, d m, d n, d o'
digits='WITH d(x) AS (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9))'
printf '\n%s\nINSERT INTO claim SELECT 1, NULL, 2, NULL, 3, count(*) %s;\n' "$digits" "$endless" >own/variants/trial/claims.sql
check endless-claims own fails 2 'claims.sql:2: not done after 0.3 s; --timeout gives it more$' claims trial --timeout 0.3
printf -- '--: layout forever\n--: setup\nCREATE TEMP TABLE t AS SELECT 1;\n%s\nINSERT INTO t SELECT count(*) %s;\n' "$digits" "$endless" >own/variants/trial/tables.sql
sed -i 's/layout: times/layout: forever/' own/variants/trial/paper.yaml
check endless-setup own fails 2 'tables.sql:4: not done after 0.3 s; --timeout gives it more$' table trial/e --timeout 0.3
printf -- '--: layout forever\n--: grid E\n%s\nSELECT count(*) AS n %s;\n' "$digits" "$endless" >own/variants/trial/tables.sql
check endless-grid own fails 2 'tables.sql:3: not done after 0.3 s; --timeout gives it more$' table trial/e --timeout 0.3
check negative-limit own fails 2 'timeout takes seconds above 0' table trial/e --timeout -1
finish
