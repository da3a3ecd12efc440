# SPDX-License-Identifier: Apache-2.0
"""The script that draws charts: the one that the wheel carries, else that of the package plotly."""

from importlib import resources

from assay_report.wanted import NotInstalled

BUNDLED = "plotly.min.js"
OLDEST = (5, 20)


def plotly_script() -> str:
    """Its text; raises NotInstalled where there is none, or one that does not know all that the charts ask for."""
    bundled = resources.files("assay_report").joinpath(BUNDLED)
    text = bundled.read_text(encoding="utf-8") if bundled.is_file() else _of_package()
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _of_package() -> str:
    try:
        import plotly
        from plotly.offline import get_plotlyjs
    except ImportError as error:
        raise NotInstalled(
            "there is no plotly, which draws the charts: install the wheel of the report, which carries its script "
            "(tools/report/wheel makes it), or the package plotly"
        ) from error
    if tuple(int(part) for part in plotly.__version__.split(".")[:2]) < OLDEST:
        raise NotInstalled(
            f"plotly {plotly.__version__} is too old, {'.'.join(map(str, OLDEST))} is needed: install the package in a "
            "virtual environment (see 'The report' in installing.md of Assay's documents)"
        )
    return str(get_plotlyjs())
