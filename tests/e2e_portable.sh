#!/bin/bash
# SPDX-License-Identifier: MIT
# Promises about vectors on other processors: each instruction set does what variants/common/simd.h says, the baseline of no
# processor in particular too, and 64-bit Arm's in an emulator. `make cross-check` builds all for Arm and runs the variants' tests.
. "$(dirname "$0")/lib_e2e.sh"
flags=(-std=c11 -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -Iharness -I.)
cross=aarch64-linux-gnu-gcc
emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64)

# operations COMPILER FLAG...: builds the check of all operations
operations() { "$@" "${flags[@]}" -o "$work/simd" tests/drivers/simd.c variants/common/simd.c -lm; }
right() { "${@:2}" >"$work/out" && grep -q "^$1: 0 wrong" "$work/out"; } # SET COMMAND...: SET is among those that ran, and all are right
planted() {
    mkdir -p "$work/bad/variants/common"
    sed 's/vfmaq_f32((float32x4_t)c,/vfmsq_f32((float32x4_t)c,/; s/return a \* b + c;/return a * b - c;/' variants/common/simd.h \
        >"$work/bad/variants/common/simd.h"
    ! cmp -s variants/common/simd.h "$work/bad/variants/common/simd.h" && operations gcc -I"$work/bad" "$@" && ! "$work/simd"
}
# compiles COMPILER FLAG...: what has instructions of a processor
compiles() {
    local source
    for source in variants/{fujiwara,shan}/cpu-simd.c variants/feng/cpu-tuned.c variants/gaburov/cpu-tree-simd.c \
        harness/measure/ceiling_host.c harness/measure/access_host.c harness/verify/reference_pairs.c; do
        "$@" "${flags[@]}" -fopenmp -fsyntax-only -DORR_BUILD_FLAGS='""' "-I$BUILD/gen" "-I$(dirname "$source")" "$source" || return 1
    done
}

if [ "$(uname -m)" = x86_64 ]; then
    check "the operations of vectors are built without AVX" operations gcc -mno-avx
    check "all sets of this processor are right" right sse2 "$work/simd"
fi
check "the operations are built for no processor in particular" operations gcc -DORRERY_PORTABLE
check "and are right" right baseline "$work/simd"
check "no other set is there" eval '[ "$(wc -l <"$work/out")" -eq 1 ]'
check "host variants compile for none either" compiles gcc -DORRERY_PORTABLE
check "a wrong multiply-add is seen" planted -DORRERY_PORTABLE
if command -v "$cross" >/dev/null; then
    check "host variants and ceilings compile for 64-bit Arm" compiles "$cross" -idirafter /usr/include
    check "the operations are built for 64-bit Arm" operations "$cross" -static
    if [ -n "$emulator" ]; then check "and are right" right neon "$emulator" "$work/simd"; else echo "skipped: no qemu-aarch64 to run what is built for Arm"; fi
else
    echo "skipped: no $cross to build for Arm"
fi
