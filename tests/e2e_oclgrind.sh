#!/bin/bash
# Every device variant on the OpenCL simulator oclgrind: data races, out-of-bounds accesses, uninitialised reads.
# Sizes are small and no multiple of any block, with as many groups and shares as the parameters give.
set -u
orrery=$(realpath "$BUILD")/orrery
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
memory=
unoptimised="--build-options -cl-opt-disable"
command -v oclgrind >/dev/null || { echo "skipped: oclgrind is not installed"; exit 0; }
input=$scratch/in.csv uninitialized=--uninitialized
check() { # name, variant, options...
    local name=$1 variant=$2
    shift 2
    # Unoptimised, because a vector built element by element reads as uninitialised after LLVM has merged the stores.
    timeout 250 oclgrind $memory --data-races $uninitialized $unoptimised --log "$scratch/log" "$orrery" eval "$variant" --input "$input" \
        --output "$scratch/out.csv" --device opencl:0.0 "$@" >"$scratch/out" 2>&1
    local status=$?
    if [ $status -eq 0 ] && ! grep -qiE 'race|invalid|uninitialized' "$scratch/log"; then
        echo "ok oclgrind $name"
    else
        echo "not ok oclgrind $name (exit $status)"
        head -20 "$scratch/log" "$scratch/out"
        failed=1
    fi
    rm -f "$scratch/log"
}
export ORRERY_CACHE=$scratch/cache
# Zones would hide what reaches beyond a buffer, and oclgrind takes what was uploaded to a part of a buffer for uninitialised.
export ORRERY_GUARDS=off
# oclgrind is preloaded: in a build with the address sanitizer it comes before the sanitizer's library, and may.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
"$orrery" dataset make random-3d --n 77 --seed 5 -o "$scratch/in.csv" >"$scratch/out" 2>&1 ||
    { cat "$scratch/out"; echo "not ok oclgrind input"; exit 1; }
for variant in no-unrolling simple-unrolling double-unrolling optimised; do
    check "fujiwara/$variant" "fujiwara/$variant" --set block=8 --set integrate=device
done
check "fujiwara/optimised with shares and staged tiles" fujiwara/optimised --set split=3 --set block=16 --set tile=16 --set bodies=2
check "fujiwara/optimised with slices of a group" fujiwara/optimised --set block=16 --set tile=16 --set bodies=2 --set slices=4
check "fujiwara/double-unrolling, leap-frog" fujiwara/double-unrolling --set block=8 --set steps=2 --set dt=0.01 --set integrate=device
unoptimised= kept=$uninitialized uninitialized= # oclgrind crashes over this kernel unoptimised
check "fujiwara/third-law in local memory" fujiwara/third-law --set third_law=yes --set vector=1 --set warps=1 --set bodies=1
check "fujiwara/third-law in vectors" fujiwara/third-law --set third_law=yes --set vector=4 --set warps=3 --set bodies=1 --set tile=4
check "gaburov/direct-fp64, leap-frog" gaburov/direct-fp64 --set eps=0 --set block=8 --set bodies=1 --set steps=1 --set dt=0.001
unoptimised="--build-options -cl-opt-disable" uninitialized=$kept

# Empty boxes, one of 20 bodies, which blocks of 8 work off in chunks; in bpb-n3l threads and groups meet on purpose.
input=$scratch/boxes.csv
awk 'BEGIN { srand(7); print "x,y,mass"; for (i = 0; i < 44; i++) printf "%.6f,%.6f,%.3f\n", rand() * (i < 20 ? 0.24 : 1), rand() * (i < 20 ? 0.24 : 1), 0.5 + rand() }' >"$input"
for variant in bpt ppt; do
    check "shan/$variant" "shan/$variant" --set level=2 --set eps=0.01 --set group=8
done
for variant in bpb bpb-tuned; do
    check "shan/$variant" "shan/$variant" --set level=2 --set eps=0.01 --set block=0
    check "shan/$variant in chunks" "shan/$variant" --set level=2 --set eps=0.01 --set block=8
