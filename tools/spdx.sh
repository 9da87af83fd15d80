#!/bin/bash
# SPDX-License-Identifier: MIT
# Adds the line that names the licence to each source that lacks it; `make format` runs it. usage: tools/spdx.sh [--check]
# With --check prints these sources, and exits with 1 where there are any.
set -euo pipefail
tag=SPDX-License-Identifier # on its own, for REUSE reads this file, too
cd "$(dirname "$0")/.."
mapfile -t lacking < <(git ls-files -z -co --exclude-standard -- Makefile '*.[ch]' '*.cl' '*.sh' '*.py' '*.mk' '*.gp' '*.sql' '*.js' '*.css' '*.awk' \
    ':!tests/fuzz/corpus' ':!tests/data' ':!tests/cases' | xargs -0 grep -LsF "$tag: MIT")
if [ "${1:-}" = --check ]; then
    printf '%s' "${lacking[*]/%/$'\n'}"
    [ ${#lacking[@]} -eq 0 ]
    exit
fi
for file in "${lacking[@]}"; do
    line="$tag: MIT"
    case $file in
    *.[ch] | *.cl | *.js | *.css) line="/* $line */" ;;
    *.sql) line="-- $line" ;;
    *) line="# $line" ;;
    esac
    if head -n 1 "$file" | grep -q '^#!'; then sed -i "1a $line" "$file"; else sed -i "1i $line" "$file"; fi
done
