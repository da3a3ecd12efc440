# SPDX-License-Identifier: Apache-2.0
"""What the CPUs of a campaign were like over its time: what the program judged of its visits, put into bins."""

from array import array
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, NamedTuple

from assay_report.campaign import Campaign
from assay_report.core_states import ALONE, SHARINGS, States
from assay_report.node_cpu import NodeCpu, cpu_of, cycles_by_node, nodes_of
from assay_report.plain_math import evenly
from assay_report.visits import Subject

Record = dict[str, Any]
MOST_VISITS = 12000  # that are read again; a larger campaign is sampled
_LEAST_IN_BIN = 6  # visits on average
_COLUMNS = {"session": "i", "at": "d", "cpu": "i", "sharing": "b", "length": "d", "chain": "d"}


@dataclass
class Distance:
    """A visit's reference round trip between members that are bound to CPUs of their own."""

    session: int
    at: float
    cpus: tuple[NodeCpu, ...]
    series: str
    value: float


class Reading(NamedTuple):
    """What a CPU was like during a member's part of a batch."""

    at: float
    sharing: int
    length: float
    chain: float


class CoreStrips:
    """Collects what visits tell of CPUs: a row per batch and member."""

    def __init__(self, campaign: Campaign, states: States) -> None:
        """Reads visits of the campaign again; raises ResultError where it cannot."""
        self.states = states
        self.cycles = cycles_by_node(campaign.cores)  # of a step of the chain, by which its time is a clock
        points = {point["number"]: point for series in campaign.series for point in series.points}
        self._simulated = {number for number, point in points.items() if point["simulated"]}
        self._pinned = {number: _pinned(campaign.cpus_of(number)) for number in points}
        self._names = {number: point["series"] for number, point in points.items()}
        self._numbers: dict[NodeCpu, int] = {}
        self._rows = {name: array(code) for name, code in _COLUMNS.items()}
        self._ends: dict[int, float] = {}
        self.distances: list[Distance] = []
        self.read = 0
        self.visits = campaign.some_visits(MOST_VISITS, self._take)
        self.starts = self._starts()
        self._readings: dict[NodeCpu, list[Reading]] = {cpu: [] for cpu in self._numbers}
        by_number = list(self._readings.values())
        for session, at, number, sharing, length, chain in zip(*self._rows.values(), strict=True):
            by_number[number].append(Reading(at + self.starts[session], sharing, length, chain))

    def __bool__(self) -> bool:
        return bool(self._numbers)

    @property
    def cpus(self) -> list[NodeCpu]:
        """CPUs that were read, ascending."""
        return sorted(self._numbers)

    def most_read(self, most: int) -> list[NodeCpu]:
        """The CPUs with the most readings, ascending."""
        return sorted(sorted(self.cpus, key=lambda cpu: -len(self._readings[cpu]))[:most])

    @property
    def end(self) -> float:
        """Of the last session, ns."""
        return max((self.starts[session] + end for session, end in self._ends.items()), default=0.0)

    def place(self, distance: Distance) -> float:
        """When a distance was measured, in ns from the first session's begin, pauses between sessions left out."""
        return self.starts[distance.session] + distance.at

    def _take(self, subject: Subject, record: Record) -> None:
        self.read += 1
        session, at, took = record["session"], float(record["at_ns"]), float(record["took_ns"])
        self._ends[session] = max(self._ends.get(session, 0.0), at + took)
        if subject.point in self._simulated:
            return
        nodes = nodes_of(record)
        cpus = [cpu_of(nodes, rank, cpu) for rank, cpu in enumerate(self._pinned.get(subject.point, []))]
        if "reference_ns" in record and len(set(cpus)) == len(cpus) > 1:
            value = float(record["reference_ns"])
            self.distances.append(Distance(session, at, tuple(cpus), self._names[subject.point], value))
        judged = self.states.cores(record)
        for place, core in enumerate(judged):
            number = self._numbers.setdefault(core.cpu, len(self._numbers))
            row = (session, at + took * (place + 0.5) / len(judged), number, core.sharing, core.length_ns, core.chain_ns)
            for name, cell in zip(_COLUMNS, row, strict=True):
                self._rows[name].append(cell)

    def _starts(self) -> dict[int, float]:
        starts, end = {}, 0.0
        for session in sorted(self._ends):
            starts[session] = end
            end += self._ends[session]
        return starts

    def shares(self, cpu: NodeCpu) -> dict[str, float]:
        """By name of a state: the share of a CPU's time in batches."""
        lengths = [0.0] * len(SHARINGS)
        for one in self._readings.get(cpu, []):
            lengths[one.sharing] += one.length
        total = sum(lengths) or 1.0
        return {name: length / total for name, length in zip(SHARINGS, lengths, strict=True)}

    def bins(self, most: int) -> list[float]:
        """Ends of bins of time: so many at most, and fewer where they would be nearly empty."""
        count = max(1, min(most, self.read // _LEAST_IN_BIN))
        return evenly(0.0, self.end, count + 1)

    def binned(self, cpu: NodeCpu, edges: list[float]) -> list[list[float]]:
        """Time of batches in ns, by bin and state."""
        found = [[0.0] * len(SHARINGS) for _ in edges[1:]]
        for one in self._readings.get(cpu, []):
            found[_bin(one.at, edges)][one.sharing] += one.length
        return found

    def chains(self, cpu: NodeCpu, edges: list[float]) -> list[list[float]]:
        """By bin: steps of the chain while a CPU was alone; a neighbour would delay it."""
        found: list[list[float]] = [[] for _ in edges[1:]]
        for one in self._readings.get(cpu, []):
            if one.sharing == ALONE and one.chain > 0:
                found[_bin(one.at, edges)].append(one.chain)
        return found


def _bin(at: float, edges: list[float]) -> int:
    """The bin of a time; those at the ends take what lies beyond."""
    return max(0, min(bisect_right(edges, at) - 1, len(edges) - 2))


def _pinned(cpus: list[str]) -> list[int]:
    """The CPUs that members are bound to, where all incarnations had the same."""
    return [int(cpu) for cpu in cpus[0].split()] if len(cpus) == 1 and cpus[0] != "unbound" else []
