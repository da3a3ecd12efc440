# SPDX-License-Identifier: Apache-2.0
"""Tables of campaigns with the states of their results, taken from journals, and times that follow the clock of a core at one clock."""
import csv
import io
import json
import re
import statistics

AS_FOUND = "as found"
CONVERTED = ", at a step of 1 ns"
TIMES = ("median", "low", "high", "estimate", "estimate_low", "estimate_high")
ONE_CLOCK = 1.015  # steps of two campaigns up to this ratio are one, as assay compare has it


def results_in(journal):
    """(series, levels, result, whether its point was answered with it), of all results of all points."""
    with open(journal, encoding="utf-8") as lines:
        for line in lines:
            if '"type":"point"' not in line:
                continue
            point = json.loads(line)
            levels = frozenset((name, str(value)) for name, value in point["point"].items())
            for result in point.get("results", []):
                yield point["series"], levels, result, True
            for result in point.get("others", []):
                yield point["series"], levels, result, False


def states_in(journal):
    """{(series, levels, quantity, regime): (state, scale)} of the results that points were answered with, and of other states by name."""
    states = {}
    for series, levels, result, is_answer in results_in(journal):
        place = (series, levels, result["quantity"], result["regime"])
        if is_answer:
            states[place] = in_cycles(result)
        states[(*place, result.get("state", AS_FOUND))] = in_cycles(result)
    return states


def steps_in(journal):
    """{(series, levels, quantity, regime, state): step of the chain, ns} of what is at a step of 1 ns; of several clocks the headline's."""
    steps = {}
    for series, levels, result, _ in results_in(journal) if journal.exists() else ():
        state, scale = in_cycles(result)
        if scale != 1:
            steps.setdefault((series, levels, result["quantity"], result["regime"], state), 1 / scale)
    return steps


def at_one_clock(rows):
    """Steps of two campaigns that differ by what `assay compare` takes for one clock, 1.5 %, are one that each knows with an error:
    times are those at the step that most have, and only what was at another clock stays converted by its own."""
    steps = [row["step"] for row in rows if row.get("step")]
    if not steps:
        return rows
    usual = statistics.median(steps)
    for row in rows:
        if row.get("step") and max(row["step"], usual) <= ONE_CLOCK * min(row["step"], usual):
            row.update({name: str(float(row[name]) * row["step"] / usual) for name in TIMES if row.get(name)})
    return rows


def in_cycles(result):
    """Its state, and what its times are to be multiplied by. Two campaigns may be at two clocks: times that follow the clock of a core that is
    known are those of a step of the chain of 1 ns, whatever it was; of others the state has the step."""
    state = result.get("state", AS_FOUND)
    if "step_ns" not in result:
        return state, 1
    if "clock_ghz" in result or (result.get("converted", 0) > 0 and "distance_power" not in result):
        return re.sub(r", clock [^,]*", "", state) + CONVERTED, 1 / result["step_ns"]
    return f"{state}, step {result['step_ns']:.4f} ns", 1


def levels_of(row):
    """The levels of a row's factors."""
    columns = list(row)
    factors = columns[columns.index("measurement") + 1:columns.index("quantity")]
    return frozenset((name.removeprefix("factor."), row[name]) for name in factors if row[name])


def with_states(table, journal):
    """The table with a column for the state, taken from the journal, with the steps of the chain, and with times at one clock."""
    rows = list(csv.DictReader(io.StringIO(table)))
    if not rows or not journal.exists():
        return table
    columns = list(rows[0])
    states = states_in(journal)
    out = io.StringIO()
    writer = csv.DictWriter(out, columns if "state" in columns else [*columns, "state"], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        levels = levels_of(row)
        named = (row["state"],) if row.get("state") else ()
        place = (row["series"], levels, row["quantity"], row["regime"], *named)
        state, scale = states.get(place, (row.get("state") or AS_FOUND, 1))
        times = {name: str(float(row[name]) * scale) for name in TIMES if row.get(name) and scale != 1}
        writer.writerow({**row, **times, "state": state})
    return out.getvalue()
