# SPDX-License-Identifier: Apache-2.0
"""The section on the cores: what was planted is drawn and told, where it belongs; nothing where nothing was read."""

import json
import re
import subprocess
from pathlib import Path

import plotly.graph_objects
import pytest
from browser import address, browser, draw_all, errors
from core_journals import POINT, CoreWriter, level
from journals import JournalWriter, result

from assay_report import core_strips, load
from assay_report.cores_chart import _FILL, cores_chart, time_unit
from assay_report.cores_part import CoresPart, cores_part
from assay_report.core_strips import CoreStrips
from assay_report.report_command import main
from assay_report.tables import has_states, rows_of


def planted(directory: Path, distances: list[float] | None = None) -> Path:
    """Twenty seconds: CPU 0 is alone in the first half and shared in the other, CPU 1 the whole time shared."""
    writer = CoreWriter(directory)
    writer.series("s")
    writer.incarnation("s", [0, 1], {"size": 2})
    for number in range(100):
        writer.core_visit("s", ["aa" if number < 50 else "ss"] * 4, cpus=[0], value=100.0 if number < 50 else 140.0)
        apart = "as" if number < 50 else "ss"
        reference = {"reference_ns": distances[number % len(distances)]} if distances else {}
        writer.core_visit("s", ["ssss"] * 2, cpus=[0, 1], apart=apart, point={"size": 2}, length=1.0, **reference)
    levels = [level(0), level(1)]
    shared = result(140.0, 139.0, 141.0, state="shared", state_share=0.5, verdict=other_state())
    alone = result(100.0, 99.0, 101.0, state="alone", state_share=0.5)
    writer.point("s", POINT, [alone], others=[shared], cores=levels, simulated=False)
    writer.point("s", {"size": 2}, [result(100.0, 99.0, 101.0, state="shared")], cores=levels, simulated=False)
    writer.cores(levels, distances_ns=distances or [], alone=0.5, shared=0.5, waited=0.125)
    return writer.end()


def strips_of(program: str, directory: Path) -> CoreStrips:
    campaign = load(directory, observations=False)
    states = campaign.states(program)
    assert states is not None
    return CoreStrips(campaign, states)


def part_of(program: str, directory: Path) -> CoresPart | None:
    campaign = load(directory, observations=False)
    return cores_part(campaign, campaign.states(program))


def other_state() -> dict:
    estimate = {"statistic": "median", "value": 140.0, "low": 139.0, "high": 141.0, "level": 0.95, "basis": "visits"}
    return {"outcome": "open", "reason": "other state: 50 % of the clean batches", "estimate": estimate}


def test_strips_have_the_planted_shares_in_their_time(program: str, tmp_path: Path) -> None:
    strips = strips_of(program, planted(tmp_path / "c"))
    edges = strips.bins(10)
    cpu_0, cpu_1 = strips.cpus
    first = strips.binned(cpu_0, edges)
    assert all(times[1] > 0 and times[2] == 0 for times in first[:5]) and all(times[1] == 0 for times in first[5:])
    assert all(times[0] == times[1] == times[3] == 0 for times in strips.binned(cpu_1, edges))
    assert strips.shares(cpu_0)["alone"] == pytest.approx(0.5) and strips.shares(cpu_1)["shared"] == 1.0


def test_bars_of_a_column_stand_on_each_other(program: str, tmp_path: Path) -> None:
    figure, _ = cores_chart(strips_of(program, planted(tmp_path / "c")), [])
    plotly.graph_objects.Figure(figure)
    bars = [part for part in figure["data"] if part["type"] == "bar"]
    assert [part["name"] for part in bars] == ["alone", "shared with other work"]
    heights: dict[tuple[float, int], float] = {}
    for part in bars:
        for x, base, y in zip(part["x"], part["base"], part["y"], strict=True):
            assert base == pytest.approx(int(base) + heights.get((x, int(base)), 0.0), abs=1e-4)
            heights[(x, int(base))] = heights.get((x, int(base)), 0.0) + y
    assert all(height == pytest.approx(_FILL, rel=1e-4) for height in heights.values()) and len(heights) > 40
    assert figure["layout"]["xaxis"]["title"]["text"] == "time of measuring (s)"
    assert figure["layout"]["yaxis2"]["title"]["text"] == "clock (GHz)" and "yaxis3" not in figure["layout"]


