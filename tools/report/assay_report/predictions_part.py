# SPDX-License-Identifier: Apache-2.0
"""What a page has of predictions: a sentence with the misses by name, predicted against measured values, curves by members, the table."""

from dataclasses import dataclass

from assay_report.agreement_chart import agreement_chart, names_of, ratio_text
from assay_report.predictions import AGREES, CANNOT_SAY, MISSES, Held, Prediction, Predictions
from assay_report.scaling_chart import scaling_charts
from assay_report.series_part import Chart

MOST_NAMED = 6  # misses in the sentence
_ORDER = {MISSES: 0, CANNOT_SAY: 1, AGREES: 2}


@dataclass
class PredictionRow:
    """A prediction beside its measured value, as texts."""

    name: str
    measurement: str
    predicted: str
    measured: str
    ratio: str
    verdict: str
    is_open: bool  # nothing can be said of it


@dataclass
class PredictionsPart:
    """The predictions of a campaign."""

    words: str
    chart: Chart | None
    scaling: list[Chart]
    scaling_left_out: int
    rows: list[PredictionRow]


def _row(one: Prediction, held: Held, name: str, unit: str) -> PredictionRow:
    return PredictionRow(
        name,
        f"{one.measurement}, {one.quantity}",
        f"{one.predicted.text(unit)} {one.marks}".strip(),
        f"{held.measured.text(unit)} {held.marks}".strip(),
        ratio_text(held.ratio),
        held.verdict + (f": {held.reason}" if held.reason else ""),
        held.verdict == CANNOT_SAY,
    )


def _words(named: list[tuple[Prediction, Held, str]]) -> str:
    """How many agree, and which do not."""
    count = {verdict: sum(held.verdict == verdict for _, held, _ in named) for verdict in _ORDER}
    misses = [f"{name} {held.reason}".strip() for _, held, name in named if held.verdict == MISSES]
    told = (
        f"{len(named)} prediction{'s are' if len(named) > 1 else ' is'} held against a measured value: {count[AGREES]} agree{'s' if count[AGREES] == 1 else ''}, "
        f"the model misses {count[MISSES]}, of {count[CANNOT_SAY]} nothing can be said."
    )
    if misses:
        told += " It misses " + ", ".join(misses[:MOST_NAMED]) + (f", and {len(misses) - MOST_NAMED} more" if len(misses) > MOST_NAMED else "") + "."
    return told


def predictions_part(predictions: Predictions | None) -> PredictionsPart | None:
    """None where nothing is predicted that was measured, too."""
    if predictions is None:
        return None
    held = predictions.held
    named = [(one, one.held, name) for one, name in zip(held, names_of(held), strict=True) if one.held is not None]
    made = agreement_chart(held, predictions.unit)
    scaling, left_out = scaling_charts(predictions.all, predictions.unit)
    ordered = sorted(named, key=lambda one: _ORDER.get(one[1].verdict, 1))
    return PredictionsPart(
        _words(named),
        Chart("Predicted against measured", *made) if made else None,
        [Chart(title, *chart) for title, chart in scaling],
        left_out,
        [_row(*one, predictions.unit) for one in ordered],
    )
