#!/bin/bash
# SPDX-License-Identifier: MIT
# --sandbox: a plugin computes, and gets at nothing else.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
export REACH=$work/private
plugins_paper reach=quick right=faults quick:random-3d:n=2,3 faults:random-3d:n=60
reaching=(run plugins/quick --device host --only '*reach*' --set n=2 -o "$results")
make_private() { rm -rf "$REACH" && mkdir -p "$REACH" && echo keys >"$REACH/secret" && chmod 600 "$REACH/secret"; }
untouched() { [ "$(ls "$REACH")" = secret ] && [ "$(stat -c %a:%s "$REACH/secret")" = 600:5 ]; }

make_private
check "without the sandbox a plugin fails by what it reaches" run 5 "${reaching[@]}"
for reach in write read list remove send signal spy start by-child by-thread; do check "it can $reach" recorded "any(.[].reason; test(\" $reach( |\$)\"))"; done

make_private
describe() { "$orrery" describe plugins/reach 9<"$REACH/secret" && [ -e "$REACH/loaded" ] && [ ! -e "$REACH/inherited" ]; }
check "already when it is described, but nothing that the command has open is lent to it then" describe

make_private
if ! run 0 "${reaching[@]}" --sandbox && grep -q 'no sandbox' "$work/err"; then
    check "without a sandbox nothing runs" eval '! grep -q record "$work/out" && untouched'
    echo "skipped: $(cat "$work/err")"
    exit 0
fi
check "in the sandbox it is ok, for it reaches nothing" eval 'run 0 "${reaching[@]}" --sandbox && untouched'
check "the journal says what held it, as does the request" jq -se '.[0] | .request.sandbox and (.sandbox | test("Landlock [0-9]+, seccomp"))' "$(journal)"
check "a resumed run stays in it, and says so" eval 'run 0 run --resume last -o "$results" && jq -se "map(select(.record == \"resume\")) | .[0].sandbox" "$(journal)"'
before=$(ls "$results"/*/*.jsonl)
check "a request without it is another one, that goes on with the run outside" eval 'run 5 "${reaching[@]}" --continue && [ "$(ls "$results"/*/*.jsonl)" = "$before" ]'
make_private
check "a description, too, is made in it, so that nothing is reached" eval 'ORRERY_SANDBOX=1 run 0 describe plugins/reach && untouched'
mkdir "$work/tmp"
check "its folder goes with it" eval 'TMPDIR=$work/tmp run 0 "${reaching[@]}" --sandbox && [ -z "$(find "$work/tmp" -mindepth 1)" ]'
check "without a place for that folder nothing runs" eval 'TMPDIR=$work/nowhere fails 2 "cannot make the folder" "${reaching[@]}" --sandbox'

printf 'x,y,z,mass\n0,0,0,1\n1,0,0,1\n0,2,0,1\n' >"$work/three.csv"
# A driver that compiles by itself, and starts a linker.
unset ORRERY_HOME ORRERY_PLUGINS
device=$("$orrery" list devices | grep -om1 'opencl:[0-9.]*')
if [ -z "$device" ]; then echo "skipped: no OpenCL device"; exit 0; fi
export ORRERY_CACHE=$work/kernels
check "kernels compile and run in it" run 0 run fujiwara/table2 --device "$device" --preset smoke --only "*no-unrolling*" -o "$results" --sandbox
check "bodies of one's own are computed in it and written outside" eval 'run 0 eval fujiwara/cpu-simd --input "$work/three.csv" --output "$work/acc.csv" --set eps=0.1 --sandbox && [ -s "$work/acc.csv" ]'
check "frames are computed in it" run 0 render fujiwara/cpu-simd --dataset cartwheel --n 100 --frames 2 -o "$work/frame.png" --sandbox
check "and leave the kernel cache alone" test ! -e "$work/kernels"
