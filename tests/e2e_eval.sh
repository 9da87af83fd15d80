#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery eval: the user's own bodies, good and bad.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
bodies() { printf "$2" >"$work/$1"; }
# eval STATUS TEXT SNAPSHOT OPTIONS...: exits with STATUS and says TEXT; only what ends well may leave a file.
eval_fails() {
    rm -f "$work/acc.csv"
    fails "$1" "$2" eval plugins/right --input "$work/$3" --output "$work/acc.csv" "${@:4}" && [ ! -e "$work/acc.csv" ]
}
eval_ok() { run 0 eval plugins/right --input "$work/$1" --output "$work/acc.csv" --device host "${@:2}"; }

# Far from the origin, where single precision could not tell them apart.
bodies three.csv 'x,y,z,mass\n100000000,0,0,2\n100000002,0,0,3\n100000000,1,0,0\n'
# Body 0: mass 3 at distance 2 along x: 3/4, potential -3/2. Body 1: mass 2: -1/2, -1. right [G]: in input order
right() {
    awk -F, -v g="${1:-1}" 'NR == 1 { ok = $0 == "ax,ay,az,phi" } NR == 2 { ok = ok && ($1 / g - 0.75) ^ 2 + $2 ^ 2 + $3 ^ 2 + ($4 / g + 1.5) ^ 2 < 1e-12 }
        NR == 3 { ok = ok && ($1 / g + 0.5) ^ 2 + ($4 / g + 1) ^ 2 < 1e-12 } END { exit !(ok && NR == 4) }' "$work/acc.csv"
}
check "right forces of three bodies" eval 'eval_ok three.csv && right'
check "device, time and errors in the summary" eval 'grep -q "3 bodies in 3 dimensions on host .* a step" "$work/out" && grep -q "relative error against fp64 over 3 bodies" "$work/out"'
check "G and eps are told" grep -q '^G = 1, eps = 0 (no softening; --set eps=LENGTH sets one): ' "$work/out"
check "--once takes one step, as right" eval 'eval_ok three.csv --once && right'
check "--json is one object" eval 'eval_ok three.csv --json && jq -es "length == 1 and .[0].n == 3 and .[0].error.max < 1e-5 and .[0].parameters.eps == 0" "$work/out"'
# --- what the numbers are in ---
check "another G scales forces and potentials" eval 'eval_ok three.csv --G 10 && right 10'
check "that of Gadget's units" eval 'eval_ok three.csv --units gadget --json && jq -e ".gravity == 43007.1" "$work/out"'
check "one or the other" eval_fails 2 'give one of them' three.csv --G 2 --units gadget
check "a file without units" eval_fails 2 'names no units' three.csv --units file
check "no G" eval_fails 2 'above 0' three.csv --G 0
bodies blanks.txt 'X Y  Z m\n100000000 0 0 2\n100000002 0 0 3\n100000000 1 0 0\n'
check "capitals, m and blanks" eval 'eval_ok blanks.txt && right'
bodies numpy.csv '# x,y,z,mass\n100000000,0,0,2\n100000002,0,0,3\n100000000,1,0,0\n'
check "a header behind a #" eval 'eval_ok numpy.csv && right'
check "pipes" eval '"$orrery" eval plugins/right -i - -o - --device host <"$work/three.csv" >"$work/acc.csv" 2>"$work/err" && right'
check "leave standard output to the numbers" grep -q '^G = 1' "$work/err"
check "and no file" eval '! ls -d "${TMPDIR:-/tmp}"/orrery-??????/standard-input 2>/dev/null'
check "Python arrays" eval 'PATH=$BUILD:$PATH python3 "$root/docs/examples/accelerations.py" plugins/right | tail -1 | grep -qx "net force: 0"'

bodies flat.csv 'x,y,mass\n0,0,1\n1,0,1\n'
check "a 2D snapshot" eval_ok flat.csv
bodies one.csv 'x,y,z,mass\n5,5,5,1\n'
check "one body feels nothing" eval 'eval_ok one.csv && tail -1 "$work/acc.csv" | tr -d - | grep -qx 0,0,0,0'
bodies twins.csv 'x,y,z,mass\n0,0,0,1\n1,1,1,1\n0,0,0,1\n'
check "coincident bodies need softening" eval_fails 2 'bodies 0 and 2 are at the same place.*--set eps=' twins.csv
check "and with it are fine" eval_ok twins.csv --set eps=0.1
check "an eps whose square vanishes softens nothing" eval_fails 2 'square of eps vanishes' twins.csv --set eps=1e-30
bodies tiny.csv 'x,y,z,mass\n0,0,0,1\n1e-20,0,0,1\n0,2e-20,0,1\n'
check "distances whose forces are beyond single precision" eval_fails 3 'choose other units.*infinite' tiny.csv
same_file() { cp "$work/three.csv" "$work/same.csv" && fails 2 'the snapshot itself' eval plugins/right --input "$work/same.csv" --output "$work/./same.csv" && cmp "$work/three.csv" "$work/same.csv"; }
check "the snapshot is not overwritten" same_file

bodies huge.csv 'x,y,z,mass\n0,0,0,1\n1e200,0,0,1\n'
check "positions beyond single precision" eval_fails 2 'does not fit single precision' huge.csv
check "a snapshot that is not there" eval_fails 2 'nowhere.csv' nowhere.csv
check "an output of no known kind" fails 2 'acc.txt' eval plugins/right --input "$work/three.csv" --output "$work/acc.txt"
check "an output folder that is not there is refused before anything is computed" fails 2 "$work/no/acc.csv" eval plugins/crash_in_step --input "$work/three.csv" --output "$work/no/acc.csv"
check "no variant" fails 2 'eval needs one variant' eval --input "$work/three.csv" --output "$work/acc.csv"
check "an unknown variant" fails 2 'righ' eval plugins/righ --input "$work/three.csv" --output "$work/acc.csv"
check "an unknown parameter" eval_fails 2 'epz' three.csv --set epz=1
check "a setting without a value" eval_fails 2 'NAME=VALUE' three.csv --set eps
check "a device that is not there" eval_fails 4 'cuda:99' three.csv --device cuda:99
check "a variant that is wrong writes nothing" eval 'fails 3 "above the bound" eval plugins/wrong --input "$work/three.csv" --output "$work/wrong.csv" && [ ! -e "$work/wrong.csv" ]'
check "a variant that crashes" fails 5 'SIGSEGV' eval plugins/crash_in_step --input "$work/three.csv" --output "$work/acc.csv" --set eps=0.1
check "a variant that hangs" fails 4 '--timeout' eval plugins/hang_in_step --input "$work/three.csv" --output "$work/acc.csv" --timeout 1 --set eps=0.1
