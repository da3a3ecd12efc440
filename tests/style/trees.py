# SPDX-License-Identifier: Apache-2.0
"""Small trees in a temporary folder, and what the checks say about them."""

import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(PROJECT / "tools"))
sys.dont_write_bytecode = True

import check_layers  # noqa: E402
import check_style  # noqa: E402

HEAD = "// SPDX-License-Identifier: Apache-2.0\n// One sentence.\n"


def function_of(lines):
    """A function with this number of lines."""
    return "void f() {\n" + "  g();\n" * (lines - 2) + "}\n"


class Trees(unittest.TestCase):
    """Tests that write a tree and look at the violations found in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, files):
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def layers(self, files, rooms=None):
        """`rooms`: as they are declared; none, and nothing is required of them, unless given."""
        self.write(files)
        problems, _ = check_layers.check(self.root, rooms or {})
        return [f"{path}:{line}: {text}" for path, line, text in problems]

    def style(self, files):
        self.write(files)
        report = check_style.check(self.root)
        return [f"{path}:{line}: {text}" for path, line, text in sorted(report.problems)]

    def assert_one(self, problems, start, part):
        self.assertEqual(len(problems), 1, problems)
        self.assertTrue(problems[0].startswith(start), problems)
        self.assertIn(part, problems[0])
