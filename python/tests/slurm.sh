#!/usr/bin/env bash
# Starts a Slurm of Debian's packages on this one machine, without systemd, computes a job there in two ways and compares
# the bytes with those of one process: a job array of parts, one task of which is cancelled and queued again, and
# alnus.distributed --slurm. Then stops it. Needs root; skipped (exit code 77) where Slurm cannot be had.
#
# usage: python/tests/slurm.sh PROGRAM PYTHON [SEQUENCES.fasta]
set -euo pipefail
program=$(realpath "$1") python=$(realpath -s "$2")
skip() {
  echo "skipped: $1" >&2
  exit 77
}
((EUID == 0)) || skip 'only root can start a Slurm'
for command in munged slurmctld slurmd sbatch scancel squeue; do
  command -v "$command" >/dev/null || skip "there is no $command (packages slurmctld, slurmd, slurm-client, munge)"
done
"$python" -c 'import dask_jobqueue' 2>/dev/null || skip "$python has no dask_jobqueue"

folder=$(mktemp -d)
pids=()
stop() {
  [[ -z ${SLURM_CONF:-} ]] || timeout 10 scancel --user root 2>/dev/null || true
  sleep 0.5
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait # they write their state at the end
  pkill -u munge munged 2>/dev/null || true
  rm -rf "$folder"
}
trap stop EXIT

# What a Slurm needs of the machine, and whether it comes up, is not what is tested: skipped where it does not.
trap 'skip "the Slurm did not start (line $LINENO)"' ERR
chmod 755 "$folder"
mkdir -p /run/munge "$folder"/{spool,state,log}
chown munge: /run/munge
[[ -s /etc/munge/munge.key ]] || (umask 077 && head -c 1024 /dev/urandom >/etc/munge/munge.key)
chown munge: /etc/munge/munge.key
pgrep -x munged >/dev/null || timeout 30 setpriv --reuid munge --regid munge --clear-groups munged
host=$(hostname -s) cores=$(nproc)
export SLURM_CONF=$folder/slurm.conf
cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ReturnToService=2
SchedulerParameters=bf_interval=1,sched_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cores RealMemory=$(awk '/^MemTotal/ { print int($2 / 1100) }' /proc/meminfo) State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
CONF
slurmctld -D >/dev/null 2>&1 & pids+=($!)
slurmd -D -N "$host" >/dev/null 2>&1 & pids+=($!)
up_by=$((SECONDS + 40))
until timeout 5 sinfo -h -o %T 2>/dev/null | grep -q idle; do
  if ((SECONDS > up_by)); then
    tail -n 20 "$folder"/log/* >&2 || true
    skip 'the Slurm did not start within 40 s'
  fi
  sleep 0.5
done
timeout 30 srun -n 1 true 2>/dev/null || skip 'the Slurm runs no jobs here'
trap - ERR

sequences=${3:-}
if [[ -z $sequences ]]; then
  sequences=$folder/set.fasta
  "$python" - "$sequences" <<'PY'
import random, sys
draw = random.Random(1)
with open(sys.argv[1], "w") as file:
    for k in range(400):
        file.write(f">s{k}\n{''.join(draw.choices('ARNDCQEGHILKMFPSTWYV', k=draw.randint(200, 400)))}\n")
PY
fi
cd "$folder"
job=(allpairs "$sequences" --mode global --edge-threshold 15)
"$program" "${job[@]}" --edges one.tsv --matrix-out one.npy --quiet

# ---- A job array of parts ----
mkdir parts
cat >array.sh <<SCRIPT
#!/bin/bash
sleep 2
$program ${job[*]} --edges e.tsv --matrix-out m.npy --threads 1 --part \$SLURM_ARRAY_TASK_ID/7 -o parts/\$SLURM_ARRAY_TASK_ID
SCRIPT
array=$(sbatch --parsable --requeue --array=1-7 --output=log-%a array.sh)
for _ in $(seq 100); do squeue -h -j "${array}_2" -t R 2>/dev/null | grep -q . && break; sleep 0.1; done
scontrol requeue "${array}_2" # its task ends, and is queued again
sleep 1
scontrol update "JobId=${array}_2" StartTime=now # not after the two minutes that Slurm would wait
for _ in $(seq 600); do
  [[ -z $(squeue -h -j "$array" 2>/dev/null) ]] && break
  sleep 0.5
done
"$program" merge parts/* --edges array.tsv --matrix-out array.npy --quiet
cmp one.tsv array.tsv && cmp one.npy array.npy && cmp one.npy.ids array.npy.ids
echo 'A job array of 7 parts, one of them queued again: the same bytes.'

# ---- Workers of Dask, started by Slurm ----
ALNUS_PROGRAM=$program timeout 100 "$python" -m alnus.distributed "${job[@]}" --edges e.tsv --matrix-out m.npy \
  --outdir "$folder/run" --slurm 2 --cpus 1 --worker-memory 1GiB --walltime 00:10:00 --task-seconds 0.2 --threads 1
cmp one.tsv run/e.tsv && cmp one.npy run/m.npy
echo 'alnus.distributed --slurm with 2 jobs: the same bytes.'
