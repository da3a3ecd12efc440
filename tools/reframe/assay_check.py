# SPDX-License-Identifier: Apache-2.0
"""A ReFrame test that runs a campaign and checks it against accepted values, or against the history of its node.

    reframe -c tools/reframe/assay_check.py -r -S AssayCheck.campaign=configs/quick.ini -S AssayCheck.accepted=accepted.json

Every point is a performance variable. The sanity check is that of `assay history check`: nothing is slower.
"""
import json

import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typ


@rfm.simple_test
class AssayCheck(rfm.RunOnlyRegressionTest):
    """One campaign on one node. Paths are absolute, or relative to where the test is staged."""

    descr = "A campaign of Assay, held against accepted values or against the history"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    program = variable(str, value="assay")
    campaign = variable(str, value="campaign.ini")
    options = variable(typ.List[str], value=[])
    accepted = variable(str, value="")  # empty: against the history
    sourcesdir = None

    @run_before("run")
    def set_command(self):
        self.executable = self.program
        self.executable_opts = ["run", self.campaign, "--output", "results", "--quiet", *self.options, "> table.txt"]
        against = f" --accepted {self.accepted}" if self.accepted else ""
        # 6 says that something is slower, which the report has; anything else is no check.
        self.postrun_cmds = [f"{self.program} history check results{against} --format json > check.json; test $? -eq 0 -o $? -eq 6"]

    @deferrable
    def points(self):
        with open(f"{self.stagedir}/check.json", encoding="utf-8") as report:
            return json.load(report)["points"]

    @sanity_function
    def nothing_is_slower(self):
        slower = [f"{one['series']} {one['point']}: {one['reason']}" for one in self.points() if one["verdict"] == "slower"]
        return sn.assert_eq(slower, [], msg="slower: {0}")

    @run_before("performance")
    def set_performance(self):
        for one in self.points():
            # What is marked is no number to keep.
            if one["value"] is None or one["verdict"] == "marked":
                continue
            name = f"{one['series']}{{{one['point']}}}.{one['quantity']}.{one['regime']}"
            self.perf_variables[name] = sn.make_performance_function(sn.defer(one["value"]), one["unit"])
