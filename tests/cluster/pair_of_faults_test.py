# SPDX-License-Identifier: Apache-2.0
"""Eight nodes, one with a quota on its CPUs, and one slow link between two others: both are named, and no other is.

    pair_of_faults_test.py ASSAY SWITCH SOURCE_DIRECTORY

ASSAY_RUNS=10 in the environment does it ten times, each on nodes made anew; nine have to be right then."""
import os
import tempfile
import time

from fake_cluster import FakeCluster, why_not
from nodes import Checks, arguments, require, summary

NODES = 8
SLOW_NODE = 5
SLOW_LINK = (1, 6)
LONGEST = 300  # s


def run_once(assay, switch, source):
    """Whether both were named and no other, in what time, and what was printed."""
    with FakeCluster(switch, NODES, quotas={SLOW_NODE: 0.3}) as cluster, tempfile.TemporaryDirectory(prefix="assay-cluster-") as folder:
        cluster.tell("delay 200000")
        cluster.tell("link %d %d 1500000" % SLOW_LINK)
        command = [assay, "cluster", os.path.join(source, "configs", "node.ini"), "--launcher", " ".join(cluster.mpirun(NODES)), "--output",
                   os.path.join(folder, "results"), "--one-at-a-time", "--set", "precision.max-time=500ms"]
        begun = time.monotonic()
        done = cluster.run(command, timeout=900)
        took = time.monotonic() - begun
        sick = {what for what, verdict in summary(done.stdout).items() if verdict in ("slow", "lacking")}
        named = {cluster.names[SLOW_NODE], " - ".join(cluster.names[i] for i in SLOW_LINK)}
        print(f"{'right' if sick == named else 'wrong'}: named {', '.join(sorted(sick)) or 'none'}, exit code {done.returncode}, {took:.0f} s", flush=True)
        return sick == named and done.returncode == 7, took, done.stdout[-12000:] + done.stderr[-3000:]


def main():
    assay, switch, source = arguments("pair_of_faults_test.py")
    require(why_not(switch))
    checks = Checks()
    runs = int(os.environ.get("ASSAY_RUNS", "1"))
    right, longest = 0, 0
    for _ in range(runs):
        is_right, took, text = run_once(assay, switch, source)
        right += is_right
        longest = max(longest, took)
        if runs == 1 or not is_right:
            print(text)
    checks.expect(right >= 0.9 * runs, f"{right} of {runs} right")
    checks.expect(longest <= LONGEST, f"the longest took {longest:.0f} s")
    checks.end()


if __name__ == "__main__":
    main()
