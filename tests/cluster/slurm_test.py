# SPDX-License-Identifier: Apache-2.0
"""The samples in tools/slurm, `srun assay run`, and draining a node, under three daemons of Slurm."""
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time

import fake_slurm
from fake_cluster import MPI
from nodes import Checks, arguments, records, require

SHORT = """[precision]
rule = fixed:20
warm-up = 0ms
incarnations = 2
max-incarnations = 2
max-time = 5s
too-noisy = 1
"""
LINKS = "[series.links]\nmeasurement = mpi/links\n"
LOCK = "[series.lock]\nmeasurement = sync/lock\nplacement = unbound\n"
PING = "[series.ping]\nmeasurement = mpi/ping_pong\nplacement = other-node\n"
LONG = "[precision]\nrule = fixed:100000\nmax-time = 300s\nwarm-up = 0ms\n" + PING


class Jobs:
    def __init__(self, slurm, source, folder, checks):
        self.slurm, self.source, self.folder, self.checks = slurm, source, folder, checks

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w") as out:
                out.write(text)
        return path

    def submit(self, script, ini, results):
        name = os.path.splitext(script)[0]
        return self.slurm.submit(["-o", self.path(name + ".out.%a"), os.path.join(self.source, "tools", "slurm", script),
                                  self.path(name + ".ini", ini), self.path(results)])

    def outputs(self, script):
        name = os.path.splitext(script)[0]
        return "\n".join(open(self.path(file)).read() for file in sorted(os.listdir(self.folder)) if file.startswith(name + ".out"))


def ends(found):
    return [record["reason"] for record in found if record["type"] == "end"]


def srun(jobs):
    ini = jobs.path("srun.ini", SHORT + PING)
    done = jobs.slurm.run(["srun", "--mpi=pmix", "-N2", "-n2", "assay", "run", ini, "--output", jobs.path("srun")])
    jobs.checks.expect(done.returncode == 0 and "ping: mpi/ping_pong" in done.stdout, "srun assay run: ranks on two nodes\n" + done.stderr[-1500:] * (done.returncode != 0))


def node_campaign(jobs):
    job = jobs.submit("node-campaign.sh", SHORT + LOCK + LINKS, "nodes")
    codes = jobs.slurm.wait(job)
    text = jobs.outputs("node-campaign.sh")
    good = codes[0] in (0, 7) and all(name in text for name in jobs.slurm.names) and "node or link" in text
    jobs.checks.expect(good, f"node-campaign.sh: {codes}, a report on three nodes\n" + text * (not good))


def hybrid_campaign(jobs):
    job = jobs.submit("hybrid-campaign.sh", LONG, "hybrid")
    journal = jobs.path("hybrid/journal.jsonl")
    for _ in range(1500):
        if os.path.exists(journal) and '"type":"visit"' in open(journal).read():
            break
        time.sleep(0.1)
    print(jobs.slurm.run(["squeue", "-h"]).stdout.strip())
    # As Slurm does by itself one minute before the end, give or take another minute.
    jobs.slurm.run(["scancel", "--signal=USR1", job])
    codes = jobs.slurm.wait(job, timeout=120)
    text = jobs.outputs("hybrid-campaign.sh")
    good = codes == [75] and "submit it again" in text and ends(records(jobs.path("hybrid"))) == ["signal"]
    jobs.checks.expect(good, f"hybrid-campaign.sh: {codes}, ended in order by the signal {ends(records(jobs.path('hybrid')))}\n" + text * (not good))


def sessions(jobs):
    job = jobs.submit("sessions.sh", SHORT + LOCK, "sessions")
    codes = jobs.slurm.wait(job)
    found = records(jobs.path("sessions"))
    good = set(codes) == {0} and ends(found) == ["complete"] * 3
    jobs.checks.expect(good, f"sessions.sh: {codes}, three sessions {ends(found)}\n" + jobs.outputs("sessions.sh") * (not good))


def state_of(slurm, node):
    """Its state and the reason for it, as sinfo has them, without the star of a daemon that was not asked for a while."""
    return slurm.run(["sinfo", "-h", "-N", "-n", node, "-o", "%T|%E"]).stdout.strip().replace("*", "")


def drain(jobs):
    """A node that could not measure is drained, no other is, and the line that is printed for it resumes it."""
    slurm, checks = jobs.slurm, jobs.checks
    sick = slurm.names[1]
    shutil.rmtree(jobs.path(f"nodes/nodes/{sick}"))
    jobs.path(f"nodes/nodes/{sick}.problem", "its disk is full")
    gathered = slurm.run(["assay", "cluster", jobs.path("node-campaign.ini"), "--series", "lock", "--launcher", "true", "--output", jobs.path("nodes")])
    checks.expect(gathered.returncode == 7, f"a report with a lacking node: {gathered.returncode}\n" + gathered.stderr[-1500:] * (gathered.returncode != 7))
    printed = slurm.run(["assay", "cluster", "--drain", jobs.path("nodes")])
    print(printed.stdout, printed.stderr, sep="\n")
    checks.expect(state_of(slurm, sick).startswith("idle"), "without --yes nothing is drained")
    drained = slurm.run(["assay", "cluster", "--drain", jobs.path("nodes"), "--yes"])
    print(drained.stdout, drained.stderr, sep="\n")
    states = {name: state_of(slurm, name) for name in slurm.names}
    checks.expect(drained.returncode == 0 and states[sick] == "drained|assay: lacks results of lock; its disk is full", f"{states}")
    checks.expect(all(states[name].startswith("idle") for name in slurm.names if name != sick), "no other node is drained")
    undo = next((line for line in drained.stdout.splitlines() if line.startswith("# undo: ")), "")
    slurm.run(shlex.split(undo.removeprefix("# undo: ")))
    checks.expect(state_of(slurm, sick).startswith("idle"), f"{undo!r}: {state_of(slurm, sick)}")
    slurm.run(["scontrol", "update", f"NodeName={sick}", "State=DRAIN", "Reason=bad DIMM"])
    again = slurm.run(["assay", "cluster", "--drain", jobs.path("nodes"), "--yes"])
    checks.expect("drained already: bad DIMM" in again.stdout and state_of(slurm, sick) == "drained|bad DIMM", f"the reason of another stays: {again.stdout}")
    slurm.run(["scontrol", "update", f"NodeName={sick}", "State=RESUME"])


