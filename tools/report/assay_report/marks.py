# SPDX-License-Identifier: Apache-2.0
"""Marks of results that are not to be taken at their word, and the words of verdicts, as the program's tables have them."""

from typing import Any

from assay_report.numbers import percent_text, scale_of, shown
from assay_report.printable import printable

Record = dict[str, Any]

MEANINGS = {
    "!": "not converged: the interval is the one reached, the verdict says why measuring ended",
    "~": "short-term: the visits span less than min-span, a later run may differ by more than the interval",
    "#": "noisy: more than the share `noisy` of the batches (5 % unless set) were disturbed and left out",
    "?": "no interval could be formed",
    "^": "the CPUs moved during this point (virtual machine): its placement is unreliable",
}
CODES = {
    "N1": "members that poll make no progress on one CPU: the value would be a time slice",
    "N2": "messages merge or cannot queue: there is no rate of them; g[issue] is the cost of one more send",
    "N3": "the send contains the receiver's run, because waking it preempts the sender",
    "N4": "a delay between messages keeps the receiver from its CPU",
    "N5": "send and receive overlap: there is no latency between them",
    "N6": "issuing and draining are two costs only where a send is a store: here o_s[idle] is the only cost",
    "N7": "the receiver was not proved to sleep",
    "N8": "needs a real-time policy",
    "N9": "there is no separate receive",
    "N10": "not supported by the system, or by the channel",
    "N11": "the placement is not available here",
}
LEAST_SHARE = 0.25  # regimes with fewer of the batches are left out of tables and charts


def interval_of(estimate: Record) -> tuple[float, float]:
    """Ends of an estimate's interval, NaN where there is none (its level is 0 then)."""
    if not float(estimate["level"]) > 0:
        return (float("nan"), float("nan"))
    return (float(estimate["low"]), float(estimate["high"]))


def another_day_of(result: Record) -> tuple[float, float]:
    """Ends of a result's interval for another day, NaN where there is none."""
    return interval_of(result.get("another_day", {"level": 0}))


def marks_of(point: Record, result: Record) -> str:
    """The marks of a result, in their order."""
    told = {
        "!": result["verdict"]["outcome"] != "converged",
        "~": result["term"] == "short-term",
        "#": bool(result["noisy"]),
        "?": interval_of(result["headline"])[0] != interval_of(result["headline"])[0],
        "^": bool(point.get("reference", {}).get("moved", False)),
    }
    return "".join(mark for mark, is_set in told.items() if is_set)


_WORDS = {"~": "short-term", "#": "noisy", "?": "no interval", "^": "CPUs moved"}


def doubt_text(outcome: str, marks: str) -> str:
    """Verdict and marks in words: "max-time, noisy"."""
    return ", ".join([outcome] * ("!" in marks) + [_WORDS[mark] for mark in marks if mark in _WORDS])


def is_marked(marks: str) -> bool:
    """Whether a result may stand in lines, ratios and means: a short term alone does not forbid it."""
    return any(mark in marks for mark in "!#?^")


def _is_of_other_state(result: Record) -> bool:
    return result["verdict"]["reason"].startswith("other state")


def verdict_text(result: Record) -> str:
    """The outcome of a result in a word or two."""
    outcome = result["verdict"]["outcome"]
    text = ("other state" if _is_of_other_state(result) else "minor regime") if outcome == "open" else outcome
    sessions = len(result["sessions"])
    if sessions > 1:
        text += f", {'long-term over' if result['term'] == 'long-term' else 'over'} {sessions} sessions"
    if result.get("stretches", 1) > 1:
        text += f", in {result['stretches']} parts"
    return text


def point_verdict_text(point: Record) -> str:
    """The outcome of a point without a number, with code and reason."""
    text = point["outcome"]
    if point["code"]:
        text += " " + printable(point["code"])
    return text + (": " + printable(point["reason"]) if point["reason"] else "")


def regime_text(result: Record) -> str:
    """The regime, with its share of the clean batches where there are several."""
    share = float(result["regime_share"])
    return result["regime"] + (f" {percent_text(share)} %" if share < 1 else "")


def unsteady_text(result: Record) -> str:
    """Drift and modes of a result's sample; empty where it was of one steady thing."""
    scale = scale_of(float(result["headline"]["value"]), result["unit"])
    causes = [printable(result["steadiness"]["drift"])] if result["steadiness"]["drift"] else []
    for mode in result["steadiness"]["modes"]:
        value = shown(float(mode["median"]), *interval_of(mode), scale).value
        causes.append(f"{percent_text(float(mode['weight']))} % at {value} {scale.name}")
    return ", ".join(causes[:3]) + (f", and {len(causes) - 3} more" if len(causes) > 3 else "")
