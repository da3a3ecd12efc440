# SPDX-License-Identifier: Apache-2.0
"""Pages as text: made by the command, and taken apart."""

import json
import re
from html import unescape
from pathlib import Path

from assay_report.report_command import main


def rendered(*directories: Path, output: Path, program: str | Path | None = None) -> str:
    """The page of campaigns."""
    arguments = [*map(str, directories), "--output", str(output)]
    assert main(arguments + (["--assay", str(program)] if program else [])) == 0
    return output.read_text()


def section(text: str, anchor: str) -> str:
    """A section of a page."""
    return re.search(rf'<section id="{anchor}"[^>]*>.*?</section>', text, re.DOTALL).group(0)


def figures_of(text: str) -> dict[str, dict]:
    """The figures in a part of a page by their titles, in order."""
    found = re.findall(r'<figcaption>(.*?)</figcaption>.*?<script type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL)
    return {unescape(title): json.loads(figure) for title, figure in found}
