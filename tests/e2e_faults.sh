#!/bin/bash
# SPDX-License-Identifier: MIT
# What goes wrong costs its own cell, and nothing that was written is ever damaged.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
results=$work/results
common=(--device host --preset smoke -o "$results")
outcome() { cells "$(journal)" | grep -qx "plugins/$1 $2"; }

check "plugins that misbehave: wrong results decide the exit code" run 3 run plugins/faults "${common[@]}" --timeout 1.5
check "a right plugin beside them is ok" outcome right ok
check "a crash is a crash" outcome crash_in_step crashed
check "its signal is named" grep -q '"reason":"crashed: SIGSEGV' "$(journal)"
check "a killed worker is a crash" outcome killed crashed
check "its signal is named too" grep -q '"reason":"crashed: SIGKILL' "$(journal)"
check "a hang times out" outcome hang_in_step 'timed out'
unfinished() { jq -es 'map(select(.variant == "plugins/hang_in_step")) | length == 1 and all(.timeout_s == 1.5 and .unfinished.ask == "step" and .unfinished.steps == 1 and .unfinished.seconds > 0.2 and .unfinished.seconds < 1.7)' "$(journal)"; }
check "what did not end, and for how long, is told" unfinished
check "no memory" outcome no_memory 'no memory'
check "wrong on one body" outcome wrong wrong
check "wrong only after some steps" outcome wrong_later wrong
check "a NaN in the last body is named" grep -q 'phi of body 59 is not a number' "$(journal)"
check "results never written are wrong" outcome writes_nothing wrong
builds_known() { jq -es 'map(select(.record == "cell")) | length == 9 and all(.build_flags == "test" and (.plugin_sha256 | length) == 64)' "$(journal)"; }
check "each says how its plugin was built, whatever its outcome" builds_known
no_times() { ! jq -e 'select(.record == "cell" and .outcome != "ok" and .seconds != null)' "$(journal)"; }
check "what is not ok has no time" no_times
check "resuming a finished run runs nothing" run 3 run --resume last -o "$results"
check "--failed runs again what is not ok, and only that" run 3 run --failed -o "$results"
again() { [ "$(grep -c '"variant":"plugins/right"' "$(journal)")" = 1 ] && [ "$(grep -c '"variant":"plugins/wrong"' "$(journal)")" = 2 ]; }
check "each of them once more" again
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
wait $pid
check "kill -9 of the worker costs one cell" test $? -eq 5
one_lost() { [ "$(cells "$(journal)" | sort | uniq -c | tr -s ' ' | tr '\n' ';')" = " 1 plugins/right crashed; 3 plugins/right ok;" ]; }
check "one crashed, three ok" one_lost

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
check "a killed run is resumed" run 0 run --resume last -o "$results"
check "by the cells that were missing" grep -q '^\[4/4\]' "$work/err"
all_once() { [ "$(grep -c '"record":"cell","id":"[0-9a-f]*"' "$(journal)")" = 4 ] && [ "$(cells "$(journal)" | sort | uniq -c | tr -s ' ')" = " 4 plugins/right ok" ]; }
check "no cell twice, none missing" all_once

# one byte of a cell's time in the journal costs that cell
sed -i '0,/"seconds":0.05/s//"seconds":0.15/' "$(journal)"
check "a damaged cell is run again" run 0 run --resume last -o "$results"
check "and only that" test "$(grep -c '"record":"cell","id":"[0-9a-f]*"' "$(journal)")" = 5
named() { grep -qE "^orrery: warning: 2 damaged lines in the journals skipped: $(journal):[0-9]+: its checksum does not match; $(journal):[0-9]+: it has no checksum$" "$work/err"; }
check "its line is named, and the half one" named
check "by tables, too" run 0 table plugins/slow -r "$results"
check "with the same words" named
check "and nothing is said of missing checksums" bash -c "! grep -q checksums '$work/out'"

# damage that parses, in a journal from before checksums: a cell without an outcome is run again
old='fromjson? | del(.check) | if .record == "run" then .schema = 1 else . end'
jq -cR "$old"' | if .record == "cell" then del(.outcome) else . end' "$(journal)" >"$work/damaged" && cp "$work/damaged" "$(journal)"
check "cells without an outcome are run again" run 0 run --resume last -o "$results" --json
check "that it has no checksums is told" bash -c "'$orrery' table plugins/slow -r '$results' | grep -qx -- '- journals: without checksums'"
check "all of them" test "$(grep -c '"outcome":"ok"' "$work/out")" = 4
jq -cR "$old"' | if .record == "cell" then .outcome = 7 else . end' "$(journal)" >"$work/damaged" && cp "$work/damaged" "$(journal)"
start run --resume last -o "$results"
wait_for has_cells 10
kill -INT $pid
wait $pid
check "a signal among such cells ends the run with 130" test $? -eq 130

# SIGINT
rm -rf "$results"
start "${slow[@]}"
wait_for has_cells 1
kill -INT $pid
wait $pid
check "a signal ends the run with 130" test $? -eq 130
check "says how to go on" grep -q 'orrery run --resume .* -o ' "$work/err"
check "and ends the journal" grep -q '"record":"end".*"interrupted":true' "$(journal)"
check "--continue finishes the same request" run 0 "${slow[@]}" --continue
check "in the same journal" test "$(ls "$results"/*/*.jsonl | wc -l)" = 1
check "with every cell" all_once
check "--continue again has nothing to do" run 0 "${slow[@]}" --continue
check "and measures nothing" all_once

# two runs at once
rm -rf "$results"
start "${slow[@]}"
first=$pid
start "${slow[@]}"
wait $first
a=$?
wait $pid
check "two runs at once both succeed" test "$a$?" = 00
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
check "an unknown name is told tamely" run 2 run $'plugins/\033[2J\x9bquick' --device host
tame() { [ -s "$work/err" ] && ! LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f-\x9f]' "$work/err"; }
check "without what steers a terminal" tame

# what has no end is refused
mkfifo "$(dirname "$(journal)")/zzz.jsonl"
check "a pipe among the journals is refused by its name" fails 2 'zzz.jsonl: it is not a plain file' table plugins/quick -r "$results"
check "and does not hold up --continue" fails 2 'zzz.jsonl: it is not a plain file' "${slow[@]}" --continue
check "nor --resume last" fails 2 'zzz.jsonl: it is not a plain file' run --resume last -o "$results"

# a results folder that cannot be written
touch "$work/file"
check "an unwritable results folder is a usage error" fails 2 "cannot make the results folder $work/file" run plugins/quick --device host --preset smoke -o "$work/file"
check "and nothing ran" test ! -s "$work/out"
finish
