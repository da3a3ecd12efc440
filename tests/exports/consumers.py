# SPDX-License-Identifier: Apache-2.0
"""Reads every export with the program that it is for, where that is installed: consumers.py CHECK ASSAY SOURCE. Exit code 77: left out."""
import csv
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

SKIPPED = 77
DISTRIBUTION_PYTHON = "/usr/bin/python3"
SECOND_TRY = "ASSAY_SECOND_INTERPRETER"
CAMPAIGN = """[campaign]
title = exports <b> "quoted" & =1+1
[precision]
warm-up = 0ms
eps = 5%
min-span = 0s
[series.laws]
measurement = synthetic/normal
placement = unbound
median = 1000, 2000, 4000
spread = 0.05
[series.claims]
measurement = synthetic/claims
placement = unbound
[series.loose]
measurement = synthetic/heavy_tail
placement = unbound
spread = 0.5
rule = median-ci
eps = 0.01%
max-timings = 64
"""


def leave_out(why):
    print(f"left out: {why}; 'tools/deps exports' installs it")
    sys.exit(SKIPPED)


def require_packages(*packages):
    """Goes on in the distribution's interpreter where only that has them: 'tools/deps exports' installs them for it."""
    if all(importlib.util.find_spec(package) for package in packages):
        return
    has = subprocess.run([DISTRIBUTION_PYTHON, "-c", "import " + ", ".join(packages)], capture_output=True, check=False) \
        if os.path.exists(DISTRIBUTION_PYTHON) and not os.environ.get(SECOND_TRY) else None
    if has is None or has.returncode != 0:
        leave_out("no Python package " + " or ".join(packages))
    again = subprocess.run([DISTRIBUTION_PYTHON, "-B", *sys.argv], env={**os.environ, SECOND_TRY: "1"}, check=False)
    sys.exit(again.returncode)


