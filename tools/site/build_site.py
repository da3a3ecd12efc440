#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the site strictly with the MkDocs of this Python, and looks that it loads nothing from elsewhere.

Usage: build_site.py FOLDER [CONFIGURATION]
"""
import os
import pathlib
import re
import subprocess
import sys

LOADED = re.compile(r"""<(?:script|img|iframe|source|link\b[^>]*\brel="(?:stylesheet|preconnect|icon)")[^>]*?\b(?:src|href)="((?:https?:)?//[^"]*)""")
IMPORTED = re.compile(r"""(?:@import\s*|url\(\s*)["']?((?:https?:)?//[^"')]*)""")


def loaded_from_elsewhere(folder):
    """Addresses that reading the site would ask for, with the file that asks."""
    for path in sorted(folder.rglob("*")):
        pattern = {".html": LOADED, ".css": IMPORTED}.get(path.suffix)
        for address in set(pattern.findall(path.read_text(encoding="utf-8"))) if pattern else ():
            yield path, address


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    source = pathlib.Path(__file__).resolve().parent.parent.parent
    configuration = sys.argv[2] if len(sys.argv) > 2 else source / "mkdocs.yml"
    # Not --quiet: what it does not print, MkDocs does not count either.
    command = [sys.executable, "-B", "-m", "mkdocs", "build", "--strict", "--config-file", configuration, "--site-dir", folder]
    done = subprocess.run(command, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, stderr=subprocess.PIPE, text=True, check=False)
    sys.stderr.write("".join(line for line in done.stderr.splitlines(keepends=True) if not line.startswith("INFO ")))
    if done.returncode:
        print("error: the site is not as it must be (see above); mend the links, or name the page in mkdocs.yml", file=sys.stderr)
        return 1
    faults = [f"error: {path} loads {address}; a site that is read without a network has its own copy" for path, address in loaded_from_elsewhere(folder)]
    print("\n".join(faults) or f"{len(list(folder.rglob('*.html')))} pages: {folder / 'index.html'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
