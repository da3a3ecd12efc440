#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Live campaigns of ten points, again and again: how often does an interval hold what all campaigns agree on?

Rules take turns in random order, and so does another program with each of them where one is given. What campaigns agree
on is the median over all campaigns of one rule and program that found the point in the same state of the cores;
of claims without a mark also the median of the results that have none, since the others say that another run may differ.
The directory keeps each campaign and its results as CSV, and can be summarised again.
Usage: tests/bench/reproducibility.py --output DIR [--campaigns 40] [--seconds 10] [--build BUILD] [--seed 1]
                                      [--before PROGRAM] [--rules median-ci,stderr] [--over MINUTES]
       tests/bench/reproducibility.py --summarize DIR [--markdown] [--points]
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
import re
import statistics
import subprocess
import sys
import time

from result_states import AS_FOUND, CONVERTED, ONE_CLOCK, at_one_clock, levels_of, steps_in, with_states

HERE = pathlib.Path(__file__).resolve().parent
RULES = {"median-ci": "eps = 2%", "stderr": "eps = 10%", "stddev": "eps = 10%"}
WITHIN = 0.02
SESSION = 3  # campaigns
STUDENT_2 = 4.302652729911275  # 97.5 % quantile of Student's law with two degrees of freedom
GOAL = 0.93
BEFORE = ", before"  # behind the rule: campaigns of the other program
LEAST_UNMARKED = 5  # results without a mark that are a consensus of their own: those with one say that another run may differ
LIKE = {"clock": 1.03, "distance": 1.2, "step": ONE_CLOCK}  # states of two campaigns are one up to these ratios, as assay compare has it
LIKE_STEP_NOT_ALONE = 1.03
NOT_THE_POINT = {"regime_share", "state", "state_share", "converted", "reps", "cpus", "rule", "verdict", "code", "reason"}
POINT = ("series", "type", "placement", "bystander", "channel")
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
# Shorter, so that results are short-term for one reason only: a hypervisor wakes what sleeps.
min-span = {least}s
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
    """The load averages."""
    return [f"{load:.2f}" for load in os.getloadavg()]


def configuration(rule, seconds, seed):
    """The campaign file for a rule; the two members apart sit on the first two usable CPUs."""
    apart = "+".join(str(cpu) for cpu in sorted(os.sched_getaffinity(0))[:2])
    text = CONFIGURATION.format(rule=rule, eps=RULES[rule], span=0.8 * seconds, least=0.5 * seconds, limit=4 * seconds + 10, apart=apart)
    return text.replace("[precision]", f"seed = {seed}\n\n[precision]", 1)


def measure_one(program, folder, name, text):
    """Runs a campaign and exports its results beside it; incomplete points are results too."""
    (folder / f"{name}.ini").write_text(text, encoding="utf-8")
    done = subprocess.run([program, "run", "--quiet", "--output", folder / name, folder / f"{name}.ini"],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 75):
        sys.exit(f"error: campaign {name} of {program} ended with {done.returncode}: {done.stderr.strip()}")
    table = subprocess.run([program, "export", "--format", "csv-long", folder / name],
                           capture_output=True, text=True, check=True).stdout
    (folder / f"{name}.csv").write_text(with_states(table, folder / name / "journal.jsonl"), encoding="utf-8")


