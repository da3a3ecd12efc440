# SPDX-License-Identifier: Apache-2.0
"""A screening of eight nodes, one of them with slow links; the same command again measures nothing twice."""
import csv
import io
import os
import tempfile
import time

from fake_cluster import FakeCluster, why_not
from nodes import Checks, arguments, require, summary

NODES = 8
SLOW_NODE = 5
LINKS = """[precision]
rule = fixed:3
warm-up = 0ms
max-time = 500ms
too-noisy = 1
incarnations = 1
max-incarnations = 1
[series.links]
measurement = mpi/links
size = 8
"""


def main():
    assay, switch, _ = arguments("screening_test.py")
    require(why_not(switch))
    checks = Checks()
    with FakeCluster(switch, NODES) as cluster, tempfile.TemporaryDirectory(prefix="assay-cluster-") as folder:
        cluster.tell("delay 1000000")
        for other in range(NODES):
            if other != SLOW_NODE:
                cluster.tell(f"link {min(SLOW_NODE, other)} {max(SLOW_NODE, other)} 1600000")
        with open(os.path.join(folder, "links.ini"), "w") as out:
            out.write(LINKS)
        topology = os.path.join(folder, "topology.conf")
        with open(topology, "w") as out:
            out.write("".join(f"SwitchName=s{i} Nodes=n[{2 * i}-{2 * i + 1}]\n" for i in range(NODES // 2)))
        command = [assay, "cluster", os.path.join(folder, "links.ini"), "--launcher", " ".join(cluster.mpirun(NODES)), "--output",
                   os.path.join(folder, "results"), "--pairs", "screen", "--topology", topology]
        begun = time.monotonic()
        done = cluster.run(command, timeout=900)
        print(done.stdout[-6000:], done.stderr[-3000:], f"{time.monotonic() - begun:.0f} s", sep="\n")
        checks.expect(done.returncode == 7, f"exit code {done.returncode} reports a deviation")
        found = {what for what, verdict in summary(done.stdout).items() if verdict in ("slow", "lacking")}
        checks.expect(found == {cluster.names[SLOW_NODE]}, f"named: {found}")
        exported = cluster.run([assay, "export", os.path.join(folder, "results"), "--format", "csv-long"])
        rows = [row for row in csv.DictReader(io.StringIO(exported.stdout)) if row["quantity"] == "screened" and row["verdict"]]
        checks.expect(any(row["node"] == cluster.names[SLOW_NODE] and float(row["median"]) > 1.2 for row in rows), f"rows of the export: {rows}")
        begun = time.monotonic()
        again = cluster.run(command, timeout=900)
        checks.expect(again.stdout == done.stdout, f"the same again in {time.monotonic() - begun:.0f} s")
    checks.end()


if __name__ == "__main__":
    main()
