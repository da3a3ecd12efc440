#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Live campaigns of ten points, again and again: how often does an interval hold what all campaigns agree on?

Rules take turns in random order. The directory keeps each campaign and its results as CSV, and can be summarised again.
Usage: tests/bench/reproducibility.py --output DIR [--campaigns 40] [--seconds 10] [--build BUILD] [--seed 1]
       tests/bench/reproducibility.py --summarize DIR [--markdown]
"""
import argparse
import csv
import datetime
import io
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RULES = {"median-ci": "eps = 2%", "stderr": "eps = 10%", "stddev": "eps = 10%"}
WITHIN = 0.02
SESSION = 3  # campaigns
STUDENT_2 = 4.302652729911275  # 97.5 % quantile of Student's law with two degrees of freedom
GOAL = 0.93
NOT_THE_POINT = {"regime_share", "reps", "cpus", "rule", "verdict", "code", "reason"}
CONFIGURATION = """\
# SPDX-License-Identifier: Apache-2.0
# Ten points for tests/bench/reproducibility.py.
[campaign]
title = reproducibility
time-limit = {limit}s

[precision]
rule = {rule}
{eps}
span = {span}s
max-time = {span}s

[series.mutex]
measurement = sync/lock
placement = bound
bystander = none, present

[series.clock]
measurement = os/clock
placement = bound

[series.create-join]
measurement = thread/create_join
placement = bound, unbound

[series.taking-turns]
measurement = logp/round_trip
channel = futex, condvar, pipe
vehicle = thread
placement = same-pu

