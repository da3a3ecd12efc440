# SPDX-License-Identifier: Apache-2.0
# What the tools and CI share. Those that build are at the top of the repository when they source it.

say() { printf "== [%s] %s\n" "$(date -u +%H:%M:%S)" "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

oldest_gnu=12
oldest_clang=16
# gnu_version PROGRAM: its major version.
gnu_version() { "$1" -dumpversion | cut -d . -f 1; }

# best_clang: of the versions on standard input, 16, whose formatting is the house's, else the newest that is not too old.
best_clang() { sort -n | awk -v oldest="$oldest_clang" '$1 >= oldest { best = $1 } $1 == 16 { exit } END { if (best != "") print best }'; }

# clang_version: that of the compiler and linter that are used here; nothing where there is none.
clang_version() {
  # shellcheck disable=SC2086 # a list of folders
  (IFS=:; for folder in $PATH; do ls "$folder" 2>/dev/null || :; done) | sed -n 's/^clang-tidy-\([0-9][0-9]*\)$/\1/p' |
    while read -r version; do if command -v "clang++-$version" >/dev/null; then echo "$version"; fi; done | best_clang
}

# compiler_of PRESET: options that name the compiler where the preset's own is not there, or too old.
compiler_of() {
  case $1 in
    asan|fuzz)
      version=$(clang_version)
      [ -n "$version" ] || fail "preset '$1' takes clang $oldest_clang or newer with clang-tidy: 'tools/deps lint' installs them"
      [ "$version" = 16 ] || echo "-DCMAKE_CXX_COMPILER=clang++-$version" ;;
    *)
      if [ -z "${CXX:-}" ] && command -v "g++-$oldest_gnu" >/dev/null && [ "$(gnu_version g++ 2>/dev/null || echo 0)" -lt "$oldest_gnu" ]; then
        echo "-DCMAKE_CXX_COMPILER=g++-$oldest_gnu"
      fi ;;
  esac
}

# build PRESET [TARGET...]: configures and builds; quiet unless it fails. A second call does nothing but look.
build() {
  preset=$1
  shift
  options=$(compiler_of "$preset")
  log=$(mktemp)
  # shellcheck disable=SC2086 # one word or none
  cmake --preset "$preset" $options >"$log" 2>&1 || { cat "$log" >&2; fail "configuring preset '$preset' failed (see above)"; }
  if [ $# -gt 0 ]; then set -- --target "$@"; fi
  cmake --build --preset "$preset" --parallel "$(nproc)" "$@" >"$log" 2>&1 || { grep -E 'error|FAILED' "$log" | head -n 20 >&2; fail "building preset '$preset' failed (full log: $log)"; }
  rm -f "$log"
}
