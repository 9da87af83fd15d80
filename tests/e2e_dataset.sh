#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery dataset through the command line: results, messages and exit codes.
. "$(dirname "$0")/lib_e2e.sh"
refused() { # TEXT of one line on stderr, ARGUMENTS of orrery dataset
    run 2 dataset "${@:2}" && grep -qF -- "$1" "$work/err" && [ "$(wc -l <"$work/err")" = 1 ] && [ ! -s "$work/out" ]
}
hash_of() { "$orrery" dataset info "$@" --json | jq -er .sha256; }

check list grep -q '^cartwheel  *18000' <("$orrery" dataset list)
check list-json jq -e 'map(.name) | index("plummer") and index("random-3d")' <("$orrery" dataset list --json)
check verify "$orrery" dataset verify
check help grep -q 'usage: orrery dataset convert IN OUT' <("$orrery" dataset convert --help)
check info grep -q '^bodies *7500$' <("$orrery" dataset info figure-eight-3)
check info-json jq -e '.n == 99 and .dimensions == 3 and (.mass - 3 | fabs) < 1e-5 and (.centre_of_mass | length) == 3' \
    <("$orrery" dataset info figure-eight-3 --n 99 --json)

# A data set made of boxes: level and bodies in a box are chosen and shown.
check boxes grep -qE '^uniform-boxes +1048576 +2 .* 7 ' <("$orrery" dataset list)
check boxes-json jq -e 'map(select(.boxed) | .name + ":\(.default_level)") == ["uniform-boxes:7"]' <("$orrery" dataset list --json)
check boxes-info grep -q '^bodies in a box 5$' <("$orrery" dataset info uniform-boxes --level 3 --per-box 5)
check boxes-info-json jq -e '.n == 320 and .level == 3 and .per_box == 5 and .corner == [0, 0] and .edge == 1 and .dimensions == 2' \
    <("$orrery" dataset info uniform-boxes --level 3 --n 320 --json)
check boxes-default jq -e '.n == 1048576 and .level == 7 and .per_box == 64' <("$orrery" dataset info uniform-boxes --json)
check boxes-of-none jq -e 'has("level") or has("per_box") or has("edge") | not' <("$orrery" dataset info plummer --n 9 --json)
check boxes-make grep -q 'b.csv: uniform-boxes, 48 bodies (3 in each box of level 2), seed 4, sha256' \
    <("$orrery" dataset make uniform-boxes --level 2 --per-box 3 --seed 4 -o "$work/b.csv" 2>&1)
check boxes-same-bodies [ "$(hash_of "$work/b.csv")" = "$(hash_of uniform-boxes --level 2 --n 48 --seed 4)" ]

# One data set through every format and back is the same bodies.
reference=$(hash_of cartwheel --n 500 --seed 3)
formats="tipsy csv"
ldd "$orrery" | grep -q hdf5 && formats="hdf5 $formats"
previous=
for format in $formats; do
    file=$work/bodies.$format
    if [ -z "$previous" ]; then
        check "make-$format" "$orrery" dataset make cartwheel --n 500 --seed 3 -o "$file"
    else
        check "convert-to-$format" "$orrery" dataset convert "$previous" "$file"
    fi
    check "same-bodies-$format" [ "$(hash_of "$file")" = "$reference" ]
    previous=$file
done
check convert-native "$orrery" dataset convert "$previous" "$work/native" --to tipsy-native
check same-bodies-native [ "$(hash_of "$work/native")" = "$reference" ]
itself() { refused "is the snapshot itself" convert "$work/bodies.tipsy" "$work/../$(basename "$work")/bodies.tipsy"; }
check convert-not-onto-itself itself
check convert-left-it [ "$(hash_of "$work/bodies.tipsy")" = "$reference" ]
check to-and-ending-agree refused "x.csv ends as csv does, but --to says tipsy; leave out one of them" make plummer --n 10 -o "$work/x.csv" --to tipsy
through() { "$orrery" dataset make cartwheel --n 500 --seed 3 -o - 2>/dev/null | "$orrery" dataset convert - "$work/piped.tipsy"; }
check pipes through
check same-bodies-piped [ "$(hash_of "$work/piped.tipsy")" = "$reference" ]
# Two gas, three dark, one star, as Tipsy has them.
kinds() { perl -e 'print pack("d>N6", 0, 6, 3, 2, 3, 1, 0); print pack("f>*", 1, $_, 0, 0, 0, 0, 0, (0) x 5) for 1 .. 2; print pack("f>*", 1, $_, 0, 0, 0, 0, 0, 0.1, 0) for 3 .. 5; print pack("f>*", 1, 6, (0) x 9)' >"$work/kinds.tipsy"; }
if command -v perl >/dev/null && [ -e "$work/bodies.hdf5" ]; then
    check kinds kinds
    check kinds-to-hdf5 "$orrery" dataset convert "$work/kinds.tipsy" "$work/kinds.hdf5"
    check kinds-back "$orrery" dataset convert "$work/kinds.hdf5" "$work/back.tipsy"
    check kinds-kept cmp -n 32 "$work/kinds.tipsy" "$work/back.tipsy"
    check kinds-same-bodies [ "$(hash_of "$work/kinds.tipsy")" = "$(hash_of "$work/kinds.hdf5")" ]
