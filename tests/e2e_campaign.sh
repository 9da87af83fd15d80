#!/bin/bash
# Campaigns: shards, merged journals, the check of somebody's results, and job arrays through a batch system that is invented here.
# Prints "ok NAME" or "not ok NAME" a line.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
cd "$work" || exit 1

# --- shards of a plan ---

plan() { "$orrery" run plugins/slow plugins/quick --only '*right*' --device host --dry-run --json "$@" 2>/dev/null | jq -r .id | sort; }
shards_are_the_plan() {
    plan >whole && { plan --shard 1/3 && plan --shard 2/3 && plan --shard 3/3; } | sort >parts &&
        [ "$(wc -l <whole)" -eq 6 ] && cmp whole parts && plan --shard 2/3 >again && cmp again <(plan --shard=2/3) && [ "$(wc -l <again)" -eq 2 ]
}
check shards-are-the-plan shards_are_the_plan
for bad in 0/0 3/2 0/4 1 a/b 1/2/3; do
    check "no-shard-$bad" fails 2 "--shard takes I/N, part I of N .* not '$bad'" run plugins/quick --shard "$bad" --device host --dry-run
done
check too-many-shards fails 2 'there are 2 cells to measure, too few for 3 shards' run plugins/quick --only '*right*' --shard 1/3 --device host --dry-run
check no-shards-of-ceilings fails 2 '`run ceilings` takes' run ceilings --shard 1/2
check resume-has-its-shard fails 2 'takes everything from the run' run --resume last --shard 1/2
shard_in_journal() {
    run 0 run plugins/quick --only '*right*' --preset smoke --device host --shard 2/2 -o own --machine m &&
        jq -se '.[0] | .request.shard == "2/2" and .shard == {number: 2, of: 2, cells: 1, plan_cells: 2, plan: .shard.plan}
            and (.shard.plan | length) == 16' own/m/*.jsonl &&
        run 0 run --resume last -o own --json --dry-run && grep -q '0 cells to run, 1 finished' err &&
        run 0 run plugins/quick --only '*right*' --preset smoke --device host --shard 2/2 -o own --machine m --continue --dry-run &&
        grep -q '0 cells to run, 1 finished' out && run 0 run plugins/quick --only '*right*' --preset smoke --device host --shard 1/2 -o own \
        --machine m --continue --dry-run && grep -q '1 cells to run, 0 finished' out
}
check a-shard-in-its-journal shard_in_journal

# --- journals put together ---

# shard RUN I COMMIT CELL...: the journal of shard I of 3, one cell each; CELL has a letter for its id.
shard() {
    local run=$1 number=$2 commit=$3 cell
    shift 3
    printf '{"record":"run","run":"%s","started":"2026-01-01T00:00:00Z","request":{"what":["plugins/quick"],"repeats":1,"shard":"%s/3"},' "$run" "$number"
    printf '"machine":{"name":"m","cpu":"c","cores":2},"orrery":{"version":"1","commit":"%s"},"shard":{"number":%s,"of":3,"cells":1,"plan_cells":3,' "$commit" "$number"
    printf '"plan":"%s"},"devices":[]}\n' "${PLAN:-aaaaaaaaaaaaaaaa}"
    for cell in "$@"; do
        printf '{"record":"cell","id":"%s","round":1,"experiment":"plugins/quick","variant":"plugins/right","device":"host","parameters":{},' "$cell$cell$cell$cell"
        printf '"dataset":{"name":"random-3d","n":2,"seed":1,"sha256":"%s"},"outcome":"ok","reason":"","seconds":%s,' "${BODIES:-b}" "${SECONDS_OF:-1}"
        printf '"samples":{"step_s":[%s]},"plugin_sha256":"%s","started":"2026-01-01T00:00:0%dZ"}\n' "${SECONDS_OF:-1}" "${BUILD_OF:-p}" "$number"
    done
}
mkdir -p a b c
shard r1 1 x a >a/1.jsonl; shard r2 2 x b >b/2.jsonl; shard r3 3 x c >c/3.jsonl
merged() { run 0 merge c a/1.jsonl b -o all/of/them && [ "$(cd all/of/them && find . -type f | sort | tr '\n' ' ')" = './m/r1.jsonl ./m/r2.jsonl ./m/r3.jsonl ' ] &&
    cmp a/1.jsonl all/of/them/m/r1.jsonl && grep -q '^3 journals: all/of/them$' out; }
