# SPDX-License-Identifier: Apache-2.0
"""Holds crates against the validator of RO-Crates (roc-validator): crate.py ASSAY SOURCE. Exit code 77: left out.

The contexts that crates name are read from a package, not from the network: a test asks no server.
"""
import io
import json
import pathlib
import subprocess
import sys
import tempfile

from consumers import measured, require_packages

CONTEXT = "https://w3id.org/ro/crate/1.1/context"
# What is recommended and cannot be followed: the program has no public address, and where authors work is not asked.
NOT_FOLLOWED = {"The author SHOULD have an organizational affiliation.",
                "The author SHOULD have a Contextual Entity which specifies the organizational `affiliation`.",
                "The Application SHOULD have a url", "The SoftwareApplication id SHOULD be an absolute URI",
                "The `publisher` property of a `Root Data Entity` SHOULD be an `Organization`"}


def serve_contexts():
    """Answers requests for the context of RO-Crate 1.1, and refuses all others."""
    import requests
    import rocrate
    import urllib3

    content = (pathlib.Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld").read_bytes()
    assert json.loads(content)["@id"] == CONTEXT, "this version of rocrate has the context of another RO-Crate: tests/exports/setup"

    def send(adapter, request, **_options):
        if request.url != CONTEXT:
            raise requests.ConnectionError(f"a test asks for {request.url}")
        answer = urllib3.HTTPResponse(body=io.BytesIO(content), status=200, preload_content=False,
                                      headers={"Content-Type": "application/ld+json"})
        return adapter.build_response(request, answer)

    requests.adapters.HTTPAdapter.send = send


def findings(crate, severity):
    """What the validator says of a crate, by its profile."""
    from rocrate_validator import models, services

    settings = models.ValidationSettings(rocrate_uri=str(crate), profile_identifier="process-run-crate",
                                         requirement_severity=getattr(models.Severity, severity))
    return [issue.message for issue in services.validate(settings).get_issues()]


def export(assay, results, folder, *options):
    done = subprocess.run([assay, "export", results, "--format", "ro-crate", "--output", folder, *options],
                          capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def main():
    require_packages("rocrate_validator", "rocrate")
    serve_contexts()
    assay = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        results = measured(assay, folder, "a")
        author = "Jane Doe <https://orcid.org/0000-0002-1825-0097>"
        whole = export(assay, results, folder / "whole", "--author", author, "--license", "CC-BY-4.0")
        assert findings(whole, "REQUIRED") == []
        recommended = set(findings(whole, "RECOMMENDED"))
        assert recommended <= NOT_FOLLOWED, recommended - NOT_FOLLOWED
        assert findings(export(assay, results, folder / "bare"), "REQUIRED") == []
        # A validator that takes anything says nothing.
        (whole / "results.csv").unlink()
        assert findings(whole, "REQUIRED"), "a crate without one of its files is valid"
        bare = folder / "bare" / "ro-crate-metadata.json"
        bare.write_text(bare.read_text(encoding="utf-8").replace('"instrument"', '"tool"'), encoding="utf-8")
        assert findings(folder / "bare", "REQUIRED"), "a crate whose action has no instrument is valid"
    print("crate: valid by Process Run Crate 0.5")


if __name__ == "__main__":
    main()
