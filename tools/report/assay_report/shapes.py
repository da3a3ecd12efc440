# SPDX-License-Identifier: Apache-2.0
"""What records must look like before anything is computed from them: members that are there, of their types."""

from typing import Any

Shape = Any  # a type, NUMBER, [shape of items], {name: shape}, where "name?" may be missing and EACH stands for any name


class _Number:
    """A number, or the word of one that is not finite."""


NUMBER = _Number
EACH = "*"
_INTERVAL = {"low": NUMBER, "high": NUMBER, "level": NUMBER}
_ESTIMATE = {"statistic": str, "value": NUMBER, "basis": str, **_INTERVAL}
_SUMMARY = dict.fromkeys(
    ("mean", "median", "min", "max", "q10", "q25", "q75", "q90", "stddev", "standard_error", "contamination"), NUMBER
)
_RESULT = {
    "quantity": str,
    "unit": str,
    "regime": str,
    "regime_share": NUMBER,
    "verdict": {"outcome": str, "reason": str, "estimate": _ESTIMATE},
    "headline": _ESTIMATE,
    "summary": {"n": int, **_SUMMARY},
    "visits": int,
    "incarnations": int,
    "disturbed_share": NUMBER,
    "noisy": bool,
    "within_spread": NUMBER,
    "between_spread": NUMBER,
    "term": str,
    "span_ns": NUMBER,
    "sessions": list,
    "steadiness": {
        "dropped": int,
        "effective": NUMBER,
        "autocorrelation": NUMBER,
        "drift": str,
        "modes": [{"median": NUMBER, "weight": NUMBER, **_INTERVAL}],
    },
    "processes": [{"session": int, "incarnation": int, "median": NUMBER, "n": int}],
    "stretches?": int,
    "state?": str,
    "state_share?": NUMBER,
    "converted?": NUMBER,
    "clock_ghz?": NUMBER,
    "clock_accuracy?": NUMBER,
    "no_clock?": str,
    "another_day?": {"from": int, **_INTERVAL},
}
_CORE_LEVEL = {"node?": str, "cpu": int, "alone": NUMBER, "chain_ns": NUMBER, "because": str, "readings": int, "readings_alone": int, "call?": NUMBER, "shortest_call?": NUMBER, "longest_call?": NUMBER}
_SHAPES: dict[str, Shape] = {
    "campaign": {"title": str, "configuration": str},
    "session": {"session": int, "started": str, "command_line": str, "facts": {EACH: str}},
    "series": {
        "series": str,
        "measurement": str,
        "rule": str,
        "quantities": [{"name": str, "unit": str, "combine": str, "claimant": int, "per": str, "summary": str}],
    },
    "point": {
        "series": str,
        "measurement": str,
        "point": dict,
        "outcome": str,
        "reason": str,
        "code": str,
        "reps": int,
        "simulated": bool,
        "results": [_RESULT],
        "others?": [_RESULT],
        "cores?": [_CORE_LEVEL],
        "unfinished?": bool,
        "clock_bound_ns?": NUMBER,
        "events_per_rep?": NUMBER,
        "settled?": int,
        "reference?": {"median_ns": NUMBER, "low_ns": NUMBER, "high_ns": NUMBER, "moved": bool},
    },
    "derived": {
        "series": str,
        "name": str,
        "formula": str,
        "group": dict,
        "quantity": str,
        "regime": str,
        "unit": str,
        "value": NUMBER,
        "valid": bool,
        "reason": str,
        **_INTERVAL,
    },
    "cores": {
        "session": int,
        "cycles_per_step": int,
        "levels": [_CORE_LEVEL],
        "alone": NUMBER,
        "shared": NUMBER,
        "distances_ns": [NUMBER],
        "waited": NUMBER,
        "nodes?": [{"node": str, "cycles_per_step": int, "one_thread?": bool}],
    },
    "node": {"node": str, "facts": dict},
    "note": {"text": str},
    "end": {"reason": str},
}


def check_shape(record: dict[str, Any]) -> None:
    """Raises ValueError, which names the member, for a record that is not of its type's shape."""
    shape = _SHAPES.get(record["type"])
    if shape is not None:
        _check(record, shape, "")


def _check(value: Any, shape: Shape, where: str) -> None:
    if isinstance(shape, dict):
        _check_members(value, shape, where)
    elif isinstance(shape, list):
        _require(isinstance(value, list), where, "list")
        for at, item in enumerate(value):
            _check(item, shape[0], f"{where}[{at}]")
    elif shape is NUMBER:
        _require(not isinstance(value, bool) and isinstance(value, int | float | str), where, "number")
        float(value)
    else:
        is_one = isinstance(value, shape) and (shape is bool or not isinstance(value, bool))
        _require(is_one, where, shape.__name__)


def _check_members(value: Any, shape: dict[str, Shape], where: str) -> None:
    _require(isinstance(value, dict), where, "object")
    if EACH in shape:
        for name, member in value.items():
            _check(member, shape[EACH], f"{where}.{name}")
        return
    for name, wanted in shape.items():
        plain = name.removesuffix("?")
        if plain in value:
            _check(value[plain], wanted, f"{where}.{plain}")
        else:
            _require(plain != name, f"{where}.{plain}", "there")


def _require(is_so: bool, where: str, what: str) -> None:
    if not is_so:
        raise ValueError(f"member '{where.removeprefix('.')}' is not {what}" if what == "there" else f"member '{where.removeprefix('.')}' is no {what}")
