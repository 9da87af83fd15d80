#!/bin/bash
# SPDX-License-Identifier: MIT
# Puts program, plugins, data, man page and completions where a prefix wants them, or takes them away again.
# usage: tools/stage.sh BUILD PREFIX [DESTDIR]      tools/stage.sh --remove PREFIX [DESTDIR]
set -euo pipefail
if [ "$1" = --remove ]; then
    prefix=$2 root=${3:-}$2
    [ -f "$root/share/orrery/installed" ] || { echo "nothing of Orrery is installed under $root" >&2; exit 2; }
    cd "$root"
    while read -r file; do rm -f -- "$file"; done <share/orrery/installed
    rm -f share/orrery/installed
    # Folders of our own alone; those that still hold something stay.
    find lib/orrery share/orrery share/doc/orrery -depth -type d -empty -delete 2>/dev/null || true
    echo "removed from $root"
    exit 0
fi
build=$(realpath "$1") prefix=$2 root=${3:-}$2
here=$(cd "$(dirname "$0")/.." && pwd)
cd "$here"
case $prefix in /*) ;; *) echo "PREFIX must be an absolute path, not '$prefix'" >&2; exit 2 ;; esac
if [ -f "$root/share/orrery/installed" ]; then "$0" --remove "$prefix" "${3:-}" >/dev/null; fi
mkdir -p "$root"
files=() # below the root
put() { # MODE FILE TARGET
    install -D -m "$1" "$2" "$root/$3"
    files+=("$3")
}

put 755 "$build/orrery" bin/orrery
while read -r plugin; do put 644 "$build/variants/$plugin" "lib/orrery/variants/$plugin"; done < <(cd "$build/variants" && find . -name '*.so' -printf '%P\n' | sort)
for library in flint mpi; do
    [ ! -e "$build/liborrery_$library.so" ] || put 644 "$build/liborrery_$library.so" "lib/orrery/liborrery_$library.so"
done
while read -r file; do put "$([ -x "$file" ] && echo 755 || echo 644)" "$file" "share/orrery/$file"; done < <(
    find variants -mindepth 2 \( -name '*.yaml' -o -name '*.sql' -o -name '*.csv' \) -printf '%p\n' | sort
    find adapters plots results/reference tools/reframe tools/ramble tools/slurm -type f | sort
    echo datasets/manifest)
for file in LICENSE README.md CHANGELOG.md docs/METHOD.md docs/CHEATS.md docs/VALIDITY.md docs/RESULTS.md docs/LIMITS.md docs/CONFIGURATION.md docs/PROGRAMS.md CITATION.cff; do put 644 "$file" "share/doc/orrery/${file##*/}"; done
put 755 tools/artifact.sh share/orrery/tools/artifact.sh
put 755 tools/tune.sh share/orrery/tools/tune.sh
put 644 tools/completion.bash share/bash-completion/completions/orrery
if command -v help2man >/dev/null; then
    mkdir -p "$root/share/man/man1"
    tools/man.sh "$build" >"$root/share/man/man1/orrery.1"
    chmod 644 "$root/share/man/man1/orrery.1"
    files+=(share/man/man1/orrery.1)
else
    echo "without a man page: help2man is missing" >&2
fi
printf '%s\n' "${files[@]}" >"$root/share/orrery/installed"
echo "installed: $root/bin/orrery, $(du -sh "$root/lib/orrery" | cut -f1) of plugins, $(du -sh "$root/share/orrery" | cut -f1) of data"
