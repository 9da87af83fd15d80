# SPDX-License-Identifier: MIT
# Kernels on the OpenCL simulator oclgrind: data races, out-of-bounds accesses, uninitialised reads. Sourced by e2e_oclgrind*.sh.
# Sizes are small and no multiple of any block, with as many groups and shares as the parameters give.
set -u
orrery=$(realpath "$BUILD")/orrery
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. "$(dirname "${BASH_SOURCE[0]}")/patience.sh"
failed=0
memory=
unoptimised="--build-options -cl-opt-disable"
command -v oclgrind >/dev/null || { echo "skipped: oclgrind is not installed"; exit 0; }
input=$scratch/in.csv uninitialized=--uninitialized
check() { # name, variant, options...
    local name=$1 variant=$2
    shift 2
    # Unoptimised, because a vector built element by element reads as uninitialised after LLVM has merged the stores.
    timeout "$(patience 250)" oclgrind $memory --data-races $uninitialized $unoptimised --log "$scratch/log" "$orrery" eval "$variant" --input "$input" \
        --output "$scratch/out.csv" --device opencl:0.0 --once "$@" >"$scratch/out" 2>&1
    local status=$?
    if [ $status -eq 0 ] && ! grep -qiE 'race|invalid|uninitialized' "$scratch/log"; then
        echo "ok oclgrind $name"
    else
        echo "not ok oclgrind $name (exit $status)"
        head -20 "$scratch/log" "$scratch/out"
        failed=1
    fi
    rm -f "$scratch/log"
}
export ORRERY_CACHE=$scratch/cache
# Zones would hide what reaches beyond a buffer, and oclgrind takes what was uploaded to a part of a buffer for uninitialised.
export ORRERY_GUARDS=off
# oclgrind is preloaded: in a build with the address sanitizer it comes before the sanitizer's library, and may.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
"$orrery" dataset make random-3d --n 43 --seed 5 -o "$scratch/in.csv" >"$scratch/out" 2>&1 ||
    { cat "$scratch/out"; echo "not ok oclgrind input"; exit 1; }
# Empty boxes, one of 20 bodies, which blocks of 8 work off in chunks.
awk 'BEGIN { srand(7); print "x,y,mass"; for (i = 0; i < 44; i++) printf "%.6f,%.6f,%.3f\n", rand() * (i < 20 ? 0.24 : 1), rand() * (i < 20 ? 0.24 : 1), 0.5 + rand() }' >"$scratch/boxes.csv"
