#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that includes go strictly downward, and that each library, conditional and start of a program stays in its place."""

import re
import sys
from pathlib import Path

import rooms
import source_text

TIERS = {
    "app": 5,
    "run": 4,
    "design": 3,
    "team": 3,
    "record": 3,
    "stats": 2,
    "platform": 2,
    "api": 2,
    "text": 1,
    "base": 0,
}
MEASUREMENTS_SEE = {"api", "base", "measurements"}
COMPOSES_MEASUREMENTS = "framework/app/main.cpp"  # where the program is put together
CONDITIONALS_IN = ("framework/platform/", "framework/api/")
MPI_IN = (
    "framework/team/ranks/mpi_link.cpp",
    "framework/team/wire/mpi_wire.cpp",
    "framework/team/wire/mpi_wire.hpp",
    "framework/api/mpi.hpp",
    "framework/app/with_mpi.cpp",
    "measurements/mpi/",
    "measurements/hybrid/",
)
# Libraries by the start of their headers' names, and where they may be included.
PLACES = {
    "boost/accumulators/": ("framework/stats/",),
    "boost/math/": ("framework/stats/",),
    "boost/program_options": ("framework/app/cli/options.cpp",),
    "hwloc": ("framework/platform/",),
    "nlohmann/": ("framework/text/",),
    "sqlite3": ("framework/app/archive/database.cpp",),
    "mpi.h": MPI_IN,
    "omp.h": ("measurements/omp/",),
    "dlfcn.h": ("framework/platform/", "framework/app/plugin_loader.cpp"),
}
SYSTEM = re.compile(
    r"^(?:(?:sys|linux|asm|gnu|net|netinet|arpa)/.*|(?:unistd|fcntl|poll|sched|pthread|signal|spawn|semaphore|mqueue|"
    r"dirent|termios|aio|ucontext|execinfo|pwd|grp|netdb|syslog|glob|wordexp)\.h)$"
)
SYSTEM_IN = ("framework/platform/", "measurements/")
# Programs are started in few places, and a shell only where commands of the user's are documented to be for one.
STARTS = re.compile(r"(?<![\w.>])(?:(?:std)?::)?(system|popen|wordexp|exec[lv]\w*|fexecve|posix_spawnp?)\s*\(")
STARTS_IN = {
    "posix_spawn": ("framework/platform/process/child_process.cpp", "measurements/command/timed_program.cpp", "measurements/process/child.cpp",
                    "measurements/process/child_main.cpp"),
    "execvp": ("framework/platform/process/program.cpp",),
    "execve": ("measurements/process/child_main.cpp",),
}
SHELL = re.compile(r'"(?:/(?:usr/)?bin/)?(?:ba|da|z|c|k)?sh"')
# Completions are for shells, and start none.
SHELL_IN = ("framework/platform/process/child_process.cpp", "framework/platform/machine/machine.cpp", "measurements/process/child_main.cpp",
            "framework/app/shell/completion.cpp", "framework/app/timing/time_request.hpp")
CONDITIONAL = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|elifdef|elifndef)\b", re.MULTILINE)


