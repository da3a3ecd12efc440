# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium that tells what a page did: its errors, its charts, what pointing at a chart shows."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


@contextmanager
def browser(width: int = 1280, height: int = 1000) -> Iterator[Any]:
    """The browser; the test is skipped where it or what steers it is missing."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("there is no chromium with a chromedriver: tools/deps report installs them")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        f"--window-size={width},{height}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    made = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=driver))
    try:
        made.set_script_timeout(120)
        yield made
    finally:
        made.quit()


def draw_all(page: Any) -> int:
    """Draws every chart as printing does; returns how many there are."""
    page.execute_script("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    failed = page.execute_async_script(
        "const done = arguments[0]; assayReport.drawAll().then(() => "
        "done(Array.from(document.querySelectorAll('.plot')).filter(p => p.dataset.drawn !== 'yes' || !p.querySelector('svg.main-svg')).length))"
    )
    assert failed == 0, f"{failed} charts were not drawn"
    return page.execute_script("return assayReport.plots")


def errors(page: Any) -> list[str]:
    """What the console has that is not mere information."""
    return [entry["message"] for entry in page.get_log("browser") if entry["level"] in {"SEVERE", "WARNING"}]


def requests(page: Any) -> list[str]:
    """Addresses other than the page's own that were asked for."""
    import json

    asked = []
    for entry in page.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            asked.append(message["params"]["request"]["url"])
    return [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]


def address(file: Path) -> str:
    return file.resolve().as_uri()


def screen(url: str, width: int, height: int, scheme: str = "light") -> bytes:
    """A picture of a page's beginning on a screen of so many pixels, with all charts in it drawn."""
    import base64

    with browser(width, height) as page:
        told = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", told)
        scheme_told = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme_told)
        page.get(url)
        page.execute_async_script("const done = arguments[0]; assayReport.drawAll().then(() => setTimeout(done, 800))")
        assert errors(page) == []
        return base64.b64decode(page.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"])
