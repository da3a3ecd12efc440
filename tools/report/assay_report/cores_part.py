# SPDX-License-Identifier: Apache-2.0
"""The report's section on the state of the cores: what the program said of them, a figure, and a table by CPU."""

from dataclasses import dataclass
from typing import Any

from assay_report.campaign import Campaign
from assay_report.core_states import SHARINGS, States
from assay_report.core_strips import CoreStrips
from assay_report.cores_chart import cores_chart
from assay_report.drawing import Figure
from assay_report.node_cpu import NodeCpu
from assay_report.numbers import fixed_text, percent_text
from assay_report.plain_math import quantile_of
from assay_report.printable import printable

Record = dict[str, Any]
REASONS = {
    "nothing": "nothing: it may have been shared all the time",
    "two-levels": "it was seen to yield much less as well",
    "throughput": "it yields more than a part of any known core can",
    "earlier": "an earlier session found the same",
    "one-thread": "cores of this machine have one hardware thread",
}


@dataclass
class CoreRow:
    """A CPU as texts."""

    cpu: str
    shares: list[str]  # alone, shared, mixed, not known; per cent of the time in batches
    clock: str
    additions: str
    because: str


@dataclass
class CoresPart:
    """The section."""

    words: list[str]
    figure: Figure
    note: str
    rows: list[CoreRow]


def _words(campaign: Campaign, strips: CoreStrips) -> list[str]:
    several = len(strips.starts) > 1
    told = []
    for session, remarks in strips.states.remarks:
        if remarks and session in strips.starts:
            before = f"session {session}: " if several else ""
            told += [_sentence(before + printable("; ".join(remarks)))]
    silent = sorted(set(strips.starts) - {record["session"] for record in campaign.cores})
    if silent:
        names = ", ".join(map(str, silent))
        told.append(
            f"Session {names} was interrupted: the throughput of its cores alone is taken from its points and from other sessions."
        )
    return told


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _row(strips: CoreStrips, cpu: NodeCpu) -> CoreRow:
    shares = strips.shares(cpu)
    level = strips.states.known.get(cpu)
    own = strips.chains(cpu, [0.0, strips.end or 1.0])[0]
    cycles = strips.cycles.get(cpu.node, 0)
    clock = additions = "-"
    if own and cycles:
        clocks = sorted(cycles / step for step in own)
        low, middle, high = (quantile_of(clocks, share) for share in (0.1, 0.5, 0.9))
        clock = f"{fixed_text(middle, 2)} [{fixed_text(low, 2)} .. {fixed_text(high, 2)}]"
    if level is not None and level["additions_per_cycle"] is not None:
        additions = fixed_text(float(level["additions_per_cycle"]), 2)
    return CoreRow(
        printable(cpu.text) if cpu.node else str(cpu.cpu),
        [percent_text(shares[SHARINGS[code]]) if shares[SHARINGS[code]] else "0" for code in (1, 2, 3, 0)],
        clock,
        additions,
        REASONS.get(level["because"] if level else "nothing", printable(str(level and level["because"]))),
    )


def cores_part(campaign: Campaign, states: States | None) -> CoresPart | None:
    """The section; None where no visit has readings of cores."""
    strips = CoreStrips(campaign, states) if states is not None else None
    if not strips:
        return None
    distances = max((record["distances_ns"] for record in campaign.cores), key=len, default=[])
    figure, note = cores_chart(strips, [float(one) for one in distances])
    return CoresPart(_words(campaign, strips), figure, note, [_row(strips, cpu) for cpu in strips.cpus])
