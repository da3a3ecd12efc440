#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures this node and compares it with accepted values; started by prolog.sh and epilog.sh, which end it after 50 s.
#   node-health.sh prolog|epilog
# Once on a good node:
#   assay run health.ini --output accepted && assay history accept accepted --output /etc/assay/accepted.json
# Settings, in /etc/assay/health.conf (a file of the shell), with their defaults:
#   campaign=DIRECTORY_OF_THIS_FILE/health.ini   what is measured
#   accepted=/etc/assay/accepted.json            what the values are compared with; without it they are only kept
#   results=/var/lib/assay/health                results of the last prolog and epilog
#   textfile=                                    a file of node_exporter's textfile collector, *.prom; empty: none
#   drain=no                                     yes: a node that is slower is drained
# Exit code 0: nothing is slower; 6: something is; 1: that could not be found out. Messages go to the system's log.
set -u
when=${1:-by-hand}
node=${SLURMD_NODENAME:-$(hostname -s)}
campaign=$(dirname "$0")/health.ini
accepted=/etc/assay/accepted.json
results=/var/lib/assay/health
textfile=
drain=no
settings=${ASSAY_HEALTH_CONF:-/etc/assay/health.conf}
# shellcheck source=/dev/null # a file of the site
[ ! -r "$settings" ] || . "$settings"

say() {
  echo "$*"
  logger -t assay-health -- "$when on $node: $*" 2>/dev/null || true
}
give_up() { say "not found out: $*"; exit 1; }

mkdir -p "$results" || give_up "$results cannot be created"
# Of several jobs on a node the first one measures.
exec 9>"$results/lock" || give_up "$results/lock cannot be written"
flock --nonblock 9 || give_up "another job's prolog or epilog is measuring"

# Results of the time before stay until there are new ones.
fresh=$results/$when.new
rm -rf "$fresh"
assay run "$campaign" --output "$fresh" --quiet --time-limit 35s >"$results/$when.log" 2>&1 9>&-
code=$?
# 1: points failed, which is a finding; 75: the time was over.
case $code in 0 | 1 | 75) ;; *) give_up "assay run ended with $code: $(tail -n 1 "$results/$when.log")" ;; esac
rm -rf "${results:?}/$when"
mv "$fresh" "$results/$when" || give_up "$results/$when cannot be replaced"
[ -z "$textfile" ] || assay export "$results/$when" --format prometheus --output "$textfile" || say "$textfile was not written"

[ -r "$accepted" ] || give_up "there are no accepted values in $accepted"
report=$results/$when.check
assay history check "$results/$when" --accepted "$accepted" --format lines >"$report" 2>>"$results/$when.log"
code=$?
case $code in 0) say "as accepted"; exit 0 ;; 6) ;; *) give_up "assay history check ended with $code" ;; esac

# Letters, digits and some signs only: the reason stands in Slurm's field, whose accounting keeps 255 bytes.
slower=$(grep -c ' slower' "$report")
first=$(grep ' slower' "$report" | head -n 1 | tr '{}' '  ' | tr -cd 'A-Za-z0-9 .,:/=_%-' | tr -s ' ' | cut -c 1-120)
reason="assay: $slower slower than accepted, $when: $first"
say "$reason"
[ "$drain" = yes ] || exit 6
state=$(scontrol --oneliner show node "$node") || give_up "scontrol knows no node $node"
# Who drained it before said why.
case $state in *State=*DRAIN*Reason=assay:*) ;; *State=*DRAIN*) say "drained already"; exit 6 ;; esac
scontrol update NodeName="$node" State=DRAIN Reason="$reason" || give_up "scontrol did not drain $node"
say "drained"
exit 6
