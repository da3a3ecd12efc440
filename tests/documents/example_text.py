#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The example in doc/writing-a-measurement.md is the project that is built: tests/plugin/turn.

Usage: example_text.py SOURCE_DIRECTORY
"""
import pathlib
import re
import sys


def main():
    source = pathlib.Path(sys.argv[1])
    document = (source / "doc" / "writing-a-measurement.md").read_text()
    failures = 0
    for block, name in ((r"cpp\n(class TurnTaking.*?)", "turn.cpp"), (r"cmake\n(.*?)", "CMakeLists.txt")):
        shown = re.search(rf"^```{block}^```", document, flags=re.MULTILINE | re.DOTALL).group(1)
        if shown.strip() not in (source / "tests" / "plugin" / "turn" / name).read_text():
            print(f"doc/writing-a-measurement.md shows another text than tests/plugin/turn/{name}")
            failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
