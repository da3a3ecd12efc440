# SPDX-License-Identifier: Apache-2.0
"""What tools/deps finds missing, asks apt for and says when it cannot be had; and the clang that is chosen: with a made-up apt."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
REAL = "sh env dirname grep sed awk sort head tail tr cut cat ls mktemp rm date".split()
BUILD = "libboost-program-options-dev libboost-dev libhwloc-dev nlohmann-json3-dev libsqlite3-dev".split()
PROGRAMS = ["cmake", "git", "ninja", "pkg-config", "python3"]

DPKG_QUERY = """\
for name; do :; done
grep -qx "$name" "$STATE/installed" && echo "install ok installed" && exit
grep -qx "$name" "$STATE/removed" && echo "deinstall ok config-files"
"""
# Knows what is in "offered", once the lists were fetched, which takes the file "network".
APT_GET = """\
echo "$*" >>"$STATE/calls"
if [ "$1" = update ]; then
  [ -e "$STATE/network" ] || { echo "W: Failed to fetch http://mirror.example/InRelease  Could not resolve 'mirror.example'"; exit 0; }
  cp "$STATE/offered" "$STATE/lists"
  exit 0
fi
shift
for name; do
  case $name in -*|Dpkg*) continue ;; esac
  grep -qx "$name" "$STATE/lists" || { echo "E: Unable to locate package $name"; exit 100; }
done
for name; do case $name in -*) ;; *) echo "$name" >>"$STATE/installed" ;; esac; done
"""
APT_CACHE = 'cat "$STATE/lists"'


class Machine(unittest.TestCase):
    """A machine of made-up programs, with what the program is built with."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state = Path(folder.name)
        self.bin = self.state / "bin"
        self.bin.mkdir()
        for name in [*REAL, "cp"]:
            (self.bin / name).symlink_to(shutil.which(name))
        self.program("id", "echo 0")
        self.program("g++", "echo 14")
        for name in PROGRAMS:
            self.program(name, "")
        self.program("dpkg-query", DPKG_QUERY)
        self.program("apt-get", APT_GET)
        self.program("apt-cache", APT_CACHE)
        self.files(installed=BUILD, removed=[], lists=[], offered=[], calls=[])
        (self.state / "network").touch()

    def program(self, name, text):
        path = self.bin / name
        path.write_text("#!/bin/sh\n" + text + "\n")
        path.chmod(0o755)

    def files(self, **lists):
        for name, lines in lists.items():
            (self.state / name).write_text("".join(line + "\n" for line in lines))

    def run_in(self, *command):
        environment = {"PATH": str(self.bin), "STATE": str(self.state), "TMPDIR": str(self.state)}
        return subprocess.run(command, cwd=TOOLS.parent, env=environment, capture_output=True, text=True, check=False)


