# SPDX-License-Identifier: Apache-2.0
"""The page: self-contained, inert, complete, with the program's verdicts, and drawn without an error by a browser."""

import json
import random
import re
from pathlib import Path

import plotly.graph_objects
import pytest
from browser import address, browser, draw_all, errors, requests
from journals import JournalWriter, result

from assay_report import load
from assay_report.levels import level_text
from assay_report.report_command import main
from assay_report.sample_charts import looks

HOSTILE = [
    "<script>window.hacked=1</script>",
    '"><img src=x onerror="window.hacked=1">',
    "</script><script>window.hacked=1</script>",
    "{{ 7*7 }}{% raw %}",
    '=HYPERLINK("http://evil")',
    "a,b;c\nnewline\ttab",
    "\x1b[31mred\x07",
    "<a href='javascript:window.hacked=1'>x</a>",
    "%{customdata}<b>bold</b>",
    "$\\href{javascript:window.hacked=1}{x}$",
    "\u202egnp.exe",
    "<!--",
    "&lt;i&gt;",
    "ünïcödé ✓",
    "__proto__",
    "&#60;script&#62;",
]


def figures_of(text: str) -> list[dict]:
    blocks = re.findall(r'<script type="application/json" id="figure-\d+">(.*?)</script>', text, re.DOTALL)
    return [json.loads(block) for block in blocks]


def rendered(*directories: Path, program: str | None = None, output: Path) -> str:
    arguments = [*map(str, directories), "--output", str(output)]
    assert main(arguments + (["--assay", program] if program else [])) == 0
    return output.read_text()


def sizes_campaign(directory: Path, names: list[str], title: str = "sizes") -> Path:
    """Points over sizes for each name; the last one of a name is not to be relied on, one has no number."""
    rng = random.Random(1)
    writer = JournalWriter(directory, title)
    for series in (names[0], "other"):
        writer.series(series, quantity=names[-1])
        for name in names:
            for size in (64, 1024, 65536):
                point = {"size": size, "name": name, "placement": "same-l3" if size < 99 else "same-pu"}
                values = [[size * (1 + rng.random() / 10) for _ in range(20)] for _ in range(5)]
                writer.visits(series, point, values, disturbed=3)
                bad = {"noisy": True} if size > 9999 else {}
                spread = {"within_spread": rng.random() / 9, "between_spread": rng.random() / 9}
                writer.point(
                    series, point, [result(size * 1.05, size * 1.0, size * 1.1, **bad, **spread, quantity=names[-1])]
                )
        writer.point(
            series,
            {"size": 1, "name": names[0], "placement": "same-pu"},
            [],
            outcome="not-applicable",
            code="N1",
            reason=names[1],
        )
    writer.write("note", text=names[2])
    return writer.end()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sizes_campaign(tmp_path_factory.mktemp("hostile") / "<img src=x onerror=alert(1)>", HOSTILE, HOSTILE[2])


def test_a_page_is_self_contained(selftest: Path, program: str, tmp_path: Path) -> None:
    text = rendered(selftest, program=program, output=tmp_path / "r.html")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1).replace("&#39;", "'")
    assert (
        policy.startswith("default-src 'none'; script-src 'sha256-")
        and "http" not in policy
        and "unsafe-inline'; img" in policy
    )
    outside = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#)""", outside)


def test_every_figure_is_one_that_plotly_accepts(selftest: Path, hostile: Path, program: str, tmp_path: Path) -> None:
    figures = figures_of(rendered(selftest, hostile, output=tmp_path / "r.html"))
    assert len(figures) > 20
    for figure in figures:
        plotly.graph_objects.Figure(figure)


def test_hostile_names_are_text(hostile: Path, tmp_path: Path) -> None:
    text = rendered(hostile, output=tmp_path / "r.html")
    assert "window.hacked=1</script>" not in text and "<img" not in re.sub(
        r"<script>.*?</script>", "", text, flags=re.DOTALL
    )
    for figure in figures_of(text):
        for part in figure["data"]:
            for label in [part.get("name", ""), *(part.get("hovertext") or [])]:
                for piece in label if isinstance(label, list) else [label]:
                    assert not re.search(r"<(?!br>)", piece), piece
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e]", text.split("<script>")[0])


