// SPDX-License-Identifier: Apache-2.0
// What declared tables hold: values found, formulas computed, and what is said where there is no number.
#include "record/layout/layouts.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "base/error.hpp"
#include "record/layout/layout_spec.hpp"
#include "support/records/result_journal.hpp"
#include "unit/record/results.hpp"

namespace assay {
namespace {

using test::ResultJournal;
using testing::HasSubstr;
using testing::Not;

constexpr const char* reference = R"({"source": "a paper of 1999",
  "systems": [{"name": "Old", "attributes": {"library": "old", "page_size": "4096"}},
              {"name": "New", "attributes": {"library": "new", "page_size": "4096"}}],
  "numbers": [{"value": "lock", "unit": "us", "of": {"Old": "2.0", "New": "1.0"}},
              {"value": "table.speed", "of": {"New": "3.0"}}],
  "errata": [{"value": "lock", "unit": "us", "of": "Old", "recomputed": "2.5", "why": "a slip"}],
  "lines": [{"value": "lock", "columns": ["count"], "of": {"Old": [["17"]]}}]})";

Layout layout_of(const std::string& text) {
  return declared_layout(parse_layout(text, "mine.ini", [](const std::string&) { return std::string(reference); }));
}

std::string shown_layout(const std::string& text, const std::vector<ShownCampaign>& campaigns,
                         Detail detail = Detail::usual) {
  std::ostringstream out;
  layout_of(text).print(out, campaigns, detail);
  return out.str();
}

std::string shown_layout(const std::string& text, const ResultJournal& journal, Detail detail = Detail::usual) {
  return shown_layout(text, std::vector{ShownCampaign{"one", journal.records()}}, detail);
}

using Cells = std::vector<std::string>;

/// What stands behind a label, in the first line that begins with it; nothing where none does.
Cells cells(const std::string& text, const std::string& label) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto begin = line.find_first_not_of(' ');
    if (begin == line.npos || line.compare(begin, label.size() + 1, label + " ") != 0) continue;
    std::istringstream rest(line.substr(begin + label.size()));
    Cells found;
    for (std::string cell; rest >> cell;) found.push_back(cell);
    return found;
  }
  return {};
}

std::string with_values(const std::string& rest) {
  return "[layout]\nreference = r.json\nbaseline = Old\n[attributes]\nlibrary = software.threads\n[values]\n"
         "lock = sync/lock\nsmall = sync/lock where size=1, placement=same-pu\nmade = thread/make\n" +
         rest;
}

Value layout_word(const char* text) { return std::string(text); }

ResultJournal one_lock() {
  ResultJournal journal;
  journal.series("locks", "sync/lock", {"time"}).point({}, {500});
  return journal;
}

TEST(DeclaredLayout, SetsPublishedAndMeasuredSystemsSideBySide) {
  const std::string text =
      shown_layout(with_values("[table.table]\nrows = systems\nunit = us\ncolumn.time = \"Time\" lock\n"
                               "column.speed = \"Faster\" lock @ baseline / lock as times\n"),
                   one_lock());
  EXPECT_EQ(cells(text, "Old"), (Cells{"2.0*", "1x"}));
  EXPECT_EQ(cells(text, "New"), (Cells{"1.0", "3.0x*"}));
  EXPECT_EQ(cells(text, "here"), (Cells{"0.5000", "5.000x"}));
  EXPECT_EQ(cells(text, "±"), (Cells{"1.0%", "1.0%"}));
  for (const char* part : {"2.5:", "2.5x", "1999"}) EXPECT_THAT(text, HasSubstr(part));
}

TEST(DeclaredLayout, ComputesFromEstimatesNotFromWhatIsPrinted) {
  ResultJournal journal;
  journal.series("locks", "sync/lock", {"time"}).point({}, {123.456}, 0.2);
  const auto derived = layout_of(with_values("[table.t]\nrows = systems\ncolumn.half = lock / 2\n"))
                           .derive(group_by_series(journal.records()), "");
  ASSERT_EQ(derived.size(), 1U);
  EXPECT_DOUBLE_EQ(derived[0].derived.value, 61.728);
  EXPECT_DOUBLE_EQ(derived[0].derived.interval.low, 61.728 * 0.8);
  EXPECT_EQ(derived[0].name, "t.half");
  EXPECT_EQ(derived[0].formula, "lock / 2");
  EXPECT_EQ(to_text(derived[0].group), "system=here");
}

