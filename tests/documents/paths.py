#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every file and folder of the repository that the documents for developers name exists.

Usage: paths.py SOURCE_DIRECTORY
"""
import pathlib
import re
import sys

DOCUMENTS = {"CONTRIBUTING.md": 10, "doc/extending.md": 50, "doc/architecture.md": 40, "doc/testing.md": 14}  # with the fewest paths that they name
PAGES, FEWEST_OF_PAGE = "doc/architecture", 4
TOP = r"(?:framework|measurements|configs|tests|tools|doc|\.ci)"
NAMED = re.compile(rf"`((?:\./)?{TOP}/[^`\s]*|{TOP}/?)`")


def named(text):
    """Paths in back quotes; what follows a place for a name, as in tests/unit/LAYER, is not looked at."""
    for path in NAMED.findall(text):
        whole = [part for part in path.split("/") if part not in {"", "."}]
        places = [i for i, part in enumerate(whole) if re.search(r"[*{]|^[A-Z_]+$", part)]
        yield path, "/".join(whole[: places[0]] if places else whole)


def exists(path):
    """Whether this is there, as it stands or as the source of a test program."""
    return path.exists() or path.with_name(path.name + ".cpp").exists()


def main():
    source = pathlib.Path(sys.argv[1])
    faults = []
    counted = 0
    pages = {path.relative_to(source).as_posix(): FEWEST_OF_PAGE for path in sorted((source / PAGES).glob("*.md"))}
    documents = DOCUMENTS | pages
    for document, fewest in documents.items():
        found = list(named((source / document).read_text(encoding="utf-8")))
        counted += len(found)
        faults += [f"{document} names {path}, which is not there" for path, looked_at in found if not exists(source / looked_at)]
        if len(found) < fewest:
            faults.append(f"{document} names {len(found)} paths, of at least {fewest}: does this test still recognize them?")
    print("\n".join(f"error: {fault}" for fault in faults) or f"{counted} paths in {len(documents)} documents")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