def test_marked_points_are_hollow_and_in_no_line(tmp_path: Path) -> None:
    text = rendered(sizes_campaign(tmp_path / "c", ["a", "b", "c"]), output=tmp_path / "r.html")
    curve = next(figure for figure in figures_of(text) if figure["layout"]["xaxis"]["title"]["text"] == "size")
    lines = [part for part in curve["data"] if part["mode"] == "lines"]
    assert len(lines) == 18 and all(65536 not in part["x"] for part in lines)
    hollow = [part for part in curve["data"] if part.get("marker", {}).get("symbol", "").endswith("-open")]
    assert [part["x"] for part in hollow] == [[65536]] * 3 and all("noisy" in part["name"] for part in hollow)
    heat = next(figure for figure in figures_of(text) if figure["data"][0]["type"] == "heatmap")["data"][0]
    assert all(
        value is None
        for row, name in zip(heat["z"], heat["y"], strict=True)
        for column, value in zip(heat["x"], row, strict=True)
        if "size=64Ki" in column and name
    )


def planted(directory: Path) -> Path:
    """Two variants at 150 points, 20 incarnations each, one of which is 10 % slower."""
    rng = random.Random(3)
    writer = JournalWriter(directory, "planted")
    writer.series("s")
    for number in range(150):
        for variant in ("a", "b"):
            factor = 1.1 if variant == "b" and number == 77 else 1.0
            processes = [1000.0 * factor * (1 + rng.gauss(0, 0.005)) for _ in range(20)]
            middle = sorted(processes)[10]
            point = {"number": number, "variant": variant}
            writer.visits("s", point, [[one] * 3 for one in processes])
            writer.point("s", point, [result(middle, middle * 0.99, middle * 1.01, processes=processes)])
    return writer.end()


def test_a_planted_change_stands_first_and_alone(program: str, tmp_path: Path) -> None:
    text = rendered(planted(tmp_path / "c"), program=program, output=tmp_path / "r.html")
    changes = text[text.index('id="changes"') : text.index("</section>", text.index('id="changes"'))]
    rows = re.findall(r"<tr><td>(.*?)</td><td class=\"number\">(.*?)</td><td>(.*?)</td></tr>", changes)
    assert len(rows) == 150 and "number=77" in rows[0][0] and rows[0][2].startswith("slower")
    assert not any(verdict.startswith(("slower", "faster")) for _, _, verdict in rows[1:])
    assert float(rows[0][1].split()[0]) == pytest.approx(1.1, rel=0.01)


def test_a_missing_program_is_told_where_its_word_is_missing(tmp_path: Path) -> None:
    campaigns = [sizes_campaign(tmp_path / name, ["a", "b", "c"]) for name in "xy"]
    text = rendered(*campaigns, program=str(tmp_path / "nothing"), output=tmp_path / "r.html")
    assert "could not be compared" in text and "--assay PATH" in text


def test_wrong_results_are_refused_and_nothing_is_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "r.html"
    page.write_text("before")
    assert main([str(tmp_path), "--output", str(page)]) == 5
    assert "no journal.jsonl" in capsys.readouterr().err and page.read_text() == "before"


