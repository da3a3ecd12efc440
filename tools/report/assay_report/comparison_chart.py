# SPDX-License-Identifier: Apache-2.0
"""What changed: ratios with their intervals, sorted by effect, with the verdicts that the program gave."""

import math
from typing import Any

from assay_report import drawing
from assay_report.drawing import Figure
from assay_report.levels import Point, decoded, factors_of, subject_of, varies
from assay_report.numbers import fixed_text
from assay_report.printable import printable

Record = dict[str, Any]
MOST_ROWS = 60
_STYLES = {
    "slower": ("triangle-right", 1),
    "faster": ("triangle-left", 2),
    "possibly slower": ("triangle-right-open", 1),
    "possibly faster": ("triangle-left-open", 2),
    "same": ("circle", 0),
    "unclear": ("circle-open", 6),
}
_ORDER = {"slower": 0, "faster": 0, "possibly slower": 0, "possibly faster": 0, "unclear": 1, "same": 1}


def sorted_results(comparison: Record) -> list[Record]:
    """Changes first, then by the size of the effect."""

    def effect(row: Record) -> float:
        shift = float(row["shift"])
        return abs(math.log(shift)) if row["scale"] == "ratio" and shift > 0 else abs(shift)

    return sorted(
        comparison["results"],
        key=lambda row: (_ORDER.get(row["verdict"], 2), -effect(row) if math.isfinite(effect(row)) else 0),
    )


def names_of(rows: list[Record]) -> list[str]:
    """A name per row: series, the levels in which its rows differ, and the quantity where there are several."""
    points: list[Point] = [decoded(row["point"]) for row in rows]
    by_series: dict[str, list[Point]] = {}
    for row, point in zip(rows, points, strict=True):
        by_series.setdefault(row["series"], []).append(point)
    factors = {name: [one for one in factors_of(some) if varies(one, some)] for name, some in by_series.items()}
    several = len({row.get("quantity") for row in rows}) > 1
    names = []
    for row, point in zip(rows, points, strict=True):
        where = subject_of(point, [factor for factor in factors[row["series"]] if factor in point])
        names.append(
            " ".join(filter(None, [printable(row["series"]), where, printable(row["quantity"]) if several else ""]))
        )
    return names


def change_text(row: Record) -> str:
    """The shift with its interval: "1.102 [1.085 .. 1.118]"."""
    if row["low"] is None:
        return f"{fixed_text(float(row['shift']), 4)} [no interval]"
    return f"{fixed_text(float(row['shift']), 4)} [{fixed_text(float(row['low']), 4)} .. {fixed_text(float(row['high']), 4)}]"


def _reach(row: Record) -> tuple[float, float]:
    """How far the interval goes below and above the ratio; nowhere where there is none."""
    shift = float(row["shift"])
    if row["low"] is None:
        return (0.0, 0.0)
    return (max(0.0, shift - float(row["low"])), max(0.0, float(row["high"]) - shift))


def _verdict_trace(verdict: str, drawn: list[Record], names: list[str], labels: list[str]) -> dict[str, Any] | None:
    symbol, colour_number = _STYLES[verdict]
    at = [number for number, row in enumerate(drawn) if row["verdict"] == verdict]
    if not at:
        return None
    colour = drawing.COLOURS[colour_number]
    hover = [f"{drawing.shortened(names[one], 160)}<br>{change_text(drawn[one])}<br>{verdict}" for one in at]
    below, above = zip(*(_reach(drawn[one]) for one in at), strict=True)
    bars = {"type": "data", "symmetric": False, "color": colour, "thickness": 1.5}
    return drawing.trace(
        x=drawing.rounded(float(drawn[one]["shift"]) for one in at),
        y=[labels[one] for one in at],
        name=verdict,
        hovertext=hover,
        marker={"symbol": symbol, "size": 11, "color": colour, "line": {"width": 1.5, "color": colour}},
        error_x={**bars, "array": list(above), "arrayminus": list(below)},
    )


def _ends(rows: list[Record]) -> list[float]:
    """Where the ratios and their intervals lie, which decides whether the axis is logarithmic; 1 is always there."""
    reached = [(float(row["shift"]), *_reach(row)) for row in rows]
    return [1.0, *(end for shift, below, above in reached for end in (shift - below, shift + above))]


def _margin_shapes(margin: float) -> list[dict[str, Any]]:
    whole = {"xref": "x", "yref": "paper", "y0": 0, "y1": 1}
    band = {"fillcolor": "#d9d9d9", "opacity": 0.6, "line": {"width": 0}, "layer": "below"}
    line = {"line": {"color": drawing.GREY, "width": 1, "dash": "dot"}}
    return [
        {"type": "rect", **whole, "x0": 1 / (1 + margin), "x1": 1 + margin, **band},
        {"type": "line", **whole, "x0": 1, "x1": 1, **line},
    ]


def comparison_chart(comparison: Record) -> tuple[Figure, str] | None:
    """The ratios B over A; differences, which have another axis, stand in the table only."""
    rows = [row for row in sorted_results(comparison) if row["scale"] == "ratio"]
    if not rows:
        return None
    drawn = rows[:MOST_ROWS]
    names = [f"{at + 1}. {name}" for at, name in enumerate(names_of(drawn))]
    labels = [drawing.shortened(name, 60) for name in names]
    traces = [one for verdict in _STYLES if (one := _verdict_trace(verdict, drawn, names, labels)) is not None]
    y = {
        **drawing.axis(""),
        "type": "category",
        "categoryorder": "array",
        "categoryarray": labels,
        "autorange": "reversed",
    }
    made = drawing.layout(drawing.axis("B over A (above 1: B is larger)", _ends(drawn)), y, 140 + 22 * len(drawn))
    made["shapes"] = _margin_shapes(float(comparison["margin"]))
    note = "The grey band is the margin within which a change does not matter."
    if len(rows) > MOST_ROWS:
        note += f" {MOST_ROWS} of {len(rows)} ratios are drawn, changes and largest effects first; the table has all."
    return {"data": traces, "layout": made}, note
