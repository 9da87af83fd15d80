#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery doctor: what is there, what is missing and what to do about it; variables of the environment, each of which is explained.
. "$(dirname "$0")/lib_e2e.sh"
check doctor-tries-the-host prints '^ok  *device host .*computes' doctor
check doctor-is-quiet-on-stderr test ! -s "$work/err"
advises() { ORRERY_DRIVRES=host ORRERY_RUN_DEVICE=host ORRERY_DRIVERS=none run 0 doctor --json && jq -e 'length > 8 and all(.[]; .item and .what and (.state == "ok" or .advice != null))' "$work/out"; }
check doctor-advises advises
finds() { jq -e --arg state "$1" --arg what "$2" 'any(.item == "variable" and .state == $state and (.what | test($what)))' "$work/out"; }
check doctor-names-variables finds ok '^ORRERY_DRIVERS=none$'
check doctor-names-misspelt-variables finds missing "ORRERY_DRIVRES; did you mean 'ORRERY_DRIVERS'"
check options-have-no-variables finds missing "nothing reads ORRERY_RUN_DEVICE"
export OCL_ICD_VENDORS=/nonexistent
check doctor-without-opencl-or-cache eval 'ORRERY_CACHE=/dev/null/nowhere run 0 doctor && grep -q pocl-opencl-icd "$work/out" && grep -q "^FAILED  *kernel cache" "$work/out"'
# Without HOME the cache lies below /tmp, where anyone may have made it.
fallback=/tmp/orrery-$(id -u)
if [ ! -e "$fallback" ] && ln -s "$work" "$fallback"; then
    env -u HOME -u XDG_CACHE_HOME -u ORRERY_CACHE timeout "$(patience 120)" "$orrery" doctor >"$work/out" 2>&1
    check doctor-cache-of-others grep -q '^FAILED  *kernel cache .*is a link' "$work/out"
    rm -f "$fallback"
fi
unset OCL_ICD_VENDORS
# PoCL has no device where it cannot write below HOME; it is given another folder.
ids() { env -u POCL_CACHE_DIR -u XDG_CACHE_HOME "$@" "$orrery" list devices --json 2>/dev/null | jq -c 'map(.name)'; }
check doctor-unwritable-home test "$(ids)" = "$(ids HOME=/dev/null/nowhere)"

# --- the page of variables ---
page=docs/CONFIGURATION.md
explained() { # what `orrery help environment` says stands on the page
    run 0 help environment && [ "$(wc -l <"$work/out")" -gt 10 ] &&
        ! sed -E 's/\|/\\|/g; s/^ *([^ ]+) +(.*)/| `\1` | \2 |/' "$work/out" | grep -vxFf "$page"
}
check variables-are-on-the-page explained
# Every name that the sources have in quotes, and that tests, tools and the Makefile read, is among them.
all_explained() { # FOLDER of the program
    {
        grep -rhoE '"ORRERY_[A-Z_]+"' "$1" variants datasets
        grep -rhoE 'getenv\("ORRERY_[A-Z_]+"\)' tests
        grep -rhoE '\$\{ORRERY_[A-Z_]+' tests tools .ci Makefile run_all.sh
    } | grep -oE 'ORRERY_[A-Z_]+' | sort -u | while read -r name; do
        grep -q "^| \`$name\` |" "$page" || echo "$name is read and not explained"
    done | tee "$work/missing"
    [ ! -s "$work/missing" ]
}
check variables-of-program-and-tests all_explained harness
planted() { mkdir "$work/planted" && echo 'static const char NEW[] = "ORRERY_NEW";' >"$work/planted/new.c" && ! all_explained "$work/planted" && grep -q ORRERY_NEW "$work/missing"; }
check a-new-variable-is-seen planted
