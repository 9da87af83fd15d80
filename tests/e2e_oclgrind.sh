#!/bin/bash
# SPDX-License-Identifier: MIT
# Kernels on the OpenCL simulator oclgrind: data races, out-of-bounds accesses, uninitialised reads.
# Sizes are small and no multiple of any block, with as many groups and shares as the parameters give.
. "$(dirname "$0")/lib_e2e.sh"
command -v oclgrind >/dev/null || { echo "skipped: oclgrind is not installed"; exit 0; }
export ORRERY_CACHE=$work/cache
# Zones would hide what reaches beyond a buffer, and oclgrind takes what was uploaded to a part of a buffer for uninitialised.
export ORRERY_GUARDS=off
# oclgrind is preloaded: in a build with the address sanitizer it comes before the sanitizer's library, and may.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
check "a cloud of bodies" run 0 dataset make random-3d --n 43 --seed 5 -o "$work/cloud.csv"
# Empty boxes, one of 20 bodies, which blocks of 8 work off in chunks.
awk 'BEGIN { srand(7); print "x,y,mass"; for (i = 0; i < 44; i++) printf "%.6f,%.6f,%.3f\n", rand() * (i < 20 ? 0.24 : 1), rand() * (i < 20 ? 0.24 : 1), 0.5 + rand() }' >"$work/boxes.csv"

# What the next ones run with. Unoptimised, because a vector built element by element reads as uninitialised after LLVM has merged the stores.
input='' simulator=() build=()
unoptimised=(--build-options -cl-opt-disable)
clean() { # VARIANT OPTIONS...
    rm -f "$work/log"
    timeout "$(patience 250)" oclgrind --data-races "${simulator[@]}" "${build[@]}" --log "$work/log" "$orrery" eval "$1" --input "$work/$input.csv" \
        --output "$work/out.csv" --device opencl:0.0 --once "${@:2}" || return 1
    ! grep -iE 'race|invalid|uninitialized' "$work/log"
}
# Lines of options, each a check named after them.
all_clean() {
    local words
    while read -ra words; do check "${words[*]}" clean "${words[@]}"; done < <(sed 's/ \([a-z_]*=\)/ --set \1/g')
}

input=cloud build=("${unoptimised[@]}") simulator=(--uninitialized)
all_clean <<'END'
fujiwara/no-unrolling block=8 integrate=device
fujiwara/simple-unrolling block=8 integrate=device
fujiwara/double-unrolling block=8 integrate=device
fujiwara/optimised block=8 integrate=device
fujiwara/optimised split=3 block=16 tile=16 bodies=2
fujiwara/optimised block=16 tile=16 bodies=2 slices=4
fujiwara/double-unrolling block=8 steps=2 dt=0.01 integrate=device
END
build=() simulator=() # oclgrind crashes over these kernels unoptimised
all_clean <<'END'
fujiwara/optimised positions=pairs integrate=device block=16 tile=16 bodies=2
fujiwara/double-unrolling positions=pairs block=8
fujiwara/third-law positions=pairs third_law=yes vector=1 warps=1 bodies=1
gaburov/direct positions=pairs block=8 bodies=2
fujiwara/third-law third_law=yes vector=1 warps=1 bodies=1
fujiwara/third-law third_law=yes vector=4 warps=3 bodies=1 tile=4
gaburov/direct-fp64 eps=0 block=8 bodies=1 steps=1 dt=0.001
END
input=boxes build=("${unoptimised[@]}") simulator=(--uninitialized)
all_clean <<'END'
shan/bpt level=2 eps=0.01 group=8
shan/ppt level=2 eps=0.01 group=8
shan/bpb level=2 eps=0.01 block=0
shan/bpb level=2 eps=0.01 block=8
shan/bpb-tuned level=2 eps=0.01 block=0
shan/bpb-tuned level=2 eps=0.01 block=8
END
# From here on the host sends bodies to a part of a buffer, buffers are filled, and atomics read what only atomics wrote: what oclgrind
# takes for uninitialised.
input=cloud simulator=()
all_clean <<'END'
fujiwara/double-unrolling block=8 steps=2 dt=0.01
END
# In bpb-n3l threads and groups meet on purpose; level=1 has all threads at one address. Trees by one group, in many launches, by teams of
# parts. Where a bound is given, a simulator is too slow for the bodies that eval compares beside.
input=boxes
all_clean <<'END'
shan/bpb-n3l level=2 eps=0.01 block=0
shan/bpb-n3l level=1 eps=0.01 block=8
shan/bpb-n3l level=2 eps=0.01 block=8 order=staggered
shan/bpb-n3l level=2 eps=0.01 block=8 atomic=fixed
shan/bpb-n3l-free level=2 eps=0.01 lanes=8 bodies=1
shan/bpb-n3l-free level=2 eps=0.01 vector=4 bodies=2
feng/barnes-hut theta=0 eps=0.01 block_setup=8 block_root=8 block_build=8 block_summarize=8 block_sort=8 block_forces=8 throttle=none rounds=1 pool=3
feng/barnes-hut theta=0 eps=0.01 block_setup=8 block_root=8 block_build=8 block_summarize=8 block_sort=8 block_forces=8
feng/barnes-hut theta=0 eps=0.01 block_setup=8 block_root=8 block_build=8 block_summarize=8 block_sort=8 block_forces=8 throttle=backoff sort=off integrator=leapfrog steps=2 dt=0.001
feng/barnes-hut-modern theta=0 eps=0.01 leaf=3 levels=4
feng/exact theta=0 eps=0.01 block=8 bodies=2
feng/exact theta=0 eps=0.01 block=8 precision=double
gaburov/direct eps=0.01 block=8 bodies=2 sources=40
gaburov/octgrav-modern theta=0 eps=0.01 nleaf=3 levels=4
gaburov/octgrav-modern theta=0.8 eps=0.001 nleaf=1 levels=4 block=8 lanes=4 warps=2 ngroup=8 expand=100 steps=1 dt=0.001 --bound 1,1,1
gaburov/octgrav theta=0.4 eps=0.01 nleaf=3 ngroup=10 block=12 walk_block=8 bodies=1 --bound 1,1,1
gaburov/octgrav theta=0.4 eps=0.01 nleaf=3 ngroup=10 block=12 walk_block=8 list_mb=0.0004 scan=device opening=minimum-distance --bound 1,1,1
gaburov/octgrav theta=0.4 eps=0.01 nleaf=3 ngroup=10 block=12 walk_block=8 share=on bodies=2 steps=1 dt=0.001 --bound 1,1,1
gaburov/octgrav theta=0.2 eps=0.01 nleaf=3 ngroup=10 block=12 walk_block=8 walk=one share=on multipole=monopole --bound 1,1,1
gaburov/octgrav theta=0.4 eps=0.01 nleaf=3 ngroup=10 block=12 walk_block=8 walk=one bodies=1 opening=improved --bound 1,1,1
END
simulator=(--local-mem-size 65536) # of a GPU: one group has the whole tree in it
all_clean <<'END'
feng/barnes-hut-modern theta=0 eps=0.01 leaf=1 levels=4 build=group block=16 lanes=8 warps=2 bodies=1 steps=1 dt=0.001
END
