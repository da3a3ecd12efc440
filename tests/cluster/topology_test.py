# SPDX-License-Identifier: Apache-2.0
"""Nodes of different topologies: one whose hwloc describes another machine measures nothing there, and is reported."""
import os
import tempfile

from fake_cluster import FakeCluster, why_not
from nodes import Checks, arguments, require, summary

TOPOLOGIES = ["", "", "pack:2 numa:2 core:4 pu:2", ""]
SHORT = """[precision]
rule = fixed:40
max-time = 500ms
warm-up = 0ms
too-noisy = 1
incarnations = 2
max-incarnations = 2
[series.lock]
measurement = sync/lock
placement = bound
"""


def main():
    assay, switch, _ = arguments("topology_test.py")
    require(why_not(switch))
    checks = Checks()
    with FakeCluster(switch, len(TOPOLOGIES), topologies=TOPOLOGIES) as cluster, \
            tempfile.TemporaryDirectory(prefix="assay-cluster-") as folder:
        shown = [cluster.run(["sh", "-c", "lstopo-no-graphics --only pu 2>/dev/null | wc -l"], node=node).stdout.strip() for node in range(4)]
        print(f"processing units by node, as hwloc has them: {shown}")
        file = os.path.join(folder, "short.ini")
        with open(file, "w") as out:
            out.write(SHORT)
        done = cluster.run([assay, "cluster", file, "--launcher", " ".join(cluster.mpirun(4)), "--output", os.path.join(folder, "results")])
        found = summary(done.stdout)
        checks.expect(found.get("n2") == "lacking", f"{found}\n" + done.stdout[-2000:] * (found.get("n2") != "lacking"))
        checks.expect("n2: hwloc describes another machine" in done.stdout, "the reason stands in the report")
        checks.expect(done.returncode == 7, f"exit code {done.returncode}\n{done.stderr[-1500:]}")
    checks.end()


if __name__ == "__main__":
    main()
