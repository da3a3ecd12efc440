// SPDX-License-Identifier: Apache-2.0
// Rows of the fault table that concern processes: what real workers do wrong is told, ended, and survived.
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "platform/process/leftovers.hpp"
#include "platform/process/process.hpp"
#include "platform/procfs/procfs.hpp"
#include "platform/thread/guard.hpp"
#include "support/programs/faulty_visits.hpp"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

TEST(Faults, F10_deadlock_is_killed_and_recorded) {
  for (const char* vehicle : {"thread", "process"}) {
    const VisitFailed found = failure(plan_of(2), key_of("deadlock-self", "run", 1, vehicle), in_haste());
    EXPECT_EQ(found.outcome(), Outcome::timeout);
    EXPECT_THAT(found.what(), AllOf(StartsWith("no answer within 2 s: both threads wait"), HasSubstr("; killed")));
    EXPECT_EQ(found.evidence().last_heard, "silent");
    ASSERT_EQ(found.evidence().threads.size(), 2U);
    for (const ThreadState& thread : found.evidence().threads) {
      EXPECT_EQ(thread.state, "S");
      EXPECT_EQ(thread.cpu_ticks, 0);
      EXPECT_THAT(thread.system_call, testing::AnyOf("futex", "")) << "empty: it cannot be read here";
    }
  }
}

