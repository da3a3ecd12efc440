# SPDX-License-Identifier: Apache-2.0
"""Slurm on one machine: a controller, and a daemon for each of several nodes that are none.

These have host names, shared memory and a temporary folder of their own. Users are not authenticated: it listens on this machine only, and only while a test runs."""
import os
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("slurmctld", "slurmd", "srun", "sbatch", "squeue", "scancel", "scontrol", "sinfo")

CONF = """ClusterName=fake
SlurmctldHost=%(host)s(127.0.0.1)
SlurmctldPort=%(port)d
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
StateSaveLocation=%(folder)s/state
SlurmdSpoolDir=%(folder)s/spool/%%n
SlurmctldPidFile=%(folder)s/ctld.pid
SlurmdPidFile=%(folder)s/slurmd.%%n.pid
SlurmctldLogFile=%(folder)s/ctld.log
SlurmdLogFile=%(folder)s/slurmd.%%n.log
TmpFS=%(folder)s/tmp
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SchedulerParameters=batch_sched_delay=0,sched_interval=1
%(extra)s%(nodes)s
PartitionName=main Nodes=ALL Default=YES MaxTime=60 State=UP
"""
NODE = "NodeName=%s NodeAddr=127.0.0.1 Port=%d CPUs=2 SocketsPerBoard=1 CoresPerSocket=2 ThreadsPerCore=1 State=UNKNOWN"


def why_not():
    if os.geteuid() != 0:
        return "daemons for name spaces of their own need root"
    for program in PROGRAMS:
        if subprocess.run(["which", program], capture_output=True).returncode != 0:
            return f"there is no {program}; tools/deps cluster installs Slurm"
    tried = subprocess.run(["unshare", "--uts", "--ipc", "--mount", "true"], capture_output=True, text=True)
    return None if tried.returncode == 0 else "name spaces are not permitted: " + tried.stderr.strip()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class FakeSlurm:
    """`extra`: further lines of slurm.conf."""

    def __init__(self, nodes, environment, extra=""):
        self.extra = extra
        self.names = [f"sk{i}" for i in range(nodes)]
        self.environment = environment
        self.daemons = []
        self.temporary = None

    def __enter__(self):
        # A path without what the test run's own folder adds to it: sockets have short names.
        self.temporary = tempfile.TemporaryDirectory(prefix="asl-", dir="/tmp")
        self.folder = self.temporary.name
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        for name in ("state", "spool", "tmp"):
            os.mkdir(os.path.join(self.folder, name))
        conf = os.path.join(self.folder, "slurm.conf")
        nodes = "\n".join(NODE % (name, free_port()) for name in self.names)
        with open(conf, "w") as out:
            out.write(CONF % {"host": socket.gethostname(), "port": free_port(), "folder": self.folder, "nodes": nodes, "extra": self.extra})
        self.environment = {**os.environ, **self.environment, "SLURM_CONF": conf, "TMPDIR": "/tmp"}
        self.spawn(["slurmctld", "-c", "-D"])
        for name in self.names:
            self.spawn(["unshare", "--uts", "--ipc", "--mount", "--kill-child", "--fork", "bash", "-c",
                        f"hostname {name}; mount -t tmpfs none /dev/shm; mount -t tmpfs none {self.folder}/tmp; "
                        f"exec slurmd -D -N {name}"])
        self.wait_until_idle()

    def spawn(self, words):
        log = open(os.path.join(self.folder, f"daemon{len(self.daemons)}.log"), "w")
        self.daemons.append((subprocess.Popen(words, env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL), log))

    def wait_until_idle(self):
        for _ in range(300):
            states = self.run(["sinfo", "-h", "-N", "-o", "%t"]).stdout.split()
            if len(states) == len(self.names) and set(states) == {"idle"}:
                return
            time.sleep(0.1)
        raise RuntimeError("the daemons did not become idle:\n" + self.logs())

    def logs(self):
        text = ""
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".log"):
                with open(os.path.join(self.folder, name)) as file:
                    text += f"-- {name}\n" + file.read()[-2000:]
        return text

    def run(self, words, timeout=300):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=timeout)

    def submit(self, words):
        """Submits a batch script; returns the number of the job."""
        done = self.run(["sbatch", "--parsable"] + words)
        if done.returncode != 0:
            raise RuntimeError(f"sbatch: {done.stderr}")
        return done.stdout.strip().split(";")[0]

    def wait(self, job, timeout=400):
        """Until a job, and all tasks of an array, have ended; returns their exit codes."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            done = self.run(["squeue", "-h", "-j", job, "-t", "PD,R,CG,CF", "-o", "%i"])
            if done.returncode != 0 or not done.stdout.strip():
                shown = self.run(["scontrol", "-o", "show", "job", job]).stdout
                return [int(word.split("=")[1].split(":")[0]) for word in shown.split() if word.startswith("ExitCode=")]
            time.sleep(0.3)
        raise RuntimeError(f"job {job} did not end in {timeout} s")

    def __exit__(self, *_):
        if self.daemons:
            self.run(["scancel", "-u", "root"])
        for daemon, log in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
            log.close()
        self.temporary.cleanup()
