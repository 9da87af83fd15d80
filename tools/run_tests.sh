#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs the test programs and scripts of the build side by side and ends with one line "N passed, N failed".
# Programs are cmocka's; scripts (tests/e2e_*.sh) print "ok NAME" or "not ok NAME" a line and exit non-zero on a failure.
# usage: BUILD=build tools/run_tests.sh [PATH...]    without paths: all of them
#   ONLY="milky e2e_*run"   only tests whose name contains one of these patterns
#   TEST_JOBS=N             how many at a time; one more than there are cores by default, since some wait
#   TEST_TIMEOUT=S          seconds that one test may take; longer where more programs than cores want to run
set -u
cd "$(dirname "$0")/.." || exit
export BUILD=${BUILD:-build}
export ORRERY_CACHE=${ORRERY_CACHE:-$(realpath -m "$BUILD")/kernel-cache}
# Waiting threads sleep: where threads that spin outnumber the cores, test_shan_host took 32 s of processor time instead of 2.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
times=$BUILD/tests/seconds # of each test in the last run: "SECONDS NAME" a line

# GCC 12's leak check now and then crashes itself while it stops threads, and PoCL's compiler threads now and then leave a pass
# manager behind: neither says anything about this program. Every leak that begins in other code counts.
worth_another_look() {
    grep -q '^Tracer caught signal' "$1" && return 0
    grep -q '^Direct leak' "$1" && ! grep -A2 '^Direct leak' "$1" | grep '#1 ' | grep -qv libpocl
}

. tests/patience.sh
# one PATH FOLDER: runs a test and writes FOLDER/NAME.result, "PASSED FAILED SECONDS"; what it prints comes out in one piece.
one() {
    local test=$1 name log=$2/${1##*/}.log said=$2/${1##*/}.said start=$SECONDS status good bad
    name=${test##*/}
    for try in 1 2 3 4 5; do
        # Runs of other tests are not waited for.
        ORRERY_LOCKS=$2/$name.locks timeout "$(patience "${TEST_TIMEOUT:-300}")" "$test" >"$log" 2>&1 &
        trap 'kill $! 2>/dev/null; exit 130' INT TERM
        wait $!
        status=$?
        if [ $status -eq 0 ] || ! worth_another_look "$log"; then break; fi
        echo "$name: the leak check found nothing of ours (try $try)"
    done >"$said"
    good=$(grep -cE '^\[       OK \]|^ok ' "$log")
    bad=$(grep -E '^\[  FAILED  \] [^0-9]|^not ok ' "$log" | sort -u | wc -l) # cmocka lists its failures once more at the end
    if [ $status -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    printf '%-40s %3d ok %3d failed  %ds\n' "$name" "$good" "$bad" $((SECONDS - start)) >>"$said"
    grep -E '^(skipped|warning): ' "$log" | sort -u | sed 's/^/    /' >>"$said"
    if [ "$bad" -ne 0 ]; then { sed 's/^/    /' "$log" | tail -60; echo "    exit status $status"; } >>"$said"; fi
    echo "$good $bad $((SECONDS - start))" >"$2/$name.result"
    flock "$2" cat "$said"
}
if [ "${1:-}" = --one ]; then
    one "$3" "$2"
    exit 0
fi

wanted() { # NAME: whether ONLY, where it is set, asks for it
    local pattern
    for pattern in ${ONLY:-"*"}; do
        # shellcheck disable=SC2053 # the right side is a pattern
        if [[ $1 == *$pattern* ]]; then return 0; fi
    done
    return 1
}
# "SECONDS NAME" of the last run, or of the slowest tests where there was none.
known() {
    cat "$([ -s "$times" ] && echo "$times" || echo tests/slowest.txt)"
}
[ $# -gt 0 ] || set -- "$BUILD"/tests/test_* tests/e2e_*.sh
set -f # patterns in ONLY are not file names
mapfile -t names < <(for test in "$@"; do
    if [[ -x $test && ($test == *.sh || -f tests/${test##*/}.c) ]] && wanted "${test##*/}"; then echo "$test ${test##*/}"; fi
done | awk 'NR == FNR { seconds[$2] = $1; next } { print ($2 in seconds ? seconds[$2] : 3), $1 }' <(known) - |
    sort -rn -s -k1,1 | cut -d' ' -f2) # longest first
if [ ${#names[@]} -eq 0 ]; then
    echo "no test is called *${ONLY:-}*" >&2
    exit 2
fi

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
printf '%s\n' "${names[@]}" | xargs -P "${TEST_JOBS:-$(($(nproc) + 1))}" -I{} tools/run_tests.sh --one "$results" {}

passed=0 failed=0
for test in "${names[@]}"; do
    name=${test##*/}
    read -r good bad seconds <"$results/$name.result" || { good=0 bad=1; echo "$name: no result"; }
    passed=$((passed + good)) failed=$((failed + bad))
    [ "$bad" -ne 0 ] || echo "$seconds $name" >>"$results/seconds"
done
# What did not run now keeps its time.
touch "$times" "$results/seconds"
sort -u -k2,2 "$results/seconds" <(cut -d' ' -f2 "$results/seconds" | grep -vwFf - "$times") >"$times.$$" && mv "$times.$$" "$times"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
