# SPDX-License-Identifier: Apache-2.0
"""What the page's template is filled with: charts with their notes, series, campaigns, comparisons."""

from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from assay_report.campaign import Campaign, Series
from assay_report.comparison_chart import change_text, comparison_chart, names_of, sorted_results
from assay_report.core_states import States
from assay_report.cores_part import CoreRow, cores_part
from assay_report.curve_chart import curve_chart, main_factor, quantities_of
from assay_report.drawing import Figure
from assay_report.findings import Finding, findings_of, warnings_of
from assay_report.journal import ResultError
from assay_report.levels import subject_of
from assay_report.marks import interval_of
from assay_report.link_chart import link_charts
from assay_report.numbers import value_text
from assay_report.parsers import COLOURINGS
from assay_report.placement_chart import placement_chart
from assay_report.printable import printable
from assay_report.program import Program, layout_of
from assay_report.sample_charts import MOST_LOOKS, chosen, details_of, distribution_chart, looks
from assay_report.spread_chart import spread_chart
from assay_report.tables import constant_factors, has_states, rows_of, varying_factors
from assay_report.time_chart import time_chart
from assay_report.topology import Box, machine_box

MOST_CURVES = 4
MOST_LAID_OUT = 2000  # points; a longer table is for a pager, not for a page
_FACTS = {
    "host.name": "host",
    "cpu.model": "CPU",
    "topology.summary": "topology",
    "cpu.caches": "caches",
    "memory.total": "memory",
    "kernel.release": "kernel",
    "libc.version": "C library",
    "libc.threads": "threads",
    "cpu.governor": "governor",
    "cpu.turbo": "turbo",
    "virtual.hypervisor": "hypervisor",
    "clock.source": "clock source",
    "clock.step_ns": "clock step, ns",
    "mpi.library": "MPI",
    "assay.version": "assay",
    "assay.revision": "revision",
    "build.compiler": "compiler",
    "build.flags": "flags",
}


@dataclass
class Chart:
    """A figure with its heading and what must be said beside it."""

    title: str
    figure: Figure
    note: str


@dataclass
class SeriesPart:
    """A series' heading, charts and table."""

    name: str
    about: str
    constants: str
    factors: list[str]
    charts: list[Chart]
    rows: list[Any]
    derived: list[tuple[str, str, str]]
    several: bool
    has_states: bool
    notes: list[str] = field(default_factory=list)

    @property
    def other_days(self) -> bool:
        """Whether any row has an interval for another day."""
        return any(row.another_day != "-" for row in self.rows)


@dataclass
class CoresSection:
    """The state of the cores over time."""

    words: list[str]
    chart: Chart
    rows: list[CoreRow]


@dataclass
class CampaignPart:
    """A campaign from top to bottom."""

    name: str
    title: str
    facts: list[tuple[str, str]]
    all_facts: list[tuple[str, str]]
    sessions: list[tuple[str, str, str]]
    machine: Box | None
    warnings: list[str]
    notes: list[str]
    findings: list[Finding]
    layout: str
    layout_text: str
    series: list[SeriesPart]
    cores: CoresSection | None


@dataclass
class ComparisonPart:
    """What changed between two campaigns, or between the levels of a factor in one."""

    a: str
    b: str
    counts: list[tuple[str, int]]
    notes: list[str]
    chart: Chart | None
    rows: list[tuple[str, str, str]]
    refused: list[tuple[str, str]]


def _add(charts: list[Chart], title: str, made: tuple[Figure, str] | None) -> None:
    if made is not None:
        charts.append(Chart(title, *made))


def _charts_of(series: Series, batches: dict[int, pd.DataFrame], closer: int, colouring: str) -> list[Chart]:
    charts: list[Chart] = []
    factor = main_factor(series)
    for quantity in quantities_of(series)[:MOST_CURVES] if factor else []:
        _add(charts, f"{printable(quantity)} against {printable(factor)}", curve_chart(series, factor, quantity))
    _add(charts, "Placements", placement_chart(series))
    for title, made in link_charts(series):
        _add(charts, title, made)
    details = details_of(series, batches, closer)
    if details:
        _add(charts, f"Distribution of batches, {_of(len(details), series)}", distribution_chart(details))
        worst = max(
            details,
            key=lambda detail: (len(detail.result["steadiness"]["modes"]), float(detail.result["disturbed_share"])),
        )
        _add(charts, f"Batches in order of time: {worst.name}", time_chart(worst, colouring))
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
            value_text(float(record["value"]), *interval_of(record), printable(record["unit"]))
            if record["valid"]
            else f"n/a: {reason}"
        )
        rows.append((name, value, printable(record["formula"])))
    return rows


