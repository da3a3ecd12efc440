# SPDX-License-Identifier: Apache-2.0
"""The counter of functions and branches sees what a reader sees."""

import unittest

import trees  # noqa: F401, makes the tools importable

import check_style
import source_text


class Scanning(unittest.TestCase):
    """The counter of functions sees what a reader sees."""

    def functions(self, text):
        return [(function.line, function.length) for function in source_text.scan(text).functions]

    def test_functions(self):
        for text, expected in (
            ("int f() { return 1; }", [(1, 1)]),
            ("int f()\n{\n}\n\nint g() {\n}", [(1, 3), (5, 2)]),
            ("struct A {\n  A() : a_{1}, b_(2) {\n  }\n  int a_{3};\n};", [(2, 2)]),
            ("A::A(int x)\n    : B<int>{x}, c_([] { return 1; }()) {\n}", [(1, 3)]),
            ("auto f(Range r = {}) -> std::vector<int> {\n}", [(1, 2)]),
            ("template <class T = int>\nbool operator==(A, T) {\n}", [(1, 3)]),
            ("int operator()(int x) const noexcept {\n}", [(1, 2)]),
            ('extern "C" void f() {\n}', [(1, 2)]),
            ('extern "C" {\nvoid f() {\n}\n}', [(2, 2)]),
            ("TEST(A, B) {\n}", [(1, 2)]),
            ("struct A f(int x) {\n}", [(1, 2)]),
            ("struct alignas(64) A : B<(1 > 0)> {\n  void f() {}\n};", [(2, 1)]),
            ("const char* x = \"{\"; // {\nchar y = '{'; /* { */\nint n = 1'000;\nvoid f() {\n}", [(4, 2)]),
            ('auto x = R"({\n{)";\nvoid f() {\n}', [(3, 2)]),
            ("int n = 1'000; char y() { return 'y'; }", [(1, 1)]),
            ("#define F(x) \\\n  void x() {\nvoid f() {\n}", [(3, 2)]),
            ("constexpr int x[] = {1, 2};\nauto y = [] { return 1; };", []),
            ("void f() {\n  auto g = [] {\n  };\n  struct A { void h() {} };\n}", [(1, 5)]),
        ):
            with self.subTest(text=text):
                self.assertEqual(self.functions(text), expected)

    def test_complexity_leaves_out_what_does_not_branch(self):
        for code, expected in (
            ("void f(A&& a) { g(std::move(a)); B&& b = h(); auto&& c = k(); }", 1),
            ("void f() { // if\n  g(\"if ? &&\"); }", 1),
            ("void f() { verify(); format(); whiles(); }", 1),
            ("A::A(int x) : y_(x ? 1 : 2) {}", 2),
            ("void f() { do { g(); } while (a && b); }", 3),
        ):
            with self.subTest(code=code):
                functions = source_text.scan(code).functions
                self.assertEqual([check_style.complexity(function.body) for function in functions], [expected])


if __name__ == "__main__":
    unittest.main()
