#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every fault that a campaign is promised to survive has a test named after it, or a line in doc/testing.md.

Usage: fault_rows.py SOURCE_DIRECTORY
"""
import pathlib
import re
import sys

ROWS = [f"F{n:02}" for first, last in ((1, 8), (10, 18), (20, 26), (30, 34), (40, 47), (50, 53))
        for n in range(first, last + 1)]


def rows_of_tests(tests):
    """Rows that names of tests begin with: TEST(Suite, F10_what_is_promised)."""
    named = set()
    for path in tests.rglob("*.cpp"):
        named |= set(re.findall(r"\bTEST(?:_F|_P)?\(\s*\w+,\s*(F\d\d)_", path.read_text(encoding="utf-8")))
    return named


def rows_of_document(document):
    """Rows of the table of what has no test of its own: | F42 | why | instead |."""
    return set(re.findall(r"^\| (F\d\d) \| [^|]{10,}\|", document.read_text(encoding="utf-8"), re.MULTILINE))


def main():
    source = pathlib.Path(sys.argv[1])
    tested = rows_of_tests(source / "tests")
    explained = rows_of_document(source / "doc" / "testing.md")
    missing = [row for row in ROWS if row not in tested | explained]
    odd = sorted((tested | explained) - set(ROWS))
    for row in missing:
        print(f"error: {row} has neither a test named {row}_... nor a line in doc/testing.md")
    for row in odd:
        print(f"error: {row} is no row of the fault table")
    print(f"fault_rows: {len(ROWS)} rows, {len(tested & set(ROWS))} with tests, {len(explained)} explained")
    return 1 if missing or odd else 0


if __name__ == "__main__":
    sys.exit(main())
