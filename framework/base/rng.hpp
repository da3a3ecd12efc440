// SPDX-License-Identifier: Apache-2.0
// The only source of randomness: a seeded generator with named substreams.
#pragma once
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>

namespace assay {

/// A reproducible generator: the same seed and name give the same sequence on every platform and standard library (only
/// the engine of <random> is used, not its distributions, whose results are not specified).
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : seed_(seed), engine_(seed) {}
  /// An independent generator for one use, e.g. substream("round/3"). Does not advance this one.
  Rng substream(std::string_view name) const;

  std::uint64_t seed() const { return seed_; }
  std::uint64_t next() { return engine_(); }
  /// Uniform over 0..bound-1, without modulo bias; bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [0, 1) with 53 random bits.
  double uniform();
  /// Standard normal (polar method).
  double normal();
  /// A copy in uniformly random order (Fisher and Yates).
  template <class Range>
  Range shuffled(Range items) {
    for (auto i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
    return items;
  }

 private:
  std::uint64_t seed_;
  std::mt19937_64 engine_;
};

/// The bits so that each of them depends on all of those given: the finalizer of SplitMix64 (Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators", 2014). One to one.
std::uint64_t scattered(std::uint64_t bits);

/// 64-bit FNV-1a of a text: stable identity of names across runs and machines.
std::uint64_t stable_hash(std::string_view text);

}  // namespace assay
