# SPDX-License-Identifier: Apache-2.0
"""The rows of a series' table with the texts that `assay show` prints, for the report and for checks against the program."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assay_report.campaign import Series
from assay_report.core_states import AS_FOUND
from assay_report.levels import shown_level, varies
from assay_report.marks import LEAST_SHARE, another_day_of, interval_of, marks_of, point_verdict_text, regime_text, verdict_text
from assay_report.numbers import (
    Scale,
    Shown,
    common_scale,
    fixed_text,
    percent_text,
    relative_half_width,
    scale_of,
    shown,
)
from assay_report.printable import printable

Record = dict[str, Any]
LEAST_STATE_SHARE = 0.05  # of the batches


@dataclass(frozen=True)
class Row:
    """A point with one of its results, or with none, as texts."""

    point: Record
    result: Record | None
    levels: list[str]
    value: Shown
    unit: str
    percent: str
    another_day: str  # "low .. high"; "-" where there is none
    marks: str
    regime: str
    state: str
    state_share: str
    count: str
    incarnations: str
    disturbed: str
    verdict: str


def shown_results(point: Record) -> list[Record]:
    """The results of a point that tables show: those of regimes that a quarter of the batches were in."""
    return [result for result in point["results"] if float(result["regime_share"]) >= LEAST_SHARE]


def further_results(point: Record) -> list[Record]:
    """What tables show of other states of the cores: those that a twentieth of the batches were in."""
    return [
        result
        for result in point.get("others", [])
        if float(result["regime_share"]) >= LEAST_SHARE
        and not result.get("state", AS_FOUND).startswith(AS_FOUND)
        and float(result.get("state_share", 1.0)) >= LEAST_STATE_SHARE
    ]


def has_states(series: Series) -> bool:
    """Whether rows of a series are of several states of the cores: only then it is told."""
    results = (result for point in series.points for result in shown_results(point) + further_results(point))
    return len({result.get("state", AS_FOUND) for result in results}) > 1


def varying_factors(series: Series) -> list[str]:
    """The factors in which points of a series differ."""
    points = [point["point"] for point in series.points]
    return [factor for factor in series.factors if varies(factor, points)]


def constant_factors(series: Series) -> list[str]:
    """The factors that all points of a series have in common."""
    changing = set(varying_factors(series))
    return [factor for factor in series.factors if factor not in changing]


def scales_of(series: Series) -> dict[str, Scale | None]:
    """One scale for each quantity whose values allow it."""
    values: dict[str, list[float]] = {}
    units: dict[str, str] = {}
    for point in series.points:
        for result in shown_results(point) + further_results(point):
            values.setdefault(result["quantity"], []).append(float(result["headline"]["value"]))
            units[result["quantity"]] = result["unit"]
    return {quantity: common_scale(seen, units[quantity]) for quantity, seen in values.items()}


def rows_of(series: Series) -> Iterator[Row]:
    """The rows of a series' table in order."""
    factors = varying_factors(series)
    scales = scales_of(series)
    for point in series.points:
        levels = [shown_level(point["point"], factor) for factor in factors]
        if not point["results"]:
            yield Row(
                point, None, levels, Shown("-", "-", "-"), "-", "-", "-", "", *["-"] * 6, point_verdict_text(point)
            )
        for result in shown_results(point) + further_results(point):
            yield _row(point, result, levels, scales)


def _another_day(value: float, result: Record, scale: Scale) -> str:
    low, high = another_day_of(result)
    text = shown(value, low, high, scale)
    return "-" if low != low else f"{text.low} .. {text.high}"


def _row(point: Record, result: Record, levels: list[str], scales: dict[str, Scale | None]) -> Row:
    value = float(result["headline"]["value"])
    low, high = interval_of(result["headline"])
    scale = scales[result["quantity"]] or scale_of(value, result["unit"])
    return Row(
        point,
        result,
        levels,
        shown(value, low, high, scale),
        scale.name,
        percent_text(relative_half_width(value, low, high)),
        _another_day(value, result, scale),
        marks_of(point, result),
        regime_text(result),
        printable(result.get("state", AS_FOUND)),
        fixed_text(float(result.get("state_share", 1.0)) * 100, 0),
        str(result["summary"]["n"]),
        str(result["incarnations"]),
        fixed_text(float(result["disturbed_share"]) * 100, 1),
        verdict_text(result),
    )
