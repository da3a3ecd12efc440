#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What measuring costs beyond the batches themselves, read from the journal of a campaign.

Usage: tests/bench/overhead.py [BUILD_DIRECTORY [CONFIGURATION [TIME]]]      (default: build/release, configs/logp.ini, 120s)
                               [--before PROGRAM [--rounds 2]]
Prints the share of wall time inside timed regions and where the rest went, by visit and by incarnation. With --before
two programs take turns, each for TIME in each round, and what a visit of the same point takes stands side by side.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TRIPS, PROBES, LONGEST_DISTANCE = 320, 6, 3e3  # reference_round_trips, all of reference_probes, longest_distance


def measured(program, configuration, limit, folder):
    campaign = pathlib.Path(folder) / "campaign"
    start = time.monotonic()
    subprocess.run([program, "run", "--quiet", "--time-limit", limit, "--output", campaign, configuration],
                   capture_output=True, text=True)
    wall = time.monotonic() - start
    with open(campaign / "journal.jsonl", encoding="utf-8") as journal:
        return wall, [json.loads(line) for line in journal]


def in_batches(visit, skip):
    """Nanoseconds of the slowest member in the visit's batches, those of the first `skip` left out."""
    return sum(max(batch["wall_ns"], default=0) for batch in visit["batches"][skip:])


def in_reference(visit):
    """Nanoseconds of the batch of the reference channel beside the visit: as many exchanges as run/worker/visit.hpp says.

    Of the present program: others make more or fewer."""
    trip = visit.get("reference_ns") or 0
    return trip * (TRIPS if trip <= LONGEST_DISTANCE else PROBES)


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


ALONE = 1.04  # times the level, as stats/core/core_levels.cpp has it


def known_cores(records):
    """What is known of each CPU, as the session found it last."""
    cores = [record for record in records if record["type"] == "cores"]
    return {level["cpu"]: level for level in cores[-1]["levels"]} if cores else {}


def usual_calls(known, cpus, visit):
    """Whether system calls before the visit took what they usually do where the cores were alone by their throughput, as
    stats/core/core_levels.cpp has it."""
    apart = zip(cpus, visit.get("apart_wide_ns", []), visit.get("apart_chain_ns", []), visit.get("apart_call_ns", []))
    for cpu, wide, chain, call in apart:
        level = known.get(cpu, {})
        if call > 0 and "call" in level and wide <= ALONE * level["alone"] * chain:
            if not level.get("shortest_call", 0) <= call / chain <= level["longest_call"]:
                return False
    return True


def all_alone(levels, cpus, wide, chain):
    """Whether readings by rank are all within the bound."""
    return len(wide) == len(cpus) and all(w > 0 and w <= ALONE * levels.get(cpu, 0) * c for cpu, w, c in zip(cpus, wide, chain))


def counting(records):
    """Nanoseconds in batches that the headlines rest on: neither discarded nor disturbed, and alone where that is what is
    answered for."""
    known = known_cores(records)
    levels = {cpu: level["alone"] for cpu, level in known.items()}
    states = {key_of(r): [x.get("state", "") for x in r.get("results", [])][:1] for r in records if r["type"] == "point"}
    total = 0
    for visit in (record for record in records if record["type"] == "visit"):
        sorted_by_state = any(state.startswith("alone") for state in states.get(key_of(visit), []))
        for batch in visit["batches"][visit["discarded"]:]:
            cpus = batch.get("cpus", [])
            ends = [(batch.get("wide_ns", []), batch.get("chain_ns", [])),
                    (batch.get("wide_after_ns", []), batch.get("chain_after_ns", []))]
            apart = (visit.get("apart_wide_ns", []), visit.get("apart_chain_ns", []))
            # Members of one core share it with each other only: what was read while the others rested is used.
            alone = all(all_alone(levels, cpus, *end) for end in ends) or len(cpus) > 1 and all_alone(levels, cpus, *apart)
            alone = alone and usual_calls(known, cpus, visit)
            if not batch.get("disturbed") and (alone or not sorted_by_state):
                total += max(batch["wall_ns"], default=0)
    return total


def key_of(record):
    """What names a point."""
    return record["series"], json.dumps(record["point"], sort_keys=True)


