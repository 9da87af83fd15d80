#!/bin/bash
# `orrery export --artifact`: what it writes is whole, says what was measured, and every changed byte is seen.
# Prints "ok NAME" or "not ok NAME" a line.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
cd "$work" || exit 1
cat >"$ORRERY_HOME/variants/plugins/claims.sql" <<'SQL'
INSERT INTO claim VALUES ('P1', 'Table F', 'a step | takes less than a second', NULL, '1', 'orrery run plugins/quick --preset smoke');
INSERT INTO wanted VALUES ('P1', 'as printed', 'seconds', '', 1, 'below 1');
INSERT INTO part SELECT 'P1', machine, device, 'as printed', 'seconds', '', max(seconds), NULL, NULL, 's', max(seconds) < 1, NULL,
    json_array(max(cell_key)) FROM latest GROUP BY machine, device;
SQL
measure=(plugins/quick --preset smoke --device host --only '*right*')
run 0 run "${measure[@]}" --machine 'my box' && run 0 run "${measure[@]}" --machine other
export_it() { run 0 export --artifact made/it -r results --author 'A. Reader' --author 'B. Reader' --licence CC-BY-4.0 "$@"; }
check "it is written" export_it
check "with hashes" eval '(cd made/it && sha256sum -c --strict --quiet SHA256SUMS)'
check "as check reads it" eval 'run 0 check made/it && grep -q "^2 verdicts, 0 of them differ" out && grep -q "^2 journals.* 0 faults, 0 beyond" out'
check "the journals are as they were" eval 'cmp results/my\ box/*.jsonl made/it/results/my\ box/*.jsonl && cmp results/other/*.jsonl made/it/results/other/*.jsonl'
check "no path of this machine" eval '! grep -rlF -- "$work" made/it && ! ls -d made/*.part* 2>/dev/null'
says_all() {
    jq -e '.schema == "orrery/artifact/1" and .authors == ["A. Reader", "B. Reader"] and .licence == "CC-BY-4.0"
        and (.machines | map(.name)) == ["my box", "other"] and (.machines[0] | .cpu and .cores > 0 and (.devices | length) > 0)
        and (.machines[0].journals[0] | (.journal | startswith("results/my box/")) and .command ==
            "orrery run plugins/quick --preset smoke --device host --only '\''*right*'\'' --repeats 1")
        and (.claims | length) == 1 and (.claims[0].expected | map(.machine + ": " + .verdict)) == ["my box: reproduced", "other: reproduced"]
        and (.commands | length) == 2 and .commands[0].command == "orrery run plugins/quick --preset smoke --device host"
        and .commands[0].claims == ["plugins/P1"] and .commands[0].seconds > 0 and (.totals | length) == 2
        and (.datasets | map(.name)) == ["random-3d"] and .bytes > 1000' made/it/artifact.json &&
        jq -e '.[0].parts[0].cells[0].file | startswith("results/my box/")' made/it/claims.json
}
check "claims, commands, times, verdicts, machines" says_all
page() { # the same, for people
    grep -qF '| P1 | `orrery run plugins/quick --preset smoke --device host` | 1 min | reproduced |' made/it/README.md &&
        grep -qF 'a step \| takes less than a second' made/it/README.md && grep -q '^## Installation' made/it/README.md &&
        grep -q '^### my box' made/it/README.md && grep -qF 'by A. Reader, B. Reader.' made/it/README.md
}
check "and the page" page
as_dry_run() { # the time is the one that --dry-run tells on that machine, where the cells were measured
    run 0 run plugins/quick --preset smoke --device host --only '*right*' --machine other --dry-run &&
        [ "$(sed -n 's/^2 cells to run.*about \([0-9]*\)s.*/\1/p' out)" = "$(jq '.commands[] | select(.machine == "other") | .seconds | ceil' made/it/artifact.json)" ]
}
check "times are those of --dry-run" as_dry_run

