#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery doctor: its table, its JSON, and what it says of things that are missing.
set -u
cd "$(dirname "$0")/.."
. tests/patience.sh
orrery=${BUILD:-build}/orrery
failed=0
check() { # name, then a command that must succeed
    name=$1
    shift
    if "$@" >/dev/null; then echo "ok $name"; else echo "not ok $name"; failed=1; fi
}
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
timeout "$(patience 120)" "$orrery" doctor >"$here/table" 2>"$here/errors"
check doctor-works test $? -eq 0
check doctor-tries-the-host grep -q '^ok  *device host .*computes' "$here/table"
check doctor-is-quiet-on-stderr test ! -s "$here/errors"
export ORRERY_SPAN_SECONDS=0.001 # the ceilings were measured once
timeout "$(patience 120)" "$orrery" doctor --json >"$here/json" 2>/dev/null
check doctor-json jq -e 'length > 8 and all(.[]; .item and .state and .what)' "$here/json"
check doctor-advises jq -e 'all(.[]; .state == "ok" or .advice != null)' "$here/json"
OCL_ICD_VENDORS=/nonexistent timeout "$(patience 120)" "$orrery" doctor >"$here/bare"
check doctor-without-opencl test $? -eq 0
check doctor-names-the-package grep -q pocl-opencl-icd "$here/bare"
ORRERY_CACHE=/dev/null/nowhere OCL_ICD_VENDORS=/nonexistent timeout "$(patience 120)" "$orrery" doctor >"$here/cache"
check doctor-unwritable-cache grep -q '^FAILED  *kernel cache' "$here/cache"
# Without HOME the cache lies below /tmp, where anyone may have made it.
fallback=/tmp/orrery-$(id -u)
if [ ! -e "$fallback" ] && ln -s "$here" "$fallback"; then
    env -u HOME -u XDG_CACHE_HOME -u ORRERY_CACHE OCL_ICD_VENDORS=/nonexistent timeout "$(patience 120)" "$orrery" doctor >"$here/cache" 2>&1
    check doctor-cache-of-others grep -q '^FAILED  *kernel cache .*is a link' "$here/cache"
    rm -f "$fallback"
fi
# PoCL has no device where it cannot write below HOME; it is given another folder.
ids() { env -u POCL_CACHE_DIR -u XDG_CACHE_HOME "$@" "$orrery" list devices --json 2>"$here/errors" | jq -c 'map(.name)'; }
check doctor-unwritable-home test "$(ids)" = "$(ids HOME=/dev/null/nowhere)"
"$orrery" doctor --nonsense >/dev/null 2>&1
check doctor-unknown-option test $? -eq 2
exit $failed
