#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the sample for ReFrame with the built program: one campaign that is as accepted, one that is slower.

Usage: reframe_test.py SOURCE_DIRECTORY ASSAY_BINARY
Skipped (77) where ReFrame is not installed: `pip install reframe-hpc`.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CAMPAIGN = """[precision]
warm-up = 0ms
[series.law]
measurement = synthetic/normal
placement = unbound
median = {median}
spread = 0.02
"""


def run(command, folder, **more):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200, **more)


def reframe(source, assay, folder, campaign):
    home = folder / f"reframe-{campaign}"
    done = run(["reframe", "-c", str(source / "tools/reframe/assay_check.py"), "-r", "--prefix", str(home), "--report-file",
                str(home / "report.json"), "-S", f"AssayCheck.program={assay}", "-S", f"AssayCheck.campaign={folder / campaign}",
                "-S", f"AssayCheck.accepted={folder / 'accepted.json'}", "-S", "AssayCheck.options=--set,campaign.seed=7"], folder,
               env={**os.environ, "RFM_AUTODETECT_METHODS": "", "HOME": str(folder), "TMPDIR": str(folder)})  # it leaves a log there
    report = json.loads((home / "report.json").read_text()) if (home / "report.json").exists() else None
    return done, report


def main():
    source, assay = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    if shutil.which("reframe") is None:
        print("skipped: ReFrame is not installed (pip install reframe-hpc)")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # The level itself is no factor of the accepted point: a constant of the measurement is what becomes slower.
        (folder / "same.ini").write_text(CAMPAIGN.format(median=1000))
        made = run([assay, "run", "same.ini", "--output", "accepted", "--quiet"], folder)
        assert made.returncode == 0, made.stderr
        made = run([assay, "history", "accept", "accepted", "--output", "accepted.json"], folder)
        assert made.returncode == 0, made.stderr
        done, report = reframe(source, assay, folder, "same.ini")
        assert done.returncode == 0, done.stdout + done.stderr
        case = report["runs"][0]["testcases"][0]
        assert case["result"] == "pass", case
        assert any("law{" in key for key in case["perfvalues"]), case["perfvalues"]
        # What was accepted was a tenth faster: the same campaign is slower now.
        accepted = json.loads((folder / "accepted.json").read_text())
        for value in accepted["values"]:
            for end in ("low", "value", "high"):
                value[end] *= 0.8
        (folder / "accepted.json").write_text(json.dumps(accepted))
        done, report = reframe(source, assay, folder, "same.ini")
        assert done.returncode != 0, done.stdout
        case = report["runs"][0]["testcases"][0]
        assert case["result"] == "fail" and "slower" in done.stdout + json.dumps(case), done.stdout
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
