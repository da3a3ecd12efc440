// SPDX-License-Identifier: Apache-2.0
// The supervisor's end of one worker: questions with a deadline, and its end.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "platform/process.hpp"
#include "run/messages.hpp"

namespace assay {

/// A worker process that is not trusted. Each failure of a question kills its whole process group.
class WorkerLink {
 public:
  /// Starts `program worker [--plugin PATH]...`. Throws PlatformError.
  WorkerLink(const std::string& program, const std::vector<std::string>& plugins,
             const std::vector<std::string>& environment);

  int pid() const { return process_.pid(); }

  /// Sends a request and waits for its reply. Throws VisitFailed: `timeout` when the deadline passes; what the worker
  /// says when it fails; `failed` when it ends, or answers something else. The worker is gone then.
  template <class Answer>
  Answer ask(const Request& request, Nanoseconds deadline) {
    Reply reply = converse(request, deadline);
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
  Reply converse(const Request& request, Nanoseconds deadline);
  Reply understand(const std::string& line);
  std::string ending();
  [[noreturn]] void fail(Outcome outcome, const std::string& why, const std::string& code = {});

  ChildProcess process_;
  std::int64_t requests_ = 0;
};

}  // namespace assay
