# SPDX-License-Identifier: Apache-2.0
"""Every rule on includes fires on a small bad tree, and is silent on a good one."""

import unittest

from trees import Trees


class Names(Trees):
    """One name is one type."""

    def test_two_types_of_one_name(self):
        one = "namespace assay {\nstruct Grid { int a; };\n}\n"
        problems = self.layers({"framework/base/a.hpp": one, "framework/record/b.hpp": one})
        self.assert_one(problems, "framework/record/b.hpp:2:", "assay::Grid is the name of another type")

    def test_types_within_others_and_nameless_namespaces_are_their_own(self):
        one = "namespace assay {\nnamespace {\nstruct Grid { int a; };\n}\n}\n"
        other = "namespace assay {\nclass Table {\n  struct Grid { int a; };\n};\nclass Grid;\n}\n"
        self.assertEqual(self.layers({"framework/base/a.cpp": one, "framework/record/b.hpp": other}), [])

    def test_a_class_may_be_declared_in_its_header_and_defined_in_its_source(self):
        header = "namespace assay {\nclass Pool { struct Part; };\n}\n"
        source = '#include "base/a.hpp"\nnamespace assay {\nstruct Pool::Part { int a; };\n}\n'
        self.assertEqual(self.layers({"framework/base/a.hpp": header, "framework/base/a.cpp": source}), [])


class Directions(Trees):
    """Includes go strictly downward."""

    def test_good_tree(self):
        self.assertEqual(
            self.layers(
                {
                    "framework/base/a.hpp": "#include <vector>\n",
                    "framework/base/a.cpp": '#include "base/a.hpp"\n',
                    "framework/api/b.hpp": '#include "base/a.hpp"\n#if 1\n#endif\n',
                    "framework/run/c.cpp": '#include "api/b.hpp"\n#include "base/a.hpp"\n',
                    "framework/app/commands/d.cpp": '#include "base/a.hpp"\n',
                    "measurements/sync/e.hpp": '#include "api/b.hpp"\n#include <pthread.h>\n',
                    "measurements/logp/f.cpp": '#include "sync/e.hpp"\n',
                    "framework/app/main.cpp": '#include "sync/e.hpp"\n',
                }
            ),
            [],
        )

    def test_upward(self):
        problems = self.layers({"framework/base/a.cpp": '\n#include "stats/b.hpp"\n', "framework/stats/b.hpp": "\n"})
        self.assert_one(problems, "framework/base/a.cpp:2:", "upward include of stats from base")

    def test_sideways(self):
        problems = self.layers({"framework/team/a.cpp": '#include "record/b.hpp"\n', "framework/record/b.hpp": "\n"})
        self.assert_one(problems, "framework/team/a.cpp:1:", "sideways include of record from team")

    def test_sideways_with_a_comment_between(self):
        text = '#include /* x */ "record/b.hpp"\n'
        problems = self.layers({"framework/team/a.cpp": text, "framework/record/b.hpp": ""})
        self.assert_one(problems, "framework/team/a.cpp:1:", "sideways")

    def test_include_in_a_comment_is_none(self):
        self.assertEqual(self.layers({"framework/base/a.cpp": '// #include "x.hpp"\n/*\n#include "x.hpp"\n*/\n'}), [])

    def test_measurements_see_only_the_interface(self):
        problems = self.layers({"measurements/sync/a.hpp": '#include "stats/b.hpp"\n', "framework/stats/b.hpp": "\n"})
        self.assert_one(problems, "measurements/sync/a.hpp:1:", "not stats")

    def test_framework_does_not_see_measurements(self):
        problems = self.layers({"framework/app/a.cpp": '#include "sync/b.hpp"\n', "measurements/sync/b.hpp": "\n"})
        self.assert_one(problems, "framework/app/a.cpp:1:", "includes measurements")

    def test_unknown_layer(self):
        problems = self.layers({"framework/run/a.cpp": '#include "extra/b.hpp"\n', "framework/extra/b.hpp": "\n"})
        self.assert_one(problems, "framework/run/a.cpp:1:", "extra is no layer")

    def test_path_without_its_layer(self):
        problems = self.layers({"framework/base/a.cpp": '#include "b.hpp"\n', "framework/base/b.hpp": "\n"})
        self.assert_one(problems, "framework/base/a.cpp:1:", '"b.hpp" is not in the tree')

    def test_generated_header(self):
        files = {"framework/record/a.cpp": '#include "record/b.hpp"\n', "framework/record/b.hpp.in": ""}
        self.assertEqual(self.layers(files), [])


