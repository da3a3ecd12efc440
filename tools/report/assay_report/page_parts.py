# SPDX-License-Identifier: Apache-2.0
"""What the page's template is filled with: campaigns, the series of all of them, comparisons."""

from dataclasses import dataclass
from typing import Any

from assay_report.batches import Batches
from assay_report.campaign import Campaign
from assay_report.comparison_chart import change_text, comparison_chart, names_of, sorted_results
from assay_report.core_states import States
from assay_report.cores_part import CoreRow, cores_part
from assay_report.findings import Finding, findings_of, warnings_of
from assay_report.journal import ResultError
from assay_report.line_chart import CELL_WIDTH as LINE_CELL
from assay_report.line_chart import ROOM as LINE_ROOM
from assay_report.line_chart import line_charts
from assay_report.parsers import COLOURINGS
from assay_report.predictions import predictions_of
from assay_report.predictions_part import PredictionsPart, predictions_part
from assay_report.printable import printable
from assay_report.program import Program, layout_of
from assay_report.sample_charts import chosen, looks
from assay_report.series_part import Chart, Found, SeriesPart, series_part, trust_text
from assay_report.topology import Box, machine_box

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
    "clock.step_ns": "clock resolution, ns",
    "mpi.library": "MPI",
    "assay.version": "assay",
    "assay.revision": "revision",
    "build.compiler": "compiler",
    "build.flags": "flags",
}


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
    label: str
    asked: list[tuple[str, str]]
    machine_line: str
    trust: str
    facts: list[tuple[str, str]]
    all_facts: list[tuple[str, str]]
    sessions: list[tuple[str, str, str]]
    machine: Box | None
    warnings: list[str]
    notes: list[str]
    findings: list[Finding]
    layout: str
    layout_text: str
    configuration: str
    cores: CoresSection | None
    lines: list[Chart]
    predictions: PredictionsPart | None


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


def _wanted_points(campaign: Campaign, closer: dict[str, int], states: States | None) -> dict[int, Batches]:
    """The batches of the points that are looked at closely."""
    looked_at = (pair for series in campaign.series for pair in chosen(series, closer[series.name]))
    return campaign.batches_of_points({point["number"]: result["quantity"] for point, result in looked_at}, states)


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


def found_of(campaign: Campaign, states: States | None, label: str) -> list[Found]:
    """The series of a campaign with what is looked at closely."""
    closer = looks(campaign.series)
    batches = _wanted_points(campaign, closer, states)
    cpus = {point["number"]: campaign.cpus_of(point["number"]) for series in campaign.series for point in series.points}
    return [Found(label, series, batches, closer[series.name], cpus) for series in campaign.series]


def series_parts(found: list[list[Found]], colouring: str = COLOURINGS[0]) -> list[SeriesPart]:
    """The series of all campaigns: those of one name together, in the order in which they appear."""
    by_name: dict[tuple[str, str], list[Found]] = {}
    for some in found:
        for one in some:
            by_name.setdefault((one.series.name, one.series.measurement), []).append(one)
    return [series_part(some, colouring) for some in by_name.values()]


def _asked(campaign: Campaign) -> list[tuple[str, str]]:
    """What was asked, and when."""
    series = [one for one in campaign.series if one.points]
    points = sum(len(one.points) for one in series)
    rules = list(dict.fromkeys(printable(one.record["rule"]) for one in series if one.record["rule"]))
    told = [(f"session {one['session']}" if len(campaign.sessions) > 1 else "command", f"{printable(one['command_line'])}, {printable(one['started'])}")
            for one in campaign.sessions[-1:]]
    told.append(("asked", f"{len(series)} series, {points} point{'s' if points != 1 else ''}" + (f", each until {rules[0]}" if len(rules) == 1 else "")))
    if len(rules) > 1:
        told.append(("rules", "; ".join(rules[:3]) + (f"; and {len(rules) - 3} more" if len(rules) > 3 else "")))
    return told


def _machine(facts: dict[str, str]) -> str:
    """The machine in a line."""
    known = [facts.get(key, "") for key in ("cpu.model", "topology.summary", "kernel.release")]
    return printable("; ".join(one for one in known if one and not one.startswith("not available")))


def campaign_part(campaign: Campaign, program: Program, label: str = "") -> tuple[CampaignPart, list[Found]]:
    """Everything that is said of one campaign beside its series, and these for a page."""
    facts = campaign.facts()
    states, problems = states_of(campaign, program)
    layout, text = layout_text(campaign, program)
    predictions, more_problems = predictions_of(campaign, program)
    part = CampaignPart(
        printable(str(campaign.directory)),
        printable(campaign.title),
        label,
        _asked(campaign),
        _machine(facts),
        trust_text(campaign.series),
        [
            (name, printable(facts[key]))
            for key, name in _FACTS.items()
            if facts.get(key, "not available").split(":")[0] != "not available"
        ],
        [(printable(key), printable(value)) for key, value in facts.items() if key != "topology.xml"],
        [(str(one["session"]), printable(one["started"]), printable(one["command_line"])) for one in campaign.sessions],
        machine_box(facts.get("topology.xml", "")),
        [printable(one) for one in [*warnings_of(campaign), *problems, *more_problems]],
        [printable(one) for one in campaign.notes],
        findings_of(campaign),
        layout,
        text,
        printable_lines(campaign.configuration),
        cores_section(campaign, states),
        [Chart(title, *made, LINE_ROOM + LINE_CELL * len(made[0]["data"][0]["x"])) for title, made in line_charts(campaign.series)],
        predictions_part(predictions),
    )
    return part, found_of(campaign, states, label)


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
