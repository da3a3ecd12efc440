# SPDX-License-Identifier: Apache-2.0
"""What charts share: colours that colour-blind readers tell apart, shapes and dashes beside them, harmless texts, axes."""

import html
import math
from collections.abc import Iterable, Sequence
from typing import Any

from assay_report.numbers import Scale, common_scale, scale_of
from assay_report.printable import printable

Figure = dict[str, Any]

# Okabe and Ito's palette without its yellow, which is too light on white.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"]
SYMBOLS = ["circle", "square", "diamond", "triangle-up", "triangle-down", "star", "pentagon", "hexagon"]
DASHES = ["solid", "dash", "dot", "dashdot", "longdash"]
GREY = "#666666"


def safe(text: str) -> str:
    """A text of others for a chart, which would take markup and links in it for its own."""
    return html.escape(printable(text), quote=False)


def style_of(number: int) -> tuple[str, str, str]:
    """Colour, symbol and dash of the n-th line: two lines never share all three before 280."""
    return COLOURS[number % len(COLOURS)], SYMBOLS[number % len(SYMBOLS)], DASHES[number % len(DASHES)]


def rounded(values: Iterable[float], digits: int = 7) -> list[float | None]:
    """Positions of marks, shorter than the numbers they are drawn from; what is not finite is left out."""
    return [float(f"{value:.{digits}g}") if math.isfinite(value) else None for value in values]


def scale_for(values: Sequence[float], unit: str) -> Scale:
    """One scale for an axis; the median value's where no scale suits all."""
    common = common_scale(values, unit)
    if common is not None:
        return common
    finite = sorted(abs(value) for value in values if math.isfinite(value))
    return scale_of(finite[len(finite) // 2], unit)


def unit_text(scale: Scale) -> str:
    """The unit as an axis names it: nothing for plain counts."""
    return "" if scale.name in {"1", ""} else f" ({safe(scale.name)})"


def is_wide(values: Iterable[float]) -> bool:
    """Whether positive values range so far that a logarithmic axis is read better."""
    finite = [value for value in values if math.isfinite(value)]
    return bool(finite) and min(finite) > 0 and max(finite) / min(finite) >= 30


def axis(title: str, values: Iterable[float] | None = None) -> dict[str, Any]:
    """An axis with its title; logarithmic where the values ask for it."""
    made: dict[str, Any] = {
        "title": {"text": title},
        "automargin": True,
        "zeroline": False,
        "gridcolor": "#e4e4e4",
        "linecolor": GREY,
        "ticks": "outside",
    }
    if values is not None and is_wide(values):
        made.update(type="log", exponentformat="none", **({"dtick": 1} if _decades(values) > 3 else _steps(values)))
    elif values is not None:
        made["type"] = "linear"
    return made


def _decades(values: Iterable[float]) -> float:
    finite = [value for value in values if math.isfinite(value)]
    return math.log10(max(finite) / min(finite))


def _steps(values: Iterable[float]) -> dict[str, Any]:
    """Ticks at 1, 2 and 5 of each decade, written out: the usual way has a bare 2 for 20."""
    finite = [value for value in values if math.isfinite(value)]
    powers = range(math.floor(math.log10(min(finite))), math.ceil(math.log10(max(finite))) + 1)
    places = [step * 10.0**power for power in powers for step in (1, 2, 5)]
    return {"tickmode": "array", "tickvals": places, "ticktext": [f"{place:g}" for place in places]}


def category_axis(title: str, names: Sequence[str]) -> dict[str, Any]:
    """An axis of words in a given order."""
    made = axis(title)
    places = [safe(name) for name in names]
    made.update(type="category", categoryorder="array", categoryarray=places)
    made.update(tickmode="array", tickvals=places, ticktext=[shortened(name) for name in names])
    return made


def shortened(name: str, limit: int = 48) -> str:
    """A name of bounded length; the hover has all of it."""
    return safe(name if len(name) <= limit else name[: limit - 1] + "…")


def layout(x: dict[str, Any], y: dict[str, Any], height: int = 420, **more: Any) -> dict[str, Any]:
    """The layout of a chart."""
    return {
        "xaxis": x,
        "yaxis": y,
        "height": height,
        "margin": {"l": 60, "r": 56, "t": 20, "b": 50},
        "modebar": {"orientation": "v"},
        "plot_bgcolor": "#ffffff",
        "paper_bgcolor": "#ffffff",
        "font": {"family": "system-ui, sans-serif", "size": 13, "color": "#1b1b1b"},
        "hovermode": "closest",
        "hoverlabel": {"align": "left"},
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0},
        **more,
    }


def trace(**members: Any) -> dict[str, Any]:
    """A scatter trace whose hover is its text, as it stands."""
    usual = {"type": "scatter", "mode": "markers", "hoverinfo": "text" if "hovertext" in members else "skip"}
    return {**usual, **members}
