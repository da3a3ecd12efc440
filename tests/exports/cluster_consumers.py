# SPDX-License-Identifier: Apache-2.0
"""Reads the exports of a cluster's report with the programs that they are for: cluster_consumers.py CHECK ASSAY SOURCE. Exit code 77: left out."""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from consumers import CAMPAIGN, export, measured, parsed, require_packages


def check_prometheus(assay, _source, folder):
    """The parser of the older text format, as the node exporter's textfile collector has it, reads the same values, and every type is one that it knows."""
    require_packages("prometheus_client")
    from prometheus_client import openmetrics, parser  # only where it is installed
    import prometheus_client.openmetrics.parser

    results = gathered(assay, folder)
    text = export(assay, results, "prometheus")
    families = list(parser.text_string_to_metric_families(text))
    assert {one.type for one in families} == {"gauge"}, {one.type for one in families}
    newer = openmetrics.parser.text_string_to_metric_families(export(assay, results, "openmetrics"))
    values = [sorted((sample.name, tuple(sorted(sample.labels.items())), sample.value) for one in all_of for sample in one.samples) for all_of in (families, newer)]
    assert values[0] == values[1] and any(name == "assay_node_verdict" for name, _, _ in values[0])
    return f"{len(families)} families"


def gathered(assay, folder):
    """The report on four nodes, of which one could not measure, by a launcher that starts nothing."""
    nodes = folder / "cluster" / "nodes"
    nodes.mkdir(parents=True)
    for name in ("n0", "n1", "n3"):
        measured(assay, nodes, name)
    for name in ("n0", "n1", "n2", "n3"):
        (nodes / f"{name}.present").write_text("0", encoding="utf-8")
    (nodes / "n2.problem").write_text("its disk is full", encoding="utf-8")
    (folder / "c.ini").write_text(CAMPAIGN, encoding="utf-8")
    done = subprocess.run([assay, "cluster", folder / "c.ini", "--launcher", "true", "--output", folder / "cluster"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 7, done.stderr
    return folder / "cluster"


def check_cluster_schema(assay, source, folder):
    """The report on a cluster fits its schema, which refuses what does not."""
    require_packages("jsonschema")
    import jsonschema  # only where it is installed

    schema = json.loads((source / "doc" / "cluster.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    whole = parsed(export(assay, gathered(assay, folder), "cluster-json"))
    validator = jsonschema.Draft7Validator(schema)
    validator.validate(whole)
    assert {one["node"]: one["verdict"] for one in whole["nodes"]}["n2"] == "lacking" and whole["deviating"]
    for spoil in (lambda report: report["nodes"][0].update(verdict="bad"), lambda report: report.pop("tables"),
                  lambda report: report["tables"][0]["rows"][0].update(value="nan")):
        spoilt = json.loads(json.dumps(whole))
        spoil(spoilt)
        assert not validator.is_valid(spoilt), "a schema that takes anything says nothing"
    return f"{len(whole['nodes'])} nodes"


def crc32c(data):
    """Castagnoli's, as journals have it."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def as_measured_on(campaign, copy, node, day, times):
    """A campaign as it would be of another node and day, with all results `times` as large; of visits it has none."""
    lines = []
    for line in (campaign / "journal.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["type"] not in ("campaign", "session", "series", "point", "end"):
            continue
        del record["crc"]
        record["seq"] = len(lines)
        if record["type"] == "session":
            record["started"] = f"2026-03-{day:02}T01:00:00Z"
            record["facts"]["host.name"] = node
        for result in record.get("results", []):
            for estimate in (result["headline"], result["verdict"]["estimate"]):
                for end in ("value", "low", "high"):
                    estimate[end] *= times
        text = json.dumps(record, separators=(",", ":"), ensure_ascii=False)[:-1].encode()
        lines.append(text + b',"crc":"%08x"}\n' % crc32c(text))
    copy.mkdir()
    (copy / "journal.jsonl").write_bytes(b"".join(lines))
    return copy


def check_fleet_otava(assay, _source, folder):
    """Apache Otava's importer reads the history of one node of a fleet, and finds the day from which on it is slow."""
    require_packages("otava")
    from otava.importer import CsvImporter
    from otava_times import CsvMetric, CsvOptions, CsvTestConfig, all_times

    one_point = re.sub(r"median = .*", "median = 1000", CAMPAIGN[:CAMPAIGN.index("[series.claims]")])
    original = measured(assay, folder, "original", one_point)
    history = ["--file", folder / "history.sqlite"]
    campaigns = [as_measured_on(original, folder / f"{node}-{day}", node, day, (1.3 if node == "n2" and day > 10 else 1) * (1 + 0.001 * ((day + int(node[1])) % 3)))
                 for node in ("n1", "n2", "n3", "n4", "n5") for day in range(1, 21)]
    subprocess.run([assay, "history", "add", *campaigns, *history], check=True, capture_output=True, timeout=120)
    found = {}
    for node in ("n1", "n2"):
        done = subprocess.run([assay, "history", "fleet", "--format", "otava", "--node", node, *history], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        (folder / f"{node}.csv").write_text(done.stdout, encoding="utf-8")
        header = next(csv.reader(done.stdout.splitlines()))
        assert header[:4] == ["time", "host", "version", "marks"] and len(header) > 4, header
        config = CsvTestConfig(node, str(folder / f"{node}.csv"), CsvOptions(), "time", [CsvMetric(name, 1, 1.0, name) for name in header[4:]], header[1:4])
        series = CsvImporter().fetch_data(config, all_times())
        assert all(len(series.data[name]) == 20 for name in header[4:])
        found[node] = {name: [change.index for change in changes] for name, changes in series.analyze().change_points.items() if changes}
    assert not found["n1"] and found["n2"] and all(changes == [10] for changes in found["n2"].values()), found
    return f"{len(campaigns)} campaigns"


def main():
    check, assay, source = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    with tempfile.TemporaryDirectory() as name:
        print(f"{check}: {globals()['check_' + check](assay, source, pathlib.Path(name))}")


if __name__ == "__main__":
    main()
