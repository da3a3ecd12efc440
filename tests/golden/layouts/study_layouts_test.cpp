// SPDX-License-Identifier: Apache-2.0
// Every table, figure and derived quantity of the studies of threads that the project reproduces is in its layout, byte
// for byte.
#include <gtest/gtest.h>

#include <sstream>

#include "support/environment/golden.hpp"
#include "support/records/printed_layout.hpp"
#include "support/records/result_journal.hpp"

namespace assay {
namespace {

using test::ResultJournal;

Value seed_word(const char* text) { return std::string(text); }

/// This machine: 5 % faster than the published baseline in everything.
ResultJournal pthreadbench_journal() {
  ResultJournal journal;
  SessionRecord session;
  session.facts = {{"libc.version", "glibc 2.36"}, {"libc.threads", "NPTL 2.36"}, {"memory.page_bytes", "4096"}};
  journal.add(session);
  const ResultJournal::Levels unbound{{"placement", seed_word("unbound")}};
  const ResultJournal::Levels one_cpu{{"placement", seed_word("same-pu")}};
  const ResultJournal::Levels beside{{"bystander", seed_word("present")}};
  const ResultJournal::Levels turns{{"style", seed_word("condvar")}, {"placement", seed_word("same-pu")}};
  journal.series("lifecycle-window", "thread/create_join_window", {"rate", "elsewhere"}, Unit::per_second)
      .point(unbound, {93344, 0.45});
  journal.series("context-window", "sync/handover_window", {"rate"}, Unit::per_second).point(turns, {316739});
  journal.series("wakeup-window", "sync/wakeup_window", {"rate"}, Unit::per_second).point(one_cpu, {52848});
  journal.series("uncontended-window", "sync/lock_window", {"rate"}, Unit::per_second).point(beside, {10723158});
  journal.series("lifecycle", "thread/create_join", {"time", "elsewhere"}).point(unbound, {1e9 / 93344, 0.02});
  journal.series("context", "sync/handover", {"time"}).point(turns, {1e9 / 316739});
  journal.series("wakeup", "sync/wakeup", {"time"}).point(one_cpu, {1e9 / 52848});
  journal.series("uncontended", "sync/lock", {"time"}).point(beside, {1e9 / 10723158});
  journal.series("frequency", "os/core_frequency", {"frequency"}, Unit::per_second).point({}, {2.5e9});
  return journal;
}

/// 20 x 10 cells of T + 10 C us, of one system or of two variants.
ResultJournal creations(const std::vector<std::string>& variants) {
  ResultJournal journal;
  journal.series("matrix", "thread/mass_create", {"time", "switches"});
  for (std::size_t v = 0; v < variants.size(); ++v)
    for (std::int64_t top = 1; top <= 20; ++top)
      for (std::int64_t children = 1; children <= 10; ++children) {
        ResultJournal::Levels levels{{"toplevel", top}, {"children", children}, {"detachstate", seed_word("joinable")}};
        if (!variants[v].empty()) levels.emplace_back("variant", variants[v]);
        const double time = 1e3 * (static_cast<double>(top) + 10.0 * static_cast<double>(children));
        journal.point(levels, {time * static_cast<double>(v + 1), 2.25});
      }
  journal.series("run", "thread/mass_create", {"time", "run"});
  for (std::size_t v = 0; v < variants.size(); ++v) {
    ResultJournal::Levels levels{{"toplevel", std::int64_t{4}}, {"children", std::int64_t{5}}};
    if (!variants[v].empty()) levels.emplace_back("variant", variants[v]);
    journal.point(levels, {5.4e4 * static_cast<double>(v + 1), 5.4e9 * static_cast<double>(v + 1)});
  }
  journal.series("calls", "thread/life_calls", {"system_calls", "switches"}, Unit::count);
  journal.point({{"toplevel", std::int64_t{1}}, {"children", std::int64_t{1}}}, {8.5, 2.5});
  return journal;
}

/// Threads: (members - 1) us and 1 us per KiB; processes twice that; the overhead is half of it. Pre-emption costs a
/// creation 300 ns and a chat a hundredth of its rate.
ResultJournal rings(const std::string& preemption) {
  const bool preempts = preemption == "full";
  ResultJournal journal;
  SessionRecord session;
  session.facts = {
      {"kernel.release", "6.18"}, {"kernel.preemption", preemption}, {"cpu.smt", "off"}, {"cpu.usable", "0-1"}};
  journal.add(session);
  journal.series("create", "thread/create_join", {"time"})
      .point({{"placement", seed_word("unbound")}}, {preempts ? 20300.0 : 20000.0});
  for (const char* vehicle : {"thread", "process"}) {
    journal.series(vehicle[0] == 't' ? "threads" : "processes", "os/token_ring", {"time"});
    for (const std::int64_t members : {2, 4, 8, 16, 32, 64, 96})
      for (const std::int64_t size : {0, 4096, 65536}) {
        const double time = 1e3 * static_cast<double>(members - 1) + static_cast<double>(size) / 1.024;
        journal.point({{"size", size},
                       {"vehicle", seed_word(vehicle)},
                       {"members", members},
                       {"placement", seed_word("unbound")}},
                      {vehicle[0] == 'p' ? 2 * time : time});
      }
  }
  for (const char* series : {"overhead-threads", "overhead-processes"}) {
    journal.series(series, "os/token_ring_overhead", {"time"});
    for (const std::int64_t size : {0, 4096, 65536})
      journal.point({{"size", size}, {"members", std::int64_t{1}}}, {500 + static_cast<double>(size) / 1.024});
  }
  journal.series("turn", "chat/rooms", {"rate"}, Unit::per_second);
  const auto server = [](const char* name, const char* placement) {
    return ResultJournal::Levels{{"server", seed_word(name)}, {"placement", seed_word(placement)}};
  };
  journal.point(server("threads", "unbound"), {preempts ? 59400.0 : 60000.0})
      .point(server("epoll", "unbound"), {50000})
      .point(server("threads", "bound"), {45000});
  journal.series("free", "chat/rooms", {"rate"}, Unit::per_second).point(server("threads", "unbound"), {800000});
  return journal;
}

// Rates of creation, of switches, wake-ups and free locks, times of each, effects of page size, and what does not
// follow from the document's own raw lines, of which there are 80.
TEST(StudyLayouts, Pthreadbench) {
  EXPECT_TRUE(test::matches_golden(test::printed("pthreadbench", pthreadbench_journal().records(), Detail::explained),
                                   "layouts/layout_pthreadbench.txt"));
}

// The matrix of 200 times, the least along either direction, how libraries compare, and paths into the kernel.
TEST(StudyLayouts, NptlCreate) {
  EXPECT_TRUE(test::matches_golden(test::printed("nptl-create", creations({""}).records()) + "----\n" +
                                       test::printed("nptl-create", creations({"new", "old"}).records()),
                                   "layouts/layout_nptl_create.txt"));
}

// Figures 1 to 9 of the thread library study; further campaigns are further columns.
TEST(StudyLayouts, LatThreadCtx) {
  std::ostringstream out;
  const std::vector<ShownCampaign> campaigns{{"before", rings("none").records()}, {"after", rings("full").records()}};
  find_layout("lat-thread-ctx")->print(out, campaigns, Detail::usual);
  EXPECT_TRUE(test::matches_golden(test::printed("lat-thread-ctx", rings("none").records()) + "----\n" + out.str(),
                                   "layouts/layout_lat_thread_ctx.txt"));
}

// Whole tasks of 2002 above variants of one's own, which are A and B.
TEST(StudyLayouts, Tasks) {
  ResultJournal journal;
  for (const char* task : {"compile", "compress"})
    journal.series(task, "command/run", {"wall"})
        .point({{"variant", seed_word("plain")}}, {2e9})
        .point({{"variant", seed_word("ftrace")}}, {task[3] == 'p' && task[4] == 'i' ? 2.2e9 : 2.02e9});
  journal.series("compile-traced", "command/run", {"wall"})
      .point({{"tracer", seed_word("none")}}, {2e9})
      .point({{"tracer", seed_word("strace -f")}}, {5e9});
  EXPECT_TRUE(test::matches_golden(test::printed("tasks", journal.records()), "layouts/layout_tasks.txt"));
}

}  // namespace
}  // namespace assay
