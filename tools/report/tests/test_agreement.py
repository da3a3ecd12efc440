# SPDX-License-Identifier: Apache-2.0
"""One campaign says one thing: tables, both forms of CSV, JSON and the page agree to the last digit, and in every mark."""

import csv
import html
import io
import json
import random
import re
import subprocess
from pathlib import Path

import pytest
from journals import JournalWriter, random_result, result

from assay_report import load
from assay_report.report_command import main

LEAST_SHARE = 0.25  # regimes of fewer batches are in exports only
SUMMARY = {"avg": "mean", "std": "stddev", "min": "min", "max": "max"}
WORDS = {"!": "not-converged", "~": "short-term", "#": "noisy", "?": "no-interval", "^": "cpus-moved"}


def marked(directory: Path) -> Path:
    """Every mark by itself and all together, regimes, points without a number, values of any size."""
    rng = random.Random(7)
    writer = JournalWriter(directory, "marked")
    estimate = {"statistic": "median", "value": 1234.5, "low": 1200.25, "high": 1300.75, "level": 0.95, "basis": "visits"}
    stopped = {"outcome": "max-time", "reason": "the time was over", "estimate": estimate}
    moved = {"visits": 3, "median_ns": 100.0, "low_ns": 90.0, "high_ns": 110.0, "moved": True}
    other = {"low": 1100.25, "high": 1400.5, "level": 0.95, "from": 6}
    everything = {"verdict": stopped, "noisy": True, "disturbed_share": 0.3, "term": "short-term"}
    cases = {
        "plain": ([result(1234.5, 1200.25, 1300.75)], {}),
        "stopped": ([result(1234.5, 1200.25, 1300.75, verdict=stopped)], {}),
        "other-day": ([result(1234.5, 1200.25, 1300.75, another_day=other)], {}),
        "noisy": ([result(999.96, 999.9, 1000.1, noisy=True, disturbed_share=0.0625)], {}),
        "short": ([result(0.00123456, 0.0012, 0.0013, term="short-term")], {}),
        "moved": ([result(1e9, 1e9, 1e9)], {"reference": moved}),
        "no-interval": ([result(-17.25, 1.0, 0.0)], {}),
        "all": ([result(-17.25, 1.0, 0.0, **everything)], {"reference": moved}),
        "regimes": (
            [
                result(2e6, 1.9e6, 2.2e6, regime=regime, regime_share=share, noisy=regime == "blocked")
                for regime, share in (("spin", 0.55), ("blocked", 0.35), ("mixed", 0.1))
            ],
            {},
        ),
        "none": ([], {"outcome": "timeout", "reason": "the watchdog's"}),
        "impossible": ([], {"outcome": "not-applicable", "code": "N1", "reason": "one CPU"}),
    }
    for series in ("each", "together"):
        for name, (results, members) in cases.items():
            own = f"{series}-{name}" if series == "each" else series
            writer.series(own)
            writer.point(own, {"case": name, "size": 4096}, results, **members)
    for unit in ("ns", "B", "B/s", "1/s", "1", "ratio"):
        writer.series(f"any-{unit}", unit)
        for number in range(12):
            writer.point(f"any-{unit}", {"number": number}, [random_result(rng, unit)])
    return writer.end()