def test_clocks_are_of_cores_alone(program: str, tmp_path: Path) -> None:
    figure, _ = cores_chart(strips_of(program, planted(tmp_path / "c")), [])
    clock = next(part for part in figure["data"] if part.get("yaxis") == "y2")
    known = [(x, y) for x, y in zip(clock["x"], clock["y"], strict=True) if y is not None]
    assert known and all(x < 10.5 and y == 3.333 for x, y in known) and clock["name"] == "clock of CPU 0"


def test_distances_are_drawn_where_there_are_several(program: str, tmp_path: Path) -> None:
    part = part_of(program, planted(tmp_path / "c", [107.0, 490.0]))
    drawn = next(one for one in part.figure["data"] if one.get("yaxis") == "y3")
    assert set(drawn["y"]) == {107.0, 490.0} and drawn["name"] == "distance of CPUs 0 and 1" and len(drawn["y"]) == 100
    assert part.figure["layout"]["yaxis3"]["title"]["text"] == "distance (ns)"
    assert "2 distances, 107, 490 ns" in part.words[0]
    one = part_of(program, planted(tmp_path / "d", [107.0]))
    assert not any(trace.get("yaxis") == "y3" for trace in one.figure["data"])


@pytest.mark.parametrize("cpus", [[0, 0], []])
def test_members_on_one_cpu_or_on_any_have_no_distance(program: str, tmp_path: Path, cpus: list[int]) -> None:
    writer = CoreWriter(tmp_path / "c")
    writer.series("s")
    writer.incarnation("s", cpus)
    writer.core_visit("s", ["aaaa"], cpus=[0, 0], reference_ns=100.0)
    writer.point("s", POINT, [result(1.0, 1.0, 1.0)], simulated=False)
    assert strips_of(program, writer.end()).distances == []


def test_words_and_rows_tell_the_same(program: str, tmp_path: Path) -> None:
    part = part_of(program, planted(tmp_path / "c"))
    assert part.words[0].startswith("The cores were shared with other work 50 % of the time;") and "12.5 %" in part.words[0]
    assert part.rows[0].shares == ["50", "50", "0", "0"] and part.rows[1].shares == ["0", "100", "0", "0"]
    assert part.rows[0].clock == "3.33 [3.33 .. 3.33]" and part.rows[1].clock == "-"
    assert part.rows[0].additions == "4.63"  # 1 / (0.072 * 3)


def test_a_large_campaign_is_sampled_and_says_so(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_strips, "MOST_VISITS", 60)
    part = part_of(program, planted(tmp_path / "c"))
    assert "60 of 200 visits were read, evenly chosen." in part.note
    assert 30 < float(part.rows[0].shares[0]) < 70


def test_sessions_follow_each_other_and_one_that_was_cut_off_is_told(program: str, tmp_path: Path) -> None:
    writer = CoreWriter(tmp_path / "c")
    writer.series("s")
    for _ in range(20):
        writer.core_visit("s", ["aa"] * 4)
    writer.cores()
    writer.next_session()
    for _ in range(20):
        writer.core_visit("s", ["ss"] * 4)
    part = part_of(program, writer.end())
    assert part.words[0].startswith("Session 0: the cores were shared") and part.words[1].startswith("Session 1 was interrupted")
    assert [one["text"] for one in part.figure["layout"]["annotations"]] == ["session 0", "session 1"]
    places = {trace["name"]: trace["x"] for trace in part.figure["data"] if trace["type"] == "bar"}
    assert max(places["alone"]) <= min(places["shared with other work"]) and len(places["alone"]) > 2


