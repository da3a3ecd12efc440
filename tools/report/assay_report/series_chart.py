# SPDX-License-Identifier: Apache-2.0
"""The numbers of a series in one chart: a line for each combination of levels, of all campaigns, variants or states of the cores that have it."""

import math
from dataclasses import dataclass, field
from typing import Any

from assay_report import drawing
from assay_report.campaign import Series
from assay_report.core_states import AS_FOUND
from assay_report.drawing import Figure, safe
from assay_report.levels import Level, Point, is_size, level_text, shown_level, subject_of
from assay_report.lines import Line, Spot, is_number, spot_of
from assay_report.marks import doubt_text, is_marked
from assay_report.numbers import Scale, shown
from assay_report.printable import printable
from assay_report.reach import Place, Reach, reach_of
from assay_report.tables import further_results, has_states, shown_results, varying_factors

Record = dict[str, Any]
MOST_LINES = 16
MOST_TICKS = 16
MOST_TEXTS = 8  # values that are written beside their marks
_MANY_TICKS = 30.0  # from the least value to the largest: powers of ten are written only
_LONGEST_NAME = 42  # letters
_LEGEND_ROOM = 450  # pixels that a row of the legend has on a card
HOLLOW = "-open"
# The same in every chart, as over time.
_OF_STATES = {"alone": drawing.COLOURS[0], "shared": drawing.COLOURS[1], "mixed": drawing.COLOURS[5], AS_FOUND: "#8A8A8A"}


@dataclass
class Source:
    """A series of one campaign; the label tells campaigns apart where there are several."""

    label: str
    series: Series


@dataclass
class _Lines:
    """Lines with what was left out of them."""

    lines: dict[tuple[str, str], Line] = field(default_factory=dict)
    title: str = ""  # of the legend
    minor: int = 0
    without: int = 0


def _hue_kind(sources: list[Source], factor: str | None) -> str:
    """What colours tell apart: campaigns, else variants, else states of the cores; nothing where there is one of each."""
    if len(sources) > 1:
        return "campaign"
    if factor != "variant" and "variant" in varying_factors(sources[0].series):
        return "variant"
    return "state" if has_states(sources[0].series) else ""


def _is_minor(result: Record) -> bool:
    """Whether a result is of a regime beside the one that counts."""
    return result["verdict"]["outcome"] == "open" and not result["verdict"]["reason"].startswith("other state")


def _results(point: Record, kind: str) -> list[Record]:
    return shown_results(point) + (further_results(point) if kind == "state" else [])


def _hue_of(source: Source, point: Record, result: Record, kind: str) -> str:
    if kind == "campaign":
        return source.label
    if kind == "variant":
        return shown_level(point["point"], "variant")
    return printable(result.get("state", AS_FOUND)).split(",")[0] if kind == "state" else ""


def _levels(point: Point, factors: list[str]) -> str:
    """The levels of a line: one alone needs no name, which the legend has."""
    return shown_level(point, factors[0]) if len(factors) == 1 else subject_of(point, factors)


def _has_regimes(sources: list[Source]) -> bool:
    points = [point for source in sources for point in source.series.points]
    return len({result["regime"] for point in points for result in shown_results(point)}) > 1


def _where(source: Source, result: Record, kind: str) -> str:
    """What pointing at a value says before all else."""
    if kind == "state":
        return f"cores {printable(result.get('state', AS_FOUND))}"
    return source.label if kind == "campaign" else ""


def _collected(sources: list[Source], factor: str | None, quantity: str, words: bool) -> _Lines:
    """Lines by hue and levels; over words, where no line is drawn, regimes are told by pointing, and minor ones are left to the table."""
    found = _Lines()
    kind = _hue_kind(sources, factor)
    varying = list(dict.fromkeys(name for source in sources for name in varying_factors(source.series)))
    others = [name for name in varying if name not in {factor, kind}]
    found.title = " and ".join(filter(None, [kind.replace("state", "cores"), *others])) if len(others) < 2 else kind
    by_regime = not words and _has_regimes(sources)
    for source, point in ((source, point) for source in sources for point in source.series.points):
        level = point["point"].get(factor, "-") if factor else quantity
        found.without += not point["results"]
        own = [result for result in _results(point, kind) if result["quantity"] == quantity]
        shown_ones = [result for result in own if not (words and _is_minor(result))]
        found.minor += len(own) - len(shown_ones)
        for result in shown_ones:
            hue = _hue_of(source, point, result, kind)
            rest = " ".join(filter(None, [_levels(point["point"], others), result["regime"] if by_regime else ""]))
            name = ", ".join(filter(None, [hue, rest])) or quantity
            line = found.lines.setdefault((hue, rest), Line(name, hue=hue))
            line.spots.append(spot_of(point, result, level, varying, _where(source, result, kind)))
    return found


