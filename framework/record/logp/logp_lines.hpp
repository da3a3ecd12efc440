// SPDX-License-Identifier: Apache-2.0
// The LogP vector of each primitive and placement, collected from the series of a journal.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "record/grouping.hpp"

namespace assay::logp {

/// The numbers of a line. `rtt` to `latency` stand in the main table.
enum class Parameter : unsigned char {
  rtt,
  o_s_idle,
  o_s_drain,
  o_s_blk,
  o_r_ready,
  o_r_cpu,
  g_flood,
  g_issue,
  one_way,   ///< T1
  distance,  ///< D
  latency,   ///< L
  capacity,
  back,    ///< T1[back]
  prtt,    ///< o_s by the other route
  proved,  ///< share of the sends whose receiver was proved asleep
};
inline constexpr std::size_t parameter_count = 15;

/// One number: where it was asked for, and what was found there. Pointers are borrowed from the groups.
struct Number {
  const SeriesGroup* series = nullptr;
  const PointRecord* point = nullptr;  ///< with the number, or with the reason why there is none
  const Result* result = nullptr;
  const DerivedRecord* derived = nullptr;
  std::string marks{};  ///< of what it rests on

  bool asked() const { return point != nullptr || derived != nullptr; }
  /// The value with its interval, valid or not; nothing where there is none.
  std::optional<Estimate> estimate() const;
  /// What stands in place of a value: an N code, or the outcome's word; empty where there is a value or none was asked.
  std::string lack() const;
  /// The reason for it in full.
  std::string reason() const;
};

/// A primitive at a placement, in one regime of its round trip.
struct Line {
  Point key;                     ///< where it was measured (placement, vehicle, ...), then what: channel and the rest
  bool is_first = true;          ///< of its primitive; what does not depend on the round trip's regime stands there
  std::optional<Regime> regime;  ///< of round trip, T1, D and L; nothing where none of them was in any
  std::array<Number, parameter_count> numbers{};

  Number& operator[](Parameter parameter) { return numbers[static_cast<std::size_t>(parameter)]; }
  const Number& operator[](Parameter parameter) const { return numbers[static_cast<std::size_t>(parameter)]; }
};

/// The factors that say where and by whom, in the order of the blocks of the table.
const std::vector<std::string>& block_factors();

/// What was measured by the protocols, known by the last part of a measurement's name: round_trip, overheads, issue,
/// blocked, one_way, capacity; the gaps are derived slopes over `burst`. A primitive is what its `channel` and further
/// factors say that no protocol owns; a round trip's regime has a line where it has a quarter of the batches, and the
/// blocked regime where a receiver was proved asleep. Lines in the order of tables. L and the identities are not filled
/// in; a layout derives them.
std::vector<Line> lines_of(const std::vector<SeriesGroup>& groups);

/// L by line, and the ratios of its identities: RTT / 2 to T1, T1 to T1[back], o_s by both routes.
std::vector<DerivedRecord> derive(const std::vector<SeriesGroup>& groups);

/// The names of those records.
inline constexpr const char* latency_name = "L";
inline constexpr const char* delivery_name = "L+o_r";
inline constexpr const char* half_trip_name = "half-rtt-to-T1";
inline constexpr const char* routes_name = "routes";
inline constexpr const char* symmetry_name = "back-to-there";

}  // namespace assay::logp
