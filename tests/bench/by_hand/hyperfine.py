#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assay's command/run and hyperfine -N on the same commands, interleaved.

Usage: tests/bench/by_hand/hyperfine.py [BUILD_DIRECTORY [ROUNDS]]      (hyperfine has to be on the path)
Every round runs both tools once per command, in random order, each with the same number of runs of it. Prints, per command, the
median of each tool's medians, the median ratio of a round, and the range in which the middle half of the ratios lies.
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

HERE = pathlib.Path(__file__).resolve().parent
COMMANDS = {"true": 200, "sleep 0.01": 30, "gzip -c /usr/bin/env": 100, "sh -c 'seq 1 10000'": 60}


def by_assay(build, command, runs, folder):
    campaign = folder / "campaign.ini"
    campaign.write_text(f"[precision]\nrule = fixed:{runs}\nincarnations = 1\nmax-incarnations = 1\nmin-span = 0s\n"
                        f"[series.one]\nmeasurement = command/run\ncommand = {command}\n")
    results = folder / f"results-{random.getrandbits(64):x}"
    subprocess.run([build / "assay", "run", "--quiet", "--output", results, campaign], capture_output=True, text=True)
    exported = subprocess.run([build / "assay", "export", "--format", "csv-long", results], check=True, capture_output=True, text=True)
    rows = list(csv.DictReader(io.StringIO(exported.stdout)))
    return next(float(row["median"]) for row in rows if row["quantity"] == "wall") / 1e6


def by_hyperfine(_, command, runs, folder):
    report = folder / "hyperfine.json"
    subprocess.run(["hyperfine", "-N", "--warmup", "3", "--runs", str(runs), "--export-json", report, command], check=True,
                   capture_output=True)
    return json.loads(report.read_text())["results"][0]["median"] * 1e3


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parents[2] / "build" / "release").resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    found = {command: {"assay": [], "hyperfine": []} for command in COMMANDS}
    with tempfile.TemporaryDirectory() as name:
        for _ in range(rounds):
            for command, runs in random.sample(list(COMMANDS.items()), len(COMMANDS)):
                for tool, measure in random.sample([("assay", by_assay), ("hyperfine", by_hyperfine)], 2):
                    found[command][tool].append(measure(build, command, runs, pathlib.Path(name)))
    print(f"{'command':<24} {'assay ms':>10} {'hyperfine ms':>13} {'ratio':>7}  middle half")
    for command, values in found.items():
        ratios = [a / b for a, b in zip(values["assay"], values["hyperfine"])]
        low, _, high = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else (ratios[0],) * 3
        print(f"{command:<24} {statistics.median(values['assay']):>10.4f} {statistics.median(values['hyperfine']):>13.4f} "
              f"{statistics.median(ratios):>7.3f}  {low:.3f} .. {high:.3f}")


if __name__ == "__main__":
    main()
