# SPDX-License-Identifier: Apache-2.0
"""What the program itself says of campaigns: its layouts, its verdicts on what changed and on predictions, states of cores. They are never computed twice."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from assay_report.core_states import States
from assay_report.journal import ResultError

if TYPE_CHECKING:
    from assay_report.campaign import Campaign

_SOUND = {0, 6}  # 6: something became slower
_NOTHING = "nothing can be predicted"  # which is no fault of the results
_LAYOUT = re.compile(r"^layout = ([\w-]+)$", re.MULTILINE)


@dataclass
class Program:
    """The program by its path."""

    path: str | None

    @staticmethod
    def found(path: str | None) -> "Program":
        """The program that was named, or the one on the path; it may be missing."""
        return Program(path or shutil.which("assay"))

    def _ran(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The program, run to its end; raises ResultError where it cannot be."""
        if self.path is None:
            raise ResultError("this needs the program assay, which is not on the path; name it with --assay PATH")
        try:
            return subprocess.run(
                [self.path, *arguments], capture_output=True, text=True, errors="replace", check=False
            )
        except OSError as error:
            raise ResultError(
                f"{self.path} cannot be run: {error.strerror}; name the program with --assay PATH"
            ) from error

    def output(self, *arguments: str) -> str:
        """What a command prints; raises ResultError with its own words where it refuses."""
        return self._sound(self._ran(*arguments), arguments)

    @staticmethod
    def _sound(done: subprocess.CompletedProcess[str], arguments: tuple[str, ...]) -> str:
        if done.returncode not in _SOUND:
            raise ResultError(
                f"'assay {' '.join(arguments[:1])}' refused: {done.stderr.strip() or done.stdout.strip()}"
            )
        return done.stdout

    def comparison(self, *directories: Path) -> dict[str, Any]:
        """The program's verdicts on two campaigns, or on the variants of one."""
        return orjson.loads(self.output("compare", *map(str, directories), "--format", "json"))

    def predictions(self, directory: Path) -> str | None:
        """What the program predicts of a campaign, as a listing in JSON; None where it finds nothing to predict from."""
        arguments = ("predict", str(directory), "--format", "json")
        done = self._ran(*arguments)
        is_nothing = done.returncode not in _SOUND and _NOTHING in done.stderr
        return None if is_nothing else self._sound(done, arguments)

    def states(self, directory: Path) -> States:
        """In which states of the cores batches were."""
        return States.read(self.output("export", str(directory), "--format", "states"))


def layout_of(campaign: "Campaign") -> str:
    """The layout that a campaign asked for; `logp` where only its measurements speak for it."""
    found = _LAYOUT.search(campaign.configuration)
    if found and found.group(1) != "plain":
        return found.group(1)
    parts = {series.measurement for series in campaign.series}
    return "logp" if any(name.startswith("logp/") for name in parts) else ""


def has_variants(campaign: "Campaign") -> bool:
    """Whether a campaign measured several variants."""
    return (
        len(
            {
                str(point["point"]["variant"])
                for series in campaign.series
                for point in series.points
                if "variant" in point["point"]
            }
        )
        > 1
    )
