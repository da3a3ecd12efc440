#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every command of README and doc/: each line of each ```sh block, in order, in a scratch folder that looks like the repository.

Usage: run_commands.py SOURCE_DIRECTORY ASSAY_BINARY [SHARE OF]      SHARE: 1 to OF, of the documents
Campaigns are shortened through the environment (`ASSAY_PRECISION_...`), which the documents need not know, `assay doctor` asks no cores, and `assay time` ends after a second. The two set-up commands
are not run from here, since a test that runs the tests would not end: CI runs them itself.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

SET_UP = {"./tools/demo", "./tools/check"}
SHORT = {
    "ASSAY_PRECISION_RULE": "fixed:8",
    "ASSAY_PRECISION_INCARNATIONS": "1",
    "ASSAY_PRECISION_MIN_VISITS": "1",
    "ASSAY_PRECISION_MAX_POINTS": "8",
    # Whether a command does what its document says is no matter of who else works on the machine.
    "ASSAY_PRECISION_STATE": "any",
}


def commands_of(text):
    for block in re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            command = re.sub(r"\s+#.*$", "", line).strip()
            if command and not command.startswith("#"):
                yield command


def scratch_copy(source, binary, folder):
    """A folder with the repository's files by link, so that results land beside the links and not in the repository."""
    for entry in source.iterdir():
        if entry.name not in {".git", "build"} and not entry.name.startswith("assay-"):
            (folder / entry.name).symlink_to(entry)
    release = folder / "build" / "release"
    release.mkdir(parents=True)
    for entry in binary.parent.iterdir():
        (release / entry.name).symlink_to(entry)


def shortened(command):
    if command.startswith("assay time ") and not re.search(r" (--time-limit|-r|--runs) ", command):
        return command.replace("assay time ", "assay time --time-limit 1s ")
    return re.sub(r"\bassay doctor\b(?! --seconds)", "assay doctor --seconds 0", command)


def environment_of(command, environment):
    """For what names its processes, a visit to each of twenty: a comparison needs them, and no rule that could find a drift on a busy machine."""
    if not re.search(r"\bincarnations=", command):
        return environment
    return {**environment, "ASSAY_PRECISION_RULE": "fixed:160", "ASSAY_PRECISION_MIN_VISITS": "20"}


def run(command, folder, environment):
    environment = environment_of(command, environment)
    done = subprocess.run(["bash", "-c", shortened(command)], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    print(f"{'ok' if done.returncode == 0 else 'FAILED'}: {command}")
    if done.returncode != 0:
        print(done.stdout[-2000:], done.stderr[-2000:], f"exit code {done.returncode}", sep="\n")
    return done.returncode == 0


def main():
    source, binary = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    share, of = (int(argument) for argument in sys.argv[3:5] or (1, 1))
    environment = {**os.environ, **SHORT, "PATH": f"{binary.parent}:{os.environ['PATH']}"}
    failures = ran = 0
    began = time.monotonic()
    documents = source / "doc"
    for document in [source / "README.md", *sorted(documents.glob("*.md")), *sorted(documents.glob("*/*.md"))][share - 1::of]:
        print(f"-- {document.relative_to(source)} at {time.monotonic() - began:.0f} s", flush=True)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            scratch_copy(source, binary, folder)
            for command in commands_of(document.read_text()):
                if command.split()[0] in SET_UP:
                    print(f"left to CI: {command}")
                    continue
                if command.startswith("assay history") and not (binary.parent / "assay-history").exists():
                    print(f"left out, since this build is without SQLite: {command}")
                    continue
                ran += 1
                failures += not run(command, folder, environment)
    print(f"{ran} commands, {failures} failed")
    return 1 if failures or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
