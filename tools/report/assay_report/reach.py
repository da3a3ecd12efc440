# SPDX-License-Identifier: Apache-2.0
"""How far an axis of values goes: what can be relied on is always on it, intervals and doubtful values may go beyond."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assay_report import drawing

_MOST_DECADES = 1.0  # that an interval may add to a logarithmic axis
_LEAST_DECADES = 0.3
_MARGIN = 0.06


@dataclass(frozen=True)
class Place:
    """Where a value lies on an axis, with its interval: NaN where there is none."""

    value: float
    low: float
    high: float
    is_sound: bool

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest that is drawn of it."""
        known = [end for end in (self.value, self.low, self.high) if math.isfinite(end)]
        return min(known), max(known)


@dataclass(frozen=True)
class Reach:
    """An axis: its kind, its ends where some places are beyond them, and how many are."""

    is_log: bool
    bottom: float = -math.inf
    top: float = math.inf
    below: int = 0
    above: int = 0

    @property
    def range(self) -> list[float] | None:
        """As a chart takes it; None where everything is on the axis."""
        if not self.below and not self.above:
            return None
        return [math.log10(end) for end in (self.bottom, self.top)] if self.is_log else [self.bottom, self.top]

    def shown(self, value: float) -> float:
        """A value, or a place near the end of the axis that it is beyond."""
        if self.range is None or self.bottom <= value <= self.top:
            return value
        if self.is_log:
            rest = (self.top / self.bottom) ** (_MARGIN / 2)
            return self.top / rest if value > self.top else self.bottom * rest
        rest = (self.top - self.bottom) * _MARGIN / 2
        return self.top - rest if value > self.top else self.bottom + rest

    @property
    def words(self) -> str:
        """What the chart says; empty where everything is on the axis."""
        told = []
        for count, sign in ((self.above, "▲"), (self.below, "▼")):
            told += [f"{sign} {count} point{'s' if count > 1 else ''} beyond the axis"] if count else []
        return ", ".join(told)


def _limits(values: Sequence[float], is_log: bool) -> tuple[float, float]:
    """How far an axis that is made for values may be stretched by anything else: to little more than twice its length."""
    low, high = min(values), max(values)
    if is_log:
        decades = min(_MOST_DECADES, max(_LEAST_DECADES, math.log10(high / low)))
        return low / 10**decades, high * 10**decades
    low, high = min(0.0, low), max(0.0, high)
    span = high - low
    return low - 1.5 * span, high + 1.5 * span


def _ends(places: Sequence[Place], limits: tuple[float, float], is_log: bool) -> tuple[float, float]:
    """The ends of the axis: what lies within the limits, and a little more."""
    inside = [end for place in places for end in (*place.ends, place.value) if limits[0] <= end <= limits[1]]
    low, high = min(inside), max(inside)
    if is_log:
        rest = (high / low) ** _MARGIN * 1.05
        return low / rest, high * rest
    low, high = min(0.0, low), max(0.0, high)
    rest = (high - low) * _MARGIN
    return (low - rest if low < 0 else 0.0), high + rest


def reach_of(places: Sequence[Place]) -> Reach:
    """The axis for places: logarithmic where the values range far, and not stretched by a few ends far beyond the others."""
    places = [place for place in places if math.isfinite(place.value)]
    if not places:
        return Reach(False)
    values = [place.value for place in places]
    for wanted in ([place.value for place in places if place.is_sound] or values, values):
        is_log, limits = _kind_of(wanted)
        above = sum(place.ends[1] > limits[1] for place in places)
        below = sum(place.ends[0] < limits[0] for place in places)
        if above + below <= max(1, len(places) // 4):  # more of them are no outliers
            break
    if not above and not below:
        return Reach(is_log)
    return Reach(is_log, *_ends(places, limits, is_log), below, above)


def _kind_of(values: Sequence[float]) -> tuple[bool, tuple[float, float]]:
    is_log = drawing.is_wide(values)
    return is_log, _limits(values, is_log)
