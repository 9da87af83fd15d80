#!/bin/bash
# SPDX-License-Identifier: MIT
# The reference results load, have no fault and give the verdicts beside them. No other test says what they are.
# ORRERY_GOLDEN_UPDATE=1 writes the verdicts: results/reference/<machine>/claims.json, and the printed baselines of docs/RESULTS.md.
. "$(dirname "$0")/lib_e2e.sh"
export ORRERY_HOME=$root
cd "$root" || exit 1

# verdicts_of MACHINE: one a line, what `claims --expect` and `check` compare.
verdicts_of() {
    "$orrery" claims --json -r "results/reference/$1" | jq -r 'map({paper, id, machine, device, reading, verdict} |
        with_entries(select(.value != null)) | tojson) | "[\n " + join(",\n ") + "\n]"'
}
# No fault, and the verdicts that came with the results: check compares them as claims --expect does.
is_whole() {
    run 0 check "$1" && grep -q ': 0 faults, 0 beyond their bounds, ' "$work/out" && ! grep -q 'does not know the member' "$work/out" &&
        grep -q '^[0-9]* verdicts, 0 of them differ ' "$work/out"
}
for folder in results/reference/*/; do
    machine=$(basename "$folder")
    [ -z "${ORRERY_GOLDEN_UPDATE:-}" ] || verdicts_of "$machine" >"$folder/claims.json"
    check "$machine-has-no-fault-and-gives-its-verdicts" is_whole "$folder"
done
# Cards whose results hold each printed cell: those of the papers' own programs in their tables and figures, as preset paper has
# them, or a reason in unmeasured.csv. Results of before that rule are not named.
whole=(nvidia-h100-80gb-hbm3 nvidia-h200)
printed_cells() { # FILE of `run --dry-run --json` lines
    "$orrery" query "SELECT e.experiment || ' ' || e.paper || '/' || v.variant FROM experiment e JOIN takes_part t USING (experiment)
        JOIN variant v ON v.paper = e.paper AND v.variant = t.variant WHERE v.named AND e.shows NOT LIKE 'beyond%'" -f csv 2>/dev/null | tr -d '"\r' >"$work/own"
    for paper in variants/*/paper.yaml; do
        "$orrery" run "$(basename "$(dirname "$paper")")" --preset paper --device opencl:0.0 --device host --dry-run --json 2>/dev/null
    done | grep '^{"id"' | jq -c --rawfile own "$work/own" '($own | split("\n")) as $own | select("\(.experiment) \(.variant)" as $this | any($own[]; . == $this))' >"$1"
    [ "$(wc -l <"$1")" -gt 500 ]
}
is_printed() { python3 tests/printed.py "$1" "$work/printed" results/reference/unmeasured.csv "results/reference/$1"/*.jsonl; }
if "$orrery" list devices --json 2>/dev/null | jq -e 'any(.[]; .id == "opencl:0.0")' >/dev/null; then
    check printed-cells-are-known printed_cells "$work/printed"
    for machine in "${whole[@]}"; do check "$machine-has-each-printed-cell" is_printed "$machine"; done
    # One line of a journal, one cell: all others are missing.
    one_is_found() { cat results/reference/nvidia-h200/*.jsonl | jq -c 'select(.record == "cell" and .experiment == "fujiwara/table2" and .outcome == "ok")' >"$work/some.jsonl" &&
        ! python3 tests/printed.py nvidia-h200 "$work/printed" results/reference/unmeasured.csv "$work/some.jsonl" >"$work/out" &&
        grep -q '^not measured: feng/fig12 ' "$work/out" && ! grep -q '^not measured: fujiwara/table2 fujiwara/double-unrolling ' "$work/out"; }
    check what-is-missing-is-named one_is_found
fi
# What follows holds the documents to the results, which takes as long as the rest.
[ "${ORRERY_ALL_TESTS:-}${ORRERY_GOLDEN_UPDATE:-}" ] || exit 0
# The numbers of RESULTS, VALIDITY and METHOD, and what they say of them, are today's (`make docs-numbers` puts them there): in
# a copy with one other number, and one sentence that its numbers do not bear out, these two are found and nothing else.
only_what_is_planted() {
    local folder
    python3 -c '' 2>/dev/null || return 0
    mkdir "$work/tree" && cp -r docs tools README.md "$work/tree" || return 1
    for folder in results variants plots; do ln -s "$root/$folder" "$work/tree/$folder" || return 1; done
    sed -i 's/ComputeForces [0-9.]* to/ComputeForces 7.77 to/' "$work/tree/docs/RESULTS.md"
    sed -i 's/^--: while a > 1.02 AND b > a$/--: while a > 100/' "$work/tree/docs/numbers.sql"
    ! ORRERY=$orrery "$work/tree/tools/docs_numbers.py" >"$work/out" && grep -qF '  - Sorting makes ComputeForces 7.77 to' "$work/out" &&
        grep -qF 'is no longer borne out: it rests on a > 100' "$work/out" && tail -1 "$work/out" | grep -qx '1 sections behind the results, 1 to be mended by hand'
}
check the-numbers-of-the-documentation-are-todays only_what_is_planted
# Prose may be behind the results: that is said, and refused nowhere.
# The times of the README's table.
printed() { ! grep -vxF -f <(grep -oF -f "$2" "$1" | sort -u) "$2"; } # FILE LINES: each line is in FILE
plain() { sed 's/[¹²³]//g; s/  */ /g' "$@"; }
run 0 table fujiwara/table2 -r results/reference/nvidia-h200 && plain "$work/out" >"$work/times"
awk '/^\| (cpu|gpu|simple|double)-/ {while (match($0, /[0-9.]+ (s|ms|us) /)) {print substr($0, RSTART, RLENGTH - 1); $0 = substr($0, RSTART + RLENGTH)}}' \
    README.md >"$work/quoted"
advise 'times of README.md are those of Table II on the H200' printed "$work/times" "$work/quoted"
# The page's table of printed baselines: of each program the largest input, some of the columns. ORRERY_GOLDEN_UPDATE=1 writes it.
for paper in fujiwara shan gaburov feng; do
    run 0 audit $paper/baselines -r results/reference/nvidia-h200 && plain "$work/out" | awk -F ' [|] ' -v paper=$paper '
        /^[*][*]/ {own = /printed baselines/} own && /^[|] [^-]/ {sub(/^[|] /, ""); sub(/ [|]$/, "")
            if (seen++) {if (!($1 in row)) names[++n] = $1; row[$1] = sprintf("| %s: %s%s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |",
                paper, $1, $2 == "—" ? "" : ", " $2, $3, $4, $8, $9, $11, $12, $14, $15, $16, $17)}}
        END {for (k = 1; k <= n; k++) print row[names[k]]}'
done >"$work/rows"
[ -z "${ORRERY_GOLDEN_UPDATE:-}" ] || { awk -v rows="$work/rows" '/^## /{own = /printed baselines/} own && /^[|] [a-z]*: / {while ((getline line <rows) > 0) print line; next} 1' \
    docs/RESULTS.md >"$work/page" && cat "$work/page" >docs/RESULTS.md; }
sed -n '/^## The printed baselines/,/^## Unrolled/p' docs/RESULTS.md | grep '^| [a-z]*: ' >"$work/quoted"
check baselines-are-quoted [ "$(wc -l <"$work/quoted")" -eq "$(wc -l <"$work/rows")" ]
advise 'printed baselines of docs/RESULTS.md are those of today' printed "$work/rows" "$work/quoted"
