#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A campaign whose members are ranks on several nodes.
#   sbatch hybrid-campaign.sh FILE DIR
# One minute before the job's time is over, all ranks get SIGUSR1: what is in flight is finished, and the campaign ends in good order
# with exit code 75. The same command again continues.

#SBATCH --job-name=assay-hybrid
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=30
#SBATCH --signal=USR1@60
srun --mpi=pmix assay run "$1" --output "$2" --quiet
code=$?
[ $code != 75 ] || echo "not all is measured: submit it again to continue"
exit $code
