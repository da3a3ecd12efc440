# SPDX-License-Identifier: Apache-2.0
"""Predicted times by the number of members, a curve with its band for each formula, and on it what was measured."""

import math
from dataclasses import dataclass, field
from typing import Any

from assay_report import drawing
from assay_report.agreement_chart import error_bars, hover_of
from assay_report.drawing import Figure
from assay_report.levels import Point, order_key, subject_of, varies
from assay_report.marks import is_marked
from assay_report.numbers import Scale
from assay_report.predictions import CANNOT_SAY, Prediction
from assay_report.reach import Place, Reach, reach_of
from assay_report.series_chart import said_in_chart

MOST_CHARTS = 12
_LEVELS = ("channel", "vehicle", "placement", "threads", "size", "start")  # that a curve is at
_LEGEND_ROOM = 450  # pixels of a row


@dataclass
class _Curve:
    """What one formula predicts at one place, by members; what was measured there."""

    formula: str
    point: Point
    predicted: dict[float, Prediction] = field(default_factory=dict)
    measured: list[Prediction] = field(default_factory=list)

    @property
    def shape(self) -> tuple[tuple[float, float, float, float], ...]:
        """The same for curves that lie on each other."""
        return tuple((members, *map(_place, (one.predicted.value, one.predicted.low, one.predicted.high))) for members, one in sorted(self.predicted.items()))

    @property
    def marks(self) -> str:
        """Those of the parameters, but for a short term, which forbids nothing."""
        return "".join(dict.fromkeys(mark for one in self.predicted.values() for mark in one.marks if is_marked(mark)))


def _place(value: float) -> float:
    return -1.0 if math.isnan(value) else value


def _members(prediction: Prediction) -> float:
    members = prediction.point.get("members")
    return float(members) if isinstance(members, int | float) else math.nan


def _curves(some: list[Prediction]) -> list[_Curve]:
    """The curves of a formula with two numbers of members or more. A level that not all of its predictions have does not matter to it."""
    common = [name for name in _LEVELS if all(name in one.point for one in some)]
    curves: dict[str, _Curve] = {}
    for one in some:
        members = _members(one)
        if math.isnan(members) or not math.isfinite(one.predicted.value):
            continue
        point = {name: one.point[name] for name in common}
        curve = curves.setdefault(subject_of(point, common), _Curve(one.formula, point))
        curve.predicted.setdefault(members, one)
        if one.held is not None:
            curve.measured.append(one)
    return [curve for curve in curves.values() if len(curve.predicted) > 1]


def _kind(prediction: Prediction) -> tuple[str, str, str]:
    """What stands in one chart: a measurement's quantity, of collective operations one of them."""
    words = prediction.formula.split("-")
    is_collective = prediction.measurement == "mpi/collective" and len(words) > 1
    return prediction.measurement, words[1] if is_collective else "", prediction.quantity


@dataclass
class _Chart:
    """Curves that are drawn together."""

    title: str
    quantity: str
    curves: list[_Curve] = field(default_factory=list)

    @property
    def measured(self) -> list[Prediction]:
        """All measured values."""
        return [one for curve in self.curves for one in curve.measured]


def _charts(predictions: list[Prediction]) -> list[_Chart]:
    """Those with measured values first."""
    by_formula: dict[tuple[tuple[str, str, str], str], list[Prediction]] = {}
    for one in predictions:
        by_formula.setdefault((_kind(one), one.formula), []).append(one)
    found = [(kind, curve) for (kind, _), some in by_formula.items() for curve in _curves(some)]
    differing = [name for name in _LEVELS if varies(name, [curve.point for _, curve in found])] if found else []
    charts: dict[tuple[Any, ...], _Chart] = {}
    for kind, curve in sorted(found, key=lambda one: order_key(one[1].point, differing)):
        where = subject_of(curve.point, [name for name in differing if name in curve.point])
        title = f"{' '.join(filter(None, kind[:2]))}, {kind[2]} by members{', ' + where if where else ''}"
        charts.setdefault((kind, where), _Chart(title, kind[2])).curves.append(curve)
    return sorted(charts.values(), key=lambda one: not one.measured)


def _band(curve: _Curve, colour: str, scale: Scale) -> list[dict[str, Any]]:
    members = sorted(curve.predicted)
    numbers = [curve.predicted[at].predicted for at in members]
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    edge = {"mode": "lines", "line": {"width": 0, "color": colour}, "showlegend": False, "connectgaps": False, "legendgroup": curve.formula}
    return [
        drawing.trace(x=members, y=drawing.rounded(one.low / scale.size for one in numbers), **edge),
        drawing.trace(x=members, y=drawing.rounded(one.high / scale.size for one in numbers), **edge, fill="tonexty", fillcolor=f"rgba({red},{green},{blue},0.22)"),
    ]


def _curve_traces(same: list[_Curve], style: tuple[str, str, str], scale: Scale, unit: str) -> list[dict[str, Any]]:
    """A curve, which stands for all that lie on it, with its band."""
    colour, _, dash = style
    curve = same[0]
    members = sorted(curve.predicted)
    names = _names(same)
    marks = curve.marks
    line = drawing.trace(
        x=members,
        y=drawing.rounded(curve.predicted[at].predicted.value / scale.size for at in members),
        name=drawing.shortened(names, 56) + (f" {marks}" if marks else ""),
        legendgroup=curve.formula,
        mode="lines+markers",
        line={"color": colour, "dash": dash, "width": 1.5},
        marker={"size": 4, "color": colour, "symbol": "circle"},
        hovertext=[hover_of(curve.predicted[at], f"{names} members={at:g}", unit) for at in members],
    )
    return [*_band(curve, colour, scale), line]