class Rooms(Trees):
    """A room says what it is for, is of a size that can be overlooked, and sees what it declares."""

    DECLARED = {"run": ("a.hpp", ""), "run/point": ("a.hpp", "run"), "run/session": ("a.hpp", "run run/point")}

    def tree(self, **changes):
        files = {}
        for room in self.DECLARED:
            for name in ("a.hpp", "b.hpp", "c.hpp", "d.hpp"):
                files[f"framework/{room}/{name}"] = "// SPDX-License-Identifier: Apache-2.0\n// Room: work.\n" if name == "a.hpp" else "\n"
        return files | {f"framework/{path.replace('__', '/')}.hpp": text for path, text in changes.items()}

    def test_good_rooms(self):
        files = self.tree(run__session__b='#include "run/a.hpp"\n#include "run/point/a.hpp"\n#include "run/session/c.hpp"\n')
        self.assertEqual(self.layers(files, self.DECLARED), [])

    def test_include_from_a_room_that_is_not_seen(self):
        problems = self.layers(self.tree(run__point__b='\n#include "run/session/b.hpp"\n'), self.DECLARED)
        self.assert_one(problems, "framework/run/point/b.hpp:2:", "run/point does not see run/session")

    def test_folder_that_is_no_room(self):
        problems = self.layers(self.tree(run__extra__b="\n"), self.DECLARED)
        self.assert_one(problems, "framework/run/extra/b.hpp:1:", "run/extra is no room")

    def test_room_that_does_not_say_what_it_is_for(self):
        problems = self.layers(self.tree(run__point__a="// SPDX-License-Identifier: Apache-2.0\n// A point.\n"), self.DECLARED)
        self.assert_one(problems, "framework/run/point/a.hpp:2:", "the line that says what the room is for")

    def test_sizes(self):
        files = self.tree() | {f"framework/run/point/n{number}.hpp": "\n" for number in range(27)}
        del files["framework/run/b.hpp"]
        problems = self.layers(files, self.DECLARED)
        self.assertEqual(len(problems), 2, problems)
        self.assertIn("framework/run/a.hpp:1: a room of 3 files", problems[0])
        self.assertIn("framework/run/point/a.hpp:1: a room of 31 files", problems[1])

    def test_folders_of_tests_have_a_most(self):
        most = {f"tests/unit/base/n{number}_test.cpp": "\n" for number in range(30)}
        corpus = {f"tests/fuzz/corpus/number/{number}": "\n" for number in range(31)}
        self.assertEqual(self.layers(self.tree() | most | corpus, self.DECLARED), [])
        problems = self.layers({"tests/unit/base/README.md": "\n"}, self.DECLARED)
        self.assert_one(problems, "tests/unit/base:1:", "a folder of 31 files; at most 30")

    def test_room_without_files(self):
        problems = self.layers(self.tree(), self.DECLARED | {"run/mpi": ("a.hpp", "")})
        self.assert_one(problems, "framework/run/mpi:1:", "a room without files")

    def test_circle_of_declared_edges(self):
        problems = self.layers(self.tree(), self.DECLARED | {"run/point": ("a.hpp", "run/session")})
        self.assert_one(problems, "tools/rooms.py:1:", "cycle: run/point -> run/session -> run/point")


class Cycles(Trees):
    """Modules depend on each other in one direction."""

    def test_headers(self):
        problems = self.layers(
            {
                "framework/base/a.hpp": '#include "base/b.hpp"\n',
                "framework/base/b.hpp": '#include "base/c.hpp"\n',
                "framework/base/c.hpp": '#include "base/a.hpp"\n',
            }
        )
        self.assertEqual(len(problems), 1, problems)
        circle = " -> ".join(f"framework/base/{name}" for name in "abca")
        self.assertIn(f"cycle: {circle}", problems[0])

    def test_header_and_source_are_one_module(self):
        problems = self.layers(
            {
                "framework/base/a.hpp": "\n",
                "framework/base/a.cpp": '#include "base/b.hpp"\n',
                "framework/base/b.hpp": '#include "base/a.hpp"\n',
            }
        )
        self.assertEqual(len(problems), 1, problems)
        self.assertIn("cycle", problems[0])

    def test_in_measurements(self):
        self.write({"measurements/a.hpp": '#include "os/b.hpp"\n'})
        problems = self.layers({"measurements/os/b.hpp": '#include "a.hpp"\n'})
        self.assertEqual(len(problems), 1, problems)
        self.assertIn("cycle", problems[0])


