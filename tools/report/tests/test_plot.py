# SPDX-License-Identifier: Apache-2.0
"""Figures for papers: every format, hollow marked points, names as text, helpful refusals."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from journals import JournalWriter, result

from assay_report.plot_command import main

pytest.importorskip("matplotlib", reason="matplotlib is not installed")

HOSTILE = "<script>$\\frac{x$ & \x1b[31m"


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    writer = JournalWriter(tmp_path / "c")
    writer.series("curve")
    for name in ("plain", HOSTILE):
        for size in (64, 1024, 65536):
            bad = {"noisy": True} if size > 9999 else {}
            writer.point("curve", {"bytes": size, "name": name}, [result(size * 2.0, size * 1.9, size * 2.2, **bad)])
    return writer.end()


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
@pytest.mark.parametrize("factor", ["bytes", "name"])
def test_every_format_is_written(campaign: Path, tmp_path: Path, ending: str, start: bytes, factor: str) -> None:
    file = tmp_path / f"f.{ending}"
    assert main([str(campaign), "--x", factor, "--output", str(file)]) == 0
    assert file.read_bytes().startswith(start)


def test_marked_points_and_names_are_text(campaign: Path, tmp_path: Path) -> None:
    assert main([str(campaign), "--output", str(tmp_path / "f.svg")]) == 0
    texts = [element.text for element in ElementTree.parse(tmp_path / "f.svg").iter() if element.tag.endswith("}text")]
    assert sum("not relied on: noisy" in text for text in texts) == 2
    assert any("<script>$" in text and "\\x1b" in text for text in texts) and "64Ki" in texts


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--series", "nothing"], 2, "there are: curve"),
        (["--x", "nothing"], 2, "there are: bytes, name"),
        (["--quantity", "nothing"], 2, "there are: time"),
        (["--output", "f.gif"], 2, ".svg, .png or .pdf"),
        (["--output", "/nowhere/f.svg"], 4, "cannot be written: [Errno 2] No such file or directory: '/nowhere/f.svg'"),
    ],
)
def test_refusals_say_what_there_is(
    campaign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, told: str
) -> None:
    assert main([str(campaign), "--output", str(tmp_path / "f.svg"), *arguments]) == code
    assert told in capsys.readouterr().err


def test_a_figure_that_fails_leaves_the_old_one(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "f.svg").write_text("before")
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", full)
    assert main([str(campaign), "--output", str(tmp_path / "f.svg")]) == 4
    assert "No space left" in capsys.readouterr().err and (tmp_path / "f.svg").read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c", "f.svg"]
