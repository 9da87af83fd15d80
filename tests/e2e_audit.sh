#!/bin/bash
# SPDX-License-Identifier: MIT
# The audit through the command line: of tables alone and of a real run. Golden files have counts, situations and measured baselines.
. "$(dirname "$0")/lib_e2e.sh"
use_papers

# holds FILTER ARGUMENTS...: jq's filter is true of the one JSON value that comes out.
holds() { gives_all "length == 1 and (.[0] | $1)" "${@:2}" >/dev/null; }

# --- nothing measured: the tables are audited all the same ---
check says-what-would-count shows '`orrery run shan/table1` counts' audit shan/table1
check formulas-without-counts holds '[.rows[] | select(.variant == "bpb" and .formula == "3N(P-1)" and .counted == null)] | length == 1' audit shan/table1 --json

# --- printed baselines: by hand, 971 s x 3 GHz / (1e5 x 99999), 38 operations of 24 Gflop/s; 0.99 of 17.04 Gflop/s ---
check clocks-a-pair holds '.rows[] | select(.n == 100000) | (.clocks * 10 | round) == 2913 and (.share * 1000 | round) == 16 and .core_peak == 24e9 and .speedup == 1942 and .gain == null' audit fujiwara/baselines --json
check share-of-a-core holds '.rows[] | select(.n == 8388608) | (.share * 1000 | round) == 58 and (.pairs == 38244712448) and (.speedup * 100 | round) == 32667' audit shan/baselines --json
check what-is-not-printed shows 'nor of a speedup, of which no number is printed' audit feng/baselines
check says-what-measures-it shows '`orrery run gaburov/baselines` measures both' audit gaburov/baselines
check baselines-come-first holds '.[0] | .experiment == "fujiwara/baselines" and (.rows | length == 4)' audit fujiwara --json

# --- usage ---
check unknown-experiment fails 2 "did you mean .shan/table1" audit shan/tabel1
check no-formulas fails 2 'shan/table3 has no formulas to audit; these have: .*shan/table1, shan/table2, shan/updates' audit shan/table3
check no-experiment fails 2 'audit takes one experiment' audit
check one-variant fails 2 'and two variants' audit --situation shan/bpb
check unknown-variant fails 2 "did you mean 'bpb-n3l'" audit --situation shan/bpb shan/bpb-n3
check uncounted-variants fails 2 '`orrery run shan/table1` counts them' audit --situation shan/bpb shan/bpb-n3l
check never-counted fails 2 'no experiment counts the accesses of both bpb and serial' audit --situation shan/bpb shan/serial

# A file of formulas or costs, and the paper's own findings, with a mistake: file and line.
mkdir -p home/variants/shan && cp "$root/variants/shan/paper.yaml" home/variants/shan/
# refused TEXT FILE SED EXPERIMENT: with that file of shan's changed
refused() {
    cp "$root/variants/shan/formulas.csv" "$root/variants/shan/$2" home/variants/shan/ && sed -i "$3" "home/variants/shan/$2" && ORRERY_HOME=$work/home fails 2 "$1" audit "${4:-shan/table1}"
}
check malformed-formula refused "formulas.csv:3: formula: '3N\(P-1' is no formula, such as 3N\(P-1\)/2" formulas.csv '3s/3N(P-1)/3N(P-1/'
check formulas-of-another-table refused 'formulas.csv says nothing of shan/table2' formulas.csv '/table2/d' shan/table2
check malformed-costs refused 'costs.csv:3: unknown kind of count .LQ' costs.csv '3s/,LP,/,LQ,/'
check left-out-is-a-word refused "left-out is 'long', not 'too short' or 'too long'" costs.csv 's/,left-out,too long/,left-out,long/'
touch home/variants/shan/audit.sql
for own in 'DELETE FROM cell;|not allowed here: an audit may read the ledger' 'SELECT seconds FROM wrong_on_purpose;|.*wrong on purpose'; do
    echo "${own%|*}" >home/variants/shan/audit.sql
    check "own-audit-may-not-${own%% *}" refused "audit.sql:1: ${own#*|}" costs.csv ''
