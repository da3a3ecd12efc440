# SPDX-License-Identifier: Apache-2.0
"""Journals with chosen contents, sealed as the program seals them."""

import random
from pathlib import Path

import orjson

from assay_report.journal import crc32c

FACTS = {
    "host.name": "synthetic",
    "cpu.model": "synthetic",
    "topology.summary": "1 package, 2 cores",
    "check.G-VIRT": "problem (warn): virtual machine",
    "check.G-CLK": "ok: clock source",
}
COUNTS = {
    name: 0
    for name in ("switched", "migrated", "stolen", "clock", "partner", "fault", "throttled", "asleep", "speed", "late")
}


class JournalWriter:
    """Writes records one after the other, with number and checksum."""

    def __init__(self, directory: Path, title: str = "synthetic", facts: dict | None = None) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.path = directory / "journal.jsonl"
        self.file = self.path.open("wb")
        self.number = 0
        self.visit = 0
        self.write("campaign", title=title, seed="1", schedule="interleaved", configuration="[campaign]\n")
        self.write("session", session=0, started="2026-01-31T12:00:00Z", command_line="assay run", facts=facts or FACTS)

    def write(self, kind: str, **members: object) -> None:
        line = orjson.dumps({"v": 1, "seq": self.number, "type": kind, **members})[:-1]
        self.file.write(line + b',"crc":"%08x"}\n' % crc32c(line))
        self.number += 1

    def series(
        self, name: str, unit: str = "ns", quantity: str = "time", measurement: str = "synthetic/normal"
    ) -> None:
        declared = {
            "name": quantity,
            "unit": unit,
            "combine": "only",
            "claimant": 0,
            "per": "event",
            "signed": False,
            "summary": "drawn",
        }
        self.write("series", series=name, measurement=measurement, rule="median-ci(eps=0.02)", quantities=[declared])

    def visits(self, series: str, point: dict, values: list[list[float]], disturbed: int = -1) -> None:
        """An incarnation of one visit per list of values; in each, the batch numbered `disturbed` was."""
        for incarnation, batch_values in enumerate(values):
            about = {"series": series, "point": point, "session": 0, "incarnation": incarnation}
            self.write(
                "incarnation", **about, process=100, cpus=[0], warm_up_ns=0.0, warm_up_reps=0, stack_padding_bytes=0
            )
            self.write("begin", **about, visit=self.visit)
            batches = [
                {"reps": 10, "claims": [[value * 10]], "cpu_ns": [1.0], "wall_ns": [1.0], "cpus": [0]}
                for value in batch_values
            ]
            if 0 <= disturbed < len(batches):
                batches[disturbed]["disturbed"] = ["switched"]
            self.write(
                "visit",
                **about,
                visit=self.visit,
                round=incarnation,
                at_ns=self.visit * 1e6,
                took_ns=1e5,
                discarded=0,
                batches=batches,
            )
            self.visit += 1

    def point(
        self, series: str, point: dict, results: list[dict], outcome: str = "converged", **members: object
    ) -> None:
        usual = {"measurement": "synthetic/normal", "reason": "", "code": "", "reps": 10, "disturbed": COUNTS, "simulated": True}
        self.write(
            "point",
            series=series,
            point=point,
            outcome=outcome,
            results=results,
            **{**usual, **members},
        )

    def end(self) -> Path:
        self.write("end", session=0, reason="complete", points=1, without_result=0, took_ns=1e9)
        self.file.close()
        return self.path.parent


def result(
    value: float, low: float, high: float, unit: str = "ns", processes: list[float] | None = None, **members: object
) -> dict:
    """A result with its interval; with low above high it has none."""
    level = 0.95 if low <= high else 0.0
    estimate = {"statistic": "median", "value": value, "low": low, "high": high, "level": level, "basis": "visits"}
    summary = dict.fromkeys(("mean", "median", "min", "max", "q10", "q25", "q75", "q90"), value)
    medians = [{"session": 0, "incarnation": at, "median": one, "n": 8} for at, one in enumerate(processes or [])]
    usual = {
        "quantity": "time",
        "unit": unit,
        "regime": "solo",
        "regime_share": 1.0,
        "verdict": {"outcome": "converged", "reason": "", "estimate": estimate},
        "headline": estimate,
        "summary": {"n": 40, **summary, "stddev": 0.0, "standard_error": 0.0, "contamination": 0.0},
        "visits": 5,
        "incarnations": max(len(medians), 5),
        "disturbed_share": 0.0,
        "noisy": False,
        "within_spread": 0.01,
        "between_spread": 0.01,
        "term": "session",
        "span_ns": 2e10,
        "processes": medians,
        "sessions": [],
        "steadiness": {"dropped": 0, "effective": 40.0, "autocorrelation": 0.0, "drift": "", "modes": []},
    }
    return {**usual, **members}


def random_result(rng: random.Random, unit: str) -> dict:
    """Any magnitude with any interval: wide, narrow, lopsided, of no width, none."""
    value = rng.choice([1, 1, 1, -1]) * 10 ** rng.uniform(-6, 15) * rng.choice([1, 1, 1, 0])
    value = rng.choice([value, float(round(value)), float(f"{value:.3g}")])
    width = abs(value) * 10 ** rng.uniform(-9, 1)
    low, high = rng.choice([(value - width, value + width * rng.random()), (value, value), (1.0, 0.0)])
    return result(value, low, high, unit, disturbed_share=rng.random(), noisy=rng.random() < 0.2)
