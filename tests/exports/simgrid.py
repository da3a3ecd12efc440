# SPDX-License-Identifier: Apache-2.0
"""The platform that is exported for SimGrid, in SimGrid: simgrid.py ASSAY SOURCE. Exit code 77: left out, since it is not installed."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from consumers import SKIPPED, export, measured

# Messages of known parameters without noise, in simulated time: half a round trip is 2800 + 0.2 bytes ns up to 4 KiB, 5400 + 0.08 bytes beyond.
MESSAGES = """[campaign]
title = messages
[precision]
warm-up = 0ms
eps = 1%
min-span = 0s
[series.round-trip]
measurement = synthetic-messages/round_trip
placement = unbound
bytes = 1, 64, 1Ki, 2Ki, 4Ki, 8Ki, 16Ki, 64Ki
[series.overheads]
measurement = synthetic-messages/overheads
placement = unbound
bytes = 1, 64, 1Ki, 2Ki, 4Ki, 8Ki, 16Ki
[series.gap]
measurement = synthetic-messages/burst
placement = unbound
bytes = 1, 1Ki, 4Ki, 8Ki, 16Ki, 64Ki
burst = 1, 64, 512
derive.g = slope burst
[series.pauses]
measurement = synthetic-messages/burst
placement = unbound
bytes = 1, 1Ki, 4Ki, 8Ki, 16Ki, 64Ki
burst = 8, 16, 32
delay = 1.5
derive.o_s = slope burst
"""


def check_simgrid(assay, source, folder):
    """Ping-pongs simulated by SimGrid take what the synthetic channel's parameters say, within 1 %, and so does a barrier of 256 ranks."""
    if shutil.which("smpicc") is None or shutil.which("smpirun") is None:
        print("left out: no SimGrid; 'tools/deps simgrid' installs it")
        sys.exit(SKIPPED)
    results = measured(assay, folder, "messages", MESSAGES)
    program = folder / "program"
    subprocess.run(["smpicc", "-O1", source / "tests" / "bench" / "simgrid" / "messages.c", "-o", program], check=True, capture_output=True, timeout=120)

    def simulated(ranks, *words):
        platform = folder / f"platform-{ranks}.xml"
        platform.write_text(export(assay, results, "simgrid", "--ranks", str(ranks)), encoding="utf-8")
        done = subprocess.run(["smpirun", "-np", str(ranks), "-platform", platform, "--cfg=smpi/simulate-computation:no", "--cfg=smpi/privatization:no",
                               "--cfg=smpi/barrier:ompi_recursivedoubling", program, "0", "1", *words], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return [line.split() for line in done.stdout.splitlines() if re.fullmatch(r"[a-z-]+ \d+ \d+ [\d.]+ \d+", line)]

    sizes = [0, 1, 100, 1024, 3000, 4095, 4096, 4097, 8192, 30000, 65536]
    rows = simulated(2, "100", *(f"ping-pong:{size}" for size in sizes))
    assert [int(row[2]) for row in rows] == sizes, rows
    for _name, _ranks, size, time, _batches in rows:
        truth = 2800 + 0.2 * int(size) if int(size) <= 4096 else 5400 + 0.08 * int(size)
        assert abs(float(time) - truth) < 0.01 * truth, f"{size} bytes: {time} ns simulated, {truth} ns planted"
    barrier = simulated(256, "2", "barrier:0")
    assert abs(float(barrier[0][3]) - 8 * 2800) < 0.01 * 8 * 2800, barrier
    return f"{len(rows)} sizes and a barrier"


def main():
    assay, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        print(f"simgrid: {check_simgrid(assay, source, pathlib.Path(name))}")


if __name__ == "__main__":
    main()
