#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documents make a site without a warning, and what must fail its build does.

Usage: site.py SOURCE_DIRECTORY
Skipped where tools/site/build has not made its virtual environment.
"""
import pathlib
import subprocess
import sys
import tempfile

ORPHAN = """# A page in no menu

[dead](nowhere.md), [dead in the repository](../configs/nowhere.ini), [dead anchor](method.md#nowhere), [dead here](#nowhere),
[![dead picture](pictures/nowhere.png)](method.md) ![from elsewhere](https://example.org/picture.png)
"""
MUST_BE_NAMED = ("orphan.md\n", "'nowhere.md'", "'../configs/nowhere.ini'", "'method.md#nowhere'", "'#nowhere'", "'pictures/nowhere.png'")


def build(python, source, folder):
    """Exit code and output of a build."""
    command = [python, "-B", source / "tools" / "site" / "build_site.py", folder, source / "mkdocs.yml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def faulty_copy(source, folder, page):
    """The repository by links, with one more page."""
    for entry in source.iterdir():
        if entry.name not in {".git", "build", "doc", "mkdocs.yml"}:
            (folder / entry.name).symlink_to(entry)
    (folder / "mkdocs.yml").write_text((source / "mkdocs.yml").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "doc").mkdir()
    for entry in (source / "doc").iterdir():
        (folder / "doc" / entry.name).symlink_to(entry)
    (folder / "doc" / "orphan.md").write_text(page, encoding="utf-8")


def faults_of_faulty(python, source, scratch):
    """What a build of faults did not say."""
    faulty_copy(source, scratch, ORPHAN)
    code, output = build(python, scratch, scratch / "site")
    yield from (f"a build with faults does not name {name.strip()}:\n{output}" for name in MUST_BE_NAMED if name not in output)
    if code == 0:
        yield "a build with faults ends with exit code 0"


def faults_of_foreign(python, source, scratch):
    """Whether a page that loads something from elsewhere passes."""
    faulty_copy(source, scratch, "# One picture\n\n![from elsewhere](https://example.org/picture.png)\n")
    menu = scratch / "mkdocs.yml"
    menu.write_text(menu.read_text(encoding="utf-8") + "      - orphan.md\n", encoding="utf-8")
    code, output = build(python, scratch, scratch / "site")
    if code == 0 or "loads https://example.org/picture.png" not in output:
        yield f"a page that loads a picture from elsewhere passes, or fails for another reason (exit code {code}):\n{output}"


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    python = source / "build" / "site-venv" / "bin" / "python"
    if not python.exists():
        print(f"skipped: {python} is not there; tools/site/build makes it")
        return 77
    with tempfile.TemporaryDirectory() as name:
        code, output = build(python, source, pathlib.Path(name) / "site")
    faults = [output] if code else []
    for check in (faults_of_faulty, faults_of_foreign):
        with tempfile.TemporaryDirectory() as name:
            faults += check(python, source, pathlib.Path(name))
    print("\n".join(faults) or output.strip())
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
