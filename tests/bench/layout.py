#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the place of a timed loop within its cache lines does: the mutex pair by copy of the loop, and two builds side by side.

Usage: tests/bench/layout.py [--rounds 5] [BUILD_DIRECTORY...]      (default: build/release)
Builds that differ in nothing but where the compiler puts loops:
    cmake --preset release -B build/align16 -DCMAKE_CXX_FLAGS=-falign-loops=16 && cmake --build build/align16 --target assay
    cmake --preset release -B build/align64 -DCMAKE_CXX_FLAGS=-falign-loops=64 && cmake --build build/align64 --target assay
Campaigns of the builds take turns. Each process counts with the lower decile of its clean batches, unless a neighbour shared its core for all of its
time: processes above 1.12 times the least of all are left out. Prints for each build and copy their number, mean with standard error, and range; the
same for each build over all copies, with its ratio to the first build; then the headline intervals of each round, and whether they overlap.
"""
import argparse
import csv
import io
import json
import pathlib
import random
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ALONE = 1.12  # places and address spaces make less of a difference, a busy neighbour on the core more


def clean_values(visit):
    """Nanoseconds per repetition of the batches of a visit that count."""
    batches = visit["batches"][visit["discarded"]:]
    return [batch["claims"][0][0] / batch["reps"] for batch in batches if "disturbed" not in batch]


def by_copy(journal):
    """{(series, copy): [lower decile of each process that ran it]}."""
    copies, values = {}, {}
    for record in map(json.loads, journal):
        if record["type"] == "incarnation":
            copies[record["series"], record["incarnation"]] = record["loop_copy"]
        elif record["type"] == "visit":
            values.setdefault((record["series"], record["incarnation"]), []).extend(clean_values(record))
    found = {}
    for (series, incarnation), times in values.items():
        if len(times) >= 10:
            found.setdefault((series, copies[series, incarnation]), []).append(sorted(times)[len(times) // 10])
    return found


def campaign(build):
    """One campaign: its values by copy, and {series: (low, median, high)}."""
    with tempfile.TemporaryDirectory() as folder:
        kept = pathlib.Path(folder) / "campaign"
        subprocess.run([build / "assay", "run", "--quiet", "--output", kept, HERE / "layout.ini"], capture_output=True, text=True)
        done = subprocess.run([build / "assay", "export", "--format", "csv-long", kept], check=True, capture_output=True, text=True)
        rows = [row for row in csv.DictReader(io.StringIO(done.stdout)) if row["median"]]
        with open(kept / "journal.jsonl", encoding="utf-8") as journal:
            return by_copy(journal), {row["series"]: tuple(float(row[key]) for key in ("low", "median", "high")) for row in rows}


def described(values, least):
    """The processes that had their core to themselves: mean, and the text of a row."""
    alone = [value for value in values if value <= ALONE * least]
    count = f"{len(alone):4} of {len(values):4} processes"
    if len(alone) < 2:
        return None, count
    mean, error = statistics.fmean(alone), statistics.stdev(alone) / len(alone) ** 0.5
    return mean, f"{count} {mean:8.4f} +- {error:.4f} ns, {min(alone):.3f} .. {max(alone):.3f}"


def print_processes(builds, copies):
    for series in sorted({name for build in builds for name, _ in copies[build]}):
        least = min(min(values) for build in builds for (name, _), values in copies[build].items() if name == series)
        first = None
        for build in builds:
            everything = []
            for (name, copy), values in sorted(copies[build].items()):
                if name == series:
                    everything += values
                    print(f"{series:8} {build.name:12} copy {copy}: {described(values, least)[1]}")
            mean, row = described(everything, least)
            first = first or mean
            print(f"{series:8} {build.name:12} all   : {row}, ratio {mean / first if mean else float('nan'):.4f}")


def print_rounds(builds, headlines):
    for number, by_build in enumerate(headlines, 1):
        for series in sorted({name for results in by_build.values() for name in results}):
            intervals = {build: by_build[build][series] for build in builds if series in by_build[build]}
            told = ", ".join(f"{build.name} {low:.3f} .. {middle:.3f} .. {high:.3f}" for build, (low, middle, high) in intervals.items())
            overlap = max(i[0] for i in intervals.values()) <= min(i[2] for i in intervals.values())
            first, *others = [middle for _, middle, _ in intervals.values()]
            ratios = " ".join(f"{other / first:.3f}" for other in others) if first else "-"
            print(f"round {number} {series:8} {told}; ratio {ratios or '-'}; {'agree' if overlap else 'APART'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("builds", nargs="*", type=pathlib.Path, default=[HERE.parent.parent / "build" / "release"])
    asked = parser.parse_args()
    builds = [build.resolve() for build in asked.builds]
    copies, headlines = {build: {} for build in builds}, []
    for _ in range(asked.rounds):
        headlines.append({})
        for build in random.sample(builds, len(builds)):
            found, headlines[-1][build] = campaign(build)
            for key, values in found.items():
                copies[build].setdefault(key, []).extend(values)
    print_processes(builds, copies)
    print_rounds(builds, headlines)


if __name__ == "__main__":
    main()
