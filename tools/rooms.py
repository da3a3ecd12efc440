# SPDX-License-Identifier: Apache-2.0
"""Rooms of the layers: folders of files that stand together. What a room is for is said by its main header, in its second
line; what it may include from is said here. The edges form no circle."""

from pathlib import Path

import source_text

ROOMS = {
    "api": ("measurement.hpp", ""),
    "base": ("batch.hpp", ""),
    "text": ("json.hpp", ""),
    "design": ("design.hpp", ""),
    "stats/sample": ("sample.hpp", ""),
    "stats/steadiness": ("steadiness.hpp", "stats/sample"),
    "stats/rule": ("stopping_rule.hpp", "stats/sample stats/steadiness stats/comparison"),
    "stats/comparison": ("comparison.hpp", "stats/sample"),
    "stats/screening": ("screening.hpp", "stats/sample"),
    "stats/tail": ("tail.hpp", "stats/sample"),
    "stats/fit": ("line_fit.hpp", "stats/sample stats/rule"),
    "stats/clock": ("clock_model.hpp", ""),
    "stats/core": ("core_levels.hpp", "stats/sample"),
    "platform/thread": ("guard.hpp", ""),
    "platform/file": ("append_file.hpp", ""),
    "platform/topology": ("topology.hpp", "platform/thread"),
    "platform/placement": ("placement.hpp", "platform/topology"),
    "platform/clock": ("system_clock.hpp", "platform/thread platform/file"),
    "platform/procfs": ("procfs.hpp", "platform/file"),
    "platform/process": ("process.hpp", "platform/file platform/clock platform/procfs"),
    "platform/machine": ("machine.hpp", "platform/file platform/topology platform/clock platform/procfs platform/process"),
    "team": ("team.hpp", "platform/placement"),
    "team/wire": ("wire.hpp", "platform/clock"),
    "team/clock": ("clock_sync.hpp", "stats/clock team/wire"),
    "team/local": ("local_team.hpp", "stats/sample stats/core platform/thread platform/clock platform/process platform/machine team"),
    "team/ranks": ("rank_team.hpp", "platform/thread platform/clock platform/process platform/machine team team/wire team/clock team/local"),
    "record": ("record.hpp", "stats/sample stats/steadiness stats/rule stats/fit stats/core platform/topology platform/clock platform/procfs "
        "platform/machine"),
    "record/journal": ("journal.hpp", "platform/file platform/machine record"),
    "record/table": ("table.hpp", "stats/comparison record"),
    "record/compare": ("pairing.hpp", "stats/rule stats/comparison record record/journal record/table record/export"),
    "record/export": ("exports.hpp", "stats/comparison stats/steadiness record record/journal record/table record/cluster"),
    "record/crate": ("crate.hpp", "platform/file record record/journal record/export"),
    "record/logp": ("logp_view.hpp", "stats/fit record record/table record/layout"),
    "record/capability": ("capability.hpp", "stats/fit record record/table record/layout"),
    "record/collective": ("schedule.hpp", ""),
    "record/simulator": ("simulators.hpp", "record record/table record/logp record/export record/collective"),
    "record/cluster": ("cluster_tables.hpp", "stats/sample stats/comparison record record/table record/layout"),
    "record/predict": ("prediction.hpp", "stats/sample stats/rule stats/fit record record/table record/logp record/capability record/collective record/simulator"),
    "record/layout": ("layouts.hpp", "stats/fit platform/file record record/table"),
    "run": ("plan.hpp", "design stats/rule stats/fit stats/core platform/placement platform/procfs platform/process record record/journal"),
    "run/protocol": ("messages.hpp", "run"),
    "run/worker": ("worker.hpp", "platform/clock platform/procfs platform/process platform/machine team team/local run run/protocol"),
    "run/point": ("open_point.hpp", "stats/sample stats/steadiness stats/rule stats/tail stats/core team record run"),
    "run/series": ("series_run.hpp", "design stats/rule stats/comparison stats/fit stats/core record record/journal record/layout run run/point"),
    "run/session": ("session.hpp", "design stats/steadiness platform/clock platform/procfs platform/machine team record record/journal record/layout run run/point run/series"),
    "run/mpi": ("mpi_launches.hpp", "stats/core platform/file platform/clock platform/process platform/machine team/local team/ranks record "
        "record/journal run run/protocol run/worker run/session"),
    "app": ("plugin_loader.hpp", "platform/file platform/process team/ranks record run/mpi app/cli app/config app/campaign app/shell app/timing"),
    "app/cli": ("options.hpp", "stats/rule"),
    "app/config": ("config.hpp", "design stats/rule platform/thread platform/file platform/topology platform/placement platform/clock "
        "platform/process team/ranks record record/layout run run/worker run/session app/cli"),
    "app/results": ("results.hpp", "stats/core stats/rule stats/comparison platform/clock platform/file record/layout record record/journal record/table record/compare "
        "record/export record/simulator run run/series app/cli"),
    "app/cluster": ("cluster_plan.hpp", "stats/sample stats/screening platform/file platform/process record record/journal record/cluster run run/point run/series"),
    "app/campaign": ("run_campaign.hpp", "stats/rule platform/file platform/topology platform/clock platform/procfs platform/process platform/machine record "
        "record/journal record/table record/compare record/layout run run/worker run/series run/session run/mpi team/ranks app/cli app/config app/results app/cluster"),
    "app/against": ("against.hpp", "stats/comparison platform/file platform/process record record/journal run run/protocol run/worker "
        "run/session app/cli app/config app/results app/cluster app/campaign"),
    "app/reproduce": ("reproduction.hpp", "stats/comparison platform/topology record record/table record/compare record/crate run run/worker "
        "app/cli app/config app/results"),
    "app/timing": ("repeated_command.hpp", "stats/sample stats/rule stats/fit app/cli"),
    "app/commands": ("commands.hpp", "stats/rule stats/comparison stats/screening platform/file platform/topology platform/placement platform/clock "
        "platform/process platform/machine team/local record record/journal record/table record/compare record/export record/crate record/collective record/predict "
        "record/cluster record/layout run run/worker run/series run/session run/mpi app app/cli app/config app/results app/cluster app/campaign "
        "app/against app/reproduce app/shell app/timing"),
    "app/shell": ("manual.hpp", "stats/rule platform/file record record/journal record/table record/layout app/cli app/config app/results"),
    "app/archive": ("store.hpp", "stats/sample stats/comparison platform/file record record/journal record/table record/export app/cli app/results app/commands"),
}
# What the layer sees, all its rooms see; their own includes are few.
SEEN_BY_ALL = {"base", "text", "api"}
FEWEST_FILES, MOST_FILES = 4, 30
PURPOSE = "// Room: "
CORPUS = "tests/fuzz/corpus"  # found by programs, read by nobody


