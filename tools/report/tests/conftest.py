# SPDX-License-Identifier: Apache-2.0
"""What tests share: the program, and campaigns of known contents."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

QUESTIONS = """[campaign]
title = states
time-limit = 8s
[precision]
rule = median-ci
eps = 5%
max-time = 600ms
span = 2s
[series.clock]
measurement = os/clock
placement = bound
[series.handoff]
measurement = logp/round_trip
channel = futex
placement = representative
"""
REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def program() -> str:
    """The program under test: $ASSAY_PROGRAM, or the one on the path."""
    found = os.environ.get("ASSAY_PROGRAM") or shutil.which("assay")
    if not found:
        pytest.skip("the program assay is neither named by ASSAY_PROGRAM nor on the path")
    return found


@pytest.fixture(scope="session")
def selftest(program: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real campaign on simulated time."""
    directory = tmp_path_factory.mktemp("selftest") / "campaign"
    # However busy the machine: its limit of time is not what is tested here.
    patient = ["--set", "campaign.time-limit=10min"]
    subprocess.run(
        [program, "run", REPOSITORY / "configs/selftest.ini", "--output", directory, *patient],
        check=True,
        capture_output=True,
    )
    return directory


@pytest.fixture(scope="session")
def quick(program: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The series and points of the quick campaign, measured for a moment only; what the numbers are does not matter here."""
    directory = tmp_path_factory.mktemp("quick") / "campaign"
    hasty = ["precision.max-time=40ms", "series.pipe-size.max-time=40ms", "precision.span=0s", "series.pipe-size.span=0s"]
    options = [word for one in [*hasty, "precision.spare-time=no"] for word in ("--set", one)]
    command = [program, "run", REPOSITORY / "configs/quick.ini", "--output", directory, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1, 75}, done.stderr
    return directory


@pytest.fixture(scope="session")
def measured(program: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign in real time; whatever the cores are like meanwhile."""
    directory = tmp_path_factory.mktemp("measured")
    (directory / "c.ini").write_text(QUESTIONS)
    subprocess.run([program, "run", directory / "c.ini", "--output", directory / "c"], capture_output=True, check=False)
    return directory / "c"
