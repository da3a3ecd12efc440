#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every picture that README and doc/ show exists and runs nothing, every one in doc/pictures is shown, and together they stay small.

Usage: pictures.py SOURCE_DIRECTORY
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

MOST_BYTES = 1_500_000


def shown(source):
    """Files that documents show, with the document."""
    for document in [source / "README.md", *sorted((source / "doc").rglob("*.md"))]:
        for name in re.findall(r"!\[[^]]*\]\(([^)]+)\)", document.read_text(encoding="utf-8")):
            yield document, (document.parent / name).resolve()


def faults_of(picture):
    """Why a vector picture is not inert."""
    if picture.suffix != ".svg":
        return
    for element in ElementTree.parse(picture).iter():
        if element.tag.endswith(("}script", "}foreignObject")) or any(key.lower().startswith("on") for key in element.attrib):
            yield f"{picture} has {element.tag} {sorted(element.attrib)}"


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    named = {picture: document for document, picture in shown(source)}
    kept = {path.resolve() for path in (source / "doc" / "pictures").iterdir()}
    faults = [f"{document} shows {picture}, which is not there" for picture, document in named.items() if not picture.is_file()]
    faults += [f"{picture} is shown nowhere" for picture in kept - set(named)]
    faults += [fault for picture in named if picture.is_file() for fault in faults_of(picture)]
    size = sum(path.stat().st_size for path in kept)
    if size > MOST_BYTES:
        faults.append(f"doc/pictures has {size} bytes, of at most {MOST_BYTES}")
    print("\n".join(f"error: {fault}" for fault in faults) or f"{len(named)} pictures, {size} bytes")
    return 1 if faults or not named else 0


if __name__ == "__main__":
    sys.exit(main())
