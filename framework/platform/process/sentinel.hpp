// SPDX-License-Identifier: Apache-2.0
// The process that ends what a supervisor started when the supervisor itself was killed.
#pragma once
#include <string>

#include "platform/file/descriptor.hpp"

namespace assay {

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
