# SPDX-License-Identifier: Apache-2.0
"""What a page needs of numbers, without a package for it."""

import math
from collections.abc import Sequence


def evenly(first: float, last: float, count: int) -> list[float]:
    """So many numbers from the first to the last one, at equal distances."""
    if count == 1:
        return [first]
    return [first + (last - first) * at / (count - 1) for at in range(count)]


def chosen_evenly(total: int, most: int) -> list[int]:
    """Places among so many: all of them, or as many as are wanted at equal distances, with both ends."""
    if total <= most:
        return list(range(total))
    return sorted({int(place) for place in evenly(0, total - 1, most)})


def quantile_of(ordered: Sequence[float], share: float) -> float:
    """The quantile of values in order, between two of them by how near it is to each."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def median_of(values: Sequence[float]) -> float:
    """The median of values in any order."""
    return quantile_of(sorted(values), 0.5)
