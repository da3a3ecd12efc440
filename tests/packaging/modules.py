#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Module files of an installation that was moved: loading sets every path, unloading takes all of it back.

Usage: modules.py PREFIX
Skipped (exit code 77) where neither Lmod nor Environment Modules is installed.
"""
import pathlib
import subprocess
import sys

SYSTEMS = {"Lmod": "/usr/share/lmod/lmod/init/bash", "Environment Modules": "/usr/share/modules/init/bash"}
VARIABLES = ("PATH", "MANPATH", "PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH")
SCRIPT = """
. "$1"
show() { for name in PATH MANPATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH; do printf '%s=%s\\n' "$name" "${!name:-}"; done; }
unset MANPATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH
module use "$2/share/assay/modulefiles"
show
echo loading
module load assay || exit 1
show
echo "assay=$(command -v assay)"
echo "flags=$(pkg-config --cflags assay)"
module help assay 2>&1 | grep -c 'assay help'
echo unloading
module unload assay
show
"""


def told(system, prefix):
    """What the shell says: before loading, after it, and after unloading."""
    done = subprocess.run(["bash", "-c", SCRIPT, "bash", SYSTEMS[system], prefix], capture_output=True, text=True, check=False)
    parts = done.stdout.replace("unloading\n", "loading\n").split("loading\n")
    if done.returncode != 0 or len(parts) != 3:
        sys.exit(f"{system}: the module is not loaded (exit code {done.returncode})\n{done.stdout}{done.stderr}")
    return [dict(line.split("=", 1) for line in part.splitlines() if "=" in line) for part in parts]


def faults_of(system, prefix):
    before, loaded, after = told(system, prefix)
    folders = {name: loaded[name].split(":") for name in VARIABLES}
    if loaded["assay"] != f"{prefix}/bin/assay":
        yield f"the program that is found is {loaded['assay']!r}"
    if folders["MANPATH"][0] != f"{prefix}/share/man" or "" not in folders["MANPATH"]:
        yield f"MANPATH is {loaded['MANPATH']!r}: the module's manuals first, and the system's where the empty entry is"
    if not (pathlib.Path(folders["PKG_CONFIG_PATH"][0]) / "assay.pc").is_file() or "include/assay" not in loaded["flags"]:
        yield f"pkg-config finds {loaded['flags']!r} by {loaded['PKG_CONFIG_PATH']!r}"
    if folders["CMAKE_PREFIX_PATH"][0] != prefix:
        yield f"CMAKE_PREFIX_PATH is {loaded['CMAKE_PREFIX_PATH']!r}"
    for name in VARIABLES:
        if any(prefix in folder for folder in after[name].split(":")):
            yield f"unloading leaves {name}={after[name]!r}, it was {before[name]!r}"


def main():
    prefix = str(pathlib.Path(sys.argv[1]).resolve())
    here = [system for system, start in SYSTEMS.items() if pathlib.Path(start).is_file()]
    if not here:
        print("skipped: neither lmod nor environment-modules is installed")
        return 77
    faults = [f"{system}: {fault}" for system in here for fault in faults_of(system, prefix)]
    print("\n".join(f"error: {fault}" for fault in faults) or f"loaded and unloaded by {' and '.join(here)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
