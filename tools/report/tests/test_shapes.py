# SPDX-License-Identifier: Apache-2.0
"""Records with a right checksum that are not what their type says: refused with their line, or of no consequence."""

import random
from pathlib import Path
from typing import Any

import orjson

from assay_report import ResultError, load
from assay_report.journal import crc32c
from assay_report.page_parts import campaign_part
from assay_report.program import Program

STRANGE = [None, "x", -1, 1.5, True, [], {}, ["x"], {"x": 1}]


def places(value: Any, where: tuple = ()) -> list[tuple]:
    """Where the members of a record are, nested ones too."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, member in items for place in [(*where, key), *places(member, (*where, key))]]


def mutated(record: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The record without one of its members, or with something strange in its place."""
    made = orjson.loads(orjson.dumps(record))
    *path, last = rng.choice([place for place in places(made) if place[0] not in {"v", "seq", "type", "crc"}])
    parent = made
    for key in path:
        parent = parent[key]
    if rng.random() < 0.3:
        del parent[last]
    else:
        parent[last] = rng.choice(STRANGE)
    return made


def test_records_of_another_shape_are_refused(selftest: Path, tmp_path: Path) -> None:
    rng = random.Random(7)
    records = [orjson.loads(line) for line in (selftest / "journal.jsonl").read_bytes().splitlines()]
    chosen = [at for at, one in enumerate(records) if one["type"] not in {"begin", "visit", "incarnation"}]
    refused = 0
    for _ in range(25):
        at = rng.choice(chosen)
        lines = []
        for number, record in enumerate(records):
            body = {**(mutated(record, rng) if number == at else record)}
            body.pop("crc", None)
            text = orjson.dumps(body)[:-1]
            lines.append(text + b',"crc":"%08x"}\n' % crc32c(text))
        (tmp_path / "journal.jsonl").write_bytes(b"".join(lines))
        try:
            campaign = load(tmp_path, observations=False)
            assert len(campaign.points) and campaign.derived is not None and campaign.provenance is not None
            campaign_part(campaign, Program(None))
        except ResultError as error:
            assert f"line {at + 1}" in str(error)
            refused += 1
    assert refused > 8
