# SPDX-License-Identifier: Apache-2.0
"""Links of a cluster: node against node, a heat map for each combination of the other levels."""

from assay_report import drawing
from assay_report.campaign import Series
from assay_report.drawing import Figure
from assay_report.heat_map import NOTE, Cells, cell_of, heat_figure, scale_of_points
from assay_report.levels import shown_level, subject_of
from assay_report.tables import varying_factors

MOST_MAPS = 4
MOST_NODES = 40


def link_charts(series: Series) -> list[tuple[str, tuple[Figure, str]]]:
    """Titles and heat maps of a series over `node` and `peer`; empty for others. A link has one cell, above the diagonal."""
    if not series.points or not all({"node", "peer"} <= set(point["point"]) for point in series.points):
        return []
    factors = varying_factors(series)
    others = [factor for factor in factors if factor not in {"node", "peer"}]
    groups: dict[str, list[dict]] = {}
    for point in series.points:
        groups.setdefault(subject_of(point["point"], others), []).append(point)
    charts = []
    for name, points in list(groups.items())[:MOST_MAPS]:
        scale = scale_of_points(points)
        if scale is None:
            continue
        ends = [(shown_level(point["point"], "node"), shown_level(point["point"], "peer")) for point in points]
        cells: Cells = {end: cell_of(point, factors, scale) for end, point in zip(ends, points, strict=True)}
        nodes = list(dict.fromkeys(name for end in zip(*ends, strict=True) for name in end))[:MOST_NODES]
        figure = heat_figure(nodes, nodes, cells, "peer", f"median{drawing.unit_text(scale)}", "node")
        charts.append((f"Links{' at ' + name if name else ''}", (figure, _note(len(groups), len(ends)))))
    return charts


def _note(maps: int, links: int) -> str:
    more = f" The first {MOST_MAPS} of {maps} combinations of levels are drawn." if maps > MOST_MAPS else ""
    return f"{links} links. {NOTE} The layout's table says which links differ from the others.{more}"
