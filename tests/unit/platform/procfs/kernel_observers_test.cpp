// SPDX-License-Identifier: Apache-2.0
// Those who make the kernel slower are found by their descriptors and the kernel's switches, wherever they can be seen.
#include "platform/procfs/kernel_observers.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/environment/scratch.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

/// A /proc of invented processes.
struct KernelObserversTest : testing::Test {
  test::Scratch scratch;
  std::string root = scratch.path();

  void put(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(root + path).parent_path());
    std::ofstream(root + path) << text;
  }
  void process(int pid, const std::string& name, int parent, const std::string& target) const {
    const std::string folder = "/proc/" + std::to_string(pid);
    put(folder + "/comm", name + "\n");
    put(folder + "/stat", std::to_string(pid) + " (" + name + ") S " + std::to_string(parent) +
                              " 1 1 0 -1 0 0 0 0 0 1 1 0 0 20 0 1 0 5 0 0\n");
    fs::create_directories(root + folder + "/fd");
    fs::create_symlink("/dev/null", root + folder + "/fd/0");
    fs::create_symlink(target, root + folder + "/fd/3");
  }
};

TEST_F(KernelObserversTest, OfOthersThereAreNone) {
  process(40, "sshd", 1, "socket:[77]");
  EXPECT_TRUE(kernel_observers(root).found.empty());
  EXPECT_EQ(to_text(kernel_observers(root)), "");
  EXPECT_TRUE(kernel_observers(root + "/nowhere").found.empty());
}

TEST_F(KernelObserversTest, WhoHoldsPerformanceEventsIsNamed) {
  process(40, "sshd", 1, "socket:[77]");
  process(123, "perf", 1, "anon_inode:[perf_event]");
  EXPECT_EQ(to_text(kernel_observers(root)), "perf (123) counts performance events");
  process(124, "pmdaperfevent", 1, "anon_inode:[perf_event]");
  EXPECT_EQ(to_text(kernel_observers(root)),
            "perf (123) counts performance events, and pmdaperfevent (124) counts performance events");
}

TEST_F(KernelObserversTest, NamesOfOthersHaveNoControlCharacters) {
  process(123, "a\x1b[2Jb", 1, "anon_inode:[perf_event]");
  EXPECT_EQ(to_text(kernel_observers(root)), "a?[2Jb (123) counts performance events");
}

TEST_F(KernelObserversTest, ThisProcessAndItsWorkersAreNone) {
  const int self = static_cast<int>(::getpid());
  process(self, "assay", 1, "anon_inode:[perf_event]");
  process(self + 1, "assay", self, "anon_inode:[perf_event]");
  process(self + 2, "sh", self + 1, "anon_inode:[perf_event]");
  EXPECT_TRUE(kernel_observers(root).found.empty());
  process(self + 3, "assay", 1, "anon_inode:[perf_event]");
  EXPECT_EQ(kernel_observers(root).found.size(), 1U) << "another campaign";
}

TEST_F(KernelObserversTest, RecordersOfTheKernelAreFoundByTheirSwitches) {
  put("/proc/sys/kernel/sched_schedstats", "0\n");
  put("/sys/kernel/tracing/current_tracer", "nop\n");
  put("/sys/kernel/tracing/events/enable", "0\n");
  EXPECT_TRUE(kernel_observers(root).found.empty());
  put("/proc/sys/kernel/sched_schedstats", "1\n");
  put("/sys/kernel/tracing/current_tracer", "function\n");
  put("/sys/kernel/tracing/events/enable", "X\n");
  EXPECT_EQ(to_text(kernel_observers(root)),
            "the scheduler keeps statistics (kernel.sched_schedstats), the tracer 'function' is on, and events are "
            "traced (/sys/kernel/tracing/events)");
}

TEST_F(KernelObserversTest, OfManyTheFirstAreNamed) {
  KernelObservers many;
  for (const char* name : {"a", "b", "c", "d", "e"}) many.found.emplace_back(name);
  EXPECT_EQ(to_text(many), "a, b, c, and 2 more");
}

TEST_F(KernelObserversTest, WhatMayNotBeSeenIsCounted) {
  if (::geteuid() != 0) GTEST_SKIP() << "of the superuser nothing is hidden, of others much: it takes both";
  process(123, "perf", 1, "anon_inode:[perf_event]");
  fs::permissions(root + "/proc/123/fd", fs::perms::none);
  fs::permissions(root, fs::perms::all);
  const pid_t child = ::fork();
  // From within: folders above may be the superuser's alone.
  if (child == 0)
    ::_exit(::chdir(root.c_str()) != 0 || ::setuid(65534) != 0 || kernel_observers(".").hidden != 1 ? 1 : 0);
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  fs::permissions(root + "/proc/123/fd", fs::perms::owner_all);
}

}  // namespace
}  // namespace assay
