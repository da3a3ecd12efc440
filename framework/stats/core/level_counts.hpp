// SPDX-License-Identifier: Apache-2.0
// Accumulations of readings by their logarithm.
#pragma once
#include <cstdint>
#include <map>
#include <optional>

namespace assay {

/// How many readings fell where, by the logarithm of a value: bins of half a per cent.
class LevelCounts {
 public:
  void add(double value);
  std::int64_t size() const { return size_; }
  /// The middle of the lowest accumulation: the peak, within a tenth above, of the first four per cent that hold
  /// `share` of all, 6 readings, and a fiftieth of what the fullest of all hold; or of the fullest, where that is less
  /// than a fifth above and has five times the readings.
  std::optional<double> lowest(double share) const;
  /// The middle of the four per cent that hold most.
  std::optional<double> fullest() const;
  /// Of those whose middle is in a range; nothing where it is empty.
  std::optional<double> fullest_within(double least, double most) const;
  /// Readings from `least` on.
  std::int64_t from(double least) const;
  /// Those within two per cent of a value.
  std::int64_t about(double value) const;

 private:
  std::int64_t within(int bin) const;
  int climb(int bin) const;
  int without_tail(int bin) const;
  std::optional<int> fullest_bin() const;

  std::map<int, std::int64_t> bins_;
  std::int64_t size_ = 0;
};

}  // namespace assay
