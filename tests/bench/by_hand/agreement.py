#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assay against programs written by hand, interleaved in one run: uncontended mutex, flag, futex and pipe, create+join.

Usage: tests/bench/by_hand/agreement.py [BUILD_DIRECTORY [ROUNDS]]      (build with -DASSAY_BENCH=ON)
Both measure the same thing on the same CPUs, Assay between two runs of the program by hand. A round counts where these two differ
by less than 5 %: otherwise the machine changed meanwhile, and it is unknown to which of them Assay's value belongs.
Of programs by hand that say how long a multiplication took before and behind it, a round counts where the clock stayed the same within 2 %.
What Assay converts from one clock to another is compared at its clock.
Prints the median of both, and the median of the ratios with its rank interval, over the rounds that count. Across CPUs a round counts
only where both blocked or both did not: what a futex costs there depends on whether a thread slept. On one CPU each exchange switches in any case.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
STEADY = 1.05  # what the two runs by hand around one of Assay may differ by
ONE_CLOCK = 1.02


def output_of(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def by_assay(build, name, body, cpus):
    """(ns, regime, ns of a multiplication) of the dominant regime of the primary quantity; None where there is no number. The last is empty where the
    time does not follow the clock."""
    with tempfile.TemporaryDirectory() as folder:
        campaign = pathlib.Path(folder) / "campaign"
        subprocess.run([build / "assay", "run", "--quiet", "--output", campaign, "--series", body,
                        "--set", f"series.{body}.placement={'+'.join(map(str, cpus))}", HERE / f"{name}.ini"],
                       capture_output=True, text=True)
        records = [json.loads(line) for line in (campaign / "journal.jsonl").read_text(encoding="utf-8").splitlines()]
    results = next((record["results"] for record in reversed(records) if record["type"] == "point"), [])
    results = [result for result in results if result["quantity"] == results[0]["quantity"]]
    if not results:
        return None
    best = max(results, key=lambda result: result["regime_share"])
    follows = "step_ns" in best and ("clock_ghz" in best or (best.get("converted", 0) > 0 and "distance_power" not in best))
    return best["headline"]["value"], "blocked" if best["regime"] == "blocked" else "not blocked", [best["step_ns"]] if follows else []


def by_hand(build, name, body, cpus):
    """The same of the program by hand."""
    value, switches, *steps = output_of([build / f"tests/bench/{name}_hand", body, *map(str, cpus)]).split(",")
    return float(value), "blocked" if float(switches) >= 0.95 else "not blocked", [float(step) for step in steps]


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


def measure(build, rounds, name, listed):
    """The rounds of each case: Assay's value, and those by hand before and after it."""
    taken = {}
    for _ in range(rounds):
        for body, cpus in listed:
            taken.setdefault((body, tuple(cpus)), []).append(
                [tool(build, name, body, cpus) for tool in (by_hand, by_assay, by_hand)])
    return taken


def comparable(before, ours, after, cpus):
    """(Assay's value, the one by hand) of a round, or None where they are not of the same conditions."""
    if not ours or max(before[0], after[0]) > STEADY * min(before[0], after[0]):
        return None
    steps = before[2] + after[2]
    if steps and max(steps) > ONE_CLOCK * min(steps):
        return None
    if len(set(cpus)) > 1 and not before[1] == ours[1] == after[1]:
        return None
    clock = ours[2][0] / statistics.mean(steps) if ours[2] and steps else 1
    return ours[0], clock * (before[0] + after[0]) / 2


def main(name="agreement", listed=None):
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parents[2] / "build" / "release").resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    print(f"{rounds} interleaved rounds, of which those count in which the machine stood still; ns per event")
    print(f"{'body':14} {'CPUs':6} {'assay':>10} {'by hand':>10} {'ratio':>7}  {'interval':15} {'count':>5}")
    for (body, cpus), all_rounds in measure(build, rounds, name, listed or cases()).items():
        alike = [pair for one in all_rounds if (pair := comparable(*one, cpus))]
        where = f"{body:14} {'+'.join(map(str, cpus)):6}"
        if not alike:
            print(f"{where} no round in which the machine stood still and both were in the same regime")
            continue
        ratios = [a / b for a, b in alike]
        low, high = rank_interval(ratios)
        ours, theirs = (statistics.median(side) for side in zip(*alike))
        print(f"{where} {ours:10.2f} {theirs:10.2f} {statistics.median(ratios):7.3f}  {low:.3f} .. {high:.3f} {len(alike):5}",
              flush=True)


if __name__ == "__main__":
    main()
