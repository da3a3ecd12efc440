# SPDX-License-Identifier: Apache-2.0
"""Predictions on the page: held against measured values with both intervals, curves by members, and none where there is nothing to say."""

import itertools
import json
import math
import re
import subprocess
from html import unescape
from pathlib import Path

import plotly.graph_objects
import pytest
from browser import address, browser, draw_all, errors
from conftest import REPOSITORY
from journals import JournalWriter, result
from pages import figures_of, rendered, section
from predictions_told import row, telling

from assay_report.predictions import TARGETS, TOLERANCE

BARRIERS = {"central": (80.0, 140.0, 250.0), "dissemination": (50.0, 100.0, 150.0)}


def measured(directory: Path, names: tuple[str, ...] = ("sync/line", "sync/barrier")) -> Path:
    """A campaign of which something may be predicted."""
    writer = JournalWriter(directory, "predicted")
    for name in names:
        writer.series(name, measurement=name)
        writer.point(name, {"members": 2}, [result(100.0, 99.0, 101.0)])
    return writer.end()


def known() -> list[dict]:
    """Three values that are measured, of which the model misses one; barriers of two kinds, and three locks that are predicted alike."""
    rows = [row("flag-round-trip", "logp/round_trip", 97.0, 96.0), row("sleepers-futex", "logp/round_trip", 30000.0, 29000.0, "cannot say")]
    for kind, values in BARRIERS.items():
        for members, value in zip((2, 4, 8), values, strict=True):
            is_held = kind == "central" and members == 2
            rows.append(row(f"barrier-{kind}", "sync/barrier", value, 55.0 if is_held else None, "model misses", members=members))
    for lock, members in itertools.product(("ticket", "mcs"), (2, 4)):
        held = {"measured": 75.0} if lock == "mcs" and members == 2 else {}
        rows.append(row(f"throughput-{lock}", "sync/contention", 74.5, **held, members=members, start="window" if held else None))
    return rows


