#!/bin/bash
# SPDX-License-Identifier: MIT
# Direct sums and near fields under oclgrind.
. "$(dirname "$0")/lib_oclgrind.sh"
for variant in no-unrolling simple-unrolling double-unrolling optimised; do
    check "fujiwara/$variant" "fujiwara/$variant" --set block=8 --set integrate=device
done
check "fujiwara/optimised with shares and staged tiles" fujiwara/optimised --set split=3 --set block=16 --set tile=16 --set bodies=2
check "fujiwara/optimised with slices of a group" fujiwara/optimised --set block=16 --set tile=16 --set bodies=2 --set slices=4
check "fujiwara/double-unrolling, leap-frog" fujiwara/double-unrolling --set block=8 --set steps=2 --set dt=0.01 --set integrate=device
unoptimised= kept=$uninitialized uninitialized= # oclgrind crashes over these kernels unoptimised
check "fujiwara/optimised, pairs of floats" fujiwara/optimised --set positions=pairs --set integrate=device --set block=16 --set tile=16 --set bodies=2
check "fujiwara/double-unrolling, pairs of floats" fujiwara/double-unrolling --set positions=pairs --set block=8
check "fujiwara/third-law, pairs of floats" fujiwara/third-law --set positions=pairs --set third_law=yes --set vector=1 --set warps=1 --set bodies=1
check "gaburov/direct, pairs of floats" gaburov/direct --set positions=pairs --set block=8 --set bodies=2
check "fujiwara/third-law in local memory" fujiwara/third-law --set third_law=yes --set vector=1 --set warps=1 --set bodies=1
check "fujiwara/third-law in vectors" fujiwara/third-law --set third_law=yes --set vector=4 --set warps=3 --set bodies=1 --set tile=4
check "gaburov/direct-fp64, leap-frog" gaburov/direct-fp64 --set eps=0 --set block=8 --set bodies=1 --set steps=1 --set dt=0.001
unoptimised="--build-options -cl-opt-disable" uninitialized=$kept

# In bpb-n3l threads and groups meet on purpose.
input=$scratch/boxes.csv
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
exit $failed
