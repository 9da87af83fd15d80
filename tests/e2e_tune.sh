#!/bin/bash
# SPDX-License-Identifier: MIT
# tools/tune.sh: it finds the best of a variant's knobs, leaves out what is wrong or crashes, and calls a gain only what is one.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
export ORRERY=$orrery
paper=$ORRERY_HOME/variants/plugins/paper.yaml
sed -i 's/^experiments:/  - name: knobs\n    label: knobs\n    in: [quick]\n    knobs: [{name: unroll, values: "2,4,16,32"}, {name: pad, values: "1,2"}]\n&/' "$paper"
tunes() { # STATUS TEXT OPTIONS...
    exits "$1" tools/tune.sh plugins/quick knobs --device host --preset smoke --set n=40 --min-samples 3 -o "$work/tuning" "${@:3}" &&
        cat "$work/out" "$work/err" | grep -qE -- "$2"
}
check "the best is found" tunes 0 '^faster: --set unroll=4 --set pad=2$' --repeats 3
check "what is wrong is left out" grep -qE '^left out: .*"unroll":16.* wrong: ' "$work/out"
check "so is what crashes" grep -qE '^left out: .*"unroll":32.* crashed: .*SIGSEGV' "$work/out"
check "the last comparison has three processes" eval '[ "$(tail -3 "$work/out" | grep -cE "\| +3 \|")" -eq 2 ]'
check "no gain is called none" tunes 1 '^no gain: ' --set flat=yes --knob unroll=2,4 --knob pad=2 --repeats 3
check "one input" tunes 2 '2 cells; name one input' --set eps=0.1,0.2
check "no such knob" tunes 2 "no parameter .*unrol" --knob unrol=2
check "a variant without knobs" eval '! tools/tune.sh plugins/quick right --device host --set n=40 -o "$work/tuning" 2>"$work/err" && grep -q "declares no knobs" "$work/err"'
sed -i 's/name: pad, values: "1,2"/name: n, values: "1,2"/' "$paper"
check "what says what is computed is no knob" fails 2 "paper.yaml:[0-9]+: 'n' says what is computed" describe plugins/knobs
sed -i 's/name: n, values: "1,2"/name: pad, values: "1,2"/' "$paper"

# --- journals of earlier releases ---
tuned() { # a cell with tuned settings stands in no table, which says so
    local journal
    run 0 run plugins/quick --only '*/right' --device host --preset smoke --set n=2 -o "$work/used" --machine m || return 1
    journal=$(ls "$work"/used/m/*.jsonl)
    jq -c 'del(.check) | if .record == "run" then .schema = 1 elif .record == "cell" then .tuning = {stage: "used", knobs: {delay: 0}} else . end' "$journal" >"$work/tuned" && cp "$work/tuned" "$journal"
    run 0 table plugins/quick -r "$work/used" -f csv && ! grep -q ',ok' "$work/out" && grep -q '1 cells with tuned settings are left out' "$work/err" &&
        run 0 query "SELECT tuning, knobs FROM cells" -r "$work/used" -f csv && grep -q '^used,' "$work/out" && run 0 check "$work/used"
}
check "tuned settings stand in no table" tuned
mkdir -p "$work/old/m"
printf '%s\n' '{"record":"run","schema":1,"run":"20260101T000000Z-0000","started":"2026-01-01T00:00:00Z","request":{"what":["plugins/quick"],"devices":["host"],"set":[],"only":[],"exclude":[],"tuned":[]}}' >"$work/old/m/20260101T000000Z-0000.jsonl"
check "a run with tuned settings is not gone on with" fails 2 'settings that it found, which this release' run --resume last -o "$work/old"
check "tune is gone" fails 2 '^orrery tune: gone; tools/tune.sh ' tune plugins/knobs
check "so is --tuned" fails 2 '--tuned: gone; ' run plugins/quick --tuned
