// SPDX-License-Identifier: Apache-2.0
// The single table of options: schema, defaults and help by Boost.Program_options, which does not leave options.cpp.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace assay {

/// Where an option can be set. Precedence: command line, then ASSAY_* environment, then file, then default.
struct OptionInfo {
  std::string section;  ///< "campaign", "precision", "series"
  std::string name;
  std::string type;      ///< "number", "duration", "size", "word", "flag", "text", "domain"
  std::string standard;  ///< default, as text
  std::string help;
};

/// All options of a campaign file.
const std::vector<OptionInfo>& option_table();

/// Values with where each came from, by "section.key"; for a series "series.NAME.key".
struct Setting {
  std::string value;
  Where at;
};
using Settings = std::map<std::string, Setting>;

}  // namespace assay
