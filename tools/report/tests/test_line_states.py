# SPDX-License-Identifier: Apache-2.0
"""States of cache lines: a heat map for each placement, in which cells that are not to be relied on say why."""

import re
import subprocess
from pathlib import Path

import pytest
from browser import address, browser, draw_all, errors
from journals import JournalWriter, result
from pages import figures_of, rendered, section

from assay_report.line_chart import HOLDERS, OPERATIONS, STATES

REASON = "members that spin on one CPU make no progress"


def lines(directory: Path) -> Path:
    """Own lines at `bound`, those of another at `same-l3`, two members on one CPU, which has no number."""
    writer = JournalWriter(directory, "lines")
    own = {"holder": "self", "access": "dependent", "members": 1, "placement": "bound"}
    remote = {"access": "dependent", "members": 2, "placement": "same-l3"}
    for name in ("local", "remote"):
        writer.series(name, measurement="sync/line")
    for operation, value in (("store", 0.5), ("load", 1.234)):
        for state in ("modified", "invalid"):
            far = 100.0 if state == "invalid" else 1.0
            writer.point("local", {"operation": operation, "line": state, **own}, [result(value * far, value * far * 0.99, value * far * 1.01)])
    for state, holder, value, members in (
        ("shared", "both", 143.21, {}),
        ("modified", "other", 127.9, {"noisy": True}),
        ("shared", "self", 20.0, {}),
    ):
        writer.point("remote", {"operation": "load", "line": state, "holder": holder, **remote}, [result(value, value - 0.2, value + 0.2, **members)])
    nothing = {"outcome": "not-applicable", "code": "N1", "reason": REASON}
    for operation in ("load", "cas"):
        writer.point("remote", {"operation": operation, "line": "modified", "holder": "other", **remote, "placement": "same-pu"}, [], **nothing)
    writer.point("remote", {"operation": "cas", "line": "modified", "holder": "other", **remote}, [], **nothing)
    return writer.end()


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    """The heat maps by their titles."""
    directory = tmp_path_factory.mktemp("lines")
    return figures_of(section(rendered(lines(directory / "c"), output=directory / "r.html"), "c1-lines"))


def texts(figure: dict) -> dict[tuple[str, str], str]:
    """What stands in the cells."""
    heat = figure["data"][0]
    return {(heat["y"][one["y"]], heat["x"][one["x"]]): one["text"] for one in figure["layout"]["annotations"]}


def test_there_is_a_map_for_each_placement_and_those_without_a_number_come_last(maps: dict[str, dict]) -> None:
    places = ["bound", "same-l3", "same-pu"]
    assert list(maps) == [f"Accesses to a cache line, placement={place}" for place in places]


def test_operations_and_states_are_in_the_order_of_the_measurement(maps: dict[str, dict]) -> None:
    near, far, _ = (figure["data"][0] for figure in maps.values())
    assert near["y"] == ["load", "store"] and near["x"] == ["modified, self", "invalid, self"]
    assert far["y"] == ["load", "cas"] and far["x"] == ["modified, other", "shared, self", "shared, both"]


def test_cells_have_the_digits_that_their_intervals_support(maps: dict[str, dict]) -> None:
    near, far, _ = (texts(figure) for figure in maps.values())
    assert near["load", "modified, self"] == "1.234" and near["load", "invalid, self"] == "123.4"
    assert far["load", "shared, both"] == "143.21"


def test_cells_that_are_not_relied_on_have_no_colour_and_their_reason_on_hover(maps: dict[str, dict]) -> None:
    far = list(maps.values())[1]
    heat = far["data"][0]
    assert texts(far)["load", "modified, other"] == "(127.90) #" and texts(far)["cas", "modified, other"] == "N1"
    assert heat["z"][0][0] is None and heat["z"][1][0] is None and heat["z"][0][2] is not None
    assert "marks: #" in heat["hovertext"][0][0] and REASON in heat["hovertext"][1][0]
    assert heat["hovertext"][1][1] == ""  # which was not asked for


def test_a_colour_is_the_same_value_in_every_map(maps: dict[str, dict]) -> None:
    near, far, _ = (figure["data"][0] for figure in maps.values())
    assert (near["zmin"], near["zmax"]) == (far["zmin"], far["zmax"]) == pytest.approx((-0.30103, 2.15597), abs=1e-4)
    assert near["colorbar"]["ticktext"] == far["colorbar"]["ticktext"]
    looks = {one["text"]: one["font"]["color"] for one in list(maps.values())[1]["layout"]["annotations"]}
    assert looks["143.21"] == "#ffffff" and looks["(127.90) #"] == "#1b1b1b"  # light on dark, dark on light


def test_what_else_differs_within_a_placement_has_a_map_of_its_own(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s", measurement="sync/line")
    for access in ("independent", "dependent", "dependent"):
        point = {"operation": "load", "line": "modified", "holder": "other", "placement": "same-l3", "access": access}
        writer.point("s", point, [result(10.0, 9.8, 10.2)])
    writer.series("again", measurement="sync/line")
    writer.point("again", point, [result(99.0, 98.0, 100.0)])
    text = section(rendered(writer.end(), output=tmp_path / "r.html"), "c1-lines")
    found = figures_of(text)
    assert [title.split("placement=")[1] for title in found] == ["same-l3 access=dependent", "same-l3 access=independent"]
    assert list(texts(next(iter(found.values()))).values()) == ["10.00"]
    assert "1 further point of the same cells, of other series" in text


def test_other_campaigns_have_no_such_section(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s", measurement="sync/lock")
    writer.point("s", {"lock": "mutex"}, [result(1.0, 0.9, 1.1)])
    assert "c1-lines" not in rendered(writer.end(), output=tmp_path / "r.html")


def test_the_words_are_those_of_the_measurement(program: str) -> None:
    described = subprocess.run([program, "describe", "sync/line"], capture_output=True, text=True, check=True).stdout
    factors = re.findall(r"^(operation|line|holder) .*?(?=^\w|\Z)", described, re.MULTILINE | re.DOTALL)
    assert factors == ["operation", "line", "holder"]
    for words in (OPERATIONS, STATES, HOLDERS):
        places = [re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", described.split("Factors")[1]) for word in words]
        assert all(places), words


def test_a_narrow_screen_scrolls_the_maps_and_not_the_page(tmp_path: Path) -> None:
    rendered(lines(tmp_path / "c"), output=tmp_path / "r.html")
    with browser(390, 800) as page:
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True})
        page.get(address(tmp_path / "r.html"))
        draw_all(page)
        assert page.execute_script("return document.documentElement.scrollWidth") == 390
        inside = page.execute_script("return Array.from(document.querySelectorAll('#c1-lines .plot')).map(one => one.clientWidth)")
        assert inside[1] >= 3 * 68 and inside[1] > 390 and errors(page) == []
