#!/bin/bash
# SPDX-License-Identifier: MIT
# Claims through the command line: on recorded results, on invented records, on counts made here, and in the report.
. "$(dirname "$0")/lib_e2e.sh"
use_papers

# says FILTER ARGUMENTS...: jq's filter is true of the JSON of orrery claims.
says() { gives "$1" claims "${@:2}" --json >/dev/null || { jq -c '.[] | [.id, .machine, .device, .verdict, .measured]' "$work/out"; return 1; }; }

check json-has-every-member says 'length > 13 and all(keys == ["device", "id", "machine", "measured", "paper", "parts", "published", "quote", "reading", "schema", "score",
        "section", "short", "text", "verdict", "why"] and (.score | keys == ["held", "measured", "of", "text", "unclear"]))' fujiwara -r "$frozen_gpu"
check one-machine says 'all(.machine == "frozen-gpu")' fujiwara -r "$frozen_gpu" -r "$frozen_cpu" -m frozen-gpu
check a-machine-by-name says 'all(.machine == "amd-epyc-2-cores")' fujiwara -r amd-epyc-2-cores
check unknown-paper fails 2 "did you mean 'fujiwara'" claims fujiwra
check an-experiment-is-no-paper fails 2 'there is no paper' claims fujiwara/table2

# What a paper does not print: a cell of Figure 14 at each theta, with another time step, too, which is newer. Tables keep the one that
# was taken as the paper's.
jq -c 'del(.check) | if .record == "run" then .schema = 1 elif .experiment == "feng/fig14" and .variant == "feng/barnes-hut" and
    .parameters.theta == 5 then (0.05, 0.5, 1, 5, 50) as $theta | (0.05, 0.01) as $dt | .parameters.theta = $theta |
    .parameters.dt = $dt | .id = "f\($theta)\($dt)" | .started = "202\(if $dt < 0.05 then 7 else 6 end)-01-01T00:00:00Z"
    else empty end' "$frozen_gpu" >guess.jsonl
check the-taken-value-stays-the-paper-s shows '| dt=0.05' query "SELECT substr(setting, instr(setting, 'dt')) FROM line WHERE faithful AND variant = 'barnes-hut'" --scope feng/fig14 -r guess.jsonl

# A reader of the deviations finds each paper's errors, too.
check errata-are-listed diff <(cd "$root/variants" && ls */claims.sql | cut -d/ -f1) <(awk '/^## / { paper = $2 } /^Errata of the / { print paper }' "$root/docs/VALIDITY.md" | sort -u)

# A paper of one's own: its claims.sql and nothing else.
use_test_plugins
plugins_paper one=e two=e e:random-3d:n=100
own_claims=$ORRERY_HOME/variants/plugins/claims.sql
export ORRERY_HOME=$root
unset ORRERY_PLUGINS
own() { ORRERY_HOME=$work/home "$@"; }
check no-claims-yet own fails 2 'variants/plugins/claims.sql is missing' claims plugins
printf '%s\n' "INSERT INTO claim(id, text, published, needs) VALUES ('T1', '1 < 2 & 3', '\"so\"', 'nothing to measure');" >"$own_claims"
check own-claims own says '.[0].id == "T1" and .[0].why == "nothing to measure"' plugins
check report-has-claims eval 'own run 0 report -o page && xmllint --html --noout page/index.html && grep -q "1 &lt; 2 &amp; 3" page/index.html && grep -q "not measurable here" page/plugins.html'
# A claim of parts over invented cells: what each wants, what was found of it, and the cells it was found from.
cells() { # SECONDS of the first
    jq -cn --argjson first "$1" '{record: "run", run: "r1", started: "2026-01-01T00:00:00Z", machine: {name: "m"}, orrery: {commit: "0123456789abcdef"}},
        ((["a1a1a1a1", "one", 100, $first], ["b2b2b2b2", "two", 100, 2], ["c3c3c3c3", "one", 200, 4]) as [$id, $variant, $n, $seconds] | (1, 2, 3) as $round | ($seconds * (1 + $round / 1000)) as $s |
        {record: "cell", id: $id, round: $round, experiment: "plugins/e", variant: "plugins/\($variant)", device: "cuda:0", dataset: {name: "random-3d", n: $n, seed: 1},
            parameters: {}, outcome: "ok", seconds: $s, samples: {step_s: [$s]}})'
}
cells 1 >cells.jsonl
cat >parts.sql <<'SQL'
INSERT INTO claim VALUES ('T2', 'Table E', 'one is faster than two', 'One is much faster.', '2', 'orrery run plugins/e');
INSERT INTO wanted VALUES ('T2', 'as printed', 'speedup', 'N = 100', 1, 'above 1.02'), ('T2', 'as printed', 'speedup', 'N = 200', 2, 'above 1.02'),
    ('T2', 'mechanism', 'counters', '', 1, 'fewer');
