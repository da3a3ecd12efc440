# SPDX-License-Identifier: Apache-2.0
"""What tools/fresh runs and prints, what it refuses, and that it leaves nothing when it is ended: without a network or root."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "fresh"
sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("fresh", str(TOOL))
fresh = importlib.util.module_from_spec(importlib.util.spec_from_loader("fresh", LOADER))
LOADER.exec_module(fresh)


class Options(unittest.TestCase):
    def commands(self, *arguments):
        return [name for name, _ in fresh.commands_of(fresh.options_of(arguments))]

    def refusal(self, *arguments):
        text = io.StringIO()
        with contextlib.redirect_stderr(text), self.assertRaises(SystemExit) as ended:
            fresh.options_of(arguments)
        self.assertEqual(ended.exception.code, 2)
        return text.getvalue()

    def test_both_commands_and_the_demo_twice(self):
        self.assertEqual(self.commands(), ["./tools/demo", "./tools/demo again", "./tools/check"])
        self.assertEqual(fresh.options_of([]).suites, ["bookworm", "trixie"])

    def test_one_of_them(self):
        self.assertEqual(self.commands("--only", "demo", "--once"), ["./tools/demo"])
        self.assertEqual(self.commands("--only", "check", "--again"), ["./tools/check", "./tools/check again"])

    def test_a_line_in_their_place(self):
        self.assertEqual(fresh.commands_of(fresh.options_of(["sid", "--command", "true; false"])), [("the command", "true; false")])

    def test_what_is_refused_is_named(self):
        self.assertIn("'Trixie' is no name of a suite", self.refusal("Trixie"))
        self.assertIn("leave out --only", self.refusal("--command", "true", "--only", "demo"))
        self.assertIn("--folder /none: there is no such folder", self.refusal("--folder", "/none"))
        self.assertIn("--copy /none: there is no such file", self.refusal("--copy", "/none"))


class Table(unittest.TestCase):
    def test_columns_are_aligned_and_stages_may_lack(self):
        rows = [("bookworm", "./tools/demo", 0, 312.4, [60.0, 200.2, 52.2]), ("sid", "the command", 127, 2.0, [])]
        self.assertEqual(
            fresh.table(rows).splitlines(),
            [
                "suite     command       exit code  seconds  packages  build  run",
                "bookworm  ./tools/demo          0      312        60    200   52",
                "sid       the command         127        2         -      -    -",
            ],
        )


class Machine(unittest.TestCase):
    def test_what_is_missing_is_named_with_what_to_do(self):
        with tempfile.TemporaryDirectory() as name:
            done = subprocess.run([sys.executable, "-B", TOOL], env={"PATH": name}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("missing: mmdebstrap unshare setpriv findmnt git; install them (tools/deps fresh)", done.stderr)


class Cleaning(unittest.TestCase):
    """The folder goes whether this ends well, by an exception or is killed."""

    def ended_by(self, last_words):
        with tempfile.TemporaryDirectory() as place:
            script = (
                "import importlib.machinery, importlib.util, os, signal, sys\n"
                f"loader = importlib.machinery.SourceFileLoader('fresh', {str(TOOL)!r})\n"
                "fresh = importlib.util.module_from_spec(importlib.util.spec_from_loader('fresh', loader))\n"
                "loader.exec_module(fresh)\n"
                f"with fresh.work_folder(fresh.options_of(['--folder', {place!r}, *sys.argv[1:]])) as folder:\n"
                "    (folder / 'root').mkdir()\n"
                "    print(folder, flush=True)\n"
                f"    {last_words}\n"
            )
            keep = ["--keep"] if last_words == "pass" else []
            # The process that removes the folder holds the pipe: its end is read when that is done.
            done = subprocess.run([sys.executable, "-B", "-c", script, *keep], capture_output=True, text=True, check=False)
            return Path(done.stdout.strip()).exists()

    def test_killed(self):
        self.assertFalse(self.ended_by("os.kill(os.getpid(), signal.SIGKILL)"))

    def test_failed(self):
        self.assertFalse(self.ended_by("raise RuntimeError('on purpose')"))

    def test_kept_where_asked_for(self):
        self.assertTrue(self.ended_by("pass"))


if __name__ == "__main__":
    unittest.main()
