# SPDX-License-Identifier: Apache-2.0
"""Value against a factor: a line with its interval band for each combination of the other levels, marked points hollow beside it."""

import math
from dataclasses import dataclass, field
from typing import Any

from assay_report import drawing
from assay_report.campaign import Series
from assay_report.drawing import Figure, safe
from assay_report.levels import Level, is_size, level_text, shown_level, subject_of
from assay_report.marks import doubt_text, interval_of, is_marked, marks_of, unsteady_text, verdict_text
from assay_report.numbers import Scale, value_text
from assay_report.tables import shown_results, varying_factors

Record = dict[str, Any]
MOST_LINES = 16
MOST_TICKS = 16


@dataclass
class Spot:
    """One result at one level."""

    level: Level
    value: float
    low: float
    high: float
    marks: str
    verdict: str
    hover: str


@dataclass
class Line:
    """The results of one combination of the other levels, in the order of the factor."""

    name: str
    spots: list[Spot] = field(default_factory=list)


def hover_of(point: Record, result: Record, factors: list[str]) -> str:
    """What pointing at a result shows: where, value with interval, sample, verdict."""
    low, high = interval_of(result["headline"])
    lines = [
        subject_of(point["point"], factors),
        f"{result['quantity']}: {value_text(float(result['headline']['value']), low, high, result['unit'])}",
    ]
    lines.append(f"{result['summary']['n']} timings in {result['incarnations']} incarnations, {verdict_text(result)}")
    marks = marks_of(point, result)
    reason = result["verdict"]["reason"]
    lines += [f"marks: {marks}" + (f" ({reason})" if reason and "!" in marks else "")] if marks else []
    unsteady = unsteady_text(result)
    lines += [f"unsteady: {unsteady}"] if unsteady else []
    return "<br>".join(drawing.shortened(line, 160) for line in lines if line)


def is_number(level: Level) -> bool:
    """Whether a level has a place on an axis of numbers."""
    return not isinstance(level, str)


def main_factor(series: Series) -> str | None:
    """The factor to draw against: the quantitative one of most levels, else the one of most words."""
    counted = []
    for factor in varying_factors(series):
        levels = [point["point"].get(factor) for point in series.points]
        known = {level_text(level) for level in levels if level is not None}
        numeric = all(level is not None and is_number(level) for level in levels)
        counted.append((numeric and factor != "members", len(known), factor))
    return max(counted, key=lambda one: one[:2])[2] if counted else None


def quantities_of(series: Series) -> list[str]:
    """The quantities that have results, the primary one first."""
    names = [quantity["name"] for quantity in series.record["quantities"]]
    seen = dict.fromkeys(result["quantity"] for point in series.points for result in point["results"])
    return [name for name in names if name in seen] + [name for name in seen if name not in names]


def lines_of(series: Series, factor: str, quantity: str) -> list[Line]:
    """The lines of a quantity against a factor."""
    changing = varying_factors(series)
    others = [name for name in changing if name != factor]
    lines: dict[str, Line] = {}
    several = len({result["regime"] for point in series.points for result in shown_results(point)}) > 1
    for point in series.points:
        level = point["point"].get(factor)
        for result in shown_results(point):
            if level is None or result["quantity"] != quantity:
                continue
            name = subject_of(point["point"], others) + (f" {result['regime']}" if several else "")
            low, high = interval_of(result["headline"])
            spot = Spot(
                level,
                float(result["headline"]["value"]),
                low,
                high,
                marks_of(point, result),
                verdict_text(result),
                hover_of(point, result, changing),
            )
            lines.setdefault(name, Line(name.strip() or quantity)).spots.append(spot)
    return list(lines.values())


def _joined(line: Line, size: float) -> list[dict[str, Any]]:
    """Line and band through points that can be relied on, broken at those that cannot."""
    x: list[Any] = []
    rows: list[tuple[float, float, float] | None] = []
    for spot in line.spots:
        whole = not is_marked(spot.marks)
        x.append(spot.level if whole else None)
        rows.append((spot.value / size, spot.low / size, spot.high / size) if whole else None)
    columns = [[None if row is None else float(f"{row[at]:.7g}") for row in rows] for at in (0, 1, 2)]
    return [{"x": x, "y": column} for column in columns]


def _line_traces(line: Line, number: int, size: float) -> list[dict[str, Any]]:
    colour, _, dash = drawing.style_of(number)
    middle, low, high = _joined(line, size)
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    edge = {
        "mode": "lines",
        "line": {"width": 0, "color": colour},
        "showlegend": False,
        "legendgroup": line.name,
        "connectgaps": False,
    }
    return [
        drawing.trace(**low, **edge),
        drawing.trace(**high, **edge, fill="tonexty", fillcolor=f"rgba({red},{green},{blue},0.18)"),
        drawing.trace(
            **middle,
            mode="lines",
            line={"color": colour, "dash": dash, "width": 1.5},
            showlegend=False,
            legendgroup=line.name,
        ),
    ]


