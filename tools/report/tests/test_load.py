# SPDX-License-Identifier: Apache-2.0
"""`load` reads what the program wrote, number by number, and refuses what is damaged."""

import csv
import io
import math
import random
import re
import subprocess
import warnings
from pathlib import Path

import pandas as pd
import pytest
from journals import JournalWriter, random_result, result

from assay_report import ResultError, TornJournal, load
from assay_report.campaign import UNUSED, _Collector
from assay_report.frames import column_of
from assay_report.tables import rows_of

UNITS = ["ns", "B", "B/s", "1/s", "1", "ratio"]


def output_of(*command: object) -> str:
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def same(cell: str, value: object) -> bool:
    if cell == "":
        return value in ("", 0) or pd.isna(value)
    if isinstance(value, str):
        return cell.removeprefix("'") == value or cell == value
    return float(cell) == float(value)


def test_every_type_of_record_that_the_program_writes_is_known() -> None:
    codec = Path(__file__).parents[3] / "framework" / "record" / "journal" / "codec.cpp"
    types = re.findall(r'\{"(\w+)", as_record', codec.read_text(encoding="utf-8"))
    assert len(types) > 15
    assert [one for one in types if one not in {*UNUSED, "visit"} and not hasattr(_Collector, f"take_{one}")] == []


def test_points_are_those_of_the_csv(program: str, selftest: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(output_of(program, "export", selftest, "--format", "csv-long", "--csv-raw"))))
    rows = [row for row in rows if row["basis"] != "derived"]
    points = load(selftest).points
    assert len(rows) == len(points) > 40
    columns = [column for column in rows[0] if column in points.columns]
    assert len(columns) > 50
    for row, (_, point) in zip(rows, points.iterrows(), strict=True):
        for column in columns:
            assert same(row[column], point[column]), (column, row[column], point[column])


def test_observations_give_the_medians_of_the_points(selftest: Path) -> None:
    campaign = load(selftest)
    clean = campaign.observations[campaign.observations["clean"]]
    medians = clean.groupby(["point", "quantity", "regime"], observed=True)["value"].agg(["median", "size"])
    checked = 0
    for row in campaign.points.itertuples():
        if row.dropped == 0:
            assert medians.loc[(row.point, row.quantity, row.regime)].tolist() == pytest.approx(
                [row.median, row.n], rel=1e-12
            )
            checked += 1
    assert checked > 40


def assert_texts_are_shown(program: str, directory: Path) -> int:
    """Every row's texts stand in one line of `assay show`, in order."""
    lines = [" ".join(line.split()) for line in output_of(program, "show", "--verbose", directory).splitlines()]
    rows = 0
    for series in load(directory, observations=False).series:
        for row in rows_of(series):
            interval = [row.value.low, "..", row.value.high] if row.value.low != "-" else ["-"]
            marked = [row.value.value, row.marks] if row.marks else [row.value.value]
            wanted = " ".join([*marked, *interval, row.unit, row.percent])
            levels = [level for level in row.levels if level.startswith("p")]
            assert any(wanted in line and all(level in line.split() for level in levels) for line in lines), wanted
            rows += 1
    return rows


def test_texts_are_those_of_show_for_a_campaign(program: str, selftest: Path) -> None:
    assert assert_texts_are_shown(program, selftest) > 40


@pytest.mark.parametrize("unit", UNITS)
def test_texts_are_those_of_show_for_any_value(program: str, tmp_path: Path, unit: str) -> None:
    rng = random.Random(unit)
    writer = JournalWriter(tmp_path / "c")
    for number in range(150):  # one point each, so that each has a scale of its own
        writer.series(f"s{number}", unit)
        writer.point(f"s{number}", {"name": f"p{number}"}, [random_result(rng, unit)])
    writer.series("all", unit)
    for number in range(50):
        writer.point("all", {"name": f"p{number}"}, [random_result(rng, unit)])
    assert assert_texts_are_shown(program, writer.end()) == 200