TEST(DeclaredLayout, RunsThroughLevelsAndSkipsThoseWithoutANumber) {
  ResultJournal journal;
  journal.series("made", "thread/make", {"time"});
  for (std::int64_t top = 1; top <= 2; ++top)
    for (std::int64_t children = 1; children <= 3; ++children)
      journal.point({{"toplevel", top}, {"children", children}}, {1000.0 * static_cast<double>(top * 10 - children)});
  journal.refused({{"toplevel", std::int64_t{1}}, {"children", std::int64_t{4}}}, Outcome::unsupported, "too many");
  const std::string least = shown_layout(
      with_values("[table.least]\nrows = factor toplevel\nunit = us\ncolumn.least = min(made over children)\n"),
      journal);
  EXPECT_THAT(least, HasSubstr("1  7.00"));
  EXPECT_THAT(least, HasSubstr("2  17.0"));
  const std::string all = shown_layout(
      with_values("[table.all]\nrows = factor toplevel\ncolumns = factor children\nunit = us\ncell = made\n"), journal);
  EXPECT_THAT(all, HasSubstr("unsupported"));
  EXPECT_EQ(cells(all, "unsupported"), (Cells{"too", "many"}));
  EXPECT_THAT(all, HasSubstr("half-widths"));
}

TEST(DeclaredLayout, SaysWhyThereIsNoNumber) {
  ResultJournal journal;
  journal.series("locks", "sync/lock", {"time"})
      .point({{"size", std::int64_t{1}}, {"placement", layout_word("same-pu")}}, {100})
      .point({{"size", std::int64_t{1}}, {"placement", layout_word("unbound")}}, {200})
      .point({{"size", std::int64_t{2}}, {"placement", layout_word("same-pu")}}, {300});
  const std::string text =
      shown_layout(with_values("[table.t]\nrows = systems\ncolumn.all = lock\ncolumn.one = small\ncolumn.none = made\n"
                               "column.sum = small + made\n"),
                   journal);
  EXPECT_THAT(text, HasSubstr("several"));
  EXPECT_THAT(text, testing::AllOf(HasSubstr("3"), HasSubstr("size")));
  EXPECT_THAT(text, HasSubstr("100.0"));
  const std::string none = shown_layout(with_values("[table.t]\nrows = systems\ncolumn.sum = small + made\n"), journal);
  EXPECT_THAT(none, Not(HasSubstr("here")));
}

TEST(DeclaredLayout, RefusesToDivideByWhatMayBeNothing) {
  ResultJournal journal;
  journal.series("locks", "sync/lock", {"time"}).point({}, {100}, 0.5);
  journal.series("made", "thread/make", {"time"}).point({}, {120}, 0.5);
  const std::string text =
      shown_layout(with_values("[table.t]\nrows = systems\ncolumn.odd = lock / (made - lock)\n"), journal);
  EXPECT_THAT(text, HasSubstr("N/A"));
  EXPECT_THAT(text, HasSubstr("divisor"));
}

TEST(DeclaredLayout, LeavesOutTablesOfWhichNothingWasMeasured) {
  const std::string layout = with_values(
      "[table.here]\nrows = systems\ncolumn.a = made\n[table.old]\nrows = systems\n"
      "column.a = lock\n");
  ResultJournal journal;
  journal.series("made", "thread/make", {"time"}).point({}, {50});
  EXPECT_THAT(shown_layout(layout, journal), Not(HasSubstr("old\n")));
  EXPECT_THAT(shown_layout(layout, ResultJournal()), HasSubstr("old\n"));
}

