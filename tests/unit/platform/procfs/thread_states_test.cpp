// SPDX-License-Identifier: Apache-2.0
// Threads of another group as procfs shows them, and in words.
#include "platform/procfs/thread_states.hpp"

#include <gmock/gmock-more-matchers.h>
#include <sched.h>

#include "platform/process/leftovers.hpp"
#include "platform/process/process.hpp"
#include "platform/procfs/procfs.hpp"
#include "unit/platform/support.hpp"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ThreadsOfGroup, SpinningAndWaitingAreTold) {
  ChildProcess waiting({"/bin/sh", {"-c", "echo ready >&3; exec sleep 1000"}, {}});
  ChildProcess spinning({"/bin/sh", {"-c", "echo ready >&3; while :; do :; done"}, {}});
  std::string line;
  waiting.socket().receive(line, std::nullopt);
  spinning.socket().receive(line, std::nullopt);
  const auto threads = threads_of_group(spinning.pid());
  ASSERT_EQ(threads.size(), 1U);
  EXPECT_EQ(threads[0].process, spinning.pid());
  EXPECT_EQ(threads[0].thread, spinning.pid());
  EXPECT_THAT(describe_threads(threads), testing::HasSubstr("spins"));
  EXPECT_THAT(describe_threads(threads_of_group(waiting.pid())), testing::HasSubstr("waits"));
  waiting.kill_group();
  EXPECT_THAT(threads_of_group(waiting.pid()), IsEmpty());
}

TEST(ParseStat, TakesAnyName) {
  const auto stat =
      parse_stat("12 (a) R (b c) S 3 4 5 0 -1 4194560 1 2 3 4 50 7 0 0 20 0 1 0 100 1000 1 18446744073709551615");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->name, "a) R (b c");
  EXPECT_EQ(stat->state, 'S');
  EXPECT_EQ(stat->parent, 3);
  EXPECT_EQ(stat->group, 4);
  EXPECT_EQ(stat->cpu_ticks, 57);
  for (const char* text : {"", "12", "12 (a)", "12 (a) ", ") 12 (", "12 (a) S 3 4 5", "12 (a) S x y z"})
    EXPECT_FALSE(parse_stat(text)) << text;
}

/// A process that sleeps. While it becomes another program its environment cannot be seen: hence the wait.
ChildProcess sleeper(const std::vector<std::string>& environment) {
  ChildProcess process({"/bin/sh", {"-c", "exec sleep 1000"}, environment});
  for (auto stat = process_stat(process.pid()); !stat || stat->name != "sleep"; stat = process_stat(process.pid()))
    ::sched_yield();
  while (process_file(process.pid(), "environ").empty()) ::sched_yield();
  return process;
}

TEST(Leftovers, AreFoundByTheirMarkAndEnded) {
  const std::string tag = new_run_tag();
  EXPECT_NE(tag, new_run_tag());
  const auto start = [&](const std::string& worker) {
    return sleeper({std::string(run_variable) + "=" + tag + worker});
  };
  ChildProcess first = start(".1");
  ChildProcess eleventh = start(".11");
  ChildProcess other = start("0.1");
  EXPECT_THAT(processes_marked(tag + ".1"), ElementsAre(first.pid()));
  EXPECT_EQ(processes_marked(tag, true).size(), 2U);
  EXPECT_EQ(end_marked(tag + ".1").size(), 1U);
  EXPECT_THAT(processes_marked(tag, true), ElementsAre(eleventh.pid()));
  EXPECT_THAT(end_marked(tag + ".1"), IsEmpty());
}

TEST(Sentinel, KillsWhatItWasToldOfOnceItsOwnerIsGone) {
  const std::string tag = new_run_tag();
  ChildProcess watched = sleeper({});
  ChildProcess forgotten = sleeper({});
  ChildProcess marked = sleeper({std::string(run_variable) + "=" + tag + ".7"});
  {
    Sentinel sentinel(tag);
    for (const ChildProcess* process : {&watched, &forgotten}) sentinel.watch(process->pid());
    sentinel.forget(forgotten.pid());
    EXPECT_EQ(process_stat(sentinel.pid())->name, "assay-sentinel");
  }
  EXPECT_TRUE(watched.wait(seconds(60)));
  EXPECT_TRUE(marked.wait(seconds(60)));
  EXPECT_FALSE(forgotten.wait(milliseconds(1)));
}

}  // namespace
}  // namespace assay
