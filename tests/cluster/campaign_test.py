# SPDX-License-Identifier: Apache-2.0
"""A whole cluster in one command: a node with a quota on its CPUs and a link with a delay are named, and no other is."""
import os
import tempfile

from fake_cluster import FakeCluster, why_not
from nodes import Checks, arguments, require, summary

NODES = 4
SLOW_NODE = 2
SLOW_LINK = (0, 1)


def main():
    assay, switch, source = arguments("campaign_test.py")
    require(why_not(switch))
    checks = Checks()
    with FakeCluster(switch, NODES, quotas={SLOW_NODE: 0.3}) as cluster, \
            tempfile.TemporaryDirectory(prefix="assay-cluster-") as folder:
        cluster.tell("delay 200000")
        cluster.tell("link %d %d 1500000" % SLOW_LINK)
        launcher = " ".join(cluster.mpirun(NODES))
        command = [assay, "cluster", os.path.join(source, "configs", "node.ini"), "--launcher", launcher, "--output",
                   os.path.join(folder, "results"), "--one-at-a-time", "--set", "precision.max-time=500ms"]
        done = cluster.run(command, timeout=900)
        print(done.stdout[-12000:], done.stderr[-3000:], sep="\n")
        checks.expect(done.returncode == 7, f"exit code {done.returncode} reports a deviation")
        found = summary(done.stdout)
        sick = {what for what, verdict in found.items() if verdict in ("slow", "lacking")}
        named = {cluster.names[SLOW_NODE], " - ".join(cluster.names[i] for i in SLOW_LINK)}
        checks.expect(named <= sick, f"named: {sorted(sick)}")
        checks.expect(sick <= named, "and no other")
    checks.end()


if __name__ == "__main__":
    main()
