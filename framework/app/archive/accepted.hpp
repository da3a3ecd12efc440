// SPDX-License-Identifier: Apache-2.0
// Accepted values: a small file that a campaign is held against.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/archive/entry.hpp"

namespace assay::history {

/// A range that a result may lie in, in its unit.
struct AcceptedValue {
  PlaceOfResult place;
  std::string identity;
  Unit unit = Unit::nanoseconds;
  double low = 0;
  double value = 0;  ///< what was found when it was accepted
  double high = 0;
  std::optional<CoreState> state = {};  ///< of the cores; nothing in files that do not contain it
};

/// What a file of accepted values holds.
struct AcceptedValues {
  std::string title;    ///< of the campaign that they are of
  std::string started;  ///< its date
  Facts facts;          ///< that make another machine or program
  std::vector<AcceptedValue> values;
};

/// The sound results of a campaign, with their intervals widened by `tolerance`, a share of the value, to either side.
/// Only what tables show of the primary quantities.
AcceptedValues accepted_of(const Digest& digest, double tolerance);

/// As JSON, a line for each value, so that people can change one.
std::string to_text(const AcceptedValues& accepted);
/// Inverse. Throws ResultError with `name` and what is wrong.
AcceptedValues parse_accepted(std::string_view text, const std::string& name);

}  // namespace assay::history
