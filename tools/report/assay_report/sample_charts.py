# SPDX-License-Identifier: Apache-2.0
"""Points that are looked at closely, and the distribution of their batches with its modes."""

import math
from dataclasses import dataclass
from typing import Any

from assay_report import drawing
from assay_report.batches import Batch, Batches
from assay_report.core_states import AS_FOUND
from assay_report.drawing import Figure, safe
from assay_report.levels import subject_of
from assay_report.marks import doubt_text, interval_of, is_marked, marks_of
from assay_report.numbers import percent_text, scale_of, shown
from assay_report.plain_math import evenly, quantile_of
from assay_report.tables import shown_results, varying_factors

Record = dict[str, Any]
QUANTILES = 200
MOST_LOOKS = 240  # points of a campaign whose batches are drawn
MOST_LOOKS_EACH = 6


@dataclass
class Detail:
    """A point whose batches are shown, with the result they belong to."""

    name: str
    point: Record
    result: Record
    batches: Batches


def _primary(series: Any) -> list[tuple[Record, Record]]:
    return [(point, shown_results(point)[0]) for point in series.points if shown_results(point)]


def _interest(pair: tuple[Record, Record]) -> tuple[int, int, float]:
    """How much a closer look at a point may tell: modes, marks, width."""
    point, result = pair
    low, high = interval_of(result["headline"])
    value = abs(float(result["headline"]["value"])) or 1.0
    return (
        len(result["steadiness"]["modes"]),
        int(is_marked(marks_of(point, result))),
        (high - low) / value if not math.isnan(high) else 0.0,
    )


def looks(series: list[Any]) -> dict[str, int]:
    """How many points of each series are looked at closely: of many series one each, of very many none but in the least steady."""
    if len(series) <= MOST_LOOKS:
        return {one.name: min(MOST_LOOKS_EACH, MOST_LOOKS // len(series)) for one in series}
    best = {one.name: max(map(_interest, _primary(one)), default=(0, 0, 0.0)) for one in series}
    first = set(sorted(best, key=lambda name: best[name], reverse=True)[:MOST_LOOKS])
    return {name: int(name in first) for name in best}


def chosen(series: Any, most: int) -> list[tuple[Record, Record]]:
    """Points worth a closer look, with their primary result: first and last, and those that are unsteady or widest."""
    primary = _primary(series)
    if len(primary) <= most or most <= 0:
        return primary[: max(0, most)]
    ranked = sorted(range(len(primary)), key=lambda at: _interest(primary[at]), reverse=True)
    wanted = sorted(set(ranked[: max(1, most - 2)]) | ({0, len(primary) - 1} if most > 2 else set()))
    return [primary[at] for at in wanted[:most]]


def details_of(series: Any, batches: dict[int, Batches], most: int) -> list[Detail]:
    """The chosen points with their batches of the primary quantity."""
    factors = varying_factors(series)
    found = []
    for point, result in chosen(series, most):
        own = [batch for batch in batches.get(point["number"], []) if batch.quantity == result["quantity"]]
        if own:
            found.append(Detail(subject_of(point["point"], factors) or series.name, point, result, own))
    return found


def _scale(details: list[Detail]) -> Any:
    return drawing.scale_for(
        [float(detail.result["headline"]["value"]) for detail in details], details[0].result["unit"]
    )


def _of_result(detail: Detail) -> list[Batch]:
    """The clean batches of the result's regime, in the state of the cores that it is of."""
    state = detail.result.get("state", AS_FOUND)
    own = [batch for batch in detail.batches if batch.clean and batch.regime == detail.result["regime"]]
    by_state = state != AS_FOUND and any(batch.state for batch in detail.batches)
    return [batch for batch in own if batch.state == state] if by_state else own


def distribution_chart(details: list[Detail]) -> tuple[Figure, str] | None:
    """Share of the batches that a result is of up to each value, a line per point, with a cross at each mode."""
    scale = _scale(details)
    traces: list[dict[str, Any]] = []
    all_values: list[float] = []
    for number, detail in enumerate(details):
        values = sorted(batch.value / scale.size for batch in _of_result(detail))
        if not values:
            continue
        shares = [(at + 0.5) / len(values) for at in range(len(values))]
        if len(values) > QUANTILES:
            shares = [shares[0], *evenly(0, 1, QUANTILES)[1:-1], shares[-1]]
            values = [quantile_of(values, share) for share in shares]
        all_values += [float(values[0]), float(values[-1])]
        colour, symbol, dash = drawing.style_of(number)
        hover = [
            f"{drawing.shortened(detail.name, 100)}<br>{percent_text(float(share))} % of the batches up to {value:.5g}{drawing.unit_text(scale)}"
            for share, value in zip(shares, values, strict=True)
        ]
        hollow = is_marked(marks_of(detail.point, detail.result))
        traces.append(
            drawing.trace(
                x=drawing.rounded(values, 5),
                y=drawing.rounded(shares, 4),
                mode="lines",
                line={"shape": "hv", "color": colour, "dash": dash, "width": 2},
                name=drawing.shortened(detail.name)
                + (
                    f" — {doubt_text(detail.result['verdict']['outcome'], marks_of(detail.point, detail.result))}"
                    if hollow
                    else ""
                ),
                hovertext=hover,
            )
        )
        traces += _mode_traces(detail, scale, colour, symbol)
    if not traces:
        return None
    x = drawing.axis(f"{safe(details[0].result['quantity'])}{drawing.unit_text(scale)}", all_values)
    y = drawing.axis("share of clean batches", [0.0, 1.0])
    return {"data": traces, "layout": drawing.layout(x, y, 400)}, ""


def _mode_traces(detail: Detail, scale: Any, colour: str, symbol: str) -> list[dict[str, Any]]:
    modes = sorted(detail.result["steadiness"]["modes"], key=lambda mode: float(mode["median"]))
    if not modes:
        return []
    below, places, texts = 0.0, [], []
    for mode in modes:
        weight = float(mode["weight"])
        places.append(below + weight / 2)
        below += weight
        own = scale_of(float(mode["median"]), detail.result["unit"])
        texts.append(
            f"{drawing.shortened(detail.name, 100)}<br>mode: {percent_text(weight)} % at {shown(float(mode['median']), *interval_of(mode), own).value} {safe(own.name)}"
        )
    return [
        drawing.trace(
            x=drawing.rounded(float(mode["median"]) / scale.size for mode in modes),
            y=drawing.rounded(places, 4),
            hovertext=texts,
            showlegend=False,
            marker={"symbol": "x-thin-open", "size": 13, "color": colour, "line": {"width": 3, "color": colour}},
        )
    ]
