#!/bin/bash
# SPDX-License-Identifier: MIT
# What goes wrong costs its own cell, and nothing that was written is ever damaged.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
outcome() { cells "$(journal)" | grep -qxE "plugins/$1 ($2)"; }

check "plugins that misbehave: wrong results decide the exit code" run 3 run plugins/faults "${common[@]}" --timeout 1.5
check "a right plugin beside them is ok" outcome right ok
while read -r variant expected; do check "$variant: $expected" outcome "$variant" "$expected"; done < <(python3 tests/planted.py --outcomes e2e_faults)
for reason in 'crashed: SIGSEGV' 'crashed: SIGKILL' '.*phi of body 59 is not a number'; do check "named: $reason" grep -q "\"reason\":\"$reason" "$(journal)"; done
check "no memory" outcome no_memory 'no memory'
check "what did not end, and for how long, is told" recorded 'map(select(.variant == "plugins/hang_in_step")) | length == 1 and all(.outcome == "timed out" and .timeout_s == 1.5 and .unfinished.ask == "step" and .unfinished.steps == 1 and (.unfinished.seconds | . > 0.2 and . < 1.7))'
check "each says how its plugin was built, and what is not ok has no time" recorded 'length == 9 and all(.build_flags == "test" and (.plugin_sha256 | length) == 64 and (.outcome == "ok" or .seconds == null))'
check "resuming a finished run runs nothing" run 3 run --resume last -o "$results"
check "--failed runs again what is not ok, and only that" measures 3 'map(.variant) | (map(select(. == "plugins/right")) | length) == 1 and (map(select(. == "plugins/wrong")) | length) == 2' run --failed -o "$results"
check "without wrong ones, failed cells decide" run 5 run plugins/faults "${common[@]}" --only '*no_memory*' --only '*right*'
check "and the way to run them again is told" grep -qE "^run the failed cells again with: orrery run --resume [^ ]+ --failed -o $results\$" "$work/err"

# kill -9 of worker and parent in the middle of a cell
slow=(run plugins/slow "${common[@]}" --set delay=0.05) quick=(run plugins/slow "${common[@]}" --set delay=0)
# A shell without job control lets what it starts in the background ignore SIGINT.
start() { env --default-signal=INT "$orrery" "$@" >"$work/out" 2>"$work/err" & pid=$!; }
has_cells() { [ "$(grep -ch '"record":"cell"' "$(journal)" 2>/dev/null)" -ge "$1" ] 2>/dev/null; }
worker_of() { cat "/proc/$1/task/$1/children" | tr -d ' '; }
rm -rf "$results"
start "${slow[@]}"
wait_for has_cells 1
sleep 0.1
kill -9 "$(worker_of $pid)"
check "kill -9 of the worker ends with 5" exited 5 $pid
check "and costs one cell" recorded 'map(.outcome) | sort == ["crashed", "ok", "ok", "ok"]'

rm -rf "$results"
start "${slow[@]}"
wait_for has_cells 2
sleep 0.1
child=$(worker_of $pid)
kill -9 $pid
wait $pid 2>/dev/null
printf '{"record":"cell","id":"half a li' >>"$(journal)"
gone() { ! grep -q '^State:.*[^Z] ' "/proc/$1/status" 2>/dev/null; }
check "the worker dies with its parent" wait_for gone "$child"
check "a killed run is resumed by the cells that were missing" fails 0 '^\[4/4\]' run --resume last -o "$results"
all_once() { [ "$(grep -c '"record":"cell","id":"[0-9a-f]*"' "$(journal)")" = 4 ] && [ "$(cells "$(journal)" | sort | uniq -c | tr -s ' ')" = " 4 plugins/right ok" ]; }
check "no cell twice, none missing" all_once

