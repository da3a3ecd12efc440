// SPDX-License-Identifier: Apache-2.0
// The frequency of a core, measured by a chain of additions of known length.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "api/measurement.hpp"

namespace assay {

/// Additions that each need the sum before. Every one is of two registers, which no processor can leave out, and takes
/// one cycle on all that are in use; their sum proves how many there were. After the clock of lmbench (McVoy
/// and Staelin, 1996), `mhz`.
class AdditionChain {
 public:
  /// Additions in one round: the round's own jump and count happen beside them.
  static constexpr std::int64_t round = 256;

  void add_round() {
    std::uint64_t sum = sum_;
    std::uint64_t summand = step;
    asm volatile("" : "+r"(summand));  // else the compiler adds a constant
    for (std::int64_t i = 0; i < round; i += unrolled) add(sum, summand, std::make_index_sequence<unrolled>());
    sum_ = sum;
  }
  /// The additions since the start, by what they came to.
  std::int64_t length() const { return static_cast<std::int64_t>(sum_ / step); }

 private:
  static constexpr std::uint64_t step = 3;
  static constexpr std::int64_t unrolled = 64;
  static void add_one(std::uint64_t& sum, std::uint64_t summand) {
    sum += summand;
    asm volatile("" : "+r"(sum));  // else two additions become one
  }
  template <std::size_t... each>
  [[gnu::always_inline]] static void add(std::uint64_t& sum, std::uint64_t summand, std::index_sequence<each...>) {
    ((static_cast<void>(each), add_one(sum, summand)), ...);
  }

  std::uint64_t sum_ = 0;
};

/// Cycles of the core by time. A repetition is a round of additions.
class CoreFrequency final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t frequency = 0, cycle = 1;

  explicit CoreFrequency(Setup&) {}
  /// Throws std::logic_error when the chain is not as long as it should be.
  Claims run(Member& member, Reps reps) override {
    AdditionChain chain;
    const Nanoseconds taken = member.timed(reps, [&] { chain.add_round(); });
    const std::int64_t additions = chain.length();
    if (additions != reps.count * AdditionChain::round)
      throw std::logic_error("a chain of " + std::to_string(reps.count * AdditionChain::round) +
                             " additions has the sum " + std::to_string(additions));
    return Claims{}.set(frequency, static_cast<double>(additions) * (seconds(1) / taken)).set(cycle, taken);
  }
};

}  // namespace assay
