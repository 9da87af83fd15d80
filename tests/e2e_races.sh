#!/bin/bash
# SPDX-License-Identifier: MIT
# Races between the work-items of a group by the thread sanitizer, where oclgrind is not to be had, and that planted ones are found:
# a kernel without one of its barriers. On a card the same by compute-sanitizer:
#   compute-sanitizer --tool racecheck --error-exitcode 9 build/orrery eval shan/bpb --device cuda:0 --input bodies.csv --output out.csv
set -u
root=$(realpath "$(dirname "$0")/..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
compiler=$(command -v "${CXX:-g++}") || { echo "skipped: races: no C++ compiler"; exit 0; }
echo 'int main() {}' >"$scratch/none.cc"
"$compiler" -fsanitize=thread -o "$scratch/none" "$scratch/none.cc" 2>/dev/null && "$scratch/none" ||
    { echo "skipped: races: the thread sanitizer does not work here"; exit 0; }

try() { # name, file, barrier to leave out (0: none), options...
    local name=$1 file=$2 without=$3 status
    shift 3
    awk -v without="$without" '/barrier\(/ && ++n == without { sub(/barrier\([A-Z_ |]*\)/, "(void)0") } 1' "$root/kernels/$file" >"$scratch/$file"
    "$compiler" -std=c++14 -g -O1 -w -fsanitize=thread -I"$scratch" -I"$root/kernels" "-DSOURCE=\"$scratch/$file\"" "$@" -o "$scratch/run" \
        "$root/tests/kernel_races.cc" -lpthread 2>"$scratch/log" || { head -5 "$scratch/log"; echo "not ok races $name: does not compile"; failed=1; return; }
    TSAN_OPTIONS=exitcode=66 timeout 120 "$scratch/run" >"$scratch/log" 2>&1
    status=$?
    if [ $status -eq $((without ? 66 : 0)) ]; then
        echo "ok races $name"
    else
        echo "not ok races $name (exit $status)"
        head -30 "$scratch/log"
        failed=1
    fi
}
try "direct" direct.cl 0 -DTRY_DIRECT -DBLOCK=8 -DTILE=8 -DBODIES=1
for barrier in 1 2; do
    try "direct without barrier $barrier is caught" direct.cl $barrier -DTRY_DIRECT -DBLOCK=8 -DTILE=8 -DBODIES=1
done
try "shan/bpb" shan_bpb.cl 0 -DBLOCK=8
for barrier in 1 2; do
    try "shan/bpb without barrier $barrier is caught" shan_bpb.cl $barrier -DBLOCK=8
done
exit $failed
