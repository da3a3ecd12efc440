# SPDX-License-Identifier: Apache-2.0
"""CPUs of a machine that may have several nodes, which number theirs alike: the names and rules of the program (stats/core/core_levels.cpp)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

Record = dict[str, Any]


class NodeCpu(NamedTuple):
    """A CPU. They sort by node, those of the session's own first, then by number."""

    node: str  # name; empty: the session's own
    cpu: int

    @property
    def text(self) -> str:
        """As labels have it: "CPU 3" on the session's own node, else "n2 CPU 3"."""
        return f"{self.node} CPU {self.cpu}" if self.node else f"CPU {self.cpu}"


def cpus_text(cpus: Sequence[NodeCpu]) -> str:
    """Several as one text: "CPUs 0 and 1", or "n1 CPU 0 and n2 CPU 0"."""
    if any(one.node for one in cpus):
        return " and ".join(one.text for one in cpus)
    return "CPUs " + " and ".join(str(one.cpu) for one in cpus)


def nodes_of(visit: Record) -> list[str]:
    """The nodes of a visit's members by rank, none where all are on the session's own; raises TypeError for what are no names."""
    nodes = visit.get("nodes", [])
    if not isinstance(nodes, list) or not all(isinstance(name, str) for name in nodes):
        raise TypeError("nodes are no names")
    return nodes


def cpu_of(nodes: Sequence[str], rank: int, cpu: int) -> NodeCpu:
    """The CPU of a member; `nodes` are named by rank, or not at all."""
    return NodeCpu(nodes[rank] if rank < len(nodes) else "", cpu)


def cycles_by_node(cores: Sequence[Record]) -> dict[str, int]:
    """Cycles of a step of the chain by node, as records of cores told last; none of nodes of which it was never known."""
    found = {}
    for record in cores:
        # The session around launches names their nodes and knows nothing of them.
        told = [("", record["cycles_per_step"])]
        told += [(node["node"], node["cycles_per_step"]) for node in record.get("nodes", [])]
        found.update((name, cycles) for name, cycles in told if cycles > 0)
    return found
