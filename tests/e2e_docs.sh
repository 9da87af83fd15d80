#!/bin/bash
# SPDX-License-Identifier: MIT
# The commands of the documents: those of README, METHOD and the papers' pages run, and all documents name options that there are.
# Results are frozen ones of a processor; what would measure only says what it would do, on the host.
. "$(dirname "$0")/lib_e2e.sh"
cd "$work" || exit 1
documents=("$root"/*.md "$root"/docs/*.md "$root"/docs/papers/*.md)
# Lines of code that call the program, without their comments.
fenced() { sed -n '/^```/,/^```$/p' "$@" | sed -n 's/^ *\(orrery .*\)/\1/p' | sed 's/  *#.*//; s/  *$//' | sort -u; }
# Every call, in lines of code or in `quotes`.
called() { { fenced "$@"; grep -hoE '`orrery [^`]+`' "$@" | tr -d '`'; } | sort -u; }

mkdir -p results/old results/new
for side in old new; do cp "$root"/tests/data/intel-xeon-2-cores/*.jsonl results/$side/; done
run 0 dataset make plummer --n 64 -o s.hdf5 || cat err
# What a line does here: a run only plans, and its device is the host's.
here() {
    sed -E 's/^orrery reproduce (.*)/orrery run \1/; s/ --device [a-z]+:[0-9.]+/ --device host/; s/^(orrery run .*)/\1 --dry-run/
        s#^(orrery (table|plot|claims|audit|generations|query|report) .*|orrery report)$#\1 -r '"$frozen_cpu"'#
        s/^(orrery render .*)/\1 --n 200 --frames 2/' <<<"$1"
}
runs() {
    local line status bad=0 count=0
    while read -r line; do
        case $line in *...* | *' mine'* | *DIR*) continue ;; esac # parts of a session that other tests run
        count=$((count + 1)) status=0
        PATH=$BUILD:$PATH timeout "$(patience 120)" bash -c "$(here "$line")" >said 2>complaint || status=$?
        [ $status -eq 0 ] || { echo "$line: exit status $status: $(tail -1 complaint)"; bad=1; }
    done < <(fenced "$root/README.md" "$root/docs/METHOD.md" "$root"/docs/papers/*.md)
    [ $count -gt 20 ] && [ $bad -eq 0 ]
}
check "commands of README, METHOD and the papers' pages run" runs
# An option of a call is one of its command's help.
options_exist() {
    local line command option bad=0
    while read -r line; do
        command=$(cut -d' ' -f2 <<<"$line")
        case $command in [a-z]*) ;; *) continue ;; esac
        [ -e "help.$command" ] || "$orrery" help "$command" >"help.$command" 2>&1 || continue
        for option in $(grep -oE -- ' --[a-z][a-z-]+' <<<"${line%%|*}"); do
            grep -qE -- "(^|[ ,])$option( |$)" "help.$command" || { echo "$command has no $option: $line"; bad=1; }
        done
    done < <(called "$@")
    return $bad
}
check "options of all documents are there" options_exist "${documents[@]}"
echo '`orrery table --colour`' >wrong.md
check "one that is not is seen" eval '! options_exist wrong.md'
