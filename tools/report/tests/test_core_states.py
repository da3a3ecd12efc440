# SPDX-License-Identifier: Apache-2.0
"""States of batches as the program judges them, told in the package's own words."""

from pathlib import Path

import pytest
from core_journals import POINT, CoreWriter, level
from journals import JournalWriter, result

from assay_report import ResultError, load
from assay_report.core_states import ALONE, MIXED, SHARED, States
from assay_report.node_cpu import NodeCpu


def finished(writer: CoreWriter, state: str = "alone") -> Path:
    """The campaign of the only point."""
    writer.point("s", POINT, [result(100.0, 99.0, 101.0, state=state)], cores=[level()], simulated=False)
    writer.cores([level()])
    return writer.end()


def told(program: str, directory: Path) -> list[str]:
    """The states of the only point's batches, in order."""
    campaign = load(directory, observations=False)
    return campaign.observations_of({0}, campaign.states(program))["state"].tolist()


@pytest.fixture
def writer(tmp_path: Path) -> CoreWriter:
    made = CoreWriter(tmp_path / "c")
    made.series("s")
    return made


def test_states_are_those_of_the_program_in_the_order_of_batches(program: str, writer: CoreWriter) -> None:
    writer.core_visit("s", ["aa"], reps=99)  # before it was calibrated again
    writer.core_visit("s", ["ss", "aa", "aa", "ss", "as"], discarded=1)
    writer.core_visit("s", ["aa"], chain=1.15)
    assert told(program, finished(writer)) == ["", "", "alone", "alone", "shared", "mixed", "alone, clock 2.6 GHz"]


def test_each_quantity_has_the_states_of_the_batches(program: str, writer: CoreWriter) -> None:
    quantity = {"unit": "ns", "combine": "only", "claimant": 0, "per": "event", "signed": False, "summary": "drawn"}
    quantities = [{"name": name, **quantity} for name in ("time", "other")]
    writer.write("series", series="s", measurement="synthetic/normal", rule="median-ci(eps=0.02)", quantities=quantities)
    writer.core_visit("s", ["aa", "ss"])
    assert told(program, finished(writer)) == ["alone", "shared"] * 2


def test_cores_of_visits_are_told_by_batch_and_member(program: str, writer: CoreWriter) -> None:
    writer.core_visit("s", ["as", "aa", "ss"], nodes=["n1"])
    visits: list[dict] = []
    levels = [level(node="n1")]
    writer.point("s", POINT, [result(100.0, 99.0, 101.0, state="alone")], cores=levels, simulated=False)
    writer.cores(levels)
    campaign = load(writer.end(), observations=False)
    states = campaign.states(program)
    campaign.some_visits(10, lambda _, record: visits.append(record))
    cores = states.cores(visits[0])
    assert [core.sharing for core in cores] == [MIXED, ALONE, SHARED] and {core.cpu for core in cores} == {NodeCpu("n1", 0)}
    assert cores[0].length_ns == 25000.0 and states.known[NodeCpu("n1", 0)]["because"] == "throughput"


@pytest.mark.parametrize("damage", [{"wide_ns": ["x"]}, {"chain_after_ns": [1.0, 2.0]}, {"cpus": None}])
def test_what_the_program_refuses_is_refused_in_its_words(program: str, tmp_path: Path, damage: dict) -> None:
    class Damaged(CoreWriter):
        def batch(self, *arguments: object) -> dict:
            return {**super().batch(*arguments), **damage}

    writer = Damaged(tmp_path / "c")
    writer.series("s")
    writer.core_visit("s", ["aa"])
    with pytest.raises(ResultError, match="line 4"):
        told(program, finished(writer))


def test_without_the_program_it_is_asked_for(
    writer: CoreWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer.core_visit("s", ["aa"])
    campaign = load(finished(writer), observations=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ResultError, match="program assay"):
        campaign.states()
    assert "state" not in campaign.observations_of({0})


def test_journals_without_readings_have_no_states(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    writer.visits("s", POINT, [[1.0, 2.0]])
    writer.point("s", POINT, [result(1.0, 1.0, 1.0)])
    campaign = load(writer.end())
    assert campaign.states("no such program") is None
    assert "state" not in campaign.observations_of({0})


@pytest.mark.parametrize("line", ["[]", "{", '{"type":"visit","states":[]}', '{"type":"core","cpu":0}', '{"states":7}'])
def test_what_is_no_answer_of_the_program_is_refused(line: str) -> None:
    with pytest.raises(ResultError, match="cannot be read"):
        States.read(line)


def test_a_journal_that_grew_meanwhile_is_refused() -> None:
    states = States.read('{"type":"visit","session":0,"visit":3,"states":["alone"]}')
    record = {"session": 0, "visit": 3}
    assert states.of(record, 1) == ["alone"] and states.cores(record) == []
    for other, size in ((record, 2), ({"session": 1, "visit": 3}, 1)):
        with pytest.raises(ResultError, match="changed meanwhile"):
            states.of(other, size)


def test_states_are_those_of_the_results(program: str, measured: Path) -> None:
    campaign = load(measured, observations=False)
    points = {point["number"]: point for series in campaign.series for point in series.points}
    states = campaign.states(program)
    assert states is not None
    frame = campaign.observations_of(set(points), states)
    clean = frame[frame["clean"]]
    checked = 0
    for number, point in points.items():
        own = clean[(clean["point"] == number) & (clean["reps"] == point["reps"])]
        for told in point["results"] + point.get("others", []):
            if told.get("state", "").startswith("as found, ") and "clock" not in told["state"]:
                continue  # over all states of the batches on one CPU, or on several
            batches = own[own["quantity"] == told["quantity"]]
            in_state = batches["state"] == told["state"] if "state" in told else batches["state"].notna()
            assert in_state.mean() == pytest.approx(told.get("state_share", 1.0), abs=1e-12)
            if told["steadiness"]["dropped"] == 0 and "converted" not in told:
                assert (in_state & (batches["regime"] == told["regime"])).sum() == told["summary"]["n"]
            checked += 1
    assert checked
