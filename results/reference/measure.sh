#!/bin/bash
# SPDX-License-Identifier: MIT
# Measures the reference results of a machine with one GPU: every claim and every figure that README and docs/RESULTS.md quote,
# three processes a cell unless a cell counts, compares errors or takes many seconds. 30 minutes on an H200, and some 10 more for cells measured twice and ten million bodies.
# usage: results/reference/measure.sh FOLDER [NAME...]      ORRERY=orrery  DEVICE=cuda:0  OPENCL=opencl:0.0, the same card; empty: none
#        LIMIT=SECONDS (starts no run after them)
#        CARDS=4: how many equal cards share a step in several/*, from $DEVICE on; twelve minutes with four H100s. Alone: measure.sh FOLDER 'several/*'
# NAME: patterns of the names below, near/* say; without any all runs.
set -uo pipefail
folder=${1:?usage: results/reference/measure.sh FOLDER [NAME...]}
shift
names=("${@:-*}")
orrery=${ORRERY:-orrery} device=${DEVICE:-cuda:0} opencl=${OPENCL-opencl:0.0} verb=run
plain=(--preset paper --no-energy --counters none)
rounds=("${plain[@]}" --device "$device" --repeats 3 --min-samples 1 --time-limit 0.06)
once=("${plain[@]}" --device "$device" --repeats 1 --min-samples 1 --time-limit 0.06)
host=("${plain[@]}" --device host --repeats 3 --min-samples 1 --time-limit 0.06)
# Cells that count in their kernels: in the first of their processes the card's counters count one step more.
counting_once=(--preset paper --no-energy --device "$device" --repeats 1 --min-samples 1 --time-limit 0.06 --counters auto)
counting=(--preset paper --no-energy --device "$device" --repeats 3 --min-samples 1 --time-limit 0.06 --counters auto)
counters=(--preset paper --device "$device" --repeats 1 --no-energy --min-samples 3 --time-limit 0.05 --counters auto)
cards=${CARDS:-1}
joules=(--preset paper --device "$device" --repeats 1 --energy --min-samples 3 --time-limit 0.05 --counters none)

run() { # NAME ARGUMENTS of `orrery $verb`: how it ended and the time it took
    local name=$1 start=$SECONDS wanted=no pattern log
    shift
    # shellcheck disable=SC2053
    for pattern in "${names[@]}"; do [[ $name == $pattern ]] && wanted=yes; done
    [ $wanted = yes ] || return 0
    [ -z "${LIMIT:-}" ] || [ $SECONDS -lt "$LIMIT" ] || { echo "$name: left out after $SECONDS s"; return 0; }
    log=$(mktemp)
    # shellcheck disable=SC2086
    "$orrery" $verb "$@" -o "$folder" >"$log" 2>&1
    echo "$name: $? after $((SECONDS - start)) s: $(grep -vE '^$' "$log" | tail -1)"
    rm -f "$log"
}

