#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Slurm's Prolog: is this node as fast as when it was accepted, before a job starts on it?
#   slurm.conf: Prolog=/etc/slurm/assay/prolog.sh, beside node-health.sh and health.ini, which says how to set it up
# Ends within 60 s, always with 0: a Prolog that fails drains the node and puts the job back. A slow node is drained for the jobs
# to come, if that is asked for; the one that is starting keeps it.

# Slurm sets no path for it.
PATH=${ASSAY_HEALTH_PATH:-/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin}
export PATH
timeout --kill-after=5 "${ASSAY_HEALTH_LIMIT:-50}" sh "$(dirname "$0")/node-health.sh" prolog </dev/null >/dev/null 2>&1
exit 0
