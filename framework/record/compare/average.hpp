// SPDX-License-Identifier: Apache-2.0
// Several campaigns of one system combined, each counting once.
#pragma once
#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "record/table/layout.hpp"

namespace assay {

/// What the campaigns found for a point's quantity in a regime.
struct Average {
  std::string series;
  std::string measurement;
  Point point;
  std::string quantity;
  Unit unit = Unit::nanoseconds;
  Regime regime = Regime::solo;
  std::vector<double> values;  ///< headlines, in the order of the campaigns
  Estimate estimate;           ///< stats/rule/sessions.hpp's over_sessions, of campaigns; basis "campaigns"
  double spread = 0;           ///< standard deviation between campaigns over the mean; NaN where that is 0
  std::size_t converged = 0;   ///< of the campaigns
};

/// What is not averaged, since a campaign has no such number.
struct NotAveraged {
  std::string series;
  Point point;
  std::string reason;  ///< names the campaigns
};

/// The averages in the order of tables, and what there is none of.
struct Averages {
  std::vector<Average> results;
  std::vector<NotAveraged> missing;
  /// The first campaign's records with averages in the place of its results, for layouts: points without an average
  /// have no results but the reason, and derived values are left out.
  std::vector<Record> records;
};

/// Averages over two campaigns or more, matched by series, point, and identity of what was measured. A number that one
/// of them lacks makes no average. Whether the campaigns are of one system is for the caller to find out.
Averages average(std::span<const ShownCampaign> campaigns);

/// The averages as tables by series, what was not averaged with its reason, and what the columns mean.
void print_averages(std::ostream& out, const Averages& averages, std::size_t campaigns);

}  // namespace assay
