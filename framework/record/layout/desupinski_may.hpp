// SPDX-License-Identifier: Apache-2.0
// The rows of Table 1 of de Supinski and May, and where this machine's numbers for them are found.
#pragma once
#include <array>
#include <span>
#include <string_view>

namespace assay::desupinski_may {

/// Where the members of a row's test sit.
enum class Seats : unsigned char { any, unbound, one_cpu, different_cpus };

/// One level that a point must have.
struct Level {
  std::string_view factor;
  std::string_view level;
};

/// A row, as the paper names it, or one below it that asks the same question better.
struct Row {
  std::string_view test;
  std::string_view variant;
  std::array<std::string_view, 4> published;  ///< Digital, IBM, SGI, Sun, in us as printed; empty in a row of our own
  std::string_view measurement;
  std::string_view quantity;  ///< empty: the primary one
  std::array<Level, 3> levels{};
  Seats seats = Seats::any;

  /// True for a row of the paper: its number is the mean under the rule of the paper.
  bool is_published() const { return !published[0].empty(); }
};

/// All rows in the paper's order, ours below those that they correct.
std::span<const Row> rows();

}  // namespace assay::desupinski_may
