#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Closes the loop: calibrates with Assay, runs the same program under MPI and in SimGrid, replays the same operations, and prints the three
side by side; then the same platform with more ranks, with and without recorded noise.

    tests/bench/simgrid/run.py BUILD [--campaign DIR] [--noise DIR] [--launches N] [--largest RANKS]

BUILD has assay, assay-mpi and, configured with ASSAY_BENCH=ON, tests/bench/simgrid_replay. SimGrid: tools/deps simgrid."""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[2]
SIZES = [1, 8, 64, 256, 1024, 2048, 4096, 8192, 16384, 32768, 65536]
PAIRS = [f"ping-pong:{size}" for size in SIZES] + ["barrier:0"] + [f"{name}:{size}" for name in ("broadcast", "allreduce") for size in (8, 1024, 16384)]
DRAWS = 40
COMBINED = [1024, 16384]  # bytes
FEWEST_ALONE = 20  # batches of a launch
SHARED_FROM = 1.06  # as in messages.c
STOPPED = 75  # by the time limit: what there is counts
GROUPS = ["barrier:0", "broadcast:8", "broadcast:1024", "allreduce:8", "allreduce:1024"]
# The same algorithms on both sides: binomial broadcast, recursive doubling of the others.
LIBRARY = ["--mca", "pml", "ob1", "--mca", "btl", "self,vader", "--mca", "coll_tuned_use_dynamic_rules", "1", "--mca", "coll_tuned_barrier_algorithm", "3",
           "--mca", "coll_tuned_bcast_algorithm", "6", "--mca", "coll_tuned_allreduce_algorithm", "3"]
SIMULATOR = ["--cfg=smpi/simulate-computation:no", "--cfg=smpi/barrier:ompi_recursivedoubling", "--cfg=smpi/bcast:binomial_tree", "--cfg=smpi/allreduce:rdb"]
ENVIRONMENT = {**os.environ, **{f"OMPI_MCA_{name}": value for name, value in zip(LIBRARY[1::3], LIBRARY[2::3])}, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def called(*command, limit=1200, accepted=(0,)):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=limit, env=ENVIRONMENT, check=False)
    if done.returncode not in accepted:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done.stdout


def rows(text, fewest=1):
    """{(operation, ranks, bytes): ns} of what the program prints, where so many batches count."""
    found = re.findall(r"^([a-z-]+) (\d+) (\d+) ([\d.]+) (\d+)$", text, re.MULTILINE)
    return {(name, int(ranks), int(size)): float(time) for name, ranks, size, time, batches in found if int(batches) >= fewest}


def launched(program, ranks, operations, cpus, as_found=False):
    fits = ranks <= cpus
    binding = ["--bind-to", "core"] if fits else ["--bind-to", "none", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
    alone = fits and not as_found  # where ranks take turns on a CPU they are each other's neighbours
    return rows(called("mpirun", "-np", ranks, *binding, *LIBRARY, program, 0, *((501, 64) if fits else (31, 20)), *(["alone"] if alone else []), *operations),
                FEWEST_ALONE if alone else 1)


def real(program, ranks, operations, launches, cpus, as_found, trip=None):
    """Medians over launches of the batches on cores that were alone, half of the range of their middle two thirds, and of how many launches; and how many
    launches there were. CPUs of a virtual machine are moved between cores that are near each other and far: where `trip` is given, the calibration's
    ping-pong of 1 byte, launches that find another one count for nothing."""
    kept, tries = [], 0
    while len(kept) < launches and tries < 6 * launches:
        tries += 1
        found = launched(program, ranks, operations, cpus, as_found)
        one = found.get(("ping-pong", ranks, 1))
        if trip is None or (one and abs(one / trip - 1) < 0.25):
            kept.append(found)
    # A launch whose cores were shared throughout takes the least of that for a core alone.
    least = min((one.get(("least", ranks, 0), 0) for one in kept), default=0)
    kept = [one for one in kept if one.get(("least", ranks, 0), 0) <= SHARED_FROM * least]
    result = {}
    for key in sorted({key for one in kept for key in one if key[0] != "least"}, key=lambda key: operations.index(f"{key[0]}:{key[2]}")):
        times = sorted(one[key] for one in kept if key in one)
        cut = len(times) // 6
        result[key] = (statistics.median(times), (times[-1 - cut] - times[cut]) / 2, len(times))
    return result, f"{len(kept)} launches of {tries}"


def time_to_combine(program, cpus, as_found):
    """{bytes: ns per byte} of what another rank has just written: an exchange that is added up, less one that is not."""
    operations = [f"{name}:{size}" for size in COMBINED for name in ("exchange", "combine")]
    found, _ = real(program, 2, operations, 5, cpus, as_found)
    if len(found) < len(operations):
        sys.exit(f"no core was alone for {FEWEST_ALONE} batches of any launch: try another hour, or --as-found, which takes all batches")
    return {size: max(0, found[("combine", 2, size)][0] - found[("exchange", 2, size)][0]) / size for size in COMBINED}


def by_combining(combine, operations):
    """{ns per byte: those of the operations whose bytes take so long to combine}; a larger vector takes longer per byte than a small one."""
    groups = {}
    for one in operations:
        size = int(one.split(":")[-1])
        nearest = min(combine, key=lambda known: abs(known - size))
        groups.setdefault(combine[nearest] if one.startswith("allreduce") else 0, []).append(one)
    return groups


def simulated(program, platform, combine, ranks, operations, repetitions):
    found = {}
    for each, some in by_combining(combine, operations).items():
        found.update(rows(called("smpirun", "-np", ranks, "-platform", platform, *SIMULATOR, "--cfg=smpi/privatization:no", program, each, 1, repetitions, *some)))
    return found


def replayed(replay, campaign, combine, ranks, operations):
    found = {}
    for each, some in by_combining(combine, [one for one in operations if not one.startswith("ping-pong")]).items():
        for line in called(replay, campaign, each, *(one.replace(":", f":{ranks}:") for one in some)).splitlines():
            name, rank, size = line.split()[0].split(":")
            found[(name, int(rank), int(size))] = float(line.split()[1])
    return found


def closed_form(assay, campaign):
    """Half a round trip by size, from the parameters as `export --format netgauge` has them: PRTT(1,0,s) / 2, in ns."""
    table = called(assay, "export", campaign, "--format", "netgauge")
    points = [line.split() for line in table.splitlines() if not line.startswith("#")]
    return [(float(point[0]), float(point[2]) * 500) for point in points]


def between(points, size):
    """On the line of the two nearest sizes, which is the piece's."""
    below = max((point for point in points if point[0] <= size), default=points[0])
    above = min((point for point in points if point[0] >= size), default=points[-1])
    share = (size - below[0]) / (above[0] - below[0]) if above[0] > below[0] else 0
    return below[1] + share * (above[1] - below[1])