/// A control group in which processes are frozen, and not even SIGKILL ends them before they thaw.
class Freezer {
 public:
  explicit Freezer(int pid) : folder_("/sys/fs/cgroup/freezer/assay-test-" + std::to_string(::getpid())) {
    std::error_code error;
    if (!std::filesystem::create_directory(folder_, error)) return;
    write("tasks", std::to_string(pid));
    write("freezer.state", "FROZEN");
    // The kernel reports neither this change nor, below, that the group is empty to anybody who waits.
    for (int i = 0; i < 1000 && !works_; ++i) {
      works_ = process_stat(pid)->state == 'D';
      ::usleep(1'000);
    }
  }
  Freezer(const Freezer&) = delete;
  Freezer& operator=(const Freezer&) = delete;
  ~Freezer() {
    write("freezer.state", "THAWED");
    for (int i = 0; i < 1000 && ::rmdir(folder_.c_str()) != 0 && errno == EBUSY; ++i) {
      ::waitpid(-1, nullptr, WNOHANG);
      ::usleep(1'000);
    }
  }
  bool works() const { return works_; }

 private:
  void write(const char* file, const std::string& text) const { std::ofstream(folder_ / file) << text; }
  std::filesystem::path folder_;
  bool works_ = false;
};

TEST(Faults, F10_a_worker_that_cannot_be_killed_is_left_and_its_cpus_are_refused) {
  CampaignPlan plan = plan_of(1);
  plan.series[0].placements = {Placement{"here", {binding_of_self().front()}}};
  IncarnationKey key = key_of("ok");
  key.point.set("placement", std::string("here"));
  Supervisor supervisor(plan, program);
  const int pid = supervisor.open(key).process;
  const Freezer freezer(pid);
  if (!freezer.works()) GTEST_SKIP() << "needs a freezer of control groups (version 1) that this user may write to";
  try {
    supervisor.visit(key, in_haste());
    FAIL() << "a frozen worker answered";
  } catch (const VisitFailed& found) {
    EXPECT_EQ(found.outcome(), Outcome::timeout);
    EXPECT_THAT(found.what(), AllOf(HasSubstr("sleeps without interruption"), HasSubstr("without effect")));
  }
  EXPECT_THAT(supervisor.notes(), testing::ElementsAre(HasSubstr("no point is measured any more on CPU ")));
  key.incarnation = 1;
  EXPECT_THROW(supervisor.open(key), VisitFailed) << "its CPU is not free";
  EXPECT_NO_THROW(supervisor.open(key_of("ok"))) << "unbound ones go on";
}

TEST(Faults, F11_endless_loop_is_told_from_a_deadlock) {
  for (const char* fault : {"spin", "spin-syscall"}) {
    const VisitFailed found = failure(plan_of(1), key_of(fault), in_haste());
    EXPECT_EQ(found.outcome(), Outcome::timeout);
    EXPECT_THAT(found.what(), HasSubstr("no answer within 2 s: the only thread spins; killed")) << fault;
  }
  EXPECT_THAT(failure(plan_of(3), key_of("spin", "run", 2), in_haste()).what(),
              HasSubstr("1 of 3 threads spins, 2 wait"));
}

TEST(Faults, F11_slow_but_alive_is_told_from_silent) {
  VisitOrder slow = order;
  slow.batches = 100;
  slow.deadline = seconds(6);
  const VisitFailed found = failure(plan_of(1), key_of("slow"), slow);
  EXPECT_EQ(found.outcome(), Outcome::timeout) << "a sign of life moves no deadline";
  EXPECT_THAT(found.what(), StartsWith("no answer within 6 s, but signs of life: "));
  EXPECT_EQ(found.evidence().last_heard, "slow but alive");
}

TEST(Faults, F12_crashes_and_exits_have_their_names) {
  const CampaignPlan plan = plan_of(1);
  EXPECT_THAT(failure(plan, key_of("segv")).what(), StartsWith("worker killed by SIGSEGV"));
  EXPECT_THAT(failure(plan, key_of("abort")).what(), StartsWith("worker killed by SIGABRT"));
  EXPECT_STREQ(failure(plan, key_of("exit-0")).what(), "worker exited 0 without a result");
  EXPECT_STREQ(failure(plan, key_of("exit")).what(), "worker exited 7");
  EXPECT_THAT(failure(plan, key_of("close-socket")).what(), HasSubstr("closed its connection"));
}

TEST(Faults, F12_uncaught_exceptions_keep_their_words) {
  EXPECT_THAT(failure(plan_of(1), key_of("throw")).what(), HasSubstr("on purpose"));
  const VisitFailed found = failure(plan_of(1), key_of("throw-in-helper"));
  EXPECT_THAT(found.what(), AllOf(StartsWith("worker killed by SIGABRT: "), HasSubstr("in a helper")));
  EXPECT_THAT(found.evidence().output, HasSubstr("terminate called after throwing"));
}

TEST(Faults, F12_half_a_reply_is_a_protocol_error) {
  for (const char* fault : {"garbage", "partial"})
    EXPECT_THAT(failure(plan_of(1), key_of(fault)).what(), StartsWith("protocol error: ")) << fault;
}

TEST(Faults, F13_memory_beyond_the_limit_is_out_of_memory) {
  if (ASSAY_SANITIZED) GTEST_SKIP() << "the sanitizer itself needs more than this limit allows";
  CampaignPlan plan = plan_of(1);
  plan.limits.memory = std::uint64_t{256} << 20U;
  const VisitFailed found = failure(plan, key_of("oom"));
  EXPECT_EQ(found.outcome(), Outcome::failed);
  EXPECT_THAT(found.what(), HasSubstr("out of memory"));
}

TEST(Faults, F14_grandchildren_end_with_their_worker) {
  const CampaignPlan plan = plan_of(1);
  Supervisor supervisor(plan, program);
  const IncarnationKey key = key_of("fork-sleepers", "construct");
  supervisor.open(key);
  EXPECT_EQ(processes_marked(supervisor.tag(), true).size(), 4U);
  supervisor.close(key);
  EXPECT_THAT(processes_marked(supervisor.tag(), true), IsEmpty());
  EXPECT_THAT(supervisor.notes(), IsEmpty());
}

TEST(Faults, F14_who_leaves_the_session_is_found_and_told) {
  const CampaignPlan plan = plan_of(1);
  Supervisor supervisor(plan, program);
  const IncarnationKey key = key_of("setsid-escape", "construct");
  supervisor.open(key);
  EXPECT_EQ(processes_marked(supervisor.tag(), true).size(), 2U);
  supervisor.close(key);
  EXPECT_THAT(processes_marked(supervisor.tag(), true), IsEmpty());
  EXPECT_THAT(supervisor.notes(),
              testing::ElementsAre(HasSubstr("remained after its worker had ended, and was killed")));
}

TEST(Faults, F15_a_worker_that_spams_is_not_held_up_and_its_output_is_cut) {
  const CampaignPlan plan = plan_of(1);
  {
    Supervisor supervisor(plan, program);
    const IncarnationKey key = key_of("spam");
    supervisor.open(key);
    EXPECT_EQ(supervisor.visit(key, {Reps{1}, 0, 0, 3, false, ample}).batches.size(), 3U);
  }
  const std::string output = failure(plan, key_of("spam-throw")).evidence().output;
  EXPECT_LE(output.size(), std::size_t{65536});
  EXPECT_THAT(output.substr(0, 100), AllOf(StartsWith("["), HasSubstr(" bytes before this were left out]")));
}

TEST(Faults, F17_a_supervisor_with_threads_is_refused) {
  const CampaignPlan plan = plan_of(1);
  std::atomic<std::uint32_t> over{0};
  std::thread other([&] { wait_while_equal(over, 0); });
  EXPECT_THROW(Supervisor(plan, program), std::logic_error);
  over = 1;
  wake_all(over);
  other.join();
  EXPECT_NO_THROW(Supervisor(plan, program));
}

TEST(Faults, F18_one_thread_that_fails_releases_the_others) {
  for (const char* where : {"enter", "run"}) {
    const VisitFailed found = failure(plan_of(3), key_of("throw", where, 2));
    EXPECT_EQ(found.outcome(), Outcome::failed) << where << ": the others waited for the deadline";
    EXPECT_THAT(found.what(), HasSubstr("member 2: on purpose")) << where;
  }
}

TEST(Faults, F40_a_signal_to_the_whole_job_is_no_crash_of_a_worker) {
  const CampaignPlan plan = plan_of(1);
  Supervisor supervisor(plan, program);
  const IncarnationKey key = key_of("ok");
  const int group = supervisor.open(key).process;
  for (const int request : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) EXPECT_EQ(::kill(-group, request), 0);
  EXPECT_EQ(supervisor.visit(key, {Reps{2}, 1, 1, 4, false, ample}).batches.size(), 5U);
}

/// A process that supervises a worker which goes wrong in its first visit, or is parked after it.
class DoomedSupervisor {
 public:
  explicit DoomedSupervisor(const IncarnationKey& key) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) supervise(key, ends[1]);
    ::close(ends[1]);
    std::array<char, 36> text{};
    EXPECT_EQ(::read(ends[0], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    tag_.assign(text.data(), text.size());
    ::close(ends[0]);
  }
  DoomedSupervisor(const DoomedSupervisor&) = delete;
  DoomedSupervisor& operator=(const DoomedSupervisor&) = delete;
  ~DoomedSupervisor() { kill(); }

  const std::string& tag() const { return tag_; }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  [[noreturn]] static void supervise(const IncarnationKey& key, int to) {
    const CampaignPlan plan = plan_of(1);
    Supervisor supervisor(plan, program);
    supervisor.open(key);
    if (::write(to, supervisor.tag().data(), supervisor.tag().size()) < 0) ::_exit(1);
    supervisor.visit(key, order);
    for (;;) ::pause();
  }

  pid_t pid_ = 0;
  std::string tag_;
};

/// Whether the number of processes of the tag becomes so before a minute is over. They are a stranger's children, so
/// that nothing here is woken when they start or end: they are counted again and again.
bool becomes(const std::string& tag, std::size_t count) {
  for (int i = 0; i < 6000; ++i) {
    if (processes_marked(tag, true).size() == count) return true;
    ::usleep(10'000);
  }
  return false;
}

TEST(Faults, F53_nothing_outlives_a_killed_supervisor) {
  const struct {
    const char* fault;
    std::size_t processes;
  } cases[] = {{"ok", 1}, {"hang", 1}, {"spin", 1}, {"fork-sleepers", 4}, {"setsid-escape", 2}};
  for (const auto& [fault, processes] : cases) {
    DoomedSupervisor supervisor(key_of(fault, processes > 1 ? "construct" : "run"));
    EXPECT_TRUE(becomes(supervisor.tag(), processes)) << fault;
    supervisor.kill();
    EXPECT_TRUE(becomes(supervisor.tag(), 0)) << fault;
  }
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

}  // namespace
}  // namespace assay::test
