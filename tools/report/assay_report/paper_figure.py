# SPDX-License-Identifier: Apache-2.0
"""A figure for papers: the lines of the report's chart as vectors, by matplotlib, which needs no browser."""

import math
import textwrap
from pathlib import Path
from typing import Any

import matplotlib

from assay_report import drawing
from assay_report.campaign import Series
from assay_report.lines import MOST_LINES, Line, Spot, is_number, lines_of
from assay_report.journal import ResultError
from assay_report.levels import is_size, level_text, shown_level
from assay_report.marks import doubt_text, is_marked
from assay_report.printable import printable

matplotlib.use("Agg")
# Names are text, not formulas; letters stay letters in vector files.
matplotlib.rcParams.update(
    {
        "text.usetex": False,
        "text.parse_math": False,
        "font.size": 9,
        "svg.fonttype": "none",
        "pdf.fonttype": 42,
        "svg.hashsalt": "assay",
    }
)

_MARKERS = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "triangle-up": "^",
    "triangle-down": "v",
    "star": "*",
    "pentagon": "p",
    "hexagon": "h",
}
_DASHES = {"solid": "-", "dash": "--", "dot": ":", "dashdot": "-.", "longdash": (0, (8, 3))}
MOST_SIZES = 10
LETTERS = 15  # of a legend in an inch
ROW = 0.17  # inches that a line of the legend takes


def _whiskers(spots: list[Spot], size: float) -> list[list[float]]:
    known = [(spot.value - spot.low, spot.high - spot.value) if spot.low == spot.low else (0.0, 0.0) for spot in spots]
    return [[max(0.0, below) / size for below, _ in known], [max(0.0, above) / size for _, above in known]]


def _wrapped(label: str, width: float) -> str:
    """A label of the legend in lines that are no wider than a figure of so many inches."""
    room = max(20, int((width - 0.5) * LETTERS))
    return "\n".join(textwrap.wrap(label, room, drop_whitespace=False, break_on_hyphens=False))


def _draw_line(
    axes: Any, line: Line, number: int, size: float, places: dict[str, float] | None, width: float
) -> None:
    """Sound points joined with their band, those that are not to be relied on hollow beside them."""
    aside = (number % 8 - 3.5) * 0.09 if places is not None else 0.0  # lines over words would hide each other
    colour, symbol, dash = drawing.style_of(number)
    x = [places[level_text(spot.level)] + aside if places is not None else float(spot.level) for spot in line.spots]
    sound = [not is_marked(spot.marks) for spot in line.spots]
    nan = float("nan")
    if places is None:
        columns = [
            [value / size if good else nan for value, good in zip(values, sound, strict=True)]
            for values in (
                [spot.value for spot in line.spots],
                [spot.low for spot in line.spots],
                [spot.high for spot in line.spots],
            )
        ]
        axes.plot(x, columns[0], color=colour, linestyle=_DASHES[dash], linewidth=1)
        axes.fill_between(x, columns[1], columns[2], color=colour, alpha=0.18, linewidth=0)
    for hollow in (False, True):
        at = [one for one, good in enumerate(sound) if good != hollow]
        if not at:
            continue
        spots = [line.spots[one] for one in at]
        label = printable(line.name)
        if hollow:
            words = {word for spot in spots for word in doubt_text(spot.verdict, spot.marks).split(", ")}
            label += f" (not relied on: {', '.join(sorted(words))})"
        axes.errorbar(
            [x[one] for one in at],
            [spot.value / size for spot in spots],
            yerr=_whiskers(spots, size),
            linestyle="none",
            color=colour,
            marker=_MARKERS[symbol],
            markersize=4.5,
            markerfacecolor="none" if hollow else colour,
            elinewidth=0.8,
            capsize=2,
            label=_wrapped(label, width),
        )


def _set_logarithmic(axes: Any, which: str) -> None:
    """Decades as plain numbers: powers would be formulas, which names must not be taken for."""
    getattr(axes, f"set_{which}scale")("log")
    getattr(axes, f"{which}axis").set_major_formatter(lambda value, _: f"{value:g}")
    getattr(axes, f"{which}axis").set_minor_formatter(lambda value, _: "")


def _some_sizes(levels: list[Any]) -> list[Any]:
    """Sizes that have room for their names: all, or powers of four, or every so many."""
    if len(levels) <= MOST_SIZES:
        return levels
    round_ones = [level for level in levels if float(level) > 0 and (math.log2(float(level)) / 2).is_integer()]
    some = round_ones if len(round_ones) > 2 else levels
    return some[:: -(-len(some) // MOST_SIZES)]


def _set_level_axis(axes: Any, factor: str, spots: list[Spot], places: dict[str, float] | None) -> None:
    axes.set_xlabel(printable(factor))
    if places is not None:
        axes.set_xticks(
            list(places.values()),
            [printable(name) for name in places],
            rotation=20 if len(places) > 5 else 0,
            ha="right" if len(places) > 5 else "center",
        )
        return
    levels = sorted({spot.level for spot in spots})
    if drawing.is_wide([float(level) for level in levels]):
        _set_logarithmic(axes, "x")
    if is_size(factor):
        named = _some_sizes(levels)
        axes.set_xticks([float(level) for level in named], [shown_level({factor: level}, factor) for level in named])
        axes.minorticks_off()


def paper_figure(
    series: Series, factor: str, quantity: str, file: Path, kind: str, width: float = 5.0, height: float = 3.2
) -> str:
    """Draws a quantity against a factor into a file of the format `kind`: svg, png or pdf; returns what was left out.

    `width` and `height` are in inches. Raises ResultError where there is nothing to draw.
    """
    from matplotlib.figure import Figure

    lines = lines_of(series, factor, quantity)
    if not lines:
        raise ResultError(
            f"series '{printable(series.name)}' has no values of '{printable(quantity)}' over '{printable(factor)}'"
        )
    drawn = lines[:MOST_LINES]
    spots = [spot for line in drawn for spot in line.spots]
    unit = next(
        result["unit"] for point in series.points for result in point["results"] if result["quantity"] == quantity
    )
    scale = drawing.scale_for([spot.value for spot in spots], unit)
    words = not all(is_number(spot.level) for spot in spots)
    places = (
        {name: float(at) for at, name in enumerate(dict.fromkeys(level_text(spot.level) for spot in spots))}
        if words
        else None
    )
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    for number, line in enumerate(drawn):
        _draw_line(axes, line, number, scale.size, places, width)
    _set_level_axis(axes, factor, spots, places)
    axes.set_ylabel(printable(quantity) + (f" ({scale.name})" if scale.name not in {"1", ""} else ""))
    if drawing.is_wide([spot.value for spot in spots]):
        _set_logarithmic(axes, "y")
    else:
        axes.set_ylim(bottom=min(0.0, *axes.get_ylim()))
    axes.grid(alpha=0.3, linewidth=0.5)
    axes.spines[["top", "right"]].set_visible(False)
    entries = sum(1 + label.count("\n") for label in axes.get_legend_handles_labels()[1])
    figure.set_figheight(height + ROW * entries)
    figure.legend(loc="outside upper left", fontsize=8, frameon=False)
    figure.savefig(file, format=kind, dpi=300, metadata={"Date": None} if kind == "svg" else None)
    return f"{MOST_LINES} of {len(lines)} lines are drawn" if len(lines) > MOST_LINES else ""
