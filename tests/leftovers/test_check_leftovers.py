# SPDX-License-Identifier: Apache-2.0
"""The check finds each kind of thing that a run of the tests can leave behind, and nothing of another run."""

import contextlib
import io
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import check_leftovers


class Leftovers(unittest.TestCase):
    """A run of its own, in whose name things are left."""

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = Path(self.place.name) / "tmp"
        self.notes = Path(self.place.name) / "before.json"
        self.tag = self.place.name
        check_leftovers.setup(self.tag, self.folder, self.notes)

    def sleeper(self, tag):
        process = subprocess.Popen(["sleep", "1000"], env={**os.environ, check_leftovers.VARIABLE: tag})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def found(self, patience=0.0):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            code = check_leftovers.cleanup(self.tag, self.folder, self.notes, patience)
        self.assertEqual(code, 1 if text.getvalue() else 0)
        return text.getvalue()

    def test_nothing_is_no_finding(self):
        self.assertEqual(self.found(), "")

    def test_a_process_of_the_run_is_found_and_named(self):
        process = self.sleeper(self.tag)
        self.assertIn(f"process {process.pid} (sleep 1000)", self.found())

    def test_processes_of_another_run_are_not(self):
        self.sleeper(self.tag + "-other")
        self.assertEqual(self.found(), "")

    def test_one_that_ends_meanwhile_is_not(self):
        process = self.sleeper(self.tag)
        process.kill()
        self.assertEqual(self.found(patience=60), "")

    def test_a_file_is_found(self):
        (self.folder / "assay-test-abc").mkdir()
        self.assertIn("file " + str(self.folder / "assay-test-abc"), self.found())

    def test_what_was_there_before_is_not(self):
        self.sleeper(self.tag)
        (self.folder / "old").touch()
        check_leftovers.setup(self.tag, self.folder, self.notes)
        self.assertEqual(self.found(), "")

    def test_what_an_interrupted_run_left_in_its_folder_is_cleared(self):
        (self.folder / "old").touch()
        check_leftovers.setup(self.tag, self.folder, self.notes)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_shared_memory_object_is_found_unless_it_is_in_use_elsewhere(self):
        with tempfile.NamedTemporaryFile(prefix="assay-test-", dir="/dev/shm", delete=False) as file:
            file.write(b" " * 4096)
        self.addCleanup(os.unlink, file.name)
        self.assertIn("shared-memory object " + Path(file.name).name, self.found())
        script = (f"import mmap; f = open('{file.name}', 'r+b'); m = mmap.mmap(f.fileno(), 0); "
                  "print('mapped', flush=True); input()")
        with subprocess.Popen(["python3", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as user:
            user.stdout.readline()
            self.assertEqual(self.found(), "")
            user.kill()

    def test_a_message_queue_belongs_to_the_process_in_its_name(self):
        process = self.sleeper(self.tag + "-other")
        self.assertTrue(check_leftovers.in_use_by_others(f"assay-{process.pid}-0", self.tag))
        process.kill()
        process.wait()
        self.assertFalse(check_leftovers.in_use_by_others(f"assay-{process.pid}-0", self.tag))


if __name__ == "__main__":
    unittest.main()
