#!/bin/bash
# SPDX-License-Identifier: MIT
# The audit through the command line: of tables alone, of an invented journal with counts, and of a real run.
. "$(dirname "$0")/lib_e2e.sh"
use_papers

# holds FILTER ARGUMENTS...: jq's filter is true of the one JSON value that comes out; has FILE FILTER: of what was asked once.
holds() { gives_all "length == 1 and (.[0] | $1)" "${@:2}" >/dev/null; }
has() { jq -e "$2" "$1" >/dev/null; }
finding() { echo "[.findings[] | select(.item == \"$1\")] | length == 1 and .[0].agrees == $2 and (.[0].derived | contains(\"$3\"))"; }

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

# --- an invented journal: bpb and bpb-n3l at level 7, one device that counts right and one that does not ---
# cells [ID, EXPERIMENT, DEVICE, P, VARIANT, SECONDS, OFF, ROUNDS]...: processes a thousandth apart, samples of each alike
cells() {
    jq -cn '$ARGS.positional[] | fromjson as [$id, $experiment, $device, $p, $variant, $seconds, $off, $rounds] | (16384 * $p) as $n | 129540 as $b
        | (if $variant == "bpb" then {"Father box": {GR: (3 * $n), SR: (3 * $n * ($p - 1)), SW: (3 * $n), RW: (2 * $n * ($p - 1)), CP: ($n * ($p - 1)), IR: 1000},
            "Neighbor box": {IR: 234, GR: (3 * $b * $p), SR: (3 * $b * $p * $p), SW: (3 * $b * $p + $off), RW: (2 * $b * $p * $p), CP: ($b * $p * $p)},
            "Return d_acc": {GW: (2 * $n), RR: (2 * $n)}}
        else {"Father box": {GR: (3 * $n), SR: (3 * $n * ($p - 1) / 2 + 2 * $n), SW: (5 * $n), RW: ($n * ($p - 1)), CP: ($n * ($p - 1) / 2), AS: ($n * ($p - 1)), AG: (2 * $n)},
            "Neighbor box": {GR: (3 * $b * $p / 2), SR: (3 * $b * $p * $p / 2 + $b * $p), SW: (5 * $b * $p / 2), RW: ($b * $p * $p), CP: ($b * $p * $p / 2), AS: ($b * $p * $p), AG: ($b * $p)},
            "Return d_acc": {RR: (2 * $n), AG: (2 * $n)}} end) as $counts
        | range(1; $rounds + 1) as $round | ($seconds * (1 + 0.001 * ($round - 2))) as $s
        | {record: "cell", id: $id, round: $round, experiment: "shan/\($experiment)", variant: "shan/\($variant)", device: $device, device_name: "D",
            dataset: {name: "uniform-boxes", n: $n, level: 7, per_box: $p}, parameters: {level: 7}, outcome: "ok", started: "2026-01-02T03:04:05Z", seconds: $s,
            interval: [$s, $s], samples: {step_s: [$s, $s, $s]}, kernels: [{name: ("shan_" + ($variant | gsub("-"; "_")))}], $counts}' --args "$@"
}
mkdir -p results/m
{
    echo '{"record":"run","schema":1,"run":"r","started":"2026-01-02T03:04:05Z","machine":{"name":"m"}}'
    cells '["a1","table1","cuda:0",32,"bpb",0.002,0,3]' '["a2","table1","cuda:0",32,"bpb-n3l",0.001,0,3]' '["a3","table1","opencl:0.0",32,"bpb",0.001,7,3]' '["a4","table1","opencl:0.0",32,"bpb-n3l",0.002,0,3]' \
        '["b1","table2","cuda:0",1,"bpb",0.001,0,3]' '["c1","table2","cuda:0",1,"bpb-n3l",0.001,0,3]' '["b2","table2","cuda:0",2,"bpb",0.001,0,3]' '["c2","table2","cuda:0",2,"bpb-n3l",0.001,0,3]' \
        '["d1","table1","opencl:1.0",32,"bpb",0.002,0,2]' '["d2","table1","opencl:1.0",32,"bpb-n3l",0.001,0,3]'
} >results/m/r.jsonl
run 0 audit shan/table1 --json && cp out table1.json
check counts-agree has table1.json '[.rows[] | select(.device == "cuda:0" and .value != null)] | length > 30 and all(.agrees == 1)'
check value-at-level-7 has table1.json '[.rows[] | select(.device == "cuda:0" and .variant == "bpb" and .procedure == "Neighbor box" and .kind == "SR")][0] | .value == 397946880 and .counted == 397946880 and .level == 7 and .per_box == 32'
check atomics-read-and-written has table1.json '[.rows[] | select(.device == "cuda:0" and .variant == "bpb-n3l" and .procedure == "Neighbor box")] | (.[] | select(.kind == "SR") | .counted_read_write - .counted == 132648960) and (.[] | select(.kind == "SW") | .atomic == 132648960 and .counted_read_write == .counted)'
check a-wrong-count-is-named has table1.json '[.rows[] | select(.device == "opencl:0.0" and .agrees == 0)] | map(.procedure + .kind) == ["Neighbor boxSW", "totalSW"]'
check a-wrong-count-is-a-finding has table1.json "$(finding 'counts of bpb on m, opencl:0.0' 0 '11 of 12')"
check indices-stand-beside has table1.json '[.rows[] | select(.device == "cuda:0" and .variant == "bpb" and .indices != null) | [.procedure, .kind, .indices]] == [["Father box", "GR", 1000], ["Neighbor box", "GR", 234], ["total", "GR", 1234]]'
check changes holds '[.changes[] | select(.item == "shared memory") | [.per_box, .printed, .derived, .counted, .counted_read_write, .agrees]] == [[1, -129540, 65536, 65536, 195076, 1], [2, -550928, -14852, -14852, 536076, 1]]' audit shan/table2 --json