def test_computed_time_has_no_cores(program: str, tmp_path: Path) -> None:
    writer = CoreWriter(tmp_path / "c")
    writer.series("s")
    writer.core_visit("s", ["aa"] * 9)
    writer.point("s", POINT, [result(1.0, 1.0, 1.0)])
    assert part_of(program, writer.end()) is None


def test_without_readings_there_is_no_section(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    writer.visits("s", POINT, [[1.0, 2.0]])
    writer.point("s", POINT, [result(1.0, 1.0, 1.0)], simulated=False)
    text = rendered(writer.end(), tmp_path / "r.html")
    assert "State of the cores" not in text and "<th>state</th>" not in text


def rendered(directory: Path, page: Path, *options: str) -> str:
    assert main([str(directory), "--output", str(page), *options]) == 0
    return page.read_text()


def names_over_time(text: str) -> list[str]:
    """The legend of the first chart of batches in order of time."""
    figures = [json.loads(one) for one in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text)]
    chart = next(one for one in figures if one["layout"]["xaxis"]["title"]["text"] == "batches in order of time")
    return [part["name"] for part in chart["data"] if part.get("showlegend", True)]


def test_batches_have_the_colours_of_their_states(tmp_path: Path) -> None:
    directory = planted(tmp_path / "c")
    told = names_over_time(rendered(directory, tmp_path / "r.html"))
    assert told == ["alone (200)", "shared with other work (200)", "headline: 100.0 [99.0 .. 101.0] ns, alone"]
    told = names_over_time(rendered(directory, tmp_path / "r.html", "--colour", "incarnation"))
    assert told[:1] == ["clean, even incarnations (400)"]


def test_tables_have_further_rows_by_state(tmp_path: Path) -> None:
    series = load(planted(tmp_path / "c"), observations=False).series[0]
    rows = [(row.value.value, row.state, row.state_share, row.verdict) for row in rows_of(series)]
    assert has_states(series) and rows[:2] == [("100.0", "alone", "50", "converged"), ("140.0", "shared", "50", "other state")]
    series.points = series.points[1:]
    assert not has_states(series)


def test_a_browser_draws_the_section(tmp_path: Path) -> None:
    rendered(planted(tmp_path / "c", [107.0, 490.0]), tmp_path / "r.html")
    with browser() as page:
        page.get(address(tmp_path / "r.html"))
        draw_all(page)
        found = "return document.querySelectorAll('#c1-cores .barlayer .point path').length"
        assert page.execute_script(found) > 40 and errors(page) == []


@pytest.mark.parametrize(("seconds", "unit"), [(1, "s"), (299, "s"), (301, "min"), (7000, "min"), (7300, "h")])
def test_time_has_a_unit_that_suits_it(seconds: int, unit: str) -> None:
    assert time_unit(seconds * 1e9)[0] == unit


def test_the_words_are_those_that_the_campaign_ended_with(program: str, measured: Path) -> None:
    campaign = load(measured, observations=False)
    said = [note.removesuffix(" (G-CORE)") for note in campaign.notes if note.endswith("(G-CORE)")]
    states = campaign.states(program)
    assert states is not None and states.remarks
    for _, remarks in states.remarks:
        assert set(said) <= set(remarks)


def test_without_the_program_the_page_says_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = planted(tmp_path / "c")
    monkeypatch.setenv("PATH", str(tmp_path))
    text = rendered(directory, tmp_path / "r.html")
    assert "states of the cores are not shown" in text and "Cores over time" not in text
    assert names_over_time(text)[0].startswith("clean, even incarnations")


def test_rows_by_state_are_those_of_show(program: str, tmp_path: Path) -> None:
    directory = planted(tmp_path / "c")
    shown = subprocess.run([program, "show", "--verbose", directory], check=True, capture_output=True, text=True).stdout
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    rows = list(rows_of(load(directory, observations=False).series[0]))
    for row in rows:
        wanted = f" {row.percent} {row.state} {row.state_share} {row.count} "
        assert any(wanted in line and line.endswith(row.verdict) for line in lines), (wanted, lines)
    assert len(rows) == 3
