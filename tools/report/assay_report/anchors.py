# SPDX-License-Identifier: Apache-2.0
"""Permanent links: names of places in a page that a series or a point has in every run of it, whatever else was measured."""

import hashlib
import re

import orjson

from assay_report.levels import Point

_PLAIN = re.compile(r"[A-Za-z0-9_.-]{1,60}\Z")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:10]


def _plain(name: str) -> str:
    """A name of harmless letters; one that is changed for that has something of its own, so that two never meet."""
    if _PLAIN.match(name):
        return name
    words = re.sub(r"[^A-Za-z0-9_.]+", "-", name).strip("-")[:40]
    return f"{words}-{_digest(name.encode())}"


def series_anchor(name: str) -> str:
    """The place of a series."""
    return f"series-{_plain(name)}"


def point_anchor(series: str, point: Point) -> str:
    """The place of a point: by all of its levels, since which of them vary depends on what else was measured."""
    levels = {factor: repr(level) for factor, level in point.items()}
    return f"point-{_plain(series)}-{_digest(orjson.dumps(levels, option=orjson.OPT_SORT_KEYS))}"
