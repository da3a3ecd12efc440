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

from junit_schema import hold_against

SKIPPED = 77
SOURCE = pathlib.Path(__file__).resolve().parents[2]
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
# One more point, which cannot be measured anywhere.
WITHOUT_NUMBER = CAMPAIGN + """[series.nothing]
measurement = command/run
placement = unbound
command = "false"
max-time = 1s
"""


def leave_out(why):
    print(f"left out: {why}; 'tools/deps exports' and 'tests/exports/setup' install what reads exports")
    sys.exit(SKIPPED)


def has_packages(python, packages):
    return os.path.exists(python) and subprocess.run([python, "-c", "import " + ", ".join(packages)], capture_output=True, check=False).returncode == 0


def require_packages(*packages):
    """Goes on in an interpreter that has them: of the readers' environment, or the distribution's ('tools/deps exports')."""
    if all(importlib.util.find_spec(package) for package in packages):
        return
    others = [str(SOURCE / "build" / "export-readers" / "bin" / "python"), DISTRIBUTION_PYTHON]
    python = None if os.environ.get(SECOND_TRY) else next((one for one in others if has_packages(one, packages)), None)
    if python is None:
        leave_out("no Python package " + " or ".join(packages))
    again = subprocess.run([python, "-B", *sys.argv], env={**os.environ, SECOND_TRY: "1"}, check=False)
    sys.exit(again.returncode)


def measured(assay, folder, name, text=CAMPAIGN, expected=0):
    campaign = folder / f"{name}.ini"
    campaign.write_text(text, encoding="utf-8")
    done = subprocess.run([assay, "run", campaign, "--output", folder / name], capture_output=True, text=True, timeout=120)
    assert done.returncode == expected, done.stderr
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
    shown = subprocess.run([assay, "show", "--verbose", results], capture_output=True, text=True, check=True).stdout
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
    """Aggregates by default; on demand a row per timing, which add up to the results."""
    results = measured(assay, folder, "a")
    text = export(assay, results, "google-benchmark")
    aggregates = parsed(text)["benchmarks"]
    assert {row["aggregate_name"] for row in aggregates} >= {"mean", "median", "stddev"}
    assert all(row["run_type"] == "aggregate" for row in aggregates) and len(text) < 30_000, len(text)
    whole = parsed(export(assay, results, "google-benchmark", "--observations"))
    assert isinstance(whole["context"]["caches"], list)
    times = {}
    for row in whole["benchmarks"]:
        assert not row.get("error_occurred"), row
        assert isinstance(row["real_time"], (int, float)) and isinstance(row["cpu_time"], (int, float)) and row["time_unit"] == "ns"
        if row["run_type"] == "iteration":
            assert row["name"].endswith("/real_time"), row
            times.setdefault(row["name"], []).append(row["real_time"])
    records = [one for one in results_of(assay, results)["results"] if one["unit"] == "ns"]
    for one in records:
        fitting = [name for name, values in times.items() if len(values) == one["n"]
                   and abs(min(values) - one["min"]) < 1e-6 and abs(max(values) - one["max"]) < 1e-6]
        assert fitting, f"no rows for {one['series']} {one['quantity']}"
    assert any("not-converged" in row["marks"] for row in aggregates) and any(not row["marks"] for row in aggregates)
    return f"{len(whole['benchmarks'])} rows, {len(aggregates)} of them aggregates"


