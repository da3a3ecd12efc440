# SPDX-License-Identifier: Apache-2.0
"""What tools/demo runs: with a made-up compiler, program and report package."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
ASSAY = 'echo "$*" >>calls\nexit ${ASSAY_ENDS:-0}'


class Demo(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.clone = Path(folder.name)
        shutil.copytree(PROJECT / "tools", self.clone / "tools", ignore=shutil.ignore_patterns("report", "site"))
        self.program("bin/cmake", "")
        self.program("build/release/assay", ASSAY)
        self.program("tools/deps", 'echo "deps $*" >>calls')

    def program(self, name, text):
        path = self.clone / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + text + "\n")
        path.chmod(0o755)

    def demo(self, *arguments, ends=0):
        environment = {**os.environ, "PATH": f"{self.clone}/bin:/usr/bin:/bin", "ASSAY_ENDS": str(ends)}
        return subprocess.run([self.clone / "tools/demo", *arguments], env=environment, capture_output=True, text=True, check=False)

    def calls(self):
        return (self.clone / "calls").read_text().splitlines()

    def test_asks_for_what_builds_the_program_and_measures_the_quick_campaign(self):
        done = self.demo()
        self.assertEqual(done.returncode, 0, done.stderr)
        deps, run = self.calls()
        self.assertEqual(deps, "deps build")
        self.assertRegex(run, r"^run configs/quick.ini --output assay-demo-\d{8}-\d{6}$")

    def test_without_the_report_package_it_says_how_to_get_the_page(self):
        said = self.demo("a.ini", "--output", "there").stdout
        self.assertIn("tools/report/setup", said.splitlines()[-1])
        self.assertTrue(said.splitlines()[-1].endswith("assay report there"))

    def test_with_it_the_page_is_written(self):
        self.program("build/report-venv/bin/assay-report", "")
        for options in (["--output", "there"], ["--output=there"]):
            said = self.demo("a.ini", *options).stdout
            self.assertEqual(self.calls()[-2:], [f"run a.ini {' '.join(options)}", "report there"])
            self.assertNotIn("tools/report/setup", said)

    def test_a_campaign_that_its_time_limit_ends_has_results(self):
        done = self.demo("a.ini", "--output", "there", ends=75)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("assay resume there", done.stdout)

    def test_a_campaign_that_fails_is_the_demos_failure(self):
        self.assertEqual(self.demo(ends=5).returncode, 5)


if __name__ == "__main__":
    unittest.main()
