#!/bin/bash
# SPDX-License-Identifier: MIT
# orrery run over a data set made of boxes: what it plans, prints and extrapolates.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
results=$work/results
near_paper boxes < <(box_experiment boxes 1,2 3,6 'presets: [{name: smoke, limits: [{variant: near, n: 50}]}]')
common=(--device host --preset smoke -o "$results")

check "--dry-run" run 0 run plugins/boxes "${common[@]}" --dry-run
check "says P and level" grep -qx 'plugins/boxes plugins/near uniform-boxes P=6 level=2 host (extrapolated)' "$work/out"
check "--dry-run --json" run 0 run plugins/boxes "${common[@]}" --dry-run --json
check "has per_box among the settings" jq -es 'map(.settings | "\(.level)/\(.per_box)") | sort == ["1/3", "1/6", "2/3", "2/6"]' "$work/out"

check "a run" run 0 run plugins/boxes "${common[@]}" --json
check "progress says P and level" grep -qE '\] plugins/near uniform-boxes P=3 level=1 host … .* ok' "$work/err"
check "per_box is among the parameters" jq -es 'map("\(.parameters.level)/\(.parameters.per_box)/\(.dataset.n)") | sort == ["1/3/12", "1/6/24", "2/3/48", "2/6/96"]' "$work/out"
check "a cell beyond the limit is scaled at its level" grep -q '"extrapolated from P=3 by interactions"' "$work/out"
journal=$(ls "$results"/*/*.jsonl)
check "journal: data sets have level and bodies in a box" jq -es 'map(select(.record == "cell").dataset) | length == 4 and all(.n == .per_box * pow(4; .level))' "$journal"
# N (P - 1) + B P^2 at level 2, B = 84: 5 x 96 + 84 x 36 over 2 x 48 + 84 x 9.
check "journal: scaled by the pairs of near boxes" jq -es 'map(select(.record == "cell" and .dataset.level == 2)) | (map(select(.extrapolated_from))[0].seconds / map(select(.extrapolated_from | not))[0].seconds / (3504 / 852) - 1 | fabs) < 1e-9' "$journal"

check "n in place of per_box" run 0 run plugins/boxes "${common[@]}" --set n=160 --dry-run
check "is divided among the boxes" grep -q 'P=40 level=1 ' "$work/out"
check "n and per_box" fails 2 '^orrery: --set: n and per_box both say how many bodies there are; set one of them$' run plugins/boxes "${common[@]}" --set n=160 --set per_box=3
check "boxes that do not divide n" fails 2 'n = 100 is not a multiple of 16, the boxes of level 2; the nearest that is: 96' run plugins/boxes "${common[@]}" --set n=100
check "too fine a level" fails 2 'level = 13 is out of range; it takes 0 to 12' run plugins/boxes "${common[@]}" --set level=13
check "per_box of a data set without boxes" fails 2 'plummer is not made of boxes, so it takes no per_box; give n instead' run plugins/boxes "${common[@]}" --set dataset=plummer
finish
