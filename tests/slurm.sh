#!/bin/bash
# SPDX-License-Identifier: MIT
# A campaign through a real Slurm: its controller and one node on this machine, of this user, with ports and files of their own.
# `make slurm` runs it; without Slurm (Debian: slurm-wlm, munge) it is skipped.
. "$(dirname "$0")/lib_e2e.sh"
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd munged; do
    command -v $program >/dev/null || { echo "ok slurm: $program is not installed: skipped"; exit 0; }
done
use_test_plugins

host=$(hostname -s) user=$(id -un) port=$((20000 + $$ % 20000))
slurm=$work/slurm
mkdir -p "$slurm"/{state,spool,log}
chmod 755 "$work" "$slurm"
head -c 128 /dev/urandom >"$slurm/munge.key" && chmod 600 "$slurm/munge.key"
cat >"$slurm/slurm.conf" <<CONF
ClusterName=orrery
SlurmctldHost=$host(localhost)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.sock
CredType=cred/munge
MailProg=/bin/true
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/log/slurmctld.log
SlurmdLogFile=$slurm/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
ReturnToService=2
MpiDefault=none
KillWait=5
MinJobAge=10
NodeName=$host NodeHostname=$host NodeAddr=localhost CPUs=$(nproc) RealMemory=500 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=60 State=UP
CONF
# A step that was killed leaves its folder of PMIx in /tmp, and one of the same job and step, of another cluster, then does not start.
echo "PMIxCliTmpDirBase=$slurm/spool" >"$slurm/mpi.conf"
export SLURM_CONF=$slurm/slurm.conf
at_exit() { # ends what was started here, by its own ids
    local name
    scancel --quiet --user="$user" 2>/dev/null
    for name in slurmd slurmctld munged; do
        [ -s "$slurm/$name.pid" ] && kill "$(cat "$slurm/$name.pid")" 2>/dev/null
    done
    sleep 0.5
}
starts() {
    munged --key-file="$slurm/munge.key" --socket="$slurm/munge.sock" --pid-file="$slurm/munged.pid" --log-file="$slurm/log/munged.log" \
        --seed-file="$slurm/munged.seed" --num-threads=2 --force &&
        slurmctld -i && slurmd || return 1
    idles() { sinfo --noheader --format=%T 2>/dev/null | grep -q idle; }
    wait_for idles && return 0
    tail -n 5 "$slurm"/log/*.log
    return 1
}
start=$SECONDS
check slurm-starts starts
echo "# Slurm started in $((SECONDS - start)) s"
[ $failures -eq 0 ] || exit 0
cd "$work" || exit 1
mkdir "a folder" && cd "a folder" || exit 1

what=(plugins/slow --only '*right*' --device host --preset smoke --once)
export ORRERY=$orrery
# submit SBATCH... -- RUN...: the shards as a job array; until it is over.
submit() {
    local options=()
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    timeout "$(patience 120)" sbatch --wait --quiet --time=5 "${options[@]}" "$root/tools/slurm/orrery.sbatch" "${@:2}" >../out 2>../err
}
over() { [ "$(jq -r 'select(.record == "end") | "\(.ok) \(.interrupted)"' results/*/*.jsonl | sort | uniq -c | tr -s ' ')" = " $1" ]; }
whole() { [ "$(cat results/*/*.jsonl | jq -rs '[.[] | select(.record == "cell") | .id] | "\(length) \(unique | length)"')" = "$1" ]; }
together() { run 0 check results && grep -q "^$1 journals of 1 machine.* 0 faults, 0 beyond their bounds, 0 remarks" ../out; }
# campaign FOUND SBATCH... -- RUN...: its shards are over, and hold so many cells, each once, without a fault.
campaign() { submit "${@:2}" && whole "$1 $1" && together "$1"; }
check four-shards eval 'campaign 4 --array=1-4 --partition=main --cpus-per-task=1 -- "${what[@]}" && over "4 1 false"'
check what-is-over-is-not-measured-again campaign 4 --array=1-4 -- "${what[@]}"
# A task is killed on its node, its first process alone, or the cell might still be recorded: its journal has no end, and the same line goes on with it.
quick=(plugins/quick --only '*right*' --device host --preset smoke)
killed() {
    local job
    rm -rf results
    job=$(sbatch --parsable --array=1-2 --time=5 "$root/tools/slurm/orrery.sbatch" "${quick[@]}") || return 1
    wait_for compgen -G 'results/*/*.jsonl' >/dev/null
    scancel --signal=KILL --batch "$job" || return 1
    while squeue --noheader --job="$job" 2>/dev/null | grep -q .; do sleep 0.2; done
    run 0 check results && grep -qE 'is missing|did not come to its end|has 0 of its' ../out && campaign 2 --array=1-2 -- "${quick[@]}"
}
check a-killed-task-goes-on killed
some() { # of a campaign's shards
    rm -rf results
    ! submit --array=1,4 -- "${what[@]}" && grep -q 'SHARDS=N' orrery-*.log && [ ! -e results ] &&
        SHARDS=4 submit --array=1,4 -- "${what[@]}" && whole "2 2" && run 0 check results && grep -q '^shards 2, 3 of 4 of .* are missing' ../out
}
check some-of-the-shards some
check a-failure-is-told eval '! submit --array=1-1 -- plugins/quik --device host && grep -q "did you mean .plugins/quick." orrery-*.log'

