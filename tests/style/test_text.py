# SPDX-License-Identifier: Apache-2.0
"""What .editorconfig asks for is found missing, where it asks for it and nowhere else."""

import subprocess
import sys
import unittest

from trees import PROJECT, Trees

RULES = """root = true
[*]
charset = utf-8
end_of_line = lf
insert_final_newline = true
trim_trailing_whitespace = true
indent_style = space
[data/{raw,made}/**]
charset = unset
end_of_line = unset
insert_final_newline = unset
trim_trailing_whitespace = unset
indent_style = unset
"""


class Text(Trees):
    """One file that is not as it must be, and the same where nothing is asked of it."""

    def check(self, name, content):
        self.write({".editorconfig": RULES})
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        command = [sys.executable, "-B", str(PROJECT / "tools" / "check_text.py"), str(self.root)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_each_fault_is_named_with_its_line(self):
        for content, expected in ((b"a\nb \n", "2: error: blanks at the end"), (b"a\r\n", "1: error: the line ends as on Windows"),
                                  (b"a\n\tb\n", "2: error: a tab"), (b"a\nb", "2: error: no newline"), (b"a\n\xff\n", "2: error: no UTF-8")):
            with self.subTest(expected=expected):
                done = self.check("code/a.txt", content)
                self.assertEqual(done.returncode, 1)
                self.assertIn("code/a.txt:" + expected, done.stdout)
                for exempt in ("data/raw/a.txt", "data/made/deeper/a.txt"):
                    (self.root / "code/a.txt").unlink(missing_ok=True)
                    self.assertEqual(self.check(exempt, content).returncode, 0)
                    (self.root / exempt).unlink()

    def test_good_files_pass(self):
        self.assertEqual(self.check("a.txt", "eine Größe\n  b\n".encode()).returncode, 0)
        self.assertEqual(self.check("empty.txt", b"").returncode, 0)

    def test_nothing_checked_is_no_success(self):
        command = [sys.executable, "-B", str(PROJECT / "tools" / "check_text.py"), str(self.root)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nothing was checked", done.stderr)
