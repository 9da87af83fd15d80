#!/bin/bash
# SPDX-License-Identifier: MIT
# Journals whose numbers were changed by somebody who made the checksums anew: orrery check finds what a run would not have let through.
. "$(dirname "$0")/lib_e2e.sh"
use_papers
# forge JOURNAL KIND: forged.jsonl, as somebody would forge who knows how checksums are made. A kind is what is done to each cell that is
# ok, by "each" one kind after another, or to the run or its ceilings.
forge() {
    jq -cn --arg kind "$2" '
        def by($f): if type == "number" then . * $f elif type == "array" then map(by($f)) else . end;
        def scaled($names; $f): if type == "object" then with_entries(if .key | IN($names[]) then .value |= by($f) else . end) else . end;
        def errors: scaled(["median", "p99", "max"]; 1e5);
        def forged($kind):
            if $kind == "times" then scaled(["seconds", "kernel_seconds", "single_seconds", "end_to_end_seconds", "interval"]; 1 / 300)
                | scaled(["interactions_per_second", "bodies_per_second"]; 300) | .samples |= scaled(keys | map(select(endswith("_s"))); 1 / 300)
            elif $kind == "bounds" then .error |= (errors | with_entries(if .key | startswith("by_") then .value |= errors else . end) | .bound |= (.median = 1e9 | .p99 = 1e9 | .max = 1e9))
            elif $kind == "bodies" then .dataset.n *= 10
            elif $kind == "device" then .device_name = "NVIDIA H900"
            elif $kind == "absent" then .device = "cuda:7"
            elif $kind == "dates" then .started = "2020-01-01T00:00:00Z"
            elif $kind == "ids" then .id = "0123456789abcdef" else . end;
        foreach inputs as $record (0; if $record.outcome == "ok" then . + 1 else . end; . as $turn | $record
            | if .outcome == "ok" and $kind != "busy" then forged(if $kind == "each" then ["times", "bounds", "bodies", "device", "absent", "dates", "ids"][($turn - 1) % 7] else $kind end)
            elif .record == "run" and $kind == "escape" then .machine.name = "\u001b[31mred" | .devices[0].name = "\u001b[2J"
            elif .record == "run" and $kind == "run" then .started = "2020-01-01T00:00:00Z"
            elif .record == "ceiling" and $kind == "busy" then .interactions_per_second /= 1e6 | .pairs |= map_values(by(1e-6))
            elif $kind == "busy" then select(.record == "run") else . end)' "$1" | python3 -c '
import hashlib, re, sys
for line in sys.stdin:
    text, checks = re.subn(",.check.:.[0-9a-f]{16}.}$", "", line.strip())
    print(f"{text},\"check\":\"{hashlib.sha256(text.encode()).hexdigest()[:16]}\"}}" if checks else text)' >forged.jsonl
}
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
