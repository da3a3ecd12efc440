# SPDX-License-Identifier: Apache-2.0
"""States of batches: those that were planted, and those that the program itself found."""

from pathlib import Path

import pytest
from core_journals import POINT, CoreWriter, level
from journals import JournalWriter, result

from assay_report import ResultError, load
from assay_report.core_states import Levels, clock_levels, distance_levels, nearest_level
from assay_report.node_cpu import NodeCpu

def states(writer: CoreWriter, levels: list[dict] | None = None, told: dict | None = None) -> list[str]:
    """The states of the only point's batches, in order."""
    known = [level()] if levels is None else levels
    writer.point("s", POINT, [result(100.0, 99.0, 101.0, **(told or {"state": "alone"}))], cores=known, simulated=False)
    writer.cores(known)
    campaign = load(writer.end(), observations=False)
    return campaign.observations_of({0})["state"].tolist()


@pytest.fixture
def writer(tmp_path: Path) -> CoreWriter:
    made = CoreWriter(tmp_path / "c")
    made.series("s")
    return made


def test_readings_on_both_sides_tell_the_state(writer: CoreWriter) -> None:
    writer.core_visit("s", ["aa"] * 3 + ["ss"] * 2 + ["as", "sa"])
    assert states(writer) == ["alone"] * 3 + ["shared"] * 2 + ["mixed"] * 2


def test_what_is_left_out_at_a_visits_start_has_none(writer: CoreWriter) -> None:
    writer.core_visit("s", ["ss", "aa", "aa"], discarded=1)
    writer.core_visit("s", ["aa", "aa"], reps=10)
    assert states(writer) == ["", "alone", "alone", "alone", "alone"]


def test_before_it_was_calibrated_anew_there_are_none(writer: CoreWriter) -> None:
    writer.core_visit("s", ["aa"], reps=99)
    writer.core_visit("s", ["aa", "ss"])
    assert states(writer) == ["", "alone", "shared"]


def test_all_members_have_to_be_alone(writer: CoreWriter) -> None:
    writer.core_visit("s", ["aaaa", "aass", "ssss", "aasa"], cpus=[0, 1], apart="aa")
    assert states(writer, [level(0), level(1)]) == ["alone", "shared", "shared", "mixed"]


def test_a_partner_on_the_same_core_is_no_neighbour(writer: CoreWriter) -> None:
    writer.core_visit("s", ["ssss", "ssss"], cpus=[0, 0], apart="aa")
    writer.core_visit("s", ["ssss", "ssss"], cpus=[0, 0], apart="ss")
    assert states(writer) == ["alone"] * 2 + ["shared"] * 2


@pytest.mark.parametrize("known", [[], [level(because="nothing")], [level(cpu=7)]])
def test_without_a_level_that_is_proved_all_is_as_found(writer: CoreWriter, known: list[dict]) -> None:
    writer.core_visit("s", ["aa", "ss"])
    assert states(writer, known) == ["as found"] * 2


def test_what_outlasts_states_is_as_found(writer: CoreWriter) -> None:
    writer.core_visit("s", ["aa", "ss", "aa"], length=2e6)
    assert states(writer) == ["as found"] * 3


def test_a_core_that_is_always_alone_may_take_its_time(writer: CoreWriter) -> None:
    writer.core_visit("s", ["aa"] * 3, length=2e6)
    assert states(writer) == ["alone"] * 3


def test_a_state_that_does_not_last_tells_nothing(writer: CoreWriter) -> None:
    writer.core_visit("s", ["aa", "as", "sa", "ss"] * 10)
    assert set(states(writer)) == {"as found"}


def test_unusual_clocks_and_distances_are_named(writer: CoreWriter) -> None:
    for distance in (100.0, 101.0, 102.0, 400.0, 401.0, 402.0, 900.0):
        writer.core_visit("s", ["aa", "ss"], reference_ns=distance)
    writer.core_visit("s", ["aa"], chain=1.15, reference_ns=100.5)
    told = states(writer, told={"state": "alone, distance 101 ns"})
    assert told[:2] == ["alone, distance 101 ns", "shared, distance 101 ns"]
    assert told[6] == "alone, distance 401 ns"
    assert told[12] == "alone, distance 401 ns"  # one visit is no distance of its own
    assert told[14] == "alone, clock 2.6 GHz, distance 101 ns"


def test_sessions_that_a_result_is_not_of_are_sorted_by_themselves(writer: CoreWriter) -> None:
    writer.core_visit("s", ["aa", "ss", "aa"], length=2e6, reps=50)
    writer.next_session()
    writer.core_visit("s", ["aa", "ss"])
    assert states(writer) == ["as found"] * 3 + ["alone", "shared"]


def test_levels_of_several_sources_are_the_least() -> None:
    levels = Levels([level(alone=0.09), level(alone=0.072), level(alone=0.05, because="nothing")])
    assert float(levels.known[NodeCpu("", 0)]["alone"]) == 0.072


def test_distances_fall_on_levels() -> None:
    assert distance_levels([100, 110, 130, 490, 500, float("nan"), 0]) == [110, 500]
    assert nearest_level([110, 500], 240) == 500 and nearest_level([110, 500], 220) == 110 and nearest_level([], 5) == 0


@pytest.mark.parametrize("damage", [{"wide_ns": ["x"]}, {"chain_after_ns": [1.0, 2.0]}, {"cpus": None}])
def test_wrong_readings_are_refused_with_their_line(tmp_path: Path, damage: dict) -> None:
    class Damaged(CoreWriter):
        def batch(self, *arguments: object) -> dict:
            return {**super().batch(*arguments), **damage}

    writer = Damaged(tmp_path / "c")
    writer.series("s")
    writer.core_visit("s", ["aa"])
    with pytest.raises(ResultError, match="line 4: the record of type 'visit'"):
        states(writer)


def test_journals_without_readings_are_as_found(tmp_path: Path) -> None:
    writer = JournalWriter(tmp_path / "c")
    writer.series("s")
    writer.visits("s", POINT, [[1.0, 2.0]])
    writer.point("s", POINT, [result(1.0, 1.0, 1.0)])
    assert load(writer.end()).observations_of({0})["state"].tolist() == ["as found"] * 2


def test_the_program_found_the_same_states(measured: Path) -> None:
    campaign = load(measured, observations=False)
    points = {point["number"]: point for series in campaign.series for point in series.points}
    frame = campaign.observations_of(set(points))
    clean = frame[frame["clean"]]
    checked = 0
    for number, point in points.items():
        own = clean[(clean["point"] == number) & (clean["reps"] == point["reps"])]
        for told in point["results"] + point.get("others", []):
            batches = own[own["quantity"] == told["quantity"]]
            in_state = batches["state"] == told["state"] if "state" in told else batches["state"].notna()
            assert in_state.mean() == pytest.approx(told.get("state_share", 1.0), abs=1e-12)
            if told["steadiness"]["dropped"] == 0:
                assert (in_state & (batches["regime"] == told["regime"])).sum() == told["summary"]["n"]
            checked += 1
    assert checked


def test_clocks_at_the_edge_of_two_rounded_numbers_are_one_level() -> None:
    assert clock_levels([2.96, 2.94, 2.1, 2.95, 2.12, 3.6]) == [2.12, 2.95, 3.6]
    assert clock_levels([]) == []
