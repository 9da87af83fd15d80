#!/bin/bash
# SPDX-License-Identifier: MIT
# What is written as JSON is as docs/schemas says; tests/validate.py asks Python's jsonschema.
. "$(dirname "$0")/lib_e2e.sh"
if ! python3 -c 'import jsonschema' 2>/dev/null; then
    echo "skipped: python3-jsonschema is not installed"
    exit 0
fi
use_test_plugins
run 0 run plugins/quick --preset smoke --device host -o "$results" --machine trial --json && cp "$work/out" "$work/run.jsonl"
run 0 table plugins/quick -r "$results" -f json && cp "$work/out" "$work/table.json"
run 0 compare "$results" "$results" --json && cp "$work/out" "$work/compare.json"
# Cells of a processor, of cards and of several ranks.
cat "$results"/trial/*.jsonl <(head -q -n 40 results/reference/nvidia-h200{,-x4}/*.jsonl) >"$work/journal.jsonl"
export ORRERY_HOME=$root
run 0 claims shan -r "$frozen_cpu" --json && cp "$work/out" "$work/claims.json"
sed 's/"verdict": "[a-z ]*"/"verdict": "perhaps"/' "$work/claims.json" >"$work/faulty.json"
sed 's/"outcome":/"came":/' "$work/run.jsonl" >"$work/faulty.jsonl"
# One process for all of them, since Python takes its time to start.
python3 tests/validate.py docs/schemas "$work"/run.jsonl "$work"/{table,compare,claims}.json "$work"/journal.jsonl \
    claims="$work/faulty.json" run="$work/faulty.jsonl" >"$work/said" 2>&1
for kind in run table compare claims journal; do check "$kind" grep -qE "^ok $kind [1-9]" "$work/said"; done
check "a verdict that is none" grep -q "^not ok claims .*'perhaps' is not one of" "$work/said"
check "a cell without an outcome" grep -q "^not ok run .*'outcome' is a required property" "$work/said"
