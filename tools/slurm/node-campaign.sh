#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which node of this job is not like the others, and which link between them?
#   sbatch node-campaign.sh FILE DIR
# FILE is a campaign such as configs/node.ini, DIR a directory for the results that all nodes see. Exit code 7: a node or link deviates.

#SBATCH --job-name=assay-node
#SBATCH --nodes=3
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=30
exec assay cluster "$1" --output "$2"
