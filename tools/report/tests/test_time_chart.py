# SPDX-License-Identifier: Apache-2.0
"""The batches of a point in order of time: what its legend tells apart."""

from typing import Any

from assay_report.batches import Batch
from assay_report.sample_charts import Detail
from assay_report.time_chart import time_chart


def detail_of(states: list[str]) -> Detail:
    batches = [
        Batch("time", "solo", 100.0 + number % 7, 0, 0, number, "", False, state) for number, state in enumerate(states)
    ]
    result = {"quantity": "time", "unit": "ns", "headline": {"value": 103.0, "low": 102.0, "high": 104.0, "level": 0.95}, "state": "alone"}
    return Detail(**{**_plain(), "batches": batches, "result": result})


def _plain() -> dict[str, Any]:
    return {field: None for field in Detail.__dataclass_fields__}


def test_rare_states_have_one_entry_of_the_legend() -> None:
    states = ["alone"] * 60 + ["alone, distance 103 ns"] * 30 + [f"shared, distance {far} ns" for far in range(10)]
    figure, _ = time_chart(detail_of(states))
    names = [trace["name"] for trace in figure["data"] if trace.get("mode") == "markers"]
    assert names == ["alone (60)", "alone, distance 103 ns (30)", "other clocks and distances (10)"]


def test_at_most_four_further_states_are_told_apart() -> None:
    states = [f"alone, clock {clock} GHz" for clock in range(6) for _ in range(10 + clock)]
    figure, _ = time_chart(detail_of(states))
    names = [trace["name"] for trace in figure["data"] if trace.get("mode") == "markers"]
    assert names == [f"alone, clock {clock} GHz ({10 + clock})" for clock in range(2, 6)] + ["other clocks and distances (21)"]