TEST(DeclaredLayout, PrefersTheFirstAlternative) {
  ResultJournal journal;
  journal.series("locks", "sync/lock", {"time"})
      .point({{"placement", layout_word("same-l3@0+2")}}, {200})
      .point({{"placement", layout_word("smt@0+1")}}, {100})
      .point({{"placement", layout_word("smt-like")}}, {50});
  const std::string text = shown_layout(
      "[values]\nnear = sync/lock where placement=smt|same-l3\nfar = sync/lock where placement=same-l3|smt\n"
      "[table.t]\nrows = systems\ncolumn.near = near\ncolumn.far = far\n",
      journal);
  EXPECT_EQ(cells(text, "here"), (Cells{"100.0", "200.0"}));
}

TEST(DeclaredLayout, CarriesMarksOfAllInputs) {
  ResultJournal journal;
  Result noisy = test::plain_result(100, 0.01);
  noisy.noisy = true;
  journal.series("locks", "sync/lock", {"time"}).add(test::finished_point("locks", test::point_of({}), noisy));
  journal.series("made", "thread/make", {"time"}).point({}, {50});
  const std::string text = shown_layout(with_values("[table.t]\nrows = systems\ncolumn.net = lock - made\n"), journal);
  EXPECT_THAT(text, HasSubstr("50.0#"));
  EXPECT_FALSE(cells(text, "#").empty()) << "what the mark means";
}

// A hole in the table for one input without an interval would hide what there is.
TEST(DeclaredLayout, TakesWhatThereIsWhereAnInputHasNoInterval) {
  ResultJournal journal;
  Result bare = test::plain_result(100, 0.01);
  bare.headline.interval = {};
  journal.series("locks", "sync/lock", {"time"}).add(test::finished_point("locks", test::point_of({}), bare));
  journal.series("made", "thread/make", {"time"});
  for (std::int64_t children = 1; children <= 2; ++children)
    journal.point({{"children", children}}, {40.0 + 10 * static_cast<double>(children)});
  const std::string layout = with_values(
      "[table.t]\nrows = systems\ncolumn.net = lock - min(made over children)\ncolumn.least = min(made over "
      "children)\n");
  EXPECT_EQ(cells(shown_layout(layout, journal), "here"), (Cells{"50.0?", "50.00"}));
  const auto derived = layout_of(layout).derive(group_by_series(journal.records()), "");
  ASSERT_EQ(derived.size(), 2U);
  EXPECT_TRUE(derived[0].derived.valid);
  EXPECT_FALSE(derived[0].derived.interval.available());
  EXPECT_TRUE(derived[1].derived.interval.contains(50));
}

TEST(DeclaredLayout, CarriesTheMarksOfTheCellThatWasChosen) {
  ResultJournal journal;
  journal.series("made", "thread/make", {"time"});
  Result noisy = test::plain_result(100, 0.01);
  noisy.noisy = true;
  journal.add(test::finished_point("made", test::point_of({{"children", std::int64_t{1}}}), noisy));
  journal.point({{"children", std::int64_t{2}}}, {50}).point({{"children", std::int64_t{3}}}, {60});
  const std::string text = shown_layout(
      with_values("[table.t]\nrows = systems\ncolumn.least = min(made over children)\ncolumn.most = max(made over "
                  "children)\n"),
      journal);
  EXPECT_EQ(cells(text, "here"), (Cells{"50.00", "100.0#"}));
}

TEST(DeclaredLayout, AMarkThatAllNumbersHaveStandsBelowThem) {
  ResultJournal journal;
  journal.series("made", "thread/make", {"time"});
  for (std::int64_t children = 1; children <= 3; ++children) {
    Result noisy = test::plain_result(100.0 * static_cast<double>(children), 0.01);
    noisy.noisy = true;
    if (children == 2) noisy.verdict.outcome = Outcome::max_time;
    journal.add(test::finished_point("made", test::point_of({{"children", children}}), noisy));
  }
  const std::string text =
      shown_layout(with_values("[table.t]\nrows = factor children\ncolumn.time = made\n"), journal);
  EXPECT_EQ(cells(text, "1").front(), "100.0");
  EXPECT_EQ(cells(text, "2").front(), "200.0!");
  EXPECT_FALSE(cells(text, "#").empty());
}

