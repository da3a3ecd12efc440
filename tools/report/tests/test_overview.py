# SPDX-License-Identifier: Apache-2.0
"""The page's overview: charts of all campaigns, colours by state, axes that outliers do not stretch, permanent links, folded points."""

import io
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest
from browser import address, browser, draw_all, errors, screen
from journals import JournalWriter, result

from assay_report.anchors import point_anchor, series_anchor
from assay_report.drawing import COLOURS
from assay_report.reach import Place, reach_of
from assay_report.report_command import labels_of, main


def rendered(*directories: Path, output: Path) -> str:
    assert main([*map(str, directories), "--output", str(output)]) == 0
    return output.read_text()


def charts_of(text: str) -> dict[str, dict]:
    """The first chart of each series."""
    found = {}
    for anchor, section in re.findall(r'<section id="(series-[^"]+)" class="series">(.*?)</section>', text, re.DOTALL):
        block = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', section, re.DOTALL)
        found[anchor] = json.loads(block.group(1)) if block else {}
    return found


def mechanisms(directory: Path, factor: float = 1.0, further: str = "", order: int = 1) -> Path:
    """Three mechanisms, one of them with an interval to a hundred times its value; `further` is one more level of another factor."""
    writer = JournalWriter(directory, "mechanisms")
    writer.series("first things")
    for name in ("futex", "pipe", "condvar", "flag")[::order]:
        value = 100.0 * factor
        high = 10000.0 if name == "pipe" else value * 1.02
        for place in filter(None, ("same-pu", further)):
            point = {"channel": name, "placement": place}
            writer.visits("first things", point, [[value] * 4] * 3)
            writer.point("first things", point, [result(value, value * 0.98, high)])
    return writer.end()


def test_an_interval_far_beyond_the_others_does_not_stretch_the_axis_and_is_told(tmp_path: Path) -> None:
    (figure,) = charts_of(rendered(mechanisms(tmp_path / "c"), output=tmp_path / "r.html")).values()
    low, high = figure["layout"]["yaxis"]["range"]
    assert low == 0 and 100 < high < 300
    assert [one["text"] for one in figure["layout"]["annotations"]] == ["▲ 1 point beyond the axis"]


