// SPDX-License-Identifier: Apache-2.0
// The file that states who is writing a directory's results.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "platform/file/append_file.hpp"

namespace assay {

/// A process, distinguished from every other one that ever ran.
struct Owner {
  std::string host;
  int pid = 0;
  std::string boot;   ///< the kernel's id of this run of it
  std::string space;  ///< of process ids: containers on one kernel have their own
  std::string start;  ///< of the process, in ticks since boot
  std::string since;  ///< UTC, for display
  friend bool operator==(const Owner&, const Owner&) = default;
};
/// The calling process.
Owner this_process();
/// A line per member; and back, nothing where one is missing.
std::string to_text(const Owner& owner);
std::optional<Owner> parse_owner(std::string_view text);

/// Name of the file inside the directory.
inline constexpr const char* owner_name = "owner";

/// Keeps other processes away from a directory while it lives; the file goes with it.
class OwnerFile {
 public:
  /// Makes the calling process the owner. `lock` is the state of the lock on the results. The file that an earlier
  /// process left is taken over where that is known to have ended: its lock is free on the same kernel, its host has
  /// been started again, or it is not among this host's processes. Where that cannot be known, only if `steal`. Throws
  /// ResultError naming the owner, StorageError.
  OwnerFile(const std::string& directory, FileLock lock, bool steal);
  OwnerFile(OwnerFile&& other) noexcept;
  OwnerFile& operator=(OwnerFile&&) = delete;
  ~OwnerFile();
  /// What was taken over, as a sentence; empty where there was nothing.
  const std::string& notice() const { return notice_; }

 private:
  std::string path_;
  Owner self_;
  std::string notice_;
};

}  // namespace assay
