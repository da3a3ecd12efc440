# SPDX-License-Identifier: Apache-2.0
"""In which states of the cores batches were, as the program judged them: `assay export --format states`."""

from dataclasses import dataclass, field
from typing import Any

import orjson

from assay_report.journal import ResultError
from assay_report.node_cpu import NodeCpu

Record = dict[str, Any]

UNKNOWN, ALONE, SHARED, MIXED = range(4)
SHARINGS = ["unknown", "alone", "shared", "mixed"]
AS_FOUND = "as found"
UNSORTED = ""  # at a visit's start, or measured before the point was calibrated anew


@dataclass
class JudgedCore:
    """What a CPU was like during a member's part of a batch."""

    cpu: NodeCpu
    sharing: int
    length_ns: float
    chain_ns: float  # a step of the chain; 0 where there is none, or it was told with an earlier batch


@dataclass
class States:
    """The program's lines. Those of visits are read when they are asked for."""

    remarks: list[tuple[int, list[str]]] = field(default_factory=list)  # session, and what its cores were like
    known: dict[NodeCpu, Record] = field(default_factory=dict)  # CPUs that were proved to have been alone
    _visits: dict[tuple[int, int], str] = field(default_factory=dict)

    @staticmethod
    def read(text: str) -> "States":
        """Takes what the program wrote; raises ResultError for what is not that."""
        states = States()
        for line in text.splitlines():
            try:
                states._take(line)
            except (KeyError, TypeError, ValueError) as error:
                raise ResultError(f"the program's states of the cores cannot be read: {error!r} in {line[:80]!r}") from error
        return states

    def _take(self, line: str) -> None:
        start, _, rest = line.partition(',"states":')
        told = orjson.loads(f"{start}}}" if rest else line)
        kind = told["type"]
        if kind == "visit":
            self._visits[told["session"], told["visit"]] = line
        elif kind == "session":
            self.remarks.append((told["session"], told["remarks"]))
        elif kind == "core":
            self.known[NodeCpu(told["node"], told["cpu"])] = told

    def _visit(self, record: Record) -> Record:
        line = self._visits.get((record["session"], record["visit"]))
        return orjson.loads(line) if line is not None else {"states": []}

    def of(self, record: Record, size: int) -> list[str]:
        """The states of a visit's batches, of which there are so many: "mixed" where it changed, UNSORTED where none counts."""
        states = self._visit(record)["states"]
        if len(states) != size:
            raise ResultError(f"the program has {len(states)} batches of visit {record['visit']}, the journal {size}: it changed meanwhile")
        return states

    def cores(self, record: Record) -> list[JudgedCore]:
        """By batch and member what the cores of a visit were like; none where they were not read, or time was computed."""
        told = self._visit(record)
        if "cpus" not in told:
            return []
        nodes = told.get("nodes") or [""] * len(told["cpus"])
        columns = zip(nodes, told["cpus"], told["sharing"], told["length_ns"], told["chain_ns"], strict=True)
        return [
            JudgedCore(NodeCpu(node, cpu), SHARINGS.index(sharing), float(length), float(chain))
            for node, cpu, sharing, length, chain in columns
        ]
