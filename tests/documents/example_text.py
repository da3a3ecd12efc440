#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The example in doc/writing-a-measurement.md is the file that is compiled: tests/plugin/turn.cpp.

Usage: example_text.py SOURCE_DIRECTORY
"""
import pathlib
import re
import sys


def main():
    source = pathlib.Path(sys.argv[1])
    document = (source / "doc" / "writing-a-measurement.md").read_text()
    example = re.search(r"^```cpp\n(class TurnTaking.*?)^```", document, flags=re.MULTILINE | re.DOTALL).group(1)
    if example.strip() in (source / "tests" / "plugin" / "turn.cpp").read_text():
        return 0
    print("doc/writing-a-measurement.md shows another text than tests/plugin/turn.cpp")
    return 1


if __name__ == "__main__":
    sys.exit(main())
