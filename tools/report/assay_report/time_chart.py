# SPDX-License-Identifier: Apache-2.0
"""The batches of a point in order of time, by the state of the cores or by incarnation; those that count for nothing have marks of their own."""

import math
from dataclasses import dataclass
from typing import Any

from assay_report import drawing
from assay_report.batches import Batches
from assay_report.core_states import AS_FOUND, UNSORTED
from assay_report.drawing import Figure, safe
from assay_report.marks import interval_of
from assay_report.numbers import value_text
from assay_report.parsers import COLOURINGS
from assay_report.plain_math import chosen_evenly, quantile_of
from assay_report.sample_charts import Detail

MOST_BATCHES = 1200
_USUAL = {
    "alone": ("alone", "circle", drawing.COLOURS[0]),
    "mixed": ("mixed: it changed meanwhile", "diamond", drawing.COLOURS[5]),
    "shared": ("shared with other work", "triangle-up", drawing.COLOURS[1]),
    AS_FOUND: ("as found", "circle", "#8A8A8A"),
    UNSORTED: ("before it was calibrated again", "circle-open", "#8A8A8A"),
}
_FURTHER = ["#009E73", "#CC79A7", "#56B4E9", "#000000"]  # other clocks and distances
_FURTHER_SYMBOLS = ["square", "star", "pentagon", "hexagon"]


@dataclass
class _Kind:
    """Batches that are drawn alike, by their places among those that are drawn."""

    name: str
    rows: list[int]
    symbol: str
    colour: str


def time_chart(detail: Detail, colouring: str = COLOURINGS[0], most: int = MOST_BATCHES) -> tuple[Figure, str]:
    """Disturbed batches and those left out at a visit's start have marks; the line is the headline."""
    total = len(detail.batches)
    keep = _drawn(detail.batches, most)
    some = [detail.batches[at] for at in keep]
    scale = drawing.scale_for([float(detail.result["headline"]["value"])], detail.result["unit"])
    values = [batch.value / scale.size for batch in some]
    hover = _hover(some, keep, values, drawing.unit_text(scale))
    band, line = _answer(detail, scale.size, total)
    traces = list(band)
    for kind in _kinds(some, colouring):
        if kind.rows:
            traces.append(
                _trace(kind, [keep[at] for at in kind.rows], [values[at] for at in kind.rows], [hover[at] for at in kind.rows])
            )
    x = drawing.axis("batches in order of time", [0.0])
    y = drawing.axis(f"{safe(detail.result['quantity'])}{drawing.unit_text(scale)}", values)
    notes = [f"{len(some)} of {total} batches are drawn: evenly chosen, and disturbed ones."]
    notes = notes if len(some) < total else []
    reach = _reach(values) if y["type"] == "linear" else None
    if reach is not None:
        y["range"] = list(reach)
        beyond = sum(value > reach[1] for value in values)
        where = f"{reach[1]:.3g} {safe(scale.name)}".strip()
        notes.append(f"{beyond} above {where} {'lies' if beyond == 1 else 'lie'} beyond the axis; 'Autoscale' shows them all.")
    return {"data": [*traces, line], "layout": drawing.layout(x, y, 360)}, " ".join(notes)


def _reach(values: list[float]) -> tuple[float, float] | None:
    """The ends of an axis on which a few values far above all others do not make the rest one line; None without such."""
    finite = sorted(value for value in values if math.isfinite(value))
    if not finite:
        return None
    low, usual = finite[0], quantile_of(finite, 0.98)
    top = usual + 0.5 * (usual - low)
    if usual <= low or finite[-1] <= usual + 2 * (usual - low):
        return None
    return low - 0.1 * (top - low), top


