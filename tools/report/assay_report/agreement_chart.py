# SPDX-License-Identifier: Apache-2.0
"""Predicted against measured values, both with their intervals; between the lines of the band a model is taken to agree."""

import math
from dataclasses import dataclass
from typing import Any

from assay_report import drawing
from assay_report.drawing import COLOURS, GREY, Figure
from assay_report.levels import subject_of, varies
from assay_report.numbers import Scale, fixed_text
from assay_report.predictions import AGREES, CANNOT_SAY, MISSES, TOLERANCE, Held, Number, Prediction

MOST_NAMED = 12  # misses with a name beside their marks
_STYLES = {AGREES: ("circle", 9), MISSES: ("x", 10), CANNOT_SAY: ("circle-open", 9)}
_WIDTH, _HEIGHT = 950, 360  # pixels of the axes on a usual screen, by which names are placed
_LETTER, _ROW = 6.2, 15.0  # pixels
_ROOM = 1.6  # beyond the last values
_FACTORS = ("channel", "vehicle", "placement", "members", "threads", "size", "start")


def names_of(predictions: list[Prediction]) -> list[str]:
    """A name for each: its formula, and the levels in which predictions of formulas differ."""
    by_formula: dict[str, list[Prediction]] = {}
    for one in predictions:
        by_formula.setdefault(one.formula, []).append(one)
    told = {
        formula: [factor for factor in _FACTORS if varies(factor, [one.point for one in some])]
        for formula, some in by_formula.items()
    }
    return [f"{one.formula} {subject_of(one.point, [name for name in told[one.formula] if name in one.point])}".strip() for one in predictions]


def ratio_text(ratio: Number) -> str:
    """"1.102 [1.085 .. 1.118]": predicted over measured."""
    if ratio.low != ratio.low or ratio.high != ratio.high:
        return f"{fixed_text(ratio.value, 3)} [no interval]"
    return f"{fixed_text(ratio.value, 3)} [{fixed_text(ratio.low, 3)} .. {fixed_text(ratio.high, 3)}]"


def error_bars(numbers: list[Number], scale: Scale, colour: str) -> dict[str, Any]:
    """Whiskers to the ends of intervals; none where there is none."""
    above = [0.0 if one.high != one.high else max(0.0, one.high - one.value) / scale.size for one in numbers]
    below = [0.0 if one.low != one.low else max(0.0, one.value - one.low) / scale.size for one in numbers]
    bars = {"type": "data", "symmetric": False, "thickness": 1.2, "width": 3, "color": colour}
    return {**bars, "array": drawing.rounded(above), "arrayminus": drawing.rounded(below)}


def hover_of(prediction: Prediction, name: str, unit: str) -> str:
    """What pointing at a value shows: what it is, both numbers, the ratio, the verdict with its reason, and from what it was predicted."""
    lines = [name, f"predicted: {prediction.predicted.text(unit)} {prediction.marks}".strip(), f"from {prediction.inputs}"]
    held = prediction.held
    if held is not None:
        lines.insert(1, f"measured: {held.measured.text(unit)} {held.marks}".strip())
        lines.append(f"predicted over measured: {ratio_text(held.ratio)}, {held.verdict}" + (f": {held.reason}" if held.reason else ""))
    return "<br>".join(drawing.shortened(line, 160) for line in lines)


def _trace(some: list[tuple[Prediction, Held, str]], verdict: str, colour: str, scale: Scale, unit: str) -> dict[str, Any]:
    """Predictions of one measurement with the same verdict."""
    symbol, size = _STYLES.get(verdict, _STYLES[CANNOT_SAY])
    measured = [held.measured for _, held, _ in some]
    predicted = [one.predicted for one, _, _ in some]
    return drawing.trace(
        x=drawing.rounded(one.value / scale.size for one in measured),
        y=drawing.rounded(one.value / scale.size for one in predicted),
        name=f"{drawing.shortened(some[0][0].measurement, 30)}: {verdict}",
        hovertext=[hover_of(one, name, unit) for one, _, name in some],
        marker={"symbol": symbol, "size": size, "color": colour, "line": {"width": 1.5, "color": colour}},
        error_x=error_bars(measured, scale, colour),
        error_y=error_bars(predicted, scale, colour),
    )


def _guides(low: float, high: float) -> list[dict[str, Any]]:
    """The band within which a model is taken to agree, and the diagonal."""
    ends = drawing.rounded([low, high])
    edge = {"mode": "lines", "line": {"width": 0, "color": GREY}, "showlegend": False}
    upper, lower = (drawing.rounded([low * factor, high * factor]) for factor in (1 + TOLERANCE, 1 / (1 + TOLERANCE)))
    return [
        drawing.trace(x=ends, y=lower, **edge),
        drawing.trace(x=ends, y=upper, **{**edge, "showlegend": True}, name=f"within {100 * TOLERANCE:g} %", fill="tonexty", fillcolor="rgba(120,120,120,0.22)"),
        drawing.trace(x=ends, y=ends, mode="lines", line={"width": 1, "dash": "dot", "color": GREY}, name="as measured"),
    ]


@dataclass(frozen=True)
class _Box:
    """Where a text stands, in pixels from the lower left."""

    left: float
    low: float
    right: float
    high: float

    def meets(self, other: "_Box") -> bool:
        """Whether both need the same place."""
        return self.left < other.right and other.left < self.right and self.low < other.high and other.low < self.high


def _box(x: float, y: float, ax: float, ay: float, name: str) -> _Box:
    """Of a name that is drawn so far from its mark; `ay` grows downwards."""
    left = x + ax - (_LETTER * len(name) if ax < 0 else 0)
    return _Box(left, y - ay - _ROW / 2, left + _LETTER * len(name), y - ay + _ROW / 2)