CREATE TEMP TABLE pair AS SELECT * FROM compared WHERE variant = 'plugins/one' AND baseline = 'plugins/two';
INSERT INTO comparison SELECT 'T2', machine, device, timing FROM pair;
INSERT INTO part SELECT 'T2', machine, device, 'as printed', 'speedup', 'N = ' || n, timing, NULL, NULL, 'x', 'above 1.02',
    NULL, cells FROM pair;
INSERT INTO part SELECT DISTINCT 'T2', machine, device, 'mechanism', 'counters', '', NULL, NULL, NULL, NULL, NULL, 'no counters', '[]' FROM pair;
INSERT INTO note SELECT 'T2', machine, device, 'as printed', 'a note' FROM pair;
SQL
cat parts.sql >>"$own_claims"
check json-has-parts own says '[.[] | select(.id == "T2")] | length == 2 and (.[0] |
    .quote == "One is much faster." and .section == "Table E" and .verdict == "incomplete" and .reading == "as printed"
    and .score == {"text": "incomplete (1 of 2 measured)", "held": 1, "of": 2, "measured": 1, "unclear": 0} and (.parts | length) == 2
    and (.parts[0] | .at == "N = 100" and .wants == "above 1.02" and .holds == true and .measured and .unit == "x" and .low < .value
        and (.value - 2 | fabs) < 0.01 and ([.cells[] | [.machine, .run, .cell, .commit, .file, .line]] | sort)
            == [["m", "r1", "a1a1a1a1", "0123456789abcdef", "cells.jsonl", 2], ["m", "r1", "b2b2b2b2", "0123456789abcdef", "cells.jsonl", 5]])
    and (.parts[1] | .holds == null and .measured == false and .cells == []))
    and (.[1] | .verdict == "not measurable here" and .parts[0].cannot == "no counters")' plugins -r cells.jsonl
# describe leads from the sentence to the cell, which describe shows in full.
described() {
    own run 0 describe "$1" -r cells.jsonl && for text in 'plugins T2 (claim)' 'the paper     "One is much faster."' 'where         Table E' \
        'speedup (expected above 1.02)' 'm cuda:0, as printed: incomplete (1 of 2 measured)' 'a note' 'no counters' \
        '1     a1a1a1a1  one      random-3d, N = 100'; do
        grep -qF -- "$text" out || { echo "no '$text'"; return 1; }
    done && grep -q '^ *N = 100  2.00 .2.00, 2.00. x  *yes *1, 2$' out
}
check a-claim-is-described described T2
check a-claim-as-json own gives '.kind == "claim" and .quote and (.wanted | length) == 3 and (.verdicts | length) == 2 and .verdicts[0].parts[0].cells[0].cell' describe plugins/T2 -r cells.jsonl --json
check its-cell-is-described own shows '0123456789abcdef' describe a1a1a1a1 -r cells.jsonl
check a-claim-there-is-not own fails 2 "no paper, experiment, variant, data set or claim 'T9'; did you mean" describe T9
two_papers() {
    mkdir -p home/variants/other && sed 's/paper: plugins/paper: other/' home/variants/plugins/paper.yaml >home/variants/other/paper.yaml && cp parts.sql home/variants/other/claims.sql &&
        own fails 2 'several papers have a claim T2; other/T2 is one' describe T2 && rm -r home/variants/other
}
check a-claim-of-two-papers two_papers

