# SPDX-License-Identifier: Apache-2.0
"""In which state of the cores batches were, by the readings around them: the judgement of the program (record/state_sorter.cpp, stats/core/core_levels.cpp)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median_high
from typing import Any, NamedTuple

from assay_report.node_cpu import NodeCpu, cpu_of, nodes_of, single_on_node
from assay_report.numbers import shortest_text

Record = dict[str, Any]

UNKNOWN, ALONE, SHARED, MIXED = range(4)
SHARINGS = ["unknown", "alone", "shared", "mixed"]
AS_FOUND = "as found"
UNSORTED = ""  # at a visit's start, or measured before the point was calibrated anew

_ALONE_WITHIN = 1.04
_INTERRUPTED_BELOW = 1.1
_UNUSUAL_CLOCK = 0.03
_LEVEL_VISITS = 3
_NEW_DISTANCE = 1.25
_ENOUGH_PAIRS = 10
_ALWAYS = 0.98
_REMEMBERED = 0.5
_LONGEST_NS = 1e6


class Reading(NamedTuple):
    """Two yardsticks, in ns per operation; zeros where nothing was read."""

    wide: float
    chain: float

    @property
    def taken(self) -> bool:
        """Whether anything was read."""
        return self.wide > 0 and self.chain > 0


class MemberCore(NamedTuple):
    """What a member's core was like on both sides of a batch."""

    rank: int
    cpu: NodeCpu
    before: Reading
    after: Reading


class Levels:
    """What each CPU yields alone, of several sources the least; CPUs that nothing proves to have been alone are not known."""

    def __init__(self, records: Iterable[Record], cycles: Mapping[str, int] | None = None) -> None:
        """`cycles` of a step of the chain, by node."""
        self.cycles = cycles or {}
        self.known: dict[NodeCpu, Record] = {}
        for record in records:
            cpu, alone = NodeCpu(record.get("node", ""), record["cpu"]), float(record["alone"])
            known = self.known.get(cpu)
            if record["because"] != "nothing" and alone > 0 and (known is None or alone < float(known["alone"])):
                self.known[cpu] = record
        self._limits = {cpu: _ALONE_WITHIN * float(one["alone"]) for cpu, one in self.known.items()}

    def judge(self, cpu: NodeCpu, reading: Reading) -> int:
        """ALONE, SHARED or UNKNOWN."""
        limit = self._limits.get(cpu)
        if limit is None or not reading.taken:
            return UNKNOWN
        is_interrupted = _INTERRUPTED_BELOW * reading.wide < limit / _ALONE_WITHIN * reading.chain
        return ALONE if reading.wide <= limit * reading.chain and not is_interrupted else SHARED

    def clock_ratio(self, cpu: NodeCpu, chain_ns: float) -> float:
        """The clock over the usual one of this CPU; 1 where either is not known."""
        usual = float(self.known[cpu]["chain_ns"]) if cpu in self.known else 0.0
        return usual / chain_ns if usual > 0 and chain_ns > 0 else 1.0

    def clock_ghz(self, node: str, chain_ns: float) -> float:
        """Of a core of that node; 0 where it is not known how many cycles a step of the chain takes there."""
        cycles = self.cycles.get(node, 0)
        return cycles / chain_ns if cycles > 0 and chain_ns > 0 else 0.0


def member_cores(batch: Record, nodes: Sequence[str]) -> list[MemberCore]:
    """The cores of a batch's members that were read on both sides; `nodes` by rank. Raises what wrong records raise."""
    if "wide_ns" not in batch or "wide_after_ns" not in batch:
        return []
    columns = [batch[name] for name in ("cpus", "wide_ns", "chain_ns", "wide_after_ns", "chain_after_ns")]
    made = [
        MemberCore(
            rank,
            cpu_of(nodes, rank, int(cpu)),
            Reading(float(wide), float(chain)),
            Reading(float(wide_after), float(chain_after)),
        )
        for rank, (cpu, wide, chain, wide_after, chain_after) in enumerate(zip(*columns, strict=True))
    ]
    return [one for one in made if one.before.taken and one.after.taken]


