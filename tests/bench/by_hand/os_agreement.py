#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assay against programs written by hand, interleaved in one run: cells of the LMbench summary.

Usage: tests/bench/by_hand/os_agreement.py [BUILD_DIRECTORY [ROUNDS [CASE...]]]      (build with -DASSAY_BENCH=ON)
Null call, stat, open and close, installing a signal's handler and a signal that is handled, pipe latency and context switch of two processes on one CPU, fork and exit, fork and exec, page fault, and loads in random order: in the
first cache, in the second, over 64 MiB, and over four times the outer cache in huge pages (in whole passes by hand). As agreement.py.
"""
import os
import sys

import agreement


def cases():
    cpu = sorted(os.sched_getaffinity(0))[-1]
    return [("null-call", [cpu]), ("stat", [cpu]), ("open-close", [cpu]), ("signal-install", [cpu]), ("signal-handle", [cpu]), ("pipe", [cpu, cpu]), ("context", [cpu, cpu]), ("fork-exit", [cpu]), ("fork-exec", [cpu]),
            ("page-fault", [cpu]), ("l1-latency", [cpu]), ("l2-latency", [cpu]), ("memory-latency", [cpu]), ("main-memory", [cpu])]


if __name__ == "__main__":
    wanted = sys.argv[3:]
    agreement.main("os_agreement", [case for case in cases() if not wanted or case[0] in wanted])