class Tree:
    """The sources of framework/ and measurements/, by their path from the root."""

    def __init__(self, root):
        self.root = Path(root)
        self.texts = {}
        for path in source_text.files_below(root, ("framework", "measurements"), (".cpp", ".hpp")):
            self.texts[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8")

    def resolve(self, name):
        """The file that a quoted include names, as a path from the root; None when there is none."""
        for folder in ("framework", "measurements"):
            candidate = f"{folder}/{name}"
            if candidate in self.texts or (self.root / f"{candidate}.in").is_file():
                return candidate
        return None


def layer_of(path):
    """The layer of a file: its folder below framework/, or measurements."""
    parts = path.split("/")
    return parts[1] if parts[0] == "framework" and len(parts) > 2 else parts[0]


def module_of(path):
    """Header and source of the same stem are one module."""
    return path.rsplit(".", 1)[0]


def within(path, places):
    """True when the path is one of the places or lies in one of them."""
    return any(path == place or (place.endswith("/") and path.startswith(place)) for place in places)


def direction_problem(source, target):
    """What is wrong with one include between two files of the tree, or None."""
    upper, lower = layer_of(source), layer_of(target)
    if upper == "measurements":
        return None if lower in MEASUREMENTS_SEE else f"measurements see only api and base, not {lower}"
    if lower == "measurements":
        return None if source == COMPOSES_MEASUREMENTS else f"{upper} includes measurements"
    if upper == lower:
        return None
    if upper not in TIERS or lower not in TIERS:
        return f"{upper if upper not in TIERS else lower} is no layer"
    if TIERS[lower] == TIERS[upper]:
        return f"sideways include of {lower} from {upper}"
    return f"upward include of {lower} from {upper}" if TIERS[lower] > TIERS[upper] else None


def place_problem(source, name):
    """What is wrong with including a header from outside the tree here, or None."""
    for start, places in PLACES.items():
        if name.startswith(start):
            return None if within(source, places) else f"<{name}> belongs in {', '.join(places)}"
    if SYSTEM.match(name):
        return None if within(source, SYSTEM_IN) else f"<{name}> belongs in {', '.join(SYSTEM_IN)}"
    if "/" in name:
        return f"<{name}> is of a library that has no place"
    return None


def check_includes(tree, declared):
    """Violations by single includes, and the graph of modules."""
    problems, edges = [], {}
    for source, text in tree.texts.items():
        edges.setdefault(module_of(source), {})
        for include in source_text.includes(text):
            target = tree.resolve(include.name) if include.quoted else None
            if not include.quoted:
                problem = place_problem(source, include.name)
            elif target is None:
                unknown = f'"{include.name}" is not in the tree: write the path from the layer'
                problem = place_problem(source, include.name) or unknown
            else:
                problem = direction_problem(source, target) or rooms.include_problem(declared, source, target)
                edges[module_of(source)].setdefault(module_of(target), (source, include.line))
            if problem:
                problems.append((source, include.line, problem))
    return problems, edges


def reachable(edges, start):
    """The modules that can be reached from one, by the module they were reached from."""
    came_from, waiting = {}, [start]
    while waiting:
        module = waiting.pop()
        for following in edges.get(module, {}):
            if following not in came_from and following != module:
                came_from[following] = module
                waiting.append(following)
    return came_from


def check_cycles(edges):
    """One violation for each circle of modules, at an include that closes it."""
    problems, reported = [], set()
    for module in sorted(edges):
        came_from = reachable(edges, module)
        if module not in came_from or module in reported:
            continue
        circle = [module]
        while came_from[circle[-1]] != module:
            circle.append(came_from[circle[-1]])
        circle.append(module)
        reported.update(circle)
        source, line = edges[circle[-1]][circle[-2]]
        problems.append((source, line, "cycle: " + " -> ".join(reversed(circle))))
    return problems


def check_conditionals(tree):
    """Conditional compilation outside its two layers."""
    problems = []
    for source, text in tree.texts.items():
        code = source_text.without_literals(text)
        lines = source_text.Lines(code)
        for match in CONDITIONAL.finditer(code):
            if not within(source, CONDITIONALS_IN):
                directive = match.group().strip()
                problems.append((source, lines.at(match.end()), f"{directive} outside platform/ and api/"))
    return problems


def check_programs(tree):
    """Starts of programs, and names of shells, outside their places."""
    problems = []
    for source, text in tree.texts.items():
        code = source_text.without_literals(text)
        lines = source_text.Lines(code)
        for match in STARTS.finditer(code):
            places = STARTS_IN.get(match.group(1), ())
            if not within(source, places):
                problems.append((source, lines.at(match.start(1)), f"{match.group(1)}() belongs in {', '.join(places) or 'no file'}"))
        with_words = source_text.without_literals(text, keep_strings=True)
        for match in SHELL.finditer(with_words):
            if not within(source, SHELL_IN):
                where = source_text.Lines(with_words).at(match.start())
                problems.append((source, where, f"a shell, {match.group()}, belongs in {', '.join(SHELL_IN)}"))
    return problems


def check_json_library(tree):
    """The JSON library is seen by one file only."""
    users = []
    for source, text in tree.texts.items():
        lines = [include.line for include in source_text.includes(text) if include.name.startswith("nlohmann/")]
        users.extend([(source, lines[0])] if lines else [])
    return [(source, line, f"nlohmann is already used by {users[0][0]}") for source, line in users[1:]]


TOKEN = re.compile(
    r"namespace\s*([\w:]*)\s*\{|(?:struct|class|enum class|enum)\s+(?:alignas\([^)]*\)\s*|\[\[[^\]]*\]\]\s*)*(\w+)[^;{()]*\{|\{|\}"
)


TEMPLATE = re.compile(r"template\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>")


def types_of(text):
    """Types that a file defines for all of the program, with their lines: neither within others nor in a nameless namespace."""
    scopes = []
    text = TEMPLATE.sub(lambda match: source_text.spaces(match.group()), text)
    for match in TOKEN.finditer(text):
        if match.group(0) == "}":
            del scopes[-1:]
        elif match.group(0).startswith("namespace"):
            scopes.append(match.group(1))
        else:
            if match.group(2) and all(scopes):
                yield "::".join([*scopes, match.group(2)]), text.count("\n", 0, match.start()) + 1
            scopes.append("")


def check_names(tree):
    """One name is one type: of two the linker would take either's functions for both."""
    seen, problems = {}, []
    for path in sorted(tree.texts):
        for name, line in types_of(source_text.without_literals(tree.texts[path])):
            first = seen.setdefault(name, path)
            if module_of(first) != module_of(path):
                problems.append((path, line, f"{name} is the name of another type in {first}; rename one"))
    return problems


def check(root, declared=rooms.ROOMS):
    """All violations as (file, line, text), sorted; throws SystemExit where there is nothing to check. `declared`: the rooms."""
    tree = Tree(root)
    if not tree.texts:
        sys.exit(f"error: no sources below {root}/framework; nothing was checked; give the root of the project")
    problems, edges = check_includes(tree, declared)
    problems += check_cycles(edges) + check_conditionals(tree) + check_json_library(tree) + check_programs(tree)
    problems += check_names(tree) + check_cycles(rooms.edges(declared)) + rooms.check_other_folders(root)
    if declared:
        problems += rooms.check(declared, tree.texts)
    return sorted(set(problems)), len(tree.texts)


def main(arguments):
    """Prints the violations; 1 when there are any."""
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    problems, files = check(root, {} if arguments else rooms.ROOMS)  # rooms are those of this project
    for source, line, text in problems:
        print(f"{source}:{line}: error: {text}")
    print(f"check_layers: {files} files, {len(problems)} violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
