# SPDX-License-Identifier: Apache-2.0
"""What the tests on fake clusters share: their command line, skipping with a reason, campaigns and their results."""
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77


def arguments(usage):
    """The program under test and the switch: PROGRAM SWITCH SOURCE_DIRECTORY."""
    if len(sys.argv) != 4:
        sys.exit(f"usage: {usage} ASSAY SWITCH SOURCE_DIRECTORY")
    return sys.argv[1:]


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def require(reason):
    if reason:
        skip(reason)


def measure(cluster, assay, ini, ranks=2, timeout=240):
    """Runs a campaign in a launch from node 0; returns its CSV rows."""
    with tempfile.TemporaryDirectory(prefix="assay-cluster-") as folder:
        file, results = os.path.join(folder, "campaign.ini"), os.path.join(folder, "results")
        with open(file, "w") as out:
            out.write(ini)
        done = cluster.run(cluster.mpirun(ranks) + [assay, "run", file, "--output", results, "--quiet"], timeout=timeout)
        if done.returncode != 0:
            raise RuntimeError(f"exit code {done.returncode}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return rows(assay, results), records(results)


def rows(assay, results):
    text = subprocess.run([assay, "export", results, "--format", "csv-long"], capture_output=True, text=True, check=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


def records(results):
    with open(os.path.join(results, "journal.jsonl")) as lines:
        return [json.loads(line) for line in lines]


def summary(text):
    """What the last table says: verdicts by node or "a - b"."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("node or link"))
    found = {}
    for line in lines[start + 1:]:
        match = re.match(r"(\S+(?: - \S+)?)\s+(slow|lacking|fast|unclear|ok)\b", line)
        if not match:
            break
        found[match[1]] = match[2]
    return found


class Checks:
    """Collects what was promised and what came out."""

    def __init__(self):
        self.failed = 0

    def expect(self, is_kept, text):
        print(("ok: " if is_kept else "FAILED: ") + text, flush=True)
        self.failed += not is_kept

    def end(self):
        sys.exit(1 if self.failed else 0)