def apart_readings(visit: Record) -> list[Reading]:
    """What members read before a visit, one after the other."""
    if "apart_wide_ns" not in visit:
        return []
    pairs = zip(visit["apart_wide_ns"], visit["apart_chain_ns"], strict=True)
    return [Reading(float(wide), float(chain)) for wide, chain in pairs]


def judged(levels: Levels, cores: list[MemberCore]) -> int:
    """Of all members together: alone or shared where all readings on both sides say so."""
    alone = 0
    for core in cores:
        before, after = levels.judge(core.cpu, core.before), levels.judge(core.cpu, core.after)
        if UNKNOWN in (before, after):
            return UNKNOWN
        if before != after:
            return MIXED
        alone += before == ALONE
    if not cores:
        return UNKNOWN
    return ALONE if alone == len(cores) else SHARED


def distance_levels(distances: Iterable[float]) -> list[float]:
    """The levels that distances fall on, ascending: neighbours that differ by more than a quarter belong to two."""
    ordered = sorted(one for one in distances if one > 0 and math.isfinite(one))
    groups: list[list[float]] = []
    for one in ordered:
        if groups and one <= _NEW_DISTANCE * groups[-1][-1]:
            groups[-1].append(one)
        else:
            groups.append([one])
    return [float(f"{median_high(group):.2e}") for group in groups]


def clock_levels(clocks: Iterable[float]) -> list[float]:
    """The levels that clocks fall on, ascending: each takes what is within three per cent of its lowest."""
    groups: list[list[float]] = []
    for one in sorted(clocks):
        if groups and one <= (1 + _UNUSUAL_CLOCK) * groups[-1][0]:
            groups[-1].append(one)
        else:
            groups.append([one])
    return [median_high(group) for group in groups]


def nearest_level(levels: list[float], distance: float) -> float:
    """The level that a distance is nearest to by ratio; 0 where there are none."""
    if not levels or not distance > 0:
        return 0.0
    return min(levels, key=lambda level: abs(math.log(level / distance)))


def state_text(sharing: int, clock_ghz: float = 0.0, distance_ns: float = 0.0) -> str:
    """A state as tables have it: "alone, clock 2.9 GHz, distance 102 ns"."""
    text = AS_FOUND if sharing == UNKNOWN else SHARINGS[sharing]
    text += f", clock {shortest_text(clock_ghz)} GHz" if clock_ghz > 0 else ""
    return text + (f", distance {shortest_text(distance_ns)} ns" if distance_ns > 0 else "")


@dataclass
class _KeptBatch:
    cores: list[MemberCore]
    length_ns: float
    sharing: int = UNKNOWN


@dataclass
class _KeptVisit:
    session: int
    reps: int
    size: int  # batches, those left out at its start too
    distance_ns: float = 0.0
    apart: list[Reading] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    batches: list[_KeptBatch] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


