#!/bin/bash
# SPDX-License-Identifier: MIT
# Variables of the environment: each one that is read is explained, and doctor names those that nothing reads.
# Prints "ok NAME" or "not ok NAME" a line.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
cd "$work" || exit 1

# --- doctor ---
doctor() { ORRERY_DRIVRES=host ORRERY_RUN_DEVICE=host ORRERY_DRIVERS=none "$orrery" doctor --json >"$work/found" 2>/dev/null; }
doctor
finds() { jq -e --arg item "$1" --arg state "$2" --arg what "$3" 'any(.item == $item and .state == $state and (.what | test($what)))' "$work/found"; }
check doctor-names-variables finds variable ok '^ORRERY_DRIVERS=none$'
check doctor-names-misspelt-ones finds variable missing "ORRERY_DRIVRES; did you mean 'ORRERY_DRIVERS'"
check options-have-no-variables finds variable missing "nothing reads ORRERY_RUN_DEVICE"
ignored() { echo 'rum: {device: nowhere}' >orrery.yaml && run 0 list papers; }
check nor-files ignored

# --- the page ---
page=$root/docs/CONFIGURATION.md
explained() { # what `orrery help environment` says stands on the page
    local name text count=0
    run 0 help environment || return 1
    while read -r name text; do
        count=$((count + 1))
        grep -qxF "| \`$name\` | ${text//|/\\|} |" "$page" || { echo "not in docs/CONFIGURATION.md: | \`$name\` | $text |"; return 1; }
    done <"$work/out"
    [ $count -gt 10 ]
}
check variables-are-on-the-page explained
# Every name that the sources have in quotes, read by getenv or through a constant, is among them.
sources() { grep -rhoE '"ORRERY_[A-Z_]+"' "${@:-$root/harness}" "$root"/{variants,datasets} | tr -d '"' | sort -u; }
all_explained() {
    local name
    for name in $(sources "$@"); do grep -q "^| \`$name\` |" "$page" || { echo "$name is read and not explained"; return 1; }; done
}
check variables-of-the-program all_explained
planted() { mkdir -p planted && echo 'static const char NEW[] = "ORRERY_NEW";' >planted/new.c && ! all_explained planted >/dev/null; }
check a-new-variable-is-seen planted
# Those that only tests, tools and the Makefile read.
of_tests() {
    {
        grep -rhoE 'getenv\("ORRERY_[A-Z_]+"\)' "$root/tests"
        grep -rhoE '\$\{ORRERY_[A-Z_]+' "$root"/{tests,tools,.ci,Makefile,run_all.sh}
    } | grep -oE 'ORRERY_[A-Z_]+' | sort -u | while read -r name; do
        grep -q "^| \`$name\` |" "$page" || echo "$name is not on the page"
    done | tee missing
    [ ! -s missing ]
}
check variables-of-tests of_tests
finish