mkdir -p own/m
jq -c 'if .round != 1 then . elif .id == "a1" then .counters = [{source: "cupti", groups: ["shared"], values: {shared_loads: 5e6, shared_stores: 40, shared_atomics: 2}, raw: {}}] elif .id == "a2" then .counters = [{source: "cupti", groups: ["shared"], reason: "the driver refuses; run as root"}] else . end' results/m/r.jsonl >own/m/r.jsonl
check hardware-of-the-run holds '[.rows[] | select(.hardware != null) | [.variant, .procedure, .kind, .hardware]] == [["bpb", "total", "SR", 5000000], ["bpb", "total", "SW", 42]]' audit shan/table1 -r own --json
check hardware-refused shows 'the driver refuses; run as root' audit shan/table1 -r own

run 0 audit --situation shan/bpb shan/bpb-n3l --json && cp out there.json
run 0 audit --situation shan/bpb-n3l shan/bpb --json && cp out back.json
situation() { has "$1" "[.rows[] | select(.device == \"$2\" and .per_box == $3)] | length == 1 and (.[0] | $4)"; }
check situation-2 situation there.json cuda:0 32 '.situation == "2" and .predicts == "better" and .measured == "faster" and .ratio == 2 and .agrees == 1'
check situation-4-is-its-reverse situation back.json cuda:0 32 '.situation == "4" and .predicts == "worse" and .certain == 0 and .measured == "slower" and .ratio == 0.5 and .agrees == 1'
check prediction-that-fails situation there.json opencl:0.0 32 '.situation == "2" and .measured == "slower" and .agrees == 0'
check no-difference situation there.json cuda:0 1 '.measured == "same" and .agrees == null and .shared_situation == "1" and .otherwise != "the same"'
check two-processes-decide-nothing situation there.json opencl:1.0 32 '.measured == "unclear" and .ratio > 1.9 and .agrees == null'
check what-would-decide shows '1 unclear: fewer than three processes on a side; `orrery run shan/table1 --preset quick --device opencl:1.0 --repeats 3`' audit --situation shan/bpb shan/bpb-n3l
# With few rates known no part of the device is said to decide.
mkdir -p priced/m
{ head -1 results/m/r.jsonl && echo '{"record":"access_ceilings","device":"cuda:0","device_name":"D","round":1,"rates":[{"kind":"add","degree":1,"unit":"operation","rate":1e13},{"kind":"2d-both","degree":1,"unit":"pair","rate":1e12}]}' &&
    tail -n +2 results/m/r.jsonl; } >priced/m/r.jsonl
check nothing-decides-without-rates holds '.rows[] | select(.device == "cuda:0" and .per_box == 32) | .decides | contains("not known, no rate of")' audit --situation shan/bpb-n3l shan/bpb --json -r priced
check a-paper-begins-with-its-findings holds '.[1] | .experiment == "shan" and ([.findings[] | select(.derived | startswith("not atomic at one address"))] | length == 1)
    and ([.findings[] | select(.item | startswith("counts of bpb on m"))] | length > 1) and (.findings | length == (unique | length))' audit shan --json

# --- baselines, measured: one core, four floats, and the same from wider vectors alone ---
measured_baselines() {
    local vectors
    for vectors in baseline avx2; do # what the serial program takes over them
        run 0 run fujiwara/baselines --set n=2000 --set simd=$vectors --device host --no-energy --counters none --repeats 1 --time-limit 0.1 -o $vectors || return 1
    done
    holds '.rows[] | select(.n == 100000) | .width == 4 and .gain > 1 and .gain_low < .gain and .gain < .gain_high and (.remaining * .gain - .speedup | fabs) < 1e-6 and .tuned_low < .tuned' audit fujiwara/baselines --json -r baseline &&
        holds '.rows[] | select(.n == 100000) | .width == 8 and .gain_high / .gain_low > 2' audit fujiwara/baselines --json -r avx2
}
grep -q avx2 /proc/cpuinfo && check baselines-of-one-core measured_baselines

# --- a real run: the kernels count what the paper says they do ---
if "$orrery" list devices --json | jq -e 'any(.[]; .id | startswith("opencl"))' >/dev/null 2>&1; then
    real_counts() {
        run 0 run shan/table1 shan/table2 --preset smoke --only 'shan/bpb*' --set level=1 --set per_box=1,3 -o real --machine real &&
            holds '[.rows[] | select(.value != null)] | length > 50 and all(.agrees == 1)' audit shan/table1 -r real --json && holds '.changes | length > 7 and all(.agrees == 1)' audit shan/table2 -r real --json
    }
    check real-counts real_counts
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
