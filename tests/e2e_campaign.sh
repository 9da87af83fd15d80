#!/bin/bash
# SPDX-License-Identifier: MIT
# Campaigns: shards, journals put together, the check of somebody's results, and the script of a job array.
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
check too-many-shards-of-one-cell fails 2 'there is 1 cell to measure, too few for 2 shards' run plugins/quick --only '*right*' --set n=8 --shard 1/2 --device host --dry-run
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

# Axes that vary together: shards, and a run that was cut, know the same rows.
zipped=(run plugins/quick --only '*right*' --preset smoke --device host -o rows --machine m --set n,delay=2:0.001,3:0.002,4:0.001)
ids() { jq -r .id | sort; }
rows_stay_rows() {
    "$orrery" "${zipped[@]}" --dry-run --json 2>err | ids >whole && [ "$(wc -l <whole)" -eq 3 ] &&
        for part in 1/2 2/2; do "$orrery" "${zipped[@]}" --dry-run --json --shard $part 2>err; done | ids | cmp - whole &&
        run 0 "${zipped[@]}" --shard 2/2 --json && ids <out >measured && cmp measured <("$orrery" "${zipped[@]}" --dry-run --json --shard 2/2 2>err | ids) &&
        run 0 "${zipped[@]}" --shard 1/2 && run 0 table plugins/quick -r rows && ! grep -q warning err
}
check rows-stay-rows rows_stay_rows
rows_go_on() {
    rm -r rows && run 0 "${zipped[@]}" && journal=$(echo rows/m/*.jsonl) && head -n 3 "$journal" >cut && mv cut "$journal" &&
        jq -se '.[0].request.set == ["n,delay=2:0.001,3:0.002,4:0.001"]' "$journal" && run 0 run --resume last -o rows --machine m --dry-run --json &&
        ids <out | comm -12 whole - | cmp - <(ids <out) && grep -q '^2 cells to run, 1 finished' err &&
        run 0 run --resume last -o rows --machine m && jq -r 'select(.record == "cell").id' "$journal" | sort | cmp - whole
}
check rows-go-on rows_go_on

# --- journals put together ---

# shard RUN I COMMIT CELL...: the journal of shard I of 3, one cell each; CELL has a letter for its id.
shard() {
    local run=$1 number=$2 commit=$3 cell
    shift 3
    printf '{"record":"run","schema":1,"run":"%s","started":"2026-01-01T00:00:00Z","request":{"what":["plugins/quick"],"repeats":1,"shard":"%s/3"},' "$run" "$number"
    printf '"machine":{"name":"m","cpu":"c","cores":2},"orrery":{"version":"1","commit":"%s"},"shard":{"number":%s,"of":3,"cells":1,"plan_cells":3,' "$commit" "$number"
    printf '"plan":"%s"},"devices":[{"id":"host","backend":"host","name":"a host"}]}\n' "${PLAN:-aaaaaaaaaaaaaaaa}"
    for cell in "$@"; do
        printf '{"record":"cell","id":"%s","round":1,"experiment":"plugins/quick","variant":"plugins/right","device":"host","parameters":{},' "$cell$cell$cell$cell"
        printf '"dataset":{"name":"random-3d","n":2,"seed":1,"sha256":"%s"},"outcome":"ok","reason":"","seconds":%s,"wall_s":1,' "${BODIES:-b}" "${SECONDS_OF:-1}"
        printf '"error":{"median":%s,"bound":{"median":1e-5}},' "${ERROR_OF:-1e-6}"
        printf '"samples":{"step_s":[%s]},"plugin_sha256":"%s","started":"2026-01-01T00:00:0%dZ"}\n' "${SECONDS_OF:-1}" "${BUILD_OF:-p}" "$number"
    done
    echo '{"record":"end","finished":"2026-01-01T00:01:00Z","ok":1,"wrong":0,"failed":0,"unsupported":0,"interrupted":false}'
}
mkdir -p a b c
shard r1 1 x a >a/1.jsonl; shard r2 2 x b >b/2.jsonl; shard r3 3 x c >c/3.jsonl
# checks STATUS TEXT WHAT...: it exits with STATUS, and TEXT stands in what it prints.
checks() {
    run "$1" check "${@:3}" && grep -qE -- "$2" out
}
whole() { checks 0 '^3 journals of 1 machine, 3 cells: 0 faults, 0 beyond their bounds, 3 remarks$' c a/1.jsonl b && [ "$(grep -c 'is not named after its run' out)" -eq 3 ]; }
check shards-make-a-whole whole
any_order() {
    local first=none order
    for order in a,b,c c,a,b b,c,a c,a/1.jsonl,b; do
        run 0 table plugins/quick -r $order || return 1
        grep -q warning err && return 1
        [ "$first" = none ] && first=$(cat out)
        [ "$first" = "$(cat out)" ] || return 1
    done
}
check in-any-order any_order
check a-missing-shard checks 0 '^shard 2 of 3 of `orrery run plugins/quick` on m is missing; measure it with --shard 2/3' a c
check two-missing-shards checks 0 '^shards 1, 3 of 3 of .* are missing; measure the first with --shard 1/3' b
# Shards of another month do not stand in for one that is missing.
of_a_campaign() { run 0 run plugins/quick --only '*right*' --preset smoke --device host --machine m -o months --shard "$@"; }
months() {
    of_a_campaign 1/2 && of_a_campaign 2/2 && of_a_campaign 1/2 --campaign may && of_a_campaign 1/2 --campaign may --continue --dry-run &&
        grep -q '0 cells to run, 1 finished' out && checks 0 '^shard 2 of 2 of .* on m is missing; measure it with --shard 2/2 --campaign may, or' months &&
        ! grep -q ' different \|plan of' out && of_a_campaign 2/2 --campaign may && run 0 check months && ! grep -q missing out
}
check campaigns-by-name months
check no-campaign-of-a-whole fails 2 '--campaign goes with --shard' run plugins/quick --campaign may --device host --dry-run
check a-missing-shard-is-told bash -c "'$orrery' table plugins/quick -r a,c 2>&1 >/dev/null | grep -q 'warning: shard 2 of 3 of .*missing'"
mkdir -p short mixed build bodies plans damaged
shard r2 2 x >short/2.jsonl
check an-unfinished-shard checks 0 '^shard 2/3 of .* has 0 of its 1 cells; `orrery run --resume r2`' a short c
shard r2 2 y b >mixed/2.jsonl
check mixed-versions checks 0 '^Orrery: 1 \(x\) in a/1.jsonl, 1 \(y\) in mixed/2.jsonl$' a mixed c
two_reasons() { checks 0 '^Orrery: 1 \(x\) in a/1.jsonl' a mixed && grep -q '^shard 3 of 3 .* is missing' out; }
check two-reasons two_reasons
check mixed-versions-are-told bash -c "'$orrery' table plugins/quick -r a,mixed,c 2>&1 >/dev/null | grep -q 'warning: Orrery: 1 (x)'"
BUILD_OF=q shard r2 2 x b >build/2.jsonl
check mixed-builds checks 0 '^the build of plugins/right of m: p in a/1.jsonl, q in build/2.jsonl$' a build c
BODIES=other shard r2 2 x b >bodies/2.jsonl
check other-bodies checks 2 '^the data set random-3d of 2 bodies: b in a/1.jsonl, other in bodies/2.jsonl$' a bodies c
PLAN=bbbbbbbbbbbbbbbb shard r2 2 x b >plans/2.jsonl
check other-plans checks 0 '^the plan of `orrery run plugins/quick`: aaaaaaaaaaaaaaaa, 3 cells in a/1.jsonl, bbbbbbbbbbbbbbbb' a plans c
{ cat b/2.jsonl; echo '{"record":"cell","id'; } >damaged/2.jsonl
check damage checks 2 '^damaged/2.jsonl:4: ' a damaged c
# Copies are one run; one that was changed is none.
mkdir -p copy longer changed twice
cp b/2.jsonl copy/; { cat b/2.jsonl; tail -1 b/2.jsonl; } >longer/2.jsonl
check copies checks 0 '^b/2.jsonl and copy/2.jsonl are of one run, which counts once$' a b copy c
check a-longer-copy checks 0 '^b/2.jsonl and longer/2.jsonl are of one run, which counts once$' longer a b c
SECONDS_OF=2 shard r2 2 x b >changed/2.jsonl
check a-changed-copy checks 2 '^b/2.jsonl and changed/2.jsonl are of one run and differ; one of them was changed$' a b changed c
SECONDS_OF=2 shard r4 2 x b >twice/2.jsonl
check duplicates checks 0 '^1 cell of m measured more than once, as plugins/quick plugins/right host in b/2.jsonl and twice/2.jsonl; the newest counts, or one of more processes by the same build' a b twice c
endless() { mkdir -p endless && sed 's|1/3|1/3000000000000|; s/"of":3/"of":3000000000000/' a/1.jsonl >endless/1.jsonl && checks 0 '^shards 2, 3, 4, 5' endless; }
check endless-shards endless
check an-unknown-folder fails 2 "no journal, folder or machine 'nowhere'" check nowhere
mkdir -p empty

# --- somebody's results, checked ---

mkdir -p all/m && for r in 1:a 2:b 3:c; do cp "${r#*:}/${r%:*}.jsonl" "all/m/r${r%:*}.jsonl"; done
check whole-results checks 0 '^3 journals of 1 machine, 3 cells: 0 faults, 0 beyond their bounds, 0 remarks' all
check its-own-journal checks 0 '^1 journal of 1 machine.* 0 faults, 0 beyond their bounds, 1 remark$' own
check a-missing-shard-is-remarked checks 0 'shard 1 of 2 of .* is missing' own
check check-damage checks 2 'damaged/2.jsonl:4: ' damaged
one_fault() { checks 2 ' 1 fault, 0 beyond' damaged; }
check one-fault one_fault
# Each line is a fault of its own, also beside a journal of which nothing is left.
every_fault() {
    mkdir -p torn/m && jq -c 'if .wall_s then del(.wall_s) else . end' b/2.jsonl | sed '1!s/^{/{{/' >torn/m/a.jsonl && echo '{' >torn/m/b.jsonl &&
        checks 2 " $(wc -l <torn/m/a.jsonl) faults, 0 beyond" torn && grep -q '^torn/m/b.jsonl:1: ' out && grep -q '^torn/m/a.jsonl:2: ' out
}
check every-line-is-a-fault every_fault
# altered TEXT FILTER: the record of a cell, or of the run, is altered by jq's FILTER; check says TEXT.
altered() {
    mkdir -p altered && jq -c "$3" b/2.jsonl >altered/r2.jsonl && checks "$1" "$2" altered
}
check a-member-is-missing altered 2 'altered/r2.jsonl:2: cell lacks wall_s' 'del(.wall_s)'
check a-run-without-its-request altered 2 'altered/r2.jsonl:1: run lacks request' 'del(.request)'
check another-type altered 2 'r2.jsonl:2: cell: reason is no text' 'if .reason then .reason = 1 else . end'
check an-unknown-outcome altered 2 "r2.jsonl:2: cell: there is no outcome 'fine'" 'if .outcome then .outcome = "fine" else . end'
check an-unknown-record altered 2 "r2.jsonl:3: there is no record 'fin'" 'if .record == "end" then .record = "fin" else . end'
check a-median-that-is-none altered 2 'seconds is not the median of its samples' 'if .seconds then .seconds = 7 else . end'
check an-unknown-member altered 0 'does not know the member cell/ranks_of' 'if .seconds then .ranks_of = 7 else . end'
check a-run-without-its-end altered 0 'altered/r2.jsonl: its run did not come to its end' 'select(.record != "end")'
check a-journal-of-another-name checks 0 'b/2.jsonl is not named after its run, r2' b
check beyond-its-bounds altered 3 'r2.jsonl:2: plugins/quick plugins/right is ok with errors of 0.001, .* and bounds of 1e-05' \
    'if .error then .error.median = 0.001 else . end'
check checked-what fails 2 'check what' check
check nothing-to-check fails 2 'no journals in what was named' check empty
# A claim judged from the cells: theirs said something else.
cat >"$ORRERY_HOME/variants/plugins/claims.sql" <<'SQL'
INSERT INTO claim VALUES ('P1', 'Table F', 'it takes a second', NULL, '1', 'orrery run plugins/quick');
INSERT INTO wanted VALUES ('P1', 'as printed', 'seconds', '', 1, 'below 2');
INSERT INTO part SELECT 'P1', machine, device, 'as printed', 'seconds', '', max(seconds), NULL, NULL, 's', max(seconds) < 2, NULL,
    json_array(max(cell_key)) FROM latest GROUP BY machine, device;
SQL
verdicts() {
    run 0 claims --json -r all && cp out all/claims.json && checks 0 '^1 verdict, 0 of them differ ' all &&
        sed -i 's/"reproduced"/"not reproduced"/' all/claims.json && checks 1 '^plugins P1, m host: reproduced; not reproduced was expected' all &&
        run 1 check all --json && jq -e '.faults == [] and (.differences | length) == 1 and .verdicts_came' out &&
        mv all/claims.json theirs.json && checks 1 '1 verdict, 1 of them differs ' all --expect theirs.json && checks 0 'none came with the results' all
}
check verdicts-are-judged-again verdicts

# --- jobs of a batch system; tests/slurm.sh tries them on a real one ---

# task I FIRST LAST COUNT WORDS...: what the script of the job array does as its task I.
task() {
    SLURM_ARRAY_TASK_ID=$1 SLURM_ARRAY_TASK_MIN=$2 SLURM_ARRAY_TASK_MAX=$3 SLURM_ARRAY_TASK_COUNT=$4 ORRERY=$orrery \
        bash "$root/tools/slurm/orrery.sbatch" "${@:5}" >out 2>err
}
what=(plugins/quick --only '*right*' --device host --preset smoke -o jobs)
ended() { [ "$(jq -r 'select(.record == "end").ok' jobs/*/*.jsonl | wc -l)" -eq "$1" ]; }
tasks() { task 1 1 2 2 "${what[@]}" && task 2 1 2 2 "${what[@]}" && ended 2 && checks 0 '^2 journals of 1 machine, 2 cells: 0 faults, 0 beyond their bounds, 0 remarks$' jobs; }
check a-task-a-shard tasks
again() { task 2 1 2 2 "${what[@]}" && [ "$(cat jobs/*/*.jsonl | jq -rs '[.[] | select(.record == "cell")] | length')" -eq 2 ]; }
check a-task-that-is-over-measures-nothing again
some() { rm -r jobs && ! task 2 2 2 1 "${what[@]}" && grep -q 'SHARDS=N' err && SHARDS=2 task 2 2 2 1 "${what[@]}" && ended 1; }
check some-of-the-tasks some
check no-task-of-a-shell eval '! bash "$root/tools/slurm/orrery.sbatch" plugins/quick 2>err && grep -q "script for sbatch" err'

# --- files for ReFrame and Ramble ---

# Ramble's directives, to see what the application says of a line of `run --json`.
application() {
    mkdir -p stub/ramble && touch stub/ramble/__init__.py && cat >stub/ramble/appkit.py <<'APPKIT' &&
import types
said = []
def directive(kind):
    return lambda *arguments, **options: said.append((kind, arguments, options))
class ExecutableApplication: pass
OUTPUT_CAPTURE = types.SimpleNamespace(STDOUT='>>')
tags, executable, workload, workload_variable, figure_of_merit, figure_of_merit_context, success_criteria = (directive(kind) for kind in
    ('tags', 'executable', 'workload', 'variable', 'fom', 'context', 'success'))
APPKIT
    rm -rf jobs && run 0 run plugins/quick --only '*right*' --device host --preset smoke --once -o jobs --json &&
        PYTHONPATH=stub python3 - "$root/tools/ramble/applications/orrery/application.py" out <<'CHECK'
import re, runpy, string, sys
runpy.run_path(sys.argv[1])
from ramble.appkit import said
lines = open(sys.argv[2]).read().splitlines()
found = {arguments[0]: [re.match(options['fom_regex'], line) for line in lines] for kind, arguments, options in said if kind == 'fom'}
context = next(options for kind, _, options in said if kind == 'context')
assert len(lines) == 2 and all(re.match(context['regex'], line) for line in lines)
names = {field for _, field, _, _ in string.Formatter().parse(context['output_format']) if field}
assert names == set(re.compile(context['regex']).groupindex)
assert [match['value'] for match in found['outcome']] == ['ok', 'ok'] and all(float(match['value']) >= 0 for match in found['error_median'])
assert re.match(found_seconds := next(o['fom_regex'] for k, a, o in said if k == 'fom' and a[0] == 'seconds'), '{"kernel_seconds":7,"seconds":0.25}')['value'] == '0.25'
command = ' '.join(next(arguments[1] for kind, arguments, _ in said if kind == 'executable'))
variables = {arguments[0] for kind, arguments, _ in said if kind == 'variable'}
assert {field for _, field, _, _ in string.Formatter().parse(command) if field} == variables | {'experiment_run_dir'}
def succeeds(*more):
    def matches(pattern): return any(re.match(pattern, line) for line in lines + list(more))
    return all(matches(o['match']) if 'match' in o else not matches(o['anti_match']) for kind, _, o in said if kind == 'success')
def cell(outcome): return '{"variant":"a/b","outcome":"%s","reason":""}' % outcome
end = 'orrery ended with 0'
assert succeeds(end) and succeeds(cell('unsupported'), cell('wrong on purpose'), end)
assert not succeeds() and not succeeds('orrery ended with 137') and not any(succeeds(cell(o), end) for o in ('wrong', 'suspect', 'timed out', 'crashed'))
CHECK
}
# ReFrame itself is loaded once a night.
reframe() {
    python3 -m venv venv && venv/bin/pip -q install reframe-hpc && venv/bin/reframe -c "$root/tools/reframe/orrery_run.py" -r \
        -S orrery_run.executable="$orrery" -S orrery_run.what=plugins/quick -S orrery_run.preset=smoke -S orrery_run.more='--only *right*' >out &&
        grep -q 'plugins/quick_plugins/right_random-3d_2_host' out && ! venv/bin/reframe -c "$root/tools/reframe/orrery_run.py" -r \
        -S orrery_run.executable="$orrery" -S orrery_run.what=plugins/faults -S orrery_run.preset=smoke -S orrery_run.more='--only *wrong' >out &&
        grep -q 'plugins/wrong.*wrong' out
}
if command -v python3 >/dev/null; then
    check a-file-for-reframe python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$root/tools/reframe/orrery_run.py"
    check an-application-for-ramble application
    if [ -n "${ORRERY_ALL_TESTS:-}" ]; then check reframe-runs-it reframe; fi
else
    echo "ok files for ReFrame and Ramble: python3 is not installed: skipped"
fi
finish
