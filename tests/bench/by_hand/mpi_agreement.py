#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assay's round trip over MPI against a program written by hand, in alternating launches of one run.

Usage: tests/bench/by_hand/mpi_agreement.py [BUILD_DIRECTORY [SECONDS [KEPT [LAUNCHER...]]]]      (build with -DASSAY_BENCH=ON)
A round of a size is three launches: by hand, Assay, by hand. Both start the library for one thread. Each rank of each launch writes down the CPUs that it
may use before it becomes the program: rounds of which the ranks were not bound, each to the same one CPU in all three launches, do not count.
A launch on virtual CPUs is in one of several modes, by where the host runs them, and the next one in another: launches are distinguished
by gaps of a third or more between all medians of a size, and compared within a mode, by the ratios of all pairs with their 95 % interval by
ranks (Hodges and Lehmann). Rounds go on for so many seconds (120), and are added to the file KEPT where one is named, so that many short runs make one table.
"""
import csv
import io
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from agreement import output_of

HERE = pathlib.Path(__file__).resolve().parent
SIZES = [8, 1024, 65536]
GAP = 4 / 3
FEWEST = 4
# Assay requests threads unless configured otherwise, which costs time with each message in some libraries.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "ASSAY_MPI_THREAD_LEVEL": "single",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
WITNESS = 'grep Cpus_allowed_list /proc/self/status > "$0/$$"; exec "$@"'


def launched(launcher, *command):
    """What rank 0 printed, and the CPUs of the ranks."""
    with tempfile.TemporaryDirectory() as told:
        done = subprocess.run([*launcher, "sh", "-c", WITNESS, told, *map(str, command)], check=True, capture_output=True,
                              text=True, env={**os.environ, **ENVIRONMENT})
        cpus = sorted(file.read_text().split()[-1] for file in pathlib.Path(told).iterdir())
    return done.stdout, cpus


def by_hand(build, launcher, size):
    text, cpus = launched(launcher, build / "tests/bench/mpi_agreement_hand", size)
    median, decile = map(float, text.split())
    return {"median": median, "decile": decile, "cpus": cpus}


def by_assay(build, launcher, size):
    with tempfile.TemporaryDirectory() as folder:
        campaign = pathlib.Path(folder) / "campaign"
        _, cpus = launched(launcher, build / "assay", "run", "--quiet", "--output", campaign, "--set",
                           f"series.ping.size={size}", HERE / "mpi_agreement.ini")
        rows = csv.DictReader(io.StringIO(output_of([build / "assay", "export", "--format", "csv-long", campaign])))
        rows = [row for row in rows if row["median"]]
    if not rows:
        return None
    best = max(rows, key=lambda row: float(row["regime_share"]))
    return {"median": float(best["median"]), "decile": float(best["q10"]), "cpus": cpus}


def measure(build, launcher, seconds):
    """Rounds as they came, those that will not count included."""
    rounds = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for size in SIZES:
            before = by_hand(build, launcher, size)
            ours = by_assay(build, launcher, size)
            rounds.append({"size": size, "before": before, "ours": ours, "after": by_hand(build, launcher, size)})
    return rounds


def are_bound(one):
    sides = [one["before"], one["ours"], one["after"]]
    return all(sides) and all(side["cpus"] == sides[0]["cpus"] for side in sides) and len(set(sides[0]["cpus"])) == 2 and \
        all(cpu.isdigit() for cpu in sides[0]["cpus"])


def modes(values):
    """Where one mode ends and the next begins."""
    ordered = sorted(values)
    return [(low * high) ** 0.5 for low, high in zip(ordered, ordered[1:]) if high > GAP * low]


def ratio_of(ours, theirs):
    """The median of all pairs' ratios, with its interval."""
    ratios = sorted(one / other for one in ours for other in theirs)
    pairs, both = len(ratios), len(ours) + len(theirs)
    k = max(0, int(pairs / 2 - 1.96 * (pairs * (both + 1) / 12) ** 0.5))
    return statistics.median(ratios), ratios[k], ratios[-1 - k]


def tell(rounds):
    print("medians of launches, ns per round trip, by mode")
    print(f"{'bytes':>6} {'assay':>10} {'by hand':>10} {'ratio':>7}  {'interval':15} launches")
    for size in SIZES:
        counted = [one for one in rounds if one["size"] == size and are_bound(one)]
        ours = [one["ours"]["median"] for one in counted]
        theirs = [one[side]["median"] for one in counted for side in ("before", "after")]
        ends = [0, *modes(ours + theirs), float("inf")]
        for low, high in zip(ends, ends[1:]):
            sides = [[value for value in side if low <= value < high] for side in (ours, theirs)]
            if min(map(len, sides)) < FEWEST:
                print(f"{size:6} {'a mode from':>21} {low:.0f} ns on with {len(sides[0])} and {len(sides[1])} launches: too few")
                continue
            ratio, least, most = ratio_of(*sides)
            print(f"{size:6} {statistics.median(sides[0]):10.1f} {statistics.median(sides[1]):10.1f} {ratio:7.3f}  "
                  f"{least:.3f} .. {most:.3f} {len(sides[0]):4} {len(sides[1]):4}")


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parents[2] / "build" / "release").resolve()
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 120
    kept = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    launcher = sys.argv[4:] or ["mpirun", "-np", "2", "--bind-to", "core"]
    rounds = json.loads(kept.read_text()) if kept and kept.exists() else []
    rounds += measure(build, launcher, seconds)
    if kept:
        kept.write_text(json.dumps(rounds))
    unbound = sum(not are_bound(one) for one in rounds)
    print(f"{len(rounds)} rounds of three launches; in {unbound} of them the ranks were not bound alike")
    tell(rounds)


if __name__ == "__main__":
    main()
