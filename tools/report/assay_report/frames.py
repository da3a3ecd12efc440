# SPDX-License-Identifier: Apache-2.0
"""Data frames of finished points and derived values, with the columns of the program's CSV in its long form."""

from typing import TYPE_CHECKING, Any

from assay_report.core_states import AS_FOUND
from assay_report.marks import another_day_of, interval_of, marks_of
from assay_report.numbers import shortest_text
from assay_report.wanted import frames

if TYPE_CHECKING:
    import pandas as pd

Record = dict[str, Any]
_SUMMARY = ["mean", "stddev", "standard_error", "min", "q10", "q25", "q75", "q90", "max", "contamination", "n"]
_POINT_COLUMNS = [
    "sessions",
    "reps",
    "cpus",
    "bound",
    "reference_ns",
    "reference_low_ns",
    "reference_high_ns",
    "clock_bound_ns",
    "rule",
    "verdict",
    "code",
    "reason",
    "marks",
    "simulated",
    "unfinished",
]
_FIXED = set(
    [
        "point",
        "series",
        "measurement",
        "quantity",
        "unit",
        "regime",
        "regime_share",
        "state",
        "state_share",
        "converted",
        "median",
        "low",
        "high",
        "level",
        "basis",
        "statistic",
        "estimate",
        "estimate_low",
        "estimate_high",
        "visits",
        "dropped",
        "effective",
        "autocorrelation",
        "drift",
        "modes",
        "incarnations",
        "disturbed_share",
        "within_spread",
        "between_spread",
        "term",
        "span_ns",
        "another_day_low",
        "another_day_high",
        "another_day_from",
    ]
    + _SUMMARY
    + _POINT_COLUMNS
)


def column_of(factor: str) -> str:
    """The column of a factor: its name, with `factor.` before it where a column has that name already."""
    return f"factor.{factor}" if factor in _FIXED else factor


def _result_cells(result: Record) -> Record:
    headline, estimate, steady = result["headline"], result["verdict"]["estimate"], result["steadiness"]
    low, high = interval_of(headline)
    estimate_low, estimate_high = interval_of(estimate)
    other_low, other_high = another_day_of(result)
    modes = ";".join(
        f"{shortest_text(float(mode['median']))}:{shortest_text(float(mode['weight']))}" for mode in steady["modes"]
    )
    return {
        "quantity": result["quantity"],
        "unit": result["unit"],
        "regime": result["regime"],
        "regime_share": float(result["regime_share"]),
        "state": result.get("state", AS_FOUND),
        "state_share": float(result.get("state_share", 1.0)),
        "converted": float(result.get("converted", 0.0)),
        "median": float(headline["value"]),
        "low": low,
        "high": high,
        "level": float(headline["level"]) or float("nan"),
        "basis": headline["basis"],
        "statistic": estimate["statistic"],
        "estimate": float(estimate["value"]),
        "estimate_low": estimate_low,
        "estimate_high": estimate_high,
        **{key: float(result["summary"][key]) for key in _SUMMARY if key != "n"},
        "n": result["summary"]["n"],
        "visits": result["visits"],
        "dropped": steady["dropped"],
        "effective": float(steady["effective"]),
        "autocorrelation": float(steady["autocorrelation"]),
        "drift": steady["drift"],
        "modes": modes,
        "incarnations": result["incarnations"],
        "disturbed_share": float(result["disturbed_share"]),
        "within_spread": float(result["within_spread"]),
        "between_spread": float(result["between_spread"]),
        "term": result["term"],
        "span_ns": float(result["span_ns"]),
        "another_day_low": other_low,
        "another_day_high": other_high,
        "another_day_from": result.get("another_day", {}).get("from", 0),
    }


def _bound(point: Record, cpus: list[str]) -> str:
    if not cpus:
        return ""
    if point.get("reference", {}).get("moved"):
        return "moved"
    return "no" if cpus[0] == "unbound" else "yes"


def _point_cells(series: Any, point: Record, taken: Any) -> Record:
    reference = point.get("reference", {})
    cpus = taken.cpus if taken else []
    return {
        "sessions": len(taken.sessions) if taken else 0,
        "reps": point["reps"],
        "cpus": ";".join(cpus),
        "bound": _bound(point, cpus),
        "reference_ns": float(reference.get("median_ns", "nan")),
        "reference_low_ns": float(reference.get("low_ns", "nan")),
        "reference_high_ns": float(reference.get("high_ns", "nan")),
        "clock_bound_ns": float(point.get("clock_bound_ns", "nan")),
        "rule": series.record["rule"],
        "code": point["code"],
        "simulated": point["simulated"],
        "unfinished": bool(point.get("unfinished", False)),
    }


def point_frame(series: list[Any], taken: dict[int, Any]) -> "pd.DataFrame":
    """A row per point, quantity and regime; a point without a number has one row with its verdict and reason."""
    rows: list[Record] = []
    factors: dict[str, None] = {}
    for one in series:
        for point in one.points:
            identity = {"point": point["number"], "series": one.name, "measurement": point["measurement"]}
            levels = {column_of(factor): level for factor, level in point["point"].items()}
            factors.update(dict.fromkeys(levels))
            about = _point_cells(one, point, taken.get(point["number"]))
            for result in point["results"]:
                verdict = {"verdict": result["verdict"]["outcome"], "reason": result["verdict"]["reason"]}
                rows.append(
                    {
                        **identity,
                        **levels,
                        **_result_cells(result),
                        **about,
                        **verdict,
                        "marks": marks_of(point, result),
                    }
                )
            if not point["results"]:
                rows.append(
                    {**identity, **levels, **about, "verdict": point["outcome"], "reason": point["reason"], "marks": ""}
                )
    _, pd = frames()
    frame = pd.DataFrame(rows)
    ordered = ["point", "series", "measurement", *factors]
    return frame[[*ordered, *(name for name in frame.columns if name not in ordered)]] if rows else frame


def derived_frame(series: list[Any]) -> "pd.DataFrame":
    """A row per derived value; those over several series have an empty series."""
    rows = []
    for one in series:
        for record in one.derived:
            low, high = interval_of(record)
            rows.append(
                {
                    "series": one.name,
                    **{column_of(factor): level for factor, level in record["group"].items()},
                    "name": record["name"],
                    "formula": record["formula"],
                    "quantity": record["quantity"],
                    "regime": record["regime"],
                    "unit": record["unit"],
                    "value": float(record["value"]),
                    "low": low,
                    "high": high,
                    "valid": record["valid"],
                    "reason": record["reason"],
                }
            )
    _, pd = frames()
    return pd.DataFrame(rows)
