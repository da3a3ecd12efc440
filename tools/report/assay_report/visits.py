# SPDX-License-Identifier: Apache-2.0
"""Where the visits of each point stand in a journal, so that those of a few points are read without reading it again."""

from array import array
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from assay_report.journal import UNREADABLE, line_at, unreadable
from assay_report.plain_math import chosen_evenly

Record = dict[str, Any]
_NEAR = 64  # bytes within which a line names its series, after version, number and type


class Subject(NamedTuple):
    """What visits are of: a point by its number, with the quantities that its series declared at that time."""

    point: int
    quantities: list[Record]


class Visits:
    """The visits of a journal, by what they begin with: the same bytes for all of a point and session, read once."""

    def __init__(self, subject_of: Callable[[Record], Subject]) -> None:
        self._subject_of = subject_of
        self._heads: dict[bytes, int] = {}
        self._subjects: list[Subject] = []
        self._rows = array("i")
        self._numbers = array("q")
        self._offsets = array("q")

    def declared_anew(self) -> None:
        """A series was declared: visits from here on are of what it says now."""
        self._heads.clear()

    def add(self, line: bytes, number: int, offset: int) -> Subject:
        """Notes a visit's place; returns what it is of."""
        start = line.find(b'"series":', 0, _NEAR)
        head = line[start : line.find(b',"incarnation":', start)]
        row = self._heads.get(head)
        if row is None:
            row = self._new(head, line)
        self._rows.append(row)
        self._numbers.append(number)
        self._offsets.append(offset)
        return self._subjects[row]

    def _new(self, head: bytes, line: bytes) -> int:
        try:
            told = self._subject_of(orjson.loads(b"{" + head + b"}"))
            self._heads[head] = len(self._subjects)
        except (orjson.JSONDecodeError, KeyError):  # a factor is called like a member, or they have another order
            told = self._subject_of(orjson.loads(line))
        self._subjects.append(told)
        return len(self._subjects) - 1

    def __len__(self) -> int:
        return len(self._rows)

    def of(self, points: set[int], path: Path) -> Iterator[tuple[Subject, Record]]:
        """The visits of some points in order, read again; raises ResultError where the journal has changed."""
        wanted = [subject.point in points for subject in self._subjects]
        yield from self._again((at for at, row in enumerate(self._rows) if wanted[row]), path)

    def some(self, most: int, path: Path) -> Iterator[tuple[Subject, Record]]:
        """Visits evenly chosen from all of them, so many at most; read again in order."""
        yield from self._again(chosen_evenly(len(self), most), path)

    def _again(self, chosen: Iterable[int], path: Path) -> Iterator[tuple[Subject, Record]]:
        rows = self._rows
        with path.open("rb") as file:
            for at in chosen:
                number = self._numbers[at]
                line = line_at(file, path, number, self._offsets[at])
                try:
                    yield self._subjects[rows[at]], orjson.loads(line)
                except UNREADABLE as error:
                    raise unreadable(path, number, "visit", error) from error