def measured(assay, folder, name):
    campaign = folder / f"{name}.ini"
    campaign.write_text(CAMPAIGN, encoding="utf-8")
    done = subprocess.run([assay, "run", campaign, "--output", folder / name], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return folder / name


def export(assay, results, *options):
    done = subprocess.run([assay, "export", results, "--format", *options], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def forbid(constant):
    raise AssertionError(f"{constant} is no JSON")


def parsed(text):
    return json.loads(text, parse_constant=forbid)


def results_of(assay, results):
    return parsed(export(assay, results, "json"))


def check_schema(assay, source, folder):
    """The JSON fits its schema, and its texts are what `show` prints."""
    require_packages("jsonschema")
    import jsonschema  # only where it is installed

    schema = json.loads((source / "doc" / "results.schema.json").read_text(encoding="utf-8"))
    results = measured(assay, folder, "a")
    whole = results_of(assay, results)
    validator = jsonschema.Draft7Validator(schema)
    validator.validate(whole)
    spoilt = json.loads(json.dumps(whole))
    spoilt["results"][0]["median"] = "nan"
    assert not validator.is_valid(spoilt), "a schema that takes anything says nothing"
    shown = subprocess.run([assay, "show", results], capture_output=True, text=True, check=True).stdout
    rows = [row for row in whole["results"] if row["median"] is not None]
    for row in rows:
        words = [row["text"][key] for key in ("median", "low", "high")]
        pattern = r"\s+.*".join(re.escape(word) for word in words)
        assert words[1] == "-" or re.search(pattern, shown), f"{words} is not in the table"
    return f"{len(rows)} results"


def check_csv(assay, _source, folder):
    """Rows agree with the JSON; what is marked there is marked here."""
    results = measured(assay, folder, "a")
    rows = list(csv.DictReader(io.StringIO(export(assay, results, "csv"))))
    records = [one for one in results_of(assay, results)["results"] if one["quantity"]]
    long = list(csv.DictReader(io.StringIO(export(assay, results, "csv-long"))))
    assert len([row for row in long if row["basis"] != "derived"]) == len(records)
    for one in records:
        levels = {factor: str(level) for factor, level in one["parameters"].items()}
        found = [row for row in rows if row["series"] == one["series"] and row["regime"] == one["regime"]
                 and all(row[factor] in (level, re.sub(r"\.0$", "", level)) or float(row[factor]) == float(level)
                         for factor, level in levels.items())]
        assert len(found) == 1, f"{one['series']} {levels}: {len(found)} rows"
        name = one["quantity"]
        for column, key in (("median", "median"), ("lo", "low"), ("hi", "high"), ("avg", "mean"), ("std", "stddev"),
                            ("min", "min"), ("max", "max"), ("cnt", "n")):
            text = found[0][f"{name}_{column}"]
            assert (text == "" and one[key] is None) or float(text) == one[key], f"{name}_{column}: {text}, not {one[key]}"
        assert found[0][f"{name}_marks"].split() == one["marks"]
        assert found[0][f"{name}_verdict"] == one["verdict"]
    assert any(one["marks"] for one in records) and any(not one["marks"] for one in records)
    return f"{len(rows)} rows"


def number_of(text):
    """The number that a cell holds; none where it is a word."""
    try:
        return float(text)
    except ValueError:
        return None


def check_spreadsheet(assay, _source, folder):
    """A spreadsheet program has the same cells: numbers as numbers, words as they are."""
    if shutil.which("ssconvert") is None:
        leave_out("no spreadsheet program with ssconvert")
    text = export(assay, measured(assay, folder, "a"), "csv")
    (folder / "a.csv").write_text(text, encoding="utf-8")
    done = subprocess.run(["ssconvert", "-T", "Gnumeric_stf:stf_csv", folder / "a.csv", folder / "seen.csv"],
                          capture_output=True, text=True, timeout=120, env={**os.environ, "HOME": str(folder)})
    assert done.returncode == 0, done.stderr
    ours, theirs = (list(csv.reader(io.StringIO(one))) for one in (text, (folder / "seen.csv").read_text(encoding="utf-8")))
    assert len(ours) == len(theirs)
    for ours_row, theirs_row in zip(ours, theirs):
        assert len(ours_row) == len(theirs_row)
        for mine, seen in zip(ours_row, theirs_row):
            assert mine == seen or (number_of(mine) is not None and number_of(mine) == number_of(seen)), f"{mine!r} became {seen!r}"
    return f"{len(theirs)} rows"


def compare_program():
    for folder in (os.environ.get("ASSAY_COMPARE_FOLDER", "/usr/share/benchmark"), "/usr/share/google-benchmark"):
        if (pathlib.Path(folder) / "compare.py").is_file():
            return pathlib.Path(folder) / "compare.py"
    return None


def check_google_rows(assay, _source, folder):
    """A row per timing, which add up to the results."""
    results = measured(assay, folder, "a")
    whole = parsed(export(assay, results, "google-benchmark"))
    assert isinstance(whole["context"]["caches"], list)
    times = {}
    for row in whole["benchmarks"]:
        assert not row.get("error_occurred"), row
        assert row["run_type"] == "iteration" and row["time_unit"] == "ns" and row["name"].endswith("/real_time")
        assert isinstance(row["real_time"], (int, float)) and isinstance(row["cpu_time"], (int, float))
        times.setdefault(row["name"], []).append(row["real_time"])
    records = [one for one in results_of(assay, results)["results"] if one["unit"] == "ns"]
    for one in records:
        fitting = [name for name, values in times.items() if len(values) == one["n"]
                   and abs(min(values) - one["min"]) < 1e-6 and abs(max(values) - one["max"]) < 1e-6]
        assert fitting, f"no rows for {one['series']} {one['quantity']}"
    marked = [name for name in times if "/marked:" in name]
    assert any("laws" not in name for name in marked), times.keys()
    aggregates = parsed(export(assay, results, "google-benchmark", "--aggregates"))["benchmarks"]
    assert {row["aggregate_name"] for row in aggregates if row["run_type"] == "aggregate"} >= {"mean", "median", "stddev"}
    return f"{len(whole['benchmarks'])} rows"


def check_compare(assay, _source, folder):
    """Google Benchmark's own compare.py puts two exports side by side, and tests them."""
    program = compare_program()
    if program is None:
        leave_out("no compare.py of Google Benchmark")
    require_packages("scipy")
    for name in ("a", "b"):
        (folder / f"{name}.json").write_text(export(assay, measured(assay, folder, name), "google-benchmark"), encoding="utf-8")
    done = subprocess.run([sys.executable, "-B", program, "--no-color", "benchmarks", folder / "a.json", folder / "b.json"],
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert re.search(r"laws/.*real_time_pvalue\s", done.stdout), done.stdout[-2000:]
    assert re.search(r"laws/.*/real_time\s", done.stdout), done.stdout[-2000:]
    return "compared"


def check_services(assay, _source, folder):
    """What github-action-benchmark and Bencher read of their files."""
    results = measured(assay, folder, "a")
    rows = parsed(export(assay, results, "github-action-benchmark", "--direction", "smaller"))
    assert rows
    for row in rows:
        assert isinstance(row["name"], str) and isinstance(row["value"], (int, float)) and isinstance(row["unit"], str)
        assert re.fullmatch(r"(?:±|\+-)\s*\d.*", row.get("range", "± 0")) and isinstance(row["extra"], str)
    assert len({row["name"] for row in rows}) == len(rows)
    metrics = parsed(export(assay, results, "bencher"))
    for name, measures in metrics.items():
        assert 0 < len(name) <= 1024
        for measure, metric in measures.items():
            assert re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", measure)
            assert set(metric) <= {"value", "lower_value", "upper_value"} and isinstance(metric["value"], (int, float))
            assert metric.get("lower_value", metric["value"]) <= metric["value"] <= metric.get("upper_value", metric["value"])
    assert any("[not-converged" in name for name in metrics) and any("[" not in name for name in metrics)
    return f"{len(rows)} and {len(metrics)} values"


def check_skampi(assay, _source, folder):
    """Rows as readers of SKaMPI's files take them: names with '=', then duration, deviation and count."""
    results = measured(assay, folder, "a")
    records = results_of(assay, results)["results"]
    rows = 0
    for line in export(assay, results, "skampi").splitlines():
        if not line or line.startswith(("#", "begin result", "end result")):
            continue
        words = line.split("#")[0].split()
        factors = len([word for word in words if word.endswith("=")])
        mean, deviation, count = words[2 * factors:2 * factors + 3]
        assert any(abs(one["mean"] / 1000 - float(mean)) < 1e-9 * abs(float(mean)) + 1e-12 and one["n"] == int(count)
                   or one["unit"] != "ns" and one["mean"] == float(mean) for one in records if one["mean"] is not None), line
        assert float(deviation) >= 0
        rows += 1
    assert rows == len([one for one in records if one["mean"] is not None])
    return f"{rows} rows"


def check_gnuplot(assay, _source, folder):
    """gnuplot draws it as a whole picture, as SVG and as PNG, without a word of complaint."""
    if shutil.which("gnuplot") is None:
        leave_out("no gnuplot")
    script = folder / "a.gp"
    script.write_text(export(assay, measured(assay, folder, "a"), "gnuplot"), encoding="utf-8")
    drawn = subprocess.run(["gnuplot", script], capture_output=True, timeout=120)
    assert drawn.returncode == 0 and drawn.stderr == b"", drawn.stderr
    picture = xml.fromstring(drawn.stdout)
    assert picture.tag.endswith("svg") and b"laws" in drawn.stdout and b"marked" in drawn.stdout
    png = subprocess.run(["gnuplot", "-e", "format = 'png'", script], capture_output=True, timeout=120)
    assert png.returncode == 0 and png.stdout.startswith(b"\x89PNG"), png.stderr
    return f"{len(drawn.stdout)} bytes of SVG"


# Of the schema that CI servers hold files against: children in this order, and these attributes.
JUNIT = {
    "testsuites": (["testsuite"], {"name", "time", "tests", "failures", "disabled", "errors"}),
    "testsuite": (["properties", "testcase", "system-out", "system-err"],
                  {"name", "tests", "failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname", "id", "package"}),
    "properties": (["property"], set()),
    "property": ([], {"name", "value"}),
    "testcase": (["skipped", "error", "failure", "system-out", "system-err"], {"name", "assertions", "time", "classname", "status"}),
    "skipped": ([], {"message", "type"}),
    "error": ([], {"message", "type"}),
    "failure": ([], {"message", "type"}),
    "system-out": ([], set()),
    "system-err": ([], set()),
}


def hold_against(element):
    children, attributes = JUNIT[element.tag]
    assert set(element.attrib) <= attributes, element.attrib
    places = [children.index(child.tag) for child in element]
    assert places == sorted(places), f"{element.tag}: children out of order"
    assert element.tag not in ("testcase", "testsuite") or "name" in element.attrib
    for child in element:
        hold_against(child)


def check_junit(assay, _source, folder):
    """Valid by the schema; a test case per point, and what did not converge has failed."""
    results = measured(assay, folder, "a")
    root = xml.fromstring(export(assay, results, "junit"))
    hold_against(root)
    points = {(one["series"], json.dumps(one["parameters"])) for one in results_of(assay, results)["results"]}
    cases = root.findall(".//testcase")
    assert len(cases) == len(points), (len(cases), len(points))
    for suite in root.findall("testsuite"):
        for key, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(key)) == len(suite.findall(f".//{tag}")), f"{key} of {suite.get('name')}"
    failed = [case for case in cases if case.get("classname") == "loose"]
    assert failed and all(case.find("failure") is not None for case in failed)
    return f"{len(cases)} test cases"


def main():
    check, assay, source = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    with tempfile.TemporaryDirectory() as name:
        print(f"{check}: {globals()['check_' + check](assay, source, pathlib.Path(name))}")


if __name__ == "__main__":
    main()
