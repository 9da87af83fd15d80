#!/bin/bash
# SPDX-License-Identifier: MIT
# A paper is a folder: tests/fifth/trial, copied to where a stranger would keep it, is built by the Makefile's rules and goes through
# the program as it is. What is shown is compared with the journal, not with other outputs.
. "$(dirname "$0")/lib_e2e.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
papers=$work/papers
mkdir -p "$papers" "$work/build/variants" "$work/bare"
cp -r tests/fifth/trial "$papers/"
for folder in "$BUILD"/variants/*/; do ln -s "$folder" "$work/build/variants/"; done
rm -f "$work/build/variants/trial"
export ORRERY_HOME=$root ORRERY_PAPERS=$papers ORRERY_PLUGINS=$work/build/variants ORRERY_CACHE=$work/cache
device=$("$orrery" list devices --json | jq -r '[.[] | select(.id | startswith("opencl"))][0].id // empty')

# --- building ---
build() { make -C "$root" plugins BUILD="$work/build" PAPERS="$papers/trial" >"$work/make.log" 2>&1; }
compiled() { grep -oE -- '-o [^ ]*\.so' "$work/make.log" | sed 's|.*/||' | sort | tr '\n' ' '; }
check builds-by-the-makefile build
check plugins-are-among-the-others test -s "$work/build/variants/trial/loop.so" -a -s "$work/build/variants/trial/kernel.so"
check plain-make-builds-it-too bash -c "make -C '$root' -n plugins BUILD='$work/bare' | grep -q -- '-o $work/bare/variants/trial/kernel.so'"
check plugins-export-one-symbol test "$(nm -D --defined-only "$work"/build/variants/trial/*.so | grep -v asan | awk 'NF == 3 { print $3 }' | sort -u)" = orr_variant
rebuilds() { touch "$papers/trial/$1" && build && test "$(compiled)" = "$2 "; }
check kernel-rebuilds-what-embeds-it rebuilds kernels/compensated.cl kernel.so
check library-rebuilds-what-takes-it rebuilds shared/sums.c 'kernel.so loop.so'
cd "$work" || exit 1

# --- what there is ---
check list-papers gives 'length == 5 and (.[] | select(.name == "trial") | .year == null and .experiments == 2 and .variants == 2)' list papers --json
check list-experiments gives '[.[] | select(.name | startswith("trial/")) | .name + " " + .layout] == ["trial/rounding rounding", "trial/speed times"]' list experiments --json
check list-variants gives '[.[] | select(.name | startswith("trial/")) | select(.built).name] == ["trial/loop", "trial/kernel"] and all(.built)' list variants --json
check suggests-the-paper fails 2 "did you mean 'trial'" run trail --dry-run
check doctor-names-the-folder gives "any(.item == \"papers\" and .what == \"$papers\")" doctor --json

