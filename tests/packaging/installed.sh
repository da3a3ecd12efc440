#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages of a folder as root and uses them as their documents say, then removes them. For roots that are thrown away.
#
#   installed.sh FOLDER      FOLDER has assay_*.deb, assay-report_*.deb and, where they were made here, assay-mpi_*.deb; perhaps also
#                            certificates.crt, which pip is to trust.
set -eu
folder=$(realpath "$1")
[ "$(id -u)" = 0 ] || { echo "installed.sh: installs packages: run it as root, in a root file system of its own" >&2; exit 3; }
work=$(mktemp -d)
cd "$work"
export DEBIAN_FRONTEND=noninteractive ASSAY_PRECISION_RULE=fixed:8 ASSAY_PRECISION_INCARNATIONS=1 ASSAY_PRECISION_MIN_VISITS=1
step() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
install() { apt-get install -y --no-install-recommends "$@" >"$work/apt.log" 2>&1 || { tail -n 20 "$work/apt.log" >&2; fail "apt-get install $*"; }; }

step "dpkg -i of the program, once what it depends on is there"
apt-get update >/dev/null
install $(dpkg-deb -f "$folder"/assay_*.deb Depends | sed 's/([^)]*)//g; s/,/ /g; s/|[^ ]*//g')
dpkg -i "$folder"/assay_*.deb
assay --version
assay run --quiet /usr/share/assay/configs/quick.ini --output campaign >table || fail "the campaign (exit code $?)"
assay show campaign | grep -q 'sync/lock' || fail "the campaign has no results of locks"
assay show campaign --layout /usr/share/assay/configs/layouts/selftest.ini >/dev/null || fail "a layout"
assay history add campaign --file history.sqlite >/dev/null || fail "assay history"
printf '[precision]\nrule = fixed:8\n[series.one]\nmeasurement = process/make\nhow = fork-exec\n' >process.ini
assay run --quiet process.ini --output process | grep -q unsupported && fail "assay-child is not found"

step "manuals and completions"
install man-db zsh
zsh -fc 'autoload -Uz compinit; compinit -u -D; [ "$_comps[assay]" = _assay ]' || fail "zsh does not find its completions"
[ -e /usr/share/bash-completion/completions/assay ] || fail "no completions for bash"
for page in assay assay-run; do man --warnings -E UTF-8 "$page" 2>&1 | grep -q '^NAME' || fail "man $page"; done

step "a plugin by CMake, and by pkg-config, each found by its bare name"
install g++ cmake make pkg-config
cmake -S /usr/share/doc/assay/examples/turn -B turn >/dev/null
cmake --build turn >/dev/null
plugins=$(pkg-config --variable=plugindir assay)
mkdir -p "$plugins"
cp turn/turn.so "$plugins/turn.so"
assay list --plugin turn | grep -q example/turn || fail "the plugin by CMake"
g++ -O2 -fPIC -shared $(pkg-config --cflags assay) /usr/share/doc/assay/examples/turn/turn.cpp -o "$plugins/other.so"
printf '[campaign]\nplugins = other\n[series.turn]\nmeasurement = example/turn\nvehicle = thread, process\n' >turn.ini
assay run --quiet turn.ini --output turned >/dev/null || fail "the plugin by pkg-config (exit code $?)"
rm -r "${plugins%/plugins}"

step "the report"
install "$folder"/assay-report_*.deb
assay report campaign >refusal 2>&1 && fail "a report without the packages that it needs"
grep -q "virtual environment" refusal || { cat refusal >&2; fail "the report does not say what it lacks"; }
if apt-cache policy python3-orjson | grep -q 'Candidate: [0-9]'; then
  step "  by the distribution's packages"
  install python3-crc32c python3-jinja2 python3-numpy python3-orjson python3-pandas python3-plotly
  assay report campaign
else
  step "  by a virtual environment"
  install python3-venv
  [ ! -e "$folder/certificates.crt" ] || export PIP_CERT="$folder/certificates.crt"
  cp -r /usr/share/assay/report report
  python3 -m venv venv
  venv/bin/pip install --quiet ./report || fail "pip install"
  PATH="$work/venv/bin:$PATH" assay report campaign
fi
grep -q '<html' campaign/report.html || fail "there is no page"

mpi=$(find "$folder" -maxdepth 1 -name 'assay-mpi_*.deb')
if [ -n "$mpi" ]; then
  step "ranks of MPI"
  install "$mpi" openmpi-bin
  printf '[series.ranks]\nmeasurement = mpi/ping_pong\n' >ranks.ini
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 assay run --quiet ranks.ini --output ranks
fi

step "removal"
dpkg -P $(dpkg-query -W -f '${Package}\n' 'assay*') >/dev/null
left=$(find / -xdev -path /proc -prune -o -path "$folder" -prune -o -path "$work" -prune -o -path "*/usr/*assay*" -print)
[ -z "$left" ] || fail "left behind: $left"
rm -rf "$work"
step "all of it works"
