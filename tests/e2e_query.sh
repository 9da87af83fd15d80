#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery query and orrery describe CELLID: what people may ask the ledger, and the address of every number.
. "$(dirname "$0")/lib_e2e.sh"
export ORRERY_HOME=$root XDG_CACHE_HOME=$work/cache
cd "$work" || exit 1
endless='WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c'

# --- rows ---
check numbers-are-numbers gives '.rows | length > 100 and all((.n | type) == "number" and (.seconds | type) == "number" and .none == null)' \
    query "SELECT n, seconds, variant, NULL AS none FROM latest WHERE outcome = 'ok'" -r "$frozen_gpu" -r "$frozen_cpu" -f json
check columns-are-told-apart gives '.rows == [{"a": 1, "a:2": 2}]' query 'SELECT 1 AS a, 2 AS a' -f json
check papers-are-there gives '.rows[0].papers == 4' query 'SELECT count(DISTINCT paper) AS papers FROM published' -f json
check csv eval 'run 0 query "SELECT 1 AS a, NULL AS b, 0.5 AS c" -f csv && [ "$(tr -d "\r" <out | paste -sd " ")" = "a,b,c 1,,0.5" ]'
check markdown shows '| 12345678 |' query 'SELECT 12345678 AS n'
check into-a-file bash -c "'$orrery' query 'SELECT 1 AS a' -f tex -o q.tex && grep -q tabular q.tex"
check texts-of-layouts shows '1.500 ms' query 'SELECT seconds_text(0.0015) AS t'
check scope-is-that-of-the-table gives '.rows[0].n > 5' query 'SELECT count(*) AS n FROM result' --scope fujiwara/table2 -r "$frozen_gpu" -f json

# --- mistakes ---
check near-column fails 2 "^orrery: query:1: no such column: secnds; did you mean 'seconds'\?$" query 'SELECT secnds FROM cell'
check another-tables-column fails 2 "^orrery: query:1: no such column: name; other tables have one$" query 'SELECT name FROM run'
check near-table fails 2 "^orrery: query:2: no such table: cel; did you mean 'cell'\?$" query $'SELECT 1\nFROM cel'
check no-sql fails 2 'query takes one text' query

# --- it only reads, and it ends ---
refused() { fails 2 '^orrery: query.*not allowed here: a query may only read the ledger$' query "$1" && [ "$(grep -c '^orrery: query' err)" -eq 1 ] && [ ! -e x.db ]; }
for sql in "INSERT INTO cell(id) VALUES ('x')" 'UPDATE cell SET n = 1' 'DELETE FROM cell' 'DROP TABLE cell' 'CREATE TEMP TABLE x(y)' \
    'CREATE TEMP VIEW x AS SELECT 1' 'CREATE TABLE x(y)' "ATTACH 'x.db' AS x" 'DETACH main' "VACUUM INTO 'x.db'" 'PRAGMA writable_schema = 1' \
    'PRAGMA user_version = 3' "SELECT load_extension('x')" 'BEGIN' 'SAVEPOINT x' 'ANALYZE' 'REINDEX'; do
    check "refused: $sql" refused "$sql"
done
check one-statement fails 2 "one SELECT at a time; 'DROP TABLE cell' follows" query 'SELECT 1; DROP TABLE cell'
check schema-can-be-asked shows '| wall_s' query 'PRAGMA table_info(cell)'
check timeout fails 2 '^orrery: query:1: not done after 0.3 s; --timeout gives it more$' query "$endless" --timeout 0.3
# Nor does one instruction go on, which looks at no clock; the program ends a second after its time.
longest='^orrery: query:1: a text or blob of more than 16777216 bytes$'
check a-long-blob fails 2 "$longest" query 'SELECT length(randomblob(1000000000))'
check a-long-text fails 2 "$longest" query "SELECT length(replace(replace(hex(zeroblob(9999)), '0', hex(zeroblob(99))), '0', hex(zeroblob(99))))"
began=$SECONDS
check one-instruction fails 2 '^orrery: one instruction of SQL takes longer than --timeout allows$' query "SELECT length(printf('%.*c', 2000000000, 'x'))" --timeout 1
check ends-in-time [ $((SECONDS - began)) -lt 15 ]
interrupted() {
    "$orrery" query "$endless" 2>err &
    local pid=$!
    sleep 1.5
    kill -INT $pid
    exited 130 $pid && grep -qx 'orrery: query:1: interrupted' err
}
set -m # a job in the background hears interrupts
check interrupt interrupted
set +m

