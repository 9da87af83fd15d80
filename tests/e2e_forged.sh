#!/bin/bash
# SPDX-License-Identifier: MIT
# Journals whose numbers were changed by somebody who made the checksums anew: orrery check finds what a run would not have let through.
. "$(dirname "$0")/lib_e2e.sh"
export ORRERY_HOME=$root
cd "$work" || exit 1
forge() { python3 "$root/tests/forge.py" "$@"; } # JOURNAL OUT KIND
# faults KIND LEAST REGEX: of the frozen journal forged so there are at least so many faults, which say that.
faults() {
    forge "${4:-$frozen_gpu}" forged.jsonl "$1" && run 2 check forged.jsonl && [ "$(sed -n '/^Faults:/,/^$/p' out | grep -cE -- "$3")" -ge "$2" ]
}
forge "$frozen_gpu" forged.jsonl same
check "what was not changed has no fault" run 0 check forged.jsonl
check "seconds divided by 300" faults times 80 "interactions a second, and its run's ceiling allows"
check "of a processor, too" faults times 20 "interactions a second, and its run's ceiling allows" "$frozen_cpu"
check "errors times 1e5 within a raised bound" faults bounds 100 'is ok with errors of .*, and paper.yaml bounds them by'
check "ten times the bodies" faults bodies 60 'it has [0-9.e+]+ interactions, .*bodies'
check "all ids equal" faults ids 200 'its id, 0123456789abcdef, is that of another cell of its journal'
check "another device's name" faults device 100 'ran on "NVIDIA H900", and cuda:0 of its run is "NVIDIA H200"'
check "a device that is not there" faults absent 100 'ran on cuda:7, which its run does not list'
check "cells older than their run" faults dates 100 'it began at 2020-01-01T00:00:00Z, before its run'
check "a run that is not of its name" faults run 1 ':1: its run began at 2020-01-01T00:00:00Z, and is named'

# A journal of today tells what its ids are made of.
check "a run" run 0 run fujiwara/fig14 --preset smoke --device host --set n=100 --repeats 1 -o results
check "has no fault" run 0 check results
check "an id of other bodies" faults bodies 1 'its id is [0-9a-f]{16}, and what it names has the id [0-9a-f]{16}$' "$(echo results/*/*.jsonl)"

# A ceiling that was low since the machine was busy is measured again, and stands in the journal beside what it let through.
check "a run of many pairs" run 0 run fujiwara/fig14 --preset smoke --device host --set n=3000 --repeats 1 -o busy
journal=$(echo busy/*/*.jsonl) && forge "$journal" low.jsonl busy && cp low.jsonl "$journal"
check "which goes on below a ceiling that is too low" run 0 run --resume last -o busy
check "has no fault" run 0 check busy
check "for its ceiling was measured again" eval '[ "$(grep -c "^{\"record\":\"ceiling\"" "$journal")" -eq 2 ] && ! grep -q newer_ceiling "$journal"'

# Names are of whoever wrote the journal.
forge "$frozen_gpu" escape.jsonl escape
check "claims of a machine with an escape in its name" run 0 claims -r escape.jsonl
check "which does not reach the terminal" eval "! grep -q \$'\\033' out err"
finish