# --- RO-Crate ---
if command -v python3 >/dev/null; then
    check "the metadata is an RO-Crate" python3 "$root/tests/crate.py" made/it
    crate_has() {
        jq -e '."@graph" as $all | ($all[] | select(."@id" == "./")) as $root | ($root.author | map(."@id")) == ["#A.%20Reader", "#B.%20Reader"]
            and $root.license."@id" == "https://spdx.org/licenses/CC-BY-4.0" and ($all | map(select(."@type" == "CreateAction")) | length) == 2
            and ($all | map(select(."@type" == "ScholarlyArticle")) | map(.name)) == ["Plugins that misbehave"]' made/it/ro-crate-metadata.json
    }
    check "with authors, licence, runs and works" crate_has
    # crate_fault TEXT FILTER: the metadata is altered by jq's FILTER; the checker says TEXT.
    crate_fault() {
        rm -rf faulty && cp -r made/it faulty && jq "$2" made/it/ro-crate-metadata.json >faulty/ro-crate-metadata.json &&
            ! python3 "$root/tests/crate.py" faulty >said && grep -q "$1" said
    }
    check "a link that leads nowhere" crate_fault 'instrument leads nowhere' '(."@graph"[] | select(."@type" == "SoftwareApplication"))."@id" = "#else"'
    check "a term that no context has" crate_fault 'no context defines sha256' '."@context" |= .[:1]'
    check "a file that is in no part" crate_fault 'README.md is no part' 'del(."@graph"[] | select(."@id" == "./").hasPart[0])'
    check "another size" crate_fault 'README.md has .* bytes' '(."@graph"[] | select(."@id" == "README.md")).contentSize = "1"'
    if python3 -c 'import jsonschema' 2>/dev/null; then
        check "artifact.json is as its schema says" eval 'python3 "$root/tests/validate.py" "$root/docs/schemas" made/it/artifact.json claims=made/it/claims.json >said && ! grep -v "^ok" said'
        check "a time that is none is not" eval 'jq ".commands[0].seconds = \"long\"" made/it/artifact.json >faulty.json && python3 "$root/tests/validate.py" "$root/docs/schemas" artifact=faulty.json | grep -q "^not ok artifact .*long"'
    fi
fi

# --- what was changed is seen ---
altered() { # FILE [AT]: one byte of it is another
    rm -rf altered && cp -r made/it altered && printf '~' | dd of="altered/$1" bs=1 seek="${2:-40}" conv=notrunc status=none &&
        ! (cd altered && sha256sum -c --strict --quiet SHA256SUMS) >/dev/null 2>&1 && run 2 check altered && grep -qE "^altered/($1 was changed|SHA256SUMS:1 is no hash)" out
}
while read -r file; do check "a changed byte of ${file##*.}" altered "$file"; done < <(cd made/it && find . -maxdepth 1 -type f ! -name artifact.json ! -name claims.json -printf '%P\n' | sort)
# A journal's own lines have checksums, too.
check "of a journal" altered "$(cd made/it && echo results/other/*.jsonl)" 200
check "of artifact.json" altered artifact.json
check "of claims.json" altered claims.json 20
check "a file that is missing" eval 'rm -rf altered && cp -r made/it altered && rm altered/README.md && run 2 check altered && grep -q "README.md is missing" out'
check "a file that came later" eval 'rm -rf altered && cp -r made/it altered && touch altered/results/more.txt && run 2 check altered && grep -q "more.txt is in no line of SHA256SUMS" out'
check "a hash of a file elsewhere" eval 'rm -rf altered && cp -r made/it altered && sed -i "1s|  .*|  ../it/README.md|" altered/SHA256SUMS && run 2 check altered && grep -q "SHA256SUMS:1 is no hash of a file below" out'

