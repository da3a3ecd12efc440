// SPDX-License-Identifier: Apache-2.0
// What an earlier campaign was measured with, as far as it is still there; another build of this program is asked
// whether its workers can serve this one.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "api/description.hpp"
#include "base/error.hpp"
#include "record/record.hpp"

namespace assay {

/// A program whose workers can serve.
struct OtherProgram {
  std::string path;
  std::string version;                    ///< as it states it
  std::string build;                      ///< platform/file/shared_object.hpp's file_build
  std::vector<Description> measurements;  ///< those of the plugins included
};

/// Asks a program for its version and a worker of it for its measurements. Throws ConfigError, positioned at `at`, for
/// a file that is not executable, is for another machine, is no assay, loads a plugin not, or has workers of another
/// protocol; both versions are named then.
OtherProgram examine_program(const std::string& path, const std::vector<std::string>& plugins, const Where& at);

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
