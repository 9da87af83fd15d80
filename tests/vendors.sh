#!/bin/bash
# SPDX-License-Identifier: MIT
# Smoke of all papers on every OpenCL implementation that can be had without a card: PoCL as installed, Intel's for processors
# (pip), the same posing as a GPU (sub-groups, atomics of floats), Mesa's rusticl (Debian), the same as a GPU.
# usage: BUILD=build tests/vendors.sh     VENDORS="pocl intel intel-gpu rusticl rusticl-gpu"   WHAT="fujiwara shan feng gaburov"
# Downloads and results stay in $BUILD/vendors. --page writes docs/OPENCL.md from what was measured last.
set -u
root=$(realpath "$(dirname "$0")/..") build=$(realpath "${BUILD:-build}")
orrery=$build/orrery at=$build/vendors
failed=0
mkdir -p "$at/icd"

rows() { # SQL: its rows as a table
    "$orrery" query -r "$at/results" -f md "$1" | grep '^|'
}
page() {
    sed -n '/^<!-- /q; p' "$root/docs/OPENCL.md"
    echo '<!-- What follows is written by tests/vendors.sh --page. -->'
    rows "SELECT r.machine AS 'run as', d.platform AS implementation, d.driver AS driver, d.device_name AS device,
        sum(c.outcome = 'ok') AS ok, sum(c.outcome = 'wrong') AS wrong, sum(c.outcome = 'suspect') AS suspect,
        sum(c.outcome = 'unsupported') AS unsupported,
        sum(c.outcome NOT IN ('ok', 'wrong', 'suspect', 'unsupported')) AS failed
      FROM cell c JOIN run r USING (run_key) JOIN device d ON d.run_key = c.run_key AND d.device = c.device
      WHERE c.device LIKE 'opencl:%' AND coalesce(json_extract(c.parameters, '\$.atomic'), '') <> 'none'
      GROUP BY r.machine ORDER BY r.machine"
    printf '\nMeasured: %s.\n' "$("$orrery" query -r "$at/results" -f csv "SELECT group_concat(e, ', ') FROM
        (SELECT DISTINCT experiment AS e FROM cell ORDER BY 1)" | tail -n +2 | tr -d '"\r')"
    printf '\nA step, and its share of the ceiling that was measured on that implementation in the same run:\n\n'
    rows "SELECT machine AS 'run as', variant AS program, bodies AS N, printf('%.3g ms', 1e3 * min(seconds)) AS 'a step',
        CASE WHEN ceiling_fault IS NOT NULL THEN 'above it: too low' WHEN ceiling_fraction < 1e-6 THEN 'its events tell no time'
          ELSE printf('%.2g %%', 100 * ceiling_fraction) END AS 'of ceiling'
      FROM (SELECT *, max(bodies) OVER (PARTITION BY machine, variant) AS most
        FROM (SELECT *, coalesce(n, per_box * (1 << 2 * level)) AS bodies FROM rates WHERE device LIKE 'opencl:%'
          AND variant IN ('fujiwara/optimised', 'shan/bpb', 'feng/barnes-hut-modern', 'gaburov/octgrav-modern')))
      WHERE bodies = most GROUP BY variant, machine ORDER BY variant, machine"
}
if [ "${1:-}" = --page ]; then
    page >"$at/OPENCL.md" && mv "$at/OPENCL.md" "$root/docs/OPENCL.md"
    exit
fi

