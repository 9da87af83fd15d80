#!/bin/bash
# SPDX-License-Identifier: MIT
# tools/artifact.sh: what it writes is whole, says what was measured, and every changed byte is seen; and make check-artifact.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
cd "$work" || exit 1
claim_of_seconds
measure=(plugins/quick --preset smoke --device host --only '*right*')
run 0 run "${measure[@]}" --machine 'my box' && run 0 run "${measure[@]}" --machine other
export ORRERY=$orrery
python=$(python_with rocrate) || python=
if [ -z "$python" ] && [ -n "${ORRERY_ALL_TESTS:-}" ]; then python3 -m venv venv && venv/bin/pip -q install rocrate && python=$work/venv/bin/python3; fi
pack() { PYTHON=${python:-python3} "$root/tools/artifact.sh" "$@" >out 2>err; }
check "it is written" pack -o made/it -a 'A. Reader' -a 'B. Reader' -l CC-BY-4.0
cp err pack.err
check "with hashes" eval '(cd made/it && sha256sum -c --strict --quiet SHA256SUMS)'
check "as check reads it" eval 'run 0 check made/it && grep -q "^2 verdicts, 0 of them differ" out && grep -q "^2 journals.* 0 faults, 0 beyond" out'
check "which says who looks at the hashes" grep -q '^made/it/SHA256SUMS: `sha256sum -c --strict SHA256SUMS` in its folder' out
check "the journals are as they were" eval 'cmp results/my\ box/*.jsonl made/it/results/my\ box/*.jsonl && cmp results/other/*.jsonl made/it/results/other/*.jsonl'
check "no path of this machine" eval '! grep -rlF -- "$work" made/it && ! ls -d made/*.part* 2>/dev/null'
check "and packed" eval 'mkdir unpacked && tar -C unpacked -xzf made/it.tar.gz && diff -r made/it unpacked/it'
says_all() {
    jq -e '(.rows | map([.machine, .command])) == [["my box", "orrery run plugins/quick --preset smoke"], ["other", "orrery run plugins/quick --preset smoke"]]' made/it/runs.json &&
        jq -e '.rows | map(.machine) | unique == ["my box", "other"]' made/it/machines.json && jq -e 'map(.name) == ["plugins"]' made/it/papers.json &&
        jq -e 'map(.machine + ": " + .verdict) == ["my box: reproduced", "other: reproduced"] and (.[0].parts[0].cells[0].file | startswith("results/my box/"))' made/it/claims.json
}
check "claims, verdicts, machines, runs" says_all
page() { # the same, for people
    grep -qF '| plugins/P1 | a step \| takes less than two seconds | 1 | `orrery reproduce plugins/P1 --device host` | my box | as printed | reproduced |' made/it/README.md &&
        grep -q '^## Installation' made/it/README.md && grep -q '^| my box | .* | host | ' made/it/README.md &&
        grep -qF 'By A. Reader, B. Reader. Written by Orrery, licence CC-BY-4.0.' made/it/README.md
}
check "and the page" page

# --- RO-Crate ---
if [ -z "$python" ]; then
    check "without the package rocrate it says so, and is whole otherwise" eval 'grep -q "^artifact.sh: no RO-Crate metadata: .* has no package rocrate" pack.err && [ ! -e made/it/ro-crate-metadata.json ]'
    echo "skipped: RO-Crate metadata: no Python here has rocrate"
else
    check "nothing is warned of" test ! -s pack.err
    check "the metadata is an RO-Crate" "$python" -c 'import sys; from rocrate.rocrate import ROCrate; ROCrate(sys.argv[1])' made/it
    crate_has() { # authors, licence, runs and works; each link leads somewhere, each file is as its entity says
        jq -e '."@graph" as $all | ($all[] | select(."@id" == "./")) as $root | ($root.author | map(."@id")) == ["#A.%20Reader", "#B.%20Reader"]
            and $root.license."@id" == "https://spdx.org/licenses/CC-BY-4.0" and $root.conformsTo."@id" == "https://w3id.org/ro/wfrun/process/0.5"
            and ($all | map(select(."@type" == "CreateAction")) | length) == 2
            and ($all | map(select(."@type" == "ScholarlyArticle")) | map(.name)) == ["Plugins that misbehave"]
            and ([$all[] | .[] | if type == "array" then .[] else . end | objects."@id" | select(startswith("https://") | not)] - map($all[]."@id") == [])' \
            made/it/ro-crate-metadata.json &&
            jq -r '."@graph"[] | select(.sha256) | "\(.sha256)  \(."@id" | gsub("%20"; " "))"' made/it/ro-crate-metadata.json | sort -k2 >entities &&
            grep -v ro-crate-metadata.json made/it/SHA256SUMS | sort -k2 | cmp - entities
    }
    check "with authors, licence, runs and works" crate_has
