// SPDX-License-Identifier: Apache-2.0
// Another program on the measured CPU: its share of batches is told, and never averaged in.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

/// A process that spins on each CPU of the caller, until it goes out of scope.
class Spinners {
 public:
  Spinners() {
    cpu_set_t usable;
    if (::sched_getaffinity(0, sizeof usable, &usable) != 0) return;
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &usable)) start(cpu);
  }
  Spinners(const Spinners&) = delete;
  Spinners& operator=(const Spinners&) = delete;
  ~Spinners() {
    for (const pid_t pid : pids_) ::kill(pid, SIGKILL);
    for (const pid_t pid : pids_) ::waitpid(pid, nullptr, 0);
  }

 private:
  void start(std::size_t cpu) {
    const pid_t pid = ::fork();
    if (pid > 0) pids_.push_back(pid);
    if (pid != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ::sched_setaffinity(0, sizeof one, &one);
    for (volatile bool is_on = true; is_on;) continue;
  }
  std::vector<pid_t> pids_;
};

TEST(Machine, F51_spinner_on_the_measured_cpu_is_told_and_not_averaged) {
  const Scratch folder;
  const Spinners spinners;
  const auto finished = run_campaign_text(
      folder, "[precision]\neps = 5%\nmax-time = 2s\n[series.checked]\nmeasurement = sync/lock\nplacement = bound\n");
  ASSERT_LE(finished.exit_code, 1) << finished.err;
  const auto points = points_of(campaign_records(folder), "checked");
  ASSERT_FALSE(points.empty());
  for (const PointRecord& point : points) {
    std::printf("%s: %s, disturbed: %s\n", to_text(point.point).c_str(), to_text(point.outcome).c_str(),
                to_text(point.disturbed).c_str());
    EXPECT_NE(point.outcome, Outcome::failed) << point.reason;
  }
  const auto visits = records_of<VisitRecord>(campaign_records(folder));
  EXPECT_FALSE(visits.empty());
  for (const VisitRecord& visit : visits)
    for (const JudgedBatch& judged : visit.batches)
      EXPECT_TRUE(judged.batch.members.at(0).involuntary == 0 || judged.judgement.disturbed.any());
}

}  // namespace
}  // namespace assay::test
