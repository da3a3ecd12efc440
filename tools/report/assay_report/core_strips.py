# SPDX-License-Identifier: Apache-2.0
"""What the CPUs of a campaign were like over its time: readings of visits, judged and put into bins."""

from array import array
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay_report.campaign import Campaign, batches_of
from assay_report.core_states import (
    ALONE,
    MIXED,
    SHARINGS,
    UNKNOWN,
    Levels,
    MemberCore,
    Reading,
    apart_readings,
    member_cores,
)
from assay_report.node_cpu import NodeCpu, cpu_of, cycles_by_node, nodes_of, single_on_node
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


def levels_by_session(campaign: Campaign) -> dict[int, Levels]:
    """What each session and its launches knew at their ends; of one cut off, what its points and the other sessions tell."""
    cycles = cycles_by_node(campaign.cores)
    points = [point for series in campaign.series for point in series.points if not point["simulated"]]
    told = [level for record in [*points, *campaign.cores] for level in record.get("cores", record.get("levels", []))]
    found = {record["session"]: Levels(told, cycles) for record in campaign.sessions}
    known: dict[int, list[Record]] = {}
    for record in campaign.cores:
        known.setdefault(record["session"], []).extend(record["levels"])
    found.update({session: Levels(levels, cycles) for session, levels in known.items()})
    return found


def _sharing(levels: Levels, core: MemberCore) -> int:
    before, after = levels.judge(core.cpu, core.before), levels.judge(core.cpu, core.after)
    if UNKNOWN in (before, after):
        return UNKNOWN
    return before if before == after else MIXED


class CoreStrips:
    """Collects what visits tell of CPUs: a row per batch and member, or per visit of very many batches."""

    def __init__(self, campaign: Campaign) -> None:
        """Reads visits of the campaign again; raises ResultError where it cannot."""
        self._campaign = campaign
        self.levels = levels_by_session(campaign)
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
        self.rows = {name: np.asarray(column) for name, column in self._rows.items()}
        self.starts = self._starts()
        self.rows["at"] = self.rows["at"] + np.array([self.starts[one] for one in self._rows["session"]])

    def __bool__(self) -> bool:
        return bool(len(self.rows["at"]))

    @property
    def cpus(self) -> list[NodeCpu]:
        """CPUs that were read, ascending."""
        return sorted(self._numbers)

    def most_read(self, most: int) -> list[NodeCpu]:
        """The CPUs with the most readings, ascending."""
        counts = np.bincount(self.rows["cpu"], minlength=len(self._numbers))
        return sorted(sorted(self.cpus, key=lambda cpu: -counts[self._numbers[cpu]])[:most])

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
        levels = self.levels.get(session) or Levels([])
        told = self._told(record, levels, cpus)
        for place, (cpu, sharing, length, chain) in enumerate(told):
            number = self._numbers.setdefault(cpu, len(self._numbers))
            row = (session, at + took * (place + 0.5) / len(told), number, sharing, length, chain)
            for name, cell in zip(_COLUMNS, row, strict=True):
                self._rows[name].append(cell)

    def _told(self, record: Record, levels: Levels, cpus: list[NodeCpu]) -> list[tuple[NodeCpu, int, float, float]]:
        """CPU, state, length in ns and step of the chain, of each batch and member; `cpus`: those that members are bound to.

        Members at work on one core look shared to each other: of several on a node, what each read while the others rested speaks
        for the visit, as in the program's own count.
        """
        nodes = nodes_of(record)
        apart = apart_readings(record)
        if "samples" in record:  # very many batches in a file of their own: the reading before them has to do
            took = float(record["took_ns"])
            return [_rested(levels, cpu, one, took) for cpu, one in zip(cpus, apart, strict=False) if one.taken]
        told = []
        for number, batch in enumerate(batches_of(self._campaign.directory, record)):
            length = max(map(float, batch["wall_ns"]), default=0.0)
            single = single_on_node(nodes, len(batch["cpus"]))
            by_apart = [not is_single and len(apart) == len(single) for is_single in single]
            # One reading is not many, though it speaks for many batches.
            told += [
                _rested(levels, cpu_of(nodes, rank, int(batch["cpus"][rank])), apart[rank], length, number == 0)
                for rank, is_so in enumerate(by_apart)
                if is_so and apart[rank].taken
            ]
            told += [
                (core.cpu, _sharing(levels, core), length, core.before.chain)
                for core in member_cores(batch, nodes)
                if not by_apart[core.rank]
            ]
        return told

    def _starts(self) -> dict[int, float]:
        starts, end = {}, 0.0
        for session in sorted(self._ends):
            starts[session] = end
            end += self._ends[session]
        return starts

    def _of(self, cpu: NodeCpu) -> np.ndarray:
        return self.rows["cpu"] == self._numbers.get(cpu, -1)

    def shares(self, cpu: NodeCpu) -> dict[str, float]:
        """By name of a state: the share of a CPU's time in batches."""
        own = self._of(cpu)
        lengths = np.bincount(self.rows["sharing"][own], self.rows["length"][own], len(SHARINGS))
        return dict(zip(SHARINGS, (lengths / (lengths.sum() or 1.0)).tolist(), strict=True))

    def bins(self, most: int) -> np.ndarray:
        """Ends of bins of time: so many at most, and fewer where they would be nearly empty."""
        count = max(1, min(most, self.read // _LEAST_IN_BIN))
        return np.linspace(0.0, self.end, count + 1)

    def binned(self, cpu: NodeCpu, edges: np.ndarray) -> np.ndarray:
        """Time of batches in ns, by bin and state."""
        own = self._of(cpu)
        found = np.zeros((len(edges) - 1, len(SHARINGS)))
        np.add.at(found, (self._bin(own, edges), self.rows["sharing"][own]), self.rows["length"][own])
        return found

    def chains(self, cpu: NodeCpu, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Step of the chain while a CPU was alone, and the bins of these readings; a neighbour would delay it."""
        own = self._of(cpu) & (self.rows["sharing"] == ALONE) & (self.rows["chain"] > 0)
        return self.rows["chain"][own], self._bin(own, edges)

    def _bin(self, own: np.ndarray, edges: np.ndarray) -> np.ndarray:
        return np.clip(np.searchsorted(edges, self.rows["at"][own], side="right") - 1, 0, len(edges) - 2)


def _rested(
    levels: Levels, cpu: NodeCpu, reading: Reading, length: float, is_first: bool = True
) -> tuple[NodeCpu, int, float, float]:
    return cpu, levels.judge(cpu, reading), length, reading.chain if is_first else 0.0


def _pinned(cpus: list[str]) -> list[int]:
    """The CPUs that members are bound to, where all incarnations had the same."""
    return [int(cpu) for cpu in cpus[0].split()] if len(cpus) == 1 and cpus[0] != "unbound" else []