def _styles(lines: dict[tuple[str, str], Line]) -> list[tuple[str, str, str]]:
    """Colour, symbol and dash of each line: colours by hue and symbols by the rest where there are hues."""
    hues = list(dict.fromkeys(hue for hue, _ in lines))
    rests = list(dict.fromkeys(rest for _, rest in lines))
    if len(hues) < 2:
        return [drawing.style_of(number) for number in range(len(lines))]
    styles = []
    for hue, rest in lines:
        symbol_number = rests.index(rest) if len(rests) > 1 else hues.index(hue)
        _, symbol, dash = drawing.style_of(symbol_number)
        colour = _OF_STATES.get(hue) or drawing.COLOURS[hues.index(hue) % len(drawing.COLOURS)]
        styles.append((colour, symbol, dash))
    return styles


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


def _line_traces(line: Line, style: tuple[str, str, str], size: float) -> list[dict[str, Any]]:
    colour, _, dash = style
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


@dataclass
class _Frame:
    """What all traces of a chart share."""

    scale: Scale
    reach: Reach
    words: bool
    with_texts: bool


def _beyond(spot: Spot, frame: _Frame) -> str:
    """The symbol of a value that is beyond the axis; empty for the others."""
    place = spot.value / frame.scale.size
    shown_place = frame.reach.shown(place)
    return "" if shown_place == place else "triangle-up" if place > shown_place else "triangle-down"


def _text(spot: Spot, line: Line, scale: Scale) -> str:
    """What stands beside a value; nothing where the line has another at this level, which it would hide."""
    first = next(other for other in line.spots if other.level == spot.level)
    return shown(spot.value, spot.low, spot.high, scale).value if first is spot else ""


def _spot_trace(line: Line, spots: list[Spot], number: int, style: tuple[str, str, str], frame: _Frame) -> dict[str, Any]:
    """Values of a line that are alike in whether they can be relied on."""
    colour, symbol, _ = style
    size, hollow = frame.scale.size, is_marked(spots[0].marks)
    name = drawing.shortened(line.name, _LONGEST_NAME)
    if hollow:
        doubts = {word for spot in spots for word in doubt_text(spot.verdict, spot.marks).split(", ")}
        doubts -= {"other state", "short-term"} if line.hue else set()  # which the colour says
        room = max(12, _LONGEST_NAME - 18 - len(name))
        name += " — not relied on: " + drawing.shortened(", ".join(sorted(doubts)), room) if doubts else ""
    reaches = [
        (0.0, 0.0) if math.isnan(spot.high) else (spot.high - spot.value, spot.value - spot.low) for spot in spots
    ]
    symbols = [(_beyond(spot, frame) or symbol) + (HOLLOW if hollow else "") for spot in spots]
    texts: dict[str, Any] = {}
    if frame.with_texts:
        texts = {
            "mode": "markers+text",
            "text": [_text(spot, line, frame.scale) for spot in spots],
            "textposition": "middle right",
            "cliponaxis": False,
        }
    return drawing.trace(
        x=[safe(level_text(spot.level)) if frame.words else spot.level for spot in spots],
        y=drawing.rounded(frame.reach.shown(spot.value / size) for spot in spots),
        name=name,
        legendgroup=line.name,
        offsetgroup=str(number),
        showlegend=not hollow or all(is_marked(spot.marks) for spot in line.spots),
        hovertext=[spot.hover for spot in spots],
        marker={
            "color": colour,
            "symbol": symbols if len(set(symbols)) > 1 else symbols[0],
            "size": 9 if hollow else 7,
            "line": {"width": 1.5, "color": colour},
        },
        error_y={
            "type": "data",
            "symmetric": False,
            "thickness": 1,
            "width": 3,
            "color": colour,
            "array": [above / size for above, _ in reaches],
            "arrayminus": [below / size for _, below in reaches],
        },
        **texts,
    )


def _traces(lines: dict[tuple[str, str], Line], frame: _Frame) -> list[dict[str, Any]]:
    traces: list[dict[str, Any]] = []
    styles = _styles(lines)
    for number, (line, style) in enumerate(zip(lines.values(), styles, strict=True)):
        traces += [] if frame.words else _line_traces(line, style, frame.scale.size)
        for hollow in (False, True):
            some = [spot for spot in line.spots if is_marked(spot.marks) == hollow]
            traces += [_spot_trace(line, some, number, style, frame)] if some else []
    return traces


def _level_axis(factor: str | None, spots: list[Spot], words: bool) -> dict[str, Any]:
    """Words in their order; numbers with sizes as they are written."""
    if words:
        names = list(dict.fromkeys(level_text(spot.level) for spot in spots))
        return drawing.category_axis(safe(factor) if factor else "", names)
    levels: list[Level] = sorted({spot.level for spot in spots}, key=float)
    axis = drawing.axis(safe(factor or ""), [float(level) for level in levels])
    if factor and is_size(factor) and 0 < len(levels) <= MOST_TICKS:
        places = _apart([float(level) for level in levels], axis["type"] == "log")
        axis.update(
            tickmode="array",
            tickvals=[levels[at] for at in places],
            ticktext=[shown_level({factor: levels[at]}, factor) for at in places],
        )
    return axis