done
uninitialized= # the host sends bodies to a part of a buffer; and oclgrind takes what a fill command wrote for uninitialised when a kernel reads it
input=$scratch/in.csv
check "fujiwara/double-unrolling, the host integrates" fujiwara/double-unrolling --set block=8 --set steps=2 --set dt=0.01
input=$scratch/boxes.csv
check "shan/bpb-n3l" shan/bpb-n3l --set level=2 --set eps=0.01 --set block=0
check "shan/bpb-n3l in chunks, all threads at one address" shan/bpb-n3l --set level=1 --set eps=0.01 --set block=8
check "shan/bpb-n3l staggered" shan/bpb-n3l --set level=2 --set eps=0.01 --set block=8 --set order=staggered
check "shan/bpb-n3l in fixed point" shan/bpb-n3l --set level=2 --set eps=0.01 --set block=8 --set atomic=fixed
check "shan/bpb-n3l-free, going round in local memory" shan/bpb-n3l-free --set level=2 --set eps=0.01 --set lanes=8 --set bodies=1
check "shan/bpb-n3l-free in vectors" shan/bpb-n3l-free --set level=2 --set eps=0.01 --set vector=4 --set bodies=2

# Tree codes, judged by a bound of their own: a simulator is too slow for the bodies that eval compares beside, with groups that meet in the tree. Atomics read what only atomics wrote: the same false alarm.
judged="--bound 1,1,1"
tiny="--set theta=0 --set eps=0.01 --set block_setup=8 --set block_root=8 --set block_build=8 --set block_summarize=8 --set block_sort=8 --set block_forces=8"
check "feng/barnes-hut" feng/barnes-hut $tiny
check "feng/barnes-hut in many launches, growing" feng/barnes-hut $tiny --set throttle=none --set rounds=1 --set pool=3
check "feng/barnes-hut unsorted, leap-frog" feng/barnes-hut $tiny --set throttle=backoff --set sort=off --set integrator=leapfrog --set steps=2 --set dt=0.001
check "feng/barnes-hut-modern" feng/barnes-hut-modern --set theta=0 --set eps=0.01 --set leaf=3 --set levels=4
memory="--local-mem-size 65536" # of a GPU: one group has the whole tree in it
check "feng/barnes-hut-modern by two teams of two parts, its tree by one group, x + v dt" feng/barnes-hut-modern --set theta=0 --set eps=0.01 --set leaf=1 --set levels=4 --set build=group --set block=16 --set lanes=8 --set warps=2 --set bodies=1 --set steps=1 --set dt=0.001
memory=
check "feng/exact" feng/exact --set theta=0 --set eps=0.01 --set block=8 --set bodies=2
check "feng/exact in double precision" feng/exact --set theta=0 --set eps=0.01 --set block=8 --set precision=double
check "gaburov/direct in several launches of shares" gaburov/direct --set eps=0.01 --set block=8 --set bodies=2 --set sources=40
check "gaburov/octgrav-modern" gaburov/octgrav-modern --set theta=0 --set eps=0.01 --set nleaf=3 --set levels=4
check "gaburov/octgrav-modern by two teams of two parts, fields, leap-frog" gaburov/octgrav-modern --set theta=0.8 $judged --set eps=0.001 --set nleaf=1 --set levels=4 --set block=8 --set lanes=4 --set warps=2 --set ngroup=8 --set expand=100 --set steps=1 --set dt=0.001
two="--set eps=0.01 --set nleaf=3 --set ngroup=10 --set block=12 --set walk_block=8"
check "gaburov/octgrav" gaburov/octgrav $two --set theta=0.4 $judged --set bodies=1
check "gaburov/octgrav in chunks, scanned on the device" gaburov/octgrav $two --set theta=0.4 $judged --set list_mb=0.0004 --set scan=device --set opening=minimum-distance
check "gaburov/octgrav with shared work, leap-frog" gaburov/octgrav $two --set theta=0.4 $judged --set share=on --set bodies=2 --set steps=1 --set dt=0.001
check "gaburov/octgrav in one walk" gaburov/octgrav $two --set theta=0.2 --set walk=one --set share=on --set multipole=monopole
check "gaburov/octgrav in one walk of a body a thread" gaburov/octgrav $two --set theta=0.4 $judged --set walk=one --set bodies=1 --set opening=improved
exit $failed
