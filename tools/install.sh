#!/bin/bash
# Installs the Debian or Ubuntu packages that are missing. usage: tools/install.sh build|test
set -euo pipefail
case ${1:-} in build | test) ;; *) echo "usage: $0 build|test" >&2; exit 2 ;; esac
build="gcc make pkg-config git ocl-icd-opencl-dev opencl-headers pocl-opencl-icd libsqlite3-dev libjansson-dev libcyaml-dev
 libyaml-dev libmd-dev librandom123-dev libhdf5-dev libhwloc-dev libpapi-dev gnuplot-nox"
test="$build libcmocka-dev oclgrind jq libxml2-utils"
missing=()
for package in ${!1}; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "missing packages, and neither root nor sudo to install them: ${missing[*]}" >&2; exit 1; }
    root=(sudo)
fi
echo "installing: ${missing[*]}"
"${root[@]}" apt-get update -qq
"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
