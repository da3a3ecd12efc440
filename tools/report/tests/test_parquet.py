# SPDX-License-Identifier: Apache-2.0
"""Parquet files hold what `load` returns, value by value; whatever goes wrong leaves nothing behind."""

import os
import subprocess
from pathlib import Path

import orjson
import pandas as pd
import pytest
from journals import JournalWriter, result

from assay_report import load
from assay_report.parquet_command import main
from assay_report.parsers import TABLES

parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

HOSTILE = "=1+1,\"<script>\n\x1b[31m\u202e"


def assert_same(read: pd.DataFrame, loaded: pd.DataFrame) -> None:
    assert list(read.columns) == list(loaded.columns) and len(read) == len(loaded) > 0
    for name in loaded.columns:
        values = list(zip(read[name], loaded[name], strict=True))
        assert all(a == b or (pd.isna(a) and pd.isna(b)) for a, b in values), name


@pytest.mark.parametrize("table", TABLES)
def test_tables_are_those_of_load(program: str, selftest: Path, tmp_path: Path, table: str) -> None:
    file = tmp_path / "results.parquet"
    command = [program, "export", selftest, "--format", "parquet", "--table", table, "--output", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 3:
        pytest.skip(f"assay-parquet is not installed: {done.stderr}")
    assert (done.returncode, done.stderr) == (0, "")
    campaign = load(selftest)
    assert_same(parquet.read_table(file).to_pandas(), getattr(campaign, table))
    about = orjson.loads(parquet.read_schema(file).metadata[b"assay"])
    assert about["table"] == table and about["facts"] == campaign.facts()


def test_names_and_marks_stay_and_mixed_levels_are_texts(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    for series, level in ((HOSTILE, HOSTILE), ("b", 4096)):
        writer.series(series)
        writer.point(series, {"size": level, HOSTILE: 1}, [result(11.0, 10.0, 12.0, noisy=True)])
    file = tmp_path / "p.parquet"
    assert main([str(writer.end()), "--output", str(file)]) == 0
    read = parquet.read_table(file).to_pandas()
    assert read["series"].tolist() == [HOSTILE, "b"] and read["size"].tolist() == [HOSTILE, "4096"]
    assert read[HOSTILE].tolist() == [1, 1] and read["marks"].tolist() == ["#", "#"]


def test_refusals_leave_everything_as_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    writer.point("s", {"a": 1}, [result(11.0, 10.0, 12.0)])
    directory = writer.end()
    file = tmp_path / "old.parquet"
    file.write_bytes(b"old")
    assert main([str(directory), "--output", str(tmp_path / "no" / "file")]) == 4
    assert main([str(directory), "--output", str(directory)]) == 4
    pipe = tmp_path / "c" / "pipe"
    os.mkfifo(pipe)
    assert main([str(directory), "--output", str(pipe)]) == 4 and pipe.is_fifo()
    journal = directory / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b"11", b"12", 1))
    assert main([str(directory), "--output", str(file)]) == 5
    assert main([str(tmp_path / "nothing"), "--output", str(file)]) == 5
    assert file.read_bytes() == b"old" and sorted(path.name for path in tmp_path.iterdir()) == ["c", "old.parquet"]
    assert capsys.readouterr().err.count("nothing was written") == 5
    with pytest.raises(SystemExit) as wrong:
        main([str(directory), "--output", str(file), "--table", "visits"])
    assert wrong.value.code == 2
