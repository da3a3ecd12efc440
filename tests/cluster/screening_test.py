# SPDX-License-Identifier: Apache-2.0
"""A screening of eight nodes: one whose links are slow and one slow link, and the same command again measures nothing twice."""
import os
import re
import tempfile
import time

from fake_cluster import FakeCluster, why_not
from nodes import Checks, arguments, require

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


def slow_in(text):
    """What a note says is slow, by kind and name."""
    note = re.search(r"^note: slow by the screening of 'links': (.*)$", text, re.MULTILINE)
    return None if note is None else {one.split(":")[0] for one in note[1].split("; ") if ":" in one}


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
        checks.expect(slow_in(done.stdout) == {f"node {cluster.names[SLOW_NODE]}"}, f"named: {slow_in(done.stdout)}")
        begun = time.monotonic()
        again = cluster.run(command, timeout=900)
        checks.expect(again.stdout == done.stdout, f"the same again in {time.monotonic() - begun:.0f} s")
    checks.end()


if __name__ == "__main__":
    main()
