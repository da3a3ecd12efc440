# SPDX-License-Identifier: Apache-2.0
"""The machine's own package sources and settings of apt, for another suite of the same distribution."""

import re
from pathlib import Path

# Names of one-line options whose deb822 field is called otherwise than themselves.
FIELDS = {"arch": "Architectures", "lang": "Languages", "target": "Targets"}
POCKETS = ("", "updates", "security")
ROLLING = ("sid", "unstable")
ALIASES = ("oldstable", "stable", "testing", "unstable", "sid")
# How apt reaches its sources and whether it believes them; the rest is a matter of the machine's taste.
REACHING = re.compile(
    r"Acquire::(?:(?:http|https|socks|ftp)(?:::|\b)|Check-Valid-Until|Check-Date|Retries|ForceIPv[46]|Queue-Mode|By-Hash|Languages)", re.I
)


def of_lines(text):
    """Sources of the format with one line each, as (field, value) dictionaries like those of deb822."""
    found = []
    for line in text.splitlines():
        matched = re.match(r"deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*(.*)", line.split("#")[0].strip())
        if not matched:
            continue
        options, uri, suite, components = matched.groups()
        source = {"URIs": uri, "Suites": suite, "Components": components}
        for option in (options or "").split():
            name, _, value = option.partition("=")
            source[FIELDS.get(name.lower(), name.title())] = value.replace(",", " ")
        found.append(source)
    return found


def of_deb822(text):
    """Sources of the format with fields; what is not enabled, or only of sources to compile, is left out."""
    found = []
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for stanza in re.split(r"\n[ \t]*\n", "\n".join(lines)):
        source = {}
        for field, value in re.findall(r"^([A-Za-z0-9-]+):(.*(?:\n[ \t].*)*)", stanza, re.MULTILINE):
            source[field] = value.strip()
        wanted = source.pop("Enabled", "yes").lower() not in ("no", "false", "0") and "deb" in source.pop("Types", "").split()
        if wanted and "URIs" in source and "Suites" in source:
            found.append(source)
    return found


def of_machine(folder=Path("/etc/apt")):
    """All sources that apt reads on this machine."""
    found = []
    for path in [folder / "sources.list", *sorted((folder / "sources.list.d").glob("*"))]:
        if path.suffix == ".list" and path.is_file():
            found += of_lines(path.read_text())
        elif path.suffix == ".sources":
            found += of_deb822(path.read_text())
    return found


def for_suite(sources, codename, suite):
    """The distribution's own sources with the suite's name replaced; empty where there are none."""
    found = []
    for source in sources:
        # Sources of others use the distribution's code name too, but rarely call their component "main".
        if "main" not in source.get("Components", "").split():
            continue
        pockets = []
        for name in source["Suites"].split():
            base, _, pocket = name.partition("-")
            if base in (codename, *ALIASES) and pocket in POCKETS and not (pocket and suite in ROLLING):
                pockets.append(f"{suite}-{pocket}" if pocket else suite)
        if pockets:
            found.append({**source, "Suites": " ".join(dict.fromkeys(pockets))})
    return found


def as_text(sources):
    """A file of deb822 format."""
    return "\n".join("Types: deb\n" + "".join(f"{field}: {value}\n" for field, value in source.items()) for source in sources)


def keyrings(sources, folder=Path("/etc/apt")):
    """Files of keys that apt needs for the sources: those they name, or those trusted for whatever names none."""
    named = [word for source in sources for word in source.get("Signed-By", "").split() if word.startswith("/")]
    if all("Signed-By" in source for source in sources):
        return [Path(name) for name in dict.fromkeys(named)]
    trusted = sorted((folder / "trusted.gpg.d").glob("*")) + [folder / "trusted.gpg"]
    return [Path(name) for name in dict.fromkeys(named)] + [path for path in trusted if path.is_file()]


def settings(dump, environment):
    """Lines of an apt.conf: what `apt-config dump` reports on reaching sources, and proxies that only the environment names."""
    kept = [line for line in dump.splitlines() if REACHING.match(line) and not line.endswith('"";')]
    for scheme in ("http", "https"):
        proxy = environment.get(f"{scheme}_proxy") or environment.get(f"{scheme}_proxy".upper())
        if proxy and not any(line.lower().startswith(f"acquire::{scheme}::proxy ") for line in kept):
            kept.append(f'Acquire::{scheme}::Proxy "{proxy}";')
    return "".join(line + "\n" for line in kept)