def _spot_trace(line: Line, spots: list[Spot], number: int, size: float, words: bool, hollow: bool) -> dict[str, Any]:
    colour, symbol, _ = drawing.style_of(number)
    name = drawing.shortened(line.name)
    if hollow:
        verdicts = sorted({word for spot in spots for word in doubt_text(spot.verdict, spot.marks).split(", ")})
        name += " — not relied on: " + drawing.shortened(", ".join(verdicts), 60)
    known = [not math.isnan(spot.high) for spot in spots]
    return drawing.trace(
        x=[safe(level_text(spot.level)) if words else spot.level for spot in spots],
        y=drawing.rounded(spot.value / size for spot in spots),
        name=name,
        legendgroup=line.name,
        offsetgroup=str(number),
        hovertext=[spot.hover for spot in spots],
        marker={
            "color": colour,
            "symbol": symbol + ("-open" if hollow else ""),
            "size": 9 if hollow else 7,
            "line": {"width": 1.5, "color": colour},
        },
        error_y={
            "type": "data",
            "symmetric": False,
            "thickness": 1,
            "width": 3,
            "color": colour,
            "array": [
                (spot.high - spot.value) / size if is_known else 0 for spot, is_known in zip(spots, known, strict=True)
            ],
            "arrayminus": [
                (spot.value - spot.low) / size if is_known else 0 for spot, is_known in zip(spots, known, strict=True)
            ],
        },
    )


def _without_number(series: Series, factor: str) -> int:
    return sum(1 for point in series.points if not point["results"] and factor in point["point"])


def curve_chart(series: Series, factor: str, quantity: str) -> tuple[Figure, str] | None:
    """The chart and what must be said beside it; None where there is nothing to draw."""
    lines = lines_of(series, factor, quantity)
    if not lines:
        return None
    shown_lines = lines[:MOST_LINES]
    spots = [spot for line in shown_lines for spot in line.spots]
    unit = next(
        result["unit"] for point in series.points for result in point["results"] if result["quantity"] == quantity
    )
    scale = drawing.scale_for([spot.value for spot in spots], unit)
    words = not all(is_number(spot.level) for spot in spots)
    grouped = {"scattermode": "group", "scattergap": 0.4} if words else {}
    made = drawing.layout(_level_axis(factor, spots, words), _value_axis(quantity, spots, scale), 460, **grouped)
    notes = [
        "Bands and whiskers are the headline intervals of medians; hollow points are not to be relied on and joined to none."
    ]
    if len(lines) > MOST_LINES:
        notes.append(f"{MOST_LINES} of {len(lines)} lines are drawn, the first ones; the table below has all.")
    missing = _without_number(series, factor)
    notes += [f"{missing} points have no number; the table says why."] if missing else []
    return {"data": _traces(shown_lines, scale.size, words), "layout": made}, " ".join(notes)


def _traces(lines: list[Line], size: float, words: bool) -> list[dict[str, Any]]:
    traces: list[dict[str, Any]] = []
    for number, line in enumerate(lines):
        traces += [] if words else _line_traces(line, number, size)
        for hollow in (False, True):
            some = [spot for spot in line.spots if is_marked(spot.marks) == hollow]
            traces += [_spot_trace(line, some, number, size, words, hollow)] if some else []
    return traces


def _level_axis(factor: str, spots: list[Spot], words: bool) -> dict[str, Any]:
    """Words in their order; numbers with sizes as they are written."""
    if words:
        return drawing.category_axis(safe(factor), list(dict.fromkeys(level_text(spot.level) for spot in spots)))
    axis = drawing.axis(safe(factor), [float(spot.level) for spot in spots])
    places = sorted({spot.level for spot in spots}) if is_size(factor) else []
    if 0 < len(places) <= MOST_TICKS:
        axis.update(
            tickmode="array", tickvals=places, ticktext=[shown_level({factor: place}, factor) for place in places]
        )
    return axis


def _value_axis(quantity: str, spots: list[Spot], scale: Scale) -> dict[str, Any]:
    """From zero, unless the values range so far that a logarithmic axis is read better."""
    ends = [value / scale.size for spot in spots for value in (spot.value, spot.low, spot.high)]
    axis = drawing.axis(f"{safe(quantity)}{drawing.unit_text(scale)}", ends)
    if axis["type"] == "linear":
        axis["rangemode"] = "tozero"
    return axis
