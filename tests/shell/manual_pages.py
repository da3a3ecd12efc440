#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Has the manual read by what shows manuals: mandoc, groff and man, as far as they are installed; exit code 77 where none is.

Usage: manual_pages.py ASSAY SOURCE_DIRECTORY
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# A complaint is anything that these write to standard error, or mandoc says at all.
READERS = {
    "mandoc": ["mandoc", "-T", "lint", "-W", "warning"],
    "groff": ["groff", "-ww", "-man", "-T", "utf8", "-rLL=78n"],
    "man": ["man", "--warnings", "-E", "UTF-8", "-l"],
}


def complaints(name, page):
    """What a program says of a page."""
    environment = {**os.environ, "MANWIDTH": "80", "MANROFFSEQ": "", "LC_ALL": "C.UTF-8"}
    done = subprocess.run([*READERS[name], page], capture_output=True, text=True, env=environment, check=False)
    return done.stdout + done.stderr if name == "mandoc" else done.stderr


def main():
    """Checks every page with every program."""
    assay, source = sys.argv[1], pathlib.Path(sys.argv[2])
    readers = [name for name in READERS if shutil.which(name)]
    if not readers:
        print(f"skipped: neither of {', '.join(READERS)} is installed; {source}/tools/deps shells installs them")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([assay, "generate", "files", folder], check=True)
        pages = [*sorted(pathlib.Path(folder, "man").glob("man*/*")), *sorted((source / "tools/report/man").glob("*.1"))]
        wrong = 0
        for page in pages:
            for name in readers:
                if text := complaints(name, page):
                    print(f"{name} on {page.name}:\n{text}")
                    wrong += 1
    print(f"{len(pages)} pages read by {', '.join(readers)}: {wrong} with complaints")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
