#!/bin/bash
# SPDX-License-Identifier: MIT
# The errors that orrery eval prints are true: against sums in numpy over random inputs of ten shapes, of which each meets half of the variants, and at night all.
. "$(dirname "$0")/lib_e2e.sh"
if ! python=$(python_with numpy); then
    echo "skipped: python3-numpy is not installed"
    exit 0
fi
inputs=40
[ -z "${ORRERY_ALL_TESTS:-}" ] || inputs=400
true_errors() { OMP_NUM_THREADS=1 "$python" "$root/tests/eval_true.py" "$1" "$work" "$2" >"$work/out"; }
check "no printed error is less than half of the true one" true_errors "$orrery" $inputs
# Refusing everything would be true, too.
few_refused() { awk '/ refused/ { found = 1; ok = $3 <= $1 / 3 } END { exit !(found && ok) }' "$work/out"; }
check "and two thirds of the inputs have an answer" few_refused
old_is_caught() { ! true_errors "$BUILD/tests/old_reference" 20 && grep -q 'true$' "$work/out"; }
check "a reference of bodies rounded about the middle of the box is caught" old_is_caught
