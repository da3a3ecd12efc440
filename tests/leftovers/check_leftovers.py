#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a run of the tests leaves behind: processes that carry its tag, its temporary files, named objects.

`setup` notes what is there before the first test, `cleanup` compares after the last one. Other campaigns may run on the
machine meanwhile: processes are identified by the value of ASSAY_TEST_RUN in their environment, files by a folder of the run's
own, and named objects that are in use by another user's process are that user's.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

VARIABLE = "ASSAY_TEST_RUN"
PATIENCE = 10  # seconds for which what is about to end may still be seen


def read(path):
    """The bytes of a file of the kernel; none where it went away or belongs to another user."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def processes():
    """The folders of all live processes but this one."""
    folders = [folder for folder in Path("/proc").iterdir() if folder.name.isdigit() and int(folder.name) != os.getpid()]
    return [folder for folder in folders if not re.search(rb"\) [ZX] ", read(folder / "stat"))]


def carries(folder, tag):
    """Whether a process was started by the run of that tag."""
    return f"{VARIABLE}={tag}".encode() in read(folder / "environ").split(b"\0")


def tagged(tag):
    """The run's processes: name by id."""
    return {folder.name: read(folder / "cmdline").replace(b"\0", b" ").decode(errors="replace").strip()
            for folder in processes() if carries(folder, tag)}


def in_use_by_others(name, tag):
    """Whether a process that is not of the run has a shared-memory object mapped, or its id in the name of a queue."""
    path = f"/dev/shm/{name}".encode()
    maker = re.fullmatch(r"assay-(\d+)-\d+", name)
    return any(path in read(folder / "maps") or (maker and maker[1] == folder.name)
               for folder in processes() if not carries(folder, tag))


def named(folder):
    """The names below a folder that this project gives."""
    try:
        return [name for name in os.listdir(folder) if re.match(r"(sem\.)?assay", name)]
    except OSError:
        return []


def queues():
    """The message queues of this project; none where they cannot be listed, since nothing shows them."""
    if Path("/dev/mqueue").is_dir():
        return named("/dev/mqueue")
    script = "mount -t mqueue none /mnt && ls /mnt"
    done = subprocess.run(["unshare", "--mount", "sh", "-c", script], capture_output=True, text=True, check=False)
    return [name for name in done.stdout.split() if name.startswith("assay")] if done.returncode == 0 else []


def files(folder):
    """What lies in a folder, but for the session directories of Open MPI's launchers: tests kill these, and then they stay."""
    return [str(path) for path in folder.iterdir() if not path.name.startswith("ompi.")] if folder.is_dir() else []


def leavings(tag, folder):
    """Everything that is there now: lists by kind."""
    return {"process": [f"{pid} ({name})" for pid, name in tagged(tag).items()],
            "file": files(folder),
            "shared-memory object": [n for n in named("/dev/shm") if not in_use_by_others(n, tag)],
            "message queue": [n for n in queues() if not in_use_by_others(n, tag)]}


def new_ones(tag, folder, before):
    """What has come since, in words."""
    return [f"{kind} {name}" for kind, names in leavings(tag, folder).items()
            for name in sorted(names) if name not in before.get(kind, [])]


def setup(tag, folder, notes):
    """Clears what an interrupted run left in its folder, unless that one is still under way, and notes what is there."""
    if not tagged(tag):
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o1777)  # tests that give up their rights write there too
    notes.write_text(json.dumps(leavings(tag, folder)), encoding="utf-8")
    return 0


def cleanup(tag, folder, notes, patience=PATIENCE):
    """Says what is left that was not there before; 1 when there is any."""
    before = json.loads(notes.read_text(encoding="utf-8")) if notes.exists() else {}
    deadline = time.monotonic() + patience
    while (left := new_ones(tag, folder, before)) and time.monotonic() < deadline:
        time.sleep(0.1)
    if not left:
        return 0
    print(f"left behind by the tests of {tag}:\n  " + "\n  ".join(left))
    print("A test, or what it started, did not end or remove it. Which one: run the tests one by one (ctest -R NAME) "
          "until this fails; another run of the same build folder at the same time looks like this too.")
    return 1


def main():
    """check_leftovers.py setup|cleanup TAG FOLDER"""
    step, tag, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    notes = folder.with_name(folder.name + "-before.json")
    return setup(tag, folder, notes) if step == "setup" else cleanup(tag, folder, notes)


if __name__ == "__main__":
    sys.exit(main())
