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
        run 0 "${zipped[@]}" --shard 1/2 && run 0 merge rows -o joined && run 0 table plugins/quick -r joined && ! grep -q warning err
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
    printf '"plan":"%s"},"devices":[]}\n' "${PLAN:-aaaaaaaaaaaaaaaa}"
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
into_an_empty_folder() { mkdir hollow && run 0 merge a b c -o hollow/ && [ -f hollow/m/r2.jsonl ] && rm -r hollow; }
check an-empty-folder-is-filled into_an_empty_folder
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
check two-reasons refuses 'Orrery: 1 \(x\) in a/1.jsonl.*; and 1 more, which `orrery check` lists' a mixed
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
check damage refuses 'nothing was merged: 1 damaged line in the journals: damaged/2.jsonl:4: ' a damaged c
taken_damaged() { run 0 merge a damaged c --damaged -o dam && cmp damaged/2.jsonl dam/m/r2.jsonl && rm -r dam; }
check damage-is-taken-when-asked taken_damaged
# Copies are one run; the longer one counts, and one that was changed is neither.
mkdir -p copy longer changed twice nameless
cp b/2.jsonl copy/; { cat b/2.jsonl; tail -1 b/2.jsonl; } >longer/2.jsonl
copies() { run 0 merge a copy b longer c -o one && grep -q 'b/2.jsonl and copy/2.jsonl are the same journal; written once' out &&
    grep -q 'longer/2.jsonl are the same journal, the second goes further' out && cmp longer/2.jsonl one/m/r2.jsonl && rm -r one; }
check copies-are-told copies
copies_are_checked() { run 0 check a b copy c && grep -q '^b/2.jsonl and copy/2.jsonl are of one run, which counts once$' out; }
check copies-are-remarked copies_are_checked
SECONDS_OF=2 shard r2 2 x b >changed/2.jsonl
check a-changed-copy refuses 'b/2.jsonl and changed/2.jsonl are of one run and differ' a b changed c
SECONDS_OF=2 shard r4 2 x b >twice/2.jsonl
duplicates() { run 0 merge a b twice c -o dup && grep -q '^1 cell of m measured more than once, as plugins/quick plugins/right host in b/2.jsonl and twice/2.jsonl; the newest counts, or one of more processes by the same build' out && rm -r dup; }
check duplicates-are-told duplicates
shard ../r5 2 x b >nameless/2.jsonl
check a-name-that-leaves refuses "'../r5' is no name for a run" a nameless c
endless() { mkdir -p endless && sed 's|1/3|1/3000000000000|; s/"of":3/"of":3000000000000/' a/1.jsonl >endless/1.jsonl && refuses 'shards 2, 3, 4, 5' endless; }
check endless-shards endless
check an-unknown-folder fails 2 "no journal, folder or machine 'nowhere'" merge nowhere -o no
mkdir -p empty
check an-empty-folder refuses 'no journals' empty

# --- somebody's results, checked ---

# checks STATUS TEXT WHAT...: it exits with STATUS, and TEXT stands in what it prints.
checks() {
    run "$1" check "${@:3}" && grep -qE -- "$2" out
}
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

# --- jobs of a batch system ---

