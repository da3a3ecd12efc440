#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assay against a program written by hand, interleaved in one run: accesses to cache lines.

Usage: tests/bench/by_hand/line_agreement.py [BUILD_DIRECTORY [ROUNDS [CASE...]]]      (build with -DASSAY_BENCH=ON, x86)
Loads, stores, compare-and-swaps and additions, each dependent on the one before, of lines that the other CPU has modified or read, of lines that no cache
has, and of the CPU's own. As agreement.py; a round counts where the two CPUs kept their distance.
"""
import os
import sys

import agreement


def cases():
    cpus = sorted(os.sched_getaffinity(0))[-2:]
    own = [(case, cpus[-1:]) for case in ("load-modified", "cas-modified", "fetch-add-modified", "load-invalid")]
    if len(cpus) < 2:
        return own
    two = ("load-modified", "load-exclusive", "store-modified", "cas-modified", "fetch-add-modified")
    return own + [(case, cpus) for case in two]


def series_of(case, cpus):
    """Of the campaign: the lines are the member's own on one CPU."""
    return case if len(cpus) > 1 else f"own-{case}"


if __name__ == "__main__":
    wanted = sys.argv[3:]
    by_assay = agreement.by_assay
    agreement.by_assay = lambda build, name, case, cpus: by_assay(build, name, series_of(case, cpus), cpus)
    agreement.main("line_agreement", [case for case in cases() if not wanted or case[0] in wanted])