@pytest.fixture(scope="module", params=["selftest", "marked"])
def campaign(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if request.param == "selftest":
        return request.getfixturevalue("selftest")
    return marked(tmp_path_factory.mktemp("marked") / "c")


def output_of(program: str, *arguments: object) -> str:
    return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def exported(program: str, campaign: Path, kind: str) -> list[dict]:
    """The results of an export, without derived values."""
    text = output_of(program, "export", campaign, "--format", kind, *["--csv-raw"] * (kind != "json"))
    if kind == "json":
        return json.loads(text)["results"]
    return [row for row in csv.DictReader(io.StringIO(text)) if row.get("basis") != "derived"]


def same(cell: str, value: object) -> bool:
    """Whether a cell is the shortest text of a number, or empty where there is none."""
    return cell == "" if value is None else float(cell) == value and len(cell) <= len(repr(value))


def is_shown(one: dict) -> bool:
    return one["quantity"] is None or one["regime_share"] >= LEAST_SHARE


def test_csv_in_its_long_form_agrees_with_json(program: str, campaign: Path) -> None:
    results, rows = exported(program, campaign, "json"), exported(program, campaign, "csv-long")
    assert len(results) == len(rows) > 20
    for one, row in zip(results, rows, strict=True):
        assert (row["series"], row["quantity"] or None, row["regime"] or None) == (
            one["series"],
            one["quantity"],
            one["regime"],
        )
        for name in ("median", "low", "high", "mean", "stddev", "min", "max"):
            assert same(row[name], one[name]), (one, name, row[name])
        for name in ("low", "high", "from"):
            assert same(row[f"another_day_{name}"], (one.get("another_day") or {}).get(name))
        assert row["verdict"] == one["verdict"] and (row["n"] or "0") == str(one["n"])


def results_of(row: dict, results: list[dict]) -> list[dict]:
    """The results that a row of CSV holds: those of its series, levels and regime."""
    return [
        one
        for one in results
        if (one["series"], one["regime"] or "") == (row["series"], row["regime"])
        and all(row[name] == str(level) for name, level in one["parameters"].items())
    ]


def assert_columns_agree(row: dict, one: dict) -> None:
    quantity = one["quantity"]
    for suffix, name in {"median": "median", "lo": "low", "hi": "high", **SUMMARY}.items():
        assert same(row[f"{quantity}_{suffix}"], one[name]), (one, suffix)
    cells = [row[f"{quantity}_{suffix}"] for suffix in ("cnt", "unit", "verdict", "marks")]
    assert cells == [str(one["n"]), one["unit"], one["verdict"], " ".join(one["marks"])]


def test_csv_agrees_with_json(program: str, campaign: Path) -> None:
    results, seen = exported(program, campaign, "json"), 0
    for row in exported(program, campaign, "csv"):
        for one in results_of(row, results):
            seen += 1
            if one["quantity"] is not None:
                assert_columns_agree(row, one)
            else:
                assert row["marks"] == "no-number" and not any(row[name] for name in row if name.endswith("_median"))
    assert seen == len(results) > 20


def text_of(one: dict) -> list[str]:
    """What stands in a row of a table: value, marks, interval, unit and half-width."""
    text = one["text"]
    assert [WORDS[mark] for mark in text["marks"]] == one["marks"]
    return [text["median"], text["marks"], text["low"], text["high"], text["unit"], text["percent"]]


def test_tables_print_the_texts_of_json(program: str, campaign: Path) -> None:
    """In the order of the rows: each stands in a line behind that of the one before."""
    lines = iter([" ".join(line.split()) for line in output_of(program, "show", "--verbose", campaign).splitlines()])
    for one in filter(is_shown, exported(program, campaign, "json")):
        if one["quantity"] is None:
            wanted = one["text"]["verdict"]
        else:
            value, marks, low, high, *rest = text_of(one)
            interval = [low] if low == "-" else [low, "..", high]
            wanted = " ".join(filter(None, [value, marks, *interval, *rest]))
        assert any(f" {wanted} " in f" {line} " and one["text"]["verdict"] in line for line in lines), wanted


def page_rows(campaign: Path, output: Path) -> list[tuple[str, bool, list[str]]]:
    """Series, whether it is marked, and cells of each row of the page's tables."""
    assert main([str(campaign), "--output", str(output)]) == 0
    rows = []
    for section in re.findall(r'<section id="series-[^"]+" class="series">.*?</section>', output.read_text(), re.DOTALL):
        name = html.unescape(re.search("<h2>(.*?) <a ", section).group(1))
        table = section[section.index('<table class="points">') :]
        for row_class, cells in re.findall(r"<tr( class=\"marked\")?>((?:<td.*?</td>)+)</tr>", table, re.DOTALL):
            texts = re.findall(r"<td[^>]*>(.*?)</td>", cells, re.DOTALL)
            rows.append((name, bool(row_class), [html.unescape(text) for text in texts]))
    return rows


def test_the_page_prints_the_texts_of_json(program: str, campaign: Path, tmp_path: Path) -> None:
    results = [one for one in exported(program, campaign, "json") if is_shown(one)]
    rows = page_rows(campaign, tmp_path / "r.html")
    assert len(rows) == len(results) > 20
    for one, (series, is_marked, cells) in zip(results, rows, strict=True):
        assert series == one["series"] and is_marked == bool(one["marks"])
        assert cells[-1] == one["text"]["verdict"]
        if series in ("each-other-day", "together"):
            text = cells.pop(-6)
            assert (text == "-") == (one.get("another_day") is None)
            assert text in ("-", "1.10 .. 1.40", "1100 .. 1400"), text
        if one["quantity"] is not None:
            assert cells[-11:-4] == [*text_of(one), one["text"]["regime"]], (cells, one["text"])
            assert cells[-4] == str(one["n"])
        else:
            assert cells[-11:-4] == ["-", "", "-", "-", "-", "-", "-"]


def test_derived_values_agree(program: str, selftest: Path, tmp_path: Path) -> None:
    derived = json.loads(output_of(program, "export", selftest, "--format", "json"))["derived"]
    text = output_of(program, "export", selftest, "--format", "csv-long")
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["basis"] == "derived"]
    printed = output_of(program, "show", "--verbose", selftest)
    assert main([str(selftest), "--output", str(tmp_path / "r.html")]) == 0
    page = (tmp_path / "r.html").read_text()
    frame = load(selftest, observations=False).derived
    assert len(derived) == len(rows) == len(frame) == 2
    for one, row, (_, read) in zip(derived, rows, frame.iterrows(), strict=True):
        for name, column in {"value": "median", "low": "low", "high": "high"}.items():
            assert same(row[column], one[name]) and read[name] == one[name]
        values = re.findall(rf"^{one['name']} of .* = (.*) \(", printed, re.MULTILINE)
        assert len(values) == 1 and f'<td class="number">{values[0]}</td>' in page
