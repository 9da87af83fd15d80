#!/bin/bash
# SPDX-License-Identifier: MIT
# Near fields: cells over boxes, verified against near sums, with host stages and a counting build; `eval` of one's own bodies.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
near_paper "boxes, counted" < <(box_experiment boxes 0,2,3 1,5; box_experiment counted 2 4 'counts: true')
results=$work/results
common=(--device host --preset smoke -o "$results")
holds() { jq -es "map(select(.record == \"cell\")) | $1" "$(journal)"; }

check "near fields of several levels and sizes" run 0 run plugins/boxes "${common[@]}"
check "six cells are ok" holds 'map(select(.outcome == "ok")) | length == 6'
check "the data set has level and bodies in each box" holds 'map("\(.dataset.level) \(.dataset.per_box) \(.dataset.n)") | sort == ["0 1 1", "0 5 5", "2 1 16", "2 5 80", "3 1 64", "3 5 320"]'
check "and the variant the same level" holds 'all(.dataset.level == .parameters.level)'
check "stages of the host in their order" holds 'all([.stages[].name] == ["encode", "sort"] and all(.stages[].seconds; . >= 0))'
check "nobody asked for counts" holds 'all(has("counts") | not)'

rm -rf "$results"
check "an experiment with counts" run 3 run plugins/counted "${common[@]}" --set miscount=1,2
# 16 boxes of 4 bodies: 64 * 3 pairs within, 84 neighbours with 16 pairs each.
check "counts by procedure and kind, beyond 32 bits" holds 'map(select(.outcome == "ok")) | .[0].counts == {"Father box": {GR: 0, GW: 0, SR: 0, SW: 0, RR: 0, RW: 0, CP: 1536, AS: 0, AG: 0, IR: 0}, "Neighbor box": {GR: 0, GW: 0, SR: 0, SW: 0, RR: 0, RW: 0, CP: 0, AS: 0, AG: 5000000000, IR: 0}}'
check "a counting build that computes something else makes the cell wrong" holds 'map(select(.outcome == "wrong")) | length == 1 and (.[0].reason | test("^the counting build: .* above the bound"))'
check "which then has neither counts nor times" holds 'map(select(.outcome == "wrong")) | all(.counts == null and .seconds == null and .stages == null)'

# Four bodies around the corner that four boxes share, two far away in the boxes at the ends of a diagonal.
printf 'x,y,mass\n3.9,3.9,1\n4.1,4.1,2\n0,0,5\n8,8,7\n' >"$work/flat.csv"
ax() { sed -n "$(($1 + 1))p" "$work/acc.csv" | cut -d, -f1; }
alone() { awk -v a="$(ax "$1")" 'BEGIN { exit !(a == 0) }'; }
# At level 1 every box touches every other; at level 3 only the two in the middle do.
pulls() { awk -v a="$(ax "$1")" -v b="$2" 'BEGIN { exit !((a - b) ^ 2 < 1e-8 * b * b) }'; }
near_eval() { run 0 eval plugins/near --input "$work/flat.csv" --output "$work/acc.csv" "$@"; }
check "eval at level 3" near_eval --set level=3 --set eps=0
check "the host's stages in the summary" grep -qE '^before that on the host: encode .*s, sort .*s$' "$work/out"
check "only bodies in adjacent boxes act" pulls 1 17.677670
check "with Newton's third law" pulls 2 -8.8388348
check "the far ones feel nothing" alone 3
check "eval at level 1" near_eval --set level=1 --set eps=0
whole() { ! alone 3 && ! alone 4; }
check "everything is near" whole
check "without potential there is no column" grep -qx 'ax,ay' "$work/acc.csv"
check "nor an error of it" bash -c '! grep -q potential "$1"' - "$work/out"
check "--json says the stages" near_eval --set level=3 --set eps=0 --json
check "by name" jq -e '[.stages[].name] == ["encode", "sort"]' "$work/out"
printf 'x,y,z,mass\n0,0,1,1\n1,0,0,1\n' >"$work/deep.csv"
check "bodies with depth are no near field's" fails 2 'has z = ' eval plugins/near --input "$work/deep.csv" --output "$work/acc.csv"
finish