def test_observations_are_of_events(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    for size, more in ((1, {"events_per_rep": 4.0}), (2, {}), (3, {"events_per_rep": 0.5})):
        writer.visits("s", {"size": size}, [[50.0, 52.0, 54.0]])
        writer.point("s", {"size": size}, [result(13.0, 12.0, 14.0)], **more)
    campaign = load(writer.end())
    values = [12.5, 13.0, 13.5, 50.0, 52.0, 54.0, 100.0, 104.0, 108.0]
    assert campaign.observations["value"].tolist() == values
    assert campaign.observations_of({0, 2})["value"].tolist() == values[:3] + values[6:]


def test_batches_before_a_visit_settled_are_left_out(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    for size, more in ((1, {"settled": 2}), (2, {})):
        writer.visits("s", {"size": size}, [[90.0, 60.0, 50.0, 52.0]])
        writer.point("s", {"size": size}, [result(51.0, 50.0, 52.0)], **more)
    campaign = load(writer.end())
    assert campaign.observations["clean"].tolist() == [False, False, True, True] + [True] * 4
    kept = {number: [one.clean for one in batches] for number, batches in campaign.batches_of_points({0: "time", 1: "time"}).items()}
    assert kept == {0: [False, False, True, True], 1: [True] * 4}


def test_what_the_program_divides_by_is_in_its_journal(program: str, tmp_path: Path) -> None:
    file = tmp_path / "c.ini"
    # As found: on cores that others share, a result for a core alone is of some of the batches only.
    file.write_text("[precision]\nstate = any\n[series.s]\nmeasurement = vm/protect\nplacement = unbound\n")
    directory = tmp_path / "c"
    subprocess.run([program, "run", file, "--quick", "--output", directory], capture_output=True, check=False)
    campaign = load(directory)
    assert [point["events_per_rep"] for point in campaign.series[0].points] == [2]
    clean = campaign.observations[campaign.observations["clean"]]
    # Visits of its warm-up may have been left out of the result: of the same batches all the same, not of half of them.
    assert 0.7 < clean["value"].median() / campaign.points["median"][0] < 1.4


def small_campaign(directory: Path) -> Path:
    writer = JournalWriter(directory)
    writer.series("s")
    for size in (1, 2):
        writer.visits("s", {"size": size}, [[10.0, 11.0, 12.0]], disturbed=1)
        writer.point("s", {"size": size}, [result(11.0, 10.0, 12.0)])
    return writer.end()


def test_a_torn_end_is_left_out_with_a_warning(tmp_path: Path) -> None:
    file = small_campaign(tmp_path / "c") / "journal.jsonl"
    data = file.read_bytes()
    for cut in (1, 5, 40):
        file.write_bytes(data[:-cut])
        with pytest.warns(TornJournal, match="unfinished record"):
            assert len(load(file.parent).points) == 2


@pytest.mark.parametrize("line", [0, 1, 4, 6])
def test_damage_is_refused_with_file_and_line(tmp_path: Path, line: int) -> None:
    file = small_campaign(tmp_path / "c") / "journal.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    lines[line] = lines[line].replace(b"1", b"7", 1)
    file.write_bytes(b"".join(lines))
    with pytest.raises(ResultError, match=f"journal.jsonl: line {line + 1}, byte .*damaged"):
        load(file.parent)


def test_a_line_that_is_gone_is_damage(tmp_path: Path) -> None:
    file = small_campaign(tmp_path / "c") / "journal.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:3] + lines[4:]))
    with pytest.raises(ResultError, match="line 4"):
        load(file.parent)


def test_a_folder_without_results_says_so(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match="no journal.jsonl"):
        load(tmp_path)


def test_the_last_record_of_a_point_wins(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    writer.point("s", {"size": 1}, [result(1.0, 0.5, 1.5)])
    writer.write("session", session=1, started="", command_line="", facts={})
    writer.point("s", {"size": 1}, [result(2.0, 1.5, 2.5)])
    assert load(writer.end()).points["median"].tolist() == [2.0]


def test_another_machine_forgets_what_was_before(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    writer.visits("s", {"size": 1}, [[10.0]])
    writer.point("s", {"size": 1}, [result(1.0, 0.5, 1.5)])
    writer.write("session", session=1, started="", command_line="", facts={}, new_machine=True)
    writer.series("s")
    writer.point("s", {"size": 2}, [result(2.0, 1.5, 2.5)])
    campaign = load(writer.end())
    assert campaign.points["size"].tolist() == [2] and campaign.observations.empty


def test_results_that_contradict_themselves_are_refused(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    for value in (1.0, 2.0):
        writer.point("s", {"size": 1}, [result(value, value, value)])
    with pytest.raises(ResultError, match="twice, and differently"):
        load(writer.end())


def test_names_of_factors_do_not_hide_columns() -> None:
    assert [column_of(name) for name in ("median", "marks", "size")] == ["factor.median", "factor.marks", "size"]


def test_disturbed_batches_are_kept_and_not_clean(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        observations = load(small_campaign(tmp_path / "c")).observations
    assert observations["disturbed"].tolist() == ["", "switched", ""] * 2
    assert observations["clean"].tolist() == [True, False, True] * 2
    assert not math.isnan(observations["value"].sum())


def test_observations_of_some_points_are_those_of_all(selftest: Path, tmp_path: Path) -> None:
    campaign = load(selftest)
    whole = campaign.observations
    numbers = {2, 5, int(whole["point"].max())}
    some = load(selftest, observations=False).observations_of(numbers)
    wanted = whole[whole["point"].isin(numbers)].reset_index(drop=True)
    assert len(wanted) > 100 and wanted["value"].tolist() == some["value"].tolist()
    assert wanted["point"].tolist() == some["point"].tolist()


def test_factors_with_the_names_of_members_are_only_names(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    points = [{"x": {"real": "inf"}, "session": 1, "incarnation": number, "series": "t"} for number in range(3)]
    for number, point in enumerate(points):
        writer.visits("s", point, [[10.0 + number, 11.0 + number]])
        writer.point("s", point, [result(10.5 + number, 10.0, 12.0)])
    campaign = load(writer.end(), observations=False)
    assert campaign.points["sessions"].tolist() == [1, 1, 1] and campaign.points["median"].tolist() == [10.5, 11.5, 12.5]
    assert campaign.observations_of({1})["value"].tolist() == [11.0, 12.0]
    assert load(campaign.directory).observations["point"].tolist() == [0, 0, 1, 1, 2, 2]


def test_a_journal_that_changed_meanwhile_is_refused(tmp_path: Path) -> None:
    directory = small_campaign(tmp_path / "c")
    campaign = load(directory, observations=False)
    data = (directory / "journal.jsonl").read_bytes()
    (directory / "journal.jsonl").write_bytes(data[: len(data) // 4])
    with pytest.raises(ResultError, match="line 6, .*changed while it was read"):
        campaign.observations_of({0})
