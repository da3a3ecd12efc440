# SPDX-License-Identifier: Apache-2.0
"""A delay that is set in the switch comes back: half a round trip is that delay and what it is without any."""
from fake_cluster import FakeCluster, why_not
from nodes import Checks, arguments, measure, require

PING = """[precision]
rule = fixed:100
warm-up = 0ms
max-time = 20s
too-noisy = 1
[series.ping]
measurement = mpi/ping_pong
size = 8
placement = other-node
"""


def half_round_trip(cluster, assay):
    """In ns, of the regime that most batches were in: the lower decile, since others may use this machine, and who polls on a
    CPU that is not his own gives it away for a time slice."""
    found, _ = measure(cluster, assay, PING)
    best = max((row for row in found if row["median"]), key=lambda row: int(row["n"]))
    return float(best["q10"]) / 2


def main():
    assay, switch, _ = arguments("delay_test.py")
    require(why_not(switch))
    checks = Checks()
    with FakeCluster(switch, 2) as cluster:
        base = half_round_trip(cluster, assay)
        print(f"without delay: {base / 1e3:.1f} us one way")
        for delay in (100_000, 500_000, 2_000_000):
            cluster.tell(f"delay {delay}")
            found = half_round_trip(cluster, assay)
            off = found / (delay + base) - 1
            checks.expect(abs(off) <= 0.1, f"delay {delay / 1e3:.0f} us: {found / 1e3:.1f} us one way, {100 * off:+.1f} % off delay and base")
    checks.end()


if __name__ == "__main__":
    main()
