#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pages of the manual of the report package from its command lines, or says which are not up to date (--check)."""

import argparse
import datetime
import importlib.util
import re
import sys
import textwrap
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ESCAPES = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", '"': "\\(dq"}
EXITS = {
    0: "What was asked for is written.",
    2: "Wrong use: an option is not as it has to be, or names what is not there.",
    3: "A Python package is missing; the message says how to install it.",
    4: "The file cannot be written.",
    5: "The results refuse: they are damaged, or no results.",
}
MADE = '.\\" Made by tools/report/manual.py from assay_report/parsers.py.'
DATE = re.compile(r'^\.TH \S+ 1 "([\d-]*)"', re.MULTILINE)


def parsers():
    """The package's command lines; the module is taken by itself, since the package needs others."""
    spec = importlib.util.spec_from_file_location("parsers", HERE / "assay_report" / "parsers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [module.report_parser(), module.plot_parser(), module.parquet_parser()]


def escaped(text):
    """Text that stays what it is."""
    return "".join(ESCAPES.get(letter, letter) for letter in text)


def prose(text):
    """A sentence in lines of at most 76 characters."""
    text = text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")
    return textwrap.wrap(escaped(text), 76, break_long_words=False, break_on_hyphens=False)


def is_operand(action):
    """True for what has no option before it."""
    return not action.option_strings


def value_of(action):
    """What stands for its value, in italics; empty where there is none."""
    if action.nargs == 0:
        return ""
    return f"\\fI{escaped(action.metavar or action.dest.upper())}\\fR"


def tag_of(action):
    """An option with what stands for its value."""
    names = sorted(action.option_strings, key=len)
    shown = ", ".join(f"\\fB{escaped(name)}\\fR" for name in names)
    return f"{shown} {value_of(action)}".rstrip()


def synopsis(parser):
    """The line of call."""
    parts = [f"\\fB{escaped(parser.prog)}\\fR"]
    for action in parser._actions:  # argparse has no other way to ask
        if is_operand(action):
            parts.append(value_of(action) + ("..." if action.nargs == "+" else ""))
        elif action.required:
            parts.append(f"\\fB{escaped(max(action.option_strings, key=len))}\\fR {value_of(action)}")
    return " ".join([*parts, "[\\fIoptions\\fR]"])


def page_of(parser, version, date):
    """The page of one program."""
    head = f'.TH {parser.prog.upper()} 1 "{date}" "assay\\-report {version}" "Assay Manual"'
    lines = [MADE, head, ".nh", ".ad l"]
    lines += [".SH NAME", f"{escaped(parser.prog)} \\- {escaped(parser.description.split(':')[0].rstrip('.'))}"]
    lines += [".SH SYNOPSIS", synopsis(parser), ".SH DESCRIPTION", *prose(parser.description)]
    lines += [".SH OPTIONS"]
    for action in parser._actions:
        lines += [".TP", value_of(action) if is_operand(action) else tag_of(action), *prose(action.help)]
    lines += [".SH EXIT STATUS"]
    for code, meaning in EXITS.items():
        lines += [".TP", f"\\fB{code}\\fR", *prose(meaning)]
    return "\n".join([*lines, ".SH SEE ALSO", "\\fBassay\\fR(1),", "\\fBassay\\-show\\fR(1)"]) + "\n"


def pages():
    """Paths with what they should hold; a page keeps its date while nothing else changes."""
    version = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    for parser in parsers():
        path = HERE / "man" / f"{parser.prog}.1"
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        found = DATE.search(old)
        kept = page_of(parser, version, found.group(1)) if found else None
        yield path, old, kept if kept == old else page_of(parser, version, datetime.date.today().isoformat())


def main():
    """Writes, or compares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a page is not up to date")
    check = parser.parse_args().check
    stale = [(path, new) for path, old, new in pages() if old != new]
    for path, new in stale:
        print(f"{path}: {'is not what the command line says; tools/report/manual.py writes it' if check else 'written'}")
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(new, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
