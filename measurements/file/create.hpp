// SPDX-License-Identifier: Apache-2.0
// What it costs to create files and to delete them.
#pragma once
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "api/measurement.hpp"
#include "file/temporary.hpp"

namespace assay {

/// Many files, created with their content in a new folder and then deleted: lat_fs (lmbench; McVoy and Staelin,
/// 1996). Nothing is synced; a file system on a disk may make its user wait all the same.
///
/// Each batch has a folder of its own, in one that is marked as the top of unrelated ones (chattr +T): ext4 keeps the
/// files of a folder in one group of its disk, and passes over each inode there that was deleted within the last
/// minutes before it gives out one. In a folder that stays, a file takes the longer the more were deleted before it, by
/// a factor of ten and more, whatever its size.
class CreateFiles final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  static constexpr std::size_t create = 0, remove = 1, file_system = 2;
  /// Most files at a time.
  static constexpr std::int64_t most = 1000;

  /// Throws Unsupported where no files can be made.
  explicit CreateFiles(Setup& setup) : content_(setup.level<std::size_t>("size"), 'a'), folder_(directory_of(setup)) {
    for (std::int64_t i = 0; i < most; ++i) names_.push_back(std::to_string(i));
    folder_.spread();
  }

  Claims run(Member& member, Reps reps) override {
    if (reps.count > most) throw std::logic_error("more files than there are names for");
    const InnerFolder files(folder_);
    const int folder = files.descriptor();
    bool all = true;
    auto name = names_.begin();
    const Nanoseconds created = member.timed(reps, [&] { all &= create_one(folder, *name++); });
    if (!all) refuse();
    require_file(folder, *(name - 1));
    name = names_.begin();
    const Nanoseconds removed = member.timed(reps, [&] { all &= ::unlinkat(folder, (name++)->c_str(), 0) == 0; });
    if (!all) throw std::logic_error("a file that was created is missing when it is to be deleted");
    return Claims(created).set(remove, removed).set(file_system, static_cast<double>(folder_.file_system()));
  }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  bool create_one(int folder, const std::string& name) {
    const int file = ::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return failed(errno);
    const auto size = static_cast<ssize_t>(content_.size());
    const ssize_t written = size == 0 ? 0 : ::write(file, content_.data(), content_.size());
    const int error = errno;
    ::close(file);
    return written == size || failed(written < 0 ? error : ENOSPC);
  }
  [[gnu::cold]] bool failed(int error) {
    error_ = error;
    return false;
  }
  [[noreturn]] void refuse() const {
    throw Unsupported("files of " + std::to_string(content_.size()) + " bytes cannot be created in " + folder_.path() +
                      ": " + std::generic_category().message(error_) + "; choose fewer bytes or another directory");
  }
  void require_file(int folder, const std::string& name) const {
    struct stat facts {};
    const int result = ::fstatat(folder, name.c_str(), &facts, 0);
    if (result != 0 || facts.st_size != static_cast<off_t>(content_.size()))
      throw std::logic_error("a file of " + std::to_string(content_.size()) + " bytes has " +
                             std::to_string(facts.st_size));
  }

  std::vector<char> content_;
  TemporaryFolder folder_;
  std::vector<std::string> names_;
  int error_ = 0;
};

}  // namespace assay
