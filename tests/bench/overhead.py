#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What measuring costs beyond the batches themselves, read from the journal of a campaign.

Usage: tests/bench/overhead.py [BUILD_DIRECTORY [CONFIGURATION [TIME]]]      (default: build/release, configs/logp.ini, 120s)
Prints the share of wall time inside timed regions and where the rest went, by visit and by incarnation.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TRIPS, PROBE, LONGEST_REFERENCE = 200, 2, 10e6  # reference_round_trips, reference_probe, reference_time


def measured(build, configuration, limit, folder):
    campaign = pathlib.Path(folder) / "campaign"
    start = time.monotonic()
    subprocess.run([build / "assay", "run", "--quiet", "--time-limit", limit, "--output", campaign, configuration],
                   capture_output=True, text=True)
    wall = time.monotonic() - start
    with open(campaign / "journal.jsonl", encoding="utf-8") as journal:
        return wall, [json.loads(line) for line in journal]


def in_batches(visit, skip):
    """Nanoseconds of the slowest member in the visit's batches, those of the first `skip` left out."""
    return sum(max(batch["wall_ns"], default=0) for batch in visit["batches"][skip:])


def in_reference(visit):
    """Nanoseconds of the batch of the reference channel beside the visit: as many exchanges as run/visit.hpp says."""
    trip = visit.get("reference_ns") or 0
    return trip * (TRIPS if TRIPS * trip <= LONGEST_REFERENCE else PROBE)


def quantiles(values):
    """Median and 95th percentile."""
    ordered = sorted(values)
    return statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]


def line(name, values, goal=""):
    if not values:
        print(f"{name:46} none")
        return
    middle, late = quantiles(values)
    print(f"{name:46} {len(values):6} {middle / 1e6:9.3f} ms {late / 1e6:9.3f} ms  {goal}")


def share(name, nanoseconds, wall):
    print(f"{name:46} {nanoseconds / 1e9 / wall:7.1%}")


def main():
    arguments = sys.argv[1:] + [None] * 3
    build = pathlib.Path(arguments[0] or HERE.parent.parent / "build" / "release").resolve()
    configuration = arguments[1] or HERE.parent.parent / "configs" / "logp.ini"
    with tempfile.TemporaryDirectory() as folder:
        wall, records = measured(build, configuration, arguments[2] or "120s", folder)
    visits = [record for record in records if record["type"] == "visit"]
    opened = [record for record in records if record["type"] == "incarnation"]
    ends = [record for record in records if record["type"] == "end"]
    points = [record for record in records if record["type"] == "point"]
    if not visits:
        sys.exit("error: no visit was paid; nothing to account for")
    session = sum(end["took_ns"] for end in ends) / 1e9

    print(f"{configuration}: {session:.1f} s of a session ({wall:.1f} s of wall time with start and tables), "
          f"{len(points)} points, {len(opened)} incarnations, {len(visits)} visits\n")
    print(f"{'cost beyond the batches, each':46} {'n':>6} {'median':>12} {'95 %':>12}  goal for the median")
    beyond = [v["took_ns"] - in_batches(v, 0) - in_reference(v) for v in visits]
    line("visit: asking, answering, guards, counters", beyond, "0.3 ms")
    line("  where there is a batch of the reference", [b for b, v in zip(beyond, visits) if in_reference(v) > 0])
    line("  that batch", [in_reference(v) for v in visits if in_reference(v) > 0])
    line("incarnation: start, set-up, clock, answer", [i["took_ns"] for i in opened if "took_ns" in i], "3 ms")
    print()
    kept = sum(in_batches(v, v["discarded"]) for v in visits)
    discarded = sum(in_batches(v, 0) for v in visits) - kept
    warm = sum(i["warm_up_ns"] for i in opened)
    in_visits = sum(v["took_ns"] for v in visits)
    opening = sum(i.get("took_ns", 0) for i in opened)
    reference = sum(map(in_reference, visits))
    share("inside timed regions, estimated batches", kept, session)
    share("inside timed regions, discarded batches", discarded, session)
    share("inside timed regions, reference channel", reference, session)
    share("warm-up, by what the action claimed", warm, session)
    share("visits, beyond their batches", in_visits - kept - discarded - reference, session)
    share("opening incarnations, beyond warm-up", opening, session)
    share("calibration, statistics, journal, ends", session * 1e9 - in_visits - opening - warm, session)


if __name__ == "__main__":
    main()
