#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the Debian packages and uses them where nothing is installed; needs what tools/fresh needs: root, mmdebstrap and a network.
#
#   fresh_root.sh [SUITE]    this system's own suite: packages made here, in a fresh root; another suite: made and installed in a root of it.
set -eu
cd "$(dirname "$0")/../.."
. tools/lib.sh
own=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
suite=${1:-$own}
[ $# -eq 0 ] || shift
if [ "$suite" != "$own" ]; then
  exec tools/fresh "$suite" --copy /etc/ssl/certs/ca-certificates.crt \
    --command 'tools/package && mv ~/ca-certificates.crt build/package/certificates.crt && tests/packaging/installed.sh build/package'
fi
tools/package
for package in build/package/*.deb; do set -- "$@" --copy "$package"; done
[ $# -gt 0 ] || fail "tools/package made no Debian package"
exec tools/fresh "$suite" "$@" --copy /etc/ssl/certs/ca-certificates.crt \
  --command 'mv ~/ca-certificates.crt ~/certificates.crt && tests/packaging/installed.sh ~'
