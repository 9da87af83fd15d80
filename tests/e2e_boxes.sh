#!/bin/bash
# SPDX-License-Identifier: MIT
# Data sets made of boxes: what a run plans, prints and extrapolates; near fields, verified against near sums, with host stages and a
# counting build; `eval` of one's own bodies.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
results=$work/results
more='boxes presets: [{name: smoke, limits: [{variant: near, n: 50}]}]' plugins_paper near=boxes 'boxes:uniform-boxes:level=1,2 per_box=3,6'
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

# --- near fields ---
more='counted counts: true' plugins_paper near=boxes,counted 'boxes:uniform-boxes:level=0,2,3 per_box=1,5' 'counted:uniform-boxes:level=2 per_box=4'
rm -rf "$results"
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
