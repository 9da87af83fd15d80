#!/bin/bash
# SPDX-License-Identifier: MIT
# A run is followed by its journal: tables, claims and queries while it is written, with half a line at its end, and after a kill.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
ln -s "$root/plots" "$ORRERY_HOME/plots"
cd "$work" || exit 1
cells_in() { [ "$(cat results/*/*.jsonl 2>/dev/null | grep -c '"record":"cell"')" -ge "$1" ]; }
rows() { tail -n +2 out | grep -c .; } # of a table as CSV
shown="SELECT count(*) FROM cell"

# --- while it is written ---
"$orrery" run plugins/slow --device host --preset smoke --repeats 9 --set delay=0.1 -o results --machine trial >run.out 2>run.err &
pid=$!
check "a run begins" wait_for cells_in 1
check "its table is shown with a row a cell, and nothing is warned of" eval 'run 0 table plugins/slow -r results -f csv && [ "$(rows)" -ge 1 ] && [ "$(rows)" -le 4 ] && ! grep -v unfinished err'
check "other looks" eval 'run 0 query "$shown" -r results -f csv && run 0 claims -r results && run 0 table plugins/slow -r results'
check "a query tells that it goes on" prints '^1' query "SELECT ended IS NULL FROM run" -r results -f csv
check "it does go on" kill -0 $pid
report() { run 0 report -r results -o page && grep -qE 'has no end yet: [1-4] of its [1-4] cells shown here have fewer than 9 rounds' page/*.html; }
check "a report names what is half measured" report

# --- killed in the middle of a line ---
kill -9 $pid
wait $pid 2>/dev/null
journal=$(ls results/trial/*.jsonl)
cp "$journal" whole
run 0 table plugins/slow -r results -f csv && cp out whole.csv
# Cut in each of its bytes but the last one, which would be a whole record without its line end.
line=$(tail -1 "$journal")
cut() { # BYTES: so many of them stand at the journal's end
    { cat whole; printf '%s' "${line:0:$1}"; } >"$journal"
    run 0 table plugins/slow -r results -f csv && cmp out whole.csv &&
        grep -qE "^orrery: warning: 1 damaged line in the journals skipped: $journal:[0-9]+: it is unfinished$" err && [ "$(wc -l <err)" -eq 1 ]
}
for bytes in 1 2 20 $((${#line} / 2)) $((${#line} - 1)); do check "half a line is skipped: $bytes bytes" cut "$bytes"; done
check "in a query, too" eval 'run 0 query "$shown" -r results -f csv'
