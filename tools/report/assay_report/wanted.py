# SPDX-License-Identifier: Apache-2.0
"""Packages that only data frames need: a page does without them, and says so where they are missing."""

from typing import Any


class NotInstalled(Exception):
    """A package is missing: the message says how to install it."""


def frames() -> tuple[Any, Any]:
    """numpy and pandas."""
    try:
        import numpy
        import pandas
    except ImportError as error:
        raise NotInstalled(
            f"data frames need {error.name}, which is not installed: pip install 'assay-report[frames]'; a page needs neither"
        ) from error
    return numpy, pandas
