// SPDX-License-Identifier: Apache-2.0
// Every table, figure and derived quantity of the documents that the project reproduces is in its layout.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "support/records/printed_layout.hpp"
#include "support/records/result_journal.hpp"

namespace assay {
namespace {

using test::ResultJournal;

/// The words of the first line of a table that starts with a label.
class Tables {
 public:
  explicit Tables(const std::string& text) : text_("\n" + text) {}

  std::string row(const std::string& title, const std::string& label) const {
    const auto begin = text_.find("\n" + title + "\n");
    if (begin == text_.npos) return "no table " + title;
    const auto end = std::min(text_.find("\n\n", begin + title.size() + 4), text_.size());
    std::istringstream lines(text_.substr(begin, end - begin));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(label)) return words(line.substr(label.size()));
    return "no row " + label;
  }

 private:
  static std::string words(const std::string& line) {
    std::istringstream in(line);
    std::string all;
    for (std::string seed_word; in >> seed_word;) all += (all.empty() ? "" : " ") + seed_word;
    return all;
  }
  std::string text_;
};

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

class PthreadbenchTables : public testing::Test {
 protected:
  std::string row(const std::string& title, const std::string& label) const { return tables_.row(title, label); }

  std::string text_ = test::printed("pthreadbench", pthreadbench_journal().records());

