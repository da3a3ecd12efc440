# SPDX-License-Identifier: Apache-2.0
"""What a page has of a series: one chart of all campaigns, then by campaign the table, further charts, and each point folded."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from assay_report.anchors import point_anchor, series_anchor
from assay_report.batches import Batches
from assay_report.campaign import Series
from assay_report.drawing import Figure
from assay_report.levels import subject_of
from assay_report.lines import main_factor, quantities_of
from assay_report.link_chart import link_charts
from assay_report.marks import doubt_text, interval_of, is_marked, marks_of, point_verdict_text, unsteady_text, verdict_text
from assay_report.numbers import percent_text, value_text
from assay_report.parsers import COLOURINGS
from assay_report.placement_chart import placement_chart
from assay_report.printable import printable
from assay_report.sample_charts import MOST_LOOKS, Detail, details_of, distribution_chart
from assay_report.series_chart import Source, series_chart
from assay_report.spread_chart import spread_chart
from assay_report.tables import constant_factors, has_states, rows_of, shown_results, varying_factors
from assay_report.time_chart import MOST_BATCHES, time_chart

Record = dict[str, Any]
MOST_CURVES = 4
MOST_FOLDED = 200  # points of a series that have a fold of their own
_REASONS = {"max-time": "out of time", "max-timings": "with as many timings as allowed", "no value": "without a value"}
_FEW_BATCHES = 300  # that are drawn of a point which is not the worst one


@dataclass
class Chart:
    """A figure with its heading and what must be said beside it."""

    title: str
    figure: Figure
    note: str
    least_width: int = 0  # pixels, below which it is scrolled and not made narrower


@dataclass
class PointPart:
    """A point, folded: its value, and what is known of how it was come by."""

    anchor: str
    name: str
    summary: str
    marked: bool
    told: list[str]
    charts: list[Chart]


@dataclass
class Share:
    """What one campaign has of a series."""

    campaign: str
    rows: list[Any]
    factors: list[str]
    several: bool
    has_states: bool
    charts: list[Chart]
    points: list[PointPart]
    points_left_out: int
    derived: list[tuple[str, str, str]]
    notes: list[str]

    @cached_property
    def other_days(self) -> bool:
        """Whether any row has an interval for another day. Asked once per row by the page, hence kept."""
        return any(row.another_day != "-" for row in self.rows)


@dataclass
class SeriesPart:
    """A series' heading and chart, and the shares of campaigns."""

    name: str
    anchor: str
    about: str
    constants: str
    trust: str
    chart: Chart | None
    shares: list[Share] = field(default_factory=list)


@dataclass
class Found:
    """A series of one campaign with the batches of the points that are looked at closely."""

    label: str
    series: Series
    batches: dict[int, Batches]
    looks: int
    cpus: dict[int, list[str]]


def _add(charts: list[Chart], title: str, made: tuple[Figure, str] | None) -> None:
    if made is not None:
        charts.append(Chart(title, *made))


def _title(factor: str | None, quantity: str) -> str:
    return printable(quantity) + (f" against {printable(factor)}" if factor else "")


def _charts_of(found: Found, details: list[Detail]) -> list[Chart]:
    """Further charts of a campaign's share."""
    series = found.series
    charts: list[Chart] = []
    factor = main_factor(series)
    for quantity in quantities_of(series)[1:MOST_CURVES]:
        _add(charts, _title(factor, quantity), series_chart([Source(found.label, series)], factor, quantity))
    _add(charts, "Placements", placement_chart(series))
    for title, made in link_charts(series):
        _add(charts, title, made)
    if details:
        _add(charts, f"Distribution of batches, {_of(len(details), series)}", distribution_chart(details))
    _add(charts, "Spread within and between incarnations", spread_chart(series))
    return charts


def _of(shown: int, series: Series) -> str:
    total = sum(bool(point["results"]) for point in series.points)
    if shown == total:
        return "all points"
    return f"{shown} of {total} points: first, last, and the least steady or widest ones"


def derived_rows(series: Series) -> list[tuple[str, str, str]]:
    """Derived values as name, value and formula."""
    rows = []
    for record in series.derived:
        where = subject_of(record["group"], list(record["group"]))
        name = f"{printable(record['name'])} of {printable(record['quantity'])}, {record['regime']}" + (
            f" at {where}" if where else ""
        )
        reason = printable(record["reason"])
        value = (
            value_text(float(record["value"]), *interval_of(record), printable(record["unit"])) + (f", marked: {reason}" if reason else "")
            if record["valid"]
            else f"n/a: {reason}"
        )
        rows.append((name, value, printable(record["formula"])))
    return rows


