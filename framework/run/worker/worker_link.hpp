// SPDX-License-Identifier: Apache-2.0
// The supervisor's end of one worker: questions with a deadline, and its end.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.hpp"
#include "platform/machine/cgroup.hpp"
#include "platform/process/process.hpp"
#include "run/protocol/messages.hpp"

namespace assay {

/// A worker process that is not trusted. Each failure of a question kills its whole process group.
class WorkerLink {
 public:
  /// Starts `COMMAND... worker [--memory BYTES] [--keep-cores] [--plugin PATH]...`. Throws PlatformError.
  WorkerLink(const std::vector<std::string>& command, const std::vector<std::string>& plugins,
             const std::vector<std::string>& environment, const WorkerLimits& limits = {});

  int pid() const { return process_.pid(); }
  /// True when something of the worker's group could not be killed.
  bool unkillable() const { return process_.unkillable(); }
  /// True when the group is gone, but a process that left it holds on to its output.
  bool left_something() { return !process_.output_closed(); }

  /// Sends a request and waits for its reply. Throws VisitFailed: `timeout` when the deadline passes; what the worker
  /// says when it fails; `failed` when it ends, or answers something else. Throws VisitAborted on an interrupt. The
  /// worker is gone then.
  template <class Answer>
  Answer ask(const Request& request, Nanoseconds deadline, const Interrupt& interrupt = {}) {
    Reply reply = converse(request, deadline, interrupt);
    if (auto* answer = std::get_if<Answer>(&reply)) return std::move(*answer);
    break_off("a reply of another kind");
  }
  /// Kills the worker for breaking the protocol. Throws VisitFailed.
  [[noreturn]] void break_off(const std::string& what);

  /// Lets the worker end by itself; it is not waited for.
  void dismiss();
  /// Dismisses the worker, waits for its end until `patience` is over, then kills whatever is left of its group.
  void end(Nanoseconds patience);

 private:
  Reply converse(const Request& request, Nanoseconds deadline, const Interrupt& interrupt);
  Reply understand(const std::string& line);
  [[noreturn]] void abort();
  [[noreturn]] void miss(Nanoseconds deadline);
  std::string ending();
  [[noreturn]] void fail(Outcome outcome, const std::string& why, const std::string& code = {}, Evidence seen = {});

  ChildProcess process_;
  std::int64_t requests_ = 0;
  Instant heard_{};          ///< the last sign of life since the request
  OutOfMemoryKills before_;  ///< when the worker was started
};

}  // namespace assay