one_core() { # single threads; half a minute a step of 100000 bodies
    run core/table2 fujiwara/table2 --only fujiwara/cpu-only "${host[@]/#3/1}"
    run core/table3 shan/table3 --only shan/serial "${host[@]}"
    run core/fig6 feng/fig6 --only feng/cpu-naive "${host[@]}"
    run core/headline gaburov/headline --only 'gaburov/cpu-tree*' --set threads=1 "${host[@]}"
    run core/baselines fujiwara/baselines shan/baselines feng/baselines gaburov/baselines "${host[@]}"
}
near() { # Shan & Lei: times over the bodies in a box, counts, what an update may cost
    run near/table3 shan/table3 --only 'shan/bp[bt]' --only 'shan/bpb-n3l*' --only shan/ppt --set block=512 "${rounds[@]}"
    run near/tuned shan/table3 --only shan/bpb-tuned --set block=0 "${rounds[@]}"
    run near/fitted shan/table3 --only shan/bpb --only shan/bpb-n3l --set block=0 --set per_box=8,32,128 "${rounds[@]}"
    run near/table1 shan/table1 --only 'shan/bp[bt]' --only shan/bpb-n3l --only shan/ppt "${counting[@]}"
    run near/atomics shan/atomics --only shan/bpb-n3l --set atomic=cas "${rounds[@]}"
    run near/table2 shan/table2 "${counting_once[@]}"
    run near/updates shan/updates --set per_box=8,64,512 "${once[@]}"
    run near/updates-fitted shan/updates --set per_box=16,32,128,256 --set block=0 "${once[@]}"
}
plane() { # Feng & Romero
    run plane/fig6 feng/fig6 --only 'feng/barnes-hut*' "${rounds[@]}"
    run plane/kernels feng/fig7 feng/fig8 feng/fig9 feng/fig10 --only feng/barnes-hut "${rounds[@]}"
    run plane/fig11 feng/fig11 --only feng/barnes-hut "${rounds[@]}"
    run plane/evaluation feng/fig11 --only feng/barnes-hut-modern --set n=1000000 --set theta=0.5 --set steps=1 "${rounds[@]}"
    run plane/fig12 feng/fig12 --only feng/barnes-hut "${rounds[@]}"
    run plane/groups feng/groups "${rounds[@]}"
    run plane/sensitivity feng/sensitivity "${once[@]}"
    run plane/fig13 feng/fig13 --only 'feng/barnes-hut*' "${rounds[@]}"
    run plane/throttle feng/throttle --only feng/barnes-hut --set throttle=barrier,spin --timeout 20 "${rounds[@]}"
    run plane/throttle-others feng/throttle --only feng/barnes-hut --set throttle=none,backoff --timeout 10 "${once[@]}"
    run plane/costs feng/fig14 feng/fig15 feng/fig16 feng/fig17 --only feng/barnes-hut --only feng/exact "${once[@]}"
    run plane/visits feng/visits --set n=100000 --set throttle=barrier "${counting_once[@]}"
}
octree() { # Gaburov, Bedorf & Portegies Zwart
    run octree/headline gaburov/headline --only gaburov/octgrav --only gaburov/octgrav-modern --only 'gaburov/direct*' "${rounds[@]}"
    run octree/many gaburov/headline --only gaburov/octgrav-modern --set n,theta=1000000:0.43,1000000:0.66,8000000:0.43 "${rounds[@]}"
    run octree/few gaburov/headline --only gaburov/octgrav-modern --set n=10000,30000 "${rounds[@]}"
    run octree/equal-error gaburov/equal-error --only gaburov/octgrav-modern --set n=10000,100000,1000000 "${rounds[@]}"
    run octree/nleaf-ngroup gaburov/nleaf-ngroup --set nleaf,ngroup=64:64,8:64,16:64,32:64,128:64,64:8,64:16,64:32,64:128 "${rounds[@]}"
    run octree/nleaf-ngroup-others gaburov/nleaf-ngroup --set nleaf=8,16,32,128 --set ngroup=8,16,32,128 "${once[@]}"
    run octree/fig3.7 gaburov/fig3.7 --only gaburov/octgrav --set n=10000,30000,100000,300000,1000000 "${once[@]}"
    run octree/direct gaburov/fig3.7 --only gaburov/direct --set theta=0.5 "${once[@]}"
    run octree/largest gaburov/fig3.7 --only gaburov/octgrav --set n=3000000 "${rounds[@]}"
    run octree/nleaf8 gaburov/nleaf8 --set nleaf=8 --set n=10000,100000,1000000 "${once[@]}"
    run octree/merger gaburov/merger --only gaburov/octgrav --set n=800000 "${once[@]}"
    run octree/walks gaburov/walks --set n=300000 "${counting_once[@]}"
}
unrolled() { # Fujiwara & Nakasato
    run unrolled/table2 fujiwara/table2 --exclude '*cpu-*' "${rounds[@]}"
    run unrolled/fig13 fujiwara/fig13 --exclude '*cpu-*' "${rounds[@]}"
    run unrolled/fig14 fujiwara/fig14 --exclude '*cpu-*' --set n=1000,4000,16384,65536,200000,226304,262144,1000000 "${rounds[@]}"
    run unrolled/large fujiwara/large --set n=100000,500000,1000000 "${rounds[@]}"
    run unrolled/sweep fujiwara/unroll-sweep --set n=100000 "${rounds[@]}"
    run unrolled/cache fujiwara/cache --set n=100000 --set bodies=1,2,4,8 "${rounds[@]}"
    run unrolled/table3 fujiwara/table3 --exclude '*cpu-*' --set integrate=host "${rounds[@]}"
    run unrolled/fig14-others fujiwara/fig14 --only fujiwara/optimised \
        --set n=2000,8000,16000,18000,32000,64000,100000,128000,256000,512000 "${rounds[@]}"
    run unrolled/resources fujiwara/resources --exclude '*cpu-*' "${once[@]}"
    run unrolled/snapshots fujiwara/snapshots --set steps=0,100,200 "${once[@]}"
    run unrolled/loads fujiwara/loads --set n=8192 "${counting_once[@]}"
}
hamada() { # Gaburov et al. against a code without quadrupoles
    run octree/hamada gaburov/fig3.7 --only gaburov/octgrav --set multipole=monopole --set n=100000,1000000 --set theta=0.3,0.5,0.7 "${once[@]}"
}
guessed() { # what the papers do not print, with other values than those that were taken (paper.yaml, guess)
    local plane=(feng/fig14 feng/fig15 feng/fig16 feng/fig17) setting
    run guessed/groups gaburov/nleaf8 --set nleaf,ngroup=8:8 --set n=10000,30000,100000,300000,1000000 "${once[@]}"
    run guessed/groups-16 gaburov/nleaf8 --set nleaf,ngroup=8:16 --set n=10000,100000,1000000 "${once[@]}"
    run guessed/order shan/table3 --only shan/bpb-n3l --set block=512 --set order=staggered "${rounds[@]}"
    run guessed/atomic shan/table3 --only shan/bpb-n3l --set block=512 --set atomic=fixed "${rounds[@]}"
    run guessed/forces shan/table3 --only shan/bpb-n3l --set block=512 --set forces=on "${rounds[@]}"
    run guessed/block shan/table3 --only shan/bpb --only shan/bpb-n3l --set block=0 --set per_box=16,64,256,512 "${rounds[@]}"
    for setting in dt=0.01 dt=0.1 eps=0.5 eps=10; do
        run "guessed/$setting" "${plane[@]}" --only feng/barnes-hut --set "$setting" "${once[@]}"
        run "guessed/$setting-exact" "${plane[@]}" --only feng/exact --set theta=0.05 --set "$setting" "${once[@]}"
    done
    run guessed/rounds feng/fig11 --only feng/barnes-hut --set rounds=16 "${rounds[@]}"
    run guessed/rounds-throttle feng/throttle --only feng/barnes-hut --set throttle=barrier --set rounds=16 "${rounds[@]}"
}
counted() { # what an access costs, counters of one step, joules
    run counted/ceilings ceilings --device "$device"
    run counted/direct fujiwara/fig14 --exclude '*cpu-*' --set n=262144 "${counters[@]}"
    run counted/near shan/table3 --only shan/bpb --only shan/bpb-n3l-free --set per_box=8,512 --set block=0 "${counters[@]}"
    run counted/octree gaburov/equal-error --only gaburov/octgrav-modern --set walk=one --set n=100000 --set theta=0.5 "${counters[@]}"
    run counted/plane feng/fig13 --only 'feng/barnes-hut*' --set theta=0.5 "${counters[@]}"
    run counted/joules fujiwara/fig14 --exclude '*cpu-*' --set n=32768 "${joules[@]}"
    run counted/joules-near shan/table3 --only shan/bpb --only shan/bpb-n3l-free --set per_box=96 --set block=0 "${joules[@]}"
    run counted/joules-octree gaburov/equal-error --only gaburov/octgrav-modern --set n=300000 --set theta=0.5 "${joules[@]}"
    run counted/joules-plane feng/fig13 --only feng/barnes-hut-modern --set theta=0.6 "${joules[@]}"
}
by_opencl() { # the same card's other interface
    local rounds=("${plain[@]}" --device "$opencl" --repeats 3 --min-samples 1 --time-limit 0.06)
    [ -n "$opencl" ] || return 0
    run opencl/direct fujiwara/fig14 --only fujiwara/optimised --only fujiwara/third-law --set n=1000,16384,65536,262144,1000000 "${rounds[@]}"
    run opencl/near shan/table3 --only shan/bpb-n3l-free --set per_box=8,64,512 "${rounds[@]}"
    run opencl/plane feng/fig6 --only feng/barnes-hut-modern --set n=1000,100000,1000000 "${rounds[@]}"
    run opencl/octree gaburov/headline --only gaburov/octgrav-modern --set n=10000,100000,1000000 --set theta=0.5 "${rounds[@]}"
}
measured_twice() { # what `orrery compare` calls a difference where there is none
    verb='compare --self'
    run twice/direct fujiwara/fig14 --only fujiwara/optimised --set n=1000:60800:+200 "${rounds[@]}"
    verb=run
}
largest() { # a tree of ten million bodies by one thread
    run octree/ten-million gaburov/fig3.7 --only gaburov/octgrav --set n=10000000 "${once[@]}"
}
all_cores() { # alone on the machine, with what the processor or its system counts of a step
    local host=(--preset paper --no-energy --counters auto --device host --repeats 3 --min-samples 1 --time-limit 0.06)
    run cores/headline gaburov/headline --only gaburov/cpu-tree-simd --set threads=0 --set n=100000,1000000 "${host[@]}"
    run cores/fig6 feng/fig6 --only feng/cpu-tuned "${host[@]}"
    run cores/table3 shan/table3 --only shan/cpu-simd "${host[@]}"
    run cores/table2 fujiwara/table2 --only fujiwara/cpu-simd "${host[@]}"
}
several() { # one, two, four... cards share a step; the most telling first, since LIMIT may cut the rest
    [ "$cards" -gt 1 ] || return 0
    # A machine of several cards has a name of its own: results of one card are of machines with one.
    local name rounds once
    name=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1 | tr -cs '[:alnum:]\n' - | tr '[:upper:]' '[:lower:]')-x$cards
    once=("${plain[@]}" --device "$device" --ranks "$cards" --machine "$name" --time-limit 0.1 --timeout 120)
    rounds=("${once[@]}" --repeats 3 --min-samples 3)
    once+=(--repeats 1 --min-samples 1)
    # A size a run: where sizes take turns, bodies are made anew each time.
    run several/tree gaburov/scaling --set n=64000000 "${rounds[@]}"
    run several/near shan/scaling --only shan/bpb --only shan/bpb-n3l-free "${rounds[@]}"
    run several/plane feng/scaling --set n=32000000 "${rounds[@]}"
    run several/direct fujiwara/scaling --set n=4000000 "${once[@]}" # eight seconds a step on one card
    run several/direct-small fujiwara/scaling --set n=1048576 "${rounds[@]}"
    run several/tree-small gaburov/scaling --set n=8000000 "${rounds[@]}"
    run several/plane-small feng/scaling --set n=10000000 "${rounds[@]}"
    run several/weak-tree gaburov/scaling-weak --set per_rank=8000000 "${rounds[@]}"
    run several/weak-near shan/scaling-weak --only shan/bpb --only shan/bpb-n3l-free "${rounds[@]}"
    run several/weak-plane feng/scaling-weak --set per_rank=10000000 "${rounds[@]}"
    run several/weak-direct fujiwara/scaling-weak "${rounds[@]}"
    run several/largest gaburov/scaling --set n=200000000 --set ranks="1,$cards" "${once[@]/#120/300}" # making 2e8 bodies takes a minute
}

mkdir -p "$folder"
# One after another: a thread of the host beside them made steps that the host takes part in up to five times as long.
near
plane
octree
hamada
unrolled
guessed
counted
by_opencl
one_core
all_cores
measured_twice
largest
several