class Places(Trees):
    """Libraries and conditionals stay where they belong."""

    def test_libraries_outside_their_places(self):
        for header, path in (
            ("boost/accumulators/accumulators.hpp", "framework/base/a.cpp"),
            ("boost/math/distributions/normal.hpp", "framework/run/a.cpp"),
            ("boost/program_options.hpp", "framework/app/config.cpp"),
            ("boost/program_options/value_semantic.hpp", "framework/app/config.cpp"),
            ("hwloc.h", "framework/run/a.cpp"),
            ("hwloc/glibc-sched.h", "framework/app/a.cpp"),
            ("nlohmann/json.hpp", "framework/app/a.cpp"),
            ("mpi.h", "framework/team/thread_team.cpp"),
            ("mpi.h", "measurements/logp/a.cpp"),
            ("unistd.h", "framework/run/a.cpp"),
            ("sys/mman.h", "framework/team/a.cpp"),
            ("linux/futex.h", "framework/api/a.hpp"),
            ("dlfcn.h", "framework/run/a.cpp"),
            ("boost/asio.hpp", "framework/stats/a.cpp"),
        ):
            with self.subTest(header=header, path=path):
                self.assert_one(self.layers({path: f"#include <{header}>\n"}), f"{path}:1:", f"<{header}>")
                (self.root / path).unlink()

    def test_quotes_hide_nothing(self):
        problems = self.layers({"framework/run/a.cpp": '#include "hwloc.h"\n'})
        self.assert_one(problems, "framework/run/a.cpp:1:", "hwloc.h")

    def test_libraries_in_their_places(self):
        self.assertEqual(
            self.layers(
                {
                    "framework/stats/a.cpp": "#include <boost/accumulators/x.hpp>\n#include <boost/math/x.hpp>\n",
                    "framework/platform/b.cpp": "#include <hwloc.h>\n#include <sys/mman.h>\n",
                    "framework/text/c.cpp": "#include <nlohmann/json.hpp>\n",
                    "framework/app/cli/options.cpp": "#include <boost/program_options.hpp>\n",
                    "framework/app/with_mpi.cpp": "#include <mpi.h>\n",
                    "framework/app/plugin_loader.cpp": "#include <dlfcn.h>\n",
                    "framework/team/ranks/mpi_link.cpp": "#include <mpi.h>\n",
                    "framework/api/mpi.hpp": "#include <mpi.h>\n",
                    "measurements/mpi/d.cpp": "#include <mpi.h>\n",
                }
            ),
            [],
        )

    def test_json_library_in_two_files(self):
        text = "#include <nlohmann/json.hpp>\n"
        problems = self.layers({"framework/text/a.cpp": text, "framework/text/b.cpp": "\n" + text})
        self.assert_one(problems, "framework/text/b.cpp:2:", "already used by framework/text/a.cpp")

    def test_conditionals(self):
        for directive in ("#if X", "#ifdef X", "#ifndef X", "#  if X"):
            for path in ("framework/base/a.hpp", "measurements/os/a.cpp"):
                with self.subTest(directive=directive, path=path):
                    text = f"\n{directive}\n#endif\n"
                    problems = self.layers({path: text, "framework/platform/b.cpp": text})
                    self.assert_one(problems, f"{path}:2:", "outside platform/ and api/")
                    (self.root / path).unlink()

    def test_programs_are_started_in_their_places(self):
        for call in ('system("ls")', 'std::system("ls")', '::popen("ls", "r")', "execlp(a, b, 0)", "::execvp(a, b)", "::posix_spawn(a)"):
            with self.subTest(call=call):
                text = f"\nint a = {call};\n"
                problems = self.layers({"framework/run/a.cpp": text})
                self.assert_one(problems, "framework/run/a.cpp:2:", "() belongs in")
        places = {"framework/platform/process/child_process.cpp": "int a = ::posix_spawn(b);\n", "framework/platform/process/program.cpp": "int a = ::execvp(b, c);\n"}
        (self.root / "framework/run/a.cpp").unlink()
        self.assertEqual(self.layers(places), [])

    def test_functions_of_similar_names_start_nothing(self):
        text = "int a = file_system(b) + world.system(c) + execute(d) + execute_from_path(e);  // system(f)\n"
        self.assertEqual(self.layers({"framework/run/a.cpp": text}), [])

    def test_shells(self):
        for shell in ("sh", "/bin/sh", "/usr/bin/bash"):
            with self.subTest(shell=shell):
                text = f'\nconst char* a = "{shell}";\n'
                problems = self.layers({"measurements/os/a.cpp": text, "framework/platform/process/child_process.cpp": text})
                self.assert_one(problems, "measurements/os/a.cpp:2:", "a shell")

    def test_conditional_in_a_comment_is_none(self):
        self.assertEqual(self.layers({"framework/base/a.hpp": "/*\n#if X\n*/\n"}), [])


if __name__ == "__main__":
    unittest.main()
