# SPDX-License-Identifier: Apache-2.0
"""The section on the cores of several nodes: a strip, a row and a clock for each CPU of each, whatever its number."""

from pathlib import Path

import orjson
import pytest
from browser import address, browser, draw_all, errors
from core_journals import CHAIN, POINT, CoreWriter, level
from journals import result

from assay_report import load
from assay_report.cores_part import CoresPart, cores_part
from assay_report.journal import crc_text
from assay_report.report_command import main

NODES = [{"node": "n1", "cycles_per_step": 4}, {"node": "n2", "cycles_per_step": 0}]
LEVELS = [level(), level(node="n1"), level(node="n2")]


def planted(directory: Path, names: tuple[str, str] = ("n1", "n2"), distances: bool = False) -> Path:
    """CPU 0 of three nodes: the own one is shared, the first of two others alone, and the second now and then."""
    writer = CoreWriter(directory)
    writer.series("s")
    writer.incarnation("s", [0, 0], {"size": 2})
    known = [{**one, "node": name} for one, name in zip(NODES, names, strict=True)]
    levels = [level(), *(level(node=name) for name in names)]
    for number in range(60):
        reference = {"reference_ns": 107.0 if number % 2 else 490.0} if distances else {}
        writer.core_visit("s", ["ss"] * 4, cpus=[0])
        second = "aa" if number % 4 == 0 else "ss"
        about = {"nodes": list(names), "point": {"size": 2}, **reference}
        writer.core_visit("s", ["aa" + second] * 4, cpus=[0, 0], apart="ss", **about)
    writer.point("s", POINT, [result(1.0, 1.0, 1.0)], cores=levels, simulated=False)
    writer.point("s", {"size": 2}, [result(1.0, 1.0, 1.0)], cores=levels, simulated=False)
    writer.cores(levels, nodes=known, distances_ns=[107.0, 490.0] if distances else [])
    return writer.end()


def part_of(program: str, directory: Path) -> CoresPart:
    campaign = load(directory, observations=False)
    return cores_part(campaign, campaign.states(program))


def bars_of(part: CoresPart, row: int) -> set[str]:
    """The states that the bars of a row are of, counted from below."""
    bars = [trace for trace in part.figure["data"] if trace["type"] == "bar"]
    return {trace["name"] for trace in bars for base in trace["base"] if int(base) == row}


def test_nodes_that_number_cpus_alike_have_strips_of_their_own(program: str, tmp_path: Path) -> None:
    part = part_of(program, planted(tmp_path / "c"))
    axis = part.figure["layout"]["yaxis"]
    assert axis["ticktext"] == ["CPU 0", "n1 CPU 0", "n2 CPU 0"] and sorted(axis["tickvals"], reverse=True) == axis["tickvals"]
    assert bars_of(part, 2) == {"shared with other work"} and bars_of(part, 1) == {"alone"}
    assert bars_of(part, 0) == {"alone", "shared with other work"}
    hover = {text.split(",")[0] for trace in part.figure["data"] if trace["type"] == "bar" for text in trace["hovertext"]}
    assert hover == {"CPU 0", "n1 CPU 0", "n2 CPU 0"}


def test_rows_and_clocks_are_by_node(program: str, tmp_path: Path) -> None:
    part = part_of(program, planted(tmp_path / "c"))
    assert [(row.cpu, *row.shares[:2]) for row in part.rows] == [("0", "0", "100"), ("n1 CPU 0", "100", "0"), ("n2 CPU 0", "25", "75")]
    assert [row.clock for row in part.rows] == ["-", "4.44 [4.44 .. 4.44]", "-"]
    assert [row.additions for row in part.rows] == ["4.63", "3.47", "-"]  # 1 / (0.072 * 3), 1 / (0.072 * 4)
    clocks = {trace["name"]: set(trace["y"]) - {None} for trace in part.figure["data"] if trace.get("yaxis") == "y2"}
    assert clocks == {"clock of n1 CPU 0": {4.444}}
    assert "It is not known of n2." in part.note


def test_without_the_cycles_of_any_node_steps_are_drawn(program: str, tmp_path: Path) -> None:
    writer = CoreWriter(tmp_path / "c")
    writer.series("s")
    for _ in range(20):
        writer.core_visit("s", ["aa"] * 4, nodes=["n1"])
    writer.cores(LEVELS, nodes=[{"node": "n1", "cycles_per_step": 0}])
    part = part_of(program, writer.end())
    steps = {trace["name"]: set(trace["y"]) - {None} for trace in part.figure["data"] if trace.get("yaxis") == "y2"}
    assert steps == {"step of n1 CPU 0": {0.9}} and "not known" not in part.note


