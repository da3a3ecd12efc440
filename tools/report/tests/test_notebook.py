# SPDX-License-Identifier: Apache-2.0
"""The notebook of the documents runs from top to bottom."""

from pathlib import Path

import pytest
from conftest import REPOSITORY

nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")


def test_the_notebook_runs(selftest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_CAMPAIGN", str(selftest))
    notebook = nbformat.read(REPOSITORY / "tools/report/examples/campaign.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    texts = [output["data"]["text/plain"] for output in outputs if "data" in output]
    assert len(texts) == 6 and "selftest" in texts[0]
    ratios = next(text for text in texts if "std" in text)
    assert "mean      1.0" in ratios and "max       1.0" in ratios, ratios
