#!/bin/bash
# SPDX-License-Identifier: MIT
# Journals whose numbers were changed by somebody who made the checksums anew: orrery check finds what a run would not have let through.
. "$(dirname "$0")/lib_e2e.sh"
export ORRERY_HOME=$root
cd "$work" || exit 1
forge() { python3 "$root/tests/forge.py" "$@"; } # JOURNAL OUT KIND
# faults LEAST REGEX: in what was forged last there are at least so many faults that say that.
faults() { [ "$(sed -n '/^Faults:/,/^$/p' out | grep -cE -- "$2")" -ge "$1" ]; }
forge "$frozen_gpu" forged.jsonl same
check "what was not changed has no fault" run 0 check forged.jsonl
forge "$frozen_gpu" forged.jsonl each
check "a journal of which each cell was changed" run 2 check forged.jsonl
check "seconds divided by 300" faults 8 "interactions a second, and its run's ceiling allows"
check "errors times 1e5 within a raised bound" faults 8 'is ok with errors of .*, and paper.yaml bounds them by'
check "ten times the bodies" faults 4 'it has [0-9.e+]+ interactions, .*bodies'
check "another device's name" faults 8 'ran on "NVIDIA H900", and cuda:0 of its run is "NVIDIA H200"'
check "a device that is not there" faults 8 'ran on cuda:7, which its run does not list'
check "cells older than their run" faults 8 'it began at 2020-01-01T00:00:00Z, before its run'
forge "$frozen_cpu" forged.jsonl times
check "seconds of a processor divided by 300" eval 'run 2 check forged.jsonl && faults 20 "interactions a second, and its run.s ceiling allows"'
forge "$frozen_gpu" forged.jsonl ids
check "all ids equal" eval 'run 2 check forged.jsonl && faults 200 "its id, 0123456789abcdef, is that of another cell of its journal"'
forge "$frozen_gpu" forged.jsonl run
check "a run that is not of its name" eval 'run 2 check forged.jsonl && faults 1 ":1: its run began at 2020-01-01T00:00:00Z, and is named"'

# A journal of today tells what its ids are made of.
check "a run" run 0 run fujiwara/fig14 --preset smoke --device host --set n=100 --repeats 1 -o results
check "has no fault" run 0 check results
forge results/*/*.jsonl forged.jsonl bodies
check "an id of other bodies" eval 'run 2 check forged.jsonl && faults 1 "its id is [0-9a-f]{16}, and what it names has the id [0-9a-f]{16}\$"'

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