def _measured_trace(curve: _Curve, style: tuple[str, str, str], scale: Scale, unit: str, reach: Reach, is_drawn: bool) -> dict[str, Any]:
    """What was measured of what a curve predicts; `is_drawn`: the curve has a line of its own, whose colour says what this is."""
    colour, symbol, _ = style
    spots = [(one, one.held) for one in curve.measured if one.held is not None]
    measured = [held.measured for _, held in spots]
    hollow = [held.verdict == CANNOT_SAY for _, held in spots]
    return drawing.trace(
        x=[_members(one) for one, _ in spots],
        y=drawing.rounded(reach.shown(one.value / scale.size) for one in measured),
        name=f"{drawing.shortened(curve.formula, 40)}: measured",
        legendgroup=curve.formula,
        showlegend=not is_drawn,
        hovertext=[hover_of(one, f"{curve.formula} {subject_of(one.point, [name for name in one.point if name != 'vehicle'])}", unit) for one, _ in spots],
        marker={"symbol": [symbol + ("-open" if is_hollow else "") for is_hollow in hollow], "size": 10, "color": colour, "line": {"width": 1.5, "color": colour}},
        error_y=error_bars(measured, scale, colour),
    )


def _member_axis(counts: list[float]) -> dict[str, Any]:
    """Logarithmic, with the numbers that were asked for; none so near to the one before that their texts would meet."""
    reach = math.log(counts[-1] / counts[0])
    ticks: list[float] = []
    for count in counts:
        if not ticks or math.log(count / ticks[-1]) >= reach / 14:
            ticks.append(count)
    return {**drawing.axis("members"), "type": "log", "tickmode": "array", "tickvals": ticks, "ticktext": [f"{tick:.12g}" for tick in ticks]}


def _height(traces: list[dict[str, Any]]) -> int:
    names = [trace["name"] for trace in traces if trace.get("showlegend", True)]
    in_row = max(1, _LEGEND_ROOM // max(6 * len(name) + 46 for name in names))
    return 290 + 19 * -(-len(names) // in_row)


def _places(chart: _Chart, size: float) -> list[Place]:
    """All that is drawn: what is predicted, and what was measured, which is relied on where something can be said."""
    numbers = [(one.predicted, True) for curve in chart.curves for one in curve.predicted.values()]
    numbers += [(one.held.measured, one.held.verdict != CANNOT_SAY) for one in chart.measured if one.held is not None]
    return [Place(one.value / size, one.low / size, one.high / size, is_sound) for one, is_sound in numbers]


def _value_axis(chart: _Chart, scale: Scale) -> tuple[dict[str, Any], Reach]:
    """From zero, unless the values range far; a few wide intervals do not stretch it."""
    places = _places(chart, scale.size)
    reach = reach_of(places)
    axis = drawing.axis(f"{drawing.safe(chart.quantity)}{drawing.unit_text(scale)}", [reach.shown(one.value) for one in places] if reach.is_log else [0.0])
    if reach.range is not None:
        axis["range"] = reach.range
    elif axis["type"] == "linear":
        axis["rangemode"] = "tozero"
    return axis, reach


def _names(same: list[_Curve]) -> str:
    """The formulas of curves that lie on each other: "throughput-ticket, -mcs"."""
    words = [curve.formula.split("-") for curve in same]
    common = 0
    while all(len(one) > common + 1 and one[common] == words[0][common] for one in words):
        common += 1
    return ", ".join([same[0].formula, *("-" * (common > 0) + "-".join(one[common:]) for one in words[1:])])


def _figure(chart: _Chart, unit: str) -> Figure:
    predicted = [one.predicted.value for curve in chart.curves for one in curve.predicted.values()]
    values = predicted + [one.held.measured.value for one in chart.measured if one.held is not None]
    scale = drawing.scale_for(values, unit)
    y, reach = _value_axis(chart, scale)
    shapes: dict[tuple[Any, ...], list[_Curve]] = {}
    for curve in chart.curves:
        shapes.setdefault(curve.shape, []).append(curve)
    styles = {id(curve): drawing.style_of(number) for number, curve in enumerate(chart.curves)}
    traces = [trace for same in shapes.values() for trace in _curve_traces(same, styles[id(same[0])], scale, unit)]
    drawn = {id(same[0]) for same in shapes.values()}
    traces += [_measured_trace(curve, styles[id(curve)], scale, unit, reach, id(curve) in drawn) for curve in chart.curves if curve.measured]
    counts = sorted({members for curve in chart.curves for members in curve.predicted})
    made = drawing.layout(_member_axis(counts), y, _height(traces))
    made["margin"] = {"l": 56, "r": 24, "t": 20, "b": 40}
    made["showlegend"] = True
    made["annotations"] = said_in_chart(reach)
    made["legend"].update(font={"size": 11}, tracegroupgap=0, y=1.1 if reach.words else 1.02)
    return {"data": traces, "layout": made}


def _note(chart: _Chart) -> str:
    notes = [] if chart.measured else ["Nothing was measured of it."]
    if any(one.held is not None and one.held.verdict == CANNOT_SAY for one in chart.measured):
        notes.append("Hollow: nothing can be said of the prediction there.")
    if any(curve.marks for curve in chart.curves):
        notes.append("Marks behind a name are those of its parameters.")
    return " ".join(notes)


def scaling_charts(predictions: list[Prediction], unit: str) -> tuple[list[tuple[str, tuple[Figure, str]]], int]:
    """Titles and charts, and how many more there are; none where nothing is predicted for several numbers of members."""
    charts = _charts(predictions)
    drawn = [(chart.title, (_figure(chart, unit), _note(chart))) for chart in charts[:MOST_CHARTS]]
    return drawn, len(charts) - len(drawn)
