// SPDX-License-Identifier: Apache-2.0
// What was asked for, before it is known what it means: files, environment and command line as settings by section.
#pragma once
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "app/cli/problems.hpp"
#include "app/config/campaign_source.hpp"

namespace assay {

/// A header `[series.NAME]` or `[variant.NAME]`.
struct NamedSection {
  std::string name;
  Where at;
  std::string kind = "series";
  std::string section() const { return kind + "." + name; }
};

/// Everything given, by source, in order of precedence: command line, environment, files.
struct GivenSettings {
  std::vector<NamedSection> series;  ///< in the order of the files, cut to those selected
  std::vector<NamedSection> variants;
  std::vector<std::vector<Given>> sources;
  std::vector<Where> malformed;  ///< lines that are neither sections nor settings
  /// The value of a key in the first source that has it; nullptr when none has.
  const Setting* find(const std::string& section, const std::string& key) const;
  /// The keys given in a section that start with `prefix`.
  std::vector<std::string> keys(const std::string& section, const std::string& prefix) const;
};

/// Reads the sources and takes the `section.key=value` texts of `set` apart; `key=value` is meant for every series that
/// sets the key. They are read as if they were one: a series
/// may stand in one of them only, and a key be set only once. Of the series only those in `selected` are kept; all, if
/// it is empty. `options` are further settings of the command line, positioned at the option that gives each.
GivenSettings gather(const std::vector<CampaignSource>& sources, const std::vector<std::string>& set,
                     const std::vector<std::string>& selected, Problems& problems,
                     const std::vector<Given>& options = {});

/// The same for the text of a resolved configuration, which no environment variable changes; `name` stands in messages.
GivenSettings gather_resolved(const std::string& text, const std::string& name, const std::vector<std::string>& set,
                              Problems& problems);

}  // namespace assay
