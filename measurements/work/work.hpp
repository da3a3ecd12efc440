// SPDX-License-Identifier: Apache-2.0
// The work that a member does between two operations under test: a walk through memory, a computation, or none.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "api/measurement.hpp"

namespace assay {

/// The factors of a work: NAME (none, walk, compute) and NAME-size. `done` says in the summary when it is done.
inline std::vector<Factor> work_factors(const std::string& name = "work",
                                        const std::string& done = "between two operations") {
  return {{.name = name,
           .standard = std::string("none"),
           .words = {"none", "walk", "compute"},
           .summary = "what each member does " + done + ": nothing, a walk through its own memory, arithmetic"},
          {.name = name + "-size",
           .kind = FactorKind::quantitative,
           .standard = std::int64_t{4096},
           .summary = "of a walk: bytes, of which one word per line is read, modified and written; of compute: ns"}};
}

/// The callable of no work: nothing is left of it in a compiled loop.
struct NoWork {
  static constexpr bool exists = false;
  void operator()() const {}
};

/// Reads, changes and writes the first word of every line of an array.
struct Walk {
  static constexpr bool exists = true;
  std::uint64_t* first;
  std::uint64_t* last;
  static constexpr std::size_t stride = 8;  // words of a line of 64 bytes
  void operator()() const {
    for (std::uint64_t* word = first; word < last; word += stride) keep(++*word);
  }
};

/// A chain of multiplications, each of which needs the result of the one before.
struct Compute {
  static constexpr bool exists = true;
  std::int64_t steps;
  void operator()() const {
    std::uint64_t x = 1;
    for (std::int64_t i = 0; i < steps; ++i) {
      x *= 6364136223846793005U;
      asm volatile("" : "+r"(x));  // else two steps become one
    }
  }
};

/// How many steps of arithmetic take so many nanoseconds here: by the quickest of several runs, since the others were
/// interrupted, or the processor was not yet awake.
inline std::int64_t compute_steps(std::int64_t ns, const Member& member) {
  constexpr Compute probe{10'000};
  Nanoseconds quickest{std::numeric_limits<double>::max()};
  for (int i = 0; i < 10; ++i) quickest = std::min(quickest, member.timed(Reps{1}, probe));
  return std::max<std::int64_t>(1,
                                static_cast<std::int64_t>(static_cast<double>(ns) * static_cast<double>(probe.steps) /
                                                          std::max(quickest.count, 1.0)));
}

/// The work of all members at one point. The mechanism of lat_ctx in lmbench (McVoy and Staelin, 1996), extended by
/// arithmetic: what a switch costs depends on what the members keep in the caches.
class Work {
 public:
  /// Reads the levels of `work_factors(name)`. Throws Unsupported for a size that the work does not have.
  explicit Work(const Setup& setup, const std::string& name = "work")
      : kind_(kind(setup.word(name))),
        size_(setup.level<std::int64_t>(name + "-size")),
        benches_(static_cast<std::size_t>(setup.members())) {
    if (kind_ == Kind::walk && size_ < line)
      throw Unsupported("a walk is at least " + std::to_string(line) + " bytes, one line; raise " + name + "-size");
    if (kind_ == Kind::compute && size_ < 1)
      throw Unsupported("arithmetic takes at least 1 ns; raise " + name + "-size");
    if (kind_ == Kind::none && setup.value(name + "-size") != work_factors(name)[1].standard)
      throw Unsupported("without work '" + name + "-size' does not apply");
  }

  /// On each member, untimed: touches its array, or finds out how long a step of its arithmetic takes.
  void enter(const Member& member) {
    Bench& bench = benches_[static_cast<std::size_t>(member.rank())];
    if (kind_ == Kind::walk) bench.words.assign(static_cast<std::size_t>(size_) / sizeof(std::uint64_t), 0);
    if (kind_ == Kind::compute) bench.steps = compute_steps(size_, member);
  }

  /// Calls `use` once, with the member's own work as a callable: NoWork, Walk or Compute. The choice is made here,
  /// outside the loop that `use` contains, and `use` can ask `exists` of the callable's type.
  template <class Use>
  auto on(const Member& member, Use&& use) {
    Bench& bench = benches_[static_cast<std::size_t>(member.rank())];
    if (kind_ == Kind::walk) return use(Walk{bench.words.data(), bench.words.data() + bench.words.size()});
    if (kind_ == Kind::compute) return use(Compute{bench.steps});
    return use(NoWork{});
  }

 private:
  enum class Kind : std::uint8_t { none, walk, compute };
  static constexpr std::int64_t line = Walk::stride * sizeof(std::uint64_t);
  struct Bench {
    std::vector<std::uint64_t> words;
    std::int64_t steps = 0;
  };

  static Kind kind(const std::string& word) {
    if (word == "walk") return Kind::walk;
    return word == "compute" ? Kind::compute : Kind::none;
  }

  Kind kind_;
  std::int64_t size_;
  std::vector<Bench> benches_;
};

}  // namespace assay
