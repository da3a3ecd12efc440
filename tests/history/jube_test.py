#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sample for JUBE: its patterns find what `assay history check` prints; and, where JUBE is installed, it runs.

Usage: jube_test.py SOURCE_DIRECTORY ASSAY_BINARY
Skipped (77) after the patterns where there is no `jube`.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

CAMPAIGN = """[precision]
warm-up = 0ms
[series.law]
measurement = synthetic/normal
placement = unbound
median = 1000
spread = 0.02
"""


def run(command, folder, allowed=(0,)):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200)
    assert done.returncode in allowed, done.stdout + done.stderr
    return done.stdout


def main():
    source, assay = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    sample = source / "tools/jube/assay.xml"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "campaign.ini").write_text(CAMPAIGN)
        run([assay, "run", "campaign.ini", "--output", "accepted", "--quiet"], folder)
        run([assay, "history", "accept", "accepted", "--output", "accepted.json"], folder)
        checked = run([assay, "history", "check", "accepted", "--accepted", "accepted.json"], folder)
        found = {one.get("name"): re.findall(one.text, checked) for one in tree.parse(sample).iter("pattern")}
        expected = {verdict: ["0"] for verdict in ("slower", "faster", "unclear", "missing", "marked")} | {"ok": ["1"]}
        assert found == expected, (found, checked)
        if shutil.which("jube") is None:
            print("patterns ok; skipped: JUBE is not installed, so that its benchmark was not run")
            return 77
        text = sample.read_text().replace(">assay<", f">{assay}<").replace("$jube_benchmark_home/../../configs/quick.ini", str(folder / "campaign.ini"))
        (folder / "assay.xml").write_text(text)
        run(["jube", "run", "assay.xml"], folder)
        table = run(["jube", "result", "assay_runs", "-a"], folder)
        assert re.search(r"campaign\.ini,0,0,0,0,0,1", table), table
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