HEALTH = "[precision]\neps = 5%\nwarm-up = 0ms\nmin-span = 0s\nstate = any\ntoo-noisy = 1\n[series.lock]\nmeasurement = synthetic/normal\nplacement = unbound\n"


def health(assay, source, folder, environment, checks):
    """Prolog and Epilog of a real job: they measure, a node that is slower than accepted is drained, and its job runs all the same."""
    samples = os.path.join(folder, "samples")
    shutil.copytree(os.path.join(source, "tools", "slurm"), samples)
    write(os.path.join(samples, "health.ini"), HEALTH)
    write(os.path.join(samples, "health.conf"), f"results={folder}/health\naccepted={folder}/accepted.json\ndrain=yes\ntextfile={folder}/assay.prom\n")
    subprocess.run([assay, "run", f"{samples}/health.ini", "--output", f"{folder}/good", "--quiet"], capture_output=True)
    done = subprocess.run([assay, "history", "accept", f"{folder}/good", "--output", f"{folder}/accepted.json"], capture_output=True, text=True)
    checks.expect(done.returncode == 0, "values are accepted\n" + done.stderr)
    for name in ("prolog", "epilog"):
        write(f"{samples}/{name}", f"#!/bin/sh\nASSAY_HEALTH_PATH={os.path.dirname(assay)}:$PATH:/usr/bin:/bin:/usr/sbin ASSAY_HEALTH_CONF={samples}/health.conf exec {samples}/{name}.sh\n")
        os.chmod(f"{samples}/{name}", 0o755)
    with fake_slurm.FakeSlurm(1, environment, f"Prolog={samples}/prolog\nEpilog={samples}/epilog\n") as slurm:
        good = slurm.run(["srun", "-n1", "echo", "it runs"])
        checks.expect(good.stdout == "it runs\n" and os.path.isdir(f"{folder}/health/prolog"), f"a job after a Prolog: {good.stdout!r} {good.stderr[-500:]}")
        wait_for(lambda: os.path.exists(f"{folder}/health/epilog.check"))
        checks.expect(os.path.exists(f"{folder}/assay.prom"), "the Epilog measured, too, and left a file for the node exporter")
        with open(f"{folder}/accepted.json") as file:
            text = file.read()
        write(f"{folder}/accepted.json", re.sub(r'"(low|value|high)":([0-9.e+]+)', lambda m: f'"{m[1]}":{float(m[2]) / 2}', text))
        os.remove(f"{folder}/health/epilog.check")
        slow = slurm.run(["srun", "-n1", "echo", "it runs"])
        checks.expect(slow.stdout == "it runs\n", "a job on a node that is slower than accepted runs all the same")
        wait_for(lambda: "assay:" in state_of(slurm, slurm.names[0]))
        checks.expect(" slower than accepted, " in state_of(slurm, slurm.names[0]), f"it is drained: {state_of(slurm, slurm.names[0])}")


def write(path, text):
    with open(path, "w") as out:
        out.write(text)


def wait_for(is_there):
    end = time.monotonic() + 120
    while not is_there() and time.monotonic() < end:
        time.sleep(0.2)


def main():
    assay, _, source = arguments("slurm_test.py")
    require(fake_slurm.why_not())
    checks = Checks()
    environment = {**MPI, "PATH": os.path.dirname(assay) + ":" + os.environ["PATH"]}
    # Nodes have no networks of their own here.
    for name in ("OMPI_MCA_btl_tcp_if_include", "OMPI_MCA_oob_tcp_if_include"):
        environment[name] = "lo"
    with tempfile.TemporaryDirectory(prefix="assay-slurm-", dir="/tmp") as folder, fake_slurm.FakeSlurm(3, environment) as slurm:
        jobs = Jobs(slurm, source, folder, checks)
        for one in (srun, node_campaign, drain, hybrid_campaign, sessions):
            try:
                one(jobs)
            except Exception as error:  # the other samples are run all the same
                checks.expect(False, f"{one.__name__}: {error!r}\n{slurm.logs()[-3000:]}")
    with tempfile.TemporaryDirectory(prefix="assay-slurm-", dir="/tmp") as folder:
        health(assay, source, folder, environment, checks)
    checks.end()


if __name__ == "__main__":
    main()
