# SPDX-License-Identifier: Apache-2.0
"""The checks as programs; run directly, this runs every test of this folder."""

import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from trees import HEAD, PROJECT, Trees, function_of  # noqa: E402


class CommandLine(Trees):
    """The scripts say what they found, and nothing checked is no success."""

    def run_script(self, name, *options):
        command = [sys.executable, "-B", str(PROJECT / "tools" / name), *options, str(self.root)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_exit_codes(self):
        for name in ("check_layers.py", "check_style.py"):
            with self.subTest(name=name):
                self.write({"framework/base/a.cpp": HEAD})
                self.assertEqual(self.run_script(name).returncode, 0)
                self.write({"framework/base/a.cpp": '#ifdef X\n#endif\n'})
                bad = self.run_script(name)
                self.assertEqual(bad.returncode, 1)
                self.assertIn("framework/base/a.cpp:1: error: ", bad.stdout)
                (self.root / "framework/base/a.cpp").unlink()
                empty = self.run_script(name)
                self.assertNotEqual(empty.returncode, 0)
                self.assertIn("nothing was checked", empty.stderr)

    def test_summary(self):
        self.write({"framework/base/a.cpp": HEAD + function_of(5), "tests/a_test.cpp": HEAD + function_of(9)})
        summary = self.run_script("check_style.py").stdout
        self.assertIn("check_style: 2 files, 0 violations; of framework and measurements:\n", summary)
        self.assertIn("  functions median   5 lines, longest   5: framework/base/a.cpp\n", summary)

    def test_medians_have_no_ceiling(self):
        self.write({"framework/base/a.cpp": HEAD + function_of(60) * 6 + "\n" * 38})  # 400 lines
        checked = self.run_script("check_style.py")
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_headers_with_one_client_on_demand(self):
        self.write({"framework/base/a.hpp": HEAD, "framework/base/b.cpp": HEAD + '#include "base/a.hpp"\n'})
        listed = "framework/base/a.hpp: framework/base/b\n"
        self.assertNotIn(listed, self.run_script("check_style.py").stdout)
        self.assertIn(listed, self.run_script("check_style.py", "--one-client").stdout)


if __name__ == "__main__":
    unittest.main(module=None, argv=[sys.argv[0], "discover", "-s", str(Path(__file__).resolve().parent)])