def _apart(levels: list[float], is_log: bool) -> list[int]:
    """Which ticks are written: none so near to the one before that their texts would meet."""
    places = [math.log10(level) for level in levels] if is_log else levels
    least = (places[-1] - places[0]) / 12
    kept: list[int] = []
    for at, place in enumerate(places):
        if not kept or place - places[kept[-1]] >= least:
            kept.append(at)
    return kept


def _value_axis(quantity: str, spots: list[Spot], scale: Scale, reach: Reach) -> dict[str, Any]:
    """From zero, unless the values range so far that a logarithmic axis is read better."""
    known = [spot.value / scale.size for spot in spots]
    ends = [reach.shown(value) for value in known] if reach.is_log else [0.0]
    axis = drawing.axis(f"{safe(quantity)}{drawing.unit_text(scale)}", ends)
    if reach.range is not None:
        axis["range"] = reach.range
    elif axis["type"] == "linear":
        axis["rangemode"] = "tozero"
    if axis["type"] == "log" and max(ends) / min(ends) > _MANY_TICKS:  # a card is low
        axis = {name: axis[name] for name in axis if name not in {"tickmode", "tickvals", "ticktext"}} | {"dtick": 1}
    return axis


def _height(traces: list[dict[str, Any]], title: str) -> int:
    """Of a chart with its legend, whose columns are as wide as its longest name."""
    names = [trace["name"] for trace in traces if trace.get("showlegend")]
    if len(names) < 2:
        return 235
    in_row = max(1, int((_LEGEND_ROOM - 6 * len(title)) / max(6 * len(name) + 46 for name in names)))
    return 222 + 19 * -(-len(names) // in_row)


def said_in_chart(reach: Reach) -> list[dict[str, Any]]:
    """What the chart says of places beyond its axis."""
    if not reach.words:
        return []
    place = {"xref": "paper", "yref": "paper", "x": 1, "y": 1, "xanchor": "right", "yanchor": "bottom"}
    looks = {"font": {"size": 11, "color": drawing.GREY}}
    return [{**place, **looks, "text": reach.words, "showarrow": False}]


def series_chart(sources: list[Source], factor: str | None, quantity: str) -> tuple[Figure, str] | None:
    """The chart and what must be said beside it; None where there is nothing to draw."""
    levels = [point["point"].get(factor) for source in sources for point in source.series.points] if factor else []
    words = not levels or not all(level is not None and is_number(level) for level in levels)
    found = _collected(sources, factor, quantity, words)
    if not found.lines:
        return None
    drawn = dict(list(found.lines.items())[:MOST_LINES])
    spots = [spot for line in drawn.values() for spot in line.spots]
    scale = drawing.scale_for([spot.value for spot in spots], _unit(sources, quantity))
    places = [
        Place(spot.value / scale.size, spot.low / scale.size, spot.high / scale.size, not is_marked(spot.marks))
        for spot in spots
    ]
    frame = _Frame(scale, reach_of(places), words, words and len(spots) <= MOST_TEXTS)
    more: dict[str, Any] = {"scattermode": "group", "scattergap": 0.4} if words else {}
    traces = _traces(drawn, frame)
    height = _height(traces, found.title)
    made = drawing.layout(
        _level_axis(factor, spots, words), _value_axis(quantity, spots, scale, frame.reach), height, **more
    )
    made["margin"] = {"l": 56, "r": 24, "t": 20, "b": 40}
    made["showlegend"] = len(drawn) > 1
    made["legend"]["font"] = {"size": 11}
    made["annotations"] = said_in_chart(frame.reach)
    made["legend"]["y"] = 1.14 if frame.reach.words else 1.02
    if found.title:
        made["legend"]["title"] = {"text": f"{safe(found.title)} ", "font": {"size": 11}}
    return {"data": traces, "layout": made}, " ".join(_notes(found))


def _unit(sources: list[Source], quantity: str) -> str:
    return next(
        result["unit"]
        for source in sources
        for point in source.series.points
        for result in point["results"]
        if result["quantity"] == quantity
    )


def _notes(found: _Lines) -> list[str]:
    """What the chart leaves out."""
    notes = []
    if len(found.lines) > MOST_LINES:
        notes.append(f"{MOST_LINES} of {len(found.lines)} lines are drawn, the first ones; the table has all.")
    if found.without:
        some = f"{found.without} point{' has' if found.without == 1 else 's have'}"
        notes.append(f"{some} no number; the table says why.")
    if found.minor:
        some = "1 minor regime stands" if found.minor == 1 else f"{found.minor} minor regimes stand"
        notes.append(f"{some} in the table only.")
    return notes
