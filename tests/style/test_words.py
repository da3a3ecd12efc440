# SPDX-License-Identifier: Apache-2.0
"""Private words are found in documents, in what users read and in comments, and standard ones are not."""

import subprocess
import sys

from trees import HEAD, PROJECT, Trees

sys.path.insert(0, str(PROJECT / "tools"))

import check_words  # noqa: E402


class Words(Trees):
    """One private word in each kind of place."""

    def check(self):
        command = [sys.executable, "-B", str(PROJECT / "tools" / "check_words.py"), str(self.root)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def faults(self, name, text):
        self.write({name: text})
        return [(line, word) for line, word, _ in check_words.faults_of(self.root / name, text)]

    def test_documents(self):
        self.assertEqual(self.faults("doc/a.md", "Fine.\nThe column tells why.\n"), [(2, "tells")])
        self.assertEqual(self.faults("configs/a.ini", "# The Mood of the host.\n"), [(1, "Mood")])
        self.assertEqual(self.faults("README.md", "A retold tale of two modes; a teller, hearts and stretched bounds.\n"), [])

    def test_messages_and_comments_of_sources(self):
        text = HEAD + '#include "told/by.hpp"\n// A member tells the other one.\nauto a = f("it cannot be told", "told");\nint told = 1;\n'
        self.assertEqual(self.faults("framework/a.cpp", text), [(5, "told")])
        self.assertEqual(self.faults("measurements/b.hpp", HEAD + "int a = 0;  ///< of the two heaps\n"), [(3, "two heaps")])
        self.assertEqual(self.faults("framework/c.cpp", HEAD + 'auto a = "https://a b/pays a visit";\n'), [(3, "pays a visit")])

    def test_persons_in_comments(self):
        self.assertEqual(self.faults("framework/a.cpp", HEAD + "// Nobody waits.\nint a = 0;\n"), [(3, "Nobody")])
        self.assertEqual(self.faults("framework/b.cpp", HEAD + 'auto a = f("readable for everybody");\nauto nobody = 0;\n'), [])

    def test_each_word_has_a_standard_one(self):
        for word, expected in (("odd one out", "deviates"), ("dearer", "expensive"), ("told apart", "distinguished"), ("for ever", "forever")):
            with self.subTest(word=word):
                self.write({"doc/a.md": f"It is {word}.\n"})
                done = self.check()
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"doc/a.md:1: error: '{word}': write ", done.stdout)
                self.assertIn(expected, done.stdout)

    def test_good_files_pass(self):
        self.write({"doc/a.md": "The result states its interval.\n", "framework/a.cpp": HEAD})
        self.assertEqual(self.check().returncode, 0)

    def test_nothing_checked_is_no_success(self):
        done = self.check()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nothing was checked", done.stderr)
