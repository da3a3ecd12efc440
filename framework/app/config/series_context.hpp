// SPDX-License-Identifier: Apache-2.0
// What the readers of a series' keys share.
#pragma once
#include <string>
#include <string_view>

#include "api/description.hpp"
#include "app/cli/options.hpp"
#include "app/cli/problems.hpp"
#include "app/config/settings.hpp"
#include "base/factor.hpp"
#include "platform/topology/topology.hpp"
#include "run/plan.hpp"

namespace assay {

/// One series with its measurement, its settings (those of [precision] among them) and where problems go.
struct SeriesContext {
  const NamedSection& header;
  const Description& measurement;
  const Settings& settings;
  const std::vector<Variant>& variants;
  const Topology& topology;
  Problems& problems;
  std::size_t most_points = usual_most_levels;  ///< of a series, and levels of a factor

  /// The series' own setting of a key; nullptr when it has none.
  const Setting* own(const std::string& key) const {
    const auto found = settings.find(header.section() + "." + key);
    return found == settings.end() ? nullptr : &found->second;
  }
};

/// The position of the byte at `offset` of a setting's value.
inline Where within(const Setting& setting, std::size_t offset) {
  Where at = setting.at;
  if (at.line > 0) at.column += static_cast<int>(offset);
  return at;
}

/// The position of an item of a list that is separated by commas, white space or "..", the setting's own when it is not
/// found.
Where item_of(const Setting& setting, std::string_view item);

}  // namespace assay
