#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs as variants (docs/PROGRAMS.md): an honest one is measured as a plugin is, the others cost a cell each, which says why.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
paper=$ORRERY_HOME/variants/plugins
cc -std=gnu11 -O2 -Wall -Wextra -o "$paper/cheat" tests/programs/cheat.c -lm || exit 1
planted=$(python3 tests/planted.py --outcomes e2e_programs)
plugins_paper $(all_in all absent right $(cut -d' ' -f1 <<<"$planted")) all:random-3d:n=200
sed -i -E 's/label: (\w+), in/label: \1, program: [.\/cheat, \1], in/; s/.\/cheat, absent/.\/absent/' "$paper/paper.yaml"
all=$work/all.jsonl
check "all of them together" run 3 run plugins/all "${common[@]}" --exclude '*hangs*' --timeout "$(patience 60)"
cp "$(journal)" "$all"
check "one that is silent" run 5 run plugins/all "${common[@]}" --only '*hangs*' --timeout 1.5
cat "$(journal)" >>"$all"
# is NAME FILTER: jq's filter is true of its cell.
is() { recorded "map(select(.variant == \"plugins/$1\"))[0] | $2" "$all"; }
while read -r mode outcomes; do check "$mode: $outcomes" is "$mode" ".outcome | test(\"^($outcomes)\$\")"; done <<<"$planted"
says() { is "$1" ".reason | test(\"$2\")"; }
check "a program that is not there is named" says absent 'the program of plugins/absent is not there'
check "a crash is named" says program_crashes 'crashed .SIGSEGV. before it answered .step.'
check "an early end is named" says program_exits "ended with exit code 3"
check "garbage is named" says program_talks_garbage 'answered .fast as light. to .step., not .stepped SECONDS.'
check "a line without an end is named" says program_endless_line "a line without an end"
check "what nobody asked for is named" says program_talks_on "before it was asked"
check "a wrong description is named" says program_misdescribes "dimensions is 7"
check "an honest one: command, hash and both clocks stand in the record" is right '.outcome == "ok" and .program.command == "cheat right" and .program.sha256.cheat == "'"$(sha256sum "$paper/cheat" | cut -d' ' -f1)"'"
    and (.plugin_sha256 | length) == 64 and .program.own_seconds > 0 and .seconds > 0 and .build_flags == "external: cheat right"'
check "its own clock counts for nothing" is program_tells_a_tenth '.program.own_seconds < .seconds / 2'
check "the table says what is external" shows 'right [external]' table plugins/all -r "$results"
check "no program is left behind" bash -c "! pgrep -f '$paper/[c]heat'"
check "the sandbox starts none" bash -c "'$orrery' run plugins/all ${common[*]} --only '*right*' --sandbox 2>&1 | grep -qE 'the sandbox starts none|cannot do it|Landlock|seccomp'"
(cd "$paper" && "$orrery" run --program './cheat right' plugins/all "${common[@]}" --only 'external-*') >"$work/out" 2>"$work/err"
check "a program of the command line" recorded '.[0] | .variant == "plugins/external-cheat" and .outcome == "ok"'
check "a command without an end" fails 2 ": a quote has no end" run --program "python3 'x" plugins/all "${common[@]}"
unset ORRERY_HOME ORRERY_PLUGINS

# The adapters, where their codes are installed.
cc -O2 -o "$work/direct" adapters/direct.c -lm
check "adapters/direct.c" run 0 run --program "$work/direct" gaburov/headline "${common[@]}" --only 'external-*'
for module in rebound pytreegrav; do
    if ! python=$(python_with $module); then echo "ok adapters/${module}_tree.py # skipped: no python3 here has $module"; continue; fi
    check "adapters/${module}_tree.py" run 0 run --program "$python adapters/${module}_tree.py" gaburov/equal-error "${common[@]}" --only 'external-*' \
        --set theta=0.5 --timeout "$(patience 120)"
done
check "what is not installed is left out, with the reason" bash -c "PATH=$work/empty:/usr/bin:/bin '$orrery' run gaburov/equal-error ${common[*]} --dry-run 2>&1 |
    grep -qE 'gaburov/pytreegrav (is left out unless it is named: .*not installed|plummer)'"
