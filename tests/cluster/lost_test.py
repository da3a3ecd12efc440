# SPDX-License-Identifier: Apache-2.0
"""A node whose rank is killed during a launch of a screening is named, and the screening goes on without it."""
import os
import signal
import subprocess
import tempfile
import threading
import time

from fake_cluster import FakeCluster, why_not
from nodes import Checks, arguments, require, summary
from screening_test import LINKS

NODES = 8
LOST = 3


def is_on(node, process):
    """Whether a process is in the name space of a node's host name."""
    try:
        with open(f"/proc/{process}/comm") as file:
            if not file.read().startswith("assay"):
                return False
        done = subprocess.run(["nsenter", f"--uts=/proc/{process}/ns/uts", "hostname"], capture_output=True, text=True)
        return done.stdout.strip() == node
    except OSError:
        return False


def kill_one(journal, node, killed):
    """Once the first launch of the screening has measured something, its rank on a node dies."""
    end = time.monotonic() + 300
    while time.monotonic() < end:
        if os.path.exists(journal) and '"type":"visit"' in open(journal).read():
            break
        time.sleep(0.05)
    for process in (int(name) for name in os.listdir("/proc") if name.isdigit()):
        if is_on(node, process):
            os.kill(process, signal.SIGKILL)
            killed.append(process)


def main():
    assay, switch, _ = arguments("lost_test.py")
    require(why_not(switch))
    checks = Checks()
    with FakeCluster(switch, NODES) as cluster, tempfile.TemporaryDirectory(prefix="assay-cluster-") as folder:
        cluster.tell("delay 1000000")
        with open(os.path.join(folder, "links.ini"), "w") as out:
            out.write(LINKS)
        results = os.path.join(folder, "results")
        command = [assay, "cluster", os.path.join(folder, "links.ini"), "--launcher", " ".join(cluster.mpirun(NODES)), "--output", results, "--pairs", "screen"]
        killed = []
        killer = threading.Thread(target=kill_one, args=(os.path.join(results, "links", "screening-0-0", "journal.jsonl"), cluster.names[LOST], killed))
        killer.start()
        done = cluster.run(command, timeout=900)
        killer.join()
        print(done.stdout[-6000:], done.stderr[-5000:], sep="\n")
        checks.expect(bool(killed), f"killed: {killed}")
        checks.expect(f"left out from now on: {cluster.names[LOST]}" in done.stderr, "the lost node is named")
        checks.expect(done.returncode == 7, f"exit code {done.returncode}")
        found = {what for what, verdict in summary(done.stdout).items() if verdict in ("slow", "lacking")}
        checks.expect(found == {cluster.names[LOST]}, f"named: {found}")
        checks.expect("not seen by the screening" in done.stdout, "the screening came to its end")
    checks.end()


if __name__ == "__main__":
    main()
