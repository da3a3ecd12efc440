#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assay, Google Benchmark and a hand-written loop on the uncontended mutex pair and an empty body, interleaved in one run.

Usage: tests/bench/by_hand/uncontended.py [BUILD_DIRECTORY [RUNS]]      (build with -DASSAY_BENCH=ON)
Prints, per tool and body: median value over the runs, spread (max - min) relative to it, and wall time to the result.
"""
import csv
import io
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def output_of(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def by_assay(build):
    with tempfile.TemporaryDirectory() as folder:
        campaign = pathlib.Path(folder) / "campaign"
        subprocess.run([build / "assay", "run", "--quiet", "--output", campaign, HERE / "uncontended.ini"],
                       capture_output=True, text=True)
        rows = csv.DictReader(io.StringIO(output_of([build / "assay", "export", "--format", "csv-long", campaign])))
        return {row["series"]: float(row["median"]) for row in rows if row["median"]}


def by_gbench(build):
    report = json.loads(output_of([build / "tests/bench/uncontended_gbench", "--benchmark_format=json"]))
    return {row["name"]: row["real_time"] for row in report["benchmarks"]}


def by_hand(build):
    lines = output_of([build / "tests/bench/uncontended_hand"]).split()
    return {name: float(value) for name, value in (line.split(",") for line in lines)}


def measure(tools, build, runs):
    """Every tool once per round, in random order: {(tool, body): [values]}, {tool: [seconds]}."""
    values, wall = {}, {tool: [] for tool in tools}
    for _ in range(runs):
        for tool in random.sample(list(tools), len(tools)):
            start = time.monotonic()
            for body, value in tools[tool](build).items():
                values.setdefault((tool, body), []).append(value)
            wall[tool].append(time.monotonic() - start)
    return values, wall


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parents[2] / "build" / "release").resolve()
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    tools = {"assay": by_assay, "google-benchmark": by_gbench, "hand loop": by_hand}
    values, wall = measure(tools, build, runs)
    print(f"{runs} interleaved runs of each tool; values in ns per repetition")
    print(f"{'body':8} {'tool':18} {'median':>9} {'spread':>8} {'to assay':>9} {'wall s':>8}")
    for body in ("mutex", "empty"):
        base = statistics.median(values[("assay", body)])
        for tool in tools:
            taken = values[(tool, body)]
            middle = statistics.median(taken)
            spread = (max(taken) - min(taken)) / abs(middle) if middle else float("nan")
            ratio = middle / base if base else float("nan")
            print(f"{body:8} {tool:18} {middle:9.3f} {spread:8.1%} {ratio:9.3f} {statistics.median(wall[tool]):8.2f}")
    print("wall: both bodies together, process start included, median of the runs")


if __name__ == "__main__":
    main()
