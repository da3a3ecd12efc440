// SPDX-License-Identifier: Apache-2.0
// Rows of the fault table that concern limits of resources: what they refuse is told with their name and number.
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "run/worker/supervisor.hpp"
#include "support/programs/faulty_visits.hpp"
#include "support/programs/own_process.hpp"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

IncarnationKey key_of_team(int members) {
  IncarnationKey key = key_of("ok");
  key.point.set("members", std::int64_t{members});
  return key;
}

TEST(Faults, F20_refused_threads_are_told_with_the_limit) {
  if (ASSAY_SANITIZED) GTEST_SKIP() << "the sanitizer itself needs more than this limit allows";
  CampaignPlan plan = plan_of(1);
  plan.limits.memory = std::uint64_t{300} << 20U;
  const VisitFailed found = failure(plan, key_of_team(200));
  EXPECT_EQ(found.outcome(), Outcome::unsupported) << found.what();
  EXPECT_THAT(found.what(), AllOf(StartsWith("needs 200 threads, and the system refused to start more than "),
                                  HasSubstr("the address space is limited to 300 MiB")));
}

/// The limit is that of a user, so that no other process may run under its id.
constexpr int nobody_else = 64'321;

bool others_may_start_workers() {
  namespace fs = std::filesystem;
  for (fs::path at = program; at != at.parent_path(); at = at.parent_path())
    if ((fs::status(at).permissions() & fs::perms::others_exec) == fs::perms::none) return false;
  return true;
}

TEST(Faults, F20_a_limit_of_the_user_is_told_with_its_number) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs the superuser: a user of its own is to be limited";
  if (!others_may_start_workers()) GTEST_SKIP() << "the project is below a folder that its owner alone may enter";
  for (const char* vehicle : {"thread", "process"}) {
    const int status = in_own_process([&] {
      if (::setgid(nobody_else) != 0 || ::setuid(nobody_else) != 0) return false;
      limit(RLIMIT_NPROC, 8);
      IncarnationKey key = key_of_team(30);
      key.point.set("vehicle", std::string(vehicle));
      const VisitFailed found = failure(plan_of(1), key);
      EXPECT_EQ(found.outcome(), Outcome::unsupported);
      EXPECT_THAT(found.what(), HasSubstr("this user may have 8 processes and threads (ulimit -u)"));
      return !testing::Test::HasFailure();
    });
    EXPECT_EQ(status, 0) << vehicle;
  }
}

TEST(Faults, F21_used_up_descriptors_are_told_with_the_limit) {
  if (ASSAY_SANITIZED) GTEST_SKIP() << "the sanitizer itself needs more than this limit allows";
  const int status = in_own_process([] {
    limit(RLIMIT_NOFILE, 64);
    const VisitFailed found = failure(plan_of(1), key_of("open-files", "construct"));
    EXPECT_EQ(found.outcome(), Outcome::unsupported);
    EXPECT_THAT(found.what(), HasSubstr("this process may have 64 descriptors (ulimit -n)"));
    return !testing::Test::HasFailure();
  });
  EXPECT_EQ(status, 0);
}

TEST(Faults, F22_a_stack_that_cannot_be_had_is_told) {
  const int status = in_own_process([] {
    limit(RLIMIT_STACK, rlim_t{1} << 46U);
    const VisitFailed found = failure(plan_of(1), key_of_team(3));
    EXPECT_EQ(found.outcome(), Outcome::unsupported);
    EXPECT_THAT(found.what(), HasSubstr("(ulimit -s)"));
    return !testing::Test::HasFailure();
  });
  EXPECT_EQ(status, 0);
}

TEST(Faults, F20_a_team_that_has_no_room_is_told_beforehand) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs the superuser: a user of its own is to be limited";
  const int status = in_own_process([] {
    if (::setgid(nobody_else) != 0 || ::setuid(nobody_else) != 0) return false;
    limit(RLIMIT_NPROC, 8);
    EXPECT_THAT(limit_warnings(plan_of(30)),
                testing::ElementsAre(AllOf(HasSubstr("the largest team has 30 members, and there is room for "),
                                           HasSubstr("this user may have 8 processes and threads (ulimit -u)"))));
    return !testing::Test::HasFailure();
  });
  EXPECT_EQ(status, 0);
}

TEST(Faults, F26_a_limit_on_time_of_the_cpu_is_told_beforehand) {
  const int status = in_own_process([] {
    CampaignPlan plan = plan_of(1);
    EXPECT_THAT(limit_warnings(plan), IsEmpty());
    limit(RLIMIT_CPU, 100);
    EXPECT_THAT(limit_warnings(plan), testing::ElementsAre(HasSubstr("(ulimit -t)")));
    plan.time_limit = seconds(1000);
    EXPECT_THAT(limit_warnings(plan), testing::SizeIs(1));
    plan.time_limit = seconds(10);
    EXPECT_THAT(limit_warnings(plan), IsEmpty());
    return !testing::Test::HasFailure();
  });
  EXPECT_EQ(status, 0);
}

TEST(Faults, F26_workers_leave_no_core_files_unless_asked) {
  const int status = in_own_process([] {
    rlimit cores{};
    ::getrlimit(RLIMIT_CORE, &cores);
    become_worker({std::nullopt, true});
    rlimit kept{};
    ::getrlimit(RLIMIT_CORE, &kept);
    become_worker();
    rlimit none{1, 1};
    ::getrlimit(RLIMIT_CORE, &none);
    return kept.rlim_max == cores.rlim_max && none.rlim_max == 0;
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace assay::test