def check_compare(assay, _source, folder):
    """Google Benchmark's own compare.py puts two exports side by side, which have a point without a number, and tests them."""
    program = compare_program()
    if program is None:
        leave_out("no compare.py of Google Benchmark")
    require_packages("scipy")
    results = [measured(assay, folder, name, WITHOUT_NUMBER, 1) for name in ("a", "b")]
    for options, expected in (((), r"laws/.*real_time_median\s"), (("--observations",), r"laws/.*real_time_pvalue\s")):
        files = []
        for one in results:
            files.append(folder / f"{one.name}.json")
            files[-1].write_text(export(assay, one, "google-benchmark", *options), encoding="utf-8")
        done = subprocess.run([sys.executable, "-B", program, "--no-color", "benchmarks", *files],
                              capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        assert re.search(expected, done.stdout), done.stdout[-2000:]
    return "compared"


# How the formats that are read by name call a result.
NAMES = {
    "google-benchmark": lambda text: [row["name"] for row in parsed(text)["benchmarks"]],
    "github-action-benchmark": lambda text: [row["name"] for row in parsed(text)],
    "bencher": lambda text: list(parsed(text)),
    "otava": lambda text: next(csv.reader(io.StringIO(text))),
    "openmetrics": lambda text: [line.rsplit(" ", 1)[0] for line in text.splitlines() if not line.startswith("# HELP")],
}


def check_names(assay, _source, folder):
    """Two runs have the same names although other results are marked, and so do two exports of one run."""
    first = measured(assay, folder, "a")
    marked = measured(assay, folder, "b", CAMPAIGN.replace("eps = 5%", "eps = 0.01%\nmax-timings = 64"))
    marks = [[one["marks"] for one in results_of(assay, one)["results"]] for one in (first, marked)]
    assert marks[0] != marks[1], "the same results are marked, which shows nothing"
    for kind, names_of in NAMES.items():
        direction = ("--direction", "smaller") if kind == "github-action-benchmark" else ()
        names = [names_of(export(assay, one, kind, *direction)) for one in (first, first, marked)]
        assert names[0] and names[0] == names[1] == names[2], f"{kind}: {sorted(set(names[0]) ^ set(names[2]))[:4]}"
    return f"{len(NAMES)} formats"


def check_services(assay, _source, folder):
    """What github-action-benchmark and Bencher document of their files."""
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
    assert {measures["marks"]["value"] > 0 for measures in metrics.values()} == {True, False}
    assert any("marks: not-converged" in row["extra"] for row in rows) and any("marks:" not in row["extra"] for row in rows)
    return f"{len(rows)} and {len(metrics)} values"


def check_openmetrics(assay, _source, folder):
    """The parser of Prometheus' own client reads every family; medians are those of the results."""
    require_packages("prometheus_client")
    from prometheus_client.openmetrics import parser  # only where it is installed

    results = measured(assay, folder, "a")
    text = export(assay, results, "openmetrics")
    families = {one.name: one for one in parser.text_string_to_metric_families(text)}
    records = [one for one in results_of(assay, results)["results"] if one["median"] is not None]
    seconds = families["assay_median_seconds"]
    assert seconds.type == "gauge" and seconds.unit == "seconds"
    seen, expected = sorted(sample.value for sample in seconds.samples), sorted(one["median"] * 1e-9 for one in records if one["unit"] == "ns")
    assert len(seen) == len(expected) and all(abs(a - b) <= 1e-12 * abs(b) for a, b in zip(seen, expected)), (seen, expected)
    marks = families["assay_marks"]
    assert marks.type == "stateset" and len(marks.samples) == 5 * len(records)
    assert sum(sample.value for sample in marks.samples) == sum(len(one["marks"]) for one in records)
    return f"{len(families)} families"


def check_otava(assay, _source, folder):
    """Apache Otava's importer reads a file that several runs made, and finds the change in it."""
    require_packages("otava")
    from otava.importer import CsvImporter
    from otava_times import CsvMetric, CsvOptions, CsvTestConfig, all_times

    lines = export(assay, measured(assay, folder, "a"), "otava").splitlines()
    header, row = list(csv.reader(lines))
    assert len(lines) == 2 and len(header) == len(row)
    # Days of the same campaign; from the eleventh on the first result takes twice as long.
    first = header.index(next(name for name in header if name.startswith("laws ")))
    file = folder / "history.csv"
    with open(file, "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(header)
        for day in range(1, 21):
            cells = [f"2026-03-{day:02}T12:00:00Z", *row[1:]]
            cells[first] = repr(float(row[first]) * (1 + 0.001 * (day % 3)) * (2 if day > 10 else 1))
            writer.writerow(cells)
    metrics = [CsvMetric(name, 1, 1.0, name) for name in header[4:]]
    config = CsvTestConfig("assay", str(file), CsvOptions(), "time", metrics, ["host", "version", "marks"])
    series = CsvImporter().fetch_data(config, all_times())
    assert len(series.data) == len(metrics) and series.data[header[first]][0] == float(row[first]) * 1.001
    changes = series.analyze().change_points[header[first]]
    assert [change.index for change in changes] == [10], changes
    return f"{len(metrics)} metrics"


def check_markdown(assay, _source, folder):
    """A reader of Markdown tables finds a row per result with its marks, and all rows have the width of the header."""
    require_packages("markdown_it")
    from markdown_it import MarkdownIt  # only where it is installed

    results = measured(assay, folder, "a")
    tokens = MarkdownIt("commonmark").enable("table").parse(export(assay, results, "markdown"))
    records = results_of(assay, results)["results"]
    rows = [one.type for one in tokens].count("tr_open") - [one.type for one in tokens].count("thead_open")
    assert rows == len(records), (rows, len(records))
    cells = [one.content for one in tokens if one.type == "inline"]
    assert cells.count("not-converged") == sum(one["marks"] == ["not-converged"] for one in records) > 0
    return f"{rows} rows"


def check_pandas(assay, _source, folder):
    """pandas reads both forms of CSV, numbers as numbers."""
    require_packages("pandas")
    import pandas  # only where it is installed

    results = measured(assay, folder, "a")
    records = [one for one in results_of(assay, results)["results"] if one["quantity"]]
    long = pandas.read_csv(io.StringIO(export(assay, results, "csv-long")))
    assert sorted(long[long.basis != "derived"]["median"]) == sorted(one["median"] for one in records)
    wide = pandas.read_csv(io.StringIO(export(assay, results, "csv")))
    assert wide.filter(regex="_median$").dtypes.map(pandas.api.types.is_numeric_dtype).all()
    return f"{len(long)} and {len(wide)} rows"


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
