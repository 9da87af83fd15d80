#!/bin/bash
# SPDX-License-Identifier: MIT
# What plugins and drivers start, break or hold up stays theirs: nothing outlives the run, nothing runs elsewhere than it should.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
plugins_paper $(all_in one right crash_with_child leaves_daemon crash_on_some_loads) one:random-3d:n=60
common=(--preset smoke -o "$results")
said() { jq -rc 'select(.record == "cell") | "\(.variant) \(.device) \(.outcome) \(.reason)"' "$(journal)" | grep -qxE "plugins/$1"; }
# Processes of this test are known by their environment.
export ORRERY_TEST_MARK=$work
strays() {
    local environment
    for environment in /proc/[0-9]*/environ; do
        environment=${environment%/environ}
        [ "${environment#/proc/}" = $$ ] || { tr '\0' '\n' <"$environment/environ" | grep -qx "ORRERY_TEST_MARK=$work" && cat "$environment/comm"; }
    done 2>/dev/null | grep -E 'orrery|exe'
}
no_strays() { ! strays >/dev/null; }
nothing_left() { wait_for no_strays || { strays; return 1; }; }

# --- what a plugin starts ---
check "a crash beside a child that keeps the socket, and a daemon, is told as what it is, and at once" measures 5 'map(select(.variant == "plugins/crash_with_child"))[0] | .reason == "crashed: SIGSEGV" and .wall_s < '"$(patience 1)" \
    run plugins/crash_with_child plugins/leaves_daemon --device host "${common[@]}"
check "the daemon does not change the forces" said 'leaves_daemon host ok '
check "nothing is left after the run" nothing_left
export TEST_DAEMON=$work/daemon
env --default-signal=INT "$orrery" run plugins/leaves_daemon --device host --set delay=0.3 "${common[@]}" >"$work/out" 2>"$work/err" &
pid=$!
check "a daemon beside a run" wait_for test -e "$TEST_DAEMON"
kill -INT $pid
check "Ctrl-C ends the run" exited 130 $pid
check "and leaves nothing" nothing_left

# --- a plugin that cannot be inspected, and that no other test has inspected before ---
export ORRERY_CACHE=$work/cache
export TEST_LOADS=$work/loads
check "a plugin that dies once is inspected again" env TEST_CRASHES=1 "$orrery" run plugins/crash_on_some_loads "${common[@]}"
check "and runs where it can" said 'crash_on_some_loads host ok '
rm -f "$TEST_LOADS"
check "one that dies twice is refused" eval 'TEST_CRASHES=2 run 5 run plugins/crash_on_some_loads "${common[@]}"'
check "with the reason" said 'crash_on_some_loads [^ ]* crashed loading the plugin of plugins/crash_on_some_loads: crashed: Segmentation fault'
check "and does not run at all" test "$(wc -c <"$TEST_LOADS")" = 2
check "it can be run again" run 0 run plugins/crash_on_some_loads --continue --failed "${common[@]}"
unset TEST_LOADS

# --- an OpenCL driver that breaks, alone and beside a good one ---
good=$(cat /etc/OpenCL/vendors/pocl.icd 2>/dev/null)
unset OCL_ICD_VENDORS OPENCL_VENDOR_PATH ORRERY_DRIVERS
"${CC:-gcc}" -shared -fPIC -o "$work/libbroken.so" "$root/tests/drivers/broken.c"
mkdir -p "$work/alone" "$work/beside"
echo "$work/libbroken.so" | tee "$work/alone/broken.icd" >"$work/beside/broken.icd"
echo "$good" >"$work/beside/pocl.icd"
lists() { # DEVICES WHY
    run 0 list devices --json && [ "$(jq -r '.[].id' "$work/out" | grep -v cuda | paste -sd ' ')" = "$1" ] && [ "$(grep -c 'left out' "$work/err")" = 1 ] &&
        grep -qE "^orrery: the driver broken.icd is left out: $2; .orrery doctor. says more\$" "$work/err"
}
for how in load:'crashed: Segmentation fault' platforms:'crashed: Segmentation fault' hang:'did not finish within [16] s'; do
    export TEST_DRIVER=${how%%:*} ORRERY_LOAD_SECONDS=1 OCL_ICD_VENDORS=$work/alone
    check "$TEST_DRIVER: the host is listed, and one line tells what is left out" lists host "${how#*:}"
    [ -n "$good" ] || continue
    OCL_ICD_VENDORS=$work/beside
    [ "$TEST_DRIVER" != hang ] || export ORRERY_LOAD_SECONDS=6
    began=$SECONDS
    check "$TEST_DRIVER: of a good driver beside it nothing is left out" lists 'opencl:0.0 host' "${how#*:}"
    check "$TEST_DRIVER: which costs its time once" [ $((SECONDS - began)) -lt 10 ]
done
export OCL_ICD_VENDORS=$work/alone ORRERY_LOAD_SECONDS=60 # whoever loads the driver, which hangs, takes more than a minute
before=$SECONDS
run 0 dataset make random-3d --n 60 -o "$work/bodies.csv"
check "the host needs no driver" run 0 run plugins/right --device host "${common[@]}"
check "nor for eval" run 0 eval plugins/right --device host --input "$work/bodies.csv" --output "$work/acc.csv"
check "which ends at once" test $((SECONDS - before)) -lt 30
export TEST_DRIVER=load
if [ -n "$good" ]; then
    OCL_ICD_VENDORS=$work/beside
    check "a run on the good driver beside a broken one" eval 'ORRERY_HOME=$root ORRERY_PLUGINS=$BUILD/variants measures 0 "length > 0 and all(.outcome == \"ok\" and .device == \"opencl:0.0\")" \
        run fujiwara/no-unrolling --only table2 --only random-3d --device opencl:0.0 --set dataset=random-3d --set n=128 "${common[@]}"'
fi
check "the doctor names the broken driver" prints '^FAILED +drivers +the driver broken.icd is left out: crashed: Segmentation fault$' doctor
check "and tries the rest" grep -q '^ok  *device host .*computes' "$work/out"
