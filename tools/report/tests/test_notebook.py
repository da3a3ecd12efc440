# SPDX-License-Identifier: Apache-2.0
"""The notebook of the documents runs from top to bottom, and is stored without what it put out."""

import json
from pathlib import Path

import pytest
from conftest import REPOSITORY

NOTEBOOK = REPOSITORY / "doc/campaign.ipynb"


def cells() -> list[dict]:
    return [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]


def test_the_notebook_is_stored_without_outputs() -> None:
    assert len(cells()) >= 6 and not any(cell["outputs"] or cell["execution_count"] for cell in cells())
    assert NOTEBOOK.stat().st_size < 20_000


def test_its_cells_run_without_any_notebook(selftest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_CAMPAIGN", str(selftest))
    names: dict = {"__name__": "__main__"}
    for cell in cells():
        exec("".join(cell["source"]), names)  # the repository's own
    assert names["campaign"].title == "selftest" and len(names["sound"]) > 0


def test_the_notebook_runs(selftest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    monkeypatch.setenv("ASSAY_CAMPAIGN", str(selftest))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    texts = [output["data"]["text/plain"] for output in outputs if "data" in output]
    assert len(texts) == 6 and "selftest" in texts[0]
    ratios = next(text for text in texts if "std" in text)
    assert "mean      1.0" in ratios and "max       1.0" in ratios, ratios
