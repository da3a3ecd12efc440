# SPDX-License-Identifier: Apache-2.0
"""tools/check_names on a project of two sources: a clash is an error wherever the grouping hides it today."""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_names"
COMPILER = next((found for found in map(shutil.which, ("c++", "g++-12", "clang++-16")) if found), None)


@unittest.skipIf(COMPILER is None, "there is no compiler under a usual name")
class Names(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.build = Path(self.folder.name)

    def project(self, *sources):
        """Each source in a group of its own."""
        units = self.build / "CMakeFiles/rooms.dir/Unity"
        units.mkdir(parents=True)
        entries = []
        for number, source in enumerate(sources):
            unit = units / f"unit_{number}_cxx.cxx"
            unit.write_text(source)
            command = f"{COMPILER} -std=c++20 -o unit_{number}.o -c {unit}"
            entries.append({"directory": str(self.build), "file": str(unit), "command": command})
        (self.build / "compile_commands.json").write_text(json.dumps(entries))

    def check(self, *targets):
        return subprocess.run([sys.executable, "-B", TOOL, self.build, *targets], capture_output=True, text=True, check=False)

    def test_names_that_are_apart_pass(self):
        self.project("namespace { int one() { return 1; } } int a() { return one(); }",
                     "namespace { int two() { return 2; } } int b() { return two(); }")
        done = self.check()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("1 target, each read as one: 0 with clashing names", done.stdout)

    def test_one_name_in_two_groups_is_an_error_with_its_place(self):
        self.project("namespace { int one() { return 1; } } int a() { return one(); }",
                     "namespace { int one() { return 2; } } int b() { return one(); }")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertIn("rooms: a name is used for two things", done.stderr)
        self.assertIn("unit_1_cxx.cxx:1:", done.stderr)

    def test_targets_may_be_named(self):
        self.project("namespace { int one() { return 1; } } int a() { return one(); }",
                     "namespace { int one() { return 2; } } int b() { return one(); }")
        self.assertEqual(self.check("rooms").returncode, 1)
        done = self.check("halls")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no sources of halls together; it does so for rooms", done.stderr)

    def test_a_folder_where_nothing_is_joined_is_refused(self):
        self.project()
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertIn("ASSAY_JOIN is 0", done.stderr)

    def test_a_folder_that_is_not_configured_is_refused(self):
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertIn("build it first", done.stderr)


if __name__ == "__main__":
    unittest.main()