 private:
  Tables tables_{text_};
};

// 1: rates of creation, and how they compare.
TEST_F(PthreadbenchTables, Lifecycle) {
  EXPECT_EQ(row("Lifecycle", "Linux Threads (Pentium)"), "127819* 44% more threads created* - - - -");
  EXPECT_EQ(row("Lifecycle", "NPTL (Pentium)"), "229619 158% more threads created - - - -");
  EXPECT_EQ(row("Lifecycle", "Linux Threads (IA-64)"), "12330 86% less threads created - - - -");
  EXPECT_EQ(row("Lifecycle", "NPTL (IA-64)"), "88899 - - - - -");
  EXPECT_EQ(row("Lifecycle", "here"), "93340 5.0% more threads created 93340 1.000 2.000% 45.00%");
}

// 2: rates of switches.
TEST_F(PthreadbenchTables, Context) {
  EXPECT_EQ(row("Context", "Linux Threads (Pentium)"), "145010 52% less context switches* - -");
  EXPECT_EQ(row("Context", "NPTL (Pentium)"), "342365 14% more context switches* - -");
  EXPECT_EQ(row("Context", "Linux Threads (IA-64)"), "182826 39% less context switches* - -");
  EXPECT_EQ(row("Context", "NPTL (IA-64)"), "301656* - - -");
  EXPECT_EQ(row("Context", "here"), "316700 1.53% less context switches 316700 1.000");
}

// 3: time per switch, less locking, in cycles.
TEST_F(PthreadbenchTables, ContextTime) {
  const char* title = "Context: time per switch without locking (ns)";
  EXPECT_EQ(row(title, "Linux Threads (Pentium)"), "6896 132 6764 16910");
  EXPECT_EQ(row(title, "NPTL (Pentium)"), "2920 70.5* 2849* 7112*");
  EXPECT_EQ(row(title, "Linux Threads (IA-64)"), "5470 158 5312 4781");
  EXPECT_EQ(row(title, "NPTL (IA-64)"), "3315* 49* 3266* 2939*");
  EXPECT_EQ(row(title, "here"), "3157 93.26 3064 7660");
}

// 4: rates of wake-ups.
TEST_F(PthreadbenchTables, Wakeup) {
  EXPECT_EQ(row("Wakeup", "Linux Threads (Pentium)"), "97771 94% more wake ups - -");
  EXPECT_EQ(row("Wakeup", "NPTL (Pentium)"), "122761 143% more wake ups - -");
  EXPECT_EQ(row("Wakeup", "Linux Threads (IA-64)"), "43483* 14% less wake ups* - -");
  EXPECT_EQ(row("Wakeup", "NPTL (IA-64)"), "50331 - - -");
  EXPECT_EQ(row("Wakeup", "here"), "52850 5.0% more wake ups 52850 1.000");
}

// 5 and 6: free locks, by rate and by time.
TEST_F(PthreadbenchTables, Uncontested) {
  EXPECT_EQ(row("Uncontested", "Linux Threads (Pentium)"), "7571516 26% less uncontested locks taken - -");
  EXPECT_EQ(row("Uncontested", "NPTL (Pentium)"), "7060900 31% less uncontested locks taken - -");
  EXPECT_EQ(row("Uncontested", "Linux Threads (IA-64)"), "6328766 38% less uncontested locks taken - -");
  EXPECT_EQ(row("Uncontested", "NPTL (IA-64)"), "10212532 - - -");
  const char* title = "Uncontested: time per operation (ns)";
  EXPECT_EQ(row(title, "Linux Threads (Pentium)"), "132 66 165");
  EXPECT_EQ(row(title, "NPTL (Pentium)"), "141 70.5 176");
  EXPECT_EQ(row(title, "Linux Threads (IA-64)"), "158 79 63*");
  EXPECT_EQ(row(title, "NPTL (IA-64)"), "98 49 44");
  EXPECT_EQ(row(title, "here"), "93.26 46.63 116.6");
}

// 7: the effect of page size, and the gain relative to the new value.
TEST_F(PthreadbenchTables, PageSizes) {
  const char* context = "Effect of page size: Context Switching";
  EXPECT_EQ(row(context, "Linux Threads"), "179183 179863 177651 177508");
  EXPECT_EQ(row(context, "NPTL "), "396513 401157 411063 376556");
  EXPECT_EQ(row(context, "glibc 2.36, NPTL 2.36"), "316700 - - -");
  EXPECT_EQ(row(context, "%GAIN"), "54.81% 55.16% 56.78% 52.86%");
  const char* life = "Effect of page size: Life Cycle";
  EXPECT_EQ(row(life, "Linux Threads"), "18502 16515 13727 6605");
  EXPECT_EQ(row(life, "NPTL "), "101776 106560 106073 99582");
  EXPECT_EQ(row(life, "%GAIN"), "81.82% 84.50% 87.06% 93.37%");
  const char* wake = "Effect of page size: Wake Up";
  EXPECT_EQ(row(wake, "Linux Threads"), "69118 68690 67065 68069");
  EXPECT_EQ(row(wake, "NPTL "), "118380 110928 111702 105223");
  EXPECT_EQ(row(wake, "%GAIN"), "41.61% 38.08% 39.96% 35.31%");
  const char* free = "Effect of page size: Uncontested";
  EXPECT_EQ(row(free, "Linux Threads"), "6323734 6325072 6324960 6325262");
  EXPECT_EQ(row(free, "NPTL "), "10201658 10206947 10206628 10206287");
  EXPECT_EQ(row(free, "%GAIN"), "38.01% 38.03% 38.03% 38.03%");
}

// What does not follow from the document's own raw lines is marked, with what does.
TEST_F(PthreadbenchTables, MarkWhatDoesNotFollow) {
  using testing::HasSubstr;
  EXPECT_THAT(text_, HasSubstr("*  Linux Threads (Pentium), Average/second: printed 127819, its own data give 25570: "
                               "the mean count of a window of 5 s, not a rate"));
  EXPECT_THAT(text_, HasSubstr("printed 44% more threads created, its own data give 71.23% less threads created"));
  EXPECT_THAT(text_, HasSubstr("printed 301656, its own data give 321700"));
  EXPECT_THAT(text_, HasSubstr("printed 14% less wake ups, its own data give 1.682% less wake ups"));
}

// 8: the raw lines, of the document and of this machine.
TEST(PthreadbenchLines, AreAllThere) {
  ResultJournal journal = pthreadbench_journal();
  const std::string text = test::printed("pthreadbench", journal.records(), Detail::explained);
  std::size_t lines = 0;
  for (auto at = text.find(" sec = "); at != text.npos; at = text.find(" sec = ", at + 1)) ++lines;
  EXPECT_EQ(lines, 80U);
  EXPECT_THAT(text, testing::HasSubstr("  128340 threads created in 4.99537 sec = 25691.8 per second\n"));
  EXPECT_THAT(text, testing::HasSubstr("  51057906 uncontested locks taken in 4.99935 sec = 10212898.66 per second\n"));
}

/// 20 x 10 cells of T + 10 C us, of one system or of two variants.
ResultJournal creations(const std::vector<std::string>& variants) {
  ResultJournal journal;
  journal.series("matrix", "thread/mass_create", {"time"});
  for (std::size_t v = 0; v < variants.size(); ++v)
    for (std::int64_t top = 1; top <= 20; ++top)
      for (std::int64_t children = 1; children <= 10; ++children) {
        ResultJournal::Levels levels{{"toplevel", top}, {"children", children}, {"detachstate", seed_word("joinable")}};
        if (!variants[v].empty()) levels.emplace_back("variant", variants[v]);
        const double time = 1e3 * (static_cast<double>(top) + 10.0 * static_cast<double>(children));
        journal.point(levels, {time * static_cast<double>(v + 1)});
      }
  journal.series("calls", "thread/life_calls", {"system_calls", "switches"}, Unit::count);
  journal.point({{"toplevel", std::int64_t{1}}, {"children", std::int64_t{1}}}, {8.5, 2.25});
  return journal;
}

// 1: the matrix of 200 times for each library.
TEST(NptlTables, HaveTheWholeMatrix) {
  const std::string text = test::printed("nptl-create", creations({""}).records());
  const Tables tables(text);
  const char* title = "Time per creation, by toplevel threads and children at a time: here (us)";
  for (int top = 1; top <= 20; ++top) {
    std::string expected;
    for (int children = 1; children <= 10; ++children)
      expected += (children > 1 ? " " : "") + std::to_string(top + 10 * children) + ".";
    std::string row = tables.row(title, (top < 10 ? "       " : "      ") + std::to_string(top) + " ");
    EXPECT_EQ(std::count(row.begin(), row.end(), '.'), 10) << top << ": " << row;
    EXPECT_TRUE(row.starts_with(std::to_string(top + 10) + ".")) << row;
    EXPECT_NE(row.find(" " + std::to_string(top + 100) + "."), row.npos) << row;
  }
}

// 2 and 3: the least times along either direction, as the two graphs; 4: ratios; 5: repeatability.
TEST(NptlTables, HaveBothSummariesAndTheRatios) {
  const std::string text = test::printed("nptl-create", creations({"new", "old"}).records());
  const Tables tables(text);
  EXPECT_TRUE(tables.row("Summary 1: by toplevel threads, the least over children (us)", "      20 ")
                  .starts_with("30.00 ± 1.0% 60.00 ± 1.0% "));
  EXPECT_TRUE(tables.row("Summary 2: by children, the least over toplevel threads (us)", "      10 ")
                  .starts_with("101.0 ± 1.0% 202.0 ± 1.0% "));
  const char* title = "The least of all, and how the libraries compare";
  EXPECT_EQ(tables.row(title, "a creation (us)"), "- - - 11.00 ± 1.0% 22.00 ± 1.0%");
  EXPECT_TRUE(tables.row(title, "100 000 creations (s)").starts_with("- - - 1.100 "));
  EXPECT_TRUE(tables.row(title, "times as fast as LinuxThreads").starts_with("1x 2x 8x"));
  EXPECT_TRUE(tables.row(title, "times as fast as the one before").starts_with("- 2x 4x"));
  EXPECT_TRUE(tables.row(title, "differs between runs by").starts_with("(T = 4, C = 5) 1% 1% 1% "));
}

// 6: paths into the kernel.
TEST(NptlTables, HaveSystemCallsAndSwitches) {
  const Tables tables(test::printed("nptl-create", creations({""}).records()));
  const std::string calls =
      "System calls per thread life (at least two entries and two exits, by the words of 2002): here";
  EXPECT_EQ(tables.row(calls, "       1 "), "8.500");
  const std::string switches = "Context switches per thread life (at least two, by the words of 2002): here";
  EXPECT_EQ(tables.row(switches, "       1 "), "2.250");
}

/// Threads: (members - 1) us and 1 us per KiB; processes twice that; the overhead is half of it.
ResultJournal rings() {
  ResultJournal journal;
  journal.series("create", "thread/create_join", {"time"}).point({{"placement", seed_word("unbound")}}, {20300});
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
  journal.point({{"server", seed_word("threads")}}, {60000}).point({{"server", seed_word("epoll")}}, {50000});
  journal.series("free", "chat/rooms", {"rate"}, Unit::per_second).point({{"server", seed_word("threads")}}, {800000});
  return journal;
}

// Figures 1 to 9 of the thread library study.
TEST(ThreadStudyTables, HaveCreationSwitchingAndChat) {
  const Tables tables(test::printed("lat-thread-ctx", rings().records()));
  EXPECT_EQ(tables.row("Figure 1: lat_thread null", "NPTL, 2.6.6, SMP"), "- 600%");
  EXPECT_EQ(tables.row("Figure 1: lat_thread null", "here"), "20.30 -");
  const char* threads = "Figure 2: lat_thread_ctx, threads by working set, per switch without pipe and work: here (us)";
  EXPECT_EQ(tables.row(threads, "      2 "), "0.500 0.500 0.50");
  EXPECT_EQ(tables.row(threads, "     96 "), "94.50 94.50 94.5");
  EXPECT_TRUE(
      tables
          .row("Figures 2 to 8: load curve of lat_thread_ctx -s 0, a hop; each further campaign is a column (us)",
               "     64 ")
          .starts_with("63.00 ± 1.0% "));
  EXPECT_TRUE(
      tables.row("The same between processes (lat_ctx), per switch without pipe and work: here (us)", "      4 ")
          .starts_with("5.5"));
  EXPECT_EQ(tables.row("Processes over threads, and switches per hop: here", "     96 "), "2.000 N/A");
  const char* chat = "Figure 9: chat, messages per second";
  EXPECT_EQ(tables.row(chat, "NPTL, 2.6.6, SMP"), "- - - 65%");
  EXPECT_EQ(tables.row(chat, "NPTL, 2.6.6, one CPU"), "- - - 10%");
  EXPECT_EQ(tables.row(chat, "here"), "60000 800000 50000 -");
}

// The study's comparisons: further campaigns are further columns.
TEST(ThreadStudyTables, SetCampaignsBesideEachOther) {
  std::ostringstream out;
  const std::vector<ShownCampaign> campaigns{{"one CPU", rings().records()}, {"two CPUs", rings().records()}};
  find_layout("lat-thread-ctx")->print(out, campaigns, Detail::usual);
  EXPECT_THAT(out.str(), testing::ContainsRegex("members +one CPU +two CPUs"));
  EXPECT_THAT(out.str(), testing::HasSubstr("two CPUs                    20.30"));
}

}  // namespace
}  // namespace assay
