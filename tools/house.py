#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what doc/architecture.md and its pages show of layers, rooms and sizes, from the edges that check_layers checks.

Usage: house.py [--write] [ROOT]
Without --write: says which documents differ from what it would write, and ends with 1 if any does.
"""

import argparse
import re
import sys
from pathlib import Path

import check_layers
import check_style
import rooms
import sizes

OVERVIEW = "doc/architecture.md"
PAGES = "doc/architecture"
OUTSIDE = "measurements"  # a layer without rooms, beside those of framework/
BLOCK = re.compile(r"<!-- house\.py: (\w+) -->\n(.*?)<!-- end -->", re.DOTALL)


def staircase(nodes, sees, notes):
    """Lines of a drawing: each node on a step of its own, and below each an arrow to all that it sees, which come later.

    `sees`: nodes by node; what is not among `nodes` is left out. `notes`: text behind a node, in parentheses.
    """
    lines = []
    last = {node: max((i for i, other in enumerate(nodes) if other in sees[node]), default=-1) for node in nodes}
    for i, node in enumerate(nodes):
        users = [j for j in range(i) if node in sees[nodes[j]]]
        cells = ""
        for j in range(i):
            fill = "-" if users and j >= users[0] else " "
            mark = "+" if j in users else "|" if last[nodes[j]] > i else fill
            cells += mark + ("-> " if fill == "-" and j == i - 1 else fill * 3)
        note = f"  ({notes[node]})" if notes.get(node) else ""
        lines.append(f"{cells}{node}{note}")
    return lines


def from_top(nodes, sees):
    """Nodes in such an order that each comes before those that it sees; the one with the longest way down first."""
    heights = {}

    def height(node):
        if node not in heights:
            heights[node] = 1 + max((height(other) for other in nodes if other in sees[node]), default=0)
        return heights[node]

    return sorted(nodes, key=lambda node: -height(node))


class House:
    """Layers and rooms as they are declared, with the files that are there."""

    def __init__(self, root, declared):
        self.root = Path(root)
        self.declared = {room: (main, sees.split()) for room, (main, sees) in declared.items()}
        tree = check_layers.Tree(root)
        self.texts = tree.texts
        self.files = {}
        for path in tree.texts:
            room = rooms.room_of(path) or path.split("/")[0]
            self.files[room] = self.files.get(room, 0) + 1
        self.layers = [layer for layer in check_layers.TIERS if self.rooms_of(layer)]
        if OUTSIDE in self.files:
            self.layers.append(OUTSIDE)
        self.sees = {layer: set() for layer in self.layers}
        _, edges = check_layers.check_includes(tree, declared)
        for upper, lowers in edges.items():
            for lower in map(check_layers.layer_of, lowers):
                if lower != check_layers.layer_of(upper):
                    self.sees[check_layers.layer_of(upper)].add(lower)
        self.layers = from_top(self.layers, self.sees)

    def rooms_of(self, layer):
        """The rooms of a layer, from the top."""
        own = [room for room in self.declared if room.split("/")[0] == layer]
        return from_top(own, {room: self.declared[room][1] for room in own})

    def purpose_of(self, room):
        """What the main header says that the room is for."""
        text = self.texts.get(f"framework/{room}/{self.declared[room][0]}", "")
        line = text.partition("\n")[2].partition("\n")[0]
        return line[len(rooms.PURPOSE) :].rstrip(".")

    def page_of(self, layer):
        """The document of a layer, from the root."""
        return f"{PAGES}/{layer}.md"

    def about(self, layer):
        """What the layer is for: the first paragraph of its page."""
        paragraphs = (self.root / self.page_of(layer)).read_text(encoding="utf-8").split("\n\n")
        return " ".join(paragraphs[1].split()) if len(paragraphs) > 1 else ""

    def picture(self):
        """The whole house: tiers, layers, their rooms, and which layer includes from which."""
        notes = {layer: ", ".join(room.partition("/")[2] for room in self.rooms_of(layer) if "/" in room) for layer in self.layers}
        drawn = staircase(self.layers, self.sees, notes)
        tiers = [str(check_layers.TIERS.get(layer, " ")) for layer in self.layers]
        return code(f"{tier}  {line}" for tier, line in zip(tiers, drawn, strict=True))

    def table_of_layers(self):
        """One row for each layer."""
        rows = []
        for layer in self.layers:
            own = self.rooms_of(layer)
            files = sum(self.files.get(room, 0) for room in own or [layer])
            sees = ", ".join(other for other in self.layers if other in self.sees[layer])
            link = f"[{layer}]({self.page_of(layer).removeprefix('doc/')})"
            rows.append([link, str(len(own) or ""), str(files), self.about(layer), sees])
        return table(["Layer", "Rooms", "Files", "What it is for", "Includes from"], rows)

    def rooms_of_page(self, layer):
        """The rooms of one layer: who sees whom within it, and a row for each."""
        own = self.rooms_of(layer)
        short = {room: room.partition("/")[2] or f"{layer} itself" for room in own}
        drawing = ""
        if len(own) > 1:
            inner = {short[room]: {short[other] for other in self.declared[room][1] if other in short} for room in own}
            drawing = code(staircase([short[room] for room in own], inner, {})) + "\n"
        rows = []
        for room in own:
            main, sees = self.declared[room]
            below = by_layer(other for other in sees if other not in short)
            rows.append([f"`framework/{room}/`", str(self.files.get(room, 0)), self.purpose_of(room), f"`{main}`", below])
        return drawing + table(["Room", "Files", "What it is for", "Main header", "Rooms of other layers that it sees"], rows)

    def documents(self):
        """The text of each block, by document and name of the block."""
        style = check_style.check(self.root)
        measured = "".join(f"{line}\n" for line in sizes.summary(style.sizes))
        wanted = {OVERVIEW: {"picture": self.picture(), "layers": self.table_of_layers(), "sizes": code(measured.splitlines())}}
        for layer in self.layers:
            wanted[self.page_of(layer)] = {"rooms": self.rooms_of_page(layer)} if self.rooms_of(layer) else {}
        return wanted


def by_layer(paths):
    """Rooms as text, those of a layer together."""
    found = {}
    for layer, _, room in (path.partition("/") for path in paths):
        found.setdefault(layer, []).append(room or "itself")
    return ", ".join(layer if inner == ["itself"] else f"{layer} ({', '.join(inner)})" for layer, inner in found.items())


def code(lines):
    """Lines as a block of fixed width."""
    return "```text\n" + "".join(f"{line}\n" for line in lines) + "```\n"


def table(head, rows):
    """A table; a column in which no row has anything is left out."""
    kept = [i for i in range(len(head)) if any(row[i] for row in rows)]
    lines = ["| " + " | ".join(row[i] for i in kept) + " |\n" for row in (head, *rows)]
    return "".join([lines[0], "|" + "---|" * len(kept) + "\n", *lines[1:]]).replace("|  |", "| |")


def filled(text, blocks):
    """A document with these blocks, and the names of those that it has no place for, or a place for too many."""
    places = [match.group(1) for match in BLOCK.finditer(text)]
    wrong = sorted(set(places) ^ set(blocks))
    new = BLOCK.sub(lambda match: f"<!-- house.py: {match.group(1)} -->\n\n{blocks.get(match.group(1), '')}\n<!-- end -->", text)
    return new, wrong


def update(root, declared, write):
    """Faults of the documents, as texts; with `write`, those that differ are written and are no faults."""
    root = Path(root)
    house = House(root, declared)
    expected = {house.page_of(layer) for layer in house.layers} | {OVERVIEW}
    there = {path.relative_to(root).as_posix() for path in (root / OVERVIEW, *(root / PAGES).glob("*.md")) if path.is_file()}
    faults = [f"{path} is missing: each layer has a page, whose first paragraph says what the layer is for" for path in sorted(expected - there)]
    faults += [f"{path} is the page of no layer" for path in sorted(there - expected)]
    if faults:
        return faults
    for path, blocks in house.documents().items():
        text = (root / path).read_text(encoding="utf-8")
        new, wrong = filled(text, blocks)
        faults += [f"{path}: a place for '{name}' is missing or too many: <!-- house.py: {name} --> ... <!-- end -->" for name in wrong]
        if new != text and write:
            (root / path).write_text(new, encoding="utf-8")
        elif new != text:
            faults.append(f"{path} is not what the tree says: run tools/house.py --write, and read the difference")
    return faults


def main(arguments):
    """Prints the faults; 1 when there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=Path(__file__).resolve().parent.parent, help="the project; by default this one")
    parser.add_argument("--write", action="store_true", help="write the documents")
    asked = parser.parse_args(arguments)
    faults = update(asked.root, rooms.ROOMS, asked.write)
    print("".join(f"error: {fault}\n" for fault in faults) or "house: the documents are what the tree says\n", end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
