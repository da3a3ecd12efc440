#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a time depend on how many repetitions a batch has? Each action in batches of three lengths, in one campaign, so that they take turns.

Usage: tests/bench/batch_length.py [--build build/release] [--seconds 60] [--lengths 8,32,128] [--before PROGRAM]
Members share a CPU, where what one does behind its part of a batch can be in the part of another. Prints the median of each length in the regime with
most batches, and the ratio of the shortest length to the longest; at the end how many ratios of cores alone are within 3 % of 1: as
found, they are at different clocks, and longer batches have more of others' work in them. With --before a campaign of another program comes first,
which has to know the key `reps`.
"""
import argparse
import csv
import io
import pathlib
import subprocess
import tempfile

ACTIONS = {
    "futex": "logp/round_trip\nchannel = futex", "condvar": "logp/round_trip\nchannel = condvar", "pipe": "logp/round_trip\nchannel = pipe",
    "one-way": "logp/one_way\nchannel = futex", "barrier": "sync/barrier\nmembers = 2", "handover": "sync/handover", "wait": "sync/condition_wait",
    "token": "os/token_ring", "connect": "net/connect", "yield": "thread/yield", "create": "thread/create_join",
}
ALONE = {"create"}  # one member: nothing can get in between


def configuration(lengths, seconds):
    text = f"[campaign]\ntitle = batch-length\ntime-limit = {seconds}s\n[precision]\neps = 1%\nmax-time = 1s\nmax-timings = 4000\nspare-time = yes\n"
    for name, action in ACTIONS.items():
        place = "bound" if name in ALONE else "same-pu"
        for length in lengths:
            text += f"[series.{name}-{length}]\nmeasurement = {action}\nplacement = {place}\nreps = {length}\n"
    return text


def medians(program, lengths, seconds):
    """{(action, length): (median in ns, regime, state of the cores)} of the primary quantity's headline."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "lengths.ini").write_text(configuration(lengths, seconds), encoding="utf-8")
        subprocess.run([program, "run", "--quiet", "--output", path / "campaign", path / "lengths.ini"], check=True, capture_output=True)
        done = subprocess.run([program, "export", "--format", "csv-long", path / "campaign"], check=True, capture_output=True, text=True)
    found = {}
    for row in csv.DictReader(io.StringIO(done.stdout)):
        name, length = row["series"].rsplit("-", 1)
        if row["median"] and row["unit"] == "ns" and (name, int(length)) not in found:
            found[name, int(length)] = float(row["median"]), row["regime"], row["state"]
    return found


def report(program, lengths, seconds):
    found = medians(program, lengths, seconds)
    print(program)
    print(f"{'action':9}" + "".join(f"{length:>12}" for length in lengths) + "   shortest/longest")
    ratios = []
    for name in ACTIONS:
        values = [found.get((name, length)) for length in lengths]
        cells = "".join(f"{value[0]:10.1f} {value[1][:1]}" if value else f"{'-':>12}" for value in values)
        ratio = ""
        if values[0] and values[-1]:
            ratio = f"{values[0][0] / values[-1][0]:8.3f}"
            differs = [what for what, at in (("regime", 1), ("state", 2)) if values[0][at] != values[-1][at]]
            if differs or values[0][2] != "alone":
                ratio += "  another " + " and ".join(differs) if differs else "  not alone"
            else:
                ratios.append(values[0][0] / values[-1][0])
        print(f"{name:9}{cells}   {ratio}")
    print(f"{sum(abs(ratio - 1) <= 0.03 for ratio in ratios)} of {len(ratios)} of cores alone are within 3 %\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--lengths", type=lambda text: [int(length) for length in text.split(",")], default=[8, 32, 128])
    parser.add_argument("--before", type=pathlib.Path)
    options = parser.parse_args()
    for program in filter(None, [options.before, options.build / "assay"]):
        report(program, options.lengths, options.seconds)


if __name__ == "__main__":
    main()