def per_visit(records):
    """{point: nanoseconds of each visit beside its batches, and of its batches each}"""
    found = {}
    for visit in records:
        if visit["type"] == "visit" and len(visit["batches"]) > 1:
            length = statistics.median(max(batch["wall_ns"], default=0) for batch in visit["batches"])
            beyond = visit["took_ns"] - in_batches(visit, 0)  # with the reference, which is another one in another program
            found.setdefault(key_of(visit), []).append((beyond, length, len(visit["batches"])))
    return found


def beside(name, before, now, unit="ms", digits=3):
    print(f"{name:64} {before:9.{digits}f} {now:9.{digits}f} {unit:3} {now / before if before else float('nan'):7.3f}")


def compare(options):
    """Both programs in turn; the figures of all rounds together."""
    programs = {"before": options.before.resolve(), "now": options.build / "assay"}
    sums = {name: dict(visits={}, opened=[], wall=0, counts=0, inside=0, waited=0) for name in programs}
    for turn in range(options.rounds):
        for name in list(programs) if turn % 2 == 0 else reversed(programs):
            with tempfile.TemporaryDirectory() as folder:
                _, records = measured(programs[name], options.configuration, options.time, folder)
            mine = sums[name]
            wall = sum(record["took_ns"] for record in records if record["type"] == "end")
            mine["wall"] += wall
            for point, visits in per_visit(records).items():
                mine["visits"].setdefault(point, []).extend(visits)
            mine["opened"] += [r["took_ns"] for r in records if r["type"] == "incarnation" and "took_ns" in r]
            mine["counts"] += counting(records)
            mine["inside"] += sum(in_batches(r, r["discarded"]) for r in records if r["type"] == "visit")
            mine["waited"] += wall * next((r.get("waited", 0) for r in reversed(records) if r["type"] == "cores"), 0)
    before, now = sums["before"], sums["now"]
    common = [point for point in before["visits"] if point in now["visits"]]
    middle = {name: [statistics.median(v[0] for v in sums[name]["visits"][p]) for p in common] for name in sums}
    # A usual visit of that point, its batches as long in both: what is left is the difference of the programs.
    batches = [statistics.median(v[1] for v in before["visits"][p]) * 9 for p in common]
    whole = [(m + b) / (o + b) for o, m, b in zip(middle["before"], middle["now"], batches)]
    print(f"{options.configuration.name}: {options.rounds} rounds of {options.time} each, {len(common)} points in both\n")
    print(f"{'':64} {'before':>9} {'now':>9} {'':3} {'ratio':>7}")
    beside("visit beyond its batches, median of points' medians",
           statistics.median(middle["before"]) / 1e6, statistics.median(middle["now"]) / 1e6)
    print(f"{'visit of nine batches as long as before, median of points':64} {'':9} {'':9} {'':3} "
          f"{statistics.median(whole):7.3f}  goal 1.05; points: {min(whole):.3f} .. {max(whole):.3f}")
    beside("incarnation: start, set-up, clock, answer, median", statistics.median(before["opened"]) / 1e6,
           statistics.median(now["opened"]) / 1e6)
    for name, key in (("kept batches, of the wall time", "inside"), ("  those that count for the headlines", "counts"),
                      ("looks that found cores shared, and waiting", "waited")):
        beside(name, 100 * before[key] / before["wall"], 100 * now[key] / now["wall"], "%", 1)


def options_given():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=HERE.parent.parent / "build" / "release")
    parser.add_argument("configuration", nargs="?", type=pathlib.Path, default=HERE.parent.parent / "configs" / "logp.ini")
    parser.add_argument("time", nargs="?", default="120s")
    parser.add_argument("--before", type=pathlib.Path, metavar="PROGRAM")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    options.build = options.build.resolve()
    return options


def main():
    options = options_given()
    if options.before:
        return compare(options)
    configuration = options.configuration
    with tempfile.TemporaryDirectory() as folder:
        wall, records = measured(options.build / "assay", configuration, options.time, folder)
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
    share("  those that count for the headlines", counting(records), session)
    share("inside timed regions, discarded batches", discarded, session)
    share("inside timed regions, reference channel", reference, session)
    share("warm-up, by what the action claimed", warm, session)
    share("visits, beyond their batches", in_visits - kept - discarded - reference, session)
    share("opening incarnations, beyond warm-up", opening, session)
    share("calibration, statistics, journal, ends", session * 1e9 - in_visits - opening - warm, session)


if __name__ == "__main__":
    main()
