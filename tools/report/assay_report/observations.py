# SPDX-License-Identifier: Apache-2.0
"""Raw batches as observations: a row per batch and quantity, kept in plain columns while a journal is read."""

import math
from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assay_report.batches import Counting, totals_of
from assay_report.wanted import frames

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

Record = dict[str, Any]
REGIMES = ["solo", "spin", "blocked", "mixed", "preempted"]

_BATCH = {"regime": "b", "disturbed": "h", "reps": "q"}
_BLOCK = {"point": "i", "quantity": "h", "visit_row": "i", "size": "i", "per_event": "b"}
_VISIT = {"session": "h", "incarnation": "i", "visit": "i", "round": "i", "discarded": "i"}
_CODES = {regime: code for code, regime in enumerate(REGIMES)}


class Observations:
    """Collects visits; `frame` makes a data frame of them. A block is a visit's batches of one quantity."""

    def __init__(self) -> None:
        self._batches = {name: array(code) for name, code in _BATCH.items()}
        self._values = array("d")
        self._blocks = {name: array(code) for name, code in _BLOCK.items()}
        self._visits = {name: array(code) for name, code in _VISIT.items()}
        self._at = array("d")
        self._causes: dict[str, int] = {"": 0}
        self._quantities: dict[str, int] = {}

    def clear(self) -> None:
        """Forgets everything, as another machine's results are."""
        self.__init__()  # type: ignore[misc]

    def add(self, point: int, record: Record, batches: list[Record], quantities: list[Record]) -> None:
        """Adds a visit's batches to a point, by the quantities that its series declares."""
        visit = self._add_visit(record)
        reps = [batch["reps"] for batch in batches]
        regimes = [_CODES[batch.get("regime", "solo")] for batch in batches]
        causes = [self._cause(batch["disturbed"]) if "disturbed" in batch else 0 for batch in batches]
        for index, quantity in enumerate(quantities):
            totals = totals_of(batches, index, quantity)
            per_event = quantity["per"] == "event"
            code = self._quantities.setdefault(quantity["name"], len(self._quantities))
            self._values.extend(totals)
            for name, column in (("regime", regimes), ("disturbed", causes), ("reps", reps)):
                self._batches[name].extend(column)
            for name, cell in zip(_BLOCK, (point, code, visit, len(batches), per_event), strict=True):
                self._blocks[name].append(cell)

    def _add_visit(self, record: Record) -> int:
        for name, column in self._visits.items():
            column.append(record[name])
        self._at.append(float(record["at_ns"]))
        return len(self._at) - 1

    def _cause(self, words: list[str]) -> int:
        return self._causes.setdefault(" ".join(words), len(self._causes))

    def frame(self, counting: dict[int, Counting], states: list[str] | None = None) -> "pd.DataFrame":
        """A row per batch and quantity, in the order of the journal; values per event where the quantity is one.

        `counting` has those of finished points; `states`, if given, a state of the cores for each row. The frame takes over what was collected.
        """
        np, pd = frames()
        blocks = {name: np.asarray(column) for name, column in self._blocks.items()}
        visits = {name: np.asarray(column)[blocks["visit_row"]] for name, column in self._visits.items()}
        at = np.asarray(self._at)[blocks["visit_row"]]
        sizes = blocks["size"]

        def each(column: "np.ndarray") -> "np.ndarray":
            return np.repeat(column, sizes)

        values = self._per_event(each, counting)
        batch = np.arange(len(values), dtype="i")
        batch -= each((np.cumsum(sizes) - sizes).astype("i"))
        disturbed = np.asarray(self._batches["disturbed"])
        settled = np.array([counting.get(point, Counting()).settled for point in self._blocks["point"]], "i")
        discarded = batch < each(np.maximum(visits["discarded"], settled))
        columns: dict[str, Any] = {
            "point": each(blocks["point"]),
            "quantity": _categories(each(blocks["quantity"]), list(self._quantities)),
            "regime": _categories(np.asarray(self._batches["regime"]), REGIMES),
            "value": values,
            "reps": _narrow(np.asarray(self._batches["reps"]), "i4"),
            "batch": batch,
            "disturbed": _categories(disturbed, list(self._causes)),
            **{name: each(visits[name]) for name in ("session", "incarnation", "visit", "round")},
            "at_ns": each(at),
            "discarded": discarded,
            "clean": ~discarded & (disturbed == 0) & np.isfinite(values),
        }
        if states is not None:
            columns["state"] = pd.Categorical(states)
        self.clear()
        return pd.DataFrame(columns, copy=False)

    def _per_event(self, each: Callable[["np.ndarray"], "np.ndarray"], counting: dict[int, Counting]) -> "np.ndarray":
        """Divides the values in their place by repetitions and events in each; NaN where there was no repetition."""
        np, _ = frames()
        values = np.asarray(self._values)
        timed = np.asarray(self._blocks["per_event"]) != 0
        of_point = np.array([counting.get(point, Counting()).events for point in self._blocks["point"]])
        divisor = each(np.where(timed, of_point, 1.0))
        np.multiply(divisor, np.asarray(self._batches["reps"]), out=divisor, where=each(timed))
        divisor[divisor == 0] = math.nan
        values /= divisor
        return values


def _narrow(numbers: "np.ndarray", kind: str) -> "np.ndarray":
    """Whole numbers in fewer bytes where these hold them all, else as they are."""
    np, _ = frames()
    limits = np.iinfo(kind)
    holds = not len(numbers) or (numbers.min() >= limits.min and numbers.max() <= limits.max)
    return numbers.astype(kind) if holds else numbers


def _categories(codes: "np.ndarray", names: list[str]) -> "pd.Categorical":
    _, pd = frames()
    return pd.Categorical.from_codes(_narrow(codes, "i1"), names)
