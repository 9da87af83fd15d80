#!/bin/bash
# SPDX-License-Identifier: MIT
# docs/LIMITS.md: its table is what its query says of the reference journals, its other numbers stand in the records that
# it names. With ORRERY_GOLDEN_UPDATE=1 the table is written anew.
. "$(dirname "$0")/lib_e2e.sh"
page=$root/docs/LIMITS.md
cd "$work" || exit 1

# Lines of the page from the one marker up to the next, and what the query says.
between() { sed -n "/^<!-- $1 -->\$/,/^<!-- end -->\$/p" "$2" | grep -v '^<!--'; }
says() {
    run 0 query -r nvidia-h200 -r nvidia-h100-80gb-hbm3 -- "$(cat "$root/docs/examples/limits.sql")" || return 1
    { echo "<!-- $1 -->" && grep '^|' out && echo '<!-- end -->'; } >said
    [ "$(wc -l <said)" -gt 6 ] || return 1
    if [ "${ORRERY_GOLDEN_UPDATE:-}" = 1 ]; then
        awk -v marker="<!-- $1 -->" '$0 == marker{skip = 1; while ((getline line <"said") > 0) print line} !skip{print} /^<!-- end -->$/{skip = 0}' \
            "$page" >written && cp written "$page"
    fi
    between "$1" "$page" >shown && between "$1" said | diff - shown
}
# Results that are measured again make the page old, and refuse nothing.
advise "the table of docs/LIMITS.md is what the journals say; ORRERY_GOLDEN_UPDATE=1 $0 writes it" says measured

# Each row of "What binds": numbers that the records of the row have, too.
backed() {
    local row record number count=0
    while read -r row; do
        : >records
        for record in $(grep -o 'decisions/[0-9a-z.-]*\.md' <<<"$row"); do cat "$root/docs/$record" >>records || return 1; done
        [ -s records ] || { echo "no record: $row"; return 1; }
        for number in $(sed 's/\[[0-9]*\]([^)]*)//g; s/`[^`]*`//g' <<<"$row" | grep -oE '[0-9]+(\.[0-9]+)?(e[0-9-]+)?' | sort -u); do
            count=$((count + 1))
            grep -qE "(^|[^0-9.])${number//./\\.}([^0-9.e]|\.[^0-9]|\.?\$)" records || { echo "$number is in no record of: $row"; return 1; }
        done
    done < <(sed -n '/^## What binds/,$p' "$page" | grep '^| ' | tail -n +2)
    [ "$count" -gt 40 ]
}
advise 'numbers of docs/LIMITS.md stand in the records' backed
check a-wrong-number-is-seen eval 'sed "s/2\.47e12/2.48e12/" "$page" >wrong.md && ! (page=wrong.md backed)'
finish