def _free_place(x: float, y: float, name: str, is_above: bool, taken: list[_Box]) -> tuple[float, float]:
    """How far from its mark a name stands: away from the diagonal, and where no other is, if there is such a place."""
    away = -1 if is_above else 1
    rows = (1, 2, 3, 4, 0, -1, -2, -3, -4, -5, -6, -7)
    places = [(_ROW * (1.5 if row in (0, 1) else 2.5) * side * away, _ROW * away * row) for row in rows for side in (1, -1)]
    for ax, ay in places:
        box = _box(x, y, ax, ay, name)
        is_inside = 0 <= box.left and box.right <= _WIDTH and 0 <= box.low and box.high <= _HEIGHT
        if is_inside and not any(box.meets(other) for other in taken):
            return ax, ay
    return places[0]


def _named(drawn: list[tuple[Prediction, Held, str]], scale: Scale, ends: tuple[float, float]) -> list[dict[str, Any]]:
    """The names of misses beside their marks, the largest values first."""
    low, high = (math.log10(end) for end in ends)
    places = {id(one): tuple(math.log10(value / scale.size) for value in (held.measured.value, one.predicted.value)) for one, held, _ in drawn}
    pixels = {key: (_WIDTH * (x - low) / (high - low), _HEIGHT * (y - low) / (high - low)) for key, (x, y) in places.items()}
    taken = [_Box(x - 7, y - 7, x + 7, y + 7) for x, y in pixels.values()]
    named = []
    for one, held, name in _misses(drawn)[:MOST_NAMED]:
        text = drawing.shortened(name, 60)
        at, (x, y) = places[id(one)], pixels[id(one)]
        ax, ay = _free_place(x, y, text, one.predicted.value > held.measured.value, taken)
        taken.append(_box(x, y, ax, ay, text))
        place = {"xref": "x", "yref": "y", "x": at[0], "y": at[1], "ax": ax, "ay": ay, "xanchor": "right" if ax < 0 else "left"}
        looks = {"arrowhead": 0, "arrowwidth": 1, "arrowcolor": GREY, "font": {"size": 11}, "bgcolor": "rgba(255,255,255,0.7)"}
        named.append({**place, "text": text, "showarrow": True, **looks})
    return named


def _misses(drawn: list[tuple[Prediction, Held, str]]) -> list[tuple[Prediction, Held, str]]:
    return sorted((one for one in drawn if one[1].verdict == MISSES), key=lambda one: -one[0].predicted.value)


def _axis(title: str, ends: tuple[float, float]) -> dict[str, Any]:
    """Logarithmic whatever the values: a factor is as long everywhere."""
    low, high = (math.log10(end) for end in ends)
    powers = range(math.floor(low), math.ceil(high) + 1)
    steps = (1,) if high - low > 3 else (1, 2, 5)
    places = [step * 10.0**power for power in powers for step in steps]
    return {
        **drawing.axis(title),
        "type": "log",
        "range": [low, high],
        "tickmode": "array",
        "tickvals": places,
        "ticktext": [f"{place:.12g}" for place in places],
    }


def agreement_chart(held: list[Prediction], unit: str) -> tuple[Figure, str] | None:
    """Predictions that stand beside a measured value, on logarithmic axes; None where there are none above 0."""
    drawn = [
        (one, one.held, name)
        for one, name in zip(held, names_of(held), strict=True)
        if one.held is not None and one.predicted.value > 0 and one.held.measured.value > 0
    ]
    if not drawn:
        return None
    values = [number.value for one, about, _ in drawn for number in (one.predicted, about.measured)]
    scale = drawing.scale_for(values, unit)
    ends = (min(values) / scale.size / _ROOM, max(values) / scale.size * _ROOM)
    colours = {name: COLOURS[at % len(COLOURS)] for at, name in enumerate(sorted({one.measurement for one, _, _ in drawn}))}
    groups: dict[tuple[str, str], list[tuple[Prediction, Held, str]]] = {}
    for one in sorted(drawn, key=lambda one: (one[0].measurement, one[1].verdict)):
        groups.setdefault((one[0].measurement, one[1].verdict), []).append(one)
    traces = [_trace(some, verdict, colours[of], scale, unit) for (of, verdict), some in groups.items()]
    rows = -(-(len(traces) + 2) // 4)
    shown_unit = drawing.unit_text(scale)
    made = drawing.layout(_axis(f"measured{shown_unit}", ends), _axis(f"predicted{shown_unit}", ends), _HEIGHT + 70 + 20 * rows)
    made["margin"] = {"l": 60, "r": 40, "t": 20, "b": 50}
    made["legend"]["traceorder"] = "normal"
    made["annotations"] = _named(drawn, scale, ends)
    return {"data": [*_guides(*ends), *traces], "layout": made}, _note(len(_misses(drawn)), len(held) - len(drawn))


def _note(misses: int, left_out: int) -> str:
    note = (
        f"Above the diagonal more is predicted than was measured. In the band a model is taken to agree ({100 * TOLERANCE:g} %), and outside where the "
        "interval of the ratio contains 1. Crosses: the model misses; hollow: nothing can be said, the table has the reason. "
        "Intervals of predictions are of the parameters alone; wide ones go on beyond the axes."
    )
    note += f" {MOST_NAMED} of {misses} misses are named." if misses > MOST_NAMED else ""
    return note + (f" {left_out} that are not above 0 stand in the table only." if left_out else "")
