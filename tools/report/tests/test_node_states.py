# SPDX-License-Identifier: Apache-2.0
"""CPUs of several nodes, which number theirs alike: names, texts, and the cycles of each."""

from pathlib import Path

import pytest
from core_journals import CoreWriter, level

from assay_report import ResultError, load
from assay_report.node_cpu import NodeCpu, cpu_of, cpus_text, cycles_by_node


@pytest.fixture
def writer(tmp_path: Path) -> CoreWriter:
    made = CoreWriter(tmp_path / "c")
    made.series("s")
    return made


@pytest.mark.parametrize("nodes", ["n1", [1], [None], {"n1": 0}, 7])
def test_nodes_that_are_no_names_are_refused_with_their_line(program: str, writer: CoreWriter, nodes: object) -> None:
    writer.core_visit("s", ["aa"], nodes=nodes)
    campaign = load(writer.end(), observations=False)
    with pytest.raises(ResultError, match="line 4"):
        campaign.states(program)


def test_cycles_of_a_node_that_are_no_number_are_refused(writer: CoreWriter) -> None:
    writer.cores([level()], nodes=[{"node": "n1", "cycles_per_step": "3"}])
    with pytest.raises(ResultError, match="nodes"):
        load(writer.end(), observations=False)


def test_ranks_without_a_name_are_on_the_own_node() -> None:
    assert cpu_of(["n1"], 0, 3) == ("n1", 3) and cpu_of(["n1"], 1, 3) == ("", 3) and cpu_of([], 0, 3) == ("", 3)


def test_cpus_have_texts_and_an_order() -> None:
    own, other = NodeCpu("", 10), NodeCpu("n1", 2)
    assert (own.text, other.text) == ("CPU 10", "n1 CPU 2") and sorted([NodeCpu("n1", 10), other, own])[:2] == [own, other]
    assert cpus_text([NodeCpu("", 0), own]) == "CPUs 0 and 10" and cpus_text([own, other]) == "CPU 10 and n1 CPU 2"


def test_what_was_known_last_of_a_node_counts() -> None:
    records = [{"cycles_per_step": 3, "nodes": [{"node": "n1", "cycles_per_step": one}]} for one in (4, 5, 0)]
    assert cycles_by_node(records) == {"": 3, "n1": 5} and cycles_by_node([{"cycles_per_step": 0}]) == {}
