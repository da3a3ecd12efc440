# SPDX-License-Identifier: Apache-2.0
"""The state of the cores over the time of a campaign: a strip per CPU, its clock beneath, and distances where there are several."""

import math
from itertools import pairwise
from typing import Any

from assay_report import drawing
from assay_report.core_states import ALONE, MIXED, SHARED, UNKNOWN
from assay_report.core_strips import CoreStrips
from assay_report.drawing import Figure, safe
from assay_report.node_cpu import NodeCpu, cpus_text
from assay_report.numbers import percent_text, shortest_text
from assay_report.plain_math import median_of
from assay_report.printable import printable

MOST_BINS = 240
MOST_BARS = 9000  # more are slow to draw
MOST_CPUS = 48
MOST_NAMED = 6  # lines of their own in the legend
MOST_CLOCKS = 60  # bins of the clock: wider ones, since a clock changes slowly
LEAST_CLOCKS = 8  # readings in such a bin: a few may have been interrupted
MOST_DISTANCES = 1500
COLOURS_OF_STATES = {ALONE: "#0072B2", MIXED: "#F2C14E", SHARED: "#D55E00", UNKNOWN: "#C9C9C9"}
WORDS_OF_STATES = {
    ALONE: "alone",
    MIXED: "mixed: it changed during a batch",
    SHARED: "shared with other work",
    UNKNOWN: "not known",
}
_SHORT = {ALONE: "alone", MIXED: "mixed", SHARED: "shared", UNKNOWN: "not known"}
_LINES = ["#000000", "#009E73", "#CC79A7", "#56B4E9"]  # none of the states' colours
_FILL = 0.86  # of a row
_ROW, _CLOCK, _DISTANCES, _GAP, _AROUND = 46, 90, 130, 26, 120  # pixels
_UNITS = [("h", 3600e9, 2 * 3600e9), ("min", 60e9, 300e9), ("s", 1e9, 0.0)]  # name, ns, from which length on


def time_unit(length_ns: float) -> tuple[str, float]:
    """A unit for an axis of so much time, and its size in ns."""
    return next((name, size) for name, size, least in _UNITS if length_ns >= least)


