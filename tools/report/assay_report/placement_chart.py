# SPDX-License-Identifier: Apache-2.0
"""Placements as a heat map: CPU against CPU where pairs were measured, else placement against the other levels."""

import re
from typing import Any

from assay_report import drawing
from assay_report.campaign import Series
from assay_report.drawing import Figure, safe
from assay_report.heat_map import NOTE, Cells, cell_of, heat_figure, scale_of_points
from assay_report.levels import shown_level, subject_of
from assay_report.tables import varying_factors

Record = dict[str, Any]
_PAIR = re.compile(r"(?:\A|@)(\d+)\+(\d+)\Z")  # "same-l3@0+1" of classes, "0+1" of all
MOST_COLUMNS = 40


def _place(point: Record, matrix: bool, others: list[str]) -> tuple[str, str]:
    """Row and column of a point."""
    placement = shown_level(point["point"], "placement")
    found = _PAIR.search(str(point["point"].get("placement")))
    if matrix and found:
        return f"CPU {found.group(1)}", f"CPU {found.group(2)}"
    if len(others) == 1:  # its name is the axis's
        return placement, shown_level(point["point"], others[0])
    return placement, subject_of(point["point"], others) or "value"


def _number(name: str) -> tuple[int, str]:
    """Sorts CPUs by their numbers."""
    digits = name.removeprefix("CPU ")
    return (int(digits) if digits.isdecimal() else 1 << 30, name)


def placement_chart(series: Series) -> tuple[Figure, str] | None:
    """Medians by placement; what is marked or has no number has no colour, and its verdict in the cell."""
    factors = varying_factors(series)
    if "placement" not in factors:
        return None
    others = [factor for factor in factors if factor != "placement"]
    matrix = not others and sum(bool(_PAIR.search(str(point["point"].get("placement")))) for point in series.points) > 2
    cells: Cells = {}
    rows: dict[str, None] = {}
    columns: dict[str, None] = {}
    scale = scale_of_points(series.points)
    if scale is None:
        return None
    for point in series.points:
        row, column = _place(point, matrix, others)
        rows.setdefault(row)
        columns.setdefault(column)
        cells[row, column] = cell_of(point, factors, scale)
    if matrix:  # the same CPUs in the same order both ways
        rows = columns = dict.fromkeys(sorted({*rows, *columns}, key=_number))
    if len(columns) < 2:  # one column says less than the chart against placements does
        return None
    names = list(columns)[:MOST_COLUMNS]
    title = safe(others[0]) if len(others) == 1 else ""
    figure = heat_figure(list(rows), names, cells, title, f"median{drawing.unit_text(scale)}")
    return figure, NOTE + (
        f" {MOST_COLUMNS} of {len(columns)} columns are drawn." if len(columns) > MOST_COLUMNS else ""
    )