# A Slurm of three lines: sbatch runs the tasks at once, but loses those of the first submission that $work/lost names.
mkdir -p slurm
cat >slurm/sbatch <<'SBATCH'
#!/bin/bash
for word; do case $word in --array=*) tasks=${word#--array=} ;; esac; done
echo "$*" >>"$SLURM_HERE/asked"
[ ! -e "$SLURM_HERE/refuses" ] || { echo 'sbatch: error: invalid partition' >&2; exit 1; }
job=$(wc -l <"$SLURM_HERE/asked") script=
for word; do case $word in --failed) more=$word ;; */job.sh) script=$word ;; esac; done
for task in ${tasks//,/ }; do
    if [ "$job" -eq 1 ] && grep -qw "$task" "$SLURM_HERE/lost" 2>/dev/null; then continue; fi
    SLURM_ARRAY_TASK_ID=$task bash "$script" $more >"$(dirname "$script")/shard-$task-$job.log" 2>&1
done
echo "$job;cluster"
SBATCH
printf '#!/bin/bash\nexit 0\n' >slurm/squeue
chmod +x slurm/*
export SLURM_HERE=$work/slurm
submit() { PATH=$work/slurm:$PATH run "$1" submit "${@:2}"; }
what=(plugins/quick --only '*right*' --device host --preset smoke --once -o jobs)
refused() { PATH=$work/slurm:$PATH fails "$@"; }
script_has() { submit 0 --slurm --shards 2 --account a --partition 'p q' --gpus h100:1 --cpus 4 --time 7 --sbatch=--exclusive --dry-run -- "${what[@]}" &&
    for line in '#SBATCH --time=7' '#SBATCH --account="a"' '#SBATCH --partition="p q"' '#SBATCH --gpus="h100:1"' '#SBATCH --cpus-per-task="4"' \
        '#SBATCH --exclusive' '#SBATCH --signal=B:TERM@60' "cd '$work' || exit" "--shard \"\$SLURM_ARRAY_TASK_ID/2\" --continue"; do
        grep -qF -- "$line" out || { echo "no $line"; return 1; }
    done && bash -n out && [ ! -e jobs ]; }
check the-script script_has
estimated() { submit 0 --slurm --dry-run -- "${what[@]}" && grep -qE '^#SBATCH --time=([5-9]|1[0-9])$' out; }
check time-is-estimated estimated
check a-device-nobody-has refused 4 'neither this machine nor any journal below jobs has the devices .*give --time' submit --slurm -- "${what[@]/host/cuda:7}"
with_time() { submit 0 --slurm --time 9 --dry-run -- "${what[@]/host/cuda:7}" && grep -q "'cuda:7'" out; }
check a-device-elsewhere-with-a-time with_time
# The devices of a machine that was measured before are known here, too.
known() { mkdir -p jobs/far && jq -c 'if .devices then .devices = [{id: "cuda:7", backend: "cuda", name: "a GPU", kind: 2, fp64: true},
        {id: "host", backend: "host", name: "a CPU", kind: 0, fp64: true}] else . end' a/1.jsonl >jobs/far/r1.jsonl &&
    submit 0 --slurm --dry-run -- "${what[@]/host/cuda:7}" --device host && rm -r jobs; }
check a-device-of-a-journal known
check submit-to-what refused 2 '--slurm is what there is' submit -- "${what[@]}"
check submit-what refused 2 'run what' submit --slurm
check submit-where refused 2 'name the device' submit --slurm -- plugins/quick
check submit-no-shards refused 2 '--shards takes' submit --slurm --shards 0 -- "${what[@]}"
check submit-too-many-shards refused 2 'too few for 9 shards' submit --slurm --shards 9 -- "${what[@]}"
check submit-with-a-shard refused 2 'of their own' submit --slurm -- "${what[@]}" --shard 1/2
check submit-a-typo refused 2 "did you mean 'plugins/quick'" submit --slurm -- plugins/quik --device host
check submit-for-no-time refused 2 '--time takes minutes' submit --slurm --time 1 -- "${what[@]}"
without_slurm() { env PATH=/nowhere "$orrery" submit --slurm -- "${what[@]}" 2>err; [ $? -eq 4 ] && grep -q 'there is no sbatch here' err; }
check submit-without-slurm without_slurm
touch slurm/refuses
check what-slurm-refuses refused 2 'sbatch refused the jobs' submit --slurm -- "${what[@]}"
rm -r slurm/refuses slurm/asked jobs
# Shard 2 is lost; it is submitted again, alone.
lost() {
    echo 2 >slurm/lost
    submit 0 --slurm --shards 2 --follow --every 0.05 -- "${what[@]}" && grep -q '^submitted job 1: shards 1,2 of 2' out &&
        grep -q '^submitted job 2: shard 2 of 2' out && grep -q '^2 of 2 shards over, 2 cells: 0 failed, 0 wrong' out &&
        [ "$(jq -r '.jobs[].shards' jobs/campaigns/*/campaign.json | tr '\n' ' ')" = '1,2 2 ' ]
}
check a-lost-shard-is-submitted-again lost
over() { submit 0 --slurm --resume jobs/campaigns/* && ! grep -q '^submitted' out && submit 0 --slurm --resume jobs/campaigns/* --dry-run && grep -q '^2 of 2 shards over' out; }
check what-is-over-is-not-submitted over
# The queue lists a task for a while after its journal has ended.
completing() {
    rm -rf jobs slurm/asked slurm/lost
    printf '#!/bin/bash\necho "1|COMPLETING|None"\n' >slurm/squeue
    submit 0 --slurm --follow --every 0.05 -- "${what[@]}" && grep -q '^1 of 1 shards over, 2 cells: 0 failed, 0 wrong' out
    local status=$?
    printf '#!/bin/bash\nexit 0\n' >slurm/squeue
    return $status
}
check a-task-that-the-queue-still-lists completing
gives_up() {
    rm -rf jobs slurm/asked
    sed -i 's/^for task in/exit_early=1; echo "$job"; exit 0; for task in/' slurm/sbatch
    submit 5 --slurm --follow --tries 2 --every 0.05 -- "${what[@]}" && [ "$(grep -c '^submitted' out)" -eq 2 ] && grep -q '^shard 1/1: has no journal' out
}
check follow-gives-up gives_up
check resume-what refused 2 'no campaign nowhere' submit --slurm --resume nowhere

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
command = next(arguments[1] for kind, arguments, _ in said if kind == 'executable')
variables = {arguments[0] for kind, arguments, _ in said if kind == 'variable'}
assert {field for _, field, _, _ in string.Formatter().parse(command) if field} == variables | {'experiment_run_dir'}
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
