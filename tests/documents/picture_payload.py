#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Feeds tools/picture.py results whose every text is an attack, and reads the picture strictly: our own elements only, plain attributes."""
import csv
import io
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(sys.argv[1])
PAYLOADS = ["</text><script>alert(1)</script>", '"><svg onload=alert(1)>', "&lt;b&gt; &amp; ]]>", "\x1b[31mred\x07", "\u202egnp", "'=1+1"]
ELEMENTS = {"svg", "rect", "text", "line", "circle", "polygon"}
PLAIN = re.compile(r"^[#0-9a-z ,.-]+$")
COLUMNS = ["series", "channel", "vehicle", "placement", "regime", "regime_share", "median", "low", "high", "verdict"]


def results():
    rows = [["handoff" + text, text, text, text, text, "1", "100", "90", "110", text] for text in PAYLOADS]
    rows += [["handoff", "x", "thread", "bound", "spin", "1", bad, bad, bad, "converged"] for bad in ("nan", "inf", "-1", "0", '"><b>', "")]
    out = io.StringIO()
    csv.writer(out).writerows([COLUMNS] + rows)
    return out.getvalue()


def main():
    done = subprocess.run([sys.executable, ROOT / "tools" / "picture.py"], input=results(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    picture = ElementTree.fromstring(done.stdout)
    texts = [element.text for element in picture.iter() if element.text]
    for element in picture.iter():
        name = element.tag.removeprefix("{http://www.w3.org/2000/svg}")
        assert name in ELEMENTS, name
        for key, value in element.attrib.items():
            assert PLAIN.match(value), (name, key, value)
    for payload in PAYLOADS[:3]:
        assert any(payload in text for text in texts), f"{payload} is not shown as it is"
    assert not any(ord(letter) < 32 or letter == "\u202e" for letter in done.stdout.replace("\n", "")), "control characters"
    assert len([text for text in texts if text.endswith(", spin")]) == 0, "rows without a number are left out"


main()
