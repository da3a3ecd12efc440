# SPDX-License-Identifier: Apache-2.0
"""The command lines of the package's programs; the pages of the manual are made of them, without any package installed."""

import argparse
from pathlib import Path

COLOURINGS = ("state", "incarnation")
TABLES = ("points", "observations", "derived")


def report_parser() -> argparse.ArgumentParser:
    """That of `assay-report`."""
    parser = argparse.ArgumentParser(
        prog="assay-report",
        description="Makes one self-contained HTML page of campaigns: what was measured where, what stands out, every value with its interval, and what changed.",
    )
    parser.add_argument(
        "directories",
        nargs="+",
        metavar="DIR",
        type=Path,
        help="directory of a campaign; each is compared with the first",
    )
    parser.add_argument(
        "--output",
        "-o",
        metavar="FILE.html",
        type=Path,
        help="page to write, or replace; default: report.html in the first directory",
    )
    parser.add_argument(
        "--assay", metavar="PATH", help="the program, whose layouts and verdicts are shown; default: assay on the path"
    )
    parser.add_argument(
        "--colour",
        choices=COLOURINGS,
        default=COLOURINGS[0],
        metavar="|".join(COLOURINGS),
        help="colour of batches in order of time: by the state of the cores where it was read (the default), or by the incarnation",
    )
    return parser


def plot_parser() -> argparse.ArgumentParser:
    """That of `assay-plot`."""
    parser = argparse.ArgumentParser(
        prog="assay-plot", description="Draws medians with their intervals against a factor, as SVG, PNG or PDF."
    )
    parser.add_argument("directory", metavar="DIR", type=Path, help="directory of a campaign")
    parser.add_argument("--series", metavar="NAME", help="series to draw; may be left out where there is only one")
    parser.add_argument("--x", metavar="FACTOR", help="factor of the horizontal axis; default: the one of most levels")
    parser.add_argument("--quantity", metavar="NAME", help="quantity to draw; default: the primary one")
    parser.add_argument(
        "--output",
        "-o",
        required=True,
        metavar="FILE",
        type=Path,
        help="file to write, or replace; its ending is svg, png or pdf",
    )
    parser.add_argument("--width", type=float, default=5.0, metavar="INCHES", help="default: 5")
    parser.add_argument("--height", type=float, default=3.2, metavar="INCHES", help="default: 3.2")
    return parser


def parquet_parser() -> argparse.ArgumentParser:
    """That of `assay-parquet`."""
    parser = argparse.ArgumentParser(
        prog="assay-parquet", description="Writes a table of a campaign's results as Apache Parquet."
    )
    parser.add_argument("directory", metavar="DIR", type=Path, help="directory of a campaign")
    parser.add_argument("--output", "-o", required=True, metavar="FILE", type=Path, help="file to write, or replace")
    parser.add_argument(
        "--table",
        choices=TABLES,
        default=TABLES[0],
        help="points: a row per point, quantity and regime (the default); observations: a row per batch and quantity; derived: a row per derived value",
    )
    return parser