TEST(DeclaredLayout, TakesTheMeanOfWindowsWithItsInterval) {
  ResultJournal journal;
  Result windows = test::plain_result(100, 0.01);
  windows.summary.n = 5;
  windows.visits = 5;
  windows.summary.mean = 110;
  windows.summary.stddev = 10;
  windows.summary.standard_error = 10 / std::sqrt(5.0);
  journal.series("locks", "sync/lock", {"time"}).add(test::finished_point("locks", test::point_of({}), windows));
  const auto of = [&] {
    return layout_of("[values]\nlock = mean time of sync/lock\n[table.t]\nrows = systems\ncolumn.a = lock * 1\n")
        .derive(group_by_series(journal.records()), "");
  };
  ASSERT_EQ(of().size(), 1U);
  EXPECT_DOUBLE_EQ(of()[0].derived.value, 110);
  EXPECT_NEAR(of()[0].derived.interval.high, 110 + 2.776 * 10 / std::sqrt(5.0), 0.01) << "Student's t of four";
  windows.summary.n = 40;
  ResultJournal batches;
  batches.series("locks", "sync/lock", {"time"}).add(test::finished_point("locks", test::point_of({}), windows));
  journal = batches;
  EXPECT_FALSE(of()[0].derived.interval.available()) << "batches of one visit are not independent";
}

TEST(DeclaredLayout, ComparesWithTheSystemBefore) {
  const std::string text = shown_layout(
      with_values("[table.t]\nrows = systems\nunit = us\ncolumn.step = lock @ before / lock as times\n"), one_lock());
  EXPECT_EQ(cells(text, "New"), (Cells{"2.5x"}));
  EXPECT_EQ(cells(text, "here"), (Cells{"2.000x"}));
}

// Series as columns, systems as letters; changes against the first of those that were measured.
TEST(DeclaredLayout, ComparesTasksOfOnesOwnSystemsWithTheFirst) {
  ResultJournal journal;
  CampaignRecord head;
  head.configuration = "[series.compile]\nvariant = plain, eager\n";
  journal.add(head);
  for (const char* task : {"compile", "pack"})
    journal.series(task, "command/run", {"wall"})
        .point({{"variant", layout_word("eager")}}, {task[0] == 'c' ? 110.0 : 100.0})
        .point({{"variant", layout_word("plain")}}, {100});
  journal.series("other", "command/run", {"wall"}).point({{"tracer", layout_word("none")}}, {5});
  const std::string text = shown_layout(
      "[layout]\nletters = yes\nreference = r.json\n[values]\nlock = sync/lock\ntask = command/run where tracer=-\n"
      "[table.t]\nrows = systems\ncolumns = factor series\ncell = task / task @ first - 1 as percent\n",
      journal);
  EXPECT_EQ(cells(text, "A (plain)"), (Cells{"-", "-"}));
  EXPECT_EQ(cells(text, "B (eager)"), (Cells{"10.0%", "0.0%"}));
  EXPECT_THAT(text, HasSubstr("not in this layout: series other"));
  EXPECT_THAT(text, Not(HasSubstr("published numbers alone")));
  EXPECT_THAT(shown_layout(with_values("[table.table]\nrows = systems\ncolumn.time = lock\n"), journal),
              HasSubstr("published numbers alone"));
}

