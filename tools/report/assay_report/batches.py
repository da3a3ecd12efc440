# SPDX-License-Identifier: Apache-2.0
"""The batches of points that are looked at closely, without data frames: a page needs no package for them."""

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

Record = dict[str, Any]
_COMBINED = {"slowest": max, "fastest": min, "mean": fmean, "sum": math.fsum, "only": math.fsum}


class Batch(NamedTuple):
    """One batch: its value per event, and what is known of it."""

    quantity: str
    regime: str
    value: float
    session: int
    incarnation: int
    visit: int
    disturbed: str
    discarded: bool
    state: str

    @property
    def clean(self) -> bool:
        """Whether results are of it."""
        return not self.discarded and not self.disturbed and math.isfinite(self.value)


Batches = list[Batch]


def _claims(batch: Record, index: int, members: list[int] | None) -> list[float]:
    """What members claimed of a quantity; empty where one of those that count claimed nothing."""
    claims = batch["claims"] if members is None else [batch["claims"][member] for member in members]
    values = [claim[index] if index < len(claim) else None for claim in claims]
    return [] if any(value is None for value in values) else [float(value) for value in values]


def totals_of(batches: list[Record], index: int, quantity: Record) -> Sequence[float]:
    """The combined claims of batches, NaN where there is none."""
    only = quantity["combine"] == "only"
    member = quantity["claimant"]
    if only:
        try:  # the usual case, without a function call per batch
            return array("d", [batch["claims"][member][index] for batch in batches])
        except (IndexError, TypeError):
            pass
    how = _COMBINED[quantity["combine"]]
    members = [member] if only else None
    totals = []
    for batch in batches:
        claims = _claims(batch, index, members)
        totals.append(how(claims) if claims else math.nan)
    return totals


@dataclass(frozen=True)
class Counting:
    """How a finished point has its batches counted: those at the start of a visit that no result is made of are left out."""

    events: float = 1.0  # per repetition
    settled: int = 0  # batches, those that the visit itself discarded among them


def batches_of_visit(
    record: Record, batches: list[Record], quantities: list[Record], wanted: str, states: list[str], counting: Counting
) -> Batches:
    """The batches of a visit with their values of one quantity; a state each, or none for all."""
    index = next((at for at, quantity in enumerate(quantities) if quantity["name"] == wanted), None)
    if index is None:
        return []
    per_event = quantities[index]["per"] == "event"
    made = []
    for at, (batch, total) in enumerate(zip(batches, totals_of(batches, index, quantities[index]), strict=True)):
        divisor = batch["reps"] * counting.events if per_event else 1.0
        made.append(
            Batch(
                wanted,
                batch.get("regime", "solo"),
                total / divisor if divisor else math.nan,
                record["session"],
                record["incarnation"],
                record["visit"],
                " ".join(batch.get("disturbed", ())),
                at < max(record["discarded"], counting.settled),
                states[at] if states else "",
            )
        )
    return made
