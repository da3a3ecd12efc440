# SPDX-License-Identifier: Apache-2.0
"""Reads a journal line by line: every checksum is checked, a torn end is left out with a warning, damage is refused."""

import re
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import orjson

try:
    from google_crc32c import value as crc32c
except ImportError:
    from crc32c import crc32c  # the one that Debian has a package of

VERSION = 1
LINE_LIMIT = 1 << 20
_TRAILER_SIZE = len(b',"crc":"00000000"}\n')
_TAIL_LIMIT = 64 << 20
_BUFFER = 4 << 20

UNREADABLE = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError)

Record = dict[str, Any]
Take = Callable[[Record], None]
TakeVisit = Callable[[bytes, int, int], None]


class ResultError(Exception):
    """Results that cannot be read: the message names the file and the line, and says what to do."""


class TornJournal(UserWarning):
    """A journal ends in a record that was not written to its end; what is whole was read."""


def journal_file(directory: Path) -> Path:
    """The journal of a campaign's directory, or the file itself."""
    path = Path(directory)
    file = path / "journal.jsonl" if path.is_dir() else path
    if not file.is_file():
        raise ResultError(f"{path}: there are no results (no journal.jsonl); name the directory of a campaign")
    return file


def crc_text(data: bytes) -> str:
    """CRC-32C in eight hexadecimal digits."""
    return f"{crc32c(data):08x}"


def is_sound(line: bytes) -> bool:
    """Whether a line is whole, with its end, and carries the checksum of what stands before it."""
    return line[-_TRAILER_SIZE:] == b',"crc":"%08x"}\n' % crc32c(line[:-_TRAILER_SIZE])


def _start(number: int) -> bytes:
    return b'{"v":%d,"seq":%d,"type":"' % (VERSION, number)


class _Reader:
    """One pass over a journal."""

    def __init__(self, path: Path, take: Take, take_visit: TakeVisit, skipped: frozenset[str]) -> None:
        self.path = path
        self.take = take
        self.take_visit = take_visit
        self.skipped = {kind.encode() for kind in skipped}
        self.number = 0
        self.offset = 0

    def refuse(self, why: str) -> ResultError:
        return ResultError(f"{self.path}: line {self.number + 1}, byte {self.offset}: {why}")

    def read(self, file: BinaryIO) -> None:
        for line in iter(partial(file.readline, LINE_LIMIT + 1), b""):
            if not is_sound(line):
                self.check_tail(line + file.read(_TAIL_LIMIT + 1))
                return
            self.hand_over(line)
            self.number += 1
            self.offset += len(line)

    def hand_over(self, line: bytes) -> None:
        start = _start(self.number)
        if not line.startswith(start):
            raise self.refuse(self.wrong_start(line))
        at = len(start)
        kind = line[at : line.find(b'"', at)]
        if kind in self.skipped:
            return
        try:
            if kind == b"visit":
                self.take_visit(line, self.number, self.offset)
            else:
                self.take(orjson.loads(line))
        except orjson.JSONDecodeError as error:
            raise self.refuse(f"the checksum is right, but the record cannot be read: {error}") from error
        except UNREADABLE as error:
            raise unreadable(self.path, self.number, kind.decode(errors="replace"), error) from error

    def wrong_start(self, line: bytes) -> str:
        version = re.match(rb'\{"v":(\d+),', line)
        if version and int(version.group(1)) > VERSION:
            return f"version {int(version.group(1))} of the journal is newer than this package reads ({VERSION}); install a newer one"
        return f"damaged: this is not record {self.number}; 'assay journal check' reports more"

    def check_tail(self, tail: bytes) -> None:
        """Warns of the beginning of a record that nothing follows; everything else is damage."""
        rest = tail.rstrip(b"\0")
        start = _start(self.number)
        common = min(len(rest), len(start))
        if self.number == 0 or b"\n" in rest or len(rest) > LINE_LIMIT or rest[:common] != start[:common]:
            raise self.refuse(
                "damaged: the line is not a record with the right checksum; 'assay journal check' says what is there, "
                "'assay journal repair' copies the intact records"
            )
        warnings.warn(
            f"{self.path}: ends in {len(tail)} bytes of an unfinished record, which are left out",
            TornJournal,
            stacklevel=2,
        )


def side_batches(directory: Path, record: Record) -> list[Record]:
    """The batches of a long visit, from the file beside the journal that its record vouches for."""
    folder = directory / "samples"
    file = folder / f"{int(record['seq'])}.jsonl"
    if folder.is_symlink() or file.is_symlink() or not file.is_file():
        raise ResultError(f"{file}: the batches of record {record['seq']} are missing")
    data = file.read_bytes()
    said = record["samples"]
    if len(data) != said["bytes"] or crc_text(data) != said["crc"]:
        raise ResultError(
            f"{file}: damaged: not the {said['bytes']} bytes that were written; 'assay journal check' reports more"
        )
    return [orjson.loads(line) for line in data.splitlines()]


def read_journal(path: Path, take: Take, take_visit: TakeVisit, skipped: frozenset[str] = frozenset()) -> None:
    """Hands over the records of a journal in order: visits as lines with their number and place, all others read.

    Records of skipped types are left out. Every line is checked all the same; raises ResultError on damage, and on a record
    that lacks what its type has.
    """
    try:
        file = path.open("rb", buffering=_BUFFER)
    except OSError as error:
        raise ResultError(f"{path}: cannot be read: {error.strerror}") from error
    with file:
        _Reader(path, take, take_visit, skipped).read(file)


def line_at(file: BinaryIO, path: Path, number: int, offset: int) -> bytes:
    """A line that was read before, checked again; raises ResultError where another stands in its place."""
    file.seek(offset)
    line = file.readline(LINE_LIMIT + 1)
    if not is_sound(line) or not line.startswith(_start(number)):
        raise ResultError(f"{path}: line {number + 1}, byte {offset}: changed while it was read; read it again")
    return line


def unreadable(path: Path, number: int, kind: str, error: Exception) -> ResultError:
    """What is said of a record that is whole, but not what its type says."""
    return ResultError(f"{path}: line {number + 1}: the record of type '{kind}' cannot be read: {error!r}")
