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
All values are in core cycles where the chain of multiplications tells them, since two campaigns in a row can be at two clocks, and in ns elsewhere.
"""
import argparse
import json
import pathlib
import random
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ALONE = 1.12  # places and address spaces make less of a difference, a busy neighbour on the core more
ONE_CLOCK = 1.015


def per_nanosecond(result):
    """Core cycles of a result's clock, and of one step of its chain; 1 and no step where the clock is not known."""
    clock = result.get("clock_ghz")
    return (clock, clock * result["step_ns"]) if clock and "step_ns" in result else (1, None)


def clean_values(visit, step_cycles):
    """Time per repetition of the batches of a visit that count: in cycles of the clock beside each batch, where a step has so many."""
    batches = visit["batches"][visit["discarded"]:]
    values = []
    for batch in batches:
        if "disturbed" not in batch:
            steps = batch.get("chain_ns", []) + batch.get("chain_after_ns", [])
            scale = step_cycles / statistics.fmean(steps) if step_cycles and steps else 1
            values.append(batch["claims"][0][0] / batch["reps"] * scale)
    return values


def by_copy(records, step_cycles):
    """{(series, copy): [lower decile of each process that ran it]}."""
    copies, values = {}, {}
    for record in records:
        if record["type"] == "incarnation":
            copies[record["series"], record["incarnation"]] = record["loop_copy"]
        elif record["type"] == "visit":
            values.setdefault((record["series"], record["incarnation"]), []).extend(clean_values(record, step_cycles.get(record["series"])))
    found = {}
    for (series, incarnation), times in values.items():
        if len(times) >= 10:
            found.setdefault((series, copies[series, incarnation]), []).append(sorted(times)[len(times) // 10])
    return found


def headline(result):
    """((low, median, high) in ns, clock in GHz) of a core alone whose clock is known; None of others, and where there is no interval."""
    found = result.get("headline", {})
    if "low" not in found or "clock_ghz" not in result or not result.get("state", "").startswith("alone"):
        return None
    return tuple(found[key] for key in ("low", "value", "high")), result["clock_ghz"]


def in_cycles(headlines):
    """{build: (low, median, high) in cycles}. Clocks that differ by no more than what `assay compare` takes for one are one."""
    clocks = [clock for _, clock in headlines.values()]
    is_one = bool(clocks) and max(clocks) <= ONE_CLOCK * min(clocks)
    return {build: tuple(value * (statistics.fmean(clocks) if is_one else clock) for value in values)
            for build, (values, clock) in headlines.items()}


def campaign(build):
    """One campaign: its values by copy, and {series: (low, median, high)} of each point's first quantity."""
    with tempfile.TemporaryDirectory() as folder:
        kept = pathlib.Path(folder) / "campaign"
        subprocess.run([build / "assay", "run", "--quiet", "--output", kept, HERE / "layout.ini"], capture_output=True, text=True)
        with open(kept / "journal.jsonl", encoding="utf-8") as journal:
            records = [json.loads(line) for line in journal]
    results = {record["series"]: record["results"][0] for record in records if record["type"] == "point" and record.get("results")}
    headlines = {series: headline(result) for series, result in results.items()}
    return by_copy(records, {series: per_nanosecond(result)[1] for series, result in results.items()}), {
        series: interval for series, interval in headlines.items() if interval}


def described(values, least):
    """The processes that had their core to themselves: mean, and the text of a row."""
    alone = [value for value in values if value <= ALONE * least]
    count = f"{len(alone):4} of {len(values):4} processes"
    if len(alone) < 2:
        return None, count
    mean, error = statistics.fmean(alone), statistics.stdev(alone) / len(alone) ** 0.5
    return mean, f"{count} {mean:8.4f} +- {error:.4f}, {min(alone):.3f} .. {max(alone):.3f}"


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
            intervals = in_cycles({build: by_build[build][series] for build in builds if series in by_build[build]})
            told = ", ".join(f"{build.name} {low:.3f} .. {middle:.3f} .. {high:.3f}" for build, (low, middle, high) in intervals.items())
            overlap = max(i[0] for i in intervals.values()) <= min(i[2] for i in intervals.values())
            if len(intervals) < len(builds):
                print(f"round {number} {series:8} {told}; not of a core alone in all builds")
                continue
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
