# SPDX-License-Identifier: Apache-2.0
"""Accesses to cache lines: operation against the line's state and holder, a heat map for each placement."""

from dataclasses import dataclass, field
from typing import Any

from assay_report import drawing
from assay_report.campaign import Series
from assay_report.drawing import Figure
from assay_report.heat_map import NOTE as CELLS_NOTE
from assay_report.heat_map import Cells, cell_of, heat_figure, scale_of_points
from assay_report.levels import factors_of, level_text, order_key, shown_level, subject_of, varies
from assay_report.numbers import Scale

Record = dict[str, Any]
MEASUREMENT = "sync/line"
MOST_MAPS = 12
CELL_WIDTH, ROOM = 68, 270  # pixels that a cell's text needs, and of what stands beside the cells
NOTE = f"Who has the line: self, member 0, which accesses it; other, member 1 and those behind it; both, all of them. {CELLS_NOTE}"
_CELL = ("operation", "line", "holder")  # the factors of a cell; others are of a map
# In the order in which the measurement declares them; others come behind.
OPERATIONS = ["load", "store", "cas", "cas-fail", "fetch-add", "exchange", "test-and-set"]
STATES = ["modified", "exclusive", "shared", "owned", "invalid"]
HOLDERS = ["other", "self", "both"]


@dataclass
class _Map:
    """The points of a placement that differ in operation, state and holder alone."""

    name: str
    points: list[Record] = field(default_factory=list)


def _rank(known: list[str], word: str) -> tuple[int, str]:
    return (known.index(word) if word in known else len(known), word)


def _column(point: Record) -> tuple[str, str]:
    return shown_level(point["point"], "line"), shown_level(point["point"], "holder")


def _maps(points: list[Record]) -> list[_Map]:
    """By placement, near ones first, and within it by whatever else its points differ in."""
    by_placement: dict[str, list[Record]] = {}
    for point in sorted(points, key=lambda one: order_key(one["point"], ["placement"])):
        by_placement.setdefault(level_text(point["point"].get("placement", "-")), []).append(point)
    maps: dict[tuple[str, str], _Map] = {}
    for placement, some in by_placement.items():
        levels = [point["point"] for point in some]
        others = [one for one in factors_of(levels) if one not in {*_CELL, "placement"} and varies(one, levels)]
        for point in sorted(some, key=lambda one: order_key(one["point"], others)):
            name = " ".join(filter(None, [subject_of(point["point"], ["placement"]), subject_of(point["point"], others)]))
            maps.setdefault((placement, subject_of(point["point"], others)), _Map(name)).points.append(point)
    return list(maps.values())


def _cells(points: list[Record], factors: list[str], scale: Scale) -> tuple[Cells, int]:
    """A cell for each point, and how many found theirs taken by one before."""
    cells: Cells = {}
    for point in points:
        cells.setdefault((shown_level(point["point"], "operation"), ", ".join(_column(point))), cell_of(point, factors, scale))
    return cells, len(points) - len(cells)


def _figure(cells: Cells, points: list[Record], scale: Scale, among: list[float]) -> Figure:
    """The map; below each column its state, and below that the holder."""
    operations = sorted({row for row, _ in cells}, key=lambda word: _rank(OPERATIONS, word))
    columns = sorted({_column(point) for point in points}, key=lambda one: (_rank(STATES, one[0]), _rank(HOLDERS, one[1])))
    title = "state of the line, and who has it"
    made = heat_figure(operations, [", ".join(one) for one in columns], cells, title, f"median{drawing.unit_text(scale)}", "", among)
    made["layout"]["xaxis"]["ticktext"] = [f"{drawing.shortened(state, 20)}<br>{drawing.shortened(holder, 20)}" for state, holder in columns]
    made["layout"]["height"] = 122 + 34 * len(operations)
    return made


def line_charts(all_series: list[Series]) -> list[tuple[str, tuple[Figure, str]]]:
    """Titles and heat maps of all series of `sync/line` together, with the same colours in all; empty where there are none."""
    points = [point for series in all_series if series.measurement == MEASUREMENT for point in series.points]
    scale = scale_of_points(points)
    if scale is None:
        return []
    levels = [point["point"] for point in points]
    factors = [one for one in factors_of(levels) if varies(one, levels)]
    maps = _maps(points)
    made = [(one, *_cells(one.points, factors, scale)) for one in maps]
    among = [value for _, cells, _ in made for value, _, _ in cells.values() if value is not None]
    made.sort(key=lambda one: not any(value is not None for value, _, _ in one[1].values()))  # those without any number come last
    return [
        (f"Accesses to a cache line, {one.name}", (_figure(cells, one.points, scale, among), _note(taken, len(maps))))
        for one, cells, taken in made[:MOST_MAPS]
    ]


def _note(taken: int, maps: int) -> str:
    notes = []
    if taken:
        notes.append(f"{taken} further point{'s' if taken > 1 else ''} of the same cells, of other series: in the tables only.")
    if maps > MOST_MAPS:
        notes.append(f"The first {MOST_MAPS} of {maps} maps are drawn.")
    return " ".join(notes)
