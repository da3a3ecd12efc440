# SPDX-License-Identifier: Apache-2.0
"""The machine as nested boxes, from the topology that a session keeps."""

from dataclasses import dataclass, field
from xml.etree import ElementTree

from assay_report.numbers import shortest_text

_KINDS = {
    "Machine": "machine",
    "Package": "package",
    "Core": "core",
    "PU": "CPU",
    "NUMANode": "memory",
    "Group": "group",
    "Die": "die",
}
MOST_BOXES = 2000


@dataclass
class Box:
    """One part of the machine."""

    kind: str
    label: str
    inside: list["Box"] = field(default_factory=list)


def machine_box(xml: str) -> Box | None:
    """The machine's box with those inside it; None where there is no topology that can be drawn."""
    if not xml or "<!ENTITY" in xml:  # a topology defines none, and they could grow without bound
        return None
    try:
        root = ElementTree.fromstring(xml)
    except ElementTree.ParseError:
        return None
    machine = root.find("object")
    return _box(machine, [0]) if machine is not None else None


def _box(element: ElementTree.Element, count: list[int]) -> Box | None:
    kind = element.get("type", "")
    count[0] += 1
    inside = [
        box for child in element.findall("object") if count[0] < MOST_BOXES and (box := _box(child, count)) is not None
    ]
    if "Cache" in kind:
        if kind.endswith("iCache"):
            return inside[0] if inside else None
        return Box("cache", f"{kind.removesuffix('Cache')} {_size(element.get('cache_size'))}", inside)
    if kind not in _KINDS:
        return inside[0] if len(inside) == 1 else Box("group", kind, inside) if inside else None
    label = _KINDS[kind] + (
        f" {element.get('os_index')}" if element.get("os_index") and kind not in {"Machine"} else ""
    )
    if kind == "NUMANode":
        label += f", {_size(element.get('local_memory'))}"
    return Box(kind.lower(), label, inside)


def _size(text: str | None) -> str:
    size = float(text) if text and text.isdigit() else 0.0
    for name in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or name == "GiB":
            return f"{shortest_text(float(f'{size:.3g}'))} {name}"
        size /= 1024
    return ""
