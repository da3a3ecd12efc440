#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries the completion for one shell in that shell, as a user at a terminal would; exit code 77 where the shell is missing.

Usage: completions.py bash|zsh|fish ASSAY SOURCE_DIRECTORY
"""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

# A line up to the cursor, what is offered, and what is not. In fish an option stays, as it does for other programs.
CASES = [
    ("assay ", ["run", "resume", "compare", "help", "history"], ["worker", "complete", "cluster-node"]),
    ("assay re", ["resume", "report"], ["run", "show"]),
    ("assay run --", ["--output", "--series", "--set", "--quick"], ["--layout"]),
    ("assay run my.ini --quick --series x --", ["--series", "--output"], ["--quick"]),
    ("assay run ", ["my.ini", "quick", "sync/lock"], ["notes.txt"]),
    ("assay run qui", ["quick"], ["my.ini"]),
    ("assay run quick --series mu", ["mutex"], ["clock"]),
    ("assay run my.ini --series ", ["clock", "pair"], ["my.ini"]),
    ("assay run my.ini --series p", ["pair"], ["clock"]),
    ("assay run my.ini --set precision.m", ["precision.max-time=", "precision.min-visits="], ["precision.eps="]),
    ("assay plan my.ini --set series.pair.", ["series.pair.channel=", "series.pair.eps="], ["series.clock.eps="]),
    ("assay show ", ["first"], ["empty", "my.ini"]),
    ("assay compare first ", ["first"], ["empty"]),
    ("assay compare --format ", ["table", "csv", "json"], ["parquet"]),
    ("assay show first --layout ", ["logp", "desupinski-may"], ["notes.txt"]),
    ("assay show first --layout my", ["my.ini"], ["logp"]),
    ("assay show first --layout l", ["logp", "loggp"], ["desupinski-may"]),
    ("assay show first --filter ", ["series=quick", "regime="], ["--layout"]),
    ("assay show first --columns median,", ["placement"], ["empty"]),
    ("assay show first --color ", ["auto", "always", "never"], ["first"]),
    ("assay export first --format ", ["csv", "json", "parquet"], ["first"]),
    ("assay describe log", ["logp/round_trip"], ["median-ci", "clock"]),
    ("assay describe me", ["median-ci", "median-cs"], ["logp/round_trip"]),
    ("assay history ", ["add", "list", "check"], ["first"]),
    ("assay history add ", ["first"], ["list"]),
    ("assay journal check ", ["first"], ["repair"]),
    ("assay list ", ["layouts", "rules", "measurements"], ["first"]),
    ("assay help ", ["run", "doctor"], ["first"]),
    ("assay generate page assay-r", [], ["first"]),
    ("assay doctor --output ", ["empty", "first"], ["my.ini"]),
    ("assay run broken.ini --series ", [], ["clock", "error"]),
    ("assay nonsense --", [], ["--output", "error"]),
]
# A line, and what one press of the tabulator makes of it.
COMPLETED = [
    ("assay resu", ["assay", "resume"]),
    ("assay show --lay", ["assay", "show", "--layout"]),
    ("assay run my.ini --series=p", ["assay", "run", "my.ini", "--series=pair"]),
    ("assay run my.ini --set precision.ma", ["assay", "run", "my.ini", "--set", "precision.max-"]),
    ("assay show first --filter series=qui", ["assay", "show", "first", "--filter", "series=quick"]),
    ("assay describe logp/round_", ["assay", "describe", "logp/round_trip"]),
    ("assay show fir", ["assay", "show", "first/"]),
]
CAMPAIGN = """[campaign]
title = shells
[series.clock]
measurement = os/clock
[series.pair]
measurement = logp/round_trip
channel = pipe, flag
[series.quick]
measurement = synthetic/constant
"""


def prepare(folder, assay):
    """A folder with a campaign file, results of another campaign, and what is neither."""
    (folder / "my.ini").write_text(CAMPAIGN)
    (folder / "broken.ini").write_text("[series.\n\0")
    (folder / "notes.txt").write_text("no campaign\n")
    (folder / "empty").mkdir()
    (folder / "bin").mkdir()
    for entry in assay.parent.glob("assay*"):
        (folder / "bin" / entry.name).symlink_to(entry)
    report = folder / "bin" / "assay-report"
    if not report.exists():
        report.write_text("#!/bin/sh\n")
        report.chmod(0o755)
    quick = ["--set", "precision.rule=fixed:4", "--set", "precision.incarnations=1", "--quiet", "--output", "first"]
    small = folder / "bin" / "small.ini"
    small.write_text("[series.quick]\nmeasurement = synthetic/constant\n")
    subprocess.run([assay, "run", small, *quick], cwd=folder, check=True, stdout=subprocess.DEVNULL)


class Terminal:
    """An interactive shell on a terminal of its own."""

    def __init__(self, command, folder, environment):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        self.number = 0

    def read_until(self, mark, limit=20):
        """What the shell wrote until a mark; raises TimeoutError."""
        text, end = "", time.monotonic() + limit
        while mark not in text:
            ready, _, _ = select.select([self.file], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError(f"no {mark!r} in {text!r}")
            text += os.read(self.file, 65536).decode(errors="replace")
        return text

    def send(self, text):
        """Types."""
        os.write(self.file, text.encode())

    def close(self):
        """Ends the shell."""
        self.send("\x15exit\r")
        os.waitpid(self.pid, 0)
        os.close(self.file)

    def run(self, line):
        """Runs a command to its end; returns what it wrote."""
        self.number += 1
        self.send(f"{line}; echo en''d{self.number}\r")
        return self.read_until(f"end{self.number}\r\n")

    def words_after_tab(self, line):
        """The words of a line behind which the tabulator was pressed."""
        self.number += 1
        self.send(line + "\t")
        self.settle()
        self.send("\x01printf '<%s>\\n' \x05; echo en''d" + f"{self.number}\r")
        return re.findall(r"^<([^<>\r\n]*)>\r?$", self.read_until(f"end{self.number}\r\n"), re.MULTILINE)

    def settle(self):
        """Reads until the shell has been silent for a while."""
        text = ""
        while select.select([self.file], [], [], 1.5)[0]:
            text += os.read(self.file, 65536).decode(errors="replace")
        return text

    def shown_after_tab(self, line):
        """What is listed when the tabulator is pressed twice; the line is thrown away."""
        self.send(line + "\t\t")
        text = self.settle()
        self.send("\x15\r")
        self.settle()
        return text


BASH_ASK = r"""
source "$1"
offers() {
  COMP_LINE=$1 COMP_WORDS=() COMPREPLY=()
  local word
  for word in $1; do COMP_WORDS+=("$word"); done
  [[ $1 != *' ' ]] || COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  compopt() { :; }
  _assay
  printf '%s\n' "${COMPREPLY[@]}"
}
while IFS= read -r line; do offers "$line"; echo "--"; done
"""


def plain(text):
    """Without what steers a terminal."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|[\x07\r]", "", text)


