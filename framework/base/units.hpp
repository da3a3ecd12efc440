// SPDX-License-Identifier: Apache-2.0
// Dimensioned numbers: durations, sizes and repetition counts that cannot be mixed up.
#pragma once
#include <compare>
#include <cstdint>

namespace assay {

/// A duration in nanoseconds. Signed: a one-way difference or an over-corrected empty timing may be negative.
struct Nanoseconds {
  double count = 0;

  friend constexpr auto operator<=>(const Nanoseconds&, const Nanoseconds&) = default;
  constexpr Nanoseconds& operator+=(Nanoseconds other) {
    count += other.count;
    return *this;
  }
  friend constexpr Nanoseconds operator+(Nanoseconds a, Nanoseconds b) { return {a.count + b.count}; }
  friend constexpr Nanoseconds operator-(Nanoseconds a, Nanoseconds b) { return {a.count - b.count}; }
  friend constexpr Nanoseconds operator*(Nanoseconds a, double factor) { return {a.count * factor}; }
  friend constexpr Nanoseconds operator*(double factor, Nanoseconds a) { return {a.count * factor}; }
  friend constexpr Nanoseconds operator/(Nanoseconds a, double divisor) { return {a.count / divisor}; }
  friend constexpr double operator/(Nanoseconds a, Nanoseconds b) { return a.count / b.count; }
};

/// Durations from the units people write.
constexpr Nanoseconds microseconds(double n) { return {n * 1e3}; }
constexpr Nanoseconds milliseconds(double n) { return {n * 1e6}; }
constexpr Nanoseconds seconds(double n) { return {n * 1e9}; }

/// A size in bytes.
struct Bytes {
  std::int64_t count = 0;
  friend constexpr auto operator<=>(const Bytes&, const Bytes&) = default;
};

/// A number of repetitions of the measured action.
struct Reps {
  std::int64_t count = 0;
  friend constexpr auto operator<=>(const Reps&, const Reps&) = default;
};

/// What a quantity's numbers mean. In files the unit stands in the key or in the quantity's declaration.
enum class Unit : std::uint8_t { nanoseconds, count, bytes, bytes_per_second, per_second, ratio };

/// The unit's name in files: "ns", "1", "B", "B/s", "1/s", "ratio".
constexpr const char* symbol(Unit unit) {
  constexpr const char* names[] = {"ns", "1", "B", "B/s", "1/s", "ratio"};
  return names[static_cast<unsigned>(unit)];
}

}  // namespace assay
