#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the house rules on sizes, macros, variables, folders, first lines and names, and prints how large things are."""

import argparse
import ast
import re
import sys
from pathlib import Path

import sizes
import source_text
from sizes import CODE

CHECKED = (*CODE, "tests", "tools")
CPP = (".cpp", ".hpp")
SCRIPTS = (".cmake", ".ini", ".sh", "CMakeLists.txt")
# Ceilings of single things. There is none for a median: it would be a goal, and reached by cutting what is read together.
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
HIGHEST_COMPLEXITY = 12
DEEPEST_FOLDER = 2  # below a folder at the top
DEEPEST_TEST = 3  # unit tests stand as the rooms that they test
MACRO_IN = "framework/api/plugin.hpp"
SPDX = "SPDX-License-Identifier: Apache-2.0"

BRANCH = re.compile(r"\b(?:if|for|while|case|catch)\b|\|\||(?<=\s)&&|\?")
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+\w+\(", re.MULTILINE)
ACCESSOR = re.compile(r"(?<![\w.:>])get_(?!if\b)\w+")
TYPE_NAME = re.compile(
    r"\b(?:class|struct|union|enum(?:\s+class|\s+struct)?)\s+(?:alignas\([^()]*\)\s*)?(\w+)\s*(?:final\s*)?"
    r"(?::(?!:)[^;{}()]*)?\{"
)
PASCAL_CASE = re.compile(r"^[A-Z][A-Za-z0-9]*$")

NO_VARIABLE = re.compile(
    r"^(?:using|typedef|namespace|(?:extern\s+)?template|static_assert|friend|concept|asm)\b"
    r'|^extern\s*"\s*"\s*$|\boperator\b'
)
TYPE_DECLARED = re.compile(r"^(?:enum(?:\s+class|\s+struct)?|class|struct|union)\s+[\w:]+(?:\s*:\s*[\w:]+)?$")
TYPE_DEFINED = re.compile(r"^(?:typedef\s+)?(?:enum|class|struct|union)\b[^={}]*\{\}$")
DECLARATOR = re.compile(r"[\w:]+\s*(?:\[[^\]]*\]\s*)*$")
POINTER_TO_FUNCTION = re.compile(r"\(\s*\*\s*(const\b)?")
VALUE_IN_PARENTHESES = re.compile(r"\w\s*\(\s*[-\"'\d]")


class Report:
    """Violations as (file, line, text), and what was measured."""

    def __init__(self, root):
        self.root = Path(root)
        self.problems = []
        self.sizes = sizes.Sizes()
        self.macros = []
        self.files = 0

    def add(self, path, line, text):
        """Notes a violation."""
        self.problems.append((path, line, text))

    def sources(self, folders, suffixes):
        """Paths from the root with their texts."""
        for path in source_text.files_below(self.root, folders, suffixes):
            yield path.relative_to(self.root).as_posix(), path.read_text(encoding="utf-8")


def check_file(report, path, text):
    """The rules for every file: length, folder, first lines."""
    report.files += 1
    length = text.count("\n")
    if length > LONGEST_FILE:
        report.add(path, LONGEST_FILE + 1, f"file of {length} lines, at most {LONGEST_FILE}")
    deepest = DEEPEST_TEST if path.startswith("tests/") else DEEPEST_FOLDER
    if path.count("/") - 1 > deepest:
        report.add(path, 1, f"folder more than {deepest} deep")
    check_first_lines(report, path, text)


def check_first_lines(report, path, text):
    """The licence line, and after it a comment that ends as a sentence does."""
    mark = "//" if path.endswith(CPP) else "#"
    lines = text.split("\n")
    start = 1 if mark == "#" and lines[0].startswith("#!") else 0
    if lines[start] != f"{mark} {SPDX}":
        report.add(path, start + 1, f"'{mark} {SPDX}' is missing")
        return
    if not has_sentence(lines[start + 1 :], mark):
        report.add(path, start + 2, "a comment of one sentence is missing")


def has_sentence(lines, mark):
    """True when the lines start with a comment (in Python, or a docstring) whose text ends with a full stop."""
    if mark == "#" and lines and lines[0].startswith('"""'):
        return bool(re.match(r'"""[^"]+\.\s*(?:"""|\n)', "\n".join(lines)))
    comment = []
    for line in lines:
        if not line.startswith(mark):
            break
        comment.append(line)
    return bool(comment) and comment[0].strip() != mark and comment[-1].rstrip().endswith((".", "?"))


def complexity(body):
    """Cyclomatic complexity: one more than the number of branches."""
    return 1 + len(BRANCH.findall(body))


def check_function(report, path, function):
    """Length and, outside the tests, complexity of one function."""
    line, length, branches = function
    if length > LONGEST_FUNCTION:
        report.add(path, line, f"function of {length} lines, at most {LONGEST_FUNCTION}")
    if branches > HIGHEST_COMPLEXITY and not path.startswith("tests/"):
        report.add(path, line, f"cyclomatic complexity {branches}, at most {HIGHEST_COMPLEXITY}")


def check_variables(report, path, statements):
    """Variables at namespace scope are constants."""
    for statement in statements:
        if is_mutable_variable(statement.text):
            text = " ".join(statement.text.split())[:60]
            report.add(path, statement.line, f"mutable variable at namespace scope: {text}")


def declared_head(text):
    """A declaration without attributes, template arguments and initial value."""
    head = source_text.NOISE.sub("", text).strip()
    previous = None
    while previous != head:
        previous, head = head, re.sub(r"<[^<>]*>", "", head)
    head = re.split(r"(?<![=!<>])=(?!=)", head)[0]
    return re.sub(r"\{\}\s*$", "", head).strip()


def is_mutable_variable(text):
    """True for the declaration of a variable that can change."""
    text = source_text.NOISE.sub("", text).strip()
    if NO_VARIABLE.search(text) or TYPE_DEFINED.search(text):
        return False
    head = declared_head(text)
    if TYPE_DECLARED.search(head):
        return False
    pointer = POINTER_TO_FUNCTION.search(head)
    if pointer:
        return not pointer.group(1) and "constexpr" not in head
    if "(" in head:
        if not VALUE_IN_PARENTHESES.search(head):
            return False  # a function, or the use of a macro
        head = head[: head.index("(")]
    kind = DECLARATOR.sub("", head).strip()
    return bool(kind) and not is_immutable(kind)


def is_immutable(kind):
    """True when this type with its specifiers declares a constant; of pointers, the pointer itself is meant."""
    if "constexpr" in kind:
        return True
    return kind.endswith("const") if "*" in kind else bool(re.search(r"\bconst\b", kind))


def check_names(report, path, code):
    """Accessors are named by what they return; types are in Pascal case."""
    lines = source_text.Lines(code)
    for match in ACCESSOR.finditer(code):
        report.add(path, lines.at(match.start()), f"{match.group()}: name it by what it returns, without get_")
    for match in TYPE_NAME.finditer(code):
        if not PASCAL_CASE.match(match.group(1)):
            report.add(path, lines.at(match.start(1)), f"{match.group(1)}: types are written in PascalCase")


def check_cpp(report, path, text):
    """Everything about one C++ file."""
    scan = source_text.scan(text)
    for function in scan.functions:
        check_function(report, path, (function.line, function.length, complexity(function.body)))
    if path.startswith(CODE):
        report.sizes.add(path, text, scan.functions)
        check_variables(report, path, scan.statements)
    code = source_text.without_literals(text)
    check_names(report, path, code)
    lines = source_text.Lines(code)
    report.macros.extend((path, lines.at(match.end() - 1)) for match in MACRO.finditer(code))


def python_complexity(function):
    """Cyclomatic complexity of a Python function, those inside it included."""
    simple = (ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.match_case)
    total = 1
    for node in ast.walk(function):
        total += isinstance(node, simple)
        total += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
        total += len(node.ifs) if isinstance(node, ast.comprehension) else 0
    return total


def check_python(report, path, text):
    """Length and complexity of the functions of one Python file."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = node.end_lineno - node.lineno + 1
            check_function(report, path, (node.lineno, length, python_complexity(node)))
            if ACCESSOR.match(node.name):
                report.add(path, node.lineno, f"{node.name}: name it by what it returns, without get_")


def check_macros(report):
    """One function-like macro in the project, in its place."""
    allowed = 1
    for path, line in report.macros:
        allowed -= 1 if path == MACRO_IN else 0
        if path != MACRO_IN or allowed < 0:
            report.add(path, line, f"function-like macro: there is one, in {MACRO_IN}")


def check(root):
    """The report on a tree; throws SystemExit where there is nothing to check."""
    report = Report(root)
    for path, text in report.sources(CHECKED, CPP):
        check_file(report, path, text)
        check_cpp(report, path, text)
    for path, text in report.sources(CHECKED, (".py",)):
        check_file(report, path, text)
        check_python(report, path, text)
    for path, text in report.sources((*CHECKED, "configs"), SCRIPTS):
        check_file(report, path, text)
    if not report.files:
        sys.exit(f"error: no sources below {root}; nothing was checked; give the root of the project")
    check_macros(report)
    return report


def main(arguments):
    """Prints the violations and the sizes; 1 when there are violations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent, help="the project; by default this one")
    parser.add_argument("--one-client", action="store_true", help="list the headers that one module includes, tests not counted, with that module")
    asked = parser.parse_args(arguments)
    report = check(asked.root)
    for path, line, text in sorted(report.problems):
        print(f"{path}:{line}: error: {text}")
    if asked.one_client:
        print("".join(f"{header}: {client}\n" for header, client in report.sizes.with_one_client()), end="")
    print(f"check_style: {report.files} files, {len(report.problems)} violations; of {' and '.join(CODE)}:")
    print("".join(f"  {line}\n" for line in sizes.summary(report.sizes)), end="")
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
