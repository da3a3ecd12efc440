#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every recipe and description of a package is of the version that is built, and can be read.

Usage: recipes.py SOURCE_DIRECTORY
"""
import ast
import pathlib
import re
import sys

# Where a version stands, as the first group.
VERSIONS = {
    "CITATION.cff": r"^version: (\S+)",
    "tools/report/pyproject.toml": r'^version = "(.*)"',
    "tools/packaging/debian/changelog": r"^assay \((.*)-\d+\)",
    "tools/packaging/spack/package.py": r'^    version\("(.*)"\)',
    "tools/packaging/easybuild/assay-{}-gompi-2024a.eb": r"^version = '(.*)'",
}


def main():
    source = pathlib.Path(sys.argv[1])
    version = re.search(r"^project\(assay VERSION (\S+)", (source / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
    faults = []
    for name, pattern in VERSIONS.items():
        path = source / name.format(version)
        if not path.is_file():
            faults.append(f"{path} is not there")
            continue
        found = re.search(pattern, path.read_text(), re.MULTILINE)
        if not found or found[1] != version:
            faults.append(f"{path} is of version {found[1] if found else 'unknown'}, the project is of {version}")
        if path.suffix in {".py", ".eb"}:
            ast.parse(path.read_text(), str(path))
    print("\n".join(f"error: {fault}" for fault in faults) or f"{len(VERSIONS)} descriptions of {version}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
