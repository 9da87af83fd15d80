#!/bin/bash
# SPDX-License-Identifier: MIT
# tools/Containerfile builds, and what it makes runs. Every night, where buildah and mmdebstrap are installed and the user is
# root: the base image is made of Debian's packages, for no registry of images need be there. Some five minutes.
. "$(dirname "$0")/lib_e2e.sh"
if ! command -v buildah >/dev/null || ! command -v mmdebstrap >/dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "skipped: buildah or mmdebstrap is not installed, or the user is not root"
    exit 0
fi
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
storage=(--root "$work/images" --runroot "$work/run")
buildah() { command buildah "${storage[@]}" "$@"; }
mirror=$(awk '/^(URIs:|deb )/ { for (k = 2; k <= NF; k++) if ($k ~ /^http/) { print $k; exit } }' \
    /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null)
base() {
    local id folder
    mmdebstrap --variant=minbase bookworm "$work/base.tar" "${mirror:-http://deb.debian.org/debian}" &&
        id=$(buildah from scratch) && folder=$(buildah mount "$id") && tar -C "$folder" -xf "$work/base.tar" && buildah umount "$id" &&
        buildah commit -q "$id" docker.io/library/debian:12-slim
}
check "a base image" base
# A clone has what a clean checkout has, and nothing of this build.
builds() ( git clone -q "$root" "$work/clone" && cd "$work/clone" && buildah build --pull-never --network host -q -t orrery -f tools/Containerfile . )
check "the container file builds" builds
id=$(buildah from --pull-never localhost/orrery:latest)
check "its command is doctor" eval '[ "$(buildah inspect --format "{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}" "$id")" = "[orrery] [doctor]" ]'
check "which finds PoCL" eval 'buildah run "$id" -- orrery doctor | grep -q "^ok .*opencl:0.0 .*computes"'
check "a run ends ok" eval 'buildah run "$id" -- orrery run fujiwara/table2 --preset smoke -o /data/results 2>&1 | grep -q "6 ok, 0 wrong, 0 failed"'