def offered_by_bash(folder, environment, script):
    """What the completion offers, asked without a terminal; bash alone."""
    lines = "".join(line + "\n" for line, _, _ in CASES)
    command = ["bash", "--norc", "--noprofile", "-c", BASH_ASK, "ask", script]
    done = subprocess.run(command, input=lines, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return [part.split("\n") for part in done.stdout.split("--\n")[: len(CASES)]], done.stderr


def offered_by_fish(folder, environment, script):
    """What fish offers."""
    offers = []
    for line, _, _ in CASES:
        command = ["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        offers.append([text.split("\t")[0].removesuffix("/") for text in (done.stdout + done.stderr).split("\n")])
    return offers, ""


def offered_by_zsh(folder, environment, script):
    """What zsh lists on a terminal."""
    terminal = Terminal(["zsh", "-f", "-i"], folder, environment)
    terminal.run("PROMPT=; unsetopt zle_bracketed_paste prompt_sp auto_menu; setopt no_beep; LISTMAX=0; stty rows 500 cols 300")
    terminal.run(f"fpath=({pathlib.Path(script).parent} $fpath); autoload -U compinit; compinit -u -D")
    terminal.run("bindkey '^I' list-choices; bindkey -e; bindkey '^I' list-choices")
    offers = []
    for line, _, _ in CASES:
        text = plain(terminal.shown_after_tab(line))
        offers.append(re.split(r"\s+", text.replace(line.rstrip(), " ")))
    terminal.close()
    return offers, ""


def check_offers(shell, offers):
    """Compares with the table; the number of what is wrong."""
    wrong = 0
    for (line, wanted, unwanted), found in zip(CASES, offers, strict=True):
        names = {name.rstrip("/").removeprefix("median,") for name in found}
        missing = [name for name in wanted if name not in names]
        surplus = [name for name in unwanted if name in names and not (shell == "fish" and name.startswith("--"))]
        if missing or surplus:
            print(f"{line!r}: missing {missing}, surplus {surplus}, offered {sorted(names)[:40]}")
            wrong += 1
    return wrong


def check_bash_terminal(folder, environment, share):
    """Presses the tabulator in a real bash: alone, and with the package bash-completion where it is installed."""
    wrong = 0
    package = pathlib.Path("/usr/share/bash-completion/bash_completion")
    ways = [("bash alone", f"source {share}/bash-completion/completions/assay")]
    if package.exists():
        ways.append(("bash with bash-completion", f"source {package}"))
    else:
        print("bash-completion is not installed: tried without it")
    for name, start in ways:
        terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], folder, environment)
        terminal.run("PS1=; bind 'set enable-bracketed-paste off'; bind 'set bell-style none'")
        terminal.run(start)
        for line, expected in COMPLETED:
            words = terminal.words_after_tab(line)
            if words != expected:
                print(f"{name}, {line!r}: completed to {words}, not to {expected}")
                wrong += 1
        terminal.close()
    return wrong


def main():
    """Tries one shell."""
    shell, assay, source = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    if shutil.which(shell) is None:
        print(f"skipped: {shell} is not installed; {source}/tools/deps shells installs it")
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name).resolve()
        prepare(folder, assay)
        share = folder / "bin" / "share"
        subprocess.run([assay, "generate", "files", share], check=True)
        environment = {
            **os.environ,
            "PATH": f"{folder}/bin:{os.environ['PATH']}",
            "HOME": str(folder / "empty"),
            "TERM": "dumb" if shell == "bash" else "xterm",
            "XDG_DATA_DIRS": f"{share}:/usr/share",
            "LC_ALL": "C.UTF-8",
        }
        scripts = {"bash": "bash-completion/completions/assay", "zsh": "zsh/site-functions/_assay"}
        script = str(share / scripts.get(shell, "fish/vendor_completions.d/assay.fish"))
        ask = {"bash": offered_by_bash, "zsh": offered_by_zsh, "fish": offered_by_fish}[shell]
        offers, complaints = ask(folder, environment, script)
        wrong = check_offers(shell, offers) + bool(complaints)
        if complaints:
            print(f"{shell} complains: {complaints}")
        if shell == "bash":
            wrong += check_bash_terminal(folder, environment, share)
        print(f"{shell}: {len(CASES)} lines, {wrong} wrong")
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