fi

# --- what was changed is seen ---
listed() { diff <(cut -c67- made/it/SHA256SUMS | sort) <(cd made/it && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort); }
check "every file has a hash" listed
altered() { cp -r made/it altered && printf '~' | dd of="$(echo altered/results/other/*.jsonl)" bs=1 seek=200 conv=notrunc status=none; }
check "a changed byte is seen by both" eval 'altered && ! (cd altered && sha256sum -c --strict --quiet SHA256SUMS) && run 2 check altered && grep -q "jsonl:1: its checksum does not match" out'

# --- make check-artifact, with a small set of its own: once as it should be, once with one verdict that is another and one that is missing ---
mkdir -p declared
row() { printf '{"paper": "plugins", "id": "%s", "machine": "any", "device": "host", "reading": "as printed", "verdict": "%s"}' "$@"; }
verdicts() { NO_BUILD=1 BUILD=$BUILD "$root/tools/check_artifact.sh" declared </dev/null >out 2>err; }
printf '# one size\n%s\n' "plugins/faults --preset smoke --device host --only '*right*' --only plugins/wrong" >declared/runs.txt
printf '[%s]\n' "$(row P1 reproduced)" >declared/expected.json
says_all_of() { local text; for text; do grep -qE "$text" out err || { echo "no '$text'"; return 1; }; done; }
as_expected() {
    verdicts && says_all_of '^plugins P1, any host: reproduced, as expected$' '^1 verdicts as expected, 0 not$' '^ +[0-9]+ s, +[0-9]+ s of a core: orrery run plugins/faults ' '^all of it: '
}
check "verdicts as expected" as_expected
check "cells that failed run once more" eval 'grep -q "the cells that failed, once more" err && grep -q " of a core: orrery run --failed$" out'
printf '# one size\n%s\n' "plugins/quick --preset smoke --device host --only '*right*'" >declared/runs.txt
printf '[%s, %s]\n' "$(row P1 partly)" "$(row P2 reproduced)" >declared/expected.json
others() {
    verdicts; [ $? -eq 1 ] && says_all_of '^plugins P1, any host: reproduced; partly was expected$' 'Verdicts differ' '^plugins P2, any host: no verdict; reproduced was expected$'
}
check "another verdict and a missing one end with 1" others
check "a run that there is not" eval 'echo plugins/none >declared/runs.txt && ! verdicts && grep -q "plugins/none" err'
check "--listed without a file" fails 2 'listed goes with --expect' claims --listed

# --- what is chosen ---
one_machine() { # by a Python that there is not
    PYTHON=/nowhere/python "$root/tools/artifact.sh" -o one results/other 2>err >out && grep -q 'no RO-Crate metadata' err && [ "$(ls one/results)" = other ] &&
        ! grep -q "my box" one/README.md && run 0 check one && [ ! -e one/ro-crate-metadata.json ]
}
check "one machine" one_machine
copies() { mkdir -p copies && cp results/other/*.jsonl copies/ && head -2 copies/*.jsonl >short.jsonl && pack -o three short.jsonl copies && cmp copies/*.jsonl three/results/other/*.jsonl; }
check "of copies the longest" copies
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
check "a paper of the reference results" eval 'pack -p shan -o shan amd-epyc-2-cores && jq -e "map(.paper) | unique == [\"shan\"]" shan/claims.json'

# --- refused ---
refused() { ! pack "${@:2}" && grep -qE -- "$1" err; } # TEXT WORDS...
export ORRERY_HOME=$work/home ORRERY_PLUGINS=$BUILD/tests
check "a folder that is there" refused 'made/it is there already' -o made/it
check "no folder" refused '-o DIR names the folder to write' results
check "an unknown option" refused '^usage: tools/artifact.sh' -x
check "an unknown journal" refused "no journal, folder or machine 'mine'" -o no mine
check "results of another paper" refused 'no journal has results of what was asked for' -p feng -o no
damaged() { mkdir -p damaged && cat results/other/*.jsonl >damaged/d.jsonl && printf '{"record":"cell","id' >>damaged/d.jsonl && refused 'has faults; nothing was packed' -o no damaged; }
check "damaged journals" damaged
check "no program" eval '! ORRERY=/nowhere/orrery "$root/tools/artifact.sh" -o no 2>err && grep -q "no program /nowhere/orrery" err'
check "nothing is left of those" eval '! compgen -G "no*"'
