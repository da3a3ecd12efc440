# SPDX-License-Identifier: Apache-2.0
"""Reads the exports of a cluster's report with the programs that they are for: cluster_consumers.py CHECK ASSAY SOURCE. Exit code 77: left out."""
import json
import pathlib
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


def main():
    check, assay, source = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    with tempfile.TemporaryDirectory() as name:
        print(f"{check}: {globals()['check_' + check](assay, source, pathlib.Path(name))}")


if __name__ == "__main__":
    main()