skip() { echo "skipped: vendors $1: $2"; } # name, reason
vendor() { mkdir -p "$at/icd/$1" && echo "$2" >"$at/icd/$1/driver.icd"; } # name, library
has_pocl() {
    local library
    library=$(cat /etc/OpenCL/vendors/pocl*.icd 2>/dev/null | head -1)
    [ -n "$library" ] || { skip pocl "it is not installed"; return 1; }
    vendor pocl "$library"
}
has_intel() {
    [ -e "$at/intel/lib/libintelocl.so" ] || python3 -m pip --version >/dev/null 2>&1 || { skip "$1" "python3 has no pip to get intel-opencl-rt with"; return 1; }
    [ -e "$at/intel/lib/libintelocl.so" ] || timeout "${PIP_SECONDS:-400}" python3 -m pip install -q --prefix "$at/intel" intel-opencl-rt intel-cmplr-lib-rt >"$at/pip.log" 2>&1 ||
        { skip "$1" "pip cannot get intel-opencl-rt in ${PIP_SECONDS:-400} s: $(grep -v -i warning "$at/pip.log" | tail -1)"; return 1; }
    vendor intel "$at/intel/lib/libintelocl.so"
}
# Mesa looks for its library of built-in functions at /usr/lib/clc only, so that what apt gave lies over /usr in a name space.
has_rusticl() {
    local library deb
    library=$(ls /usr/lib/*/libRusticlOpenCL.so.1 2>/dev/null | head -1)
    [ -z "$library" ] || { vendor rusticl "$library"; return; }
    if [ ! -d "$at/mesa/usr" ]; then
        mkdir -p "$at/debs"
        (cd "$at/debs" && apt-get install -s --no-install-recommends mesa-opencl-icd | awk '/^Inst/ { print $2 }' | xargs apt-get download -qq) >/dev/null 2>&1
        compgen -G "$at/debs/mesa-opencl-icd_*.deb" >/dev/null || { skip "$1" "apt has no mesa-opencl-icd"; return 1; }
        for deb in "$at"/debs/*.deb; do dpkg -x "$deb" "$at/mesa"; done
    fi
    library=$(cd "$at/mesa" && ls usr/lib/*/libRusticlOpenCL.so.1 2>/dev/null | head -1)
    [ -n "$library" ] || { skip "$1" "this release's mesa-opencl-icd has no rusticl"; return 1; }
    vendor rusticl "/$library"
    over=(unshare -rm bash -c 'mount -t overlay overlay -o "lowerdir=$0/mesa/usr:/usr" /usr && exec "$@"' "$at")
    "${over[@]}" true 2>/dev/null || { skip "$1" "no right to lay its files over /usr (unshare)"; return 1; }
}
smoke() { # name, implementation, variables...
    local name=$1 icd=$at/icd/$2
    shift 2
    rm -rf "$at/results/$name"
    # A cache each, as kernels are kept by names of devices, which posing does not change.
    env ORRERY_CACHE="$at/cache-$name" OCL_ICD_VENDORS="$icd" "$@" "${over[@]}" timeout "${VENDOR_SECONDS:-1500}" "$orrery" run \
        ${WHAT:-fujiwara shan feng gaburov} --preset smoke --min-samples 3 --counters none --device opencl:0.0 --machine "$name" \
        -o "$at/results" >"$at/$name.log" 2>&1
    local status=$? cells
    cells=$(grep -E '^[0-9]+ cells?:' "$at/$name.log" | tail -1)
    # 3: a cell that is wrong, or only suspect, which a busy machine makes of honest ones
    if [ $status -eq 0 ] || { [ $status -eq 3 ] && [[ $cells == *' 0 wrong, 0 failed'* ]]; }; then
        echo "ok vendors $name: $cells"
    else
        echo "not ok vendors $name (exit $status): $cells"
        grep -E 'wrong: |failed: |crashed|timed out' "$at/$name.log" | cut -c1-200 | tail -5
        failed=1
    fi
}

for name in ${VENDORS:-pocl intel intel-gpu rusticl rusticl-gpu}; do
    over=() posing=()
    case $name in
    pocl | intel) ;;
    intel-gpu)
        ${CC:-cc} -shared -fPIC -D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=120 -o "$at/posing_gpu.so" "$root/tests/posing_gpu.c" -ldl || exit 1
        posing=(LD_PRELOAD="$at/posing_gpu.so") ;;
    rusticl) posing=(RUSTICL_ENABLE=llvmpipe,swrast) ;;
    rusticl-gpu) posing=(RUSTICL_ENABLE=llvmpipe,swrast RUSTICL_DEVICE_TYPE=gpu) ;;
    *) echo "VENDORS: '$name' is none of pocl, intel, intel-gpu, rusticl, rusticl-gpu" >&2; exit 2 ;;
    esac
    "has_${name%-gpu}" "$name" && smoke "$name" "${name%-gpu}" "${posing[@]}"
done
exit $failed
