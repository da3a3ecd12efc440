// SPDX-License-Identifier: Apache-2.0
// What an earlier campaign was measured with, as far as it is still there.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/against/other_program.hpp"
#include "base/error.hpp"
#include "record/record.hpp"

namespace assay {

/// This program's workers.
struct ThisProgram {
  std::string path;
  std::string build;
};
ThisProgram this_program();

/// The program whose workers measured a campaign.
struct ProgramOfThen {
  bool is_this = false;               ///< it is this program's build
  std::optional<OtherProgram> other;  ///< another one, that is as it was
  std::string lack;                   ///< else why it cannot be had, one clause
};
/// By the facts of that campaign's last session. `plugins` are those that it has to load.
ProgramOfThen program_of_then(const Facts& facts, const std::vector<std::string>& plugins, const Where& at);

/// The plugins of a campaign, whose paths `then` its configuration names.
struct PluginsOfThen {
  std::vector<std::string> paths;  ///< where they are other ones than today's, and as they were; else none
  std::vector<std::string> lacks;  ///< a clause for each that is gone or changed
};
PluginsOfThen plugins_of_then(const Facts& facts, const std::vector<std::string>& then,
                              const std::vector<std::string>& today);

}  // namespace assay
