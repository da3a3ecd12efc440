# SPDX-License-Identifier: Apache-2.0
# What demo, check and CI share. Sourced from the top of the repository.

say() { printf "== [%s] %s\n" "$(date -u +%H:%M:%S)" "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# build PRESET [TARGET...]: configures and builds; quiet unless it fails. A second call does nothing but look.
build() {
  preset=$1
  shift
  log=$(mktemp)
  cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; fail "configuring preset '$preset' failed (see above)"; }
  if [ $# -gt 0 ]; then set -- --target "$@"; fi
  cmake --build --preset "$preset" "$@" >"$log" 2>&1 || { grep -E 'error|FAILED' "$log" | head -n 20 >&2; fail "building preset '$preset' failed (full log: $log)"; }
  rm -f "$log"
}