def _drawn(batches: Batches, most: int) -> list[int]:
    """Which batches are drawn: of many some, and disturbed ones."""
    if len(batches) <= most:
        return list(range(len(batches)))
    disturbed = [at for at, batch in enumerate(batches) if batch.disturbed][: most // 3]
    return sorted({*chosen_evenly(len(batches), most * 2 // 3), *disturbed})


def _kinds(batches: Batches, colouring: str) -> list[_Kind]:
    disturbed = [at for at, batch in enumerate(batches) if batch.disturbed]
    discarded = [at for at, batch in enumerate(batches) if batch.discarded and not batch.disturbed]
    counts = [at for at, batch in enumerate(batches) if not batch.discarded and not batch.disturbed]
    by_state = colouring == "state" and any(batch.state not in (AS_FOUND, UNSORTED) for batch in batches)
    kinds = _by_state(batches, counts) if by_state else _by_incarnation(batches, counts)
    kinds.append(_Kind("left out at a visit's start", discarded, "circle-open", drawing.GREY))
    cross = "#1b1b1b" if by_state else drawing.COLOURS[1]
    return [*kinds, _Kind("disturbed, left out", disturbed, "x-thin-open", cross)]


def _by_incarnation(batches: Batches, counts: list[int]) -> list[_Kind]:
    even = [at for at in counts if batches[at].incarnation % 2 == 0]
    odd = [at for at in counts if batches[at].incarnation % 2]
    return [
        _Kind("clean, even incarnations", even, "circle", drawing.COLOURS[0]),
        _Kind("clean, odd incarnations", odd, "diamond", drawing.COLOURS[4]),
    ]


def _by_state(batches: Batches, counts: list[int]) -> list[_Kind]:
    of_state: dict[str, list[int]] = {}
    for at in counts:
        of_state.setdefault(batches[at].state, []).append(at)
    kinds = [_Kind(name, of_state.get(state, []), *looks) for state, (name, *looks) in _USUAL.items()]
    further = _further({state: len(at) for state, at in of_state.items()}, len(counts))
    for state, colour, symbol in zip(further, _FURTHER, _FURTHER_SYMBOLS, strict=False):
        kinds.append(_Kind(drawing.shortened(state), of_state[state], symbol, colour))
    rare = sorted(at for state, places in of_state.items() if state not in {*_USUAL, *further} for at in places)
    return [*kinds, _Kind("other clocks and distances", rare, "triangle-down", drawing.GREY)]


def _further(counts: dict[str, int], total: int) -> list[str]:
    """The states with clocks and distances of their own that are told apart: the most frequent ones, of a twentieth of the batches at least."""
    frequent = [(count, name) for name, count in counts.items() if name not in _USUAL and 20 * count >= total]
    return sorted(name for _, name in sorted(frequent, reverse=True)[: len(_FURTHER)])


def _hover(batches: Batches, order: list[int], values: list[float], unit: str) -> list[str]:
    return [
        f"batch {at}: {value:.5g}{unit}<br>session {batch.session}, incarnation {batch.incarnation}, visit {batch.visit}"
        + (f"<br>cores {safe(batch.state)}" if batch.state not in (AS_FOUND, UNSORTED) else "")
        + (f"<br>disturbed: {safe(batch.disturbed)}" if batch.disturbed else "")
        for at, value, batch in zip(order, values, batches, strict=True)
    ]


def _trace(kind: _Kind, order: list[int], values: list[float], hover: list[str]) -> dict[str, Any]:
    return drawing.trace(
        x=order,
        y=drawing.rounded(values, 5),
        name=f"{kind.name} ({len(order)})",
        hovertext=hover,
        marker={
            "symbol": kind.symbol,
            "size": 8 if "x" in kind.symbol else 5,
            "color": kind.colour,
            "line": {"width": 1.5 if "open" in kind.symbol else 0, "color": kind.colour},
        },
    )


def _answer(detail: Detail, size: float, total: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The interval as a band, if there is one, and the estimate as a line."""
    result = detail.result
    value, (low, high) = float(result["headline"]["value"]), interval_of(result["headline"])
    text = value_text(value, low, high, result["unit"])
    state = f", {safe(result['state'])}" if result.get("state", AS_FOUND) != AS_FOUND else ""
    name = f"headline: {safe(text)}{state}"
    ends = [0, max(1, total - 1)]
    line = {"color": "#1b1b1b", "width": 1.5, "dash": "dot"}
    drawn = drawing.trace(x=ends, y=drawing.rounded([value / size] * 2), mode="lines", name=name, line=line)
    if math.isnan(low):
        return [], drawn
    bounds = drawing.rounded([low / size, low / size, high / size, high / size])
    band = {"fill": "toself", "fillcolor": "rgba(27,27,27,0.13)", "line": {"width": 0}}
    return [drawing.trace(x=[*ends, *ends[::-1]], y=bounds, mode="lines", showlegend=False, **band)], drawn
