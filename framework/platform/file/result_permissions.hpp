// SPDX-License-Identifier: Apache-2.0
// Results for others to read.
#pragma once
#include <string>

namespace assay {

/// Lets all users read a directory and the regular files in it (modes 0755 and 0644); links in it are not followed, and
/// other folders are left as they are. Throws StorageError.
void share_directory(const std::string& path);

}  // namespace assay
