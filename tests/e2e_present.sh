#!/bin/bash
# SPDX-License-Identifier: MIT
# Tables, plots and the report through the command line, from invented records: tests/data/ledger-fixture.jsonl and, of
# boxes and of tree codes, shan-fixture.jsonl, feng-fixture.jsonl and gaburov-fixture.jsonl beside it.
. "$(dirname "$0")/lib_e2e.sh"
use_papers

# Without any result the published numbers and the command that measures stand there.
check table-without-results eval 'shows "\`orrery run fujiwara/table2\` measures it" table fujiwara/table2 && grep -q "no journals here" err'

mkdir -p results/fixture-gpu
cp "$root"/tests/data/{ledger,shan,feng,gaburov}-fixture.jsonl results/fixture-gpu/
for set in figure-eight-3 figure-eight-4 cartwheel; do
    for steps in 0 100 200; do
        awk -v OFS=, -v s=$steps 'BEGIN { if (s) print "x,y,z"; for (k = 0; k < 60; k++) print cos(k) * (1 + k / 20), sin(k) + s / 100, cos(3 * k) }' \
            >"results/fixture-gpu/20260102T030405Z-f1f7-$set-$steps.csv"
    done
done
# --- the report, which draws every figure that there are results of ---
reported() { test "$("$orrery" report 2>report.err)" = report/index.html && ! grep 'figures are missing' report.err && xmllint --noout report/*.svg; }
check report reported
drawn() { grep -q -- "$2" "report/$1-fixture-gpu.svg"; } # EXPERIMENT TEXT

check damaged-line-is-counted fails 0 '1 damaged line' table fujiwara/table2
check table-of-a-paper shows 'Table III' table fujiwara
check table-says-which-clock shows '- clocks: 100 steps are timed as one; a step begins with its bodies on the device' table fujiwara/table3
check an-integration-is-timed-as-a-whole shows '**Table III as printed, and 100 steps measured here ' table fujiwara/table3
# A later run with cold caches has lines of its own; where a program has one line, it is the warm one.
mkdir cold
cp "$root/tests/data/ten-cells.jsonl" cold/warm.jsonl
jq -c 'if .record == "run" then .started |= sub("2026"; "2027") | .run |= sub("2026"; "2027") elif .record == "cell" and .outcome == "ok" then
    .parameters.caches = "cold" | .id |= "cold" + .[4:] | .seconds *= 9 | .interactions_per_second /= 9 | .interval |= map(. * 9) | .samples.step_s |= map(. * 9)
    else . end | del(.check)' cold/warm.jsonl >cold/later.jsonl
rates() { run 0 table fujiwara/fig14 -r "$1" && sed -n '/^[*][*]GFLOPS of a step/,/^[*][*]Figures/p' out; }
check cold-caches-are-shown-and-no-figure eval 'rates cold/warm.jsonl >warm.md && [ -s warm.md ] && rates cold | diff warm.md - && grep -q caches=cold out'
check table-into-a-file eval 'run 0 table fujiwara/table2 -f csv -o t.csv && head -1 t.csv | grep -q "^machine,dataset,n,variant,"'
check unknown-experiment fails 2 "did you mean .fujiwara/table2" table fujiwara/tabl2
check unknown-format fails 2 'md, csv, tex or json' table fujiwara/table2 --format xml
check csv-holds-one-experiment fails 2 'name one' table fujiwara --format csv
check unwritable-output fails 2 '/no/such/folder/t.md' table fujiwara/table2 -o /no/such/folder/t.md

check plot-default-names bash -c "'$orrery' plot fujiwara/table2 && test -s fujiwara-table2.svg -a -s fujiwara-table2.png"
# The GPU by a second driver, whose ceiling is so many times as high: one band, or two with names apart, clear of the curves.
twin() { sed '$d' "$root/tests/data/ledger-fixture.jsonl" | jq -c --argjson times "$1" '., (select(.device == "cuda:0" and (.record == "ceiling" or .experiment == "fujiwara/fig14")) |
    .device = "opencl:0.0" | if .id then .id |= "0ce1" + .[4:] else .interactions_per_second *= $times end)' >twin.jsonl && "$orrery" plot fujiwara/fig14 -r twin.jsonl -o twin.svg; }
place() { grep -B1 "<text>measured ceiling, $1<" twin.svg | sed -n 's/.*translate(\([0-9]*\)[^,]*,\([0-9]*\).*/\'"$2"'/p'; }
one_band() { twin 0.98 && test "$(grep -c 'measured ceiling' twin.svg)" -eq 2 && test -n "$(place 'cuda:0, opencl:0.0' 2)"; }
check plot-of-equal-ceilings one_band
two_bands() { twin "$1" && test $(($(place opencl:0.0 2) - $(place cuda:0 2))) -ge 18; }
check plot-of-ceilings-apart two_bands 0.8
check plot-names-ceilings-off-curves bash -c "test $(place host 1) -gt $(place cuda:0 1)"
check plot-of-three-processes eval 'run 0 plot feng/fig6 -r "$frozen_cpu" -o three.svg && ! grep -q "within one run" three.svg && grep -q "; extrapolated from the cell " three.svg && grep -q "samples of 3 processes; " three.svg'
check plot-snapshots-panels bash -c "test \$(grep -o '>[A-Za-z0-9:, -]*, N = [0-9]*, [0-9]* steps' report/fujiwara-snapshots-fixture-gpu.svg | sort -u | tee panels | wc -l) -eq 12 && grep -q 'cartwheel, front' panels"
# A journal of others may name any file as its pictures' data: only one of its own folder is read, and no link.
mkdir -p named/fixture-gpu
for way in ../outside.csv link.csv "$work/results/outside.csv"; do
    jq -cR --arg way "$way" 'fromjson? | if .bodies_file then .bodies_file = $way else . end' "$root/tests/data/ledger-fixture.jsonl" \
        >named/fixture-gpu/j.jsonl
    printf 'x,y,z\n1,2,3\n' | tee named/outside.csv >results/outside.csv
    ln -sf ../outside.csv named/fixture-gpu/link.csv
    check "plot-reads-no-$(basename "$way")-by-${#way}-characters" fails 2 'nothing to plot' plot fujiwara/snapshots -r named -o named.svg
done
rm -rf named results/outside.csv
# Between cells with errors of 1e-5 and 1e-3 the time and each error follow a power law: 1e-4 is half-way.
equal_error() {
    mkdir -p equal/m && jq -cR 'fromjson? | if .record == "cell" then select(.experiment == "gaburov/fig3.7" and .variant == "gaburov/octgrav-modern"
            and .dataset.n == 100000 and .parameters.theta != 0.7) | .experiment = "gaburov/equal-error" | (.parameters.theta == 0.3) as $low
            | .error.median = (if $low then 1e-5 else 1e-3 end) | .error.p99 = 10 * .error.median | .error.max = 100 * .error.median
            else . end' "$root/tests/data/gaburov-fixture.jsonl" >equal/m/a.jsonl && gives '[.equal[] | select(.median == 1e-4)]
            | length == 1 and (.[0] | (.seconds / (0.00113111 * 0.00042 | sqrt) - 1 | fabs) < 1e-5 and (.p99 / 1e-3 - 1 | fabs) < 1e-9 and (.max / 1e-2 - 1 | fabs) < 1e-9)' table gaburov/equal-error -r equal --format json
}
check errors-are-made-equal equal_error
legend() { drawn gaburov-fig3.7 '>extrapolated from fewer' && [ "$(grep -c '<text>theta = 0.5<' report/gaburov-fig3.7-fixture-gpu.svg)" -eq 1 ]; }
check plot-panels-legend legend
mkdir -p treeless/m none/m # the direct sum that the last panel divides by is not there; a sweep all of whose cells failed
jq -cR 'fromjson? | select(.record != "cell" or (.experiment == "gaburov/fig3.7" and .variant == "gaburov/octgrav"))' "$root/tests/data/gaburov-fixture.jsonl" >treeless/m/a.jsonl
sed -e 's/"outcome":"ok"/"outcome":"failed"/' results/fixture-gpu/ledger-fixture.jsonl >none/m/a.jsonl
check plot-panels-of-nothing eval 'run 0 plot gaburov/fig3.7 -r treeless -o p.svg && xmllint --noout p.svg && [ "$(grep -c ">not measured<" p.svg)" -eq 1 ]'
check plot-of-failed-cells eval 'run 0 plot fujiwara/unroll-sweep -r none -o failed.svg && grep -q ">failed<" failed.svg'
check plot-trees-linear eval "drawn feng-fig12 '>linear<' && drawn feng-fig12 '>≈ extrapolated from fewer'"
check plot-trees-without-results fails 2 'orrery run feng/fig10' plot feng/fig10 -o t.svg
check plot-names-estimates drawn shan-table3 '>extrapolated from fewer'
check plot-pdf-is-a-pdf bash -c "'$orrery' plot fujiwara/fig14 -o f.pdf && head -c 5 f.pdf | grep -q %PDF"
check plot-ending fails 2 '.svg, .png or .pdf' plot fujiwara/table2 -o picture.gif
check plot-without-gnuplot eval 'PATH=/nonexistent "$orrery" plot fujiwara/table2 -o x.svg 2>err; [ $? -eq 4 ] && grep -q "apt-get install gnuplot-nox" err'
# A full disk, played by a limit on file sizes and by a gnuplot that ends well with half a picture: what was there stays.
limited() { (trap '' XFSZ; ulimit -f 1; "$orrery" "$@" 2>"$work/err"); [ $? -eq 2 ] && [ "$(cat kept/*)" = before ] && [ "$(ls kept | wc -l)" = 1 ]; }
keep() { rm -rf kept && mkdir kept && echo before >"kept/$1"; }
half_gnuplot() { mkdir -p fake && printf '#!/bin/sh\nexit 0\n' >fake/gnuplot && chmod +x fake/gnuplot; PATH=$work/fake:$PATH "$orrery" "$@" 2>"$work/err"; [ $? -eq 2 ] && grep -q 'disk full' "$work/err" && [ "$(cat kept/*)" = before ]; }
keep t.md
# A cell from before a parameter was there does not stand beside published numbers where one with the paper's value does.
{
    echo '{"record":"run","run":"r","started":"2026-01-01T00:00:00Z","machine":{"name":"m"}}'
    jq -cn '({}, {integrate: "device"}, {integrate: "host"}) | {record: "cell", id: "c\(.integrate)", experiment: "fujiwara/table2", variant: "fujiwara/no-unrolling", device: "host", dataset: {name: "cartwheel", n: 18000},
        parameters: (. + {steps: 0}), outcome: "ok", seconds: 1, samples: {step_s: [1]}}'
} >flows.jsonl
check published-numbers-beside-the-papers-setting gives '[.rows[] | select(.variant == "no-unrolling" and .published_printed == "0.052")] | length == 1 and .[0].parameters.integrate == "host"' \
    table fujiwara/table2 -r flows.jsonl -f json
