# SPDX-License-Identifier: Apache-2.0
"""What a plain installation takes: the wheel, and the packages that it requires, without those of notebooks, figures and tests."""

import importlib.metadata
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import REPOSITORY

pytest.importorskip("setuptools", reason="setuptools is not installed")
pytest.importorskip("wheel", reason="wheel is not installed")
MOST_BYTES = 60e6 - 30e6  # of an environment, less its own pip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made without network, by what is installed."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("assay_report", "pyproject.toml", "setup.py"):
        source = REPOSITORY / "tools/report" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    options = ["--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--quiet", "--wheel-dir", folder / "made"]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, folder], check=True, capture_output=True)
    (made,) = (folder / "made").glob("*.whl")
    return made


def required(name: str) -> list[str]:
    """What a package requires, extras left out."""
    return [re.split(r"[^A-Za-z0-9._-]", one)[0] for one in importlib.metadata.requires(name) or [] if ";" not in one]


def test_the_wheel_with_all_it_requires_is_small(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        size = sum(one.file_size for one in archive.infolist())
        about = archive.read(next(one for one in archive.namelist() if one.endswith("/METADATA"))).decode()
    wanted = [one.split(": ")[1] for one in about.splitlines() if one.startswith("Requires-Dist") and "extra" not in one]
    names = [re.split(r"[^A-Za-z0-9._-]", one)[0] for one in wanted]
    for name in names:
        names += [one for one in required(name) if one not in names]
        size += sum(file.locate().stat().st_size for file in importlib.metadata.files(name) or [] if file.locate().is_file())
    assert 4 <= len(names) <= 6 and size < MOST_BYTES, (names, size)


def test_the_wheel_makes_a_page_without_plotly(wheel: Path, tmp_path: Path) -> None:
    from journals import JournalWriter, result

    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    writer.point("s", {"size": 1}, [result(100.0, 99.0, 101.0)])
    campaign = writer.end()
    shutil.unpack_archive(wheel, tmp_path / "site", "zip")
    script = (
        f"import sys\nsys.path.insert(0, {str(tmp_path / 'site')!r})\n"
        "for name in ('plotly', 'numpy', 'pandas'): sys.modules[name] = None\n"
        "from assay_report import report_command\n"
        f"assert report_command.__file__.startswith({str(tmp_path / 'site')!r})\n"
        f"sys.exit(report_command.main([{str(campaign)!r}]))\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, cwd=tmp_path)
    assert "Plotly" in (campaign / "report.html").read_text()


def test_without_the_script_the_page_says_what_installs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from assay_report import plotly_script
    from assay_report.report_command import main

    monkeypatch.setitem(sys.modules, "plotly", None)
    monkeypatch.setattr(plotly_script, "BUNDLED", "nothing")
    assert main([str(tmp_path)]) == 3


def test_data_frames_say_what_installs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    from assay_report.wanted import NotInstalled, frames

    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(NotInstalled, match=r"assay-report\[frames\]"):
        frames()
