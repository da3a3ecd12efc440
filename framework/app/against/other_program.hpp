// SPDX-License-Identifier: Apache-2.0
// Another build of this program, asked whether its workers can serve this one.
#pragma once
#include <string>
#include <vector>

#include "api/description.hpp"
#include "base/error.hpp"

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

}  // namespace assay