[series.apart]
measurement = logp/round_trip
channel = futex, pipe
vehicle = thread
placement = {apart}
"""


def loads():
    """The load averages, as the kernel writes them."""
    return pathlib.Path("/proc/loadavg").read_text(encoding="ascii").split()[:3]


def configuration(rule, seconds, seed):
    """The campaign file for a rule; the two members apart sit on the first two usable CPUs."""
    first, second = sorted(os.sched_getaffinity(0))[:2]
    text = CONFIGURATION.format(rule=rule, eps=RULES[rule], span=0.8 * seconds, limit=4 * seconds + 10,
                                apart=f"{first}+{second}")
    return text.replace("[precision]", f"seed = {seed}\n\n[precision]", 1)


def measure_one(build, folder, name, text):
    """Runs a campaign and exports its results beside it; incomplete points are results too."""
    (folder / f"{name}.ini").write_text(text, encoding="utf-8")
    done = subprocess.run([build / "assay", "run", "--quiet", "--output", folder / name, folder / f"{name}.ini"],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 75):
        sys.exit(f"error: campaign {name} ended with {done.returncode}: {done.stderr.strip()}")
    table = subprocess.run([build / "assay", "export", "--format", "csv-long", folder / name],
                           capture_output=True, text=True, check=True).stdout
    (folder / f"{name}.csv").write_text(table, encoding="utf-8")


def measure(options):
    """All campaigns of all rules, rules in random order each time."""
    folder = pathlib.Path(options.output)
    folder.mkdir(parents=True)
    rng = random.Random(options.seed)
    facts = {"started": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
             "campaigns": options.campaigns, "seconds": options.seconds, "seed": options.seed, "load": [loads()]}
    for index in range(options.campaigns):
        for rule in rng.sample(list(RULES), len(RULES)):
            measure_one(options.build, folder, f"{index:03d}-{rule}",
                        configuration(rule, options.seconds, rng.randrange(1 << 31)))
        facts["load"].append(loads())
        (folder / "conditions.json").write_text(json.dumps(facts), encoding="utf-8")
        print(f"{index + 1} of {options.campaigns}", file=sys.stderr)
    return folder


def point_of(row):
    """What identifies a row across campaigns: everything before the numbers."""
    key = []
    for name, value in row.items():
        if name == "median":
            return " ".join(key)
        if name not in NOT_THE_POINT and value:
            key.append(value)
    raise SystemExit("error: the CSV has no column median; export it with this version of assay")


def rows_of(file):
    """The rows of primary quantities with a number: the first quantity of each point, in every regime."""
    first = {}
    kept = []
    for row in csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))):
        point = tuple(value for name, value in row.items() if name in ("series", "type", "placement", "bystander", "channel"))
        if row["quantity"] == first.setdefault(point, row["quantity"]) and row["median"]:
            kept.append(row)
    return kept


def read(folder):
    """{rule: {point: [row of campaign 0, row of campaign 1, ...]}}; a campaign without the point leaves a gap."""
    results = {rule: {} for rule in RULES}
    for file in sorted(folder.glob("*.csv")):
        rule = file.stem.split("-", 1)[1]
        for row in rows_of(file):
            results[rule].setdefault(point_of(row), []).append(row)
    return results


def number(row, name):
    """A cell as a number; NaN where it is empty."""
    return float(row[name]) if row[name] else math.nan


def holds(row, low, high, truth):
    """Whether an interval is there and contains the truth."""
    return number(row, low) <= truth <= number(row, high)


def session_share(values, truth):
    """How many t intervals of the logs of campaigns far apart hold the truth, of how many."""
    groups = len(values) // SESSION
    held = 0
    for group in range(groups):
        logs = [math.log(values[group + part * groups]) for part in range(SESSION)]
        half = STUDENT_2 * statistics.stdev(logs) / math.sqrt(SESSION)
        held += abs(statistics.mean(logs) - math.log(truth)) <= half
    return held, groups


def share(part, whole):
    """A share as text, in per cent."""
    return f"{100 * part / whole:.0f}" if whole else "-"


def summarize_rule(rule, points, campaigns):
    """One row of the table: all points by regime together; those that fewer than half of the campaigns have are left out."""
    count = dict.fromkeys(("rows", "converged", "held", "kept", "right", "own", "session", "sessions"), 0)
    widths = []
    kept = {point: rows for point, rows in points.items() if 2 * len(rows) >= campaigns}
    for rows in kept.values():
        truth = statistics.median(number(row, "median") for row in rows)
        own = statistics.median(number(row, "estimate") for row in rows)
        for row in rows:
            claims = row["verdict"] == "converged"
            count["rows"] += 1
            count["converged"] += claims
            count["held"] += holds(row, "low", "high", truth)
            count["kept"] += claims and holds(row, "low", "high", truth)
            count["right"] += claims and abs(number(row, "median") / truth - 1) <= WITHIN
            count["own"] += claims and holds(row, "estimate_low", "estimate_high", own)
            if row["low"]:
                widths.append((number(row, "high") - number(row, "low")) / 2 / number(row, "median"))
        held, groups = session_share([number(row, "median") for row in rows], truth)
        count["session"] += held
        count["sessions"] += groups
    timings = statistics.median(int(row["n"]) for rows in kept.values() for row in rows)
    return [rule, str(len(kept)), str(len(points) - len(kept)), share(count["converged"], count["rows"]),
            share(count["held"], count["rows"]), share(count["kept"], count["converged"]),
            share(count["right"], count["converged"]), share(count["own"], count["converged"]),
            share(count["session"], count["sessions"]), f"{100 * statistics.median(widths):.1f}", f"{timings:g}"]


HEADINGS = ["rule", "results", "left out", "converged %", "headline holds %", "of claims %", "claims within 2 %",
            "own interval holds %", f"{SESSION} sessions hold %", "half-width %", "timings"]


def print_table(rows, markdown):
    """Rows below the headings, aligned."""
    widths = [max(len(row[i]) for row in [HEADINGS, *rows]) for i in range(len(HEADINGS))]
    lines = [[row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
             for row in [HEADINGS, *rows]]
    if markdown:
        lines.insert(1, ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])])
    for line in lines:
        print(("| " + " | ".join(line) + " |") if markdown else "  ".join(line))


def summarize(folder, markdown):
    """Prints the conditions, the table, and what became of the goal."""
    facts = json.loads((folder / "conditions.json").read_text(encoding="utf-8"))
    campaigns = len(facts["load"]) - 1
    middle = statistics.median(float(load[0]) for load in facts["load"])
    print(f"{campaigns} campaigns for each rule, about {facts['seconds']:g} s each, from {facts['started']}; "
          f"load {facts['load'][0][0]} at the start, {middle:g} in the middle, {facts['load'][-1][0]} at the end")
    print("truth: the median over all campaigns of the same rule, by point and regime\n")
    rows = [summarize_rule(rule, points, campaigns) for rule, points in read(folder).items() if points]
    print_table(rows, markdown)
    sessions = {row[0]: row[8] for row in rows}.get("median-ci", "-")
    if sessions != "-":
        verdict = "met" if float(sessions) >= 100 * GOAL else "MISSED"
        print(f"\ngoal: intervals from {SESSION} sessions of median-ci hold in {100 * GOAL:.0f} %: {sessions} %, {verdict}")


def main():
    """Measures unless there are results to summarise, and summarises."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", help="directory to create")
    parser.add_argument("--summarize", metavar="DIR", help="no measuring: results of an earlier run")
    parser.add_argument("--campaigns", type=int, default=40, help="for each rule")
    parser.add_argument("--seconds", type=float, default=10, help="for each campaign")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent.parent / "build" / "release")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    if bool(options.output) == bool(options.summarize):
        parser.error("give either --output or --summarize")
    folder = pathlib.Path(options.summarize) if options.summarize else measure(options)
    summarize(folder, options.markdown)


if __name__ == "__main__":
    main()
