// SPDX-License-Identifier: Apache-2.0
// What it costs to make a process, by each way there is.
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "api/measurement.hpp"
#include "process/child.hpp"
#include "process/ways.hpp"

namespace assay {

/// Throws Unsupported where a process could not be made, and std::logic_error where one did not end as it should.
inline void require_ended(const ProcessReport& report, std::int64_t count) {
  if (report.ended == count) return;
  const std::string which = "process " + std::to_string(report.ended + 1) + " of " + std::to_string(count);
  if (report.error != 0)
    throw Unsupported("the system does not create " + which + ": " + std::generic_category().message(report.error) +
                      "; see the limits of processes (ulimit -u, pids.max), or choose another level of `how`");
  throw std::logic_error(which + (WIFSIGNALED(report.status)
                                      ? " was killed by signal " + std::to_string(WTERMSIG(report.status))
                                      : " ended with exit status " + std::to_string(WEXITSTATUS(report.status))));
}

/// Processes made one by one by a small program of fixed size, which times itself and reports it: the fork, exec and sh
/// of lat_proc (lmbench; McVoy and Staelin, 1996) and their younger relatives. The member sleeps meanwhile. The program
/// starts where the member is and inherits its binding.
class MakeProcess final : public Measurement {
 public:
  /// Throws Unsupported where the small program is missing.
  explicit MakeProcess(Setup& setup) {
    const std::string how = setup.word("how");
    int number = 0;
    while (how != process_ways[number]) ++number;
    way_ = ProcessWay{number};
    child_program();
  }

  void enter(Member&) override {
    child_.emplace(std::vector<std::string>{"serve", std::to_string(::getpid())}, ChildSession::shared);
  }
  void leave(Member&) override { child_.reset(); }

  Claims run(Member&, Reps reps) override {
    const auto report = child_->ask<ProcessReport>(ProcessOrder{way_, reps.count});
    require_ended(report, reps.count);
    return Nanoseconds{static_cast<double>(report.nanoseconds)};
  }

 private:
  ProcessWay way_{};
  std::optional<Child> child_;
};

}  // namespace assay
