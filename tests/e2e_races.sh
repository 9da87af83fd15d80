#!/bin/bash
# SPDX-License-Identifier: MIT
# Races between the work-items of a group by the thread sanitizer, where oclgrind is not to be had, and that planted ones are found:
# a kernel without one of its barriers. On a card the same by compute-sanitizer:
#   compute-sanitizer --tool racecheck --error-exitcode 9 build/orrery eval shan/bpb --device cuda:0 --input bodies.csv --output out.csv
. "$(dirname "$0")/lib_e2e.sh"
compiler=$(command -v "${CXX:-g++}") || { echo "skipped: races: no C++ compiler"; exit 0; }
echo 'int main() {}' >"$work/none.cc"
"$compiler" -fsanitize=thread -o "$work/none" "$work/none.cc" 2>/dev/null && "$work/none" || { echo "skipped: races: the thread sanitizer does not work here"; exit 0; }

# try FILE BARRIER OPTIONS...: the kernel without that barrier (0: with all) races, and else does not.
try() {
    local file=$1 without=$2
    awk -v without="$without" '/barrier\(/ && ++n == without { sub(/barrier\([A-Z_ |]*\)/, "(void)0") } 1' "kernels/$file" >"$work/$file"
    "$compiler" -std=c++14 -g -O1 -w -fsanitize=thread -I"$work" -Ikernels "-DSOURCE=\"$work/$file\"" "${@:3}" -o "$work/run" tests/kernel_races.cc -lpthread || return
    TSAN_OPTIONS=exitcode=66 exits $((without ? 66 : 0)) "$work/run"
}
direct=(direct.cl -DTRY_DIRECT -DBLOCK=8 -DTILE=8 -DBODIES=1) bpb=(shan_bpb.cl -DBLOCK=8)
for barrier in 0 1 2; do
    check "direct but for barrier $barrier" try "${direct[0]}" $barrier "${direct[@]:1}"
    check "shan/bpb but for barrier $barrier" try "${bpb[0]}" $barrier "${bpb[@]:1}"
done