# --- ranks, which srun starts inside an allocation ---

if ! [ -e "$BUILD/liborrery_mpi.so" ]; then
    echo "ok ranks in an allocation # skip: no MPI here"
    exit 0
fi
use_rank_plugins
# allocated STATUS HOW... -- ARGUMENTS: orrery run, started by HOW.
allocated() {
    local status=0 expected=$1 how=()
    shift
    while [ "$1" != -- ]; do how+=("$1"); shift; done
    timeout "$(patience 60)" "${how[@]}" "$orrery" run plugins/one --only '*/ranks*' --ranks 2 --oversubscribe --device host --preset smoke --once -o "$results" \
        "${@:2}" >../out 2>../err || status=$?
    [ $status -eq "$expected" ] || { echo "exit status $status, not $expected"; return 1; }
}
# mpirun must have no part in it.
printf '#!/bin/sh\nexit 9\n' >"$work/mpirun" && chmod +x "$work/mpirun" && PATH=$work:$PATH
# One task was asked for, and MPI is left to srun's default, which here is none; then as a step among others.
check ranks-in-an-allocation eval 'allocated 0 salloc --quiet -n 1 -- && said "ranks 2 ok "'
check ranks-of-a-step eval 'allocated 0 srun -n 1 -c 2 -- && said "ranks 2 ok "'
export TEST_RANK_FAULT=crash
check a-rank-that-dies-is-named eval 'allocated 5 salloc --quiet -n 2 -- && said "ranks 2 crashed crashed: rank 1 of 2, SIGSEGV.*"'
export TEST_RANK_FAULT=hang
check a-rank-that-hangs-is-named eval 'allocated 5 salloc --quiet -n 2 -- --timeout 4 && said "ranks 2 timed out no result within 4 s: rank 1 did not come to exchange [0-9]+ .*"'
unset TEST_RANK_FAULT
no_steps() { [ "$(squeue --noheader --steps | grep -cv -E 'batch|extern')" -eq 0 ]; }
check no-step-is-left wait_for no_steps
# A campaign whose cells take ranks.
ranked_campaign() {
    rm -rf results
    submit --array=1-2 --partition=main --cpus-per-task=1 -- plugins/scaling --only '*/ranks*' --ranks 3 --set ranks=2,3 --oversubscribe \
        --device host --preset smoke --once && whole "2 2" && [ "$(cat results/*/*.jsonl | jq -r 'select(.record == "cell").outcome' | sort -u)" = ok ]
}
check a-campaign-of-ranks ranked_campaign
