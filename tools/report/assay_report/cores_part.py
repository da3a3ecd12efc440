# SPDX-License-Identifier: Apache-2.0
"""The report's section on the state of the cores: what the program said of them, a figure, and a table by CPU."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay_report.campaign import Campaign
from assay_report.core_states import Levels, SHARINGS
from assay_report.core_strips import CoreStrips
from assay_report.cores_chart import cores_chart
from assay_report.drawing import Figure
from assay_report.node_cpu import NodeCpu
from assay_report.numbers import fixed_text, percent_text, shortest_text
from assay_report.printable import printable

Record = dict[str, Any]
NOTICEABLE = 0.02  # of the time: less is no news
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


def remarks_of(record: Record) -> list[str]:
    """What the program says of a session's cores when it ends (run/point/core_watch.cpp)."""
    told = []
    if record["levels"] and all(level["because"] == "nothing" for level in record["levels"]):
        told.append("no core was proved to be alone: values are as found, with whatever else ran on the cores")
    alone, shared = float(record["alone"]), float(record["shared"])
    if alone + shared > 0 and alone < 1 - NOTICEABLE:
        text = f"the cores were shared with other work {100 * (1 - alone):.3g} % of the time; values are for a core alone unless stated otherwise"
        distances = [shortest_text(float(one)) for one in record["distances_ns"]]
        if len(distances) > 1:
            text += f"; {len(distances)} distances, {', '.join(distances)} ns"
        told.append(text)
    elif alone + shared > 0:
        told.append(f"the cores were alone {percent_text(alone)} % of the time")
    if float(record["waited"]) >= NOTICEABLE:
        told.append(f"{percent_text(float(record['waited']))} % of the session was spent in probes of the cores and in waiting after them")
    return told


def _words(campaign: Campaign, strips: CoreStrips) -> list[str]:
    several = len(strips.starts) > 1
    told = []
    for record in campaign.cores:
        remarks = remarks_of(record)
        if remarks and record["session"] in strips.starts:
            before = f"session {record['session']}: " if several else ""
            told += [_sentence(before + "; ".join(remarks))]
    silent = sorted(set(strips.starts) - {record["session"] for record in campaign.cores})
    if silent:
        names = ", ".join(map(str, silent))
        told.append(
            f"Session {names} was interrupted: the throughput of its cores alone is taken from its points and from other sessions."
        )
    return told


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _row(strips: CoreStrips, levels: Levels, cpu: NodeCpu) -> CoreRow:
    shares = strips.shares(cpu)
    level = levels.known.get(cpu)
    own = strips.chains(cpu, np.array([0.0, strips.end or 1.0]))[0]
    cycles = levels.cycles.get(cpu.node, 0)
    clock = additions = "-"
    if len(own) and cycles:
        low, middle, high = np.quantile(cycles / own, [0.1, 0.5, 0.9])
        clock = f"{fixed_text(middle, 2)} [{fixed_text(low, 2)} .. {fixed_text(high, 2)}]"
    if level is not None and cycles:
        additions = fixed_text(1 / (float(level["alone"]) * cycles), 2)
    return CoreRow(
        printable(cpu.text) if cpu.node else str(cpu.cpu),
        [percent_text(shares[SHARINGS[code]]) if shares[SHARINGS[code]] else "0" for code in (1, 2, 3, 0)],
        clock,
        additions,
        REASONS.get(level["because"] if level else "nothing", printable(str(level and level["because"]))),
    )


def cores_part(campaign: Campaign) -> CoresPart | None:
    """The section; None where no visit has readings of cores."""
    strips = CoreStrips(campaign)
    if not strips:
        return None
    distances = max((record["distances_ns"] for record in campaign.cores), key=len, default=[])
    figure, note = cores_chart(strips, [float(one) for one in distances])
    last = Levels([level for one in strips.levels.values() for level in one.known.values()], strips.cycles)
    return CoresPart(_words(campaign, strips), figure, note, [_row(strips, last, cpu) for cpu in strips.cpus])

