# SPDX-License-Identifier: Apache-2.0
"""`assay-report DIR... --output FILE.html`, which is also what `assay report` runs."""

import argparse
import sys
from pathlib import Path

import plotly

from assay_report.campaign import Campaign, load
from assay_report.command import NotInstalled, ended, replaced
from assay_report.journal import ResultError
from assay_report.page import page
from assay_report.page_parts import ComparisonPart, campaign_part, comparison_part
from assay_report.parsers import report_parser
from assay_report.printable import printable
from assay_report.program import Program, has_variants

OLDEST_PLOTLY = (5, 20)


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


def check_plotly() -> None:
    """Refuses versions that do not know all that the charts ask for, which would draw points over one another without a word."""
    version = tuple(int(part) for part in plotly.__version__.split(".")[:2])
    if version < OLDEST_PLOTLY:
        raise NotInstalled(
            f"plotly {plotly.__version__} is too old, {'.'.join(map(str, OLDEST_PLOTLY))} is needed: install the package in a "
            "virtual environment (see 'The report' in installing.md of Assay's documents)"
        )


def run(arguments: argparse.Namespace) -> None:
    """Reads, draws and writes."""
    check_plotly()
    campaigns = [load(directory, observations=False) for directory in arguments.directories]
    program = Program.found(arguments.assay)
    parts = [campaign_part(campaign, program, arguments.colour) for campaign in campaigns]
    comparisons, problems = comparisons_of(campaigns, program)
    title = " and ".join(part.title or part.name for part in parts)
    output = arguments.output or campaigns[0].directory / "report.html"
    with replaced(output) as new:
        text = page(title, parts, comparisons, problems)
        Path(new).write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    print(f"The report is in {printable(str(output))}")


def main(argv: list[str] | None = None) -> int:
    """The command; returns its exit code."""
    arguments = arguments_of(argv)
    return ended("assay-report", lambda: run(arguments))


if __name__ == "__main__":
    sys.exit(main())