def measure(options):
    """All campaigns of all rules and programs, in random order each time."""
    folder = pathlib.Path(options.output)
    folder.mkdir(parents=True)
    rng = random.Random(options.seed)
    programs = {"": options.build / "assay"} | ({BEFORE: options.before.resolve()} if options.before else {})
    turns = [(rule, which) for rule in options.rules for which in programs]
    facts = {"started": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
             "campaigns": options.campaigns, "seconds": options.seconds, "seed": options.seed, "load": [loads()]}
    begins = [time.monotonic() + index * options.over * 60 / options.campaigns for index in range(options.campaigns)]
    for index, begin in enumerate(begins):
        time.sleep(max(0.0, begin - time.monotonic()))
        for rule, which in rng.sample(turns, len(turns)):
            measure_one(programs[which], folder, f"{index:03d}-{rule}{which.replace(', ', '@')}",
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


def rows_of(table):
    """The rows of primary quantities with a number: the first quantity of each point, in every regime."""
    first = {}
    kept = []
    for row in csv.DictReader(io.StringIO(table)):
        point = tuple(value for name, value in row.items() if name in POINT)
        if row["quantity"] == first.setdefault(point, row["quantity"]) and row["median"]:
            kept.append(row)
    return kept


def is_like(one, other):
    """Whether two states are of one kind, though clocks and distances of two campaigns differ a little."""
    def parts(text):
        numbers = {name: float(value) for name, value in re.findall(r"(clock|distance|step) ([0-9.]+)", text)}
        return re.sub(r", (clock|distance|step) [^,]*", "", text), numbers  # sharing and, of what was free to move, its spread
    (words, left), (same, right) = parts(one), parts(other)
    # The step says what the clock was, by whatever name.
    ignored = {"clock"} if "step" in left and "step" in right else {"step"}
    names = left.keys() - ignored
    if words != same or names != right.keys() - ignored:
        return False
    is_at_one_clock = words.startswith("alone") or "clock" in left or "clock" in right
    like = LIKE if is_at_one_clock else {**LIKE, "step": LIKE_STEP_NOT_ALONE}
    return all(max(left[name], right[name]) <= like[name] * min(left[name], right[name]) for name in names)


def read(folder):
    """{rule: {(point, state): [row of campaign 0, row of campaign 1, ...]}}; a campaign without it leaves a gap."""
    results = {rule + which: {} for rule in RULES for which in ("", BEFORE)}
    for file in sorted(folder.glob("*.csv")):
        rows = with_states(file.read_text(encoding="utf-8"), folder / file.stem / "journal.jsonl")
        points = results[file.stem.split("-", 1)[1].replace("@", ", ")]
        steps = steps_in(folder / file.stem / "journal.jsonl")
        for row in rows_of(rows):
            if steps:
                row["step"] = steps.get((row["series"], levels_of(row), row["quantity"], row["regime"], row.get("state")))
            point, state = point_of(row), row.get("state") or AS_FOUND
            known = next((key for key in points if key[0] == point and is_like(key[1], state)), (point, state))
            found = points.setdefault(known, [])
            # The point's own result comes before those of its other clocks, which are the same at one clock.
            if not (CONVERTED in state and found and found[-1]["campaign"] == file.stem):
                found.append({**row, "campaign": file.stem})
    for points in results.values():
        for rows in points.values():
            at_one_clock(rows)
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


def spread(rows):
    """Standard deviation of the logarithms of the campaigns' medians; 0 of a single one."""
    logs = [math.log(number(row, "median")) for row in rows if number(row, "median") > 0]
    return statistics.stdev(logs) if len(logs) > 1 else 0.0


def points_converged(points):
    """Of how many points, those of each campaign counted anew, the row of most batches converged; and of how many all."""
    found = {}
    for rows in points.values():
        for row in rows:
            found.setdefault((row["campaign"], tuple(row.get(name) for name in POINT)), []).append(row)
    most = [max(rows, key=lambda row: float(row.get("regime_share") or 0)) for rows in found.values()]
    return sum(row["verdict"] == "converged" for row in most), len(most)


def enough(points, campaigns):
    """The results that half of the campaigns have, of all."""
    return {point: rows for point, rows in points.items() if 2 * len(rows) >= campaigns}


def summarize_rule(rule, points, campaigns):
    """One row of the table: all points by regime and state; what fewer than half of the campaigns have is left out."""
    count = dict.fromkeys(("rows", "lasting", "lasted", "converged", "held", "kept", "right", "own", "unmarked", "unmarked_kept", "session",
                           "sessions"), 0)
    widths = []
    kept = enough(points, campaigns)
    for rows in kept.values():
        truth = statistics.median(number(row, "median") for row in rows)
        own = statistics.median(number(row, "estimate") for row in rows)
        unmarked = [number(row, "median") for row in rows if row.get("term") != "short-term"]
        lasting_truth = statistics.median(unmarked) if len(unmarked) >= LEAST_UNMARKED else truth
        for row in rows:
            claims = row["verdict"] == "converged"
            count["rows"] += 1
            count["converged"] += claims
            count["held"] += holds(row, "low", "high", truth)
            lasting = row.get("term") != "short-term"
            count["lasting"] += lasting
            count["lasted"] += lasting and holds(row, "low", "high", truth)
            count["kept"] += claims and holds(row, "low", "high", truth)
            count["unmarked"] += claims and lasting
            count["unmarked_kept"] += claims and lasting and holds(row, "low", "high", lasting_truth)
            count["right"] += claims and abs(number(row, "median") / truth - 1) <= WITHIN
            count["own"] += claims and holds(row, "estimate_low", "estimate_high", own)
            if row["low"]:
                widths.append((number(row, "high") - number(row, "low")) / 2 / number(row, "median"))
        held, groups = session_share([number(row, "median") for row in rows], truth)
        count["session"] += held
        count["sessions"] += groups
    timings = statistics.median([int(row["n"]) for rows in kept.values() for row in rows] or [0])
    spreads = [spread(rows) for rows in kept.values()] or [0.0]
    return [rule, str(len(kept)), str(len(points) - len(kept)), share(*points_converged(points)),
            share(count["converged"], count["rows"]),
            share(count["held"], count["rows"]), share(count["lasted"], count["lasting"]), share(count["kept"], count["converged"]),
            share(count["unmarked_kept"], count["unmarked"]), str(count["unmarked"]),
            share(count["right"], count["converged"]), share(count["own"], count["converged"]),
            share(count["session"], count["sessions"]), f"{100 * statistics.median(widths or [0]):.1f}",
            f"{100 * statistics.median(spreads):.1f}", f"{100 * max(spreads):.1f}", f"{timings:g}"]


HEADINGS = ["rule", "results", "left out", "points converged %", "converged %", "headline holds %", "not short-term %", "of claims %",
            "unmarked claims %", "of", "claims within 2 %", "own interval holds %", f"{SESSION} sessions hold %", "half-width %", "spread %",
            "worst spread %", "timings"]
POINT_HEADINGS = ["result", "state", "rule", "campaigns", "median", "spread %", "converged %", "headline holds %"]


def point_rows(results, campaigns):
    """A row for each result that half of the campaigns have: the same result of all rules side by side."""
    rows = []
    for rule, points in results.items():
        for (_, state), found in enough(points, campaigns).items():
            truth = statistics.median(number(row, "median") for row in found)
            name = " ".join(filter(None, (found[0].get(column) for column in (*POINT, "quantity", "regime"))))
            rows.append([name, state, rule, str(len(found)), f"{truth:.5g}", f"{100 * spread(found):.1f}",
                         share(sum(row["verdict"] == "converged" for row in found), len(found)),
                         share(sum(holds(row, "low", "high", truth) for row in found), len(found))])
    return sorted(rows)


def print_table(headings, rows, markdown):
    """Rows below the headings, aligned."""
    widths = [max(len(row[i]) for row in [headings, *rows]) for i in range(len(headings))]
    lines = [[row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
             for row in [headings, *rows]]
    if markdown:
        lines.insert(1, ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])])
    for line in lines:
        print(("| " + " | ".join(line) + " |") if markdown else "  ".join(line))


