# SPDX-License-Identifier: Apache-2.0
"""`load(DIR)`: the results of a campaign as data frames, with the rules of the program's own reader.

The last record about a thing wins; another machine's results forget those before; results that contradict themselves are refused.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from assay_report.batches import Batches, Counting, batches_of_visit
from assay_report.core_states import States
from assay_report.frames import derived_frame, point_frame
from assay_report.journal import UNREADABLE, Record, ResultError, journal_file, read_journal, side_batches, unreadable
from assay_report.levels import Point, decoded, factors_of, order_key
from assay_report.observations import Observations
from assay_report.program import Program
from assay_report.shapes import check_shape
from assay_report.visits import Subject, Visits
from assay_report.wanted import frames

if TYPE_CHECKING:
    import pandas as pd


@dataclass
class Series:
    """A series with its finished points, in the order of tables, and its derived values."""

    name: str
    measurement: str
    record: Record
    points: list[Record] = field(default_factory=list)
    derived: list[Record] = field(default_factory=list)

    @cached_property
    def factors(self) -> list[str]:
        """Its factors in the order of columns."""
        return factors_of([point["point"] for point in self.points])


@dataclass
class Campaign:
    """What `load` returns. Data frames are made when they are first asked for."""

    directory: Path
    title: str
    configuration: str
    series: list[Series]
    sessions: list[Record]
    notes: list[str]
    ended: str
    cores: list[Record]  # what sessions learned of their cores, in order; none of a session that did not come to its end
    _observations: Observations
    _taken: dict[int, "Taken"]
    _visits: Visits
    has_readings: bool  # of cores, in any visit

    @cached_property
    def points(self) -> "pd.DataFrame":
        """A row per point, quantity and regime: identity, factors, then the columns of `assay export --format csv-long`."""
        return point_frame(self.series, self._taken)

    @cached_property
    def derived(self) -> "pd.DataFrame":
        """A row per value computed over points, with interval and validity."""
        return derived_frame(self.series)

    @cached_property
    def observations(self) -> "pd.DataFrame":
        """A row per batch and quantity, in order: point, value, regime, disturbed, clean, visit, incarnation, session."""
        return self._observations.frame(_counting_of(self.series))

    @cached_property
    def provenance(self) -> "pd.DataFrame":
        """Facts of every session: session, key, value."""
        rows = [(record["session"], key, value) for record in self.sessions for key, value in record["facts"].items()]
        _, pd = frames()
        return pd.DataFrame(rows, columns=["session", "key", "value"])

    def states(self, program: str | None = None) -> States | None:
        """The states of the cores as the program judges them, None where none were read.

        `program`: its path, by default the one on the path. Raises ResultError where there is none, and where it refuses.
        """
        return Program.found(program).states(self.directory) if self.has_readings else None

    def observations_of(self, numbers: set[int], states: States | None = None) -> "pd.DataFrame":
        """The observations of some points, read again from the journal: of large campaigns all would be many.

        With `states` they have a column more, `state`: of the cores, as results name it; "mixed" where it changed during the
        batch, and empty for what was left out at a visit's start or before the point was calibrated again.
        """
        some = Observations()
        rows: list[str] = []

        def take(subject: Subject, record: Record) -> None:
            batches = batches_of(self.directory, record)
            some.add(subject.point, record, batches, subject.quantities)
            if states is not None:
                rows.extend(states.of(record, len(batches)) * len(subject.quantities))

        self._read(self._visits.of(numbers, journal_file(self.directory)), take)
        return some.frame(_counting_of(self.series), rows if states is not None else None)

    def batches_of_points(self, wanted: dict[int, str], states: States | None = None) -> dict[int, Batches]:
        """The batches of some points, each by its number with the quantity that is wanted of it; read again, without data frames."""
        counting = _counting_of(self.series)
        found: dict[int, Batches] = {}

        def take(subject: Subject, record: Record) -> None:
            batches = batches_of(self.directory, record)
            told = states.of(record, len(batches)) if states is not None else []
            some = batches_of_visit(
                record, batches, subject.quantities, wanted[subject.point], told, counting.get(subject.point, Counting())
            )
            found.setdefault(subject.point, []).extend(some)

        self._read(self._visits.of(set(wanted), journal_file(self.directory)), take)
        return found

    def some_visits(self, most: int, take: Callable[[Subject, Record], None]) -> int:
        """Hands over visits, evenly chosen and so many at most; returns how many there are."""
        self._read(self._visits.some(most, journal_file(self.directory)), take)
        return len(self._visits)

    def cpus_of(self, number: int) -> list[str]:
        """The CPUs that a point's incarnations ran on, as texts: "0 2", or "unbound"."""
        return self._taken[number].cpus if number in self._taken else []

    def _read(self, visits: Iterator[tuple[Subject, Record]], take: Callable[[Subject, Record], None]) -> None:
        for subject, record in visits:
            try:
                take(subject, record)
            except UNREADABLE as error:
                raise unreadable(journal_file(self.directory), record["seq"], "visit", error) from error

    def facts(self) -> dict[str, str]:
        """The facts of the last session."""
        return dict(self.sessions[-1]["facts"]) if self.sessions else {}