def page_of(directory: Path, rows: list[dict] | None = None, **answer: object) -> str:
    return rendered(measured(directory / "c"), output=directory / "r.html", program=telling(directory, rows, **answer))


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The section of what is known."""
    return section(page_of(tmp_path_factory.mktemp("known"), known()), "c1-predictions")


def traces(figure: dict, name: str) -> dict:
    (found,) = [one for one in figure["data"] if one.get("name") == name]
    return found


def test_the_section_says_how_many_agree_and_names_the_misses(text: str) -> None:
    assert "4 predictions are held against a measured value: 2 agree, the model misses 1, of 1 nothing can be said." in text
    assert "It misses barrier-central by a factor of 1.45." in text and "<details open" not in text


def test_points_have_both_intervals(text: str) -> None:
    agrees = traces(figures_of(text)["Predicted against measured"], "logp/round_trip: agrees")
    assert (agrees["x"], agrees["y"]) == ([0.096], [0.097])  # us, since another value is 30 of them
    for bars, reach in ((agrees["error_x"], 0.00096), (agrees["error_y"], 0.00194)):
        assert bars["array"] == pytest.approx([reach]) and bars["arrayminus"] == pytest.approx([reach])
    assert "measured: 96.00 [95.04 .. 96.96] ns" in unescape(agrees["hovertext"][0]) and "from F=97" in agrees["hovertext"][0]


def test_misses_are_crosses_with_a_name_and_what_cannot_be_said_is_hollow(text: str) -> None:
    figure = figures_of(text)["Predicted against measured"]
    assert traces(figure, "sync/barrier: model misses")["marker"]["symbol"] == "x"
    assert traces(figure, "logp/round_trip: cannot say")["marker"]["symbol"] == "circle-open"
    assert traces(figure, "logp/round_trip: agrees")["marker"]["symbol"] == "circle"
    assert [one["text"] for one in figure["layout"]["annotations"]] == ["barrier-central"]


def test_the_band_is_that_of_the_program_around_the_diagonal(text: str) -> None:
    header = (REPOSITORY / "framework/record/predict/prediction.hpp").read_text()
    assert float(re.search(r"model_tolerance = ([\d.]+)", header).group(1)) == TOLERANCE
    figure = figures_of(text)["Predicted against measured"]
    upper, diagonal, lower = traces(figure, "within 15 %"), traces(figure, "as measured"), figure["data"][0]
    assert diagonal["x"] == diagonal["y"]
    for x, low, high in zip(diagonal["x"], lower["y"], upper["y"], strict=True):
        assert (high / x, x / low) == pytest.approx((1.15, 1.15))
    axes = [figure["layout"][axis] for axis in ("xaxis", "yaxis")]
    assert axes[0]["range"] == axes[1]["range"] and {axis["type"] for axis in axes} == {"log"}


def test_names_of_misses_that_are_close_to_each_other_do_not_meet(tmp_path: Path) -> None:
    rows = [row(f"sleepers-of-kind-{at}", "logp/round_trip", 39000.0 + 10 * at, 30000.0, "model misses") for at in range(8)]
    figure = figures_of(section(page_of(tmp_path, [*rows, row("flag", "logp/round_trip", 100.0, 100.0)]), "c1-predictions"))["Predicted against measured"]
    low, high = figure["layout"]["xaxis"]["range"]
    boxes = []
    for one in figure["layout"]["annotations"]:
        x, y = (size * (one[axis] - low) / (high - low) for axis, size in (("x", 950), ("y", 360)))
        left = x + one["ax"] - (6 * len(one["text"]) if one["xanchor"] == "right" else 0)
        boxes.append((left, y - one["ay"], left + 6 * len(one["text"])))
        assert 0 <= left and boxes[-1][2] <= 950 and 0 <= y - one["ay"] <= 360
    assert len(boxes) == 8
    for a, b in itertools.combinations(boxes, 2):
        assert abs(a[1] - b[1]) >= 14 or a[2] <= b[0] or b[2] <= a[0]


def test_a_curve_has_its_band_and_what_was_measured_stands_on_it(text: str) -> None:
    figure = figures_of(text)["sync/barrier, time by members"]
    for kind, values in BARRIERS.items():
        curve = traces(figure, f"barrier-{kind}")
        assert (curve["x"], curve["y"]) == ([2.0, 4.0, 8.0], list(values))
        low, high = figure["data"][(at := figure["data"].index(curve)) - 2 : at]
        assert low["y"] == pytest.approx([one * 0.98 for one in values]) and high["y"] == pytest.approx([one * 1.02 for one in values])
        assert high["fill"] == "tonexty"
    value = traces(figure, "barrier-central: measured")
    assert (value["x"], value["y"]) == ([2.0], [55.0]) and value["error_y"]["array"] == pytest.approx([0.55])
    assert value["marker"]["color"] == traces(figure, "barrier-central")["line"]["color"] and not value["showlegend"]
    assert figure["layout"]["xaxis"]["ticktext"] == ["2", "4", "8"]


def test_curves_that_lie_on_each_other_are_one_with_all_names(text: str) -> None:
    figure = figures_of(text)["sync/contention, time by members"]
    assert traces(figure, "throughput-ticket, -mcs")["y"] == [74.5, 74.5]
    # The colour of its measured value is of no line, so that the legend has it.
    assert traces(figure, "throughput-mcs: measured")["showlegend"] and len(figure["data"]) == 4


def test_a_value_that_is_predicted_for_one_number_of_members_has_no_curve(text: str) -> None:
    assert list(figures_of(text)) == ["Predicted against measured", "sync/barrier, time by members", "sync/contention, time by members"]


def test_measured_values_of_which_nothing_can_be_said_are_hollow_and_do_not_stretch_the_axis(tmp_path: Path) -> None:
    rows = [row("barrier-central", "sync/barrier", 40.0 * members, members=members, marks="!~") for members in (4, 8, 16)]
    wild = row("barrier-central", "sync/barrier", 80.0, 9000.0, "cannot say", measured_high=90000.0)
    text = section(page_of(tmp_path, [wild, *rows]), "c1-predictions")
    figure = figures_of(text)["sync/barrier, time by members"]
    assert traces(figure, "barrier-central: measured")["marker"]["symbol"] == ["circle-open"]
    top = figure["layout"]["yaxis"]["range"][1]
    assert 640 < top < 2000 and traces(figure, "barrier-central: measured")["y"][0] < top and "beyond the axis" in figure["layout"]["annotations"][0]["text"]
    assert traces(figure, "barrier-central !") and "Marks behind a name are those of its parameters." in text


def test_collective_operations_have_a_chart_each_by_size(tmp_path: Path) -> None:
    rows = [
        row(f"mpi-{what}-binomial", "mpi/collective", 500.0 * members, 900.0 if members == 2 and what == "bcast" else None, members=members, size=size)
        for what in ("reduce", "bcast")
        for size in (8, 65536)
        for members in (2, 4)
    ]
    titles = list(figures_of(section(page_of(tmp_path, rows), "c1-predictions")))[1:]
    assert titles[:2] == ["mpi/collective bcast, time by members, size=8", "mpi/collective bcast, time by members, size=64Ki"]
    assert titles[2:] == [title.replace("bcast", "reduce") for title in titles[:2]]


def test_the_table_has_the_misses_first_and_every_reason(text: str) -> None:
    rows = re.findall(r"<tr(?: class=\"(marked)\")?><td>(.*?)</td>.*?<td class=\"number\">([^<]*)</td><td>([^<]*)</td></tr>", text)
    assert [(mark, name) for mark, name, _, _ in rows] == [("", "barrier-central"), ("marked", "sleepers-futex"), ("", "flag-round-trip"), ("", "throughput-mcs")]
    assert rows[0][2:] == ("1.455 [1.411 .. 1.498]", "model misses: by a factor of 1.45") and rows[1][3] == "cannot say: the measured value is noisy"


def test_without_measured_values_there_is_no_section(tmp_path: Path) -> None:
    text = page_of(tmp_path, [row("barrier-central", "sync/barrier", 80.0, members=members) for members in (2, 4)])
    assert "c1-predictions" not in text and (tmp_path / "asked").read_text().count("\n") == 1


def test_a_campaign_from_which_nothing_can_be_predicted_is_no_problem(tmp_path: Path) -> None:
    text = page_of(tmp_path, code=5, error="assay: error: c: nothing can be predicted from it; flag-round-trip lacks S")
    assert "c1-predictions" not in text and "predictions are not shown" not in text


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"code": 2, "error": "unknown command 'predict'"}, "unknown command"),
        ({"answer": "no JSON"}, "did not list predictions"),
        ({"answer": "[]"}, "did not list predictions"),
        ({"answer": '{"kind": "advice", "unit": "ns", "rows": []}'}, "did not list predictions"),
        ({"answer": '{"kind": "predictions", "unit": "ns", "rows": [{"formula": "x"}]}'}, "did not list predictions"),
    ],
)
def test_a_program_that_cannot_predict_is_told_in_the_overview(tmp_path: Path, answer: dict, told: str) -> None:
    overview = section(page_of(tmp_path, **answer), "overview")
    assert "predictions are not shown: " in overview and told in overview


@pytest.mark.parametrize("names", [("logp/round_trip",), ("logp/round_trip", "memory/bandwidth"), ("sync/line", "sync/lock")])
def test_it_is_not_asked_where_no_measured_value_can_be_predicted(tmp_path: Path, names: tuple[str, ...]) -> None:
    rendered(measured(tmp_path / "c", names), output=tmp_path / "r.html", program=telling(tmp_path, known()))
    assert not (tmp_path / "asked").exists()


def test_hostile_names_are_text(tmp_path: Path) -> None:
    name = "</script><img src=x onerror=alert(1)>\x1b[31m"
    rows = [row(name, name, 100.0 * members, 300.0 if members < 8 else None, "model misses", members=members, reason=name) for members in (2, 4, 8)]
    text = section(page_of(tmp_path, rows), "c1-predictions")
    assert "<img" not in text and "\x1b" not in text
    for figure in figures_of(text).values():
        plotly.graph_objects.Figure(figure)
        assert "<img" not in json.dumps(figure["layout"]) and not any("<img" in json.dumps(one.get("name", "")) for one in figure["data"])


def truth(directory: Path, factor: float) -> Path:
    """Costs of cache lines, and a round trip of a flag that is `factor` of what they predict: 109, the mean of 2 (S + R) and 2 N."""
    writer = JournalWriter(directory, "truth")
    place = {"placement": "same-l3", "vehicle": "thread", "members": 2}

    def point(name: str, of: str, levels: dict, value: float, quantity: str = "time") -> None:
        writer.series(name, quantity=quantity, measurement=of)
        about = {**levels, **place}
        writer.visits(name, about, [[value * (1 + at / 1000)] * 4 for at in range(5)])
        writer.point(name, about, [result(value, value * 0.99, value * 1.01, quantity=quantity, regime="spin")], measurement=of)

    common = {"access": "dependent"}
    point("r", "sync/line", {"operation": "load", "line": "modified", "holder": "other", **common}, 26.0)
    point("s", "sync/line", {"operation": "store", "line": "shared", "holder": "both", **common}, 35.0)
    point("poll", "sync/poll", {}, 1.0)
    point("flag", "logp/round_trip", {"channel": "flag", "work": "none", "stop": "lease"}, 109.0 / factor, "rtt")
    return writer.end()


@pytest.mark.parametrize(("factor", "words"), [(1.0, "1 agrees, the model misses 0"), (1.7, "It misses flag-round-trip by a factor of 1.7.")])
def test_the_verdicts_of_the_program_are_on_the_page(program: str, tmp_path: Path, factor: float, words: str) -> None:
    text = section(rendered(truth(tmp_path / "c", factor), output=tmp_path / "r.html", program=program), "c1-predictions")
    assert "1 prediction is held" in text and words in text
    figure = figures_of(text)["Predicted against measured"]
    spot = next(one for one in figure["data"] if str(one.get("name")).startswith("logp/round_trip"))
    assert spot["y"] == pytest.approx([109.0], rel=0.001) and spot["x"] == pytest.approx([109.0 / factor], rel=0.001)
    assert all(math.isfinite(one) and one > 0 for one in spot["error_y"]["array"])


def test_what_may_be_predicted_is_what_the_program_has_formulas_for(program: str) -> None:
    done = subprocess.run([program, "predict", "--what", "--format", "json"], capture_output=True, text=True, check=True)
    assert {one["measurement"] for one in json.loads(done.stdout)["rows"]} == TARGETS


def test_a_browser_draws_them_folded_below_the_series(tmp_path: Path) -> None:
    text = page_of(tmp_path, known())
    assert text.index('class="series"') < text.index('id="c1-predictions"') < text.index('id="c1-findings"')
    with browser(1280, 900) as page:
        page.get(address(tmp_path / "r.html"))
        assert page.execute_script("return document.documentElement.scrollHeight") < 3 * 900
        assert page.execute_script("return document.getElementById('c1-predictions').offsetHeight") < 250
        assert draw_all(page) >= 3 and errors(page) == []
        wide = page.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide == 0