check shards-are-merged merged
any_order() {
    local first=none order
    for order in a,b,c c,a,b b,c,a all; do
        run 0 table plugins/quick -r $order || return 1
        grep -q warning err && return 1
        [ "$first" = none ] && first=$(cat out)
        [ "$first" = "$(cat out)" ] || return 1
    done
}
check in-any-order any_order
nothing_left() { ! compgen -G 'no*' >/dev/null; }
refuses() { fails 2 "$1" merge "${@:2}" -o no && nothing_left; }
check no-folder-twice fails 2 'all is there already; merge into a new folder' merge a b c -o all
check merge-what fails 2 'merge what' merge -o no
check merge-where fails 2 'needs -o DIR' merge a
check a-missing-shard refuses 'nothing was merged: shard 2 of 3 of `orrery run plugins/quick` on m is missing; measure it with --shard 2/3.*--partial' a c
check two-missing-shards refuses 'shards 1, 3 of 3 of .* are missing; measure the first with --shard 1/3' b
partial() { run 0 merge a c --partial -o partial && grep -q 'shard 2 of 3 .* missing' out && rm -r partial; }
check a-missing-shard-is-taken-when-asked partial
check a-missing-shard-is-told bash -c "'$orrery' table plugins/quick -r a,c 2>&1 >/dev/null | grep -q 'warning: shard 2 of 3 of .*missing'"
mkdir -p short mixed build bodies plans damaged
shard r2 2 x >short/2.jsonl
check an-unfinished-shard refuses 'shard 2/3 of .* has 0 of its 1 cells; `orrery run --resume r2`' a short c
shard r2 2 y b >mixed/2.jsonl
check mixed-versions refuses 'Orrery: 1 \(x\) in a/1.jsonl, 1 \(y\) in mixed/2.jsonl; --mixed' a mixed c
taken_mixed() { run 0 merge a mixed c --mixed -o mix && grep -q '1 (y) in mixed/2.jsonl' out && rm -r mix; }
check mixed-versions-are-taken-when-asked taken_mixed
check mixed-versions-are-told bash -c "'$orrery' table plugins/quick -r a,mixed,c 2>&1 >/dev/null | grep -q 'warning: Orrery: 1 (x)'"
BUILD_OF=q shard r2 2 x b >build/2.jsonl
check mixed-builds refuses 'the build of plugins/right of m: p in a/1.jsonl, q in build/2.jsonl' a build c
BODIES=other shard r2 2 x b >bodies/2.jsonl
check other-bodies refuses 'the data set random-3d of 2 bodies: b in a/1.jsonl, other in bodies/2.jsonl' a bodies c --mixed
PLAN=bbbbbbbbbbbbbbbb shard r2 2 x b >plans/2.jsonl
check other-plans refuses 'the plan of `orrery run plugins/quick`: aaaaaaaaaaaaaaaa, 3 cells in a/1.jsonl, bbbbbbbbbbbbbbbb' a plans c
{ cat b/2.jsonl; echo '{"record":"cell","id'; } >damaged/2.jsonl
check damage refuses 'nothing was merged: 1 damaged line in the journals: damaged/2.jsonl:3: ' a damaged c
taken_damaged() { run 0 merge a damaged c --damaged -o dam && cmp damaged/2.jsonl dam/m/r2.jsonl && rm -r dam; }
check damage-is-taken-when-asked taken_damaged
# Copies are one run; the longer one counts, and one that was changed is neither.
mkdir -p copy longer changed twice nameless
cp b/2.jsonl copy/; { cat b/2.jsonl; echo '{"record":"end"}'; } >longer/2.jsonl
copies() { run 0 merge a copy b longer c -o one && grep -q 'b/2.jsonl and copy/2.jsonl are the same journal; written once' out &&
    grep -q 'longer/2.jsonl are the same journal, the second goes further' out && cmp longer/2.jsonl one/m/r2.jsonl && rm -r one; }
check copies-are-told copies
SECONDS_OF=2 shard r2 2 x b >changed/2.jsonl
check a-changed-copy refuses 'b/2.jsonl and changed/2.jsonl are of one run and differ' a b changed c
SECONDS_OF=2 shard r4 2 x b >twice/2.jsonl
duplicates() { run 0 merge a b twice c -o dup && grep -q '^1 cell of m measured more than once, as plugins/quick plugins/right host in b/2.jsonl and twice/2.jsonl; the newest counts' out && rm -r dup; }
check duplicates-are-told duplicates
shard ../r5 2 x b >nameless/2.jsonl
check a-name-that-leaves refuses "'../r5' is no name for a run" a nameless c
check an-unknown-folder fails 2 "no journal, folder or machine 'nowhere'" merge nowhere -o no
mkdir -p empty
check an-empty-folder refuses 'no journals' empty
finish
