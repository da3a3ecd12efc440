#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assay against programs written by hand, interleaved in one run: cells of the LMbench summary.

Usage: tests/bench/by_hand/os_agreement.py [BUILD_DIRECTORY [ROUNDS]]      (build with -DASSAY_BENCH=ON)
Null call, pipe latency and context switch of two processes on one CPU, fork and exit, fork and exec, page fault, memory latency. As agreement.py.
"""
import os

import agreement


def cases():
    cpu = sorted(os.sched_getaffinity(0))[-1]
    return [("null-call", [cpu]), ("pipe", [cpu, cpu]), ("context", [cpu, cpu]), ("fork-exit", [cpu]), ("fork-exec", [cpu]),
            ("page-fault", [cpu]), ("memory-latency", [cpu])]


if __name__ == "__main__":
    agreement.main("os_agreement", cases())
