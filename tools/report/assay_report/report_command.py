# SPDX-License-Identifier: Apache-2.0
"""`assay-report DIR... --output FILE.html`, which is also what `assay report` runs."""

import argparse
import sys
from pathlib import Path

from assay_report.campaign import Campaign, load
from assay_report.command import ended, replaced
from assay_report.journal import ResultError
from assay_report.page import page
from assay_report.page_parts import ComparisonPart, campaign_part, comparison_part, series_parts
from assay_report.parsers import report_parser
from assay_report.plotly_script import plotly_script
from assay_report.printable import printable
from assay_report.program import Program, has_variants


def arguments_of(argv: list[str] | None) -> argparse.Namespace:
    """The command line."""
    return report_parser().parse_args(argv)


def comparisons_of(campaigns: list[Campaign], program: Program) -> tuple[list[ComparisonPart], list[str]]:
    """What the program says of changes; its refusals are told in their place."""
    first, *others = campaigns
    pairs = [(first.directory, other.directory) for other in others] or (
        [(first.directory,)] if has_variants(first) else []
    )
    made, problems = [], []
    for pair in pairs:
        try:
            made.append(comparison_part(program.comparison(*pair)))
        except ResultError as error:
            problems.append(f"{' and '.join(map(str, pair))} could not be compared: {printable(str(error))}")
    return made, problems


def labels_of(directories: list[Path]) -> list[str]:
    """What campaigns are called in charts: the ends of their directories' names that tell them apart; nothing where there is one."""
    if len(directories) == 1:
        return [""]
    names = [directory.resolve().parts for directory in directories]
    for length in range(1, max(map(len, names)) + 1):
        labels = [printable("/".join(parts[-length:])) for parts in names]
        if len(set(labels)) == len(labels):
            return labels
    return [f"{number + 1}. {label}" for number, label in enumerate(labels)]


def run(arguments: argparse.Namespace) -> None:
    """Reads, draws and writes."""
    script = plotly_script()  # refused before anything is read
    campaigns = [load(directory, observations=False) for directory in arguments.directories]
    program = Program.found(arguments.assay)
    labels = labels_of(arguments.directories)
    parts, found = zip(
        *(campaign_part(campaign, program, label) for campaign, label in zip(campaigns, labels, strict=True)), strict=True
    )
    series = series_parts(list(found), arguments.colour)
    comparisons, problems = comparisons_of(campaigns, program)
    title = " and ".join(part.title or part.name for part in parts)
    output = arguments.output or campaigns[0].directory / "report.html"
    with replaced(output) as new:
        text = page(title, list(parts), series, comparisons, problems, script)
        Path(new).write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    print(f"The report is in {printable(str(output))}")


def main(argv: list[str] | None = None) -> int:
    """The command; returns its exit code."""
    arguments = arguments_of(argv)
    return ended("assay-report", lambda: run(arguments))


if __name__ == "__main__":
    sys.exit(main())
