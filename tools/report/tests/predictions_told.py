# SPDX-License-Identifier: Apache-2.0
"""A program that says of every campaign what a test wants it to predict."""

import json
from pathlib import Path

FACTORS = ("channel", "vehicle", "placement", "members", "threads", "size", "start")


def row(formula: str, of: str, predicted: float, measured: float | None = None, verdict: str = "agrees", width: float = 0.02, **more: object) -> dict:
    """A prediction with an interval of +-2 %, as `assay predict` lists it; what is measured is known to +-1 %."""
    quantity = more.pop("quantity", "time")
    levels = {"vehicle": "thread", "placement": "same-l3", "members": 2}
    made = {"formula": formula, "measurement": of, "quantity": quantity, **dict.fromkeys(FACTORS), **levels, "marks": "", "inputs": "F=97"}
    made |= {"predicted": predicted, "predicted_low": predicted * (1 - width), "predicted_high": predicted * (1 + width)}
    held = ("measured_in", "measured", "measured_low", "measured_high", "measured_marks", "ratio", "ratio_low", "ratio_high", "inside", "verdict", "reason")
    made |= dict.fromkeys(held)
    if measured is not None:
        ratio = predicted / measured
        made |= {"measured_in": "c", "measured": measured, "measured_low": measured * 0.99, "measured_high": measured * 1.01, "measured_marks": ""}
        made |= {"ratio": ratio, "ratio_low": ratio * 0.97, "ratio_high": ratio * 1.03, "inside": False, "verdict": verdict}
        made["reason"] = f"by a factor of {ratio:.3g}" if verdict == "model misses" else "the measured value is noisy" if verdict == "cannot say" else ""
    return {**made, **more}


def telling(directory: Path, rows: list[dict] | None = None, answer: str = "", code: int = 0, error: str = "") -> Path:
    """The program: it answers `predict`, and refuses all else; `asked` beside it has a line for each time that it was asked."""
    listing = {"format": "assay-listing", "version": 1, "kind": "predictions", "unit": "ns", "seed": "1", "draws": 4000, "rows": rows or []}
    (directory / "answer").write_text(answer or json.dumps(listing))
    (directory / "error").write_text(error)
    script = directory / "assay"
    script.write_text(
        f'#!/bin/sh\n[ "$1" = predict ] || exit 2\necho "$@" >> {directory}/asked\n'
        f"cat {directory}/error >&2\n[ {code} != 0 ] || cat {directory}/answer\nexit {code}\n"
    )
    script.chmod(0o755)
    return script
