#!/bin/bash
# SPDX-License-Identifier: MIT
# From a clone to verdicts that match the expected ones: builds, runs a small set of claims' commands on the processor, judges.
# usage: tools/check_artifact.sh [FOLDER]      FOLDER has runs.txt and expected.json; default: tools/check_artifact
#   BUILD=DIR   where the program is built (build); NO_BUILD=1 takes what is there
# Exits with 1 where a verdict differs, and with what a run or the build fails with.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
declared=$(realpath "${1:-$here/tools/check_artifact}")
cd "$here"
build=$(realpath -m "${BUILD:-build}") status=0
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
processor=0
look_at_processor() { # seconds of a core that the children took so far
    times >"$results/times"
    processor=$(awk 'NR == 2 { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4) }' "$results/times")
}
phases=()
phase() { # NAME COMMAND...: remembers its seconds
    local name=$1 wall=$SECONDS before code=0
    shift
    look_at_processor
    before=$processor
    "$@" || code=$?
    look_at_processor
    phases+=("$(printf '%5d s, %4d s of a core: %s' $((SECONDS - wall)) $((processor - before)) "$name")")
    return $code
}

if [ -z "${NO_BUILD:-}" ]; then phase "build" env -u MAKEFLAGS -u MAKELEVEL make -s -j"$(nproc)" BUILD="$build" all; fi
# PoCL alone: with other drivers beside it its number would be another one.
for vendor in /etc/OpenCL/vendors/pocl*.icd; do [ ! -e "$vendor" ] || export OCL_ICD_VENDORS=${OCL_ICD_VENDORS:-$vendor}; done
runs=0
while read -r line; do
    case $line in "" | "#"*) [ -z "$line" ] || echo "$line"; continue ;; esac
    # Words as a shell would have them, for globs stand in quotes.
    mapfile -t words < <(xargs printf '%s\n' <<<"$line")
    runs=$((runs + 1)) code=0
    phase "orrery run $line" "$build/orrery" run "${words[@]}" --machine any -o "$results" </dev/null || code=$?
    # No verdict here is of times, and a busy machine can disturb a cell: once more, then.
    case $code in 3 | 5)
        echo "the cells that failed, once more:" >&2
        code=0
        phase "orrery run --failed" "$build/orrery" run --failed -o "$results" </dev/null || code=$?
        ;;
    esac
    case $code in
    0 | 3 | 5) ;; # the verdicts tell what is missing
    *) exit "$code" ;;
    esac
done <"$declared/runs.txt"
[ "$runs" -gt 0 ] || { echo "$declared/runs.txt names no run" >&2; exit 2; }
printf '\nVerdicts:\n'
phase "orrery claims --expect" "$build/orrery" claims -r "$results" --expect "$declared/expected.json" --listed || status=$?
printf '\n%s\n' "Time:"
printf '%s\n' "${phases[@]}"
printf 'all of it: %d min %02d s\n' $((SECONDS / 60)) $((SECONDS % 60))
case $status in
0) echo "The verdicts are the expected ones." ;;
1) echo "Verdicts differ from the expected ones; orrery describe CLAIM says what a claim's verdict rests on." >&2 ;;
esac
exit $status