class StateSorter:
    """Takes a point's visits in order, then returns the state of each of their batches."""

    def __init__(self, levels: Levels, point: Record | None) -> None:
        """`levels`: those that the point was finished with. Without a finished point the last session is one of its own too."""
        self._levels = levels
        results = [] if point is None else [*point["results"], *point.get("others", [])]
        self._stretches = max((result.get("stretches", 1) for result in results), default=1)
        self._has_distances = any("distance" in result.get("state", "") for result in results)
        self._visits: list[_KeptVisit] = []

    def add(self, visit: Record, batches: list[Record]) -> None:
        """Adds a visit with its batches."""
        reps = batches[0]["reps"] if batches else 0
        kept = _KeptVisit(visit["session"], reps, len(batches))
        apart = apart_readings(visit)
        kept.apart = apart if len(apart) > 1 else []
        kept.nodes = nodes_of(visit)
        kept.distance_ns = float(visit.get("reference_ns", 0.0)) if self._has_distances else 0.0
        for batch in batches[visit["discarded"] :]:
            length = max(map(float, batch["wall_ns"]), default=0.0)
            kept.batches.append(_KeptBatch(member_cores(batch, kept.nodes), length))
        self._visits.append(kept)

    def states(self) -> list[str]:
        """The states of all batches in order: "mixed" where it changed, UNSORTED where none counts."""
        for sessions in self._together():
            visits = [visit for visit in self._visits if visit.session in sessions]
            # Visits before the point was calibrated anew do not count.
            self._sort([visit for visit in visits if visit.reps == visits[-1].reps])
        texts: list[str] = []
        for visit in self._visits:
            texts += [UNSORTED] * (visit.size - len(visit.texts)) + visit.texts
        return texts

    def _together(self) -> list[set[int]]:
        """Sessions that are sorted together: the last ones, which a result is of; each of those before by itself."""
        sessions = list(dict.fromkeys(visit.session for visit in self._visits))
        last = max(0, len(sessions) - self._stretches)
        return [{one} for one in sessions[:last]] + [set(sessions[last:])]

    def _sort(self, visits: list[_KeptVisit]) -> None:
        distances = [visit.distance_ns for visit in visits]
        levels = distance_levels(distances)
        visits_at = [nearest_level(levels, one) for one in distances]
        levels = [level for level in levels if visits_at.count(level) >= _LEVEL_VISITS]
        for visit in visits:
            self._judge(visit)
        lasts = self._lasts([batch for visit in visits for batch in visit.batches])
        alone = [visit for visit in visits if any(batch.sharing == ALONE for batch in visit.batches)]
        clocks = clock_levels(clock for clock in map(self._unusual_clock, alone) if clock > 0)
        for visit in visits:
            visit.texts = self._texts(visit, levels, clocks, lasts)

    def _judge(self, visit: _KeptVisit) -> None:
        by_partner = self._is_shared_by_partner(visit)
        for batch in visit.batches:
            batch.sharing = ALONE if by_partner and batch.cores else judged(self._levels, batch.cores)

    def _is_shared_by_partner(self, visit: _KeptVisit) -> bool:
        """Each alone while the others rested, and shared in every batch: the members sit on one core.

        Who is the only one on its node has no partner there.
        """
        if not visit.apart or not visit.batches or len(visit.batches[0].cores) != len(visit.apart):
            return False
        if any(single_on_node(visit.nodes, len(visit.apart))):
            return False
        judge = self._levels.judge
        rested = zip(visit.batches[0].cores, visit.apart, strict=True)
        if any(judge(core.cpu, apart) != ALONE for core, apart in rested):
            return False
        return all(judge(core.cpu, core.before) == SHARED for batch in visit.batches for core in batch.cores)

    def _lasts(self, batches: list[_KeptBatch]) -> bool:
        """Whether states last longer than batches; what lasts longer than a state cannot be sorted by it."""
        lengths = [batch.length_ns for batch in batches if batch.sharing != UNKNOWN]
        if not lengths:
            return True
        pairs = [
            (self._levels.judge(core.cpu, core.before) == ALONE, self._levels.judge(core.cpu, core.after) == ALONE)
            for batch in batches
            for core in batch.cores
        ]
        share = sum(before + after for before, after in pairs) / (2 * len(pairs))
        if share >= _ALWAYS:
            return True
        if median_high(lengths) > _LONGEST_NS:
            return False
        began = sum(before for before, _ in pairs)
        if began < _ENOUGH_PAIRS:
            return True
        return sum(before and after for before, after in pairs) / began >= share + _REMEMBERED * (1 - share)

    def _texts(self, visit: _KeptVisit, distances: list[float], clocks: list[float], lasts: bool) -> list[str]:
        distance = nearest_level(distances, visit.distance_ns) if len(distances) > 1 else 0.0
        clock = math.floor(10 * nearest_level(clocks, self._unusual_clock(visit)) + 0.5) / 10
        told = {
            UNKNOWN: AS_FOUND,
            MIXED: SHARINGS[MIXED],
            ALONE: state_text(ALONE, clock, distance),
            SHARED: state_text(SHARED, 0.0, distance),
        }
        return [told[batch.sharing] if lasts else AS_FOUND for batch in visit.batches]

    def _unusual_clock(self, visit: _KeptVisit) -> float:
        """The clock of the first member's core in GHz; 0 where it is the usual one."""
        firsts = [batch.cores[0] for batch in visit.batches if batch.cores]
        chains = [reading.chain for core in firsts for reading in (core.before, core.after)]
        if not chains:
            return 0.0
        chain = median_high(chains)
        cpu = firsts[-1].cpu
        if abs(self._levels.clock_ratio(cpu, chain) - 1) <= _UNUSUAL_CLOCK:
            return 0.0
        return self._levels.clock_ghz(cpu.node, chain)
