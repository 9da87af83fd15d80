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
check "without wrong ones, failed cells decide, and the way to run them again is told" fails 5 "^run the failed cells again with: orrery run --resume [^ ]+ --failed -o $results\$" \
    run plugins/faults "${common[@]}" --only '*no_memory*' --only '*right*'

# kill -9 of the worker in the middle of a cell
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

# half a line at the end and one byte of a cell's time in the journal cost that cell; tests/test_torture.c kills runs
all_once() { [ "$(grep -c '"record":"cell","id":"[0-9a-f]*"' "$(journal)")" = 4 ] && [ "$(cells "$(journal)" | sort | uniq -c | tr -s ' ')" = " 4 plugins/right ok" ]; }
rm -rf "$results"
run 0 "${slow[@]}" && printf '{"record":"cell","id":"half a li' >>"$(journal)"
sed -i '0,/"seconds":0.05/s//"seconds":0.15/' "$(journal)"
check "a damaged cell is run again" run 0 run --resume last -o "$results"
check "and only that" test "$(grep -c '"record":"cell","id":"[0-9a-f]*"' "$(journal)")" = 5
named() { grep -qE "^orrery: warning: 2 damaged lines in the journals skipped: $(journal):[0-9]+: its checksum does not match; $(journal):[0-9]+: $1$" "$work/err"; }
check "its line is named, and the half one" named 'it is unfinished'
check "by tables, too, which say nothing of missing checksums" eval 'run 0 table plugins/slow -r "$results" && named "it has no checksum" && ! grep -q checksums "$work/out"'

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

# full disk: a limit on the size of files stands for it
rm -rf "$results"
(ulimit -S -f 8 && "$orrery" "${quick[@]}" --set n=60:200:+1 >"$work/out" 2>"$work/err")
check "a full disk ends the run with 5" test $? -eq 5
check "it is reported" grep -q 'cannot write to .*what was written before is whole' "$work/err"

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