def cores_chart(strips: CoreStrips, levels: list[float]) -> tuple[Figure, str]:
    """The figure, and what must be said of it. `levels`: the distances that were common, in ns."""
    cpus = strips.most_read(MOST_CPUS)
    edges = strips.bins(max(24, min(MOST_BINS, MOST_BARS // (4 * len(cpus)))))
    name, size = time_unit(strips.end)
    panels = _Panels(len(cpus), len(levels) > 1)
    traces = _strip_traces(strips, cpus, edges, (name, size))
    clocks, clock_axis = _clock_traces(strips, cpus, (name, size))
    traces += clocks
    if panels.has_distances:
        traces += _distance_traces(strips, (name, size))
    x = drawing.axis(f"time of measuring ({name})", [0.0])
    x.update(range=[0.0, strips.end / size], showgrid=False, anchor=panels.lowest)
    layout = drawing.layout(x, panels.strip_axis(cpus), panels.height)
    layout.update(barmode="overlay", bargap=0, yaxis2={**clock_axis, "domain": panels.clock})
    if panels.has_distances:
        values = [one.value for one in strips.distances] + levels
        layout["yaxis3"] = {**drawing.axis("distance (ns)", values), "domain": panels.distances}
    layout["shapes"], layout["annotations"] = _sessions(strips, size)
    layout["legend"]["y"] = 1 + (26 if len(strips.starts) > 1 else 8) / panels.inside
    layout["shapes"] += [_level_line(level, strips.end / size) for level in levels if panels.has_distances]
    return {"data": traces, "layout": layout}, _note(strips, cpus, edges)


class _Panels:
    """Where the parts of the figure are, from the top: strips, clock, distances."""

    def __init__(self, cpus: int, has_distances: bool) -> None:
        self.has_distances = has_distances
        strips = max(cpus * (_ROW if cpus <= 8 else 18), 60)
        parts = [strips, _CLOCK] + [_DISTANCES] * has_distances
        self.inside = inside = sum(parts) + _GAP * (len(parts) - 1)
        self.height = inside + _AROUND
        tops = [inside - sum(parts[:at]) - _GAP * at for at in range(len(parts))]
        domains = [[max(0.0, (top - part) / inside), top / inside] for top, part in zip(tops, parts, strict=True)]
        self.strips, self.clock = domains[:2]
        self.distances = domains[-1]
        self.lowest = "y3" if has_distances else "y2"

    def strip_axis(self, cpus: list[NodeCpu]) -> dict[str, Any]:
        """The first CPU is the uppermost."""
        made = drawing.axis("")
        made.update(
            domain=self.strips,
            range=[-(1 - _FILL), len(cpus)],
            tickmode="array",
            tickvals=[_row(cpus, cpu) + _FILL / 2 for cpu in cpus],
            ticktext=[drawing.shortened(cpu.text) for cpu in cpus],
            showgrid=False,
            ticks="",
            showline=False,
        )
        return made


def _row(cpus: list[NodeCpu], cpu: NodeCpu) -> int:
    return len(cpus) - 1 - cpus.index(cpu)


def _strip_traces(
    strips: CoreStrips, cpus: list[NodeCpu], edges: list[float], unit: tuple[str, float]
) -> list[dict[str, Any]]:
    """A trace per state: in each bin the shares stand on each other, the core alone at the bottom."""
    traces = {code: _bars(code, edges, unit[1]) for code in COLOURS_OF_STATES}
    middles = _middles(edges, unit[1])
    for cpu in cpus:
        for at, times in enumerate(strips.binned(cpu, edges)):
            if not sum(times) > 0:
                continue
            shares, base = [time / sum(times) for time in times], float(_row(cpus, cpu))
            text = _bin_text(cpu, shares, edges[at : at + 2], unit)
            for code, bars in traces.items():
                if shares[code] > 0:
                    height = _FILL * shares[code]
                    for name, cell in (("x", middles[at]), ("base", base), ("y", height)):
                        bars[name].append(float(f"{cell:.6g}"))
                    bars["hovertext"].append(text)
                    base += height
    return [bars for bars in traces.values() if bars["x"]]


def _middles(edges: list[float], size: float) -> list[float]:
    return [(first + last) / 2 / size for first, last in pairwise(edges)]


def _bars(code: int, edges: list[float], size: float) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": WORDS_OF_STATES[code],
        "marker": {"color": COLOURS_OF_STATES[code], "line": {"width": 0}},
        "width": (edges[1] - edges[0]) / size,
        "hoverinfo": "text",
        **{name: [] for name in ("x", "base", "y", "hovertext")},
    }


def _bin_text(cpu: NodeCpu, shares: list[float], ends: list[float], unit: tuple[str, float]) -> str:
    parts = [f"{_SHORT[code]} {percent_text(float(shares[code]))} %" for code in COLOURS_OF_STATES if shares[code] > 0]
    return f"{safe(cpu.text)}, {ends[0] / unit[1]:.4g} to {ends[1] / unit[1]:.4g} {unit[0]}<br>{', '.join(parts)}"


def _clock_traces(
    strips: CoreStrips, cpus: list[NodeCpu], unit: tuple[str, float]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The median of a core's clock in each bin while it was alone, and the axis."""
    in_ghz = _has_clocks(strips, cpus)
    what = "clock (GHz)" if in_ghz else "step (ns)"
    edges = strips.bins(MOST_CLOCKS)
    middles, traces, seen = _middles(edges, unit[1]), [], []
    for number, cpu in enumerate(cpus):
        medians = _steps(strips, cpu, edges)
        if in_ghz:
            medians = [(strips.cycles.get(cpu.node) or math.nan) / median for median in medians]
        finite = [median for median in medians if math.isfinite(median)]
        seen += finite
        dash = drawing.style_of(number)[2]
        colour = _LINES[number % len(_LINES)]
        line = drawing.trace(
            x=drawing.rounded(middles, 6),
            y=drawing.rounded(medians, 4),
            mode="lines+markers",
            name=f"{what.split(' ')[0]} of {drawing.shortened(cpu.text)}",
            showlegend=number < MOST_NAMED,
            connectgaps=False,
            yaxis="y2",
            line={"color": colour, "dash": dash, "width": 1.5},
            marker={"size": 4, "color": colour},
            hovertext=[
                f"{safe(cpu.text)} alone, {middle:.4g} {unit[0]}<br>{what} {one:.3g}"
                for middle, one in zip(middles, medians, strict=True)
            ],
        )
        traces += [line] if finite else []
    axis = drawing.axis(what, [0.0])
    if seen:  # a per cent of noise is not to look like news
        middle = median_of(seen)
        axis["range"] = [min(0.9 * middle, 0.98 * min(seen)), max(1.1 * middle, 1.02 * max(seen))]
    axis["nticks"] = 4
    return traces, axis


def _has_clocks(strips: CoreStrips, cpus: list[NodeCpu]) -> bool:
    return any(cpu.node in strips.cycles for cpu in cpus)


def _steps(strips: CoreStrips, cpu: NodeCpu, edges: list[float]) -> list[float]:
    """The median time of a step in ns, by bin; NaN where too little was read."""
    chains = strips.chains(cpu, edges)
    return [median_of(steps) if len(steps) >= LEAST_CLOCKS else math.nan for steps in chains]


def _distance_traces(strips: CoreStrips, unit: tuple[str, float]) -> list[dict[str, Any]]:
    """A point per visit, by the CPUs of its members."""
    step = max(1, -(-len(strips.distances) // MOST_DISTANCES))
    pairs: dict[tuple[NodeCpu, ...], list[Any]] = {}
    for one in strips.distances[::step]:
        pairs.setdefault(one.cpus, []).append(one)
    traces = []
    for number, (cpus, seen) in enumerate(sorted(pairs.items(), key=lambda item: -len(item[1]))):
        colour, symbol = _LINES[(number + 1) % len(_LINES)], drawing.style_of(number)[1]
        places = [strips.place(one) / unit[1] for one in seen]
        traces.append(
            drawing.trace(
                x=drawing.rounded(places, 6),
                y=drawing.rounded((one.value for one in seen), 4),
                name=f"distance of {drawing.shortened(cpus_text(cpus), 80)}",
                showlegend=number < MOST_NAMED,
                yaxis="y3",
                marker={"symbol": symbol, "size": 4, "color": colour, "opacity": 0.7},
                hovertext=[
                    f"{safe(cpus_text(cpus))}, {place:.4g} {unit[0]}: {one.value:.3g} ns<br>{drawing.shortened(one.series, 80)}"
                    for one, place in zip(seen, places, strict=True)
                ],
            )
        )
    return traces


def _level_line(level: float, end: float) -> dict[str, Any]:
    line = {"color": drawing.GREY, "width": 1, "dash": "dot"}
    return {"type": "line", "x0": 0, "x1": end, "y0": level, "y1": level, "yref": "y3", "line": line}


def _sessions(strips: CoreStrips, size: float) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Lines where sessions begin, with their numbers, where there are several."""
    shapes, annotations = [], []
    for session, start in strips.starts.items() if len(strips.starts) > 1 else []:
        x = start / size
        line = {"color": "#1b1b1b", "width": 1, "dash": "dash"}
        shapes.append({"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper", "line": line})
        words = {"text": safe(f"session {session}"), "x": x, "y": 1, "yref": "paper", "font": {"size": 11}}
        annotations.append({**words, "xanchor": "left", "yanchor": "bottom", "showarrow": False})
    return shapes, annotations


def _note(strips: CoreStrips, cpus: list[NodeCpu], edges: list[float]) -> str:
    name, size = time_unit(edges[1] - edges[0])
    width = shortest_text(float(f"{(edges[1] - edges[0]) / size:.2g}"))
    told = [
        f"A column is {width} {name}, filled by the shares of the time in batches; where there is none, the CPU was not measured.",
        "The clock is that of the core while it was alone.",
    ]
    without = dict.fromkeys(cpu.node for cpu in cpus if cpu.node not in strips.cycles)
    if without and _has_clocks(strips, cpus):
        told.append(f"It is not known of {', '.join(printable(node) or 'the own node' for node in without)}.")
    if strips.read < strips.visits:
        told.append(f"{strips.read} of {strips.visits} visits were read, evenly chosen.")
    if len(cpus) < len(strips.cpus):
        told.append(f"The {len(cpus)} CPUs of {len(strips.cpus)} with the most readings are drawn.")
    return " ".join(told)
