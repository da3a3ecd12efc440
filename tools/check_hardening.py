#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a built program has what makes memory errors end it: position-independent, bound at once, no executable stack, canaries.

Usage: check_hardening.py PROGRAM [--build-type=Debug]
What is built without optimisation has no checked calls. Exit code 77 (skipped) without readelf, or for what is no ELF file.
"""
import re
import shutil
import subprocess
import sys

SKIPPED = 77
# Calls that the C library replaces by checked ones where a buffer's size is known and what is written to it is not.
CHECKED_IF_UNSURE = re.compile(r"\s(?:mem(?:cpy|move|set)|str(?:cpy|cat|ncpy)|v?sn?printf|read|pread)@")


def read(program, *options):
    """What readelf says, in the C locale."""
    run = subprocess.run(
        ["readelf", "--wide", *options, program], capture_output=True, text=True, check=False, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
    )
    return run.stdout if run.returncode == 0 else ""


def segment_flags(segments, name):
    """The flags of a program header such as "RW ", or None where there is none."""
    found = re.search(rf"^\s*{name}\s+(?:0x\w+\s+){{5}}([RWE ]{{3}})", segments, re.MULTILINE)
    return found.group(1) if found else None


def strange_folders(dynamic):
    """Folders of a library path of the program's own that depend on where it is started; an empty one is the current folder."""
    paths = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic)
    return [folder for path in paths for folder in path.split(":") if not folder.startswith("/")]


def header_problems(program):
    """Position, stack, and what may be written while it runs."""
    segments = read(program, "--program-headers")
    dynamic = read(program, "--dynamic")
    stack = segment_flags(segments, "GNU_STACK")
    writable_code = re.search(r"^\s*LOAD\s+(?:0x\w+\s+){5}RWE", segments, re.MULTILINE)
    checks = [
        (re.search(r"Type:\s+DYN", read(program, "--file-header")), "not position-independent (-pie)"),
        (segment_flags(segments, "GNU_RELRO"), "no read-only relocations (-z relro)"),
        (re.search(r"\bNOW\b", dynamic), "not bound at once (-z now)"),
        (stack is not None and "E" not in stack, "the stack is executable (-z noexecstack)"),
        (not writable_code, "a segment is writable and executable"),
        (not strange_folders(dynamic), "searches libraries in empty or relative folders of a RUNPATH"),
        (not re.search(r"\(TEXTREL\)", dynamic), "relocations in code (TEXTREL)"),
    ]
    return [problem for kept, problem in checks if not kept]


def call_problems(program, optimised):
    """What a compiler adds to code can be seen by the functions that it calls."""
    symbols = read(program, "--dyn-syms")
    problems = []
    if "__stack_chk_fail" not in symbols:
        problems.append("no stack protector (-fstack-protector-strong)")
    could_be_checked = CHECKED_IF_UNSURE.search(symbols)  # a small program may call nothing of the kind
    if optimised and could_be_checked and not re.search(r"\b__\w+_chk\b(?<!stack_chk_fail)", symbols):
        problems.append("no checked calls (-D_FORTIFY_SOURCE)")
    return problems


def main(arguments):
    """Prints every problem; how many there are decides the exit code."""
    programs = [word for word in arguments if not word.startswith("-")]
    if len(programs) != 1:
        sys.exit(__doc__)
    if shutil.which("readelf") is None or "ELF" not in read(programs[0], "--file-header"):
        print("skipped: no readelf, or no ELF file")
        return SKIPPED
    problems = header_problems(programs[0]) + call_problems(programs[0], "--build-type=Debug" not in arguments)
    for problem in problems:
        print(f"{programs[0]}: error: {problem}")
    print(f"{programs[0]}: {'hardened' if not problems else f'{len(problems)} problems'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
