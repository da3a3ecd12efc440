# SPDX-License-Identifier: Apache-2.0
"""Package sources of both formats are read, and turned into those of another suite of the same distribution."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
sys.dont_write_bytecode = True

import apt_sources  # noqa: E402

LINES = """\
# deb http://old.example/debian bookworm main
deb http://mirror.example/debian bookworm main contrib  # the usual
deb-src http://mirror.example/debian bookworm main
deb [arch=amd64,arm64 signed-by=/etc/apt/keyrings/a.gpg] http://mirror.example/debian bookworm-updates main
"""
DEB822 = """\
# The distribution.
Types: deb deb-src
URIs: http://mirror.example/debian
# a remark amid the fields
Suites: bookworm bookworm-updates bookworm-backports
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mQINBF

Enabled: no
Types: deb
URIs: http://other.example/debian
Suites: bookworm
Components: main

Types: deb-src
URIs: http://sources.example/debian
Suites: bookworm
Components: main
"""


class Sources(unittest.TestCase):
    def test_lines_with_and_without_options(self):
        self.assertEqual(
            apt_sources.of_lines(LINES),
            [
                {"URIs": "http://mirror.example/debian", "Suites": "bookworm", "Components": "main contrib"},
                {
                    "URIs": "http://mirror.example/debian",
                    "Suites": "bookworm-updates",
                    "Components": "main",
                    "Architectures": "amd64 arm64",
                    "Signed-By": "/etc/apt/keyrings/a.gpg",
                },
            ],
        )

    def test_fields_over_several_lines_and_what_is_not_enabled(self):
        (source,) = apt_sources.of_deb822(DEB822)
        self.assertEqual(source["Suites"], "bookworm bookworm-updates bookworm-backports")
        self.assertTrue(source["Signed-By"].endswith(" mQINBF"))

    def test_a_written_source_reads_as_itself(self):
        sources = apt_sources.of_deb822(DEB822) + apt_sources.of_lines(LINES)
        self.assertEqual(apt_sources.of_deb822(apt_sources.as_text(sources)), sources)

    def test_all_files_of_the_machine_that_apt_would_read(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "sources.list.d").mkdir()
            (folder / "sources.list").write_text(LINES)
            (folder / "sources.list.d/debian.sources").write_text(DEB822)
            (folder / "sources.list.d/gone.list.disabled").write_text(LINES)
            self.assertEqual(len(apt_sources.of_machine(folder)), 3)


class OtherSuite(unittest.TestCase):
    def suites(self, suite, *sources, codename="bookworm"):
        made = [{"URIs": "u", "Components": "main", "Suites": suites} for suites in sources]
        return [source["Suites"] for source in apt_sources.for_suite(made, codename, suite)]

    def test_the_name_is_replaced_and_backports_are_left_out(self):
        self.assertEqual(
            self.suites("trixie", "bookworm bookworm-updates bookworm-backports", "bookworm-security"),
            ["trixie trixie-updates", "trixie-security"],
        )

    def test_the_unstable_one_has_no_updates(self):
        self.assertEqual(self.suites("sid", "bookworm bookworm-updates", "bookworm-security"), ["sid"])

    def test_a_machine_that_names_stable(self):
        self.assertEqual(self.suites("trixie", "stable", "stable-security"), ["trixie", "trixie-security"])

    def test_other_distributions_and_makers_are_left_out(self):
        self.assertEqual(self.suites("trixie", "bookworm-pgdg", "nodistro"), [])
        foreign = [{"URIs": "u", "Components": "stable", "Suites": "bookworm"}]
        self.assertEqual(apt_sources.for_suite(foreign, "bookworm", "trixie"), [])

    def test_options_stay(self):
        source = {"URIs": "u", "Components": "main", "Suites": "bookworm", "Signed-By": "/a"}
        self.assertEqual(apt_sources.for_suite([source], "bookworm", "sid"), [{**source, "Suites": "sid"}])


class Reaching(unittest.TestCase):
    DUMP = (
        'Acquire "";\nAcquire::http "";\nAcquire::http::Proxy "http://p.example:3142";\nAcquire::Check-Valid-Until "false";\n'
        'Acquire::IndexTargets::deb "x";\nAPT::Architecture "amd64";\nDir::Cache "var";\nAcquire::Languages:: "none";\n'
    )

    def test_what_is_about_reaching_sources_is_kept(self):
        self.assertEqual(
            apt_sources.settings(self.DUMP, {}),
            'Acquire::http::Proxy "http://p.example:3142";\nAcquire::Check-Valid-Until "false";\nAcquire::Languages:: "none";\n',
        )

    def test_a_proxy_of_the_environment_is_added_where_apt_has_none(self):
        made = apt_sources.settings(self.DUMP, {"http_proxy": "http://q", "HTTPS_PROXY": "http://r"})
        self.assertNotIn("http://q", made)
        self.assertIn('Acquire::https::Proxy "http://r";', made)

    def test_keys_that_are_named_and_those_that_are_trusted_for_the_rest(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "trusted.gpg.d").mkdir()
            (folder / "trusted.gpg.d/debian.asc").touch()
            named = {"Signed-By": "/a.gpg"}
            self.assertEqual(apt_sources.keyrings([named, named], folder), [Path("/a.gpg")])
            self.assertEqual(apt_sources.keyrings([named, {}], folder), [Path("/a.gpg"), folder / "trusted.gpg.d/debian.asc"])


if __name__ == "__main__":
    unittest.main()