def room_of(path):
    """The room of a file of framework/: its folder, as a path from there; None of other files."""
    return path[len("framework/") :].rsplit("/", 1)[0] if path.startswith("framework/") else None


def include_problem(declared, source, target):
    """What is wrong with an include between two rooms, or None."""
    upper, lower = room_of(source), room_of(target)
    if upper == lower or lower in SEEN_BY_ALL or upper not in declared or lower not in declared:
        return None
    return None if lower in declared[upper][1].split() else f"{upper} does not see {lower}: declare it in ROOMS of tools/rooms.py, or leave it out"


def check(declared, texts):
    """Rooms that nobody declared, that are too small or too large, or that do not say what they are for."""
    problems, files = [], {}
    for path in texts:
        if room_of(path):
            files.setdefault(room_of(path), []).append(path)
    for room, paths in sorted(files.items()):
        if room not in declared:
            problems.append((min(paths), 1, f"{room} is no room: declare it in ROOMS of tools/rooms.py"))
            continue
        main = f"framework/{room}/{declared[room][0]}"
        if not texts.get(main, "").partition("\n")[2].startswith(PURPOSE):
            problems.append((main, 2, f"'{PURPOSE}...' is missing, the line that says what the room is for"))
        if not FEWEST_FILES <= len(paths) <= MOST_FILES:
            problems.append((main, 1, f"a room of {len(paths)} files; {FEWEST_FILES} to {MOST_FILES} stand together"))
    return problems + [(f"framework/{room}", 1, "a room without files") for room in sorted(set(declared) - set(files))]


def check_other_folders(root):
    """Folders of measurements and tests that hold too many files; corpora are left out, and what tools leave there."""
    problems = []
    for folder in sorted(path for top in ("measurements", "tests") for path in (Path(root) / top).rglob("*") if path.is_dir()):
        name = folder.relative_to(root).as_posix()
        if source_text.SKIPPED_FOLDERS & set(name.split("/")) or f"{name}/".startswith(f"{CORPUS}/"):
            continue
        files = sum(path.is_file() for path in folder.iterdir())
        if files > MOST_FILES:
            problems.append((name, 1, f"a folder of {files} files; at most {MOST_FILES} stand together"))
    return problems


def edges(declared):
    """The declared edges, as a graph of modules with the place that each is declared in."""
    return {room: {lower: ("tools/rooms.py", 1) for lower in sees.split()} for room, (_, sees) in declared.items()}
