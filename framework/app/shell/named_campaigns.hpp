// SPDX-License-Identifier: Apache-2.0
// The campaigns that a command line names, as far as they can be read.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "api/measurement.hpp"
#include "text/ini.hpp"

namespace assay {

/// A series of one of them.
struct NamedSeries {
  std::string name;
  const Description* measurement = nullptr;  ///< null: of a plugin, or not given
  std::string measurement_name;
  std::vector<std::pair<std::string, std::vector<std::string>>> keys;  ///< with their levels
};

/// What they have, in the order of the line.
struct NamedCampaigns {
  std::vector<NamedSeries> series;
  std::vector<std::string> variants;
};

/// Takes the words that are files of at most 1 MiB, or results, whose configuration stands at the beginning of their
/// journal. Whatever is wrong with one, it is left out.
NamedCampaigns named_campaigns(const std::vector<std::string>& line, const Registry& registry);

}  // namespace assay
