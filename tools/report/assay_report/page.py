# SPDX-License-Identifier: Apache-2.0
"""The page: one file that loads nothing, runs no script but its own, and shows every name as the text that it is."""

import base64
import hashlib
from importlib import resources
from typing import Any

import jinja2
import orjson
from markupsafe import Markup

from assay_report.line_chart import NOTE as LINE_NOTE
from assay_report.marks import CODES, MEANINGS
from assay_report.page_parts import CampaignPart, ComparisonPart
from assay_report.series_part import Chart, SeriesPart

_UNSAFE = {
    b"<": b"\\u003c",
    b">": b"\\u003e",
    b"&": b"\\u0026",
    "\u2028".encode(): b"\\u2028",
    "\u2029".encode(): b"\\u2029",
}


def data_block(figure: dict[str, Any]) -> Markup:
    """A figure as JSON in which nothing can end the element that it stands in."""
    text = orjson.dumps(figure)
    for letter, escape in _UNSAFE.items():
        text = text.replace(letter, escape)
    return Markup(text.decode())


def _hash(script: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"


def _own(name: str) -> str:
    return resources.files("assay_report").joinpath(name).read_text(encoding="utf-8")


def policy_of(scripts: list[str]) -> str:
    """The content security policy: nothing is fetched from anywhere, and only these scripts run."""
    allowed = " ".join(map(_hash, scripts))
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


class _Numbers:
    """Gives every chart of a page a number."""

    def __init__(self) -> None:
        self.charts: list[Chart] = []

    def number(self, chart: Chart) -> int:
        self.charts.append(chart)
        return len(self.charts)


def page(
    title: str,
    campaigns: list[CampaignPart],
    series: list[SeriesPart],
    comparisons: list[ComparisonPart],
    problems: list[str],
    plotly: str,
) -> str:
    """The whole page as text."""
    scripts = [plotly, _own("report.js")]
    for script in scripts:
        if "</script" in script.lower() or "<!--" in script:
            raise ValueError("a script of the page would end its own element")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("assay_report", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2").render(
        title=title,
        campaigns=campaigns,
        all_series=series,
        comparisons=comparisons,
        problems=problems,
        policy=policy_of(scripts),
        scripts=[Markup(script) for script in scripts],
        style=Markup(_own("report.css")),
        data_block=data_block,
        number_of=_Numbers().number,
        meanings=MEANINGS,
        codes=CODES,
        line_note=LINE_NOTE,
    )
