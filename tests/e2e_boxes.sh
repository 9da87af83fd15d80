#!/bin/bash
# SPDX-License-Identifier: MIT
# Data sets made of boxes: what a run plans, prints and extrapolates; near fields, verified against near sums, with host stages and a
# counting build; `eval` of one's own bodies.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
more='boxes presets: [{name: smoke, limits: [{variant: near, n: 50}]}]' plugins_paper near=boxes 'boxes:uniform-boxes:level=1,2 per_box=3,6'
boxes=(run plugins/boxes --device host --preset smoke -o "$results")

check "--dry-run says P and level" prints '^plugins/boxes plugins/near uniform-boxes P=6 level=2 host \(extrapolated\)$' "${boxes[@]}" --dry-run
check "--json has per_box among the settings" gives_all 'map(.settings | "\(.level)/\(.per_box)") | sort == ["1/3", "1/6", "2/3", "2/6"]' "${boxes[@]}" --dry-run --json
check "a run has per_box among the parameters" gives_all 'map("\(.parameters.level)/\(.parameters.per_box)/\(.dataset.n)") | sort == ["1/3/12", "1/6/24", "2/3/48", "2/6/96"]' "${boxes[@]}" --json
check "progress says P and level" grep -qE '\] plugins/near uniform-boxes P=3 level=1 host … .* ok' "$work/err"
check "a cell beyond the limit is scaled at its level" grep -q '"extrapolated from P=3 by interactions"' "$work/out"

# --- near fields ---
more='counted counts: true' plugins_paper near=boxes,counted 'boxes:uniform-boxes:level=0,2,3 per_box=1,5' 'counted:uniform-boxes:level=2 per_box=4'
check "near fields of several levels and sizes are ok, at the variant's level" measures 0 'all(.outcome == "ok" and .dataset.level == .parameters.level)
    and (map("\(.dataset.level) \(.dataset.per_box) \(.dataset.n)") | sort == ["0 1 1", "0 5 5", "2 1 16", "2 5 80", "3 1 64", "3 5 320"])' "${boxes[@]}"
check "stages of the host in their order" recorded 'all([.stages[].name] == ["encode", "sort"] and all(.stages[].seconds; . >= 0))'
check "nobody asked for counts" recorded 'all(has("counts") | not)'
# 16 boxes of 4 bodies: 64 * 3 pairs within, 84 neighbours with 16 pairs each.
check "counts by procedure and kind, beyond 32 bits" measures 3 'map(select(.outcome == "ok")) | .[0].counts == {"Father box": {GR: 0, GW: 0, SR: 0, SW: 0, RR: 0, RW: 0, CP: 1536, AS: 0, AG: 0, IR: 0}, "Neighbor box": {GR: 0, GW: 0, SR: 0, SW: 0, RR: 0, RW: 0, CP: 0, AS: 0, AG: 5000000000, IR: 0}}' \
    run plugins/counted "${boxes[@]:2}" --set miscount=1,2
check "a counting build that computes something else makes the cell wrong, without counts and times" recorded 'map(select(.outcome == "wrong")) | length == 1
    and (.[0] | (.reason | test("^the counting build: .* above the bound")) and .counts == null and .seconds == null and .stages == null)'

# Four bodies around the corner that four boxes share, two far away in the boxes at the ends of a diagonal.
printf 'x,y,mass\n3.9,3.9,1\n4.1,4.1,2\n0,0,5\n8,8,7\n' >"$work/flat.csv"
near_eval() { run 0 eval plugins/near --input "$work/flat.csv" --output "$work/acc.csv" --set eps=0 "$@"; }
# pulls AX...: of the bodies in their order, along x
pulls() { awk -F, -v of="$*" 'BEGIN { split(of, b, " ") } NR > 1 { a = $1 - b[NR - 1]; if (a * a > 1e-8 * b[NR - 1] ^ 2) exit bad = 1 } END { exit bad || NR < 5 }' "$work/acc.csv"; }
# At level 1 every box touches every other; at level 3 only the two in the middle do.
check "eval at level 3" near_eval --set level=3
check "the host's stages in the summary" grep -qE '^before that on the host: encode .*s, sort .*s$' "$work/out"
check "only bodies in adjacent boxes act, with Newton's third law" pulls 17.677670 -8.8388348 0 0
check "without potential there is no column of it, nor an error" eval 'grep -qx "ax,ay" "$work/acc.csv" && ! grep -q potential "$work/out"'
check "at level 1 everything is near" eval 'near_eval --set level=1 && awk -F, "NR > 3 && !\$1 { exit 1 }" "$work/acc.csv"'
check "--json says the stages by name" eval 'near_eval --set level=3 --json && jq -e "[.stages[].name] == [\"encode\", \"sort\"]" "$work/out"'
printf 'x,y,z,mass\n0,0,1,1\n1,0,0,1\n' >"$work/deep.csv"
check "bodies with depth are no near field's" fails 2 'has z = ' eval plugins/near --input "$work/deep.csv" --output "$work/acc.csv"
