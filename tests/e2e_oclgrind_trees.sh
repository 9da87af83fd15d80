#!/bin/bash
# SPDX-License-Identifier: MIT
# Tree codes under oclgrind.
. "$(dirname "$0")/lib_oclgrind.sh"
input=$scratch/boxes.csv uninitialized= # as for near fields: parts of buffers, fills, atomics
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
check "gaburov/octgrav in one walk" gaburov/octgrav $two --set theta=0.2 $judged --set walk=one --set share=on --set multipole=monopole
check "gaburov/octgrav in one walk of a body a thread" gaburov/octgrav $two --set theta=0.4 $judged --set walk=one --set bodies=1 --set opening=improved
exit $failed