check table-on-a-full-disk limited table fujiwara/table2 -o kept/t.md
keep index.html
check report-on-a-full-disk limited report -r "$frozen_cpu" -o kept
keep x.svg
check plot-on-a-full-disk half_gnuplot plot fujiwara/table2 -o kept/x.svg
check plot-leaves-no-folder bash -c "mkdir tmp && TMPDIR=$work/tmp '$orrery' plot fujiwara/table2 -o x.svg && test -z \"\$(ls tmp)\""

# Rooflines, of a device with every ceiling and counters, and energy.
roofs=$root/tests/data/roofline-fixture.jsonl
check generations prints '^\| table2: double-unrolling .*Radeon HD 4850 \(625 MHz\) \(2008\) .*NVIDIA H200 \(cuda:0, frozen-gpu, 2024\)' generations fujiwara/table2 -r "$frozen_gpu"
check generations-as-json gives '(.rows | length > 4) and (.orders | length > 0) and (.devices | any(.external != null)) and (.normalised | length > 0)' generations shan -r "$frozen_gpu" --json
check generations-as-csv prints '^experiment,variant,setting,.*,factor_clock,factor_lanes,factor_slots,factor_share,' table generations shan -r "$frozen_gpu" -f csv
check generations-drawn bash -c "'$orrery' plot generations shan -r '$frozen_gpu' && xmllint --noout generations-shan.svg && grep -q 'cuda:0 of frozen-gpu, 2024' generations-shan.svg && head -c 8 generations-shan.png | grep -aq PNG"
upright_names_apart() { # by more than their height of 15 pixels
    "$orrery" plot generations fujiwara -r "$frozen_gpu" -r "$frozen_cpu" -r "$root/tests/data/intel-xeon-2-cores" -o g.svg &&
        grep 'rotate(-90)' g.svg | sed 's/.*translate(\([0-9.]*\),.*/\1/' | sort -n |
        awk 'NR > 1 && $1 - last < 16 { exit failed = 1 } { last = $1 } END { exit failed || NR < 8 }'
}
check generations-names-apart upright_names_apart
check generations-of-nothing-printed fails 2 'no time that feng prints was measured here' plot generations feng -r "$frozen_gpu"
check generations-unmeasured shows 'nothing whose time or rate is printed was measured here; `orrery run gaburov` measures it' generations gaburov -r "$root/tests/data/feng-fixture.jsonl"
check generations-csv-holds-one fails 2 'a csv file holds one table' generations -f csv
check machines-side-by-side bash -c "'$orrery' table shan/table3 -r '$frozen_gpu' -r '$frozen_cpu' -m frozen-gpu -m frozen-cpu | grep -q '| Tesla C1060 (2008) .* frozen-gpu cuda:0 .* frozen-cpu opencl:0.0 '"
check machines-are-two fails 2 '--machine names nvidia-h200 twice' table shan/table3 -m nvidia-h200,nvidia-h200
check machines-of-one-quantity fails 2 '--quantity shows one machine, not 2' table shan/table3 -m nvidia-h200 -m amd-epyc-2-cores -q energy
check machine-of-a-plot fails 2 '--machine takes one machine here' plot shan/table3 -m nvidia-h200 -m amd-epyc-2-cores
check roofline bash -c "'$orrery' plot roofline shan -r '$roofs' && xmllint --noout roofline-shan.svg && head -c 8 roofline-shan.png | grep -aq PNG"
check roofline-names-its-roofs bash -c "for name in 'L1/shared 40.0 TB/s' 'L2 6.00 TB/s' 'DRAM 4.00 TB/s' 'fp32 fma 64.0 T' 'fma issued 1.00 T' 'pairs 2d 42.0 T' 'published peak 622 G' 'Previous BPB 66 %'; do grep -q \">\$name<\" roofline-shan.svg || { echo \"\$name\"; exit 1; }; done"
check roofline-of-several bash -c "'$orrery' plot roofline shan/table3 fujiwara && test -s roofline-shan-table3.png -a -s roofline-fujiwara.svg"
check roofline-of-all-papers bash -c "mkdir all && cd all && '$orrery' plot roofline -r '$roofs' && test \"\$(ls | tr '\\n' ' ')\" = 'roofline-shan.pdf roofline-shan.png roofline-shan.svg '"
check roofline-without-data fails 2 'feng has no cell here whose work is known' plot roofline feng -r "$roofs"
check roofline-names-one-file fails 2 'names one file' plot roofline shan fujiwara -o r.png
check roofline-table bash -c "'$orrery' table roofline shan -r '$roofs' -f csv | grep -q '^flops,fixture-roof,cuda:0,Fixture GPU,bpb,'"
check roofline-has-no-quantity fails 2 'says nothing there' table roofline shan --quantity energy
check energy-plot bash -c "'$orrery' plot shan/table3 -q energy -r '$roofs' && xmllint --noout shan-table3-energy.svg"
check energy-nobody-measured fails 2 'run fujiwara/table2. with --energy' plot fujiwara/table2 --quantity energy -o e.svg

