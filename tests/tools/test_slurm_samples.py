# SPDX-License-Identifier: Apache-2.0
"""Prolog and Epilog for Slurm, with a made-up assay, scontrol and system's log: what they do, and that no trouble fails a job."""
import os
import re
import shutil
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "tools" / "slurm"
LIMIT = 60  # seconds, the end by force included

# $RUN_ENDS, $CHECK_ENDS: their exit codes. A run leaves a directory, a check leaves lines.
ASSAY = """echo "$1 $2" >>"$CALLS"
case "$1" in
  run) [ "${RUN_ENDS:-0}" = hang ] && sleep 300
       [ "${RUN_ENDS:-0}" != 3 ] || { echo "assay: error: no CPU" >&2; exit 3; }
       mkdir "$4"; exit "${RUN_ENDS:-0}" ;;
  history) printf '%s\\n' 'lock{lock=mutex} time/solo 31.2 ns slower; +12 % "odd`$(id)' 'thread{} time/solo 11 us ok'; exit "${CHECK_ENDS:-0}" ;;
  export) echo metrics >"$6" ;;
esac"""
SCONTROL = """echo "scontrol $*" >>"$CALLS"
[ "$1" != --oneliner ] || echo "NodeName=n7 State=${STATE:-IDLE} Arch=x"
exit "${SCONTROL_ENDS:-0}\""""


class Samples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for sample in SAMPLES.iterdir():
            shutil.copy(sample, self.folder / sample.name)
        self.program("assay", ASSAY)
        self.program("scontrol", SCONTROL)
        self.program("logger", 'echo "$*" >>"$LOG"')
        (self.folder / "accepted.json").write_text("{}")
        self.settings("drain=yes", f"textfile={self.folder}/assay.prom")

    def program(self, name, text):
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n" + text + "\n")
        path.chmod(0o755)

    def settings(self, *lines):
        usual = [f"results={self.folder}/health", f"accepted={self.folder}/accepted.json"]
        (self.folder / "health.conf").write_text("\n".join([*usual, *lines]) + "\n")

    def start(self, sample="prolog.sh", **variables):
        environment = {"ASSAY_HEALTH_PATH": f"{self.folder}/bin:{os.environ['PATH']}", "CALLS": str(self.folder / "calls"),
                       "ASSAY_HEALTH_CONF": str(self.folder / "health.conf"), "LOG": str(self.folder / "log"),
                       "SLURMD_NODENAME": "n7", **variables}
        return subprocess.run(["/bin/sh", self.folder / sample], env=environment, capture_output=True, text=True, timeout=120)

    def read(self, name):
        path = self.folder / name
        return path.read_text() if path.exists() else ""

    def test_a_good_node_is_measured_and_left_alone(self):
        for sample in ("prolog.sh", "epilog.sh"):
            self.assertEqual(self.start(sample).returncode, 0)
            self.assertTrue((self.folder / "health" / sample[:-3]).is_dir())
        self.assertIn("epilog on n7: as accepted", self.read("log"))
        self.assertEqual(self.read("assay.prom"), "metrics\n")
        self.assertNotIn("scontrol", self.read("calls"))

    def test_a_slower_node_is_drained_with_a_reason_that_nothing_interprets(self):
        self.assertEqual(self.start(CHECK_ENDS="6").returncode, 0)
        update = [line for line in self.read("calls").splitlines() if line.startswith("scontrol update")]
        self.assertEqual(update, ["scontrol update NodeName=n7 State=DRAIN Reason=assay: 1 slower than accepted, prolog: "
                                  "lock lock=mutex time/solo 31.2 ns slower 12 % oddid"])
        self.assertLess(len(update[0].split("Reason=")[1]), 255)

    def test_nothing_is_drained_unless_that_is_asked_for(self):
        self.settings()
        self.assertEqual(self.start("epilog.sh", CHECK_ENDS="6").returncode, 0)
        self.assertNotIn("scontrol", self.read("calls"))
        self.assertIn("1 slower than accepted", self.read("log"))

    def test_the_reason_of_another_stays(self):
        self.start(CHECK_ENDS="6", STATE="IDLE+DRAIN Reason=bad DIMM")
        self.assertNotIn("scontrol update", self.read("calls"))
        self.start(CHECK_ENDS="6", STATE="IDLE+DRAIN Reason=assay: 1 slower")
        self.assertIn("scontrol update", self.read("calls"))

    def test_no_trouble_of_its_own_fails_a_job(self):
        for trouble in ({"RUN_ENDS": "3"}, {"RUN_ENDS": "70"}, {"CHECK_ENDS": "5"}, {"CHECK_ENDS": "127"},
                        {"CHECK_ENDS": "6", "SCONTROL_ENDS": "1"}):
            with self.subTest(trouble):
                self.assertEqual(self.start(**trouble).returncode, 0)
        self.assertIn("not found out: assay run ended with 3: assay: error: no CPU", self.read("log"))
        (self.folder / "accepted.json").unlink()
        self.assertEqual(self.start().returncode, 0)
        (self.folder / "health.conf").write_text("results=/proc/none\nif then\n")
        self.assertEqual(self.start().returncode, 0)
        (self.folder / "node-health.sh").unlink()
        self.assertEqual(self.start().returncode, 0)

    def test_results_of_before_stay_where_there_are_no_new_ones(self):
        self.start()
        (self.folder / "health" / "prolog" / "mark").touch()
        self.start(RUN_ENDS="3")
        self.assertTrue((self.folder / "health" / "prolog" / "mark").exists())
        self.start()
        self.assertFalse((self.folder / "health" / "prolog" / "mark").exists())

    def test_what_hangs_is_ended(self):
        self.assertEqual(self.start(RUN_ENDS="hang", ASSAY_HEALTH_LIMIT="1").returncode, 0)
        self.assertNotIn("history", self.read("calls"))

    def test_the_limit_is_kept_by_default(self):
        for sample in ("prolog.sh", "epilog.sh"):
            by_force, limit = re.search(r"--kill-after=(\d+) \"\$\{ASSAY_HEALTH_LIMIT:-(\d+)\}\"", (SAMPLES / sample).read_text()).groups()
            self.assertLessEqual(int(by_force) + int(limit), LIMIT)

    def test_all_samples_are_programs_of_the_shell(self):
        for sample in SAMPLES.glob("*.sh"):
            self.assertTrue(sample.stat().st_mode & stat.S_IXUSR, sample)
            done = subprocess.run(["/bin/sh", "-n", sample], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
