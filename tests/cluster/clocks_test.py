# SPDX-License-Identifier: Apache-2.0
"""Clocks of nodes that are 1000 s apart: starts at agreed times are in time all the same."""
import os

from fake_cluster import FakeCluster, why_not
from nodes import Checks, arguments, measure, require, skip

OFFSET = 1000
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
        points = [record for record in records if record["type"] == "point"]
        for point in points:
            print(f"{point['outcome']}: {point['reason']}")
        # A start at an agreed time is in time only where the offset was found: 1 us late, and the batch does not count. On
        # a machine that others use ranks are late by what is taken of their CPUs, and the campaign says so.
        has_results = any(point.get("results") for point in points)
        if has_results or os.getloadavg()[0] < 1:
            checks.expect(has_results, f"ranks whose clocks are {OFFSET} s apart start together")
        else:
            print("left open: whether they start together; others use this machine")
        checks.expect(bool(bounds), "the bound of the common clock is kept with each visit")
        for bound in bounds[:1] + bounds[-1:]:
            checks.expect(bound < 1e6, f"it is {bound / 1e3:.2f} us, where the clocks are {OFFSET} s apart")
    checks.end()


if __name__ == "__main__":
    main()
