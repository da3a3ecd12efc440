# SPDX-License-Identifier: Apache-2.0
"""Journals of machines whose cores others share, with states that are known."""

from pathlib import Path

from journals import JournalWriter

ALONE_WIDE, CHAIN = 0.072, 0.9
POINT = {"size": 1}


def level(cpu: int = 0, because: str = "throughput", alone: float = ALONE_WIDE, node: str = "") -> dict:
    """What is known of a CPU; at CHAIN, three cycles a step are 3.33 GHz."""
    named = {"node": node} if node else {}
    known = {"alone": alone, "chain_ns": CHAIN, "because": because, "readings": 100, "readings_alone": 50}
    return {**named, "cpu": cpu, **known}


def wide(is_alone: bool, chain: float = CHAIN) -> float:
    """Half a core's work takes longer by more than the threshold; a slow clock takes as much longer of both."""
    return ALONE_WIDE * chain * (1.02 if is_alone else 1.6)


class CoreWriter(JournalWriter):
    """Writes visits with readings. A state is a letter: a for alone, s for shared; a batch has two of them per member."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, "cores")
        self.session = 0
        self.at = 0.0

    def next_session(self) -> None:
        self.session += 1
        self.at = 0.0
        self.write("session", session=self.session, started="2026-01-31T13:00:00Z", command_line="assay resume", facts={})

    def batch(self, states: str, cpus: list[int], length: float, chain: float, value: float, reps: int) -> dict:
        """`states`: before and after for each member, such as "as" for one that changed, "aass" for two of which one did not."""
        before, after = states[::2], states[1::2]
        count = len(cpus)
        return {
            "reps": reps,
            "claims": [[value * reps]] + [[]] * (count - 1),
            "cpu_ns": [length] * count,
            "wall_ns": [length] * count,
            "cpus": cpus,
            "wide_ns": [wide(one == "a", chain) for one in before],
            "chain_ns": [chain] * count,
            "wide_after_ns": [wide(one == "a", chain) for one in after],
            "chain_after_ns": [chain] * count,
        }

    def core_visit(
        self,
        series: str,
        states: list[str],
        cpus: list[int] | None = None,
        apart: str = "",
        length: float = 25000.0,
        chain: float = CHAIN,
        value: float = 100.0,
        reps: int = 10,
        discarded: int = 0,
        point: dict | None = None,
        **members: object,
    ) -> None:
        """A visit of 10 ms every 100 ms."""
        cpus = cpus or [0]
        about = {"series": series, "point": point or POINT, "session": self.session, "incarnation": 0}
        read = {"apart_wide_ns": [wide(one == "a") for one in apart], "apart_chain_ns": [CHAIN] * len(apart)}
        batches = [self.batch(one, cpus, length, chain, value, reps) for one in states]
        self.write(
            "visit",
            **about,
            visit=self.visit,
            round=0,
            at_ns=self.at,
            took_ns=1e7,
            discarded=discarded,
            **(read if apart else {}),
            **members,
            batches=batches,
        )
        self.visit += 1
        self.at += 1e8

    def incarnation(self, series: str, cpus: list[int], point: dict | None = None) -> None:
        about = {"series": series, "point": point or POINT, "session": self.session, "incarnation": 0}
        self.write("incarnation", **about, process=1, cpus=cpus, warm_up_ns=0.0, warm_up_reps=0, stack_padding_bytes=0)

    def cores(self, levels: list[dict] | None = None, **members: object) -> None:
        usual = {"cycles_per_step": 3, "levels": levels if levels is not None else [level()], "alone": 0.25, "shared": 0.5}
        self.write("cores", **{"session": self.session, **usual, "distances_ns": [], "waited": 0.0, **members})
