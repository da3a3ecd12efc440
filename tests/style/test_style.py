# SPDX-License-Identifier: Apache-2.0
"""Every rule of style fires on a small bad tree, and is silent on a good one."""

import unittest

from trees import HEAD, Trees, function_of


class Sizes(Trees):
    """Budgets of files and functions."""

    def test_good_tree(self):
        plugin = HEAD + "#define ASSAY_PLUGIN(x) \\\n  void f() { x(); }\n"
        files = {"framework/base/a.cpp": HEAD + function_of(8), "tests/unit/base/a_test.cpp": HEAD + function_of(60)}
        self.assertEqual(self.style({**files, "framework/api/plugin.hpp": plugin}), [])

    def test_long_file(self):
        for folder in ("framework/base", "measurements/os", "tests/unit/base", "tools"):
            with self.subTest(folder=folder):
                self.write({"framework/base/b.cpp": HEAD, "framework/base/c.cpp": HEAD})
                problems = self.style({f"{folder}/a.cpp": HEAD + "\n" * 399})
                self.assert_one(problems, f"{folder}/a.cpp:401:", "file of 401 lines")
                (self.root / folder / "a.cpp").write_text(HEAD + "\n" * 398, encoding="utf-8")
                self.assertEqual(self.style({}), [])
                (self.root / folder / "a.cpp").unlink()

    def test_long_function(self):
        for folder in ("framework/base", "measurements/os", "tests/unit/base"):
            with self.subTest(folder=folder):
                short = HEAD + "void g() {}\n" * 2
                problems = self.style({"framework/base/b.cpp": short, f"{folder}/a.cpp": HEAD + "\n" + function_of(61)})
                self.assert_one(problems, f"{folder}/a.cpp:4:", "function of 61 lines")
                (self.root / folder / "a.cpp").unlink()

    def test_complexity(self):
        branches = "  if (a && b || c) for (;;) while (x ? y : z) { switch (q) { case 1: case 2: break; } }\n"
        body = f"void g() {{\n{branches}  try {{ h(); }} catch (...) {{}}\n}}\n"
        self.assertEqual(self.style({"framework/base/a.cpp": HEAD + body}), [])  # 1 + 9
        more = body.replace("h();", "h(); if (d) if (e) if (f) h();")
        problems = self.style({"framework/base/a.cpp": HEAD + more})
        self.assert_one(problems, "framework/base/a.cpp:3:", "cyclomatic complexity 13")

    def test_complexity_of_tests_is_free(self):
        body = "void g() {\n" + "  if (a) b();\n" * 20 + "}\n"
        self.assertEqual(self.style({"tests/unit/base/a_test.cpp": HEAD + body}), [])

    def test_python(self):
        head = '# SPDX-License-Identifier: Apache-2.0\n"""One sentence."""\n'
        long = "def f():\n" + "    g()\n" * 60
        self.assert_one(self.style({"tools/a.py": head + long}), "tools/a.py:3:", "function of 61 lines")
        branchy = "def f(a):\n" + "    if a and a:\n        g()\n" * 6
        self.assert_one(self.style({"tools/a.py": head + branchy}), "tools/a.py:3:", "cyclomatic complexity 13")
        self.assert_one(self.style({"tools/a.py": head + "def get_x():\n    pass\n"}), "tools/a.py:3:", "get_x")

    def test_deep_folder(self):
        good = {"framework/app/commands/a.cpp": HEAD, "tests/unit/base/a_test.cpp": HEAD}
        problems = self.style({**good, "framework/app/commands/more/a.cpp": HEAD})
        self.assert_one(problems, "framework/app/commands/more/a.cpp:1:", "deep")


class FirstLines(Trees):
    """A licence line, then a sentence."""

    def test_missing_licence(self):
        for name, text in (
            ("framework/base/a.cpp", "// One sentence.\n"),
            ("framework/base/a.cpp", "\n" + HEAD),
            ("framework/base/a.cpp", ""),
            ("tests/unit/a.cpp", "// SPDX-License-Identifier: MIT\n// One sentence.\n"),
            ("tools/a.py", '"""One sentence."""\n'),
            ("configs/a.ini", "# One sentence.\n"),
            ("framework/CMakeLists.txt", "# One sentence.\n"),
        ):
            with self.subTest(name=name, text=text):
                self.assert_one(self.style({name: text}), f"{name}:1:", "is missing")
                (self.root / name).unlink()

    def test_missing_sentence(self):
        for text in ("", "#pragma once\n", "//\n", "// No full stop\n", "\n// One sentence.\n"):
            with self.subTest(text=text):
                problems = self.style({"framework/base/a.hpp": HEAD.split("\n")[0] + "\n" + text})
                self.assert_one(problems, "framework/base/a.hpp:2:", "one sentence")

    def test_script(self):
        licence = "# SPDX-License-Identifier: Apache-2.0\n"
        good = {"tools/a.py": "#!/usr/bin/env python3\n" + licence + '"""One sentence."""\n'}
        good["tools/b.py"] = licence + "# One sentence.\n"
        good["configs/a.ini"] = licence + "# What does a futex cost?\n"
        self.assertEqual(self.style(good), [])
        self.assert_one(self.style({"tools/b.py": licence + "import re\n"}), "tools/b.py:2:", "one sentence")