fi
# Standard output that has no name any more is written to, not replaced.
nameless() {
    ln -sf /proc/self/fd/1 "$work/link"
    exec 8>"$work/gone" && rm "$work/gone" && "$orrery" dataset make plummer --n 3 -o "$work/link" --to csv 2>"$work/err" >&8 &&
        [ "$(stat -Lc %s "/proc/$$/fd/8")" -gt 100 ] && [ -L "$work/link" ]
}
check nameless-output nameless
check nothing-left-over [ -z "$(find "$work" -name '*.part-*')" ]

# Exit codes of docs: 2 for requests and inputs, 3 for a difference from the manifest.
check no-verb refused "did you mean 'verify'" verfiy
check no-set refused "did you mean 'plummer'" make plumer -o "$work/x.csv"
check no-option refused "did you mean '--seed'" make plummer --sed 1 -o "$work/x.csv"
check no-output refused "needs -o FILE" make plummer
check no-bodies refused "--n takes a whole number from 1 up" make plummer --n 0 -o "$work/x.csv"
check odd-number refused "not a multiple of 4" make figure-eight-4 --n 10 -o "$work/x.csv"
check n-and-per-box refused "--n and --per-box both say how many" info uniform-boxes --n 64 --per-box 3
check odd-level refused "--level takes a whole number from 0 up, not '2.5'" info uniform-boxes --level 2.5
check no-per-box refused "--per-box takes a whole number from 1 up, not '0'" info uniform-boxes --per-box 0
check crowded-box refused "per_box = 6104 is out of range; at level 7 it takes 1 to 6103 bodies" info uniform-boxes --per-box 6104
check level-of-file refused "--n, --level and --per-box belong to data sets; $work/b.csv is a file" info "$work/b.csv" --level 2
check no-ending refused "names no format" make plummer --n 10 -o "$work/x"
check no-format refused "did you mean 'csv'" convert "$work/native" "$work/x" --to cvs
check no-file refused "No such file" info "$work/absent.csv"
check no-folder refused "No such file or directory" make plummer --n 10 -o "$work/absent/x.csv"
check full-disk refused "/dev/full: No space left on device" make plummer --n 10 -o /dev/full --to csv
head -c 1000 "$work/bodies.tipsy" >"$work/cut.tipsy"
check cut-file refused "cut off" info "$work/cut.tipsy"
printf 'x,y,mass\n1,2,nan\n' >"$work/nan.csv"
check nan refused "nan.csv:2: mass is 'nan'" convert "$work/nan.csv" "$work/x.csv"
if [ -e "$work/bodies.hdf5" ]; then
    head -c 3000 "$work/bodies.hdf5" >"$work/cut.hdf5"
    check cut-hdf5 refused "truncated file" info "$work/cut.hdf5"
fi
mkdir -p "$work/home/datasets"
sed 's/ [0-9a-f]\{8\}\([0-9a-f]*\)$/ 00000000\1/' datasets/manifest | grep -E '^(#|plummer 1000 )' >"$work/home/datasets/manifest"
differs() {
    ORRERY_HOME=$work/home run 3 dataset verify && grep -q '^differs plummer' "$work/out" && grep -q 'differ from' "$work/err"
}
check differs differs
# Refused before 5 GB of bodies are made: under a limit on memory, making them would say so instead.
early() { (ulimit -v 2000000; refused /no/such/folder make plummer --n 99999999 -o /no/such/folder/x.csv); }
nm -D "$orrery" | grep -q __asan || check make-tries-the-output-first early # that sanitizer maps terabytes
finish
