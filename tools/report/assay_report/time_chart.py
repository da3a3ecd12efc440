# SPDX-License-Identifier: Apache-2.0
"""The batches of a point in order of time, by the state of the cores or by incarnation; those that count for nothing have marks of their own."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from assay_report import drawing
from assay_report.core_states import AS_FOUND, UNSORTED
from assay_report.drawing import Figure, safe
from assay_report.marks import interval_of
from assay_report.numbers import value_text
from assay_report.parsers import COLOURINGS
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
    """Batches that are drawn alike."""

    name: str
    rows: np.ndarray
    symbol: str
    colour: str


def time_chart(detail: Detail, colouring: str = COLOURINGS[0]) -> tuple[Figure, str]:
    """Disturbed batches and those left out at a visit's start have marks; the line is the headline."""
    total = len(detail.batches)
    keep = _drawn(detail.batches)
    frame = detail.batches.iloc[keep]
    scale = drawing.scale_for([float(detail.result["headline"]["value"])], detail.result["unit"])
    values = frame["value"].to_numpy() / scale.size
    hover = _hover(frame, keep, values, drawing.unit_text(scale))
    band, line = _answer(detail, scale.size, total)
    traces = list(band)
    for kind in _kinds(frame, colouring):
        at = np.flatnonzero(kind.rows)
        if len(at):
            traces.append(_trace(kind, keep[at], values[at], [hover[one] for one in at]))
    x = drawing.axis("batches in order of time", [0.0])
    y = drawing.axis(f"{safe(detail.result['quantity'])}{drawing.unit_text(scale)}", values.tolist())
    notes = [f"{len(frame)} of {total} batches are drawn: evenly chosen, and the disturbed ones."]
    notes = notes if len(frame) < total else []
    reach = _reach(values) if y["type"] == "linear" else None
    if reach is not None:
        y["range"] = list(reach)
        beyond = int((values > reach[1]).sum())
        where = f"{reach[1]:.3g} {safe(scale.name)}".strip()
        notes.append(f"{beyond} above {where} {'lies' if beyond == 1 else 'lie'} beyond the axis; 'Autoscale' shows them all.")
    return {"data": [*traces, line], "layout": drawing.layout(x, y, 360)}, " ".join(notes)


def _reach(values: np.ndarray) -> tuple[float, float] | None:
    """The ends of an axis on which a few values far above all others do not make the rest one line; None without such."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return None
    low, usual = float(finite.min()), float(np.quantile(finite, 0.98))
    top = usual + 0.5 * (usual - low)
    if usual <= low or float(finite.max()) <= usual + 2 * (usual - low):
        return None
    return low - 0.1 * (top - low), top


def _drawn(frame: pd.DataFrame) -> np.ndarray:
    """Which batches are drawn: of many some, and the disturbed ones."""
    total = len(frame)
    if total <= MOST_BATCHES:
        return np.arange(total)
    evenly = np.linspace(0, total - 1, MOST_BATCHES * 2 // 3).astype(int)
    disturbed = np.flatnonzero(frame["disturbed"].to_numpy() != "")[: MOST_BATCHES // 3]
    return np.unique(np.concatenate([evenly, disturbed]))


def _states(frame: pd.DataFrame) -> np.ndarray:
    return frame["state"].to_numpy() if "state" in frame else np.full(len(frame), AS_FOUND)


def _kinds(frame: pd.DataFrame, colouring: str) -> list[_Kind]:
    disturbed, discarded = frame["disturbed"].to_numpy() != "", frame["discarded"].to_numpy()
    counts = ~disturbed & ~discarded
    by_state = colouring == "state" and _has_states(frame)
    kinds = _by_state(_states(frame), counts) if by_state else _by_incarnation(frame, counts)
    kinds.append(_Kind("left out at a visit's start", discarded & ~disturbed, "circle-open", drawing.GREY))
    cross = "#1b1b1b" if by_state else drawing.COLOURS[1]
    return [*kinds, _Kind("disturbed, left out", disturbed, "x-thin-open", cross)]


def _has_states(frame: pd.DataFrame) -> bool:
    """Whether anything is known of the cores during the batches."""
    return bool(np.isin(_states(frame), [AS_FOUND, UNSORTED], invert=True).any())


def _by_incarnation(frame: pd.DataFrame, counts: np.ndarray) -> list[_Kind]:
    even = frame["incarnation"].to_numpy() % 2 == 0
    return [
        _Kind("clean, even incarnations", counts & even, "circle", drawing.COLOURS[0]),
        _Kind("clean, odd incarnations", counts & ~even, "diamond", drawing.COLOURS[4]),
    ]


def _by_state(states: np.ndarray, counts: np.ndarray) -> list[_Kind]:
    kinds = []
    for state, (name, symbol, colour) in _USUAL.items():
        kinds.append(_Kind(name, counts & (states == state), symbol, colour))
    further = _further(states[counts])
    for state, colour, symbol in zip(further, _FURTHER, _FURTHER_SYMBOLS, strict=False):
        kinds.append(_Kind(drawing.shortened(state), counts & (states == state), symbol, colour))
    rare = counts & np.isin(states, [*_USUAL, *further], invert=True)
    return [*kinds, _Kind("other clocks and distances", rare, "triangle-down", drawing.GREY)]


def _further(states: np.ndarray) -> list[str]:
    """The states with clocks and distances of their own that are told apart: the most frequent ones, of a twentieth of the batches at least."""
    names, counts = np.unique(states[np.isin(states, list(_USUAL), invert=True)], return_counts=True)
    frequent = [(count, name) for name, count in zip(names, counts, strict=True) if 20 * count >= len(states)]
    return sorted(str(name) for _, name in sorted(frequent, reverse=True)[: len(_FURTHER)])


def _hover(frame: pd.DataFrame, order: np.ndarray, values: np.ndarray, unit: str) -> list[str]:
    cells = frame[["session", "incarnation", "visit", "disturbed"]].itertuples()
    return [
        f"batch {at}: {value:.5g}{unit}<br>session {row.session}, incarnation {row.incarnation}, visit {row.visit}"
        + (f"<br>cores {safe(state)}" if state not in (AS_FOUND, UNSORTED) else "")
        + (f"<br>disturbed: {safe(row.disturbed)}" if row.disturbed else "")
        for at, value, state, row in zip(order, values, _states(frame), cells, strict=True)
    ]


def _trace(kind: _Kind, order: np.ndarray, values: np.ndarray, hover: list[str]) -> dict[str, Any]:
    return drawing.trace(
        x=order.tolist(),
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
