#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs the Debian or Ubuntu packages that are missing. usage: tools/install.sh build|test|ci|nightly
set -euo pipefail
case ${1:-} in build | test | ci | nightly) ;; *) echo "usage: $0 build|test|ci|nightly" >&2; exit 2 ;; esac
build="gcc make pkg-config git ocl-icd-opencl-dev opencl-headers pocl-opencl-icd libsqlite3-dev libjansson-dev libcyaml-dev
 libyaml-dev libssl-dev libflint-dev libxxhash-dev librandom123-dev gnuplot-nox"
build_optional="libhdf5-dev libpapi-dev libseccomp-dev libopenmpi-dev openmpi-bin help2man" # the build does without, and doctor says so
test="$build libcmocka-dev jq libxml2-utils python3-jsonschema python3-numpy"
test_optional="$build_optional g++ oclgrind python3-h5py faketime" # not every release has oclgrind; its test is skipped then
ci="$test clang-format-14 clang-tidy-14" # another version formats in another way
ci_optional="$test_optional slurm-wlm munge python3-pandas"
nightly="$test clang-14 libclang-rt-14-dev dpkg-dev" # libFuzzer is part of clang's runtime
# chromium looks at the report; R runs a page's snippets; buildah and mmdebstrap build the container
nightly_optional="$test_optional lintian groff-base chromium texlive-latex-base texlive-latex-recommended python3-pandas python3-venv r-base-core
 r-cran-jsonlite buildah mmdebstrap"
optional=${1}_optional

missing_of() { # packages: those that are not installed
    local package
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
    done
}
mapfile -t missing < <(missing_of ${!1})
mapfile -t wanted < <(missing_of ${!optional})
[ $((${#missing[@]} + ${#wanted[@]})) -eq 0 ] && exit 0
root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "missing packages, and neither root nor sudo to install them: ${missing[*]} ${wanted[*]}" >&2; exit 1; }
    root=(sudo)
fi
"${root[@]}" apt-get update -qq
for package in "${wanted[@]}"; do
    if apt-cache show "$package" >/dev/null 2>&1; then missing+=("$package"); else echo "not in this release, going on without it: $package"; fi
done
[ ${#missing[@]} -eq 0 ] && exit 0
echo "installing: ${missing[*]}"
"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
