# SPDX-License-Identifier: Apache-2.0
"""What the program predicts from a campaign's parameters, and how it holds that against measured values: its own verdicts, read."""

import math
from dataclasses import dataclass
from typing import Any

import orjson

from assay_report.campaign import Campaign
from assay_report.journal import ResultError
from assay_report.levels import Point, decoded
from assay_report.numbers import value_text
from assay_report.printable import printable
from assay_report.program import Program

Record = dict[str, Any]
AGREES, MISSES, CANNOT_SAY = "agrees", "model misses", "cannot say"
TOLERANCE = 0.15  # within which a model agrees, however narrow the intervals are: framework/record/predict/prediction.hpp
# What formulas are of. A program is asked for predictions only where one of these was measured, and something beside it.
TARGETS = {
    "hybrid/barrier",
    "logp/round_trip",
    "mpi/collective",
    "sync/barrier",
    "sync/broadcast",
    "sync/contention",
    "sync/handover",
}
_GROUPS = ("hybrid/", "logp/", "mpi/", "sync/")
_FACTORS = ("channel", "vehicle", "placement", "members", "threads", "size", "start")


@dataclass(frozen=True)
class Number:
    """A value with the ends of its interval, NaN where there is none."""

    value: float
    low: float
    high: float

    def text(self, unit: str) -> str:
        """As tables show it, with its interval."""
        return value_text(self.value, self.low, self.high, unit)


@dataclass(frozen=True)
class Held:
    """A measured value beside a prediction, with the program's verdict."""

    measured: Number
    marks: str
    ratio: Number  # predicted over measured
    is_inside: bool
    verdict: str
    reason: str


@dataclass(frozen=True)
class Prediction:
    """One predicted value."""

    formula: str
    measurement: str
    quantity: str
    point: Point
    predicted: Number
    marks: str  # of the parameters
    inputs: str
    held: Held | None


@dataclass(frozen=True)
class Predictions:
    """All of a campaign, in one unit."""

    unit: str
    all: list[Prediction]

    @property
    def held(self) -> list[Prediction]:
        """Those beside which a measured value stands."""
        return [one for one in self.all if one.held is not None]


def _number(row: Record, name: str) -> Number:
    value, low, high = (math.nan if row[key] is None else float(row[key]) for key in (name, f"{name}_low", f"{name}_high"))
    return Number(value, low, high)


def _held(row: Record) -> Held | None:
    if row["measured"] is None:
        return None
    return Held(
        _number(row, "measured"), row["measured_marks"], _number(row, "ratio"), bool(row["inside"]), row["verdict"], printable(row["reason"])
    )


def read_predictions(text: str) -> Predictions:
    """The listing of `assay predict DIR --format json`; raises ResultError for anything else."""
    try:
        listing = orjson.loads(text)
        if listing["kind"] != "predictions":
            raise ValueError(f"a listing of {listing['kind']!r}")
        rows = [
            Prediction(
                printable(row["formula"]),
                printable(row["measurement"]),
                printable(row["quantity"]),
                decoded({factor: row[factor] for factor in _FACTORS if row[factor] is not None}),
                _number(row, "predicted"),
                row["marks"],
                printable(row["inputs"]),
                _held(row),
            )
            for row in listing["rows"]
        ]
        return Predictions(str(listing["unit"]), rows)
    except (KeyError, TypeError, ValueError) as error:
        raise ResultError(f"'assay predict' did not list predictions as this version of the report reads them: {error!r}") from error


def may_be_predicted(campaign: Campaign) -> bool:
    """Whether a measured value may stand beside a prediction: it takes parameters, which are other measurements."""
    measured = {series.measurement for series in campaign.series if series.points}
    return bool(measured & TARGETS) and sum(name.startswith(_GROUPS) for name in measured) > 1


def predictions_of(campaign: Campaign, program: Program) -> tuple[Predictions | None, list[str]]:
    """What is predicted of a campaign, if a measured value is held against any; or what must be said where it is not to be had."""
    if not may_be_predicted(campaign):
        return None, []
    try:
        text = program.predictions(campaign.directory)
        found = read_predictions(text) if text is not None else None
    except ResultError as error:
        return None, [f"predictions are not shown: {error}"]
    return (found if found is not None and found.held else None), []