# --- the schema ---
# Every table and view is named, with what it means and all its columns.
schema_of() {
    run 0 query --schema "$@" && mv out schema || return 1
    run 0 query "SELECT m.type || ' ' || m.name || ' ' || c.name AS t FROM (SELECT type, name FROM sqlite_master UNION ALL
        SELECT type, name FROM sqlite_temp_master) m JOIN pragma_table_info(m.name) c WHERE m.type IN ('table', 'view')" "$@" -f csv || return 1
    tr -d '\r' <out | tail -n +2 >columns
    [ "$(wc -l <columns)" -ge 300 ] && awk 'FNR == NR { if (/^(table|view) /) { name = $0; next } if (/^  [^ ]/) meant[name] = 1
            else { gsub(/,/, " "); for (k = 1; k <= NF; k++) shown[name " " $k] = 1 } next }
        !($0 in shown) || !(($1 " " $2) in meant) { print "not in the schema: " $0; bad = 1 } END { exit bad }' schema columns
}
check schema-names-everything schema_of
check schema-of-a-scope schema_of --scope feng/fig6 -r "$frozen_cpu"

# --- every number has an address ---
check address-in-csv prints ',run,cell,line.?$' table fujiwara/table2 -r "$frozen_gpu" -f csv

# --- a cell in full ---
id=$("$orrery" query "SELECT id FROM latest WHERE experiment = 'fujiwara/table2' AND variant = 'fujiwara/cpu-simd' ORDER BY n LIMIT 1" -r "$root/tests/data/intel-xeon-2-cores" -f csv | tr -d '\r' | tail -1)
check cell-for-people shows '**Errors of the accelerations against fp64**' describe "$id" -r "$root/tests/data/intel-xeon-2-cores"
on_both=$("$orrery" query "SELECT id FROM latest GROUP BY id HAVING count(DISTINCT machine) = 2 LIMIT 1" -r "$frozen_gpu" -r "$frozen_cpu" -f csv | tr -d '\r' | tail -1)
check cell-of-a-machine shows '- machine: frozen-gpu' describe "$on_both" -r "$frozen_gpu" -r "$frozen_cpu" -m frozen-gpu
check a-cell-has-its-address eval 'gives ".rows[0].run" describe "$on_both" -r "$frozen_gpu" --json && sed -n "$(jq ".rows[0].line" out)p" "$frozen_gpu" | jq -e --arg id "$on_both" ".id == \$id"'
check cell-unknown fails 2 "no cell here begins with 'abcdef0123'" describe abcdef0123
check cell-needs-six-digits fails 2 "there is no paper" describe abcde
# Two cells whose ids begin alike are named.
mkdir -p results/m && jq -c --arg id "${id:0:15}$([ "${id:15}" = 0 ] && echo 1 || echo 0)" 'if .record == "cell" then .id = $id else . end' \
    <(head -3 "$root"/tests/data/intel-xeon-2-cores/20261120T160029Z-13bc.jsonl) >results/m/twin.jsonl
check cell-ambiguous fails 2 "2 cells begin with '${id:0:15}': ${id:0:15}.*fujiwara/.*; ${id:0:15}" describe "${id:0:15}" -r results -r "$root/tests/data/intel-xeon-2-cores"

# The command plans exactly this cell: its id says so.
plans() { # ID JOURNAL
    local id=$1 command
    command=$("$orrery" describe "$id" -r "$2" --json 2>/dev/null | jq -r '.rows[0].command')
    [ "$(eval "'$orrery' ${command#orrery } --dry-run --json" 2>err | jq -r .id)" = "$id" ] || { echo "$command"; return 1; }
}
while IFS=, read -r id journal; do
    planned=$id
    check "command-of-$id" plans "$id" "$journal"
done < <("$orrery" query "SELECT id, path FROM (SELECT id, path, row_number() OVER (PARTITION BY experiment ORDER BY id) AS k FROM latest WHERE device = 'host')
    WHERE k = 1 ORDER BY id LIMIT 12" -r "$frozen_gpu" -r "$frozen_cpu" -f csv 2>/dev/null | tr -d '\r' | tail -n +2)
check commands-were-planned test -n "${planned:-}"
# The history of a cell: a point a run, in the order of the runs.
history() {
    local id before=$root/tests/data/nvidia-h200/20261120T154958Z-ae36.jsonl
    id=$(jq -r 'select(.outcome == "ok").id' "$before" | head -1)
    jq -c 'if .record == "run" then .orrery.commit = "fedcba987654" | .run = "later" | .started = "2026-12-01T00:00:00Z" else . end' "$before" >later.jsonl
    run 0 query -r later.jsonl -r "$before" -f csv -- "$(sed "s/CELL/$id/" "$root/docs/examples/history.sql")" && mv out history.csv &&
        [ "$(wc -l <history.csv)" -eq 3 ] && tail -1 history.csv | grep -q ',fedcba987654,.*,ok,1' &&
        { ! command -v gnuplot >/dev/null || { gnuplot "$root/docs/examples/history.gp" && grep -q fedcba9 history.svg; }; }
}
check history-of-a-cell history
