# SPDX-License-Identifier: Apache-2.0
"""States of batches whose members are on several nodes: each judged by what is known of its own node."""

from pathlib import Path

import pytest
from core_journals import ALONE_WIDE, CHAIN, POINT, CoreWriter, level
from journals import result

from assay_report import ResultError, load
from assay_report.core_states import ALONE, SHARED, UNKNOWN, Levels, Reading
from assay_report.node_cpu import NodeCpu, cpu_of, cpus_text, cycles_by_node, single_on_node

HALF = 1.6 * ALONE_WIDE  # what a core of another kind yields alone: as if it were shared
NODES = [level(node="n1"), level(node="n2", alone=HALF)]


@pytest.fixture
def writer(tmp_path: Path) -> CoreWriter:
    made = CoreWriter(tmp_path / "c")
    made.series("s")
    return made


def states(writer: CoreWriter, levels: list[dict], *cycles: dict) -> list[str]:
    """The states of the only point's batches, in order; `cycles`: members of records of cores."""
    writer.point("s", POINT, [result(100.0, 99.0, 101.0)], cores=levels, simulated=False)
    for one in cycles or [{}]:
        writer.cores(levels, **one)
    return load(writer.end(), observations=False).observations_of({0})["state"].tolist()


def test_levels_of_nodes_that_number_cpus_alike_are_kept_apart() -> None:
    levels = Levels([*NODES, level(cpu=1)])
    reading = Reading(1.02 * HALF * CHAIN, CHAIN)
    assert levels.judge(NodeCpu("n2", 0), reading) == ALONE and levels.judge(NodeCpu("n1", 0), reading) == SHARED
    assert levels.judge(NodeCpu("", 0), reading) == UNKNOWN and levels.judge(NodeCpu("", 1), reading) == SHARED


def test_each_member_is_judged_by_the_level_of_its_node(writer: CoreWriter) -> None:
    writer.core_visit("s", ["aass", "ssss", "aaaa", "aasa"], cpus=[0, 0], nodes=["n1", "n2"])
    # What is far below a level is no time alone: there its chain was interrupted.
    assert states(writer, NODES) == ["alone", "shared", "shared", "mixed"]


def test_visits_of_one_node_each_are_judged_by_its_level(writer: CoreWriter) -> None:
    writer.core_visit("s", ["aa", "ss"], nodes=["n1"])
    writer.core_visit("s", ["ss"], nodes=["n2"])
    writer.core_visit("s", ["aa"])
    assert states(writer, NODES) == ["alone", "shared", "alone", "as found"]


@pytest.mark.parametrize(
    ("nodes", "told"),
    [([], "alone"), (["n1"] * 2, "alone"), (["n1", "n2"], "shared"), (["n1", "n1", "n2"], "shared"), (["n1"], "shared")],
)
def test_who_is_alone_on_its_node_has_no_partner(writer: CoreWriter, nodes: list[str], told: str) -> None:
    count = max(2, len(nodes))
    writer.core_visit("s", ["ss" * count], cpus=[0] * count, apart="a" * count, nodes=nodes)
    assert states(writer, [level(node=node) for node in ("", "n1", "n2")]) == [told]


def test_clocks_are_by_the_cycles_of_the_node(writer: CoreWriter) -> None:
    for nodes in (["n1"], ["n2"], ["n3"], []):
        writer.core_visit("s", ["aa"], chain=1.15, nodes=nodes)
    known = [{"node": "n1", "cycles_per_step": 4}, {"node": "n2", "cycles_per_step": 2, "one_thread": True}]
    # Another session that ran launches names their nodes, and knows nothing of them.
    later = [{"node": "n1", "cycles_per_step": 0}]
    found = states(writer, [level(node=node) for node in ("", "n1", "n2", "n3")], {"nodes": known}, {"nodes": later})
    assert found == ["alone, clock 3.5 GHz", "alone, clock 1.7 GHz", "alone", "alone, clock 2.6 GHz"]


@pytest.mark.parametrize("nodes", ["n1", [1], [None], {"n1": 0}, 7])
def test_nodes_that_are_no_names_are_refused_with_their_line(writer: CoreWriter, nodes: object) -> None:
    writer.core_visit("s", ["aa"], nodes=nodes)
    with pytest.raises(ResultError, match="line 4: the record of type 'visit'"):
        states(writer, NODES)


def test_cycles_of_a_node_that_are_no_number_are_refused(writer: CoreWriter) -> None:
    with pytest.raises(ResultError, match="nodes"):
        states(writer, NODES, {"nodes": [{"node": "n1", "cycles_per_step": "3"}]})


def test_ranks_without_a_name_are_on_the_own_node() -> None:
    assert cpu_of(["n1"], 0, 3) == ("n1", 3) and cpu_of(["n1"], 1, 3) == ("", 3) and cpu_of([], 0, 3) == ("", 3)
    assert single_on_node([], 2) == [False] * 2 and single_on_node([], 1) == [True]
    assert single_on_node(["a", "b", "a"], 4) == [False, True, False, True]


def test_cpus_have_texts_and_an_order() -> None:
    own, other = NodeCpu("", 10), NodeCpu("n1", 2)
    assert (own.text, other.text) == ("CPU 10", "n1 CPU 2") and sorted([NodeCpu("n1", 10), other, own])[:2] == [own, other]
    assert cpus_text([NodeCpu("", 0), own]) == "CPUs 0 and 10" and cpus_text([own, other]) == "CPU 10 and n1 CPU 2"


def test_what_was_known_last_of_a_node_counts() -> None:
    records = [{"cycles_per_step": 3, "nodes": [{"node": "n1", "cycles_per_step": one}]} for one in (4, 5, 0)]
    assert cycles_by_node(records) == {"": 3, "n1": 5} and cycles_by_node([{"cycles_per_step": 0}]) == {}