class Deps(Machine):
    def deps(self, *groups, code=0):
        done = self.run_in(TOOLS / "deps", *groups)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def installed(self):
        return (self.state / "installed").read_text().split()

    def calls(self):
        return (self.state / "calls").read_text()

    def test_nothing_missing_asks_nobody(self):
        self.assertEqual(self.deps("build"), "")
        self.assertEqual(self.calls(), "")

    def test_what_builds_the_program_is_nothing_of_its_tests(self):
        wanted = self.deps("--print", "build").split()
        self.assertFalse({"libgtest-dev", "libgmock-dev", "python3"} & set(wanted))
        self.assertTrue(set(BUILD) <= set(wanted))

    def test_either_of_googletest_and_googlemock_is_noticed(self):
        for there, lacking in (("libgtest-dev", "libgmock-dev"), ("libgmock-dev", "libgtest-dev")):
            self.files(installed=[*BUILD, there, "locales", "strace"], lists=[], offered=[lacking])
            self.assertIn(f"installing {lacking}\n", self.deps("build", "test"))
            self.assertIn(lacking, self.installed())

    def test_what_was_removed_again_is_missing(self):
        self.files(removed=["libbenchmark-dev"], offered=["libbenchmark-dev"])
        self.assertIn("installing libbenchmark-dev\n", self.deps("bench"))

    def test_lists_are_fetched_where_the_package_is_not_known_yet(self):
        self.files(offered=["libbenchmark-dev"])
        self.deps("bench")
        self.assertEqual([line.split()[0] for line in self.calls().splitlines()], ["install", "update", "install"])

    def test_no_network_is_told_as_such(self):
        (self.state / "network").unlink()
        said = self.deps("bench", code=1)
        self.assertIn("cannot install libbenchmark-dev: the package lists could not be fetched (no network?", said)
        self.assertIn("Could not resolve 'mirror.example'", said)
        self.assertNotIn("Unable to locate", said)

    def test_no_such_package_is_told_as_such(self):
        said = self.deps("bench", code=1)
        self.assertIn("Unable to locate package libbenchmark-dev", said)
        self.assertIn("have no such package", said)
        self.assertNotIn("network", said)

    def test_unknown_groups_and_none(self):
        self.assertIn("unknown group 'all' (build test", self.deps("all", code=2))
        self.assertIn("usage: tools/deps", self.deps(code=2))

    def test_neither_root_nor_sudo_prints_the_command(self):
        self.program("id", "echo 1000")
        said = self.deps("bench", code=1)
        self.assertIn("run as root: apt-get update && apt-get install -y --no-install-recommends libbenchmark-dev", said)

    def test_without_apt_it_names_what_is_missing_in_two_languages(self):
        for name in ("apt-get", "apt-cache", "dpkg-query"):
            (self.bin / name).unlink()
        self.program("g++", "if [ $1 = -dumpversion ]; then echo 14; else grep -qE 'hwloc|sqlite3'; fi")
        said = self.deps("build", code=1)
        self.assertIn("missing: libboost-program-options-dev libboost-dev nlohmann-json3-dev\n", said)
        self.assertIn("never tried: dnf install boost-devel json-devel", said)

    def test_a_g_plus_plus_that_is_too_old_has_a_newer_one_beside_it(self):
        self.program("g++", "echo 11")
        self.files(offered=["g++-12"])
        self.assertIn("installing g++-12\n", self.deps("build"))
        self.program("g++-12", "echo 12")
        self.assertEqual(self.deps("build"), "")
        self.assertEqual(self.run_in("sh", "-c", ". tools/lib.sh; compiler_of release").stdout, "-DCMAKE_CXX_COMPILER=g++-12\n")

    def lint_of(self, *versions):
        kinds = ("clang-{}", "clang-tidy-{}", "clang-format-{}", "libclang-rt-{}-dev")
        names = [kind.format(version) for version in versions for kind in kinds]
        self.files(installed=BUILD, lists=[], offered=names)
        self.deps("lint")
        return [name for name in self.installed() if "clang" in name]

    def test_the_linter_is_16_where_the_distribution_has_it(self):
        self.assertEqual(self.lint_of(14, 16, 19), ["clang-16", "clang-tidy-16", "libclang-rt-16-dev", "clang-format-16"])

    def test_and_its_newest_elsewhere_without_a_formatter(self):
        self.assertEqual(self.lint_of(17, 9, 19), ["clang-19", "clang-tidy-19", "libclang-rt-19-dev"])

    def test_the_clang_that_is_there_is_taken(self):
        for name in ("clang-18", "clang++-18", "clang-tidy-18", "clang-tidy-19"):
            self.program(name, "")
        self.assertEqual(self.deps("--print", "lint").split(), ["clang-18", "clang-tidy-18", "libclang-rt-18-dev", "python3"])
        self.assertEqual(self.run_in("sh", "-c", ". tools/lib.sh; compiler_of asan").stdout, "-DCMAKE_CXX_COMPILER=clang++-18\n")

    def test_no_clang_says_what_to_do(self):
        done = self.run_in("sh", "-c", ". tools/lib.sh; compiler_of fuzz")
        self.assertEqual(done.returncode, 1)
        self.assertIn("'tools/deps lint' installs them", done.stderr)


class Setup(Machine):
    """tools/report/setup where Python or what it needs is not there."""

    def report(self):
        done = self.run_in(TOOLS / "report" / "setup", str(self.state / "venv"))
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr

    def test_no_python(self):
        (self.bin / "python3").unlink()
        self.assertIn("there is no python3", self.report())

    def test_no_virtual_environments(self):
        self.program("python3", 'case "$2" in *ensurepip*) exit 1 ;; esac')
        self.assertIn("install python3-venv", self.report())


if __name__ == "__main__":
    unittest.main()
