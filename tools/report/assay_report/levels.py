# SPDX-License-Identifier: Apache-2.0
"""Levels of factors: their texts as the program prints them, and their order in its tables."""

import re
from typing import Any

from assay_report.numbers import shortest_text
from assay_report.printable import printable

Level = int | float | str
Point = dict[str, Level]

_BARE = re.compile(r"[a-zA-Z0-9_\-+./:]+\Z")
_RELATIONS = ["same-pu", "smt", "same-l2", "same-l3", "same-numa", "same-package", "cross-package"]
_EARLY = ["unbound", "bound"]
_SIZE = re.compile(r"(.*bytes|size|.*[_-]size)\Z", re.DOTALL)


def decoded(levels: dict[str, Any]) -> Point:
    """Levels as a record has them; a real that is not finite stands in an object of its own."""
    point: Point = {}
    for factor, level in levels.items():
        if isinstance(level, dict):
            level = float(level["real"])
        if isinstance(level, bool) or not isinstance(level, int | float | str):
            raise TypeError("a level is neither a number nor a word")
        point[factor] = level
    return point


def _begins_like_number(word: str) -> bool:
    rest = word.lstrip("+-.")
    if rest[:1].isascii() and rest[:1].isdigit():
        return True
    return word.removeprefix("-").lower() in {"nan", "inf", "infinity"}


def _quoted(word: str) -> str:
    escapes = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x09: "\\t"}
    parts = [escapes.get(byte) or (chr(byte) if 0x20 <= byte <= 0x7E else f"\\x{byte:02x}") for byte in word.encode()]
    return '"' + "".join(parts) + '"'


def level_text(level: Level) -> str:
    """The one text of a level, in quotes where it would be read as something else."""
    if isinstance(level, int):
        return str(level)
    if isinstance(level, float):
        text = shortest_text(level)
        return text if any(letter in text for letter in ".en") else text + ".0"
    return level if _BARE.match(level) and not _begins_like_number(level) else _quoted(level)


def is_size(factor: str) -> bool:
    """Whether a factor's name says that its levels are sizes."""
    return _SIZE.match(factor) is not None


def _size_text(size: int) -> str:
    suffixes = ["", "Ki", "Mi", "Gi"]
    at = 0
    while size != 0 and size % 1024 == 0 and at + 1 < len(suffixes):
        size //= 1024
        at += 1
    return f"{size}{suffixes[at]}"


def shown_level(point: Point, factor: str) -> str:
    """A point's level as tables show it: sizes with their suffixes, nothing hidden, "-" where it has none."""
    if factor not in point:
        return "-"
    level = point[factor]
    if isinstance(level, int) and is_size(factor):
        return _size_text(level)
    return printable(level_text(level))


def _rank(word: str) -> int:
    relation = re.split(r"[@(:~]", word, maxsplit=1)[0]
    if relation in _EARLY:
        return _EARLY.index(relation)
    order = _RELATIONS
    return len(_EARLY) + (order.index(relation) if relation in order else len(order))


def _level_key(level: Level | None) -> tuple[Any, ...]:
    if level is None:
        return (0,)
    if isinstance(level, str):
        return (2, _rank(level), level)
    return (1, float(level), isinstance(level, float))


def order_key(point: Point, factors: list[str]) -> tuple[Any, ...]:
    """Sorts points as tables do: by factors in order, numbers by value, placements by distance."""
    return tuple(_level_key(point.get(factor)) for factor in factors)


def factors_of(points: list[Point]) -> list[str]:
    """The factors of points in the order in which they appear."""
    names: dict[str, None] = {}
    for point in points:
        for factor in point:
            names.setdefault(factor)
    return list(names)


def varies(factor: str, points: list[Point]) -> bool:
    """Whether points differ in a factor, in having it too; 1 and 1.0 are two levels."""
    first = points[0].get(factor)
    return any(type(point.get(factor)) is not type(first) or point.get(factor) != first for point in points)


def subject_of(point: Point, factors: list[str]) -> str:
    """The named levels of a point: "channel=flag bytes=4Ki"."""
    return " ".join(f"{printable(factor)}={shown_level(point, factor)}" for factor in factors)