# one byte of a cell's time in the journal costs that cell
sed -i '0,/"seconds":0.05/s//"seconds":0.15/' "$(journal)"
check "a damaged cell is run again" run 0 run --resume last -o "$results"
check "and only that" test "$(grep -c '"record":"cell","id":"[0-9a-f]*"' "$(journal)")" = 5
named() { grep -qE "^orrery: warning: 2 damaged lines in the journals skipped: $(journal):[0-9]+: its checksum does not match; $(journal):[0-9]+: it has no checksum$" "$work/err"; }
check "its line is named, and the half one" named
check "by tables, too, which say nothing of missing checksums" eval 'run 0 table plugins/slow -r "$results" && named && ! grep -q checksums "$work/out"'

# damage that parses, in a journal from before checksums: a cell without an outcome is run again
old='fromjson? | del(.check) | if .record == "run" then .schema = 1 else . end'
jq -cR "$old"' | if .record == "cell" then del(.outcome) else . end' "$(journal)" >"$work/damaged" && cp "$work/damaged" "$(journal)"
check "cells without an outcome are run again, all of them" gives_all 'length == 4 and all(.outcome == "ok")' run --resume last -o "$results" --json
check "that it has no checksums is told" prints '^- journals: without checksums$' table plugins/slow -r "$results"
jq -cR "$old"' | if .record == "cell" then .outcome = 7 else . end' "$(journal)" >"$work/damaged" && cp "$work/damaged" "$(journal)"
start run --resume last -o "$results"
wait_for has_cells 10
kill -INT $pid
check "a signal among such cells ends the run with 130" exited 130 $pid

# SIGINT
rm -rf "$results"
start "${slow[@]}"
wait_for has_cells 1
kill -INT $pid
check "a signal ends the run with 130" exited 130 $pid
check "says how to go on" grep -q 'orrery run --resume .* -o ' "$work/err"
check "and ends the journal" grep -q '"record":"end".*"interrupted":true' "$(journal)"
check "--continue finishes the same request in the same journal, with every cell" eval 'run 0 "${slow[@]}" --continue && [ "$(ls "$results"/*/*.jsonl)" = "$(journal)" ] && all_once'
check "--continue again measures nothing" eval 'run 0 "${slow[@]}" --continue && all_once'

# two runs at once
rm -rf "$results"
start "${slow[@]}"
first=$pid
start "${slow[@]}"
check "two runs at once both succeed" eval 'exited 0 $first && exited 0 $pid'
separate() { [ "$(ls "$results"/*/*.jsonl | wc -l)" = 2 ] && for j in "$results"/*/*.jsonl; do [ "$(cells "$j" | grep -c ok)" = 4 ] || return 1; done; }
check "in journals of their own" separate

# full disk: a limit on the size of files stands for it
rm -rf "$results"
(ulimit -S -f 8 && "$orrery" "${quick[@]}" --set n=60:200:+1 >"$work/out" 2>"$work/err")
check "a full disk ends the run with 5" test $? -eq 5
check "it is reported" grep -q 'cannot write to .*what was written before is whole' "$work/err"
whole() { [ -s "$(journal)" ] && jq -e . "$(journal)" >/dev/null && [ -z "$(tail -c1 "$(journal)")" ]; }
check "every line that was written is whole" whole
check "and the run can go on" run 0 run --resume last -o "$results"

# texts of others steer no terminal
tame() { run 2 run $'plugins/\033[2J\x9bquick' --device host && [ -s "$work/err" ] && ! LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f-\x9f]' "$work/err"; }
check "an unknown name is told without what steers a terminal" tame

# what has no end is refused
mkfifo "$(dirname "$(journal)")/zzz.jsonl"
pipe='zzz.jsonl: it is not a plain file'
check "a pipe among the journals is refused by its name, and holds up neither --continue nor --resume last" eval 'fails 2 "$pipe" table plugins/quick -r "$results" &&
    fails 2 "$pipe" "${slow[@]}" --continue && fails 2 "$pipe" run --resume last -o "$results"'

# a results folder that cannot be written
touch "$work/file"
check "an unwritable results folder is a usage error, and nothing ran" eval 'fails 2 "cannot make the results folder $work/file" run plugins/quick --device host --preset smoke -o "$work/file" && [ ! -s "$work/out" ]'