class Declarations(Trees):
    """Macros, variables and names."""

    def test_macros(self):
        plugin = HEAD + "#define ASSAY_PLUGIN(x) x\n"
        files = {"framework/api/plugin.hpp": plugin, "framework/api/a.hpp": HEAD + "#define X (1)\n"}
        self.assertEqual(self.style(files), [])
        problems = self.style({"framework/base/a.hpp": HEAD + "#define MAX(a, b) a\n"})
        self.assert_one(problems, "framework/base/a.hpp:3:", "function-like macro")
        (self.root / "framework/base/a.hpp").unlink()
        problems = self.style({"framework/api/plugin.hpp": plugin + "#define SECOND(x) x\n"})
        self.assert_one(problems, "framework/api/plugin.hpp:4:", "function-like macro")

    def test_mutable_variables(self):
        for declaration in (
            "int x;",
            "static int x = 3;",
            "int x{3};",
            "int x(3);",
            'std::string x("a");',
            "extern int x;",
            "thread_local int x = f();",
            "constinit int x = 3;",
            "int x[3] = {1, 2, 3};",
            "inline std::atomic<int> x{};",
            "const char* x = nullptr;",
            "std::function<void(int)> x;",
            "std::map<std::string, int> x = {{\"a\", 1}};",
            "volatile std::sig_atomic_t x = 0;",
            "int (*x)(int) = nullptr;",
            "struct { int a; } x;",
            "struct stat x;",
            "auto x = [](int a) { return a; };",
            "int Foo::x = 0;",
            "alignas(64) int x;",
            "[[maybe_unused]] int x;",
        ):
            with self.subTest(declaration=declaration):
                for text in (f"{declaration}\n", f"namespace a::b {{\nnamespace {{\n{declaration}\n}}\n}}\n"):
                    problems = self.style({"framework/base/a.cpp": HEAD + text})
                    self.assert_one(problems, "framework/base/a.cpp:", "mutable variable")

    def test_everything_else(self):
        for declaration in (
            "const int x = 3;",
            "static const std::string x = \"a\";",
            "int const x = 3;",
            "constexpr int x = 3;",
            "inline constexpr std::array<int, 2> x = {1, 2};",
            "constexpr const char* x[] = {\"a\"};",
            "const char* const x = \"a\";",
            "const std::map<std::string, std::function<void(int)>> x = {{\"a\", [](int) {}}};",
            "constinit const Stamp x = f();",
            "int f(int a);",
            "void f();",
            "void f(Range r = {});",
            "std::optional<std::map<int, int>> f(const std::string& a = \"x\", int b = 3);",
            "Foo::~Foo() = default;",
            "bool operator==(const A&, const B&) = default;",
            "using A = int;",
            "using namespace std::literals;",
            "namespace fs = std::filesystem;",
            "class A;",
            "enum class A : int;",
            "struct A { int x = 0; static constexpr int y = 1; };",
            "class A { int x_{}; public: int y() { static int z = 0; return z; } };",
            "enum class A { b, c = 3 };",
            "template <class T> struct A;",
            "template <class T> concept A = requires(T t) { t.f(); };",
            "template class A<int>;",
            "static_assert(sizeof(int) == 4);",
            "typedef int A;",
            "A::A(int x) : x_(x), y_{x} {}",
        ):
            with self.subTest(declaration=declaration):
                text = HEAD + f"namespace a {{\n{declaration}\n}}\n"
                self.assertEqual(self.style({"framework/base/a.cpp": text}), [])

    def test_accessors(self):
        problems = self.style({"framework/base/a.hpp": HEAD + "struct A {\n  int get_x() const;\n};\n"})
        self.assert_one(problems, "framework/base/a.hpp:4:", "get_x")

    def test_foreign_accessors_may_be_called(self):
        calls = "*std::get_if<int>(&v) + a.get_x() + p->get_x() + target_get_x()"
        text = f"\n// get_y\nint f() {{ return {calls}; }}\n"
        self.assertEqual(self.style({"framework/base/a.cpp": HEAD + text}), [])

    def test_type_names(self):
        for declaration in (
            "struct my_type {};",
            "class my_type final : public A {\n};",
            "enum class my_type : int { a };",
        ):
            with self.subTest(declaration=declaration):
                problems = self.style({"framework/base/a.hpp": HEAD + declaration + "\n"})
                self.assert_one(problems, "framework/base/a.hpp:3:", "my_type")


if __name__ == "__main__":
    unittest.main()
