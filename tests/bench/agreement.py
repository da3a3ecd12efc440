#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assay against programs written by hand, interleaved in one run: uncontended mutex, flag, futex and pipe, create+join.

Usage: tests/bench/agreement.py [BUILD_DIRECTORY [ROUNDS]]      (build with -DASSAY_BENCH=ON)
Both measure the same thing on the same CPUs right after one another, in an order that is drawn anew each time. Prints the
median of both, and the median of the ratios of neighbours with its rank interval. Across CPUs a pair counts only where both blocked
or both did not: what a futex costs there depends on whether anybody slept. On one CPU each exchange switches in any case.
"""
import csv
import io
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def output_of(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def by_assay(build, body, cpus):
    """(ns, regime) of the dominant regime; None where there is no number."""
    with tempfile.TemporaryDirectory() as folder:
        campaign = pathlib.Path(folder) / "campaign"
        subprocess.run([build / "assay", "run", "--quiet", "--output", campaign, "--series", body,
                        "--set", f"series.{body}.placement={'+'.join(map(str, cpus))}", HERE / "agreement.ini"],
                       capture_output=True, text=True)
        rows = list(csv.DictReader(io.StringIO(output_of([build / "assay", "export", "--format", "csv", campaign]))))
    rows = [row for row in rows if row["median"]]
    if not rows:
        return None
    best = max(rows, key=lambda row: float(row["regime_share"]))
    return float(best["median"]), "blocked" if best["regime"] == "blocked" else "not blocked"


def by_hand(build, body, cpus):
    value, switches = output_of([build / "tests/bench/agreement_hand", body, *map(str, cpus)]).split(",")
    return float(value), "blocked" if float(switches) >= 0.95 else "not blocked"


def rank_interval(values):
    """About 95 % for the median, by ranks."""
    ordered, n = sorted(values), len(values)
    k = max(0, int((n - 1.96 * n ** 0.5) / 2))
    return ordered[k], ordered[n - 1 - k]


def cases():
    usable = sorted(os.sched_getaffinity(0))
    first = usable[-1]
    listed = [("mutex", [first]), ("create-join", [first]), ("futex", [first, first]), ("pipe", [first, first])]
    if len(usable) > 1:
        two = [usable[-2], first]
        listed += [("flag", two), ("futex", two), ("pipe", two)]
    return listed


def measure(build, rounds):
    pairs = {}
    for _ in range(rounds):
        for body, cpus in cases():
            tools = [by_assay, by_hand]
            random.shuffle(tools)
            taken = {tool: tool(build, body, cpus) for tool in tools}
            pairs.setdefault((body, tuple(cpus)), []).append((taken[by_assay], taken[by_hand]))
    return pairs


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parent.parent / "build" / "release").resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    print(f"{rounds} interleaved rounds; ns per event")
    print(f"{'body':12} {'CPUs':6} {'assay':>10} {'by hand':>10} {'ratio':>7}  {'interval':15} {'pairs':>5}")
    for (body, cpus), pairs in measure(build, rounds).items():
        alike = [(a[0], b[0]) for a, b in pairs if a and (a[1] == b[1] or len(set(cpus)) == 1)]
        if not alike:
            print(f"{body:12} {'+'.join(map(str, cpus)):6} no pair in the same regime")
            continue
        ratios = [a / b for a, b in alike]
        low, high = rank_interval(ratios)
        ours, theirs = (statistics.median(side) for side in zip(*alike))
        print(f"{body:12} {'+'.join(map(str, cpus)):6} {ours:10.2f} {theirs:10.2f} {statistics.median(ratios):7.3f}  "
              f"{low:.3f} .. {high:.3f} {len(alike):5}")


if __name__ == "__main__":
    main()
