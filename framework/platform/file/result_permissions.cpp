// SPDX-License-Identifier: Apache-2.0
// Results for others to read.
#include "platform/file/result_permissions.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "base/error.hpp"
#include "platform/file/descriptor.hpp"

namespace assay {
namespace {

constexpr mode_t shared_directory = 0755;
constexpr mode_t shared_file = 0644;

/// A link, a pipe or what went away meanwhile is passed over.
void share_file(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (file.value() < 0 || ::fstat(file.value(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  if (::fchmod(file.value(), shared_file) != 0) throw StorageError("sharing '" + path.string() + "'", errno);
}

}  // namespace

void share_directory(const std::string& path) {
  const Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.value() < 0 || ::fchmod(directory.value(), shared_directory) != 0)
    throw StorageError("sharing '" + path + "'", errno);
  std::error_code error;
  for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    share_file(entry->path());
}

}  // namespace assay
