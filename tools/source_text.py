# SPDX-License-Identifier: Apache-2.0
"""Source files as the checks see them: without comments and literals, cut into includes, statements and functions."""

import bisect
import re
from dataclasses import dataclass
from pathlib import Path

SKIPPED_FOLDERS = {"__pycache__", "build"}

_LITERAL = re.compile(
    r"//[^\n]*|/\*.*?\*/"
    r'|R"(?P<mark>[^(\s"]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|\b\d(?:'?[\w.])*|'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)


def files_below(root, folders, endings):
    """The files whose names end so, below these folders of the root, in a stable order."""
    found = []
    for folder in folders:
        for path in sorted((Path(root) / folder).rglob("*")):
            skipped = SKIPPED_FOLDERS & set(path.relative_to(root).parts)
            if path.name.endswith(endings) and path.is_file() and not skipped:
                found.append(path)
    return found


def spaces(text):
    """As many blanks, with the line ends kept, so that positions stay true."""
    return re.sub(r"[^\n]", " ", text)


def without_literals(text, keep_strings=False):
    """The code with comments, and unless kept the contents of strings and characters, replaced by blanks."""

    def replacement(match):
        literal = match.group()
        if literal[0].isdigit() or (keep_strings and literal[0] in "\"'R"):
            return literal
        if literal[0] == "/":
            return spaces(literal)
        return literal[-1] + spaces(literal[1:-1]) + literal[-1]

    return _LITERAL.sub(replacement, text)


def without_directives(code):
    """The code with preprocessor lines, continued ones included, replaced by blanks."""
    return _DIRECTIVE.sub(lambda match: spaces(match.group()), code)


class Lines:
    """Line numbers, from 1, of positions in a text."""

    def __init__(self, text):
        self.ends = [match.start() for match in re.finditer("\n", text)]

    def at(self, position):
        return bisect.bisect_left(self.ends, position) + 1


@dataclass
class Include:
    """One include directive."""

    line: int
    quoted: bool
    name: str


def includes(text):
    """The includes of a text, those in comments left out."""
    code = without_literals(text, keep_strings=True)
    lines = Lines(code)
    return [
        Include(lines.at(match.start(2)), match.group(1) == '"', match.group(2)) for match in _INCLUDE.finditer(code)
    ]


@dataclass
class Function:
    """A function with a body: where it starts, how many physical lines it takes, and its code from the body on."""

    line: int
    length: int
    body: str


@dataclass
class Statement:
    """A declaration at namespace scope, up to its semicolon; what stood in braces is reduced to {}."""

    line: int
    text: str


NOISE = re.compile(r"\[\[.*?\]\]|\balignas\s*\([^()]*\)|__attribute__\s*\(\(.*?\)\)", re.DOTALL)
_TYPE = re.compile(r"^(?:(?:typedef|inline|static|constexpr|const|friend|extern)\s+)*(?:class|struct|union|enum)\b")
_NAMESPACE = re.compile(r'^(?:inline\s+)?namespace\b|^extern\s*"\s*"\s*$')
_ACCESS = re.compile(r"^\s*(?:public|private|protected)\s*:(?!:)")
_MEMBER_INITIALIZERS = re.compile(r"\)[\s\w()]*(?<!:):(?!:)")


def _without_template(head):
    """A head without its leading template<...> and requires clauses in angle brackets."""
    while head.startswith("template"):
        depth = 0
        for position, letter in enumerate(head):
            depth += {"<": 1, ">": -1}.get(letter, 0)
            if letter == ">" and depth == 0:
                break
        head = head[position + 1 :].lstrip()
    return head


def _outside_parentheses(head):
    """A head with the contents of parentheses blanked."""
    previous = None
    while previous != head:
        previous = head
        head = re.sub(r"\([^()]*\)", lambda match: "\1" + " " * (len(match.group()) - 2) + "\2", head)
    return head.replace("\1", "(").replace("\2", ")")


def scope_kind(head):
    """What a brace opens after this head, at namespace or type scope: namespace, type, function or value."""
    head = _without_template(NOISE.sub("", head).strip())
    outer = _outside_parentheses(head)
    if _NAMESPACE.search(head):
        return "namespace"
    if _TYPE.search(head) and "(" not in outer.split(":")[0]:
        return "type"
    before_value = re.split(r"(?<![=!<>])=(?!=)", re.sub(r"operator\s*\S+?\s*\(", "(", outer))[0]
    if head.count("(") > head.count(")") or "(" not in before_value:
        return "value"
    if _MEMBER_INITIALIZERS.search(outer) and re.search(r"[\w>]\s*$", outer):
        return "value"  # the braces of one member's initializer: the body is still to come
    return "function"


def _closing(code, position):
    """The position of the brace that closes the one at this position."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, position):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return match.start()
    return len(code) - 1


class Scanner:
    """Walks through the code at namespace and type scope, and skips bodies and values."""

    def __init__(self, text):
        self.code = without_directives(without_literals(text))
        self.lines = Lines(self.code)
        self.functions = []
        self.statements = []
        self.scopes = []
        self.head = ""
        self.start = None
        self._walk()

    def _walk(self):
        position = 0
        while position < len(self.code):
            letter = self.code[position]
            if letter == "{":
                position = self._open(position)
            elif letter == ";":
                self._end_statement()
            elif letter == "}":
                self._close(position)
            else:
                self._extend(letter, position)
            position += 1

    def _extend(self, letter, position):
        if self.start is None and not letter.isspace():
            self.start = position
        self.head += letter
        if letter == ":" and _ACCESS.search(self.head) and self.code[position + 1 : position + 2] != ":":
            self._reset()

    def _reset(self):
        self.head, self.start = "", None

    def _open(self, position):
        """Handles an opening brace; the position of the last letter that this takes."""
        kind = scope_kind(self.head)
        if kind in ("namespace", "type"):
            self.scopes.append((kind, self.head))
            self._reset()
            return position
        end = _closing(self.code, position)
        if kind == "value":
            self.head += "{}"
            return end
        first, last = self.lines.at(self.start), self.lines.at(end)
        body = self.code[self.start + len(self._signature()) : end + 1]
        self.functions.append(Function(first, last - first + 1, body))
        self._reset()
        return end

    def _signature(self):
        """The head without member initializers, which can branch like a body."""
        head = self.head.lstrip()
        match = _MEMBER_INITIALIZERS.search(_outside_parentheses(head))
        return head[: match.start()] if match else head

    def _end_statement(self):
        if self.head.strip() and all(kind == "namespace" for kind, _ in self.scopes):
            self.statements.append(Statement(self.lines.at(self.start), self.head.strip()))
        self._reset()

    def _close(self, position):
        self._reset()
        kind, head = self.scopes.pop() if self.scopes else ("namespace", "")
        if kind == "type":
            # A variable may follow: struct { ... } name;
            self.head, self.start = head + "{}", position


def scan(text):
    """The functions and the namespace-scope statements of a C++ text."""
    return Scanner(text)
