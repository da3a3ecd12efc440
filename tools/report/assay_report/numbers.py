# SPDX-License-Identifier: Apache-2.0
"""Numbers as the program prints them: multiples of units, decimals that the interval supports, shares, levels.

The same rules as `framework/text/scale.cpp` and `shown_value.cpp`; a test holds them against the program's own output.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

_KIBI = 1024.0
_STEPS: dict[str, list[tuple[float, str]]] = {
    "ns": [(1, "ns"), (1e3, "us"), (1e6, "ms"), (1e9, "s")],
    "B": [(_KIBI**power, name) for power, name in enumerate(["B", "KiB", "MiB", "GiB", "TiB"])],
    "B/s": [(_KIBI**power, name) for power, name in enumerate(["B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s"])],
    "1/s": [(1, "1/s"), (1e3, "k/s"), (1e6, "M/s"), (1e9, "G/s")],
    "1": [(1, "1"), (1e3, "k"), (1e6, "M"), (1e9, "G")],
    "ratio": [(1, "ratio")],
}


@dataclass(frozen=True)
class Scale:
    """A multiple of a unit: values are divided by `size` and `name` is put behind them."""

    size: float
    name: str


@dataclass(frozen=True)
class Shown:
    """A value with its interval in one scale and with the same digits; "-" where there is no interval."""

    value: str
    low: str
    high: str


def is_unit(unit: str) -> bool:
    """Whether a unit is one of the program's own, which are scaled; others stay as they are."""
    return unit in _STEPS


def scale_of(value: float, unit: str) -> Scale:
    """The largest multiple of a unit in which a value is not below one."""
    steps = _STEPS.get(unit, [(1.0, unit)])
    best = steps[0]
    for step in steps:
        if math.isfinite(value) and abs(value) >= step[0]:
            best = step
    return Scale(*best)


def common_scale(values: Iterable[float], unit: str) -> Scale | None:
    """One scale in which all values can be read; None where they are too far apart."""
    sizes = [abs(value) for value in values if math.isfinite(value) and value != 0]
    if not sizes:
        return scale_of(0, unit)
    least, most = min(sizes), max(sizes)
    small = scale_of(least, unit)
    if most / small.size < 1e4:
        return small
    large = scale_of(most, unit)
    return large if least / large.size >= 0.01 else None


def _exponent_of(value: float) -> int:
    return math.floor(math.log10(abs(value)))


def _clamp(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))


def _exact_decimals(value: float) -> int:
    text = f"{value:.{_clamp(5 - _exponent_of(value), 0, 15)}f}"
    return len(text.rstrip("0")) - text.index(".") - 1 if "." in text else 0


def decimals_for(value: float, half_width: float) -> int:
    """Decimals for a value that is known to within a half-width; negative ones are places before the point."""
    if not math.isfinite(value):
        return 0
    if value == 0:
        known = half_width > 0 and math.isfinite(half_width)
        return _clamp(1 - _exponent_of(half_width), 0, 15) if known else 0
    first = -_exponent_of(value)
    if half_width == 0:
        return _exact_decimals(value)
    if not math.isfinite(half_width):
        return _clamp(first + 2, -15, 15)
    return _clamp(_clamp(1 - _exponent_of(half_width), first, first + 5), -15, 15)


def shortest_text(number: float) -> str:
    """The shortest decimal that reads back exactly; fixed notation where it is no longer."""
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    if number == 0:
        return "-0" if math.copysign(1, number) < 0 else "0"
    mantissa, _, exponent = f"{number!r}".partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    tens = int(exponent or 0) - len(fraction)
    stripped = digits.rstrip("0")
    tens += len(digits) - len(stripped)
    return sign + _shorter(stripped, tens, number)


def _shorter(digits: str, tens: int, number: float) -> str:
    """Fixed or scientific notation of digits times a power of ten, whichever is shorter."""
    first = tens + len(digits) - 1
    scientific = (
        digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + f"e{'-' if first < 0 else '+'}{abs(first):02d}"
    )
    if tens >= 0:
        fixed = f"{abs(int(number))}"
    elif first >= 0:
        fixed = digits[: first + 1] + "." + digits[first + 1 :]
    else:
        fixed = "0." + "0" * (-first - 1) + digits
    return fixed if len(fixed) <= len(scientific) else scientific


def fixed_text(value: float, decimals: int) -> str:
    """A value with a number of decimals, or rounded to a place before the point."""
    if not math.isfinite(value):
        return shortest_text(value)
    if decimals < 0:
        tens = math.pow(10.0, -decimals)
        value = _round_half_away(value / tens) * tens
    return f"{value:.{_clamp(decimals, 0, 15)}f}"


def _round_half_away(value: float) -> float:
    if abs(value) >= 2.0**52:
        return value
    whole = math.floor(abs(value))
    return math.copysign(whole + (1 if abs(value) - whole >= 0.5 else 0), value)


def half_width(value: float, low: float, high: float) -> float:
    """The larger distance from a value to an end of its interval; infinity where there is none (ends that are NaN)."""
    if math.isnan(low) or math.isnan(high):
        return math.inf
    return max(high - value, value - low)


def shown(value: float, low: float, high: float, scale: Scale) -> Shown:
    """A value and its interval (NaN: none) in a scale, with the digits that the interval supports."""
    decimals = decimals_for(value / scale.size, half_width(value, low, high) / scale.size)
    text = fixed_text(value / scale.size, decimals)
    if math.isnan(low) or math.isnan(high):
        return Shown(text, "-", "-")
    return Shown(text, fixed_text(low / scale.size, decimals), fixed_text(high / scale.size, decimals))


def value_text(value: float, low: float, high: float, unit: str) -> str:
    """A value with its interval and unit in one line: "5.43 [5.40 .. 5.46] us"."""
    scale = scale_of(value, unit)
    text = shown(value, low, high, scale)
    interval = "[no interval]" if text.low == "-" else f"[{text.low} .. {text.high}]"
    return f"{text.value} {interval} {'' if scale.name == '1' else scale.name}".rstrip()


def percent_text(share: float) -> str:
    """A share in per cent without the sign: "0.64", "3.1", "12"; "-" where it is not finite."""
    percent = share * 100
    if not math.isfinite(percent):
        return "-"
    if percent >= 10:
        return fixed_text(percent, 0)
    return fixed_text(percent, 1 if percent >= 1 else 2)


def relative_half_width(value: float, low: float, high: float) -> float:
    """The half-width over the value; infinity where there is no interval or the value is 0."""
    if not abs(value) > 0:
        return math.inf
    return half_width(value, low, high) / abs(value)
