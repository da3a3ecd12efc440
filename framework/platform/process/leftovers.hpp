// SPDX-License-Identifier: Apache-2.0
// What a supervisor that was killed leaves behind: processes found by a mark in their environment, and the process that
// ends them.
#pragma once
#include <string>
#include <vector>

#include "platform/file/descriptor.hpp"

namespace assay {

/// Removes the names of message queues that process `pid`, which has ended, had not removed yet: those that
/// channel `message-queue` gives them, "/assay-PID-N". Whatever else exists under such a name is another program's, and
/// refuses. Never fails.
void remove_queues(int pid) noexcept;

/// Environment variable by which every process that a worker started can be found: "RUN.WORKER", where RUN is the tag
/// of a supervisor (new_run_tag) and WORKER counts its workers from 1.
inline constexpr const char* run_variable = "ASSAY_RUN";

/// A text that no other run has, now or later, on this machine or another (36 characters: the kernel's random UUID).
/// Throws PlatformError.
std::string new_run_tag();

/// Live processes that were started with ASSAY_RUN=`mark`, in ascending order; or, with any_worker, by any worker of
/// the run of that tag. Those of other users cannot be seen.
std::vector<int> processes_marked(const std::string& mark, bool any_worker = false);

/// Kills every process of the mark except this one, also those that appear meanwhile, and reaps those that are children
/// of this process. Returns what was found, as "NAME (process ID)". Gives up after a second.
std::vector<std::string> end_marked(const std::string& mark, bool any_worker = false);

/// A child process in a session of its own that only reads from a socket. When its other end is gone, however that came
/// about, it kills the process groups that it knows and every process of the run's mark, and ends.
class Sentinel {
 public:
  /// `tag` is that of the run (new_run_tag). For the only thread of a process, since the child goes on in a copy of it:
  /// throws std::logic_error where there are others; PlatformError.
  explicit Sentinel(const std::string& tag);
  /// Lets it do its work now, and waits for its end.
  ~Sentinel();
  Sentinel(const Sentinel&) = delete;
  Sentinel& operator=(const Sentinel&) = delete;

  /// The group is to be killed.
  void watch(int group) noexcept;
  /// The group is gone, and its id may be given to others.
  void forget(int group) noexcept;
  int pid() const noexcept { return pid_; }

 private:
  int pid_ = -1;
  Descriptor socket_;
};

}  // namespace assay