def test_an_old_plotly_is_refused(
    selftest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(plotly, "__version__", "5.4.1")
    assert main([str(selftest), "--output", str(tmp_path / "r.html")]) == 3
    assert "plotly 5.4.1 is too old, 5.20 is needed" in capsys.readouterr().err
    assert not (tmp_path / "r.html").exists()


def test_an_unwritable_page_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    campaign = sizes_campaign(tmp_path / "c", ["a", "b", "c"])
    assert main([str(campaign), "--output", str(tmp_path / "nowhere" / "r.html")]) == 4
    assert "cannot be written" in capsys.readouterr().err


def test_a_browser_draws_everything_and_shows_values(
    selftest: Path, hostile: Path, program: str, tmp_path: Path
) -> None:
    rendered(selftest, hostile, program=program, output=tmp_path / "r.html")
    with browser() as page:
        page.get(address(tmp_path / "r.html"))
        assert draw_all(page) > 20
        # Pointing at each chart in turn shows what its data have.
        shown = page.execute_async_script(
            """
            const done = arguments[0], plots = Array.from(document.querySelectorAll('.plot')), texts = [];
            (async () => {
              for (const plot of plots) {
                plot.scrollIntoView({block: 'center'});
                const number = plot.data.findIndex(trace => trace.hovertext && trace.hovertext.length);
                if (number < 0) { texts.push('none'); continue; }
                plot.data[number].type === 'heatmap'
                  ? Plotly.Fx.hover(plot, [{xval: 0, yval: 0}]) : Plotly.Fx.hover(plot, [{curveNumber: number, pointNumber: 0}]);
                await new Promise(resolve => setTimeout(resolve, 120));
                const label = plot.querySelector('.hoverlayer .hovertext');
                texts.push(label ? label.textContent : '');
              }
              done(texts);
            })();
            """
        )
        assert len(shown) > 20 and all(shown), shown
        assert any("timings in" in text for text in shown)
        assert page.execute_script("return window.hacked") is None
        assert page.execute_script("return document.querySelectorAll('.plot a[href], img').length") == 0
        assert errors(page) == [] and requests(page) == []


def test_charts_are_drawn_when_scrolled_to(selftest: Path, tmp_path: Path) -> None:
    rendered(selftest, output=tmp_path / "r.html")
    with browser() as page:
        page.get(address(tmp_path / "r.html"))
        count = "return Array.from(document.querySelectorAll('.plot')).filter(plot => plot.dataset.drawn).length"
        assert page.execute_script(count) < page.execute_script("return assayReport.plots")
        last = "const plots = document.querySelectorAll('.plot'); const last = plots[plots.length - 1];"
        page.execute_script(last + "for (const one of document.querySelectorAll('details')) one.open = one.contains(last)")
        page.execute_async_script(last + "const done = arguments[0]; last.scrollIntoView(); setTimeout(done, 1500)")
        assert page.execute_script(last + "return last.dataset.drawn") == "yes"


def test_a_page_of_two_series_is_three_screens_of_charts_first(tmp_path: Path) -> None:
    text = rendered(sizes_campaign(tmp_path / "c", ["a", "b", "c"]), output=tmp_path / "r.html")
    assert text.index('class="series"') < text.index('id="c1-findings"') < text.index('id="c1-where"')
    with browser() as page:
        page.get(address(tmp_path / "r.html"))
        assert page.execute_script("return document.querySelectorAll('details[open]').length") == 0
        first = page.execute_script("return document.querySelector('.plot').getBoundingClientRect().top")
        height = page.execute_script("return document.querySelector('main').getBoundingClientRect().bottom")
        assert first < 900 and height < 3 * 900, (first, height)
        page.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
        )
        colour = page.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert colour == "rgb(22, 22, 22)", colour


def test_levels_that_look_like_numbers_are_quoted() -> None:
    assert [level_text(level) for level in (1, 1.0, "1", "a b", 5e6, 0.001, float("inf"))] == [
        "1",
        "1.0",
        '"1"',
        '"a b"',
        "5e+06",
        "0.001",
        "inf",
    ]


def test_of_very_many_series_the_least_steady_are_looked_at_closely(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    for number in range(250):
        writer.series(f"s{number}")
        writer.point(f"s{number}", {"size": 1}, [result(100.0, 99.0, 101.0, noisy=number == 249)])
    several = looks(load(writer.end()).series)
    assert several["s249"] == 1 and several["s248"] == 0 and sum(several.values()) == 240
    assert looks(load(tmp_path / "c").series[:10]) == {f"s{number}": 6 for number in range(10)}


def test_links_and_pairs_of_cpus_are_matrices(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c", "matrices")
    writer.series("links", measurement="mpi/links")
    for node, peer in (("n0", "n1"), ("n0", "n2"), ("n1", "n2")):
        writer.point("links", {"node": node, "peer": peer, "size": 8}, [result(500.123, 499.2, 501.3)])
    writer.series("pairs")
    for first, second in ((0, 2), (2, 10), (10, 0), (2, 0), (10, 2)):
        writer.point("pairs", {"placement": f"{first}+{second}"}, [result(100.0 + second, 99.0, 111.0)])
    text = rendered(writer.end(), output=tmp_path / "r.html")
    links, pairs = (figure for figure in figures_of(text) if figure["data"][0]["type"] == "heatmap")
    assert links["data"][0]["x"] == links["data"][0]["y"] == ["n0", "n1", "n2"]
    assert [cell["text"] for cell in links["layout"]["annotations"]] == ["500.1"] * 3  # the digits that the table has
    assert links["data"][0]["z"][2] == [None, None, None] and links["data"][0]["z"][0][0] is None
    assert pairs["data"][0]["x"] == pairs["data"][0]["y"] == ["CPU 0", "CPU 2", "CPU 10"]
    assert pairs["data"][0]["z"][1][2] == pytest.approx(110.0)


def test_a_layout_of_very_many_points_is_left_to_the_program(program: str, tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c", "many")
    writer.series("s", measurement="logp/round_trip")
    for number in range(2001):
        writer.point("s", {"number": number}, [])
    text = rendered(writer.end(), program=program, output=tmp_path / "r.html")
    assert "not shown: 2001 points are many for it" in text
