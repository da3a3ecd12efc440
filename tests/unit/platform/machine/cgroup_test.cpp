// SPDX-License-Identifier: Apache-2.0
// Control-group limits, read from directories made for the test.
#include "platform/machine/cgroup.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "platform/file/append_file.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

class Cgroup : public testing::Test {
 protected:
  /// A file below the mount point.
  void put(const std::string& name, const std::string& text) {
    const std::filesystem::path path = scratch_ / name;
    std::filesystem::create_directories(path.parent_path());
    write_file(path.string(), text);
  }
  CgroupView view(const std::string& membership) const { return {scratch_ / "", membership}; }
  test::Scratch scratch_;
};

TEST_F(Cgroup, NoGroupsNoLimit) {
  EXPECT_FALSE(cpu_quota(view("")));
  EXPECT_FALSE(memory_room(view("")));
  EXPECT_FALSE(cpu_quota(view("garbage\n::\n0:\n")));
}

TEST_F(Cgroup, QuotaOfVersion2) {
  put("job/cpu.max", "30000 100000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(view("0::/job\n")).value(), 0.3);
}

TEST_F(Cgroup, MaxIsNoLimit) {
  put("job/cpu.max", "max 100000\n");
  EXPECT_FALSE(cpu_quota(view("0::/job\n")));
}

TEST_F(Cgroup, SmallestQuotaOfAllAncestorsCounts) {
  put("slurm/cpu.max", "100000 100000\n");
  put("slurm/job/cpu.max", "50000 100000\n");
  put("slurm/job/step/cpu.max", "400000 100000\n");
  put("slurm/job/step/task/cpu.max", "max 100000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(view("0::/slurm/job/step/task\n")).value(), 0.5);
  EXPECT_DOUBLE_EQ(cpu_quota(view("0::/slurm\n")).value(), 1);
}

TEST_F(Cgroup, RootOfTheMountCounts) {
  put("cpu.max", "150000 100000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(view("0::/\n")).value(), 1.5);
  EXPECT_DOUBLE_EQ(cpu_quota(view("0::/not/mounted/here\n")).value(), 1.5);
}

TEST_F(Cgroup, QuotaOfVersion1) {
  put("cpu/job/cpu.cfs_quota_us", "200000\n");
  put("cpu/job/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(view("3:memory:/x\n1:cpuacct,cpu:/job\n0::/\n")).value(), 2);
  EXPECT_FALSE(cpu_quota(view("1:cpuset:/job\n")));
}

TEST_F(Cgroup, MinusOneOfVersion1IsNoLimit) {
  put("cpu/cpu.cfs_quota_us", "-1\n");
  put("cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(cpu_quota(view("1:cpu:/\n")));
}

TEST_F(Cgroup, PeriodOfZeroIsNoLimit) {
  put("job/cpu.max", "30000 0\n");
  EXPECT_FALSE(cpu_quota(view("0::/job\n")));
}

TEST_F(Cgroup, RoomIsLimitLessWhatIsKept) {
  put("job/memory.max", "1000000\n");
  put("job/memory.current", "700000\n");
  put("job/memory.stat", "anon 300000\nnot_inactive_file 1\ninactive_file 400000\n");
  EXPECT_EQ(memory_room(view("0::/job\n")), 700000);
}

TEST_F(Cgroup, RoomIsNeverNegative) {
  put("job/memory.max", "1000\n");
  put("job/memory.current", "1200\n");
  EXPECT_EQ(memory_room(view("0::/job\n")), 0);
}

TEST_F(Cgroup, RoomOfVersion1) {
  put("memory/memory.limit_in_bytes", "9223372036854771712\n");
  put("memory/job/memory.limit_in_bytes", "5000000\n");
  put("memory/job/memory.usage_in_bytes", "1000000\n");
  EXPECT_EQ(memory_room(view("4:memory:/job\n")), 4000000);
  EXPECT_FALSE(memory_room(view("4:memory:/\n")));
}

TEST(OwnCgroups, AreReadWithoutFailing) {
  const CgroupView view = own_cgroups();
  EXPECT_GT(cpu_quota(view).value_or(1), 0);
  EXPECT_GE(memory_room(view).value_or(0), 0);
}

TEST_F(Cgroup, KillsForWantOfMemoryAreCounted) {
  EXPECT_FALSE(out_of_memory_kills(view("0::/job\n")));
  put("job/memory.events", "low 0\noom 3\noom_kill 2\noom_group_kill 0\n");
  EXPECT_EQ(out_of_memory_kills(view("0::/job\n")), 2);
  put("memory/old/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n");
  EXPECT_EQ(out_of_memory_kills(view("4:memory:/old\n")), 5);
}

TEST(WantOfMemory, IsToldOnlyWhereACounterMoved) {
  EXPECT_EQ(want_of_memory({1, 7}, {1, 7}), "");
  EXPECT_EQ(want_of_memory({std::nullopt, std::nullopt}, {2, 8}), "");
  EXPECT_TRUE(want_of_memory({1, 7}, {2, 8}).starts_with("out of memory: "));
  EXPECT_TRUE(want_of_memory({1, 7}, {1, 8}).starts_with("perhaps out of memory: "));
}

}  // namespace
}  // namespace assay