# The report has the same.
parts_in_report() {
    cp -r "$root/plots" home/ && own run 0 report -r cells.jsonl -o page && xmllint --html --noout page/index.html && for text in '&ldquo;One is much faster.&rdquo;' \
        '<td class="r yes" title="yes; cells a1a1a1a1, ' '>2.00 [2.00, 2.00] x ✓</td>' '">above 1.02</td>'; do
        grep -qF -- "$text" page/*.html || { echo "no '$text'"; return 1; }
    done
}
check report-has-parts parts_in_report

# Verdicts written earlier: the same, one that changed, one that vanished, one that is new.
own run 0 claims --json -r cells.jsonl && cp out expected.json
check an-expectation-that-is-not-there fails 2 '^orrery: unable to open none.json: ' claims --expect none.json -r cells.jsonl
check as-expected own run 0 claims --expect expected.json -r cells.jsonl
cells 3 >slower.jsonl
sed '/c3c3c3c3/d' slower.jsonl >fewer.jsonl
changed() { own run 1 claims --expect expected.json -r "$1" && [ "$(cat out)" = "$2" ]; }
sed -i "s/, ('T2', 'as printed', 'speedup', 'N = 200', 2, 'above 1.02')//" "$own_claims"
check a-change-is-told changed slower.jsonl 'plugins T2, m cuda:0: not reproduced; incomplete was expected'
check a-change-as-json eval 'own run 1 claims plugins --expect expected.json -r slower.jsonl --json && jq -e "length == 1 and .[0].was == \"incomplete\" and .[0].is == \"not reproduced\"" out'
# As test cases: by their verdicts, or by what was expected; names of journals may hold anything.
junit() { # EXPECTED STATUS ARGUMENTS...
    own run "$2" claims "${@:3}" --junit cases.xml && [ "$(python3 "$root/tests/junit.py" cases.xml)" = "$1" ]
}
check junit junit '3 1 2' 0 -r slower.jsonl
check junit-has-the-sentence grep -q '<failure message="not reproduced: one is faster than two">.* Broken: speedup is 0.667' cases.xml
check junit-as-expected junit '3 1 0' 1 --expect expected.json -r slower.jsonl
sed 's/"name":"m"/"name":"<m\\u0001\\uffff>"/' slower.jsonl >named.jsonl
check junit-with-any-name junit '3 1 2' 0 -r named.jsonl
sed -i 's/"name":"m"/"name":"k"/' slower.jsonl
check vanished-and-new bash -c "ORRERY_HOME=$work/home '$orrery' claims --expect expected.json -r slower.jsonl | sort | head -2 | tr '\n' '|' |
    grep -qF 'plugins T1, k cuda:0: not measurable here, which was not expected|plugins T1, m cuda:0: no verdict; not measurable here was expected|'"
check other-machines-are-not-missed bash -c "ORRERY_HOME=$work/home '$orrery' claims --expect expected.json -r cells.jsonl -r slower.jsonl -m m |
    grep -q 'T1' && exit 1; exit 0"
echo '{"a": 1}' >odd.json
check not-of-claims own fails 2 'odd.json: no output of .orrery claims --json' claims --expect odd.json -r cells.jsonl

head -1 "$own_claims" >first.sql && mv first.sql "$own_claims"
printf '\nDELETE FROM cell;\n' >>"$own_claims"
check mistake-has-its-line own fails 2 'variants/plugins/claims.sql:3: not allowed here' claims plugins
check report-without-claims eval 'own fails 0 "claims of plugins are missing: .*claims.sql:3" report -o page && grep -q "<h2 id=.claims.>" page/plugins.html'
# What has no end is ended, with the line where its statement begins.
endless='FROM d a, d b, d c, d e, d f, d g, d h, d i, d j, d k, d l, d m, d n, d o'
digits='WITH d(x) AS (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9))'
printf '\n%s\nINSERT INTO claim SELECT 1, NULL, 2, NULL, 3, count(*) %s;\n' "$digits" "$endless" >"$own_claims"
printf -- '--: layout forever\n--: setup\nCREATE TEMP TABLE t AS SELECT 1;\n%s\nINSERT INTO t SELECT count(*) %s;\n' "$digits" "$endless" >home/variants/plugins/tables.sql
sed -i 's/layout: times/layout: forever/' home/variants/plugins/paper.yaml
check endless-setup own fails 2 'tables.sql:4: not done after 0.3 s; --timeout gives it more$' table plugins/e --timeout 0.3
printf -- '--: layout forever\n--: grid E\n%s\nSELECT count(*) AS n %s;\n' "$digits" "$endless" >home/variants/plugins/tables.sql
check endless-grid own fails 2 'tables.sql:3: not done after 0.3 s; --timeout gives it more$' table plugins/e --timeout 0.3