def series_part(
    series: Series, batches: dict[int, pd.DataFrame], closer: int, colouring: str = COLOURINGS[0]
) -> SeriesPart:
    """A series with as many charts as it has questions."""
    summaries = [printable(quantity["summary"]) for quantity in series.record["quantities"] if quantity.get("summary")]
    constants = subject_of(series.points[0]["point"], constant_factors(series)) if series.points else ""
    until = printable(series.record["rule"])
    quantities = quantities_of(series)
    return SeriesPart(
        printable(series.name),
        f"{printable(series.measurement)}: {'; '.join(summaries)}",
        constants + (f"; until {until}" if until else ""),
        [printable(factor) for factor in (varying_factors(series) if series.points else [])],
        _charts_of(series, batches, closer, colouring) if series.points else [],
        list(rows_of(series)) if series.points else [],
        derived_rows(series),
        len(quantities) > 1,
        has_states(series),
        _left_out(len(quantities), closer),
    )


def _left_out(quantities: int, closer: int) -> list[str]:
    """What charts of a series leave out."""
    notes = [f"Charts of the first {MOST_CURVES} of {quantities} quantities."] if quantities > MOST_CURVES else []
    notes += [f"Batches are drawn for the {MOST_LOOKS} least steady series only."] if closer == 0 else []
    return notes


def _wanted_points(campaign: Campaign, closer: dict[str, int], states: States | None) -> dict[int, pd.DataFrame]:
    """The batches of the points that are looked at closely."""
    frame = campaign.observations_of(
        {point["number"] for series in campaign.series for point, _ in chosen(series, closer[series.name])}, states
    )
    return dict(iter(frame.groupby("point", sort=False))) if len(frame) else {}


def layout_text(campaign: Campaign, program: Program) -> tuple[str, str]:
    """The campaign's layout as the program prints it, or why it is not here."""
    layout = layout_of(campaign)
    if not layout:
        return "", ""
    points = sum(len(series.points) for series in campaign.series)
    if points > MOST_LAID_OUT:
        return layout, f"not shown: {points} points are many for it; 'assay show DIR --layout {layout}' prints it"
    try:
        return layout, printable_lines(program.output("show", str(campaign.directory), "--layout", layout))
    except ResultError as error:
        return layout, f"not shown: {error}"


def printable_lines(text: str) -> str:
    """A text of several lines without anything hidden in them."""
    return "\n".join(printable(line) for line in text.split("\n"))


def states_of(campaign: Campaign, program: Program) -> tuple[States | None, list[str]]:
    """The states of the cores, or what must be said where they are not to be had."""
    try:
        return campaign.states(program.path), []
    except ResultError as error:
        return None, [f"states of the cores are not shown, and batches are drawn whatever theirs was: {error}"]


def cores_section(campaign: Campaign, states: States | None) -> CoresSection | None:
    """None where nothing was read of the cores."""
    part = cores_part(campaign, states)
    return part and CoresSection(part.words, Chart("Cores over time", part.figure, part.note), part.rows)


def campaign_part(campaign: Campaign, program: Program, colouring: str = COLOURINGS[0]) -> CampaignPart:
    """Everything that is said of one campaign; batches in order of time are coloured by state or incarnation."""
    facts = campaign.facts()
    closer = looks(campaign.series)
    states, problems = states_of(campaign, program)
    batches = _wanted_points(campaign, closer, states)
    layout, text = layout_text(campaign, program)
    return CampaignPart(
        printable(str(campaign.directory)),
        printable(campaign.title),
        [
            (name, printable(facts[key]))
            for key, name in _FACTS.items()
            if facts.get(key, "not available").split(":")[0] != "not available"
        ],
        [(printable(key), printable(value)) for key, value in facts.items() if key != "topology.xml"],
        [(str(one["session"]), printable(one["started"]), printable(one["command_line"])) for one in campaign.sessions],
        machine_box(facts.get("topology.xml", "")),
        [printable(one) for one in [*warnings_of(campaign), *problems]],
        [printable(one) for one in campaign.notes],
        findings_of(campaign),
        layout,
        text,
        [series_part(one, batches, closer[one.name], colouring) for one in campaign.series],
        cores_section(campaign, states),
    )


def comparison_part(comparison: dict[str, Any]) -> ComparisonPart:
    """The program's verdicts as a chart and a table."""
    rows = sorted_results(comparison)
    made = comparison_chart(comparison)
    refused = comparison["refused"]
    return ComparisonPart(
        printable(comparison["a"]),
        printable(comparison["b"]),
        [(name.replace("_", " "), count) for name, count in comparison["counts"].items()],
        [printable(note) for note in comparison["notes"]],
        Chart("Ratios, sorted by effect", *made) if made else None,
        [
            (
                name,
                change_text(row) + ("" if row["scale"] == "ratio" else " difference"),
                row["verdict"] + (f": {printable(row['reason'])}" if row["reason"] else ""),
            )
            for name, row in zip(names_of(rows), rows, strict=True)
        ],
        list(zip(names_of(refused), (printable(row["reason"]) for row in refused), strict=True)),
    )
