// SPDX-License-Identifier: Apache-2.0
// What a screening found of a node, a link or a part of the network, as a row of results.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "record/record.hpp"

namespace assay::cluster {

/// What is said of it. Closed list.
enum class Screened : std::uint8_t {
  slow,
  lacking,  ///< a node without times in most of its tests
  unclear
};
/// "slow", "lacking", "unclear".
std::string to_text(Screened verdict);

/// A unit that was found to be slow, lacking or unclear.
struct ScreenedUnit {
  std::string series;
  Screened verdict = Screened::slow;
  std::string node;  ///< or one end of a link; empty of a part
  std::string peer;  ///< the other end
  std::string part;  ///< "switch leaf1 (n0, n1)"
  double ratio = 1;  ///< times as long as healthy ones; of no meaning where it is lacking
  Interval interval = {};
  std::string reason;  ///< "p = 1.2e-09, 28 confirmations"; why it is lacking
};

/// A derived value `screened` with the unit and the verdict as levels (`node`, `peer`, `part`, `verdict`).
DerivedRecord record_of(const ScreenedUnit& unit);
/// Back; nothing for other records.
std::optional<ScreenedUnit> screened_unit(const Record& record);

}  // namespace assay::cluster
