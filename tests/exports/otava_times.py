# SPDX-License-Identifier: Apache-2.0
"""What to read of a history with Apache Otava."""
from datetime import datetime, timezone

from otava.csv_options import CsvOptions
from otava.data_selector import DataSelector
from otava.test_config import CsvMetric, CsvTestConfig

__all__ = ["CsvMetric", "CsvOptions", "CsvTestConfig", "all_times"]


def all_times():
    """Of all times: the importer's default is the last year."""
    made = DataSelector()
    made.since_time = datetime(2020, 1, 1, tzinfo=timezone.utc)
    made.until_time = datetime(2100, 1, 1, tzinfo=timezone.utc)
    return made
