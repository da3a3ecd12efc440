// SPDX-License-Identifier: Apache-2.0
// mkdtemp, a lock, and a look for folders without a holder of theirs.
#include "command/scratch.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "api/measurement.hpp"
#include "file/temporary.hpp"

namespace assay {
namespace {

constexpr const char* prefix = "assay-scratch-";

/// A descriptor of the folder with the lock taken; -1 where another has it, or it is not ours.
int locked(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() && status.st_nlink > 0 &&
      ::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    return descriptor;
  ::close(descriptor);
  return -1;
}

void remove_tree(const std::string& folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

void remove_abandoned(const std::filesystem::path& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    const int lock = locked(entry.path());
    if (lock < 0) continue;
    remove_tree(entry.path());
    ::close(lock);
  }
}

}  // namespace

ScratchFolder::ScratchFolder() {
  const std::filesystem::path folder = temporary_folder();
  remove_abandoned(folder);
  for (int tries = 0; tries < 10; ++tries) {  // between the making and the lock another one may take it for abandoned
    std::string name = folder / (std::string(prefix) + "XXXXXX");
    if (::mkdtemp(name.data()) == nullptr)
      throw Unsupported("no folder can be made in " + folder.string() + ": " + std::generic_category().message(errno) +
                        "; set TMPDIR to one that can be written to");
    lock_ = locked(name);
    path_ = name;
    if (lock_ >= 0 && std::filesystem::exists(path_)) return;
    if (lock_ >= 0) ::close(lock_);
    remove_tree(name);
  }
  throw Unsupported("no folder in " + folder.string() + " can be locked; set TMPDIR to a local file system");
}

ScratchFolder::~ScratchFolder() {
  remove_tree(path_);
  ::close(lock_);
}

}  // namespace assay
