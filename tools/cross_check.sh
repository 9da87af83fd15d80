#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds everything for 64-bit Arm and runs the tests of the host's variants in an emulator. On Debian or Ubuntu; the packages
# that it names, if they are missing, are of a second architecture and are not installed unasked: it then ends with 77.
# usage: tools/cross_check.sh [TEST...]    (default: those that choose vector instructions)
set -euo pipefail
cd "$(dirname "$0")/.."
build=build-aarch64 compiler=aarch64-linux-gnu-gcc emulator=qemu-aarch64
libraries=(libc6 libgomp1 libcyaml-dev libyaml-dev libjansson-dev libsqlite3-dev libssl-dev libflint-dev libxxhash-dev ocl-icd-opencl-dev libcmocka-dev)
tests=("$@")
[ $# -gt 0 ] || mapfile -t tests < <(grep -l '"baseline"' tests/test_*.c | sed 's|tests/||; s|\.c$||')

missing=()
command -v "$compiler" >/dev/null || missing+=(gcc-aarch64-linux-gnu)
command -v "$emulator" >/dev/null || missing+=(qemu-user)
for library in "${libraries[@]}"; do
    dpkg-query -W -f '${Status}' "$library:arm64" 2>/dev/null | grep -q 'ok installed' || missing+=("$library:arm64")
done
if [ ${#missing[@]} -gt 0 ]; then
    echo "missing packages: dpkg --add-architecture arm64 && apt-get update && apt-get install ${missing[*]}" >&2
    exit 77
fi

export PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig
make -s -j"$(nproc)" BUILD=$build CC=$compiler MPICC="${compiler%gcc}mpicc" all "${tests[@]/#/$build/tests/}"
unset PKG_CONFIG_LIBDIR
# No device but the host. Threads that spin would spin in the emulator's own.
export BUILD=$build ORRERY_DRIVERS=none GOMP_SPINCOUNT=0
for test in "${tests[@]}"; do
    "$emulator" -L / "$build/tests/$test" 2>&1 | tail -n 1000 | sed -n '/FAILED\|ERROR\|PASSED/p'
done
