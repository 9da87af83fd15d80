#!/bin/bash
# SPDX-License-Identifier: MIT
# Journals whose numbers were changed by somebody who made the checksums anew: orrery check finds what a run would not have let through.
. "$(dirname "$0")/lib_e2e.sh"
export ORRERY_HOME=$root
cd "$work" || exit 1
forge() { python3 "$root/tests/forge.py" "$1" forged.jsonl "$2"; } # JOURNAL KIND
# found LEAST REGEX [JOURNAL KIND]: in what was forged last, or is now, check finds so many faults that say that.
found() { { [ $# -eq 2 ] || { forge "${@:3}" && run 2 check forged.jsonl; }; } && [ "$(sed -n '/^Faults:/,/^$/p' out | grep -cE -- "$2")" -ge "$1" ]; }
check "what was not changed has no fault" eval 'forge "$frozen_gpu" same && run 0 check forged.jsonl'
check "seconds divided by 300" found 8 "interactions a second, and its run's ceiling allows" "$frozen_gpu" each
check "errors times 1e5 within a raised bound" found 8 'is ok with errors of .*, and paper.yaml bounds them by'
check "ten times the bodies" found 4 'it has [0-9.e+]+ interactions, .*bodies'
check "another device's name" found 8 'ran on "NVIDIA H900", and cuda:0 of its run is "NVIDIA H200"'
check "a device that is not there" found 8 'ran on cuda:7, which its run does not list'
check "cells older than their run" found 8 'it began at 2020-01-01T00:00:00Z, before its run'
check "seconds of a processor divided by 300" found 20 "interactions a second, and its run.s ceiling allows" "$frozen_cpu" times
check "all ids equal" found 200 "its id, 0123456789abcdef, is that of another cell of its journal" "$frozen_gpu" ids
check "a run that is not of its name" found 1 ":1: its run began at 2020-01-01T00:00:00Z, and is named" "$frozen_gpu" run

# A journal of today tells what its ids are made of.
check "a run" run 0 run fujiwara/fig14 --preset smoke --device host --set n=100 --repeats 1 -o results
check "has no fault" run 0 check results
check "an id of other bodies" found 1 "its id is [0-9a-f]{16}, and what it names has the id [0-9a-f]{16}\$" results/*/*.jsonl bodies

# A ceiling that was low since the machine was busy is measured again, and stands in the journal beside what it let through.
check "a run of many pairs" run 0 run fujiwara/fig14 --preset smoke --device host --set n=3000 --repeats 1 -o busy
journal=$(echo busy/*/*.jsonl) && forge "$journal" busy && cp forged.jsonl "$journal"
check "which goes on below a ceiling that is too low" run 0 run --resume last -o busy
check "has no fault, for its ceiling was measured again" eval 'run 0 check busy && [ "$(grep -c "^{\"record\":\"ceiling\"" "$journal")" -eq 2 ] && ! grep -q newer_ceiling "$journal"'

# Names are of whoever wrote the journal.
check "claims of a machine with an escape in its name, which does not reach the terminal" eval 'forge "$frozen_gpu" escape && run 0 claims -r forged.jsonl && ! grep -q $'"'\\033'"' out err'
finish
