#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One session a task of an array, one after the other: from three on intervals are long-term.
#   sbatch sessions.sh FILE DIR
# All tasks have to be on the same node, or on nodes that are equal: results of different machines are never mixed. Give --nodelist.

#SBATCH --job-name=assay-sessions
#SBATCH --array=1-3%1
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --time=30
if [ -e "$2/journal.jsonl" ]; then exec assay resume "$2" --add-session --quiet; fi
exec assay run "$1" --output "$2" --quiet
