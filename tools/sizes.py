# SPDX-License-Identifier: Apache-2.0
"""How large the rooms, files and functions of the code are, and which headers have one client: figures to look at, no limits."""

import statistics

import source_text

CODE = ("framework", "measurements")


def module_of(path):
    """Header and source of the same stem are one module."""
    return path.rsplit(".", 1)[0]


class Sizes:
    """What was measured of the C++ files below CODE, by their paths from the root."""

    def __init__(self):
        self.files = {}  # lines
        self.functions = {}  # the lengths of all functions in a file
        self.included = {}  # the names in quotes that a file includes

    def add(self, path, text, functions):
        """Notes one file. `functions`: what was found in it by source_text.scan."""
        self.files[path] = text.count("\n")
        self.functions[path] = [function.length for function in functions]
        self.included[path] = [include.name for include in source_text.includes(text) if include.quoted]

    def rooms(self):
        """The number of files in each folder."""
        counted = {}
        for path in self.files:
            room = path.rsplit("/", 1)[0]
            counted[room] = counted.get(room, 0) + 1
        return counted

    def clients(self):
        """For each header, the modules that include it, itself left out; tests are not among them."""
        found = {path: set() for path in self.files if path.endswith(".hpp")}
        for source, names in self.included.items():
            for header in (f"{folder}/{name}" for name in names for folder in CODE):
                if header in found and module_of(header) != module_of(source):
                    found[header].add(module_of(source))
        return found

    def with_one_client(self):
        """Pairs of header and its only client, sorted."""
        return sorted((header, *clients) for header, clients in self.clients().items() if len(clients) == 1)


def row(what, unit, most, numbers):
    """One line of the summary. `numbers`: pairs of number and path; of equal ones, the first path is named."""
    if not numbers:
        return f"no {what}"
    largest, path = min(numbers, key=lambda pair: (-pair[0], pair[1]))
    median = statistics.median(number for number, _ in numbers)
    return f"{what:<9} median {median:>3g} {unit}, {most} {largest:>3}: {path}"


def summary(sizes):
    """The figures as lines of text. Totals of lines and functions are left out, which nearly every change would alter."""
    return [
        row("rooms", "files", "largest", [(files, room) for room, files in sizes.rooms().items()]),
        row("files", "lines", "longest", [(lines, path) for path, lines in sizes.files.items()]),
        row("functions", "lines", "longest", [(length, path) for path, lengths in sizes.functions.items() for length in lengths]),
        "headers   with one client: " + ", ".join(one_client(sizes, folder) for folder in CODE),
    ]


def one_client(sizes, folder):
    """How many headers below a folder have one client."""
    headers = [header for header in sizes.clients() if header.startswith(folder + "/")]
    single = [header for header, _ in sizes.with_one_client() if header in headers]
    return f"{len(single)} of {len(headers)} in {folder}"
