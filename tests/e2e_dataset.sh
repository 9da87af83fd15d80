#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery dataset through the command line: results, messages and exit codes.
. "$(dirname "$0")/lib_e2e.sh"
refused() { # TEXT of one line on stderr, ARGUMENTS of orrery dataset
    run 2 dataset "${@:2}" && grep -qF -- "$1" "$work/err" && [ "$(wc -l <"$work/err")" = 1 ] && [ ! -s "$work/out" ]
}
hash_of() { "$orrery" dataset info "$@" --json | jq -er .sha256; }

check list grep -q '^cartwheel  *18000' <("$orrery" dataset list)
check list-json gives 'map(.name) | index("plummer") and index("random-3d")' dataset list --json
check verify "$orrery" dataset verify
check help grep -q 'usage: orrery dataset convert IN OUT' <("$orrery" dataset convert --help)
check info grep -q '^bodies *7500$' <("$orrery" dataset info figure-eight-3)
check info-json gives '.n == 99 and .dimensions == 3 and (.mass - 3 | fabs) < 1e-5 and (.centre_of_mass | length) == 3' dataset info figure-eight-3 --n 99 --json

check boxes-info grep -q '^bodies in a box 5$' <("$orrery" dataset info uniform-boxes --level 3 --per-box 5)
check boxes-default gives '.n == 1048576 and .level == 7 and .per_box == 64 and .corner == [0, 0] and .edge == 1 and .dimensions == 2' dataset info uniform-boxes --json
check boxes-make grep -q 'b.csv: uniform-boxes, 48 bodies (3 in each box of level 2), seed 4, sha256' \
    <("$orrery" dataset make uniform-boxes --level 2 --per-box 3 --seed 4 -o "$work/b.csv" 2>&1)
check boxes-same-bodies [ "$(hash_of "$work/b.csv")" = "$(hash_of uniform-boxes --level 2 --n 48 --seed 4)" ]

# One data set through every format and back is the same bodies.
reference=$(hash_of cartwheel --n 500 --seed 3)
same_bodies() { [ "$(hash_of "$1")" = "$reference" ]; }
check make "$orrery" dataset make cartwheel --n 500 --seed 3 -o "$work/bodies.csv"
check made-the-same-bodies same_bodies "$work/bodies.csv"
previous=$work/bodies.csv
for format in $(ldd "$orrery" | grep -o hdf5 | head -1) tipsy; do
    check "convert-to-$format" eval '"$orrery" dataset convert "$previous" "$work/bodies.$format" && same_bodies "$work/bodies.$format"'
    previous=$work/bodies.$format
done
check convert-native eval '"$orrery" dataset convert "$previous" "$work/native" --to tipsy-native && same_bodies "$work/native"'
itself() { refused "is the snapshot itself" convert "$work/bodies.tipsy" "$work/../$(basename "$work")/bodies.tipsy"; }
check convert-not-onto-itself eval 'itself && same_bodies "$work/bodies.tipsy"'
check to-and-ending-agree refused "x.csv ends as csv does, but --to says tipsy; leave out one of them" make plummer --n 10 -o "$work/x.csv" --to tipsy
through() { "$orrery" dataset make cartwheel --n 500 --seed 3 -o - 2>/dev/null | "$orrery" dataset convert - "$work/piped.tipsy"; }
check pipes eval 'through && same_bodies "$work/piped.tipsy"'
# Two gas, three dark, one star, as Tipsy has them.
kinds() { perl -e 'print pack("d>N6", 0, 6, 3, 2, 3, 1, 0); print pack("f>*", 1, $_, 0, 0, 0, 0, 0, (0) x 5) for 1 .. 2; print pack("f>*", 1, $_, 0, 0, 0, 0, 0, 0.1, 0) for 3 .. 5; print pack("f>*", 1, 6, (0) x 9)' >"$work/kinds.tipsy"; }
if command -v perl >/dev/null && [ -e "$work/bodies.hdf5" ]; then
    kinds_stay() {
        kinds && "$orrery" dataset convert "$work/kinds.tipsy" "$work/kinds.hdf5" && "$orrery" dataset convert "$work/kinds.hdf5" "$work/back.tipsy" &&
            cmp -n 32 "$work/kinds.tipsy" "$work/back.tipsy" && [ "$(hash_of "$work/kinds.tipsy")" = "$(hash_of "$work/kinds.hdf5")" ]
    }
    check kinds-stay kinds_stay
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
check no-option refused "did you mean '--seed'" make plummer --sed 1 -o "$work/x.csv"
check no-output refused "needs -o FILE" make plummer
check n-and-per-box refused "--n and --per-box both say how many" info uniform-boxes --n 64 --per-box 3
check crowded-box refused "per_box = 6104 is out of range; at level 7 it takes 1 to 6103 bodies" info uniform-boxes --per-box 6104
check level-of-file refused "--n, --level and --per-box belong to data sets; $work/b.csv is a file" info "$work/b.csv" --level 2
mkdir -p "$work/home/datasets"
sed 's/ [0-9a-f]\{8\}\([0-9a-f]*\)$/ 00000000\1/' datasets/manifest | grep -E '^(#|plummer 1000 )' >"$work/home/datasets/manifest"
check differs eval 'ORRERY_HOME=$work/home run 3 dataset verify && grep -q "^differs plummer" "$work/out" && grep -q "differ from" "$work/err"'
# Refused before 5 GB of bodies are made: under a limit on memory, making them would say so instead.
early() { (ulimit -v 2000000; refused /no/such/folder make plummer --n 99999999 -o /no/such/folder/x.csv); }
nm -D "$orrery" | grep -q __asan || check make-tries-the-output-first early # that sanitizer maps terabytes
