#!/bin/bash
# SPDX-License-Identifier: MIT
# Campaigns: shards, journals put together, the check of somebody's results, and the script of a job array.
. "$(dirname "$0")/lib_e2e.sh"
use_test_plugins
cd "$work" || exit 1

# --- shards of a plan ---

request=(plugins/quick --only '*right*' --device host) smoke=(run plugins/quick --only '*right*' --device host --preset smoke)
plan() { "$orrery" run plugins/slow "${request[@]}" --dry-run --json "$@" 2>/dev/null | jq -r .id | sort; }
shards_are_the_plan() {
    plan >whole && { plan --shard 1/3 && plan --shard 2/3 && plan --shard 3/3; } | sort | cmp - whole && [ "$(wc -l <whole)" -eq 6 ] && [ "$(plan --shard=2/3 | wc -l)" -eq 2 ]
}
check shards-are-the-plan shards_are_the_plan
for bad in 0/0 3/2 1 a/b 1/2/3; do check "no-shard-$bad" fails 2 "--shard takes I/N, part I of N .* not '$bad'" run "${request[@]}" --shard "$bad" --dry-run; done
check too-many-shards fails 2 'there are 2 cells to measure, too few for 3 shards' run "${request[@]}" --shard 1/3 --dry-run
check no-shards-of-ceilings fails 2 '`run ceilings` takes' run ceilings --shard 1/2
check resume-has-its-shard fails 2 'takes everything from the run' run --resume last --shard 1/2
shard_in_journal() {
    own=("${smoke[@]}" -o own --machine m)
    run 0 "${own[@]}" --shard 2/2 && jq -se '.[0] | .request.shard == "2/2" and .shard == {number: 2, of: 2, cells: 1, plan_cells: 2, plan: .shard.plan}
            and (.shard.plan | length) == 16' own/m/*.jsonl && fails 0 '0 cells to run, 1 finished' run --resume last -o own --json --dry-run &&
        prints '0 cells to run, 1 finished' "${own[@]}" --shard 2/2 --continue --dry-run && prints '1 cells to run, 0 finished' "${own[@]}" --shard 1/2 --continue --dry-run
}
check a-shard-in-its-journal shard_in_journal

