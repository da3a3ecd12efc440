# SPDX-License-Identifier: Apache-2.0
"""A change of protocol that is planted in the switch, more delay from 4 KiB on, is bracketed by refinement."""
import re

from fake_cluster import FakeCluster, why_not
from nodes import Checks, arguments, measure, require

STEP = 4096  # bytes of TCP's payload, in which the library's own header is a few dozen
HEADER = 128
POINTS = 40
REFINED = f"""[precision]
rule = median-ci
eps = 10%
warm-up = 0ms
max-time = 3s
too-noisy = 1
max-points = {POINTS}
[series.ping]
measurement = mpi/ping_pong
size = 1..64Ki refine 20%
placement = other-node
"""


def main():
    assay, switch, _ = arguments("step_test.py")
    require(why_not(switch))
    checks = Checks()
    with FakeCluster(switch, 2) as cluster:
        cluster.tell("delay 100000")
        cluster.tell(f"step {STEP} 2000000")
        found, records = measure(cluster, assay, REFINED, timeout=500)
        sizes = sorted({int(row["size"]) for row in found})
        for size in sizes:
            best = max((row for row in found if int(row["size"]) == size and row["median"]), key=lambda row: int(row["n"]), default=None)
            print(size, best and f"{float(best['median']) / 1e3:.0f} us")
        checks.expect(len(sizes) <= POINTS, f"{len(sizes)} points over 1 B to 64 KiB")
        jumps = [record["text"] for record in records if record["type"] == "note" and "jump" in record["text"]]
        print("\n".join(jumps) or "no jump was told")
        below = max((size for size in sizes if size + HEADER <= STEP or is_fast(found, size)), default=0)
        above = min(size for size in sizes if size > below)
        print(f"bracket {below}..{above}")
        told = [tuple(map(int, pair)) for text in jumps for pair in re.findall(r"size=(\d+) and size=(\d+)", text)]
        near = [pair for pair in told if pair[0] <= STEP and pair[1] + HEADER >= STEP]
        checks.expect(bool(near), f"a jump about {STEP} bytes is told: {told}")
        checks.expect(any(high - low <= 128 for low, high in near), "it is bracketed to within 128 bytes")
    checks.end()


def is_fast(found, size):
    medians = [float(row["median"]) for row in found if int(row["size"]) == size and row["median"]]
    return bool(medians) and min(medians) < 2_000_000


if __name__ == "__main__":
    main()