def compare(title, measured, simulation, prediction):
    print(f"\n{title}\n\n| Operation | Bytes | Measured, ns | Launches | Simulated | Predicted | Simulated / measured | Predicted / measured |\n|---|---|---|---|---|---|---|---|")
    for key, (time_, spread, launches) in measured.items():
        if key not in simulation:
            continue
        columns = [f"{simulation[key]:.0f}", f"{prediction[key]:.0f}", f"{simulation[key] / time_:.3f}", f"{prediction[key] / time_:.3f}"]
        print(f"| {key[0]} | {key[2]} | {time_:.0f} ±{spread:.0f} | {launches} | {' | '.join(columns)} |")


def with_noise(replay, campaign, combine, noise, longest, texts):
    """{text: (quiet, mean, half, slowest)} in us, and what the trace is."""
    found, about = {}, ""
    for each, some in by_combining(combine, texts).items():
        for line in called(replay, campaign, each, "--noise", noise, longest, DRAWS, *some).splitlines():
            if line.startswith("#"):
                about = line[2:]
                continue
            text, *numbers = line.split()
            found[text] = tuple(float(number) / 1000 for number in numbers[:4])
    return found, about


def at_scale(arguments, program, replay, campaign, combine, noise, folder):
    operations = ["barrier:0", "allreduce:8", "allreduce:1024"]
    print(f"\nOne call among more ranks, us; noise from random phases of each rank, mean of {DRAWS} draws and its 95 % interval.\n")
    print("| Operation | Bytes | Ranks | SMPI | Replay | Noise up to 100 us | | All noise | |\n|---|---|---|---|---|---|---|---|---|")
    ranks, abouts = 16, []
    while ranks <= arguments.largest:
        simulation = {}
        if ranks <= arguments.largest_smpi:
            platform = folder / f"platform-{ranks}.xml"
            platform.write_text(called(arguments.assay, "export", campaign, "--format", "simgrid", "--ranks", ranks), encoding="utf-8")
            begin = time.time()
            simulation = simulated(program, platform, combine, ranks, operations, 1)
            print(f"SMPI with {ranks} ranks took {time.time() - begin:.0f} s", file=sys.stderr)
        texts = [one.replace(":", f":{ranks}:") for one in operations]
        short, about_short = with_noise(replay, campaign, combine, noise, 100_000, texts)
        whole, about = with_noise(replay, campaign, combine, noise, 1e15, texts)
        abouts = [about_short, about]
        for text in texts:
            name, _, size = text.split(":")
            smpi = simulation.get((name, ranks, int(size)))
            cells = [f"{smpi / 1000:.2f}" if smpi else "-", f"{short[text][0]:.2f}"]
            for quiet, mean, half, _slowest in (short[text], whole[text]):
                cells += [f"{mean:.2f} ±{half:.2f}", f"x {mean / quiet:.3g}"]
            print(f"| {name} | {size} | {ranks} | {' | '.join(cells)} |")
        ranks *= 4 if ranks < 1024 else 2
    print("\nThe traces: " + "; ".join(abouts))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--campaign", type=pathlib.Path, help="a campaign of LogGP over MPI; measured where there is none")
    parser.add_argument("--noise", type=pathlib.Path, help="a campaign of configs/noise-trace.ini; measured where there is none")
    parser.add_argument("--launches", type=int, default=9)
    parser.add_argument("--as-found", action="store_true", help="count batches on cores that others share, too")
    parser.add_argument("--largest", type=int, default=16384)
    parser.add_argument("--largest-smpi", type=int, default=1024)
    arguments = parser.parse_args()
    missing = [tool for tool in ("smpicc", "smpirun", "mpicc", "mpirun") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"missing: {' '.join(missing)}; 'tools/deps mpi simgrid' installs them")
    arguments.assay = arguments.build.resolve() / "assay"
    replay = arguments.build.resolve() / "tests" / "bench" / "simgrid_replay"
    cpus = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        campaign, noise = arguments.campaign or folder / "loggp", arguments.noise or folder / "noise"
        if not arguments.campaign:
            # Several launches, as many as it needs: one of them may lie otherwise in memory than the next.
            called(arguments.assay, "run", HERE / "calibration.ini", "--output", campaign, accepted=(0, 1, STOPPED))
        if not arguments.noise:
            called(arguments.assay, "run", SOURCE / "configs" / "noise-trace.ini", "--output", noise, accepted=(0, STOPPED))
        print(called(arguments.assay, "show", campaign))
        for compiler, program in (("mpicc", "real"), ("smpicc", "simulated")):
            called(compiler, "-O2", HERE / "messages.c", "-o", folder / program)
        combine = time_to_combine(folder / "real", cpus, arguments.as_found)
        print("Combining what has come: " + ", ".join(f"{each:.3f} ns/B of {size}" for size, each in combine.items()))
        platform = folder / "platform.xml"
        platform.write_text(called(arguments.assay, "export", campaign, "--format", "simgrid"), encoding="utf-8")
        for ranks, operations in ((2, PAIRS), (4, GROUPS)):
            prediction = replayed(replay, campaign, combine, ranks, operations)
            prediction.update({("ping-pong", ranks, size): between(closed_form(arguments.assay, campaign), size) for size in SIZES})
            trip = prediction[("ping-pong", 2, 1)] if ranks == 2 else None
            measured, count = real(folder / "real", ranks, operations, arguments.launches, cpus, arguments.as_found, trip)
            title = f"{ranks} ranks on {cpus} CPUs, " + ("" if ranks <= cpus else "which take turns, ") + count
            compare(title, measured, simulated(folder / "simulated", platform, combine, ranks, operations, 40), prediction)
        at_scale(arguments, folder / "simulated", replay, campaign, combine, noise, folder)


if __name__ == "__main__":
    main()