def test_places_with_one_number_on_two_nodes_are_two_places(program: str, tmp_path: Path) -> None:
    part = part_of(program, planted(tmp_path / "c", distances=True))
    drawn = [trace for trace in part.figure["data"] if trace.get("yaxis") == "y3"]
    assert [trace["name"] for trace in drawn] == ["distance of n1 CPU 0 and n2 CPU 0"]
    assert set(drawn[0]["y"]) == {107.0, 490.0} and drawn[0]["hovertext"][0].startswith("n1 CPU 0 and n2 CPU 0, ")


@pytest.mark.parametrize(("nodes", "told"), [(["n1", "n2"], "0"), (["n1", "n1"], "100"), (["n1", "n1", "n2"], "100")])
def test_who_is_alone_on_its_node_is_told_by_its_batches(program: str, tmp_path: Path, nodes: list[str], told: str) -> None:
    writer = CoreWriter(tmp_path / "c")
    writer.series("s")
    for _ in range(9):
        count = len(nodes)
        writer.core_visit("s", ["ss" * count] * 4, cpus=[0] * count, apart="a" * count, nodes=nodes)
    writer.cores(LEVELS, nodes=NODES)
    alone = {row.cpu: row.shares[0] for row in part_of(program, writer.end()).rows}
    assert alone == {"n1 CPU 0": told} | ({"n2 CPU 0": "0"} if "n2" in nodes else {})


def test_very_many_batches_are_of_their_nodes_too(program: str, tmp_path: Path) -> None:
    writer = CoreWriter(tmp_path / "c")
    (tmp_path / "c" / "samples").mkdir()
    writer.series("s")
    writer.incarnation("s", [0, 0])
    for _ in range(9):
        batches = [orjson.dumps(writer.batch("aass", [0, 0], 25000.0, CHAIN, 100.0, 10)) for _ in range(3)]
        data = b"\n".join(batches) + b"\n"
        (tmp_path / "c" / "samples" / f"{writer.number}.jsonl").write_bytes(data)
        about = {"bytes": len(data), "crc": crc_text(data)}
        writer.core_visit("s", [], cpus=[0, 0], nodes=["n1", "n2"], samples=about)
    writer.point("s", POINT, [result(1.0, 1.0, 1.0)], cores=LEVELS, simulated=False)
    writer.cores(LEVELS, nodes=NODES)
    assert [(row.cpu, row.shares[0]) for row in part_of(program, writer.end()).rows] == [("n1 CPU 0", "100"), ("n2 CPU 0", "0")]


def test_launches_of_a_session_tell_of_their_nodes_and_the_session_of_its_own(program: str, tmp_path: Path) -> None:
    writer = CoreWriter(tmp_path / "c")
    writer.series("s")
    for at in range(40):
        writer.core_visit("s", ["aa"] * 4, nodes=[f"n{at % 2 + 1}"])
    writer.cores([level(node="n1")], nodes=NODES)
    writer.cores([level(node="n2")], nodes=NODES)
    for _ in range(20):
        writer.core_visit("s", ["aa"] * 4)
    writer.cores([level()])
    assert [row.shares[0] for row in part_of(program, writer.end()).rows] == ["100"] * 3


def test_a_record_that_tells_nothing_is_no_sentence(program: str, tmp_path: Path) -> None:
    writer = CoreWriter(tmp_path / "c")
    writer.series("s")
    for _ in range(20):
        writer.core_visit("s", ["aa"] * 4, nodes=["n1"])
    writer.cores(LEVELS, nodes=NODES, alone=1.0, shared=0.0)
    writer.cores(LEVELS, nodes=NODES, alone=0.0, shared=0.0)  # by an earlier session: this one read nothing of its own
    assert part_of(program, writer.end()).words == ["The cores were alone 100 % of the time."]


def test_names_of_nodes_are_text(program: str, tmp_path: Path) -> None:
    names = ("<b>n1</b>", "n2<script>alert(1)</script>\u202e")
    directory = planted(tmp_path / "c", names, distances=True)
    assert all("<b>" not in text and "<script" not in text for text in _texts(part_of(program, directory).figure))
    assert main([str(directory), "--output", str(tmp_path / "r.html")]) == 0
    text = (tmp_path / "r.html").read_text()
    assert "alert(1)</script>" not in text and "\u202e" not in text and "&lt;b&gt;n1&lt;/b&gt; CPU 0" in text


def _texts(figure: dict) -> list[str]:
    named = [text for trace in figure["data"] for text in [trace["name"], *trace.get("hovertext", [])]]
    return named + figure["layout"]["yaxis"]["ticktext"]


def test_a_browser_draws_strips_of_nodes(tmp_path: Path) -> None:
    assert main([str(planted(tmp_path / "c")), "--output", str(tmp_path / "r.html")]) == 0
    with browser() as page:
        page.get(address(tmp_path / "r.html"))
        draw_all(page)
        ticks = "return [...document.querySelectorAll('#c1-cores .ytick text')].map(one => one.textContent)"
        assert sorted(page.execute_script(ticks)) == ["CPU 0", "n1 CPU 0", "n2 CPU 0"] and errors(page) == []
