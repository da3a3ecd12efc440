# SPDX-License-Identifier: Apache-2.0
"""Values against a factor: a line for each combination of the other levels, and what pointing at a value shows."""

from dataclasses import dataclass, field
from typing import Any

from assay_report import drawing
from assay_report.campaign import Series
from assay_report.levels import Level, level_text, subject_of
from assay_report.marks import interval_of, marks_of, unsteady_text, verdict_text
from assay_report.numbers import value_text
from assay_report.tables import shown_results, varying_factors

Record = dict[str, Any]
MOST_LINES = 16


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
    hue: str = ""  # what its colour stands for: a campaign, a variant, or a state of the cores


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


def spot_of(point: Record, result: Record, level: Level, factors: list[str], where: str = "") -> Spot:
    """A result at its level; `where` is told before all else."""
    low, high = interval_of(result["headline"])
    hover = hover_of(point, result, factors)
    return Spot(
        level,
        float(result["headline"]["value"]),
        low,
        high,
        marks_of(point, result),
        verdict_text(result),
        drawing.shortened(where, 160) + "<br>" + hover if where else hover,
    )


def is_number(level: Level) -> bool:
    """Whether a level has a place on an axis of numbers."""
    return not isinstance(level, str)


def main_factor(series: Series) -> str | None:
    """The factor to draw against: the quantitative one of most levels, else the one of most words; variants are colours where there is another."""
    counted = []
    for factor in varying_factors(series):
        levels = [point["point"].get(factor) for point in series.points]
        known = {level_text(level) for level in levels if level is not None}
        numeric = all(level is not None and is_number(level) for level in levels)
        counted.append((numeric and factor != "members", factor != "variant", len(known), factor))
    return max(counted, key=lambda one: one[:3])[3] if counted else None


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
            lines.setdefault(name, Line(name.strip() or quantity)).spots.append(spot_of(point, result, level, changing))
    return list(lines.values())
