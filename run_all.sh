#!/bin/bash
# SPDX-License-Identifier: MIT
# Reproduces what this machine can of the four papers: installs packages, builds, measures, and ends with a page.
# The first table comes after two minutes, the page after eight, on two cores without a GPU.
# usage: ./run_all.sh [--no-install] [--preset smoke|quick|paper|beyond] [--device D]
#   --preset quick takes 25 minutes on two cores; paper has the published sizes and wants a GPU.
# Stop it whenever you like; run it again and it goes on where it stopped.
set -euo pipefail
cd "$(dirname "$0")"
install=yes preset=smoke device=()
while [ $# -gt 0 ]; do
    case $1 in
    --no-install) install=no ;;
    --preset) preset=${2:?--preset needs a name}; shift ;;
    --device) device=(--device "${2:?--device needs a name, see build/orrery list devices}"); shift ;;
    -h | --help) sed -n '2,6s/^# //p' "$0"; exit 0 ;;
    *) echo "run_all.sh: unknown option '$1'; --help lists them" >&2; exit 2 ;;
    esac
    shift
done

step() { printf '\n== %s\n' "$*"; }

# What is wrong or failed is shown in the tables and by the exit status; anything else ends this.
status=0
reproduce() {
    local code=0
    build/orrery reproduce "$@" "${device[@]}" || code=$?
    case $code in
    0) ;;
    3 | 5) status=$code ;;
    *) exit $code ;;
    esac
}

if [ $install = yes ]; then
    step "packages"
    tools/install.sh build
fi
step "build: about a minute on two cores"
make -j"$(nproc)" all | awk '/ -c / && ++n % 50 == 0 { print n " files compiled"; fflush() } END { if (n) print n " files compiled" }'
build/orrery --version
step "first table: fujiwara/table2 at 7500 bodies"
reproduce fujiwara/table2 --preset smoke
for paper in $(build/orrery list papers | awk 'NR > 1 { print $1 }'); do
    step "$paper, preset $preset"
    reproduce "$paper" --preset "$preset"
done
step "the page"
build/orrery report -o report
cat <<END

Open $PWD/report/index.html. The program is $PWD/build/orrery; call it so, or
  export PATH="$PWD/build:\$PATH"        for this shell
  make install PREFIX=\$HOME/.local      with man page and bash completion
\`orrery doctor\` says what this machine offers; \`orrery claims N2\` says why a verdict is as it is.
END
exit $status
