#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Slurm's Epilog: is this node as fast as when it was accepted, now that a job has left it?
#   slurm.conf: Epilog=/etc/slurm/assay/epilog.sh, beside node-health.sh and health.ini, which says how to set it up
# Ends within 60 s, always with 0: an Epilog that fails drains the node, whatever the reason. A slow node is drained by
# node-health.sh, if that is asked for.

# Slurm sets no path for it.
PATH=${ASSAY_HEALTH_PATH:-/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin}
export PATH
timeout --kill-after=5 "${ASSAY_HEALTH_LIMIT:-50}" sh "$(dirname "$0")/node-health.sh" epilog </dev/null >/dev/null 2>&1
exit 0
