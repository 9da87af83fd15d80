#!/bin/bash
# SPDX-License-Identifier: MIT
# --sandbox: a plugin computes, and gets at nothing else.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
results=$work/results
export REACH=$work/private
plugins_paper reach=quick right=faults quick:random-3d:n=2,3 faults:random-3d:n=60
journal() { ls -t "$results"/*/*.jsonl | head -1; }
reaching=(run plugins/quick --device host --only '*reach*' --set n=2 -o "$results")
make_private() { rm -rf "$REACH" && mkdir -p "$REACH" && echo keys >"$REACH/secret" && chmod 600 "$REACH/secret"; }
untouched() { [ "$(ls "$REACH")" = secret ] && [ "$(stat -c %a:%s "$REACH/secret")" = 600:5 ]; }
got() { jq -r 'select(.record == "cell") | .reason' "$(journal)"; }

make_private
check "without the sandbox a plugin fails by what it reaches" run 5 "${reaching[@]}"
for reach in write read list chmod truncate remove send connect signal spy start by-child by-thread; do
    check "it can $reach" grep -qE " $reach( |\$)" <(got)
done
check "already when it is described" test -e "$REACH/loaded"

make_private
describe() { "$orrery" describe plugins/reach 9<"$REACH/secret" && [ -e "$REACH/loaded" ] && [ ! -e "$REACH/inherited" ]; }
check "but nothing that the command has open is lent to it then" describe

make_private
if ! run 0 "${reaching[@]}" --sandbox && grep -q 'no sandbox' "$work/err"; then
    check "without a sandbox nothing runs" eval '! grep -q record "$work/out" && untouched'
    echo "skipped: $(cat "$work/err")"
    finish
fi
check "in the sandbox it is ok, for it reaches nothing" run 0 "${reaching[@]}" --sandbox
check "nothing was touched" untouched
check "the journal says what held it" jq -se '.[0].sandbox | test("Landlock [0-9]+, seccomp")' "$(journal)"
check "so does the request" jq -se '.[0].request.sandbox' "$(journal)"
check "a resumed run stays in it" run 0 run --resume last -o "$results"
check "and says so" jq -se 'map(select(.record == "resume")) | .[0].sandbox' "$(journal)"
journals() { ls "$results"/*/*.jsonl | wc -l; }
before=$(journals)
check "a request without it is another one" run 5 "${reaching[@]}" --continue
check "that goes on with the run outside" test "$(journals)" = "$before"
make_private
check "a description, too, is made in it" env ORRERY_SANDBOX=1 "$orrery" describe plugins/reach
check "so that nothing is reached" untouched
no_folder_left() { [ -z "$(find "$work/tmp" -mindepth 1)" ]; }
mkdir "$work/tmp"
check "its folder" env TMPDIR="$work/tmp" "$orrery" "${reaching[@]}" --sandbox
check "goes with it" no_folder_left
nowhere() { (export TMPDIR=$work/nowhere && fails 2 'cannot make the folder' "${reaching[@]}" --sandbox); }
check "without a place for that folder nothing runs" nowhere

printf 'x,y,z,mass\n0,0,0,1\n1,0,0,1\n0,2,0,1\n' >"$work/three.csv"
# A driver that compiles by itself, and starts a linker.
unset ORRERY_HOME ORRERY_PLUGINS
device=$("$orrery" list devices | grep -om1 'opencl:[0-9.]*')
if [ -z "$device" ]; then echo "skipped: no OpenCL device"; finish; fi
export ORRERY_CACHE=$work/kernels
check "kernels compile and run in it" run 0 run fujiwara/table2 --device "$device" --preset smoke --only "*no-unrolling*" -o "$results" --sandbox
check "bodies of one's own are computed in it" run 0 eval fujiwara/cpu-simd --input "$work/three.csv" --output "$work/acc.csv" --set eps=0.1 --sandbox
check "and written outside of it" test -s "$work/acc.csv"
check "frames are computed in it" run 0 render fujiwara/cpu-simd --dataset cartwheel --n 100 --frames 2 -o "$work/frame.png" --sandbox
check "and leave the kernel cache alone" test ! -e "$work/kernels"
finish