def _told(point: Record, result: Record, cpus: list[str]) -> list[str]:
    """What is known of a result's sample, in sentences."""
    told = [f"{result['summary']['n']} timings in {result['visits']} visits of {result['incarnations']} incarnations: {verdict_text(result)}"]
    told += [f"reason: {printable(result['verdict']['reason'])}"] if result["verdict"]["reason"] else []
    told += [f"{percent_text(float(result['disturbed_share']))} % of the batches were disturbed and left out"]
    within, between = float(result["within_spread"]), float(result["between_spread"])
    told += [f"spread within incarnations {percent_text(within)} %, between them {percent_text(between)} %"]
    unsteady = unsteady_text(result)
    told += [f"unsteady: {unsteady}"] if unsteady else []
    told += [f"CPUs: {printable('; '.join(cpus))}"] if cpus else []
    return told


def _point_part(found: Found, point: Record, detail: Detail | None, is_worst: bool, colouring: str) -> PointPart:
    series = found.series
    name = subject_of(point["point"], varying_factors(series)) or printable(series.name)
    anchor = point_anchor(series.name, point["point"])
    results = shown_results(point)
    if not results:
        return PointPart(anchor, name, point_verdict_text(point), True, [], [])
    first = results[0]
    value = value_text(float(first["headline"]["value"]), *interval_of(first["headline"]), printable(first["unit"]))
    marks = marks_of(point, first)
    doubt = doubt_text(verdict_text(first), marks)
    charts: list[Chart] = []
    if detail is not None:
        most = MOST_BATCHES if is_worst else _FEW_BATCHES
        _add(charts, f"Batches in order of time: {detail.name}", time_chart(detail, colouring, most))
    told = _told(point, first, found.cpus.get(point["number"], []))
    return PointPart(anchor, name, value + (f", {doubt}" if doubt else ""), is_marked(marks), told, charts)


def _worst(details: list[Detail]) -> Detail | None:
    return max(
        details,
        key=lambda detail: (len(detail.result["steadiness"]["modes"]), float(detail.result["disturbed_share"])),
        default=None,
    )


def share_of(found: Found, colouring: str) -> Share:
    """A campaign's share of a series."""
    series = found.series
    details = details_of(series, found.batches, found.looks)
    of_point = {detail.point["number"]: detail for detail in details}
    worst = _worst(details)
    folded = series.points if len(series.points) <= MOST_FOLDED else [one.point for one in details]
    quantities = quantities_of(series)
    notes = [f"Charts of the first {MOST_CURVES} of {len(quantities)} quantities."] if len(quantities) > MOST_CURVES else []
    notes += [f"Batches are drawn for the {MOST_LOOKS} least steady series only."] if found.looks == 0 else []
    return Share(
        found.label,
        list(rows_of(series)) if series.points else [],
        [printable(factor) for factor in (varying_factors(series) if series.points else [])],
        len(quantities) > 1,
        has_states(series),
        _charts_of(found, details) if series.points else [],
        [
            _point_part(found, point, of_point.get(point["number"]), worst is of_point.get(point["number"]), colouring)
            for point in folded
        ],
        len(series.points) - len(folded),
        derived_rows(series),
        notes,
    )


def trust_text(all_series: list[Series]) -> str:
    """How many values are relied on, and what is wrong with the others."""
    total, doubts = 0, Counter[str]()
    good = 0
    for series in all_series:
        for point in series.points:
            for result in shown_results(point)[:1]:
                total += 1
                marks = marks_of(point, result)
                good += not is_marked(marks)
                words = doubt_text(result["verdict"]["outcome"], marks.replace("~", ""))
                doubts.update(words.split(", ") if is_marked(marks) else [])
            doubts.update(["no value"] if not point["results"] else [])
            total += not point["results"]
    if not total:
        return ""
    told = f"{good} of {total} values {'is' if good == 1 else 'are'} relied on"
    words = [f"{count} {_REASONS.get(word, word)}" for word, count in doubts.most_common()]
    return told + ("; not: " + ", ".join(words) if words else "")


def series_part(found: list[Found], colouring: str = COLOURINGS[0]) -> SeriesPart:
    """A series of one or more campaigns."""
    first = next((one.series for one in found if one.series.points), found[0].series)
    summaries = [printable(quantity["summary"]) for quantity in first.record["quantities"] if quantity.get("summary")]
    constants = subject_of(first.points[0]["point"], constant_factors(first)) if first.points else ""
    measured = [one for one in found if one.series.points]
    quantities = quantities_of(first)
    factor = main_factor(first) if first.points else None
    trust = trust_text([one.series for one in measured])
    made = None
    if quantities:
        made = series_chart([Source(one.label, one.series) for one in measured], factor, quantities[0])
    return SeriesPart(
        printable(first.name),
        series_anchor(first.name),
        f"{printable(first.measurement)}: {'; '.join(summaries)}",
        constants,
        trust,
        Chart(_title(factor, quantities[0]), made[0], ". ".join(filter(None, [trust, made[1]]))) if made else None,
        [share_of(one, colouring) for one in found],
    )
