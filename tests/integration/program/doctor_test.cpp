// SPDX-License-Identifier: Apache-2.0
// Checks of the machine through the program, and campaigns on machines that refuse or lack something.
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <thread>

#include "support/programs/program.hpp"

namespace assay::test {
namespace {

constexpr const char* short_campaign =
    "[precision]\nrule = fixed:16\nwarm-up = 0ms\nincarnations = 2\nspan = 0s\n"
    "[series.a]\nmeasurement = sync/empty\nplacement = unbound\n";

std::string fact(const std::vector<Record>& records, const std::string& key) {
  const auto sessions = records_of<SessionRecord>(records);
  for (const auto& [name, value] : sessions.at(0).facts)
    if (name == key) return value;
  return "no such fact";
}

TEST(Doctor, PrintsProblemsFirstAndChangesNothing) {
  const Finished done = run_assay({"doctor", "--seconds", "0"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  for (const char* id : {"G-VIRT", "G-STEAL", "G-QUOTA", "G-SET", "G-CLK", "G-DEBUG", "G-MPI"})
    EXPECT_NE(done.out.find(id), std::string::npos) << id;
  EXPECT_LT(done.out.rfind("  ok  "), done.out.find("could not check"));
}

TEST(Doctor, StrictFailsWhereThereIsAProblem) {
  EXPECT_EQ(run_assay({"doctor", "--strict", "--seconds", "0"}, {"LD_AUDIT=/nonexistent-audit.so"}).exit_code, 1);
  EXPECT_EQ(run_assay({"doctor", "--seconds", "0"}, {"LD_AUDIT=/nonexistent-audit.so"}).exit_code, 0);
}

TEST(Doctor, WatchesCoresAfterTheChecksUnlessToldNotTo) {
  const Finished none = run_assay({"doctor", "--seconds", "0"});
  EXPECT_EQ(none.out.find("cores:"), std::string::npos);
  const Finished done = run_assay({"doctor", "--seconds", "1"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const auto cores = done.out.find("cores: CPUs");
  ASSERT_NE(cores, std::string::npos) << done.out;
  EXPECT_LT(done.out.find("could not be checked"), cores);
  EXPECT_NE(done.out.find("G-CORE: "), std::string::npos) << done.out;
  for (const char* wrong : {"-1", "61", "soon"})
    EXPECT_EQ(run_assay({"doctor", "--seconds", wrong}).exit_code, 2) << wrong;
}

TEST(Doctor, ChecksAreFactsOfASessionAndStrictRunsFail) {
  const Scratch folder;
  const Finished done = run_campaign_text(folder, short_campaign, {"--strict"});
  EXPECT_EQ(done.exit_code == 0 || done.exit_code == 1, true) << done.exit_code << done.err;
  const auto records = campaign_records(folder);
  EXPECT_NE(fact(records, "check.G-CLK").find("ns per reading"), std::string::npos);
  EXPECT_NE(fact(records, "check.G-MPI").find("could not check"), std::string::npos);
  const bool told =
      done.err.find("problem (warn)") != std::string::npos || done.err.find("problem (error)") != std::string::npos;
  EXPECT_EQ(done.exit_code, told ? 1 : done.exit_code);
}

/// Makes a system call fail with `error` in this process and all that it starts. False where that is not possible.
bool forbid(unsigned call, unsigned error) {
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{4, code};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// In a child, so that what it does to itself ends with it: 77 where it could not be done.
template <class Body>
int in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

void expect_campaign_without_perf(unsigned error) {
  const Scratch folder;
  const int status = in_child([&] {
    if (!forbid(SYS_perf_event_open, error)) return 77;
    return run_campaign_text(folder, short_campaign).exit_code;
  });
  if (status == 77) GTEST_SKIP() << "seccomp filters cannot be installed here";
  EXPECT_EQ(status, 0);
  EXPECT_NE(fact(campaign_records(folder), "perf_events").find("not used"), std::string::npos);
}

TEST(Faults, F25_perf_events_refused_with_EPERM) { expect_campaign_without_perf(EPERM); }
TEST(Faults, F25_perf_events_missing_with_ENOSYS) { expect_campaign_without_perf(ENOSYS); }

TEST(Doctor, SaysWhereCoresCannotBeAsked) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one CPU needs no binding";
  const Scratch folder;
  const int status = in_child([&] {
    if (!forbid(SYS_sched_setaffinity, EPERM)) return 77;
    const Finished done = run_assay({"doctor", "--seconds", "1"});
    if (done.exit_code != 0 || done.out.find("cores: not measured") == std::string::npos) return 1;
    return done.out.find("not measured: CPUs") == std::string::npos ? 2 : 0;
  });
  if (status == 77) GTEST_SKIP() << "seccomp filters cannot be installed here";
  EXPECT_EQ(status, 0);
}

TEST(Doctor, AsksTheOneCpuThatItMayUse) {
  const int status = in_child([&] {
    cpu_set_t all;
    if (::sched_getaffinity(0, sizeof all, &all) != 0) return 77;
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t cpu = 0; CPU_COUNT(&one) == 0 && cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
    if (::sched_setaffinity(0, sizeof one, &one) != 0) return 77;
    const Finished done = run_assay({"doctor", "--seconds", "1"});
    return done.exit_code == 0 && done.out.find("G-CORE: ") != std::string::npos ? 0 : 1;
  });
  if (status == 77) GTEST_SKIP() << "affinity cannot be set here";
  EXPECT_EQ(status, 0);
}

TEST(Faults, F23_a_campaign_stays_within_the_inherited_mask) {
  const Scratch folder;
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  int first = 0;
  while (!CPU_ISSET(static_cast<std::size_t>(first), &before)) ++first;
  const int status = in_child([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(first), &one);
    if (::sched_setaffinity(0, sizeof one, &one) != 0) return 77;
    return run_campaign_text(folder, std::string(short_campaign) + "[series.b]\nmeasurement = sync/lock\n").exit_code;
  });
  if (status == 77) GTEST_SKIP() << "affinity cannot be set here";
  EXPECT_EQ(status, 0);
  const auto visits = records_of<VisitRecord>(campaign_records(folder));
  EXPECT_FALSE(visits.empty());
  for (const VisitRecord& visit : visits)
    for (const JudgedBatch& judged : visit.batches) EXPECT_EQ(judged.batch.members.at(0).cpu_after, first);
  if (CPU_COUNT(&before) == 1) return;
  EXPECT_NE(fact(campaign_records(folder), "check.G-SET").find("inherited affinity mask"), std::string::npos);
}

}  // namespace
}  // namespace assay::test
