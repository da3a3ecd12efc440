# SPDX-License-Identifier: Apache-2.0
"""What pyproject.toml cannot say: a wheel carries the script that draws charts, so that what it installs is small.

The package plotly, which has the script, takes 60 MB; the script is 5 MB of them. An editable installation uses the package.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithScript(build_py):
    """Adds the script to what is built."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        from plotly.offline import get_plotlyjs

        Path(self.build_lib, "assay_report", "plotly.min.js").write_text(get_plotlyjs(), encoding="utf-8")


setup(cmdclass={"build_py": BuildWithScript})