# --- a run; sums.tsv is what the journal holds of it: n, variant, compensated, device, interactions, median of the samples, error ---
check an-opencl-device test -n "$device"
check run run 0 run trial --preset smoke --device "$device" -o results
journal=$(echo results/*/*.jsonl)
jq -r 'def median: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
    select(.record == "cell") | [.dataset.n, .variant[6:], .parameters.compensated, .device, .interactions,
    (.samples.step_s | median), .error.median] | @tsv' "$journal" >sums.tsv
check every-cell-is-verified recorded 'length == 12 and all(.outcome == "ok" and .error.p99 < 1e-4 and .error.targets == ([.dataset.n, 1024] | min)) and ([.[].device] | unique | length) == 2' "$journal"
# What compensation is for: the plain sums lose digits, the compensated ones do not.
compensates() { awk '{ e[$1 " " $2 " " $3] = $7 } END { for (k in e) if (k ~ / 1$/) { p = k; sub(/1$/, "0", p); if (!(e[k] < e[p])) exit 1 } }' sums.tsv; }
check compensation-works compensates

# --- its own table, against sums.tsv; what a table looks like in each format is for tests/golden ---
check table-as-rows eval 'run 0 table trial/rounding -f csv && mv out table.csv && [ "$(wc -l <table.csv)" -eq 13 ]'
# The grid: its first line of numbers by the journal, and what is written beside numbers.
grid() {
    run 0 table trial/rounding && grep -qE '^\| program +\| setting +\| on +\| N = 250, error \| N = 250, time \| N = 500, error \| N = 500, time \| N = 1000, error \| N = 1000, time \|$' out &&
        awk '$2 == "loop" && $3 == 1 { printf " %.2e \n", $7 }' sums.tsv | while read -r error; do grep 'plain loop.*compensated=1' out | grep -qF "$error" || exit 1; done &&
        grep -qF ' ~999000¹ |' out && grep -qxF '1. The digits after the first three are not printed.' out && grep -qxF -- '- Every number that this paper prints is invented.' out
}
check table-for-people grid

# --- its own figure: a curve with a mark for each size ---
curves() {
    run 0 plot trial/rounding -o figure.svg && xmllint --noout figure.svg || return 1
    [ "$(grep -oE ">(plain loop|kernel), compensated=[01] \([a-z]*\), (host|$device)<" figure.svg | sort -u | wc -l)" -eq 4 ] &&
        [ "$(grep -oE "d='M[0-9.]+,[0-9.]+( L[0-9.]+,[0-9.]+){2} *'" figure.svg | sort -u | wc -l)" -eq 4 ]
}
check figure curves

# --- its claims: one follows from the sizes, one is beyond any processor ---
fastest() { awk -v on="$1" '$1 == 1000 && $4 == on && (!least || $6 < least) { least = $6 } END { print 1e6 * least }' sums.tsv; }
judges() {
    run 0 claims trial --json && jq -e --arg d "$device" --argjson host "$(fastest host)" --argjson opencl "$(fastest "$device")" '
        [.[] | .id + " " + .device + " " + .verdict] == ["T1 host reproduced", "T1 " + $d + " reproduced", "T2 host not reproduced", "T2 " + $d + " not reproduced"]
        and all(.[] | select(.id == "T1"); .measured == "interactions 62250, 249500, 999000 at N = 250, 500, 1000")
        and all(.[] | select(.id == "T2"); (.measured | capture("sum (?<us>[0-9.]+) us").us | tonumber) / (if .device == "host" then $host else $opencl end) | . > 0.99 and . < 1.01)' out
}
check claims judges
page() {
    run 0 report -o page && xmllint --html --noout page/*.html && cmp page/trial-rounding-*.csv table.csv && for verdict in '✓ reproduced' '✗ not reproduced'; do
        [ "$(grep -c "^<div class=\"verdict\".*$verdict</span>" page/trial.html)" -eq 2 ] || return 1
    done
}
check report page

# --- mistakes ---
wrong_kernel() {
    sed -i 's/KAHAN_ADD(x, lost_x, one_x)/KAHAN_ADD(x, lost_x, -one_x)/' "$papers/trial/kernels/compensated.cl" && build &&
        run 3 run trial/kernel --preset smoke --device "$device" --set n=250 -o wrong && run 0 table trial/rounding -r wrong -f csv &&
        test "$(jq -r 'select(.record == "cell") | "\(.parameters.compensated) \(.outcome)"' wrong/*/*.jsonl | sort | tr '\n' ' ')" = '0 ok 1 wrong '
}
check wrong-forces-are-found wrong_kernel
cp "$papers/trial/tables.sql" tables.kept
# wrong SED COMMAND...: with that line of tables.sql changed
wrong() {
    local status=0
    sed -i "$1" "$papers/trial/tables.sql" && "${@:2}" || status=$?
    cp tables.kept "$papers/trial/tables.sql"
    return $status
}
# A layout that would change what was measured, or write a file, is refused with its line.
for statement in 'DELETE FROM cell' 'CREATE TABLE kept(a)' "ATTACH '$work/stolen.db' AS stolen"; do
    check "layout-may-not-${statement%% *}" wrong "/^--: layout rounding/a --: setup\n$statement;" fails 2 "trial/tables.sql:.*not allowed here: layouts may read" table trial/rounding
done
# Nor does it choose another script than one of plots/, give gnuplot more than values, or go round in circles.
plots=(plot trial/rounding -r wrong -o x.svg)
check figure-is-a-script-of-plots wrong 's|^--: figure curves|--: figure ../../curves|' fails 2 "tables.sql:[0-9]*: '../../curves' is no script of plots/" "${plots[@]}"
check variable-is-a-word wrong "s|^SELECT 'x_label'|SELECT 'x = 1; y'|" fails 2 "tables.sql:[0-9]*: 'x = 1; y' is no name of a variable" "${plots[@]}"
check part-does-not-use-itself wrong 's|^--: figure curves|&\n--: use p\n--: part p\n--: use p|' fails 2 "part 'p' uses itself" "${plots[@]}"
check unknown-filler-has-its-line wrong '/^--: layout rounding/a --: fill audits' fails 2 "$papers/trial/tables.sql:5: nothing fills 'audits'" table trial/rounding
mkdir -p second && cp -r "$root/tests/fifth/trial" second/
both() { ORRERY_PAPERS=$papers:$work/second "$@"; }
two="there are two papers 'trial': $papers/trial and $work/second/trial"
check two-of-one-key both fails 2 "$two" describe trial
check the-others-are-listed eval '! both run 0 list papers && grep -q "^fujiwara " out'
check two-of-one-key-for-make bash -c "! ORRERY_PAPERS='$papers:$work/second' make -C '$root' -n plugins BUILD='$work/bare' 2>&1 | tee log | grep -q gcc && grep -q 'two papers' log"
check one-folder-twice eval 'ORRERY_PAPERS=$papers:$papers/../papers/ run 0 describe trial'
check no-such-folder eval '! ORRERY_PAPERS=$papers:/none run 0 list papers && grep -q "ORRERY_PAPERS names /none, which is no folder" err'
check the-paper-itself eval '! ORRERY_PAPERS=$papers/trial run 0 list papers && grep -q "names the paper .*/trial, not the folder that holds it" err'
