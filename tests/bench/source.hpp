// SPDX-License-Identifier: Apache-2.0
// Where the timings of a simulated measurement come from: a recorded trace or a law, in one of two sampling designs.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "support/laws/laws.hpp"
#include "support/traces/trace.hpp"

namespace assay::bench {

/// Consecutive: one timing after the other from a random start (the trace's end is followed by its beginning). Spread:
/// visits of 8 consecutive timings at random times, as interleaved points of a campaign are measured.
enum class Design : unsigned char { consecutive, spread };

/// Timings in a visit of the spread design.
inline constexpr std::size_t visit_length = 8;

/// A supply of timings, the same for every rule that is given the same generator.
using Stream = std::function<double()>;

/// A trace or a law.
class Source {
 public:
  /// Throws std::invalid_argument when the trace is shorter than a visit.
  explicit Source(const test::Timings& trace);
  /// Truth beyond the law's own mean comes from 200,000 draws with a fixed seed.
  explicit Source(test::Law law);

  const std::string& name() const { return name_; }
  /// A fresh measurement. `rng` is borrowed for as long as the stream is used.
  Stream stream(Design design, Rng& rng) const;
  /// All values in the order of the design: for `spread` whole visits in random order.
  std::vector<double> whole(Design design) const;
  /// About one timing: the median.
  double typical() const { return typical_; }
  double mean() const { return mean_; }

 private:
  std::string name_;
  std::vector<double> values_;
  double typical_ = 0;
  double mean_ = 0;
  std::optional<test::Law> law_;
};

/// All traces of timings below the folder, by folder and name, which is "folder/cell". Throws std::runtime_error where
/// there is none or one is damaged.
std::vector<Source> traces_below(const std::string& folder);

/// Seven distributions of independent values: normal 5 % and 20 %, log-normal 0.3, a floor with exponential delays and
/// 2 % contamination, a Pareto tail of index 1.5, two modes 70 : 30, and a coarse clock.
std::vector<Source> independent_laws();
/// Autoregressive, 0.9, 10 %.
Source dependent_law();
/// Normal 5 % after fifty values that fall from 1.5 times as much.
Source warm_up_law();

}  // namespace assay::bench
