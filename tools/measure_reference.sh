#!/bin/bash
# Measures the reference results of a machine with one GPU: every claim and every figure that README and docs/RESULTS.md quote,
# three processes a cell unless a cell counts, compares errors or takes many seconds.
# usage: tools/measure_reference.sh FOLDER [PART...]      ORRERY=orrery  DEVICE=cuda:0  LIMIT=SECONDS (starts no run after them)
# Parts are independent and the cheap ones that decide most come first; without PART all of them.
set -uo pipefail
folder=${1:?usage: tools/measure_reference.sh FOLDER [PART...]}
shift
orrery=${ORRERY:-orrery} device=${DEVICE:-cuda:0}
plain=(--preset paper --no-energy --counters none)
rounds=("${plain[@]}" --device "$device" --repeats 3 --min-samples 1 --time-limit 0.06)
once=("${plain[@]}" --device "$device" --repeats 1 --min-samples 1 --time-limit 0.06)
host=("${plain[@]}" --device host --repeats 3 --min-samples 1 --time-limit 0.06)

run() { # ARGUMENTS of `orrery run`: its last lines and the time it took
    [ -z "${LIMIT:-}" ] || [ $SECONDS -lt "$LIMIT" ] || { echo "left out after $SECONDS s: orrery run $*"; return 0; }
    local start=$SECONDS
    "$orrery" run "$@" -o "$folder" >"$log" 2>&1
    echo "$? after $((SECONDS - start)) s: orrery run $*"
    grep -E '^[0-9]+ (ok|cells)| wrong|failed' "$log" | tail -3
}

near_field() { # Shan & Lei: times by the boxes' number of bodies, counts, updates
    run shan/table3 --only 'shan/bp*' --only shan/ppt --set block=512 "${rounds[@]}"
    run shan/table3 --only shan/bpb --only shan/bpb-n3l --only shan/bpb-tuned --set block=0 --set per_box=8,32,128 "${rounds[@]}"
    run shan/table1 --only 'shan/bp[bt]' --only shan/bpb-n3l --only shan/ppt "${rounds[@]}"
    run shan/atomics --only shan/bpb-n3l --set atomic=cas "${rounds[@]}"
    run shan/table2 "${once[@]}"
}
updates() { # what an update may cost, with races
    run shan/updates --set per_box=8,64,512 "${once[@]}"
    run shan/updates --set per_box=32,128 --set block=0 "${once[@]}"
}
unrolled() { # Fujiwara & Nakasato
    run fujiwara/table2 --exclude '*cpu-*' "${rounds[@]}"
    run fujiwara/fig13 --exclude '*cpu-*' --set n=2000:16000:*2 "${rounds[@]}"
    run fujiwara/fig14 --exclude '*cpu-*' --set n=1000,4000,16384,65536,200000,226304,262144,1000000 "${rounds[@]}"
    run fujiwara/large --set n=100000,500000,1000000 "${rounds[@]}"
    run fujiwara/unroll-sweep --set n=100000 --set unroll_i,unroll_j=2:4,4:2,4:4,4:8,8:4 "${rounds[@]}"
    run fujiwara/cache --set n=100000 --set bodies=1,2,4,8 "${rounds[@]}"
    run fujiwara/table3 --only 'fujiwara/[sd]*-unrolling' --set integrate=host "${rounds[@]}"
    run fujiwara/fig13 --only 'fujiwara/*-unrolling' --set n=100000 "${rounds[@]}"
    run fujiwara/resources --exclude '*cpu-*' "${once[@]}"
    run fujiwara/snapshots --set steps=100 "${once[@]}"
}
plane() { # Feng & Romero
    run feng/fig6 --only 'feng/barnes-hut*' "${rounds[@]}"
    run feng/fig11 --only 'feng/barnes-hut' "${rounds[@]}"
    run feng/fig12 --only feng/barnes-hut --set n=500,1000000 "${rounds[@]}"
    run feng/fig13 --only 'feng/barnes-hut*' "${rounds[@]}"
    run feng/throttle --only feng/barnes-hut --set throttle=barrier,spin --timeout 20 "${rounds[@]}"
    run feng/fig14 feng/fig15 feng/fig16 feng/fig17 --only feng/barnes-hut --only feng/exact "${once[@]}"
}
octree() { # Gaburov, Bedorf & Portegies Zwart
    run gaburov/headline --only gaburov/octgrav --only gaburov/octgrav-modern --only gaburov/direct "${rounds[@]}"
    run gaburov/equal-error --only gaburov/octgrav-modern --set n=100000,1000000 "${rounds[@]}"
    run gaburov/nleaf-ngroup --set nleaf,ngroup=64:64,8:64,16:64,32:64,128:64,64:8,64:16,64:32,64:128 "${rounds[@]}"
    run gaburov/fig3.7 --only gaburov/octgrav --set n=10000,30000,100000,300000,1000000,3000000 "${once[@]}"
    run gaburov/nleaf8 --set nleaf=8 --set n=10000,100000,1000000 "${once[@]}"
    run gaburov/merger --only gaburov/octgrav --set n=800000 "${once[@]}"
}
ceilings() { run ceilings --device "$device"; }
counted() { # counters of one step, and counts of loads, walks and visits
    local counters=(--preset paper --device "$device" --repeats 1 --no-energy --min-samples 3 --time-limit 0.05)
    run fujiwara/fig14 --only '*optimised*' --only '*third-law*' --only '*matrix*' --set n=262144 --counters auto "${counters[@]}"
    run shan/table3 --only shan/bpb --only shan/bpb-n3l-free --set per_box=8,512 --set block=0 --counters auto "${counters[@]}"
    run gaburov/equal-error --only '*octgrav-modern*' --set walk=one --set n=100000 --set theta=0.5 --counters auto "${counters[@]}"
    run feng/fig13 --only 'feng/barnes-hut*' --set theta=0.5 --counters auto "${counters[@]}"
    run fujiwara/loads --set n=8192 "${once[@]}"
    run gaburov/walks --set n=300000 "${once[@]}"
    run feng/visits --set n=100000 --set throttle=barrier "${once[@]}"
}
one_core() { # single threads beside the GPU's cells
    run shan/table3 --only shan/serial "${host[@]}"
    run feng/fig6 --only feng/cpu-naive "${host[@]}"
    run gaburov/headline --only 'gaburov/cpu-tree*' --set threads=1 "${host[@]}"
    run fujiwara/table2 --only fujiwara/cpu-only --set dataset=figure-eight-3 "${host[@]}"
}
all_cores() { # alone on the machine
    run gaburov/headline --only gaburov/cpu-tree-simd --set threads=0 --set n=1000000 "${host[@]}"
    run shan/table3 --only shan/cpu-simd "${host[@]}"
    run feng/fig6 --only feng/cpu-tuned "${host[@]}"
    run fujiwara/table2 --only fujiwara/cpu-simd "${host[@]}"
}

mkdir -p "$folder"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for part in ${*:-one_core near_field plane octree unrolled ceilings counted updates all_cores}; do
    case $part in
    one_core) (log=$(mktemp); one_core; rm -f "$log") & ;; # a core of its own
    all_cores) wait; all_cores ;;
    *) "$part" ;;
    esac
done
wait
