# SPDX-License-Identifier: Apache-2.0
"""`assay-plot DIR --series NAME --x FACTOR --output FILE.svg`: one chart of a campaign for a paper."""

import argparse
import sys
from pathlib import Path

from assay_report.campaign import Campaign, Series, load
from assay_report.command import NotInstalled, WrongUse, ended, replaced, told
from assay_report.lines import main_factor, quantities_of
from assay_report.parsers import plot_parser
from assay_report.printable import printable

FORMATS = ("svg", "png", "pdf")


def arguments_of(argv: list[str] | None) -> argparse.Namespace:
    """The command line."""
    return plot_parser().parse_args(argv)


def _one_of(what: str, asked: str | None, known: list[str], usual: str | None) -> str:
    """What was asked for, or the usual one; raises WrongUse with the names that there are."""
    chosen = asked if asked is not None else usual
    if chosen is None or chosen not in known:
        names = ", ".join(printable(name) for name in known) or "none"
        asked_text = f"there is no {what} '{printable(asked)}'" if asked is not None else f"name a {what}"
        raise WrongUse(f"{asked_text}; there are: {names}")
    return chosen


def chosen_series(campaign: Campaign, name: str | None) -> Series:
    """The series of that name, or the only one."""
    known = {series.name: series for series in campaign.series if series.points}
    only = next(iter(known)) if len(known) == 1 else None
    return known[_one_of("series", name, list(known), only)]


def run(arguments: argparse.Namespace) -> None:
    """Reads and draws, and tells what the figure leaves out."""
    ending = arguments.output.suffix[1:]
    if ending not in FORMATS:
        raise WrongUse(f"{arguments.output}: the file's ending says the format: .svg, .png or .pdf")
    try:
        from assay_report.paper_figure import paper_figure
    except ModuleNotFoundError as error:
        raise NotInstalled(f"{error.name} is not installed: pip install 'assay-report[plot]'") from error
    series = chosen_series(load(arguments.directory, observations=False), arguments.series)
    factor = _one_of("factor", arguments.x, series.factors, main_factor(series))
    quantities = quantities_of(series)
    quantity = _one_of("quantity", arguments.quantity, quantities, quantities[0] if quantities else None)
    with replaced(arguments.output) as new:
        left_out = paper_figure(series, factor, quantity, Path(new), ending, arguments.width, arguments.height)
    if left_out:
        told(f"note: {left_out}")


def main(argv: list[str] | None = None) -> int:
    """The command; returns its exit code."""
    arguments = arguments_of(argv)
    return ended("assay-plot", lambda: run(arguments))


if __name__ == "__main__":
    sys.exit(main())
