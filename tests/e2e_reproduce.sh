#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery reproduce: run, table and verdicts in one go.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
common=(--preset smoke --device host -o "$work/results")
check "an experiment is run and shown" shows '## plugins/quick' reproduce plugins/quick "${common[@]}"
check "with what was measured" grep -qE '\| *right ' "$work/out"
check "a second time nothing is run" eval 'run 0 reproduce plugins/quick "${common[@]}" && [ "$(ls "$work"/results/*/*.jsonl | wc -l)" -eq 1 ]'
sed -i 's/name: wrong, label: wrong, in: .faults./name: wrong, label: wrong, in: [quick]/' "$ORRERY_HOME/variants/plugins/paper.yaml"
check "what is wrong is told by the exit code" run 3 reproduce plugins/quick --preset smoke --device host -o "$work/wrong"
check "and shown" grep -q '## plugins/quick' "$work/out"
check "an unknown name" fails 2 "there is no paper, experiment or variant 'plugins/quik'; did you mean 'plugins/quick'" reproduce plugins/quik "${common[@]}"
check "one name" fails 2 'reproduce takes one experiment, paper or claim' reproduce
check "no such device" run 4 reproduce plugins/quick --preset smoke --device cuda:99 -o "$work/results"
unset ORRERY_PLUGINS
export ORRERY_HOME=$root
if [ -n "${ORRERY_ALL_TESTS:-}" ] && [ -n "$("$orrery" list devices --json | jq -r '.[] | select(.id | startswith("opencl")) | .id')" ]; then
    check "a claim: what decides it is run" eval 'run 0 reproduce S5 --preset smoke -o "$work/claim" && grep -q "^## shan/table1" "$work/out"'
    check "and it is judged" grep -q '^shan S5 (claim)' "$work/out"
fi
finish
