# SPDX-License-Identifier: Apache-2.0
"""Spread within incarnations against spread between them: what repeating in one process hides."""

from typing import Any

from assay_report import drawing
from assay_report.campaign import Series
from assay_report.lines import hover_of
from assay_report.drawing import Figure
from assay_report.marks import is_marked, marks_of
from assay_report.numbers import percent_text
from assay_report.tables import shown_results, varying_factors

MOST = 2000


def spread_chart(series: Series) -> tuple[Figure, str] | None:
    """A mark per point, above the diagonal where processes differ more than the batches of one."""
    factors = varying_factors(series)
    spots: dict[bool, list[tuple[float, float, str]]] = {False: [], True: []}
    for point in series.points:
        for result in shown_results(point)[:1]:
            within, between = float(result["within_spread"]) * 100, float(result["between_spread"]) * 100
            text = f"<br>within {percent_text(within / 100)} %, between {percent_text(between / 100)} %"
            spots[is_marked(marks_of(point, result))].append((within, between, hover_of(point, result, factors) + text))
    total = sum(map(len, spots.values()))
    if total < 2 or not any(between > 0 for some in spots.values() for _, between, _ in some):
        return None
    top = max(max(within, between) for some in spots.values() for within, between, _ in some) * 1.05 or 1.0
    traces: list[dict[str, Any]] = [
        drawing.trace(
            x=[0, top], y=[0, top], mode="lines", line={"color": drawing.GREY, "dash": "dot", "width": 1}, name="equal"
        )
    ]
    for hollow, some in spots.items():
        colour = drawing.COLOURS[1 if hollow else 0]
        step = max(1, len(some) // MOST)
        if some[::step]:
            within_values, between_values, texts = zip(*some[::step], strict=True)
            traces.append(
                drawing.trace(
                    x=drawing.rounded(within_values, 4),
                    y=drawing.rounded(between_values, 4),
                    hovertext=list(texts),
                    name="not relied on" if hollow else "points",
                    marker={
                        "symbol": "diamond-open" if hollow else "circle",
                        "size": 8,
                        "color": colour,
                        "opacity": 0.8,
                        "line": {"width": 1.5, "color": colour},
                    },
                )
            )
    x = drawing.axis("within incarnations, % (interquartile range over median)", [0.0])
    y = drawing.axis("between them, % (deviation of medians)", [0.0])
    note = "Above the line fresh processes differ more than the batches of one: more timings in one process would not help."
    return {"data": traces, "layout": drawing.layout(x, y, 400)}, note + (
        f" About {MOST} of {total} points are drawn." if total > MOST * 2 else ""
    )
