# SPDX-License-Identifier: Apache-2.0
"""Clocks of nodes that are 1000 s apart: starts at agreed times are in time all the same."""
from fake_cluster import FakeCluster, why_not
from nodes import Checks, arguments, measure, require, skip

OFFSET = 1000.0
TOGETHER = """[precision]
rule = fixed:40
warm-up = 0ms
too-noisy = 1
[series.barrier]
measurement = mpi/collective
operation = barrier
start = window
placement = other-node
"""


def main():
    assay, switch, _ = arguments("clocks_test.py")
    require(why_not(switch))
    checks = Checks()
    with FakeCluster(switch, 2, offsets=[0, OFFSET]) as cluster:
        try:
            _, records = measure(cluster, assay, TOGETHER)
        except RuntimeError as error:
            if "start" in str(error) and "unknown key" in str(error):
                skip("series of ranks have no starts by a common clock in this build")
            raise
        bounds = [record["clock_bound_ns"] for record in records if record["type"] == "visit" and "clock_bound_ns" in record]
        points = [record for record in records if record["type"] == "point" and record.get("results")]
        # A start at an agreed time is in time only where the offset was found: 1 us late, and the batch does not count.
        checks.expect(bool(points), f"ranks whose clocks are {OFFSET:.0f} s apart start together")
        checks.expect(bool(bounds), "the bound of the common clock is kept with each visit")
        for bound in bounds[:1] + bounds[-1:]:
            print(f"bound {bound / 1e3:.2f} us")
    checks.end()


if __name__ == "__main__":
    main()
