#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The summary of tests/bench/reproducibility.py counts what results made by hand hold."""

import contextlib
import csv
import io
import json
import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import reproducibility  # noqa: E402

COLUMNS = "series,quantity,regime,regime_share,median,low,high,estimate,estimate_low,estimate_high,n,verdict"


def row(median, half, verdict="converged", quantity="time"):
    """A result whose rule reports twice the median."""
    cells = [1, median, median - half, median + half, 2 * median, 2 * median - half, 2 * median + half, 64, verdict]
    return f"one,{quantity},solo," + ",".join(str(cell) for cell in cells)


class Summary(unittest.TestCase):
    """Results of hand-made campaigns."""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)

    def write(self, rule, campaigns, columns=COLUMNS):
        """One file for each list of rows."""
        for index, rows in enumerate(campaigns):
            (self.folder / f"{index:03d}-{rule}.csv").write_text("\n".join([columns, *rows, ""]), encoding="utf-8")
        facts = {"load": [["0", "0", "0"]] * (len(campaigns) + 1), "seconds": 1, "started": "now"}
        (self.folder / "conditions.json").write_text(json.dumps(facts), encoding="utf-8")

    def cells(self, rule, campaigns, columns=COLUMNS):
        """The row of the table by heading."""
        self.write(rule, campaigns, columns)
        points = reproducibility.read(self.folder)[rule]
        return dict(zip(reproducibility.HEADINGS, reproducibility.summarize_rule(rule, points, len(campaigns))))

    def test_counts_intervals_that_hold_the_median_of_all_campaigns(self):
        cells = self.cells("median-ci", [[row(100, 1)], [row(101, 1.5)], [row(99, 0.5)], [row(100, 1)]])
        self.assertEqual(cells["headline holds %"], "75")
        self.assertEqual(cells["own interval holds %"], "50")
        self.assertEqual(cells["claims within 2 %"], "100")

    def test_claims_are_counted_apart(self):
        cells = self.cells("stderr", [[row(100, 1)], [row(150, 1, "max-timings")], [row(100, 1)], [row(110, 1)]])
        self.assertEqual(cells["converged %"], "75")
        self.assertEqual(cells["headline holds %"], "0")  # the truth is 105
        self.assertEqual(cells["claims within 2 %"], "0")

    def test_results_that_are_valid_for_the_moment_only_are_counted_apart(self):
        terms = ["session", "short-term", "session", "short-term"]
        halves = [1, 1, 1, 9]
        rows = [[row(100 + 2 * i, half) + "," + term] for i, (half, term) in enumerate(zip(halves, terms))]
        cells = self.cells("median-ci", rows, COLUMNS + ",term")
        self.assertEqual(cells["headline holds %"], "75")  # the truth is 103: 104 +- 1, 102 +- 1 and 106 +- 9
        self.assertEqual(cells["not short-term %"], "50")

    def test_claims_without_a_mark_are_judged_by_one_another(self):
        """What says that another run may differ is no part of what they agree on."""
        rows = [[row(100 + i / 10, 1) + ",session"] for i in range(4)] + [[row(104, 1) + ",session"]] + [[row(110, 1) + ",short-term"]] * 6
        cells = self.cells("median-ci", rows, COLUMNS + ",term")
        self.assertEqual((cells["unmarked claims %"], cells["of"]), ("80", "5"))
        self.assertEqual(cells["of claims %"], "55")  # by all, whose median is 110

    def test_only_the_first_quantity_of_a_point_counts(self):
        cells = self.cells("stddev", [[row(100, 1), row(7, 1, quantity="step")]] * 3)
        self.assertEqual(cells["results"], "1")

    def test_points_that_most_campaigns_lack_are_left_out(self):
        cells = self.cells("stddev", [[row(100, 1)]] * 4 + [[row(100, 1), row(5, 1).replace("solo", "mixed")]])
        self.assertEqual((cells["results"], cells["left out"]), ("1", "1"))

    def test_results_of_different_states_are_judged_apart(self):
        """A core that is shared in half of the campaigns has two truths, and each interval holds its own."""
        alone, shared = (row(value, 1) + f",{state}" for value, state in ((100, "alone"), (140, "shared")))
        cells = self.cells("median-ci", [[alone], [shared], [alone], [shared]], COLUMNS + ",state")
        self.assertEqual((cells["results"], cells["headline holds %"], cells["worst spread %"]), ("2", "100", "0.0"))

    def test_campaigns_of_the_program_before_are_a_rule_of_their_own(self):
        self.write("median-ci", [[row(100, 1)]] * 4)
        self.write("median-ci@before", [[row(value, 1)] for value in (90, 100, 110, 120)])
        results = reproducibility.read(self.folder)
        now, before = (dict(zip(reproducibility.HEADINGS, reproducibility.summarize_rule(rule, results[rule], 4)))
                       for rule in ("median-ci", "median-ci, before"))
        self.assertEqual((now["headline holds %"], before["headline holds %"]), ("100", "0"))
        self.assertEqual((now["worst spread %"], before["worst spread %"]), ("0.0", "12.4"))
        rows = reproducibility.point_rows(results, 4)
        self.assertEqual([cells[2] for cells in rows if cells[3] == "4"], ["median-ci", "median-ci, before"])

    def test_of_each_point_the_row_of_most_batches_says_whether_it_converged(self):
        minor = row(7, 1, "open").replace("solo,1", "mixed,0.2")
        cells = self.cells("median-ci", [[minor, row(100, 1)]] * 3 + [[minor, row(100, 1, "max-time")]])
        self.assertEqual((cells["points converged %"], cells["converged %"]), ("75", "38"))

    def test_states_are_taken_from_the_journal_where_the_table_has_none(self):
        journal = self.folder / "journal.jsonl"
        point = {"type": "point", "series": "one", "point": {"lock": "mutex", "members": 1},
                 "results": [{"quantity": "time", "regime": "solo", "state": "alone", "step_ns": 1.1},
                             {"quantity": "time", "regime": "mixed"}]}
        journal.write_text(json.dumps(point, separators=(",", ":")) + "\n", encoding="utf-8")
        table = ("series,measurement,lock,members,quantity,regime,median\none,sync/lock,mutex,1,time,solo,5\n"
                 "one,sync/lock,mutex,1,time,mixed,6\n")
        told = reproducibility.with_states(table, journal).splitlines()
        self.assertEqual([cells[-1] for cells in csv.reader(told)], ["state", "alone, step 1.1000 ns", "as found"])
        again = "\n".join(told) + "\n"
        self.assertIn('one,sync/lock,mutex,1,time,solo,5,"alone, step 1.1000 ns"', again)
        self.assertEqual(reproducibility.with_states(again, journal), again)

    def test_times_that_follow_a_known_clock_are_compared_at_one(self):
        journal = self.folder / "journal.jsonl"
        point = {"type": "point", "series": "one", "point": {"lock": "mutex"},
                 "results": [{"quantity": "time", "regime": "solo", "state": "as found, clock 4 GHz", "step_ns": 0.5, "converted": 0.3},
                             {"quantity": "time", "regime": "mixed", "state": "alone", "step_ns": 0.8, "clock_ghz": 3.75}]}
        journal.write_text(json.dumps(point, separators=(",", ":")) + "\n", encoding="utf-8")
        table = ("series,measurement,lock,quantity,regime,state,median,low\none,sync/lock,mutex,time,solo,\"as found, clock 4 GHz\",5,4\n"
                 "one,sync/lock,mutex,time,mixed,alone,8,\n")
        told = reproducibility.with_states(table, journal)
        self.assertEqual([cells[-3:] for cells in csv.reader(told.splitlines())][1:],
                         [["as found, at a step of 1 ns", "10.0", "8.0"], ["alone, at a step of 1 ns", "10.0", ""]])
        self.assertEqual(reproducibility.with_states(told, journal), told)

    def test_steps_that_hardly_differ_are_one(self):
        rows = [{"median": str(100 / step), "low": str(99 / step), "high": "", "step": step} for step in (0.92, 0.921, 0.915, 1.0)]
        told = reproducibility.at_one_clock(rows + [{"median": "5", "step": None}])
        medians = [float(row["median"]) for row in told]
        self.assertEqual([round(median / medians[0], 9) for median in medians[:3]], [1, 1, 1])
        self.assertAlmostEqual(medians[3], 100)
        self.assertEqual((medians[4], told[0]["high"]), (5, ""))
        self.assertAlmostEqual(float(told[1]["low"]) / medians[1], 0.99)

    def test_states_are_one_though_their_distances_differ_a_little(self):
        for one, other, same in (("alone", "alone", True), ("alone", "shared", False), ("alone", "as found", False),
                                 ("alone, distance 100 ns", "alone, distance 115 ns", True),
                                 ("alone, distance 100 ns", "alone, distance 280 ns", False),
                                 ("alone, clock 2.6 GHz", "alone, clock 3 GHz", False),
                                 ("alone, clock 2.6 GHz", "alone", False),
                                 ("alone, clock 2.6 GHz, step 1.1500 ns", "alone, step 1.1600 ns", True),
                                 ("alone, step 1.1100 ns", "alone, step 1.1500 ns", False),
                                 ("shared, step 1.1100 ns", "shared, step 1.1400 ns", True),
                                 ("alone, step 1.1100 ns", "alone", True)):
            self.assertEqual(reproducibility.is_like(one, other), same, (one, other))

    def test_intervals_from_three_sessions_keep_their_level(self):
        rng = random.Random(5)
        held = trials = 0
        for _ in range(400):
            values = [100 * 1.01 ** rng.gauss(0, 1) for _ in range(3)]
            part, groups = reproducibility.session_share(values, 100)
            held, trials = held + part, trials + groups
        self.assertTrue(0.92 <= held / trials <= 0.98, held / trials)

    def test_the_summary_says_what_became_of_the_goal(self):
        self.write("median-ci", [[row(100 + i % 2, 1)] for i in range(6)])
        with contextlib.redirect_stdout(io.StringIO()) as out:
            reproducibility.summarize(self.folder, False)
        self.assertIn("goal: intervals from 3 sessions of median-ci hold in 93 %: ", out.getvalue())


if __name__ == "__main__":
    unittest.main()