def test_without_outliers_nothing_is_cut_off(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    for size in (1, 2, 3):
        writer.point("s", {"size": size}, [result(100.0 * size, 90.0 * size, 120.0 * size)])
    (figure,) = charts_of(rendered(writer.end(), output=tmp_path / "r.html")).values()
    assert "range" not in figure["layout"]["yaxis"] and not figure["layout"]["annotations"]


def sound(value: float) -> Place:
    return Place(value, value * 0.99, value * 1.01, True)


def test_what_is_relied_on_is_never_beyond_an_axis() -> None:
    for values in ([1, 1, 1, 1, 25], [1, 1, 1, 1000], [-5, 1, 1, 1], [0.0, 1.0], [3.0]):
        reach = reach_of([sound(value) for value in values])
        assert reach.range is None or all(reach.shown(value) == value for value in values)
    doubtful = Place(50.0, math.nan, math.nan, False)
    reach = reach_of([sound(1.0), sound(1.1), sound(1.2), doubtful])
    assert reach.above == 1 and reach.top < 4 and reach.shown(50.0) < reach.top and reach.words.startswith("▲ 1 point ")
    assert reach_of([sound(1.0), doubtful, doubtful, doubtful]).range is None  # most of them are no outliers


def test_an_end_at_or_below_zero_leaves_an_axis_logarithmic() -> None:
    reach = reach_of([sound(1.0), sound(100.0), sound(10.0), Place(5.0, -3.0, 6.0, True)])
    assert reach.is_log and reach.below == 1 and reach.bottom > 0


def test_several_campaigns_are_one_chart_with_a_legend(tmp_path: Path) -> None:
    campaigns = [mechanisms(tmp_path / name, factor) for name, factor in (("before", 1.0), ("after", 1.5))]
    text = rendered(*campaigns, output=tmp_path / "r.html")
    (figure,) = charts_of(text).values()
    names = [part["name"] for part in figure["data"]]
    assert names == ["before", "after"] and figure["layout"]["showlegend"]
    colours = {part["marker"]["color"] for part in figure["data"]}
    assert len(colours) == 2 and figure["data"][1]["y"][0] == pytest.approx(150.0)
    names = re.findall(r'id="([^"]+)"', text.split("</main>")[0])
    assert len(set(names)) == len(names) > 5


def test_campaigns_are_called_by_what_tells_them_apart() -> None:
    assert labels_of([Path("/a/one"), Path("/a/two")]) == ["one", "two"]
    assert labels_of([Path("/a/one"), Path("/b/one")]) == ["a/one", "b/one"]
    assert len(set(labels_of([Path("/a/one"), Path("/a/one")]))) == 2


def test_variants_are_colours_of_one_chart(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    for placement in ("bound", "unbound"):
        for variant in ("a", "b", "c"):
            for kind in ("x", "y"):
                point = {"kind": kind, "variant": variant, "placement": placement}
                writer.point("s", point, [result(100.0, 99.0, 101.0)])
    (figure,) = charts_of(rendered(writer.end(), output=tmp_path / "r.html")).values()
    assert figure["layout"]["xaxis"]["title"]["text"] in ("kind", "placement")
    assert len(figure["data"]) == 6 and len({part["marker"]["color"] for part in figure["data"]}) == 3
    assert len({part["marker"]["symbol"] for part in figure["data"]}) == 2


def test_states_of_the_cores_are_colours(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    other = {"outcome": "open", "reason": "other state: 30 % of the clean batches"}
    for place in ("bound", "unbound"):
        alone = result(100.0, 99.0, 101.0, state="alone", state_share=0.7)
        shared = result(150.0, 149.0, 151.0, state="shared", state_share=0.3)
        shared["verdict"] = {**shared["verdict"], **other}
        writer.point("s", {"placement": place}, [alone], others=[shared])
    (figure,) = charts_of(rendered(writer.end(), output=tmp_path / "r.html")).values()
    assert [(part["name"], part["y"]) for part in figure["data"]] == [("alone", [100.0, 100.0]), ("shared", [150.0, 150.0])]
    assert len({part["marker"]["color"] for part in figure["data"]}) == 2
    assert figure["data"][1]["marker"]["symbol"].endswith("-open")
    assert figure["data"][0]["marker"]["color"] == COLOURS[0]  # that of a core alone in every chart


def test_links_stay_the_same_whatever_else_is_measured(tmp_path: Path) -> None:
    first = rendered(mechanisms(tmp_path / "a"), output=tmp_path / "a.html")
    second = rendered(mechanisms(tmp_path / "b", 3.0, "same-l3", -1), output=tmp_path / "b.html")
    links = [set(re.findall(r' id="((?:series|point)-[^"]+)"', text)) for text in (first, second)]
    assert len(links[0]) == 5 and len(links[1]) == 9 and links[0] < links[1]
    for text in (first, second):
        assert {target for target in re.findall(r'href="#([^"]+)"', text)} <= set(re.findall(r' id="([^"]+)"', text))


def test_anchors_are_harmless_and_differ() -> None:
    names = ["a b", "a-b", "a/b", "", "<script>", "ü", "a" * 300]
    anchors = [series_anchor(name) for name in names]
    assert len(set(anchors)) == len(names) and all(re.fullmatch(r"[A-Za-z0-9_.-]+", one) for one in anchors)
    assert max(map(len, anchors)) < 80
    assert point_anchor("s", {"a": 1}) != point_anchor("s", {"a": 1.0}) != point_anchor("s", {"a": "1"})


def test_every_point_is_folded_with_its_diagnostics(tmp_path: Path) -> None:
    text = rendered(mechanisms(tmp_path / "c"), output=tmp_path / "r.html")
    folds = re.findall(r'<details class="point[^"]*" id="[^"]+"><summary>(.*?)</summary>(.*?)</details>', text, re.DOTALL)
    assert len(folds) == 4 and folds[0][0].startswith("channel=condvar: 100")
    assert all("timings in" in inside and "class=\"plot\"" in inside for _, inside in folds)


def test_a_link_unfolds_its_point(tmp_path: Path) -> None:
    text = rendered(mechanisms(tmp_path / "c"), output=tmp_path / "r.html")
    anchor = re.findall(r'<details class="point[^"]*" id="([^"]+)"', text)[2]
    with browser() as page:
        page.get(address(tmp_path / "r.html") + "#" + anchor)
        assert page.execute_script("return document.getElementById(arguments[0]).checkVisibility()", anchor)
        assert page.execute_script("return document.querySelectorAll('details.point[open]').length") == 1
        draw_all(page)
        assert errors(page) == []


def test_a_page_needs_neither_data_frames_nor_plotly(tmp_path: Path) -> None:
    """Whatever a plain installation lacks cannot be imported by it."""
    campaign = mechanisms(tmp_path / "c")
    script = (
        "import sys\n"
        "for name in ('numpy', 'pandas', 'matplotlib', 'pyarrow'): sys.modules[name] = None\n"
        "from assay_report.report_command import main\n"
        f"sys.exit(main([{str(campaign)!r}, '--output', {str(tmp_path / 'r.html')!r}]))\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert charts_of((tmp_path / "r.html").read_text())


def test_a_real_quick_page_is_three_screens(quick: Path, tmp_path: Path, program: str) -> None:
    assert main([str(quick), "--output", str(tmp_path / "r.html"), "--assay", program]) == 0
    with browser(1280, 900) as page:
        page.get(address(tmp_path / "r.html"))
        assert page.execute_script("return document.querySelectorAll('details[open]').length") == 0
        height = page.execute_script("return document.documentElement.scrollHeight")
        wide = page.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert height <= 3 * 900 and wide == 0, (height, wide)


def test_the_overview_says_what_was_asked_where_and_how_far_it_is_trusted(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    late = result(100.0, 90.0, 110.0)
    late["verdict"] = {**late["verdict"], "outcome": "max-time"}
    writer.point("s", {"size": 1}, [result(100.0, 99.0, 101.0)])
    writer.point("s", {"size": 2}, [late])
    writer.point("s", {"size": 3}, [], outcome="not-applicable")
    text = rendered(writer.end(), output=tmp_path / "r.html")
    overview = text[text.index('<section id="overview">') : text.index('<div class="cards">')]
    for told in ("assay run, 2026-01-31", "1 series, 3 points, each until median-ci", "1 package, 2 cores", "virtual machine", "1 of 3 values is"):
        assert told in overview, told
    assert "1 out of time" in overview and "1 without a value" in overview


def test_a_screen_is_as_wide_as_a_phone_and_follows_its_colours(tmp_path: Path) -> None:
    rendered(mechanisms(tmp_path / "c"), output=tmp_path / "r.html")
    Image = pytest.importorskip("PIL.Image", reason="pillow is not installed")
    for scheme, is_dark in (("light", False), ("dark", True)):
        with Image.open(io.BytesIO(screen(address(tmp_path / "r.html"), 390, 800, scheme))) as picture:
            assert picture.size == (390, 800) and (sum(picture.convert("RGB").getpixel((3, 3))) < 300) == is_dark
    with browser(390, 800) as page:
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True})
        page.get(address(tmp_path / "r.html"))
        assert page.execute_script("return document.documentElement.scrollWidth") == 390


def test_many_values_derived_over_several_series_are_folded(tmp_path: Path) -> None:
    for count, folded in ((12, False), (13, True)):
        writer = JournalWriter(tmp_path / str(count))
        writer.series("s")
        writer.point("s", {"size": 1}, [result(100.0, 99.0, 101.0)])
        about = {"formula": "a/b", "group": {}, "quantity": "time", "regime": "solo", "unit": "ratio", "value": 2.0, "valid": True, "reason": ""}
        for at in range(count):
            writer.write("derived", series="over all", name=f"ratio {at}", low=1.9, high=2.1, level=0.95, **about)
        text = rendered(writer.end(), output=tmp_path / "r.html")
        section = text[text.index("<h2>Over several series") :].split("</section>")[0]
        assert section.count("ratio ") >= count and (f"<summary>{count} derived values" in section) == folded
