#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every file of the project is as .editorconfig says: character set, ends of lines and of files, trailing and leading blanks.

Usage: check_text.py [ROOT]
"""
import fnmatch
import itertools
import re
import subprocess
import sys
from pathlib import Path

UNTRACKED = {".git", "build", ".cache", "__pycache__"}
BRACES = re.compile(r"\{([^{}]*)\}")


def sections(text):
    """The patterns of an .editorconfig with their properties, in order."""
    found = []
    for line in (line.strip() for line in text.split("\n")):
        if line.startswith("[") and line.endswith("]"):
            found.append((line[1:-1], {}))
        elif "=" in line and not line.startswith(("#", ";")) and found:
            key, value = line.split("=", 1)
            found[-1][1][key.strip().lower()] = value.strip().lower()
    return found


def alternatives(pattern):
    """A pattern for each choice of what stands in braces."""
    parts = BRACES.split(pattern)
    choices = [part.split(",") if i % 2 else [part] for i, part in enumerate(parts)]
    return ["".join(choice) for choice in itertools.product(*choices)]


def matches(pattern, path):
    """True when a pattern means this path: its name, or all of it where the pattern has a slash."""
    subject = path if "/" in pattern else path.rsplit("/", 1)[-1]
    return any(fnmatch.fnmatchcase(subject, one.lstrip("/")) for one in alternatives(pattern))


def properties_of(rules, path):
    """What holds for a file: later sections override earlier ones, and `unset` is nothing."""
    held = {}
    for pattern, properties in rules:
        if matches(pattern, path):
            held.update(properties)
    return {key: value for key, value in held.items() if value != "unset"}


def line_faults(line, held):
    """What is wrong with one line, its end left out."""
    if held.get("end_of_line") == "lf" and line.endswith("\r"):
        yield "the line ends as on Windows"
    if held.get("trim_trailing_whitespace") == "true" and line != line.rstrip(" \t\r"):
        yield "blanks at the end of the line"
    if held.get("indent_style") == "space" and line[: len(line) - len(line.lstrip())].find("\t") >= 0:
        yield "a tab in the indentation"


def faults(data, held):
    """Pairs of line and fault of a file's bytes."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return [(data[: error.start].count(b"\n") + 1, "no UTF-8")] if "charset" in held else []
    found = [(number, fault) for number, line in enumerate(text.split("\n"), 1) for fault in line_faults(line, held)]
    if held.get("insert_final_newline") == "true" and text and not text.endswith("\n"):
        found.append((text.count("\n") + 1, "no newline at the end of the file"))
    return found


def files_of(root):
    """Paths from the root of the project's files: those that git does not ignore, or all where there is no git."""
    asked = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(asked, capture_output=True, check=False) if (root / ".git").exists() else None
    if listed is not None and listed.returncode == 0:
        paths = [root / name for name in listed.stdout.decode().split("\0") if name]
    else:
        paths = [path for path in root.rglob("*") if not UNTRACKED & set(path.relative_to(root).parts)]
    return sorted(path for path in paths if path.is_file() and not path.is_symlink())


def main(arguments):
    """Prints what is not as it must be; 1 when anything is."""
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    rules = sections((root / ".editorconfig").read_text(encoding="utf-8")) if (root / ".editorconfig").is_file() else []
    paths = files_of(root)
    if not rules or not paths:
        sys.exit(f"error: no .editorconfig or no files in {root}; nothing was checked; give the root of the project")
    count = 0
    for path in paths:
        name = path.relative_to(root).as_posix()
        for line, fault in faults(path.read_bytes(), properties_of(rules, name)):
            print(f"{name}:{line}: error: {fault}")
            count += 1
    print(f"check_text: {len(paths)} files, {count} violations")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
