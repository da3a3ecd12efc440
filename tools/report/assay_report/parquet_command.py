# SPDX-License-Identifier: Apache-2.0
"""`assay-parquet DIR --output FILE`: a table of a campaign as Apache Parquet, which is also what `assay export --format parquet` runs."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from assay_report.campaign import Campaign, load
from assay_report.command import NotInstalled, ended, replaced
from assay_report.numbers import shortest_text
from assay_report.parsers import parquet_parser
from assay_report.wanted import frames

if TYPE_CHECKING:
    import pandas as pd


def arguments_of(argv: list[str] | None) -> argparse.Namespace:
    """The command line."""
    return parquet_parser().parse_args(argv)


def _text(value: Any) -> str:
    return shortest_text(value) if isinstance(value, float) else str(value)


def of_one_type(column: "pd.Series") -> "pd.Series":
    """A column whose levels are numbers in one series and words in another, as texts; any other as it is."""
    if column.dtype != object:
        return column
    kinds = {type(value) for value in column.dropna()}
    if kinds <= {str} or kinds <= {int, float} or kinds <= {bool}:
        return column
    _, pd = frames()
    return column.map(lambda value: value if pd.isna(value) else _text(value))


def table_of(campaign: Campaign, name: str) -> Any:
    """A data frame as an Arrow table; title, configuration and the last session's facts are its metadata."""
    import pyarrow

    frame = getattr(campaign, name)
    for column in frame.columns:
        frame[column] = of_one_type(frame[column])
    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    about = {"title": campaign.title, "configuration": campaign.configuration, "ended": campaign.ended}
    own = {"assay": orjson.dumps({"table": name, **about, "facts": campaign.facts()})}
    return table.replace_schema_metadata({**(table.schema.metadata or {}), **own})


def run(arguments: argparse.Namespace) -> None:
    """Reads and writes."""
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise NotInstalled(f"pyarrow cannot be imported ({error}): pip install 'assay-report[parquet]'") from error
    campaign = load(arguments.directory, observations=arguments.table == "observations")
    table = table_of(campaign, arguments.table)
    with replaced(arguments.output) as new:
        parquet.write_table(table, new, compression="zstd")


def main(argv: list[str] | None = None) -> int:
    """The command; returns its exit code."""
    arguments = arguments_of(argv)
    return ended("assay-parquet", lambda: run(arguments))


if __name__ == "__main__":
    sys.exit(main())
