#!/bin/bash
# Installs what is needed, builds, and reproduces what this machine can: one command from a fresh checkout to the report.
# usage: ./run_all.sh [--no-install] [--preset smoke|quick|paper|beyond] [--device D]
# Interrupt it whenever you like; run it again and it goes on where it stopped.
set -euo pipefail
cd "$(dirname "$0")"
install=yes preset=quick device=()
while [ $# -gt 0 ]; do
    case $1 in
    --no-install) install=no ;;
    --preset) preset=${2:?--preset needs a name}; shift ;;
    --device) device=(--device "${2:?--device needs a name, see build/orrery list devices}"); shift ;;
    -h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
    *) echo "run_all.sh: unknown option '$1'; --help lists them" >&2; exit 2 ;;
    esac
    shift
done

step() { printf '\n== %s\n' "$*"; }

step "1/5 packages"
if [ $install = yes ]; then tools/install.sh build; else echo "skipped (--no-install)"; fi
step "2/5 build"
make -s -j"$(nproc)" all
build/orrery --version
step "3/5 what this machine has"
build/orrery doctor
step "4/5 every paper, preset $preset (finished cells are not run again)"
status=0
for paper in $(build/orrery list papers | awk 'NR > 1 { print $1 }'); do
    code=0
    build/orrery run "$paper" --preset "$preset" --continue "${device[@]}" || code=$?
    case $code in
    0) ;;
    3 | 5) status=$code ;; # wrong or failed cells are shown in the tables
    *) exit $code ;;
    esac
done
step "5/5 tables, claims, audits, report"
# Here the first table of each paper and the audits; the report has them all.
for experiment in $(build/orrery list experiments | awk -F '[/ ]' 'NR > 1 && !seen[$1]++ { print $1 "/" $2 }'); do
    build/orrery table "$experiment"
done
build/orrery claims
for experiment in $(build/orrery list experiments --json | awk -F '"' '$2 == "name" { name = $4 } $2 == "layout" && $4 == "audit" { print name }'); do
    build/orrery audit "$experiment"
done
build/orrery report -o report
cat <<END

Open $PWD/report/index.html. The program is $PWD/build/orrery; call it so, or
  export PATH="$PWD/build:\$PATH"        for this shell
  make install PREFIX=\$HOME/.local      with man page and bash completion
END
exit $status