# The parser knows HTML 4, which has no parts to fold out and no drawings.
well_formed() {
    for page in report/*.html; do
        sed 's,</*details[^>]*>,,g; s,</*summary>,,g; /^<svg/,/^<.svg>/d' "$page" >page.html
        xmllint --html --noout page.html 2>lint && test ! -s lint || { echo "$page"; cat lint; return 1; }
    done
}
check report-is-well-formed well_formed
check report-loads-nothing bash -c "! grep -Eq '(src|href)=\"(https?:)?//' report/*.html"
check report-has-figures bash -c "test \$(cat report/*.html | grep -c '^<svg') -ge 7 -a \$(grep -c '<img src=' report/index.html) -ge 1"
# Every page, picture and part that is linked to is there, a part once.
linked() {
    local bad
    bad=$(for page in report/*.html; do
        grep -o ' id=.[^"'"'"' ]*' "$page" | sed "s|^ id=.|id ${page#report/}#|"
        grep -Eo '(href|src)=.[^"'"'"']*' "$page" | sed -E "s/^(href|src)=.//; s|^#|${page#report/}#|; s/^/to /" | sort -u
    done | awk '$1 == "id" && seen[$2]++ { print "twice: " $2 } $1 == "to" { links[$2] }
        END { for (link in links) { path = link; sub(/#.*/, "", path); if (link ~ /#/ && !(link in seen)) print "no part " link; if (!(path in paths)) { paths[path]; print "file " path } } }' |
        while read -r word path; do [ "$word" = file ] && [ -s "report/$path" ] || echo "$word $path"; done)
    [ -z "$bad" ] || { echo "$bad"; return 1; }
}
check report-links-to-what-is-there linked
check report-has-rooflines bash -c "test -s report/roofline-fujiwara-fixture-gpu.svg -a -s report/roofline-shan-fixture-gpu.md && ! ls report/roofline-gaburov* 2>/dev/null && grep -q '<h2 id=\"roofline\">' report/shan.html"
check report-without-gnuplot bash -c "PATH=/nonexistent '$orrery' report -r results/fixture-gpu/ledger-fixture.jsonl -o bare && grep -q 'No figure' bare/fujiwara-table2-*.html"
