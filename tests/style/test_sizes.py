# SPDX-License-Identifier: Apache-2.0
"""The figures of the summary are what can be counted by hand in a small tree."""

import unittest

from trees import HEAD, Trees, function_of

import check_style
import sizes


class Figures(Trees):
    """Rooms, files, functions and the clients of headers."""

    def measured(self, files):
        self.write(files)
        return check_style.check(self.root).sizes

    def test_medians_and_the_largest_of_each(self):
        measured = self.measured(
            {
                "framework/run/point/a.cpp": HEAD + function_of(9) + function_of(3),  # 14 lines
                "framework/run/point/b.cpp": HEAD + function_of(4),  # 6
                "framework/run/point/c.cpp": HEAD,  # 2
                "framework/base/d.cpp": HEAD + function_of(5),  # 7
                "measurements/os/e.hpp": HEAD + "\n",  # 3
                "tests/unit/base/d_test.cpp": HEAD + function_of(60),  # not among them
            }
        )
        self.assertEqual(
            sizes.summary(measured)[:3],
            [
                "rooms     median   1 files, largest   3: framework/run/point",
                "files     median   6 lines, longest  14: framework/run/point/a.cpp",
                "functions median 4.5 lines, longest   9: framework/run/point/a.cpp",
            ],
        )

    def test_of_equal_ones_the_first_is_named(self):
        self.assertEqual(sizes.row("files", "lines", "longest", [(7, "b.cpp"), (7, "a.cpp")]), "files     median   7 lines, longest   7: a.cpp")

    def test_tree_without_functions(self):
        self.assertIn("no functions", sizes.summary(self.measured({"framework/base/a.hpp": HEAD})))

    def test_clients_are_other_modules(self):
        include = '#include "base/a.hpp"\n'
        measured = self.measured(
            {
                "framework/base/a.hpp": HEAD,
                "framework/base/a.cpp": HEAD + include,  # its own source
                "framework/base/b.hpp": HEAD + include,
                "framework/base/b.cpp": HEAD + include,  # the same module once more
                "tests/unit/base/a_test.cpp": HEAD + include,
                "measurements/os/c.hpp": HEAD,
                "measurements/os/d.cpp": HEAD + f'#include "os/c.hpp"\n// {include}',
            }
        )
        single = [("framework/base/a.hpp", "framework/base/b"), ("measurements/os/c.hpp", "measurements/os/d")]
        self.assertEqual(measured.with_one_client(), single)
        self.assertEqual(sizes.summary(measured)[3], "headers   with one client: 1 of 2 in framework, 1 of 1 in measurements")

    def test_a_second_client_ends_it(self):
        include = '#include "base/a.hpp"\n'
        files = {"framework/base/a.hpp": HEAD, "framework/base/b.cpp": HEAD + include, "measurements/os/c.cpp": HEAD + include}
        self.assertEqual(self.measured(files).with_one_client(), [])


if __name__ == "__main__":
    unittest.main()
