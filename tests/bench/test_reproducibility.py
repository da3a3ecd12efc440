#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The summary of tests/bench/reproducibility.py counts what results made by hand hold."""

import contextlib
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

    def write(self, rule, campaigns):
        """One file for each list of rows."""
        for index, rows in enumerate(campaigns):
            (self.folder / f"{index:03d}-{rule}.csv").write_text("\n".join([COLUMNS, *rows, ""]), encoding="utf-8")
        facts = {"load": [["0", "0", "0"]] * (len(campaigns) + 1), "seconds": 1, "started": "now"}
        (self.folder / "conditions.json").write_text(json.dumps(facts), encoding="utf-8")

    def cells(self, rule, campaigns):
        """The row of the table by heading."""
        self.write(rule, campaigns)
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

    def test_only_the_first_quantity_of_a_point_counts(self):
        cells = self.cells("stddev", [[row(100, 1), row(7, 1, quantity="step")]] * 3)
        self.assertEqual(cells["results"], "1")

    def test_points_that_most_campaigns_lack_are_left_out(self):
        cells = self.cells("stddev", [[row(100, 1)]] * 4 + [[row(100, 1), row(5, 1).replace("solo", "mixed")]])
        self.assertEqual((cells["results"], cells["left out"]), ("1", "1"))

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
