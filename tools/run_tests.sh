#!/bin/bash
# Runs every test program and script of the build and ends with one line "N passed, N failed".
# Programs are cmocka's; scripts (tests/e2e_*.sh) print "ok NAME" or "not ok NAME" a line and exit non-zero on a failure.
set -u
cd "$(dirname "$0")/.."
export BUILD=${BUILD:-build}
export ORRERY_CACHE=${ORRERY_CACHE:-$PWD/$BUILD/kernel-cache}
passed=0 failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# GCC 12's leak check now and then crashes itself while it stops threads, and PoCL's compiler threads now and then leave a pass
# manager behind: neither says anything about this program. Every leak that begins in other code counts.
worth_another_look() {
    grep -q '^Tracer caught signal' "$1" && return 0
    grep -q '^Direct leak' "$1" && ! grep -A2 '^Direct leak' "$1" | grep '#1 ' | grep -qv libpocl
}

for test in "$BUILD"/tests/test_* tests/e2e_*.sh; do
    case $test in *.d) continue ;; esac
    [ -x "$test" ] || continue
    start=$SECONDS
    for try in 1 2 3 4 5; do
        timeout "${TEST_TIMEOUT:-300}" "$test" >"$log" 2>&1
        status=$?
        if [ $status -eq 0 ] || ! worth_another_look "$log"; then break; fi
        echo "$(basename "$test"): the leak check found nothing of ours (try $try)"
    done
    good=$(grep -cE '^\[       OK \]|^ok ' "$log")
    bad=$(grep -cE '^\[  FAILED  \] [^0-9]|^not ok ' "$log")
    if [ $status -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    passed=$((passed + good)) failed=$((failed + bad))
    printf '%-40s %3d ok %3d failed  %ds\n' "$(basename "$test")" "$good" "$bad" $((SECONDS - start))
    if [ "$bad" -ne 0 ]; then sed 's/^/    /' "$log" | tail -60; echo "    exit status $status"; fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