done

# --- counters that were refused ---
jq -c 'del(.check) | if .record == "run" then .schema = 1 elif .counts then .counters = [{source: "cupti", groups: ["shared"], reason: "the driver refuses; run as root"}] else . end' \
    "$root/tests/data/nvidia-h200/20261122T002736Z-48cc.jsonl" >refused.jsonl
check hardware-refused shows 'the driver refuses; run as root' audit shan/table1 -r refused.jsonl

# --- a real run: the kernels count what the paper says they do ---
if "$orrery" list devices --json | jq -e 'any(.[]; .id | startswith("opencl"))' >/dev/null 2>&1; then
    real_counts() {
        run 0 run shan/table1 shan/table2 --preset smoke --only 'shan/bpb*' --set level=1 --set per_box=1,3 -o real --machine real &&
            holds '[.rows[] | select(.value != null)] | length > 50 and all(.agrees == 1)' audit shan/table1 -r real --json &&
            holds 'map(select(.id == "S5" or .id == "S8").verdict) == ["reproduced", "reproduced"]' claims shan -r real --json &&
            holds '.changes | length > 7 and all(.agrees == 1 and .counted_read_write >= .counted and (.item | endswith("memory")) == (.counted_read_write > .counted))' \
                audit shan/table2 -r real --json
    }
    check real-counts real_counts
    check a-paper-begins-with-its-findings holds '.[1] | .experiment == "shan" and any(.findings[]; .item | startswith("counts of bpb on real")) and (.findings | length == (unique | length))' audit shan -r real --json
    # Updates that race: in the audit and nowhere else.
    racing() {
        run 0 run shan/updates --preset smoke --only 'shan/bpb*' --set level=1 --set per_box=16 --set atomic=none,cas \
            --set order=same --set block=512 -o racing --machine racing --json && jq -se '[.[] | select(.outcome == "wrong on purpose")] |
                length == 1 and (.[0] | [to_entries[] | select(.key | test("second|^p[59]|interval")) | .value] | length == 3 and all(. == null))' "$work/out" >/dev/null &&
            holds '[.updates[] | select(.atomic == "none")] | length == 1 and (.[0].result | startswith("wrong on purpose"))' \
                audit shan/updates -r racing --json
    }
    check racing-is-audited racing
    unseen() { run 0 "$@" && ! grep -Eq 'atomic=none([^,]|$)|none, same|wrong on purpose' "$work/out"; }
    check racing-is-in-no-table unseen table shan/crossover -r racing
    check racing-is-no-cell holds '.rows[0].n == 2' query 'SELECT count(*) AS n FROM cells' -r racing --format json
    check racing-is-in-no-comparison unseen compare racing racing
    check racing-is-measured-once prints '1 wrong on purpose' run --resume last -o racing
    printf 'x,y,mass\n0.1,0.2,1\n0.7,0.6,1\n' >two.csv
    check racing-cannot-be-evaluated fails 2 'told to compute wrong results' eval shan/bpb-n3l --input two.csv --output acc.csv --set atomic=none
    # Beside it a host cell: what its processor counted, or its system alone and why.
    host_counters() {
        run 0 run shan/table3 --only shan/cpu-simd --preset smoke --device host --counters auto -o real --machine real &&
            holds '.host_counters | length > 0 and all(.variant == "shan/cpu-simd" and .processor_seconds > 0 and
                (.lacks == null) == (.cycles != null))' audit shan/table1 -r real --json
    }
    "$orrery" list counters --json | jq -e 'any(.[]; .name == "task_clock")' >/dev/null && check processor-counters-are-shown host_counters
    check real-gap shows 'The cases leave a gap' audit --situation shan/bpb-n3l shan/bpb-n3l-free -r real
fi