TEST(DeclaredLayout, SetsCampaignsAndVariantsSideBySide) {
  const auto campaign = [](const char* name, const char* library, double time) {
    ResultJournal journal;
    SessionRecord session;
    session.facts = {{"software.threads", library}};
    journal.add(session).series("locks", "sync/lock", {"time"}).point({}, {time});
    return ShownCampaign{name, journal.records()};
  };
  const std::string layout = with_values(
      "[table.t]\nrows = systems by library\ncolumn.time = lock\n[table.u]\nrows = systems\ncolumn.time = lock\n");
  const std::string text = shown_layout(layout, {campaign("left", "NPTL 2.36", 100), campaign("right", "musl", 200)});
  EXPECT_EQ(cells(text, "NPTL"), (Cells{"2.36", "100.0"}));
  EXPECT_EQ(cells(text, "musl"), (Cells{"200.0"}));
  EXPECT_EQ(cells(text, "left"), (Cells{"100.0"}));
  ResultJournal variants;
  variants.series("locks", "sync/lock", {"time"})
      .point({{"variant", layout_word("plain")}}, {100})
      .point({{"variant", layout_word("musl")}}, {300});
  PointRecord other =
      test::finished_point("locks", test::point_of({{"variant", layout_word("musl")}}), test::plain_result(300, 0.01));
  other.library = "another 1.2";
  variants.add(other);
  const std::string two = shown_layout(layout, variants);
  const std::string by_library = shown_layout(
      "[attributes]\nlibrary = library\n[values]\nlock = sync/lock\n[table.t]\nrows = systems by library\n"
      "column.time = lock\n",
      variants);
  EXPECT_EQ(cells(by_library, "another"), (Cells{"1.2", "300.0"}));
  EXPECT_EQ(cells(two, "here, plain"), (Cells{"100.0"}));
  EXPECT_EQ(cells(two, "here, musl"), (Cells{"300.0"}));
}

// "@ ATTRIBUTE" in the row of a system is the one that differs in that attribute alone.
TEST(DeclaredLayout, SystemsAreDescribedAndComparedByOneAttribute) {
  const auto campaign = [](const char* name, const char* kernel, const char* preemption, double time) {
    ResultJournal journal;
    SessionRecord session;
    session.facts = {{"kernel.release", kernel}, {"kernel.preemption", preemption}};
    journal.add(session);
    journal.series("locks", "sync/lock", {"time"}).point({}, {time});
    return ShownCampaign{name, journal.records()};
  };
  const std::string text = shown_layout(
      "[attributes]\nkernel = kernel.release\npreemption = kernel.preemption\n[values]\nlock = sync/lock\n"
      "[table.t]\nrows = systems\nabout = kernel, preemption\ncolumn.time = lock\n"
      "column.by = lock / lock @ preemption=\"none\" - 1 as percent\n",
      {campaign("first", "6.1", "none", 100), campaign("second", "6.1", "full", 150),
       campaign("third", "6.18", "full", 200), campaign("fourth", "6.1", "not available: no debugfs", 200)});
  EXPECT_EQ(cells(text, "first"), (Cells{"6.1", "none", "100.0", "-"}));
  EXPECT_EQ(cells(text, "second"), (Cells{"6.1", "full", "150.0", "50.0%"}));
  EXPECT_EQ(cells(text, "third"), (Cells{"6.18", "full", "200.0", "-"}));
  EXPECT_EQ(cells(text, "fourth"), (Cells{"6.1", "-", "200.0", "-"}));
}

TEST(DeclaredLayout, ExplainsWhereNumbersComeFromAndPrintsRawLines) {
  ResultJournal journal = one_lock();
  VisitRecord visit;
  visit.series = "locks";
  visit.discarded = 1;
  for (const double count : {1.0, 42.0}) {
    MemberReport member;
    member.claims.set(0, count);
    visit.batches.push_back({{Reps{1}, {member}}, {}});
  }
  journal.add(visit);
  const std::string layout = with_values(
      "[table.t]\nrows = systems\ncolumn.half = lock / 2\n[lines.raw]\ntitle = Raw\nof = lock\ntext = {count}{time} of "
      "them\n");
  EXPECT_THAT(shown_layout(layout, journal), Not(HasSubstr("Raw")));
  const std::string text = shown_layout(layout, journal, Detail::explained);
  EXPECT_THAT(cells(text, "locks"), testing::Contains("500.0"));
  EXPECT_EQ(cells(text, "17?"), (Cells{"of", "them"}));
  EXPECT_EQ(cells(text, "?42"), (Cells{"of", "them"}));
  EXPECT_EQ(cells(text, "?1"), Cells{});
  EXPECT_EQ(layout_of(layout).raw_of, std::vector<std::string>{"sync/lock"});
}

TEST(DeclaredLayout, IsFoundInFilesToo) {
  EXPECT_THROW(find_layout("./no-such-layout.ini"), ConfigError);
  EXPECT_FALSE(usable_layout("./no-such-layout.ini"));
}

}  // namespace
}  // namespace assay
