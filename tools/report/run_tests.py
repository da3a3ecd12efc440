#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of the report package, or says that they are skipped and why (exit code 77).

Usage: run_tests.py ASSAY_BINARY [TEST...]
Looks for the packages in build/report-venv, which tools/report/setup makes, and in the interpreter it is run by.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NEEDED = "import assay_report, jinja2, plotly, pytest"


def has_packages(python: str) -> bool:
    """Whether an interpreter has what every test needs."""
    return subprocess.run([python, "-c", NEEDED], cwd=HERE, capture_output=True, check=False).returncode == 0


def main() -> int:
    """Runs pytest with the first interpreter that has the packages."""
    program, *tests = sys.argv[1:]
    candidates = [str(HERE.parents[1] / "build" / "report-venv" / "bin" / "python"), sys.executable]
    python = next((one for one in candidates if Path(one).exists() and has_packages(one)), None)
    if python is None:
        print("skipped: the packages of the report are missing; tools/report/setup installs them in build/report-venv")
        return 77
    scripts = str(Path(python).parent)
    environment = {
        **os.environ,
        "ASSAY_PROGRAM": str(Path(program).resolve()),
        "PYTHONPATH": str(HERE),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PATH": os.pathsep.join([scripts, str(Path(program).resolve().parent), os.environ.get("PATH", "")]),
    }
    # Browsers leave folders behind where temporary files go.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        return run(python, scratch, environment, tests)


def run(python: str, scratch: str, environment: dict[str, str], tests: list[str]) -> int:
    """pytest with its files, and those of what it starts, in a folder that goes away."""
    command = [python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", f"--basetemp={scratch}/pytest", *tests]
    return subprocess.run(command, cwd=HERE, env={**environment, "TMPDIR": scratch}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