def summarize(folder, markdown, by_point=False):
    """Prints the conditions, the table, and what became of the goal."""
    facts = json.loads((folder / "conditions.json").read_text(encoding="utf-8"))
    campaigns = len(facts["load"]) - 1
    middle = statistics.median(float(load[0]) for load in facts["load"])
    print(f"{campaigns} campaigns for each rule, about {facts['seconds']:g} s each, from {facts['started']}; "
          f"load {facts['load'][0][0]} at the start, {middle:g} in the middle, {facts['load'][-1][0]} at the end")
    print("truth: the median over all campaigns of the same rule and program, by point, regime and state\n")
    results = {rule: points for rule, points in read(folder).items() if points}
    rows = [summarize_rule(rule, points, campaigns) for rule, points in results.items()]
    print_table(HEADINGS, rows, markdown)
    if by_point:
        print()
        print_table(POINT_HEADINGS, point_rows(results, campaigns), markdown)
    sessions = {row[0]: row[HEADINGS.index(f"{SESSION} sessions hold %")] for row in rows}.get("median-ci", "-")
    if sessions != "-":
        met = "met" if float(sessions) >= 100 * GOAL else "MISSED"
        print(f"\ngoal: intervals from {SESSION} sessions of median-ci hold in {100 * GOAL:.0f} %: {sessions} %, {met}")


def rules_named(text):
    """The rules of a list with commas."""
    rules = text.split(",")
    for rule in rules:
        if rule not in RULES:
            raise argparse.ArgumentTypeError(f"there is no rule {rule!r} here; choose among {', '.join(RULES)}")
    return rules


def main():
    """Measures unless there are results to summarise, and summarises."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", help="directory to create")
    parser.add_argument("--summarize", metavar="DIR", help="no measuring: results of an earlier run")
    parser.add_argument("--campaigns", type=int, default=40, help="for each rule")
    parser.add_argument("--seconds", type=float, default=10, help="for each campaign")
    parser.add_argument("--over", type=float, default=0, metavar="MINUTES", help="begins them evenly spread over that time; default: one after the other")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent.parent / "build" / "release")
    parser.add_argument("--before", type=pathlib.Path, metavar="PROGRAM", help="takes turns with BUILD/assay")
    parser.add_argument("--rules", type=rules_named, default=list(RULES), help="separated by commas; default: all")
    parser.add_argument("--points", action="store_true", help="print each result by rule and program as well")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    if bool(options.output) == bool(options.summarize):
        parser.error("give either --output or --summarize")
    summarize(pathlib.Path(options.summarize) if options.summarize else measure(options), options.markdown, options.points)


if __name__ == "__main__":
    main()
