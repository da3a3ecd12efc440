# SPDX-License-Identifier: Apache-2.0
"""What stands out: sentences computed from the results, the gravest first; a reader who stops after them has not been misled."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from assay_report.campaign import Campaign, Series
from assay_report.levels import subject_of
from assay_report.marks import CODES, interval_of, marks_of, unsteady_text, verdict_text
from assay_report.numbers import percent_text, relative_half_width, value_text
from assay_report.printable import printable
from assay_report.tables import shown_results, varying_factors

Record = dict[str, Any]
MOST = 6


@dataclass
class Finding:
    """A sentence, and examples of it, the strongest first."""

    text: str
    examples: list[str]
    more: int = 0


@dataclass
class _Seen:
    """A shown result with the words for it."""

    name: str
    point: Record
    result: Record
    width: float


def _all_results(campaign: Campaign) -> list[_Seen]:
    seen = []
    for series in campaign.series:
        factors = varying_factors(series) if series.points else []
        for point in series.points:
            for result in shown_results(point):
                low, high = interval_of(result["headline"])
                width = relative_half_width(float(result["headline"]["value"]), low, high)
                seen.append(_Seen(_name(series, point, result, factors), point, result, width))
    return seen


def _name(series: Series, point: Record, result: Record, factors: list[str]) -> str:
    where = subject_of(point["point"], factors)
    return f"{printable(series.name)}{' ' + where if where else ''}, {printable(result['quantity'])}"


def _value(seen: _Seen) -> str:
    low, high = interval_of(seen.result["headline"])
    return value_text(float(seen.result["headline"]["value"]), low, high, seen.result["unit"])


def _finding(text: str, examples: list[str]) -> list[Finding]:
    return [Finding(text, examples[:MOST], max(0, len(examples) - MOST))] if examples else []


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def _unconverged(results: list[_Seen]) -> list[Finding]:
    bad = sorted(
        (one for one in results if "!" in marks_of(one.point, one.result)),
        key=lambda one: -one.width if one.width < 1e9 else 0,
    )
    examples = [f"{one.name}: {_value(one)}, {verdict_text(one.result)}" for one in bad]
    return _finding(
        f"{_plural(len(bad), 'value')} of {len(results)} did not converge; the widest intervals first", examples
    )


def _without_number(campaign: Campaign) -> list[Finding]:
    reasons = Counter()
    for series in campaign.series:
        for point in series.points:
            if not point["results"]:
                reasons[(point["outcome"], point["code"], point["reason"])] += 1
    total = sum(reasons.values())
    examples = [
        f"{count}: {outcome}{' ' + printable(code) if code else ''}: {printable(reason) or CODES.get(code, '')}"
        for (outcome, code, reason), count in reasons.most_common()
    ]
    return _finding(
        f"{_plural(total, 'point')} {'has' if total == 1 else 'have'} no number, and no number stands for them",
        examples,
    )


def _unsteady(results: list[_Seen]) -> list[Finding]:
    bad = [one for one in results if unsteady_text(one.result)]
    bad.sort(key=lambda one: -len(one.result["steadiness"]["modes"]))
    return _finding(
        f"{_plural(len(bad), 'sample')} of more than one thing: modes or drift",
        [f"{one.name}: {unsteady_text(one.result)}" for one in bad],
    )


def _disturbed(results: list[_Seen]) -> list[Finding]:
    bad = sorted((one for one in results if one.result["noisy"]), key=lambda one: -float(one.result["disturbed_share"]))
    examples = [
        f"{one.name}: {percent_text(float(one.result['disturbed_share']))} % of its batches were disturbed and left out"
        for one in bad
    ]
    return _finding(f"{_plural(len(bad), 'value')} from noisy batches", examples)


def _between(results: list[_Seen]) -> list[Finding]:
    def excess(one: _Seen) -> float:
        return float(one.result["between_spread"]) - float(one.result["within_spread"])

    bad = sorted(
        (one for one in results if float(one.result["between_spread"]) > 0.02 and excess(one) > 0),
        key=lambda one: -excess(one),
    )
    examples = [
        f"{one.name}: {percent_text(float(one.result['between_spread']))} % between, {percent_text(float(one.result['within_spread']))} % within"
        for one in bad
    ]
    return _finding(
        f"Fresh processes differ more than the batches of one for {_plural(len(bad), 'value')}: a single run would mislead",
        examples,
    )


def _moved(results: list[_Seen]) -> list[Finding]:
    names = list(dict.fromkeys(one.name for one in results if one.point.get("reference", {}).get("moved")))
    return _finding(
        f"The CPUs of {_plural(len(names), 'value')} moved while they were measured: their placements are not to be relied on",
        names,
    )


def _split(campaign: Campaign) -> list[Finding]:
    found = []
    for record in (record for series in campaign.series for record in series.derived):
        if record.get("symmetry", {}).get("verdict") == "split":
            found.append(f"{printable(record['series'])} {subject_of(record['group'], list(record['group']))}")
    return _finding("Placements that the machine's symmetry makes equal are not", found)


def _short_term(results: list[_Seen]) -> list[Finding]:
    count = sum("~" in marks_of(one.point, one.result) for one in results)
    if not count:
        return []
    return [
        Finding(
            f"{_plural(count, 'value')} of {len(results)} {'is' if count == 1 else 'are'} short-term: a later run may differ by more than the interval",
            [],
        )
    ]


def findings_of(campaign: Campaign) -> list[Finding]:
    """The sentences for a campaign; one that says that nothing stands out where nothing does."""
    results = _all_results(campaign)
    found = (
        _unconverged(results) + _without_number(campaign) + _unsteady(results) + _disturbed(results) + _moved(results)
    )
    found += _between(results) + _split(campaign) + _short_term(results)
    return found or [Finding("Nothing: every value converged and was of one steady thing.", [])]


def warnings_of(campaign: Campaign) -> list[str]:
    """What the reader must know of machine and session: problems that checks found, and an end that was not the planned one."""
    facts = campaign.facts()
    told = [
        f"{key.removeprefix('check.')}: {value}"
        for key, value in facts.items()
        if key.startswith("check.") and value.startswith("problem")
    ]
    if campaign.ended and campaign.ended != "complete":
        told.insert(0, f"incomplete: the last session ended {campaign.ended}")
    if any(point["simulated"] for series in campaign.series for point in series.points):
        told.insert(0, "some times were computed, not measured: measurements on simulated time")
    return told