def _counting_of(series: list[Series]) -> dict[int, Counting]:
    """How the batches of finished points are counted, where not as those of any."""
    points = (point for one in series for point in one.points)
    return {
        point["number"]: Counting(float(point.get("events_per_rep", 1.0)), int(point.get("settled", 0)))
        for point in points
        if "events_per_rep" in point or "settled" in point
    }


@dataclass
class Taken:
    """What visits and incarnations tell about a point."""

    sessions: set[int] = field(default_factory=set)
    cpus: list[str] = field(default_factory=list)


def batches_of(directory: Path, record: Record) -> list[Record]:
    """The batches of a visit, wherever they stand."""
    return side_batches(directory, record) if "samples" in record else record["batches"]


# Types of records that no table or chart is made of.
UNUSED = {"begin", "failure", "variant", "launch", "alive", "answer", "node"}


class _Collector:
    """Takes records in order; a method per type."""

    def __init__(self, directory: Path, with_observations: bool) -> None:
        self.directory = directory
        self.with_observations = with_observations
        self.campaign: Record = {}
        self.sessions: list[Record] = []
        self.notes: list[str] = []
        self.ended = ""
        self.observations = Observations()
        self.forget()

    def forget(self) -> None:
        """What another machine yielded is not shown beside what this one did."""
        self.series: dict[str, Series] = {}
        self.numbers: dict[bytes, int] = {}
        self.points: dict[str, dict[bytes, Record]] = {}
        self.derived: dict[bytes, Record] = {}
        self.finished: dict[bytes, bytes] = {}
        self.taken: dict[int, Taken] = {}
        self.cores: list[Record] = []
        self.visits = Visits(self.subject_of)
        self.has_readings = False
        self.observations.clear()

    def take(self, record: Record) -> None:
        handler = getattr(self, "take_" + record["type"], None)
        if handler is None and record["type"] not in UNUSED:
            raise ValueError(f"unknown type of record {record['type']!r}")
        check_shape(record)
        if handler is not None:
            handler(record)

    def key(self, record: Record) -> bytes:
        """The identity of a record's point: series and levels."""
        return orjson.dumps([record["series"], record["point"]], option=orjson.OPT_SORT_KEYS)

    def number(self, record: Record) -> int:
        return self.numbers.setdefault(self.key(record), len(self.numbers))

    def taken_of(self, record: Record) -> Taken:
        return self.taken.setdefault(self.number(record), Taken())

    def series_of(self, record: Record) -> Series:
        name = record["series"]
        if name not in self.series:
            empty = {"quantities": [], "rule": "", "measurement": record.get("measurement", "")}
            self.series[name] = Series(name, empty["measurement"], empty)
        return self.series[name]

    def take_campaign(self, record: Record) -> None:
        self.campaign = record

    def take_session(self, record: Record) -> None:
        if record.get("new_machine"):
            self.forget()
        self.finished.clear()
        self.ended = "without a word: it is still running or was interrupted"
        self.sessions.append(record)

    def take_series(self, record: Record) -> None:
        series = self.series_of(record)
        if series.record["quantities"] and series.measurement != record["measurement"]:
            raise ResultError(f"{self.directory}: series {record['series']!r} is of two measurements")
        series.measurement = record["measurement"]
        series.record = record
        self.visits.declared_anew()

    def take_incarnation(self, record: Record) -> None:
        self.finished.pop(self.key(record), None)
        cpus = self.taken_of(record).cpus
        text = " ".join(str(int(cpu)) for cpu in record["cpus"]) or "unbound"
        if text not in cpus:
            cpus.append(text)

    def subject_of(self, record: Record) -> Subject:
        """What a visit is of, by the beginning of its record."""
        self.taken_of(record).sessions.add(record["session"])
        return Subject(self.number(record), self.series_of(record).record["quantities"])

    def visit(self, line: bytes, number: int, offset: int) -> None:
        """Takes a visit; it is read as a whole only where its batches are wanted."""
        subject = self.visits.add(line, number, offset)
        # Batches in a file of their own may have some.
        self.has_readings = self.has_readings or b'wide_ns"' in line or b'"samples"' in line
        if self.with_observations:
            record = orjson.loads(line)
            self.observations.add(subject.point, record, batches_of(self.directory, record), subject.quantities)

    def take_point(self, record: Record) -> None:
        key = self.key(record)
        content = orjson.dumps({name: record[name] for name in record if name not in {"seq", "unsynced", "crc"}})
        if self.finished.setdefault(key, content) != content:
            raise ResultError(
                f"{self.directory}: the results contradict themselves: a point of series {record['series']!r} was finished "
                "twice, and differently; take them as they were written"
            )
        self.series_of(record)
        record["number"] = self.number(record)
        record["point"] = decoded(record["point"])
        self.points.setdefault(record["series"], {})[key] = record

    def take_derived(self, record: Record) -> None:
        self.series_of(record)
        parts = [record[name] for name in ("series", "name", "quantity", "regime", "group")]
        record["group"] = decoded(record["group"])
        self.derived[orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)] = record

    def take_cores(self, record: Record) -> None:
        self.cores.append(record)

    def take_note(self, record: Record) -> None:
        self.notes.append(record["text"])

    def take_end(self, record: Record) -> None:
        self.ended = record["reason"]

    def finish(self) -> Campaign:
        for name, points in self.points.items():
            self.series[name].points = _in_order(list(points.values()))
        for record in self.derived.values():
            self.series[record["series"]].derived.append(record)
        return Campaign(
            self.directory,
            self.campaign.get("title", ""),
            self.campaign.get("configuration", ""),
            list(self.series.values()),
            self.sessions,
            self.notes,
            self.ended,
            self.cores,
            self.observations,
            self.taken,
            self.visits,
            self.has_readings,
        )


def _in_order(points: list[Record]) -> list[Record]:
    factors = factors_of([point["point"] for point in points])
    return sorted(points, key=lambda record: order_key(record["point"], factors))


def load(directory: str | os.PathLike[str], observations: bool = True) -> Campaign:
    """The results of a campaign's directory.

    `observations=False` leaves the raw batches alone, which is many times faster. Warns with TornJournal of a last record
    that was not written to its end; raises ResultError, which names file and line, for whatever else is damaged.
    """
    file = journal_file(Path(directory))
    collector = _Collector(file.parent, observations)
    read_journal(file, collector.take, collector.visit, frozenset({"begin", "alive"}))
    return collector.finish()


__all__ = ["Campaign", "Point", "Series", "Taken", "load"]
