# SPDX-License-Identifier: Apache-2.0
"""Reads the results of Assay's campaigns: `load(DIR)` has data frames of points, observations, derived values and provenance."""

from assay_report.campaign import Campaign, Series, load
from assay_report.journal import ResultError, TornJournal

__all__ = ["Campaign", "ResultError", "Series", "TornJournal", "load"]
