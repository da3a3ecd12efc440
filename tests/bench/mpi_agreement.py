#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assay's round trip over MPI against a program written by hand, in alternating launches of one run.

Usage: tests/bench/mpi_agreement.py [BUILD_DIRECTORY [ROUNDS [LAUNCHER...]]]      (build with -DASSAY_BENCH=ON)
Each round is three launches: by hand, Assay, by hand. What a launch finds depends on where its ranks came to lie, so a round counts
where the two launches by hand are within 5 % of each other: between them nothing moved. Prints each size's medians, and the median of
the ratios with its rank interval.
"""
import csv
import io
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from agreement import output_of, rank_interval

HERE = pathlib.Path(__file__).resolve().parent
SIZES = [8, 1024, 65536]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def launched(launcher, *command):
    """What rank 0 printed."""
    done = subprocess.run([*launcher, *map(str, command)], check=True, capture_output=True, text=True,
                          env={**os.environ, **AS_ROOT})
    return done.stdout


def by_hand(build, launcher, size):
    return float(launched(launcher, build / "tests/bench/mpi_agreement_hand", size))


def by_assay(build, launcher, size):
    with tempfile.TemporaryDirectory() as folder:
        campaign = pathlib.Path(folder) / "campaign"
        launched(launcher, build / "assay", "run", "--quiet", "--output", campaign, "--set", f"series.ping.size={size}",
                 HERE / "mpi_agreement.ini")
        rows = csv.DictReader(io.StringIO(output_of([build / "assay", "export", "--format", "csv", campaign])))
        values = [(float(row["regime_share"]), float(row["median"])) for row in rows if row["median"]]
    return max(values)[1] if values else None


def measure(build, launcher, rounds):
    kept = {size: [] for size in SIZES}
    for _ in range(rounds):
        for size in SIZES:
            before = by_hand(build, launcher, size)
            ours = by_assay(build, launcher, size)
            after = by_hand(build, launcher, size)
            if ours and abs(before - after) < 0.05 * min(before, after):
                kept[size].append((ours, (before + after) / 2))
    return kept


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parent.parent / "build" / "release").resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    launcher = sys.argv[3:] or ["mpirun", "-np", "2"]
    print(f"{rounds} rounds of three launches; ns per round trip")
    print(f"{'bytes':>6} {'assay':>10} {'by hand':>10} {'ratio':>7}  {'interval':15} {'rounds':>6}")
    for size, pairs in measure(build, launcher, rounds).items():
        if not pairs:
            print(f"{size:6} no round in which the launches by hand agreed")
            continue
        ratios = [ours / theirs for ours, theirs in pairs]
        low, high = rank_interval(ratios)
        ours, theirs = (statistics.median(side) for side in zip(*pairs))
        print(f"{size:6} {ours:10.1f} {theirs:10.1f} {statistics.median(ratios):7.3f}  {low:.3f} .. {high:.3f} {len(pairs):6}")


if __name__ == "__main__":
    main()