# Axes that vary together: a run that was cut knows the same rows.
zipped=("${smoke[@]}" -o rows --machine m --set n,delay=2:0.001,3:0.002,4:0.001)
ids() { jq -r .id | sort; }
rows_go_on() {
    "$orrery" "${zipped[@]}" --dry-run --json 2>err | ids >whole && [ "$(wc -l <whole)" -eq 3 ] && run 0 "${zipped[@]}" && journal=$(echo rows/m/*.jsonl) && head -n 3 "$journal" >cut && mv cut "$journal" &&
        jq -se '.[0].request.set == ["n,delay=2:0.001,3:0.002,4:0.001"]' "$journal" && run 0 run --resume last -o rows --machine m --dry-run --json &&
        ids <out | comm -12 whole - | cmp - <(ids <out) && grep -q '^2 cells to run, 1 finished' err &&
        run 0 run --resume last -o rows --machine m && jq -r 'select(.record == "cell").id' "$journal" | sort | cmp - whole
}
check rows-go-on rows_go_on

# --- journals put together ---

# shard RUN I COMMIT CELL JQ: the journal of shard I of 3, of one cell, CELL a letter for its id, changed by jq's filter.
shard() {
    jq -cn --arg run "$1" --argjson number "$2" --arg commit "$3" --arg cell "$4" '{record: "run", schema: 1, $run, started: "2026-01-01T00:00:00Z",
            request: {what: ["plugins/quick"], repeats: 1, shard: "\($number)/3"}, machine: {name: "m", cpu: "c", cores: 2}, orrery: {version: "1", $commit},
            shard: {$number, of: 3, cells: 1, plan_cells: 3, plan: "aaaaaaaaaaaaaaaa"}, devices: [{id: "host", backend: "host", name: "a host"}]},
        if $cell == "" then empty else {record: "cell", id: ($cell * 4), round: 1, experiment: "plugins/quick", variant: "plugins/right", device: "host", parameters: {},
            dataset: {name: "random-3d", n: 2, seed: 1, sha256: "b"}, outcome: "ok", reason: "", seconds: 1, wall_s: 1, error: {median: 1e-6, bound: {median: 1e-5}},
            samples: {step_s: [1]}, plugin_sha256: "p", started: "2026-01-01T00:00:0\($number)Z"} end,
        {record: "end", finished: "2026-01-01T00:01:00Z", ok: 1, wrong: 0, failed: 0, unsupported: 0, interrupted: false}' | jq -c "${5:-.}"
}
mkdir -p a b c
shard r1 1 x a >a/1.jsonl; shard r2 2 x b >b/2.jsonl; shard r3 3 x c >c/3.jsonl
# checks STATUS TEXT WHAT...: it exits with STATUS, and TEXT stands in what it prints.
checks() { run "$1" check "${@:3}" && grep -qE -- "$2" out; }
check shards-make-a-whole eval 'checks 0 "^3 journals of 1 machine, 3 cells: 0 faults, 0 beyond their bounds, 3 remarks$" c a/1.jsonl b && [ "$(grep -c "is not named after its run" out)" -eq 3 ]'
any_order() {
    local order
    run 0 table plugins/quick -r a,b,c && cp out first && for order in c,a,b b,c,a c,a/1.jsonl,b; do
        run 0 table plugins/quick -r $order && ! grep -q warning err && cmp first out || return 1
    done
}
check in-any-order any_order
check a-missing-shard checks 0 '^shard 2 of 3 of `orrery run plugins/quick` on m is missing; measure it with --shard 2/3' a c
# Shards of another month do not stand in for one that is missing.
of_a_campaign() { run 0 "${smoke[@]}" --machine m -o months --shard "$@"; }
months() {
    of_a_campaign 1/2 && of_a_campaign 2/2 && of_a_campaign 1/2 --campaign may && of_a_campaign 1/2 --campaign may --continue --dry-run &&
        grep -q '0 cells to run, 1 finished' out && checks 0 '^shard 2 of 2 of .* on m is missing; measure it with --shard 2/2 --campaign may, or' months &&
        ! grep -q ' different \|plan of' out && of_a_campaign 2/2 --campaign may && run 0 check months && ! grep -q missing out
}
check campaigns-by-name months
check no-campaign-of-a-whole fails 2 '--campaign goes with --shard' run plugins/quick --campaign may --device host --dry-run
check a-missing-shard-is-told fails 0 'warning: shard 2 of 3 of .*missing' table plugins/quick -r a,c
# beside FOLDER STATUS TEXT SHARD...: with such a second shard beside the first, the third and $also.
beside() { mkdir -p "$1" && shard "${@:4}" >"$1/2.jsonl" && checks "$2" "$3" a $also "$1" c; }
also=''
check an-unfinished-shard beside short 0 '^shard 2/3 of .* has 0 of its 1 cells; `orrery run --resume r2`' r2 2 x ""
check mixed-versions beside mixed 0 '^Orrery: 1 \(x\) in a/1.jsonl, 1 \(y\) in mixed/2.jsonl$' r2 2 y b
check two-reasons eval 'checks 0 "^Orrery: 1 \(x\) in a/1.jsonl" a mixed && grep -q "^shard 3 of 3 .* is missing" out'
check mixed-versions-are-told fails 0 'warning: Orrery: 1 \(x\)' table plugins/quick -r a,mixed,c
check mixed-builds beside build 0 '^the build of plugins/right of m: p in a/1.jsonl, q in build/2.jsonl$' r2 2 x b 'if .plugin_sha256 then .plugin_sha256 = "q" else . end'
check other-bodies beside bodies 2 '^the data set random-3d of 2 bodies: b in a/1.jsonl, other in bodies/2.jsonl$' r2 2 x b 'if .dataset then .dataset.sha256 = "other" else . end'
check other-plans beside plans 0 '^the plan of `orrery run plugins/quick`: aaaaaaaaaaaaaaaa, 3 cells in a/1.jsonl, bbbbbbbbbbbbbbbb' r2 2 x b 'if .shard then .shard.plan = "b" * 16 else . end'
# Copies are one run; one that was changed is none.
mkdir -p damaged copy longer
{ cat b/2.jsonl; echo '{"record":"cell","id'; } >damaged/2.jsonl
check damage checks 2 '^damaged/2.jsonl:4: ' a damaged c
cp b/2.jsonl copy/; { cat b/2.jsonl; tail -1 b/2.jsonl; } >longer/2.jsonl
check copies checks 0 '^b/2.jsonl and copy/2.jsonl are of one run, which counts once$' a b copy c
check a-longer-copy checks 0 '^b/2.jsonl and longer/2.jsonl are of one run, which counts once$' longer a b c
also=b slower='if .seconds then .seconds = 2 | .samples.step_s = [2] else . end'
check a-changed-copy beside changed 2 '^b/2.jsonl and changed/2.jsonl are of one run and differ; one of them was changed$' r2 2 x b "$slower"
check duplicates beside twice 0 '^1 cell of m measured more than once, as plugins/quick plugins/right host in b/2.jsonl and twice/2.jsonl; the newest counts, or one of more processes by the same build' r4 2 x b "$slower"
mkdir -p endless && sed 's|1/3|1/3000000000000|; s/"of":3/"of":3000000000000/' a/1.jsonl >endless/1.jsonl
check endless-shards checks 0 '^shards 2, 3, 4, 5' endless
check an-unknown-folder fails 2 "no journal, folder or machine 'nowhere'" check nowhere
mkdir -p empty

# --- somebody's results, checked ---

mkdir -p all/m && for r in 1:a 2:b 3:c; do cp "${r#*:}/${r%:*}.jsonl" "all/m/r${r%:*}.jsonl"; done
check whole-results checks 0 '^3 journals of 1 machine, 3 cells: 0 faults, 0 beyond their bounds, 0 remarks' all
check a-missing-shard-is-remarked checks 0 'shard 1 of 2 of .* is missing' own
check one-fault checks 2 ' 1 fault, 0 beyond' damaged
# Each line is a fault of its own, also beside a journal of which nothing is left.
every_fault() {
    mkdir -p torn/m && jq -c 'if .wall_s then del(.wall_s) else . end' b/2.jsonl | sed '1!s/^{/{{/' >torn/m/a.jsonl && echo '{' >torn/m/b.jsonl &&
        checks 2 " $(wc -l <torn/m/a.jsonl) faults, 0 beyond" torn && grep -q '^torn/m/b.jsonl:1: ' out && grep -q '^torn/m/a.jsonl:2: ' out
}
check every-line-is-a-fault every_fault
# altered TEXT FILTER: the record of a cell, or of the run, is altered by jq's FILTER; check says TEXT.
altered() { mkdir -p altered && jq -c "$3" b/2.jsonl >altered/r2.jsonl && checks "$1" "$2" altered; }
check a-member-is-missing altered 2 'altered/r2.jsonl:2: cell lacks wall_s' 'del(.wall_s)'
check an-unknown-outcome altered 2 "r2.jsonl:2: cell: there is no outcome 'fine'" 'if .outcome then .outcome = "fine" else . end'
check a-median-that-is-none altered 2 'seconds is not the median of its samples' 'if .seconds then .seconds = 7 else . end'
check an-unknown-member altered 0 'does not know the member cell/ranks_of' 'if .seconds then .ranks_of = 7 else . end'
check a-run-without-its-end altered 0 'altered/r2.jsonl: its run did not come to its end' 'select(.record != "end")'
check a-journal-of-another-name checks 0 'b/2.jsonl is not named after its run, r2' b
check beyond-its-bounds altered 3 'r2.jsonl:2: plugins/quick plugins/right is ok with errors of 0.001, .* and bounds of 1e-05' \
    'if .error then .error.median = 0.001 else . end'
check checked-what fails 2 'check what' check
check nothing-to-check fails 2 'no journals in what was named' check empty
# A claim judged from the cells: theirs said something else.
claim_of_seconds
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
what=("${smoke[@]:1}" -o jobs)
ended() { [ "$(jq -r 'select(.record == "end").ok' jobs/*/*.jsonl | wc -l)" -eq "$1" ]; }
check a-task-a-shard eval 'task 1 1 2 2 "${what[@]}" && task 2 1 2 2 "${what[@]}" && ended 2 && checks 0 "^2 journals of 1 machine, 2 cells: 0 faults, 0 beyond their bounds, 0 remarks$" jobs'
again() { task 2 1 2 2 "${what[@]}" && [ "$(cat jobs/*/*.jsonl | jq -rs '[.[] | select(.record == "cell")] | length')" -eq 2 ]; }
check a-task-that-is-over-measures-nothing again
check some-of-the-tasks eval 'rm -r jobs && ! task 2 2 2 1 "${what[@]}" && grep -q SHARDS=N err && SHARDS=2 task 2 2 2 1 "${what[@]}" && ended 1'
check no-task-of-a-shell eval '! bash "$root/tools/slurm/orrery.sbatch" plugins/quick 2>err && grep -q "script for sbatch" err'

# --- files for ReFrame and Ramble ---

# Ramble's directives, to see what the application says of a line of `run --json`.
application() {
    rm -rf jobs && run 0 "${smoke[@]}" --once -o jobs --json && python3 - "$root/tools/ramble/applications/orrery/application.py" out <<'CHECK'
import re, runpy, string, sys, types
said, appkit = [], types.ModuleType('ramble.appkit')
def directive(kind): return lambda *arguments, **options: said.append((kind, arguments, options))
for kind in ('tags', 'executable', 'workload', 'workload_variable', 'figure_of_merit', 'figure_of_merit_context', 'success_criteria'):
    setattr(appkit, kind, directive(kind))
appkit.ExecutableApplication, appkit.OUTPUT_CAPTURE = object, types.SimpleNamespace(STDOUT='>>')
sys.modules.update({'ramble': types.ModuleType('ramble'), 'ramble.appkit': appkit})
runpy.run_path(sys.argv[1])
lines = open(sys.argv[2]).read().splitlines()
found = {arguments[0]: [re.match(options['fom_regex'], line) for line in lines] for kind, arguments, options in said if kind == 'figure_of_merit'}
context = next(options for kind, _, options in said if kind == 'figure_of_merit_context')
assert len(lines) == 2 and all(re.match(context['regex'], line) for line in lines)
names = {field for _, field, _, _ in string.Formatter().parse(context['output_format']) if field}
assert names == set(re.compile(context['regex']).groupindex)
assert [match['value'] for match in found['outcome']] == ['ok', 'ok'] and all(float(match['value']) >= 0 for match in found['error_median'])
assert re.match(found_seconds := next(o['fom_regex'] for k, a, o in said if k == 'figure_of_merit' and a[0] == 'seconds'), '{"kernel_seconds":7,"seconds":0.25}')['value'] == '0.25'
command = ' '.join(next(arguments[1] for kind, arguments, _ in said if kind == 'executable'))
variables = {arguments[0] for kind, arguments, _ in said if kind == 'workload_variable'}
assert {field for _, field, _, _ in string.Formatter().parse(command) if field} == variables | {'experiment_run_dir'}
def succeeds(*more):
    def matches(pattern): return any(re.match(pattern, line) for line in lines + list(more))
    return all(matches(o['match']) if 'match' in o else not matches(o['anti_match']) for kind, _, o in said if kind == 'success_criteria')
def cell(outcome): return '{"variant":"a/b","outcome":"%s","reason":""}' % outcome
end = 'orrery ended with 0'
assert succeeds(end) and succeeds(cell('unsupported'), cell('wrong on purpose'), end)
assert not succeeds() and not succeeds('orrery ended with 137') and not any(succeeds(cell(o), end) for o in ('wrong', 'suspect', 'timed out', 'crashed'))
CHECK
}
# ReFrame itself is loaded once a night.
reframe() {
    python3 -m venv venv && venv/bin/pip -q install reframe-hpc || return
    by_reframe() { venv/bin/reframe -c "$root/tools/reframe/orrery_run.py" -r -S orrery_run.executable="$orrery" -S orrery_run.what="$1" -S orrery_run.preset=smoke -S orrery_run.more="--only $2" >out; }
    by_reframe plugins/quick '*right*' && grep -q 'plugins/quick_plugins/right_random-3d_2_host' out && ! by_reframe plugins/faults '*wrong' && grep -q 'plugins/wrong.*wrong' out
}
check a-file-for-reframe python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$root/tools/reframe/orrery_run.py"
check an-application-for-ramble application
if [ -n "${ORRERY_ALL_TESTS:-}" ]; then check reframe-runs-it reframe; fi
