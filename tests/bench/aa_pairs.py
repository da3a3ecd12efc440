#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""False alarms between campaigns of the same: measures a campaign several times, compares every pair of them, and prints
how many pairs ended with exit code 6, with and without --strict, and how often each verdict was given. Each takes
--limit; N campaigns make N (N - 1) / 2 pairs. Pairs that share a campaign are not independent.

With --against each campaign is a pair of its own: the same program on both sides, point by point in the same rounds."""

import argparse
import collections
import itertools
import json
import re
import subprocess
import tempfile
from pathlib import Path

SLOWER = 6
STOPPED = 75  # by the time limit: its finished points are compared


def measure(options, folder, number):
    """One campaign; returns its folder."""
    output = folder / f"campaign-{number}"
    command = [options.assay, "run", options.campaign, "--output", str(output), "--quiet", "--time-limit", options.limit]
    command += ["--set", f"campaign.seed={number + 1}"]
    done = subprocess.run(command + options.options, stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, STOPPED):
        raise SystemExit(f"aa_pairs: campaign {number} ended with exit code {done.returncode}; run it by hand: {' '.join(command)}")
    return output


def interleave(options, folder, number):
    """A campaign against its own program: the exit code, which is that of the comparison, and the verdicts."""
    output = folder / f"pair-{number}"
    command = [options.assay, "run", options.campaign, "--output", str(output), "--against", options.assay]
    command += ["--time-limit", options.limit, "--set", f"campaign.seed={number + 1}", "--quiet"]
    done = subprocess.run(command + options.options, stdout=subprocess.PIPE, text=True, check=False)
    summary = re.search(r"^\d+ results? compared: (.*)$", done.stdout, re.MULTILINE)
    counted = re.findall(r"(\d+) ([a-z ]+)", summary[1]) if summary else []
    verdicts = collections.Counter({verdict: int(count) for count, verdict in counted})
    # One that the limit ends has compared what it finished, and its exit code says that it ended.
    code = SLOWER if verdicts["slower"] else 0 if done.returncode == STOPPED else done.returncode
    print(f"{number + 1} of {options.campaigns}: exit code {done.returncode}, {summary[1] if summary else 'no comparison'}", flush=True)
    return code, code, verdicts


def compare(options, pair):
    """The exit codes without and with --strict, and the verdicts."""
    command = [options.assay, "compare", *map(str, pair), "--format", "json"]
    usual = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    strict = subprocess.run([*command, "--strict"], stdout=subprocess.DEVNULL, check=False)
    verdicts = collections.Counter(one["verdict"] for one in json.loads(usual.stdout)["results"])
    return usual.returncode, strict.returncode, verdicts


def interleaved(options, folder):
    """A pair for each campaign."""
    return [interleave(options, folder, number) for number in range(options.campaigns)]


def combined(options, folder):
    """All pairs of the campaigns."""
    campaigns = [measure(options, folder, number) for number in range(options.campaigns)]
    return [compare(options, pair) for pair in itertools.combinations(campaigns, 2)]


def main():
    """Measures, compares, prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("campaign", help="its file")
    parser.add_argument("--assay", default="build/release/assay")
    parser.add_argument("--campaigns", type=int, default=15)
    parser.add_argument("--limit", default="20s", help="of each campaign")
    parser.add_argument("--against", action="store_true", help="each a pair of its own")
    parser.add_argument("options", nargs="*", help="further ones for 'assay run', after --")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = interleaved(options, Path(folder)) if options.against else combined(options, Path(folder))
    verdicts = sum((one[2] for one in found), collections.Counter())
    print(f"{options.campaigns} campaigns of {options.limit}, {len(found)} pairs")
    print(f"exit code {SLOWER}: {sum(one[0] == SLOWER for one in found)} pairs, with --strict {sum(one[1] == SLOWER for one in found)}")
    print(f"not comparable: {sum(one[0] not in (0, SLOWER) for one in found)} pairs")
    for verdict, count in verdicts.most_common():
        print(f"{verdict:16} {count:6}")


if __name__ == "__main__":
    main()
