# SPDX-License-Identifier: Apache-2.0
"""What the page asks of a series again and again costs no more than once."""

from assay_report.series_part import Share


class Row:
    """A row that counts how often it is looked at."""

    looks = 0

    @property
    def another_day(self) -> str:
        """None."""
        Row.looks += 1
        return "-"


def test_a_page_of_many_rows_looks_at_each_once() -> None:
    share = Share("", [Row() for _ in range(100)], [], False, False, [], [], 0, [], [])
    assert not any(share.other_days for _ in share.rows)
    assert Row.looks == 100