# --- make check-artifact, with a small set of its own ---
mkdir -p declared
printf '# one size\n%s\n' "plugins/quick --preset smoke --device host --only '*right*'" >declared/runs.txt
row() { printf '{"paper": "plugins", "id": "P1", "machine": "any", "device": "host", "reading": "as printed", "verdict": "%s"}' "$1"; }
printf '[%s]\n' "$(row reproduced)" >declared/expected.json
verdicts() { NO_BUILD=1 BUILD=$BUILD "$root/tools/check_artifact.sh" declared </dev/null >out 2>err; }
as_expected() {
    verdicts && grep -q '^plugins P1, any host: reproduced, as expected$' out && grep -q '^1 verdicts as expected, 0 not$' out &&
        grep -qE '^ +[0-9]+ s, +[0-9]+ s of a core: orrery run plugins/quick ' out && grep -q '^all of it: 0 min' out
}
check "verdicts as expected" as_expected
failed_once_more() {
    echo "plugins/faults --preset smoke --device host --only '*right*' --only plugins/wrong" >declared/runs.txt
    verdicts && grep -q 'the cells that failed, once more' err && grep -q ' of a core: orrery run --failed$' out
}
check "cells that failed run once more" failed_once_more
printf '# one size\n%s\n' "plugins/quick --preset smoke --device host --only '*right*'" >declared/runs.txt
other_verdict() {
    printf '[%s]\n' "$(row partly)" >declared/expected.json
    verdicts
    [ $? -eq 1 ] && grep -q '^plugins P1, any host: reproduced; partly was expected$' out && grep -q 'Verdicts differ' err
}
check "one that was planted ends with 1" other_verdict
missing_verdict() {
    printf '[%s]\n' "$(row reproduced | sed 's/P1/P2/')" >declared/expected.json
    verdicts
    [ $? -eq 1 ] && grep -q '^plugins P2, any host: no verdict; reproduced was expected$' out
}
check "one that is missing, too" missing_verdict
not_a_run() { echo plugins/none >>declared/runs.txt && ! verdicts && grep -q "plugins/none" err; }
check "a run that there is not" not_a_run
check "--listed without a file" fails 2 'listed goes with --expect' claims --listed

# --- what is chosen ---
check "one machine" eval 'run 0 export --artifact one -r results -m other && [ "$(ls one/results)" = other ] && ! grep -q "my box" one/README.md && run 0 check one'
check "one paper" eval 'run 0 export plugins --artifact two -r results && jq -e "(.papers | length) == 1" two/artifact.json'
check "an empty folder is filled" eval 'mkdir hollow && run 0 export --artifact hollow/ -r results && [ -f hollow/README.md ]'
export ORRERY_HOME=$root ORRERY_PLUGINS=$BUILD/variants
declared_is_known() { # claims and experiments
    local name
    for name in $(jq -r '.[] | .paper + "/" + .id' "$root/tools/check_artifact/expected.json"); do
        grep -q "INTO claim VALUES ('${name#*/}'," "$root/variants/${name%/*}/claims.sql" || { echo "no claim $name"; return 1; }
    done
    run 0 list experiments
    for name in $(sed '/^#/d; s/ --.*//' "$root/tools/check_artifact/runs.txt"); do grep -q "^$name " out || { echo "no experiment $name"; return 1; }; done
}
check "the declared set is of what there is" declared_is_known
check "a paper of the reference results" eval 'run 0 export shan --artifact shan -r amd-epyc-2-cores && jq -e ".commands | all(.seconds > 0) and length > 3" shan/artifact.json'
check "its authors are cited" eval 'jq -e ".\"@graph\" | map(select(.\"@type\" == \"Person\").name) == [\"Shan\", \"Lei\"]" shan/ro-crate-metadata.json'

# --- refused ---
check "a folder that holds something" fails 2 'made is there already; export into a new folder' export --artifact made -r results
check "no folder" fails 2 'export needs --artifact DIR' export
check "two papers" fails 2 'export takes one paper' export shan feng --artifact no
check "an unknown paper" fails 2 "did you mean 'shan'" export shna --artifact no -r results
check "an unknown machine" fails 2 "no results of a machine 'mine'" export --artifact no -r results -m mine
check "no results" eval 'mkdir -p empty && cd empty && fails 2 "no results to export" export --artifact no; cd "$work"'
check "results of another paper" fails 2 'no journal has results of what was asked for' export feng --artifact no -r results
damaged() { mkdir -p damaged && cat results/other/*.jsonl >damaged/d.jsonl && printf '{"record":"cell","id' >>damaged/d.jsonl && fails 2 'nothing was exported: 1 damaged line .*damaged/d.jsonl' export --artifact no -r damaged; }
check "damaged journals" damaged
full_disk() { ! (ulimit -f 4; trap '' XFSZ; "$orrery" export --artifact no -r results 2>err >out) && grep -qE 'File too large|No space' err && [ "$(wc -l <err)" -eq 1 ]; }
check "a full disk" full_disk
check "nothing is left of those" eval '! compgen -G "no*" && ! compgen -G "empty/no*"'
finish
