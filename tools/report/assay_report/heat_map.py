# SPDX-License-Identifier: Apache-2.0
"""Heat maps: a cell per point; what is marked or has no number has no colour, and its verdict in the cell."""

import math
from typing import Any

from assay_report import drawing
from assay_report.lines import hover_of
from assay_report.drawing import Figure, safe
from assay_report.levels import subject_of
from assay_report.marks import interval_of, is_marked, marks_of, point_verdict_text
from assay_report.numbers import Scale, shown
from assay_report.tables import shown_results

Record = dict[str, Any]
Cells = dict[tuple[str, str], tuple[float | None, str, str]]
MOST_TEXTS = 600
NOTE = "Cells without colour hold no number to be relied on; their text says why."


def scale_of_points(points: list[Record]) -> Scale | None:
    """One scale for the first results of points; None where none has one."""
    firsts = [shown_results(point)[0] for point in points if shown_results(point)]
    if not firsts:
        return None
    return drawing.scale_for([float(first["headline"]["value"]) for first in firsts], firsts[0]["unit"])


def cell_of(point: Record, factors: list[str], scale: Scale) -> tuple[float | None, str, str]:
    """Value, text and hover of a point's cell."""
    results = shown_results(point)
    if not results:
        text = point_verdict_text(point)
        return (
            None,
            point["code"] or point["outcome"],
            drawing.shortened(subject_of(point["point"], factors), 100) + "<br>" + drawing.shortened(text, 120),
        )
    value = float(results[0]["headline"]["value"])
    text = shown(value, *interval_of(results[0]["headline"]), scale).value
    marks = marks_of(point, results[0])
    hover = hover_of(point, results[0], factors)
    return (
        (None if is_marked(marks) else value / scale.size),
        (f"({text}) {marks}" if is_marked(marks) else f"{text} {marks}".strip()),
        hover,
    )


def _colour_of(value: float | None, by_logarithm: bool) -> float | None:
    return math.log10(value) if value is not None and by_logarithm else value


def _is_dark(colour: float | None, middle: float) -> bool:
    return colour is not None and colour >= middle


def _decades(values: list[float]) -> Record:
    """Ticks of a colour bar over logarithms, as plain numbers."""
    powers = range(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))) + 1)
    return {"tickmode": "array", "tickvals": list(powers), "ticktext": [f"{10.0**power:g}" for power in powers]}


def _texts(grid: list[list[tuple[float | None, str, str]]], colours: list[list[float | None]], middle: float) -> list[Record]:
    """What stands in the cells, light on what is dark."""
    return [
        {
            "x": at,
            "y": line,
            "text": safe(cell[1]),
            "showarrow": False,
            "font": {"size": 11, "color": "#ffffff" if _is_dark(colours[line][at], middle) else "#1b1b1b"},
        }
        for line, cells_of_row in enumerate(grid)
        for at, cell in enumerate(cells_of_row)
        if cell[1]
    ]


def heat_figure(
    rows: list[str],
    columns: list[str],
    cells: Cells,
    x_title: str,
    title: str,
    y_title: str = "",
    among: list[float] | None = None,
) -> Figure:
    """Rows from above, columns from the left; colours by logarithms where values range far. `title` is the colour bar's.

    `among`: the values of all maps that are to have the same colours for the same values, by default those of this one.
    """
    empty = (None, "", "")
    grid = [[cells.get((row, column), empty) for column in columns] for row in rows]
    values = [cell[0] for line in grid for cell in line if cell[0] is not None]
    others = among or values
    by_logarithm = drawing.is_wide(others)
    colours = [[_colour_of(cell[0], by_logarithm) for cell in line] for line in grid]
    ends = [_colour_of(end, by_logarithm) or 0.0 for end in (min(others), max(others))] if others else [0.0, 0.0]
    heat = {
        "type": "heatmap",
        "x": [safe(column) for column in columns],
        "y": [safe(row) for row in rows],
        "z": colours,
        "hovertext": [[cell[2] for cell in line] for line in grid],
        "hoverinfo": "text",
        "colorscale": "Cividis",
        "reversescale": True,
        "colorbar": {"title": {"text": title}, **(_decades(others) if by_logarithm else {})},
        "showscale": bool(values),
        "xgap": 2,
        "ygap": 2,
        "hoverongaps": True,
        **({"zmin": ends[0], "zmax": ends[1]} if among else {}),
    }
    made = drawing.layout(
        {**drawing.category_axis(x_title, columns), "range": [-0.5, len(columns) - 0.5], "showgrid": False},
        {**drawing.category_axis(y_title, rows), "range": [len(rows) - 0.5, -0.5], "showgrid": False},
        max(260, 60 + 34 * len(rows)),
    )
    if len(rows) * len(columns) <= MOST_TEXTS:
        made["annotations"] = _texts(grid, colours, sum(ends) / 2)
    made["plot_bgcolor"] = "#f2f2f2"
    if values:  # room for the colour bar beside the buttons
        made["margin"]["r"] = 160
    return {"data": [heat], "layout": made}
