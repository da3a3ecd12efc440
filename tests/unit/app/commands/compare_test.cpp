// SPDX-License-Identifier: Apache-2.0
// `assay compare` as its user meets it: options, refusals, exit codes.
#include <gmock/gmock-matchers.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/cli/command.hpp"
#include "record/journal/journal.hpp"
#include "support/fake_clock.hpp"
#include "support/scratch.hpp"
#include "unit/record/compared.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Two campaigns on disk, the second `slower_` times slower at the first of their points.
class CompareTest : public testing::Test {
 protected:
  CompareTest() {
    for (std::int64_t n = 1; n <= 3; ++n) {
      a_.points.push_back(compared_point(n, compared_result(100 * static_cast<double>(n))));
      b_.points.push_back(compared_point(n, compared_result(100 * static_cast<double>(n))));
    }
  }

  std::string write(const std::string& name, const ComparedCampaign& campaign) const {
    const FakeClock clock;
    Journal journal(folder_ / name, clock);
    for (const Record& record : campaign.records()) journal.write(record);
    return folder_ / name;
  }

  int call(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    out_.str("");
    err_.str("");
    AppContext context{out_, err_};
    return run_program(
        arguments, [](Registry&, std::string_view) {}, context);
  }
  int call_both(std::vector<std::string> options = {}) {
    ++calls_;
    options.insert(options.begin(), {write("a" + std::to_string(calls_), a_), write("b" + std::to_string(calls_), b_)});
    return call(options);
  }
  void change(std::size_t point, double ratio) {
    for (IncarnationMedian& process : b_.points[point].results[0].processes) process.value *= ratio;
  }

  Scratch folder_;
  ComparedCampaign a_;
  ComparedCampaign b_;
  std::ostringstream out_;
  std::ostringstream err_;
  int calls_ = 0;
};

TEST_F(CompareTest, NothingSlowerIsSuccess) {
  EXPECT_EQ(call_both(), 0) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("3 results compared: 0 possibly slower, 0 possibly faster, 3 same, 0 unclear"));
  EXPECT_THAT(out_.str(), HasSubstr("sequential design: A and B were not interleaved"));
  change(1, 0.9);
  EXPECT_EQ(call_both(), 0) << "faster is no regression";
  EXPECT_THAT(out_.str(), HasSubstr("1 possibly faster"));
}

TEST_F(CompareTest, SomethingSlowerIsARegressionOnRequest) {
  change(1, 1.1);
  EXPECT_EQ(call_both(), 0);
  EXPECT_THAT(out_.str(), HasSubstr("1 possibly slower, 0 possibly faster, 2 same"));
  EXPECT_EQ(call_both({"--strict"}), 6);
}

TEST_F(CompareTest, AMarginAndQAreAsked) {
  change(1, 1.1);
  EXPECT_EQ(call_both({"--margin", "15%"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("3 same"));
  EXPECT_EQ(call_both({"--q", "0.000001"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("3 unclear"));
}

TEST_F(CompareTest, SessionsThatDifferWidenTheMargin) {
  for (ComparedCampaign* side : {&a_, &b_}) {
    side->points.push_back(side->points[0]);
    side->points.back().results[0] = compared_result(104, 10, 1);
  }
  change(0, 1.04);
  change(3, 1.04);
  EXPECT_EQ(call_both(), 0) << out_.str();
  EXPECT_THAT(out_.str(), HasSubstr("same; margin 5.55 %, by which sessions differ"));
}

TEST_F(CompareTest, ARateIsFasterWhenItGrows) {
  for (ComparedCampaign* side : {&a_, &b_}) {
    side->series.quantities[0].unit = Unit::per_second;
    for (PointRecord& point : side->points) point.results[0].unit = Unit::per_second;
  }
  change(1, 1.1);
  EXPECT_EQ(call_both(), 0);
  EXPECT_THAT(out_.str(), HasSubstr("1 possibly faster"));
}

TEST_F(CompareTest, FormatsForPrograms) {
  EXPECT_EQ(call_both({"--format", "csv"}), 0);
  EXPECT_TRUE(out_.str().starts_with("series,measurement,n,quantity,")) << out_.str();
  EXPECT_EQ(call_both({"--format", "json"}), 0);
  EXPECT_TRUE(out_.str().starts_with("{\"a\":")) << out_.str();
  EXPECT_EQ(call_both({"--format", "jsn"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("unknown format 'jsn'; did you mean 'json'?"));
}

TEST_F(CompareTest, WrongUse) {
  struct Case {
    std::vector<std::string> options;
    const char* message;
  };
  for (const auto& [options, message] :
       {Case{{"--margin", "much"}, "--margin: 'much' is not a number or percentage"},
        Case{{"--margin", "-1%"}, "--margin '-1%' is out of range"}, Case{{"--q", "0"}, "--q '0' is out of range"},
        Case{{"--q", "100%"}, "--q '100%' is out of range"},
        Case{{"--quantity", "tiem"}, "no series has a quantity 'tiem'; did you mean 'time'?"},
        Case{{"--quantity", "time", "--all"}, "contradict each other"},
        Case{{"--base", "x"}, "--base is for the levels of one campaign; name one directory"},
        Case{{"--factor", "n"}, "--factor is for the levels of one campaign"}}) {
    EXPECT_EQ(call_both(options), 2) << message;
    EXPECT_THAT(err_.str(), HasSubstr(message));
    EXPECT_EQ(out_.str(), "");
  }
  EXPECT_EQ(call({folder_ / "nothing", folder_ / "nothing"}), 2);
  EXPECT_EQ(call({}), 2);
}

TEST_F(CompareTest, NotMeasuredAlikeIsRefusedWithEveryReason) {
  b_.campaign.schedule = "consecutive";
  b_.session.facts[0].second = "other";
  EXPECT_EQ(call_both(), 5);
  EXPECT_THAT(err_.str(), HasSubstr("cannot be compared: the schedule differs: interleaved in A, consecutive in B; "
                                    "cpu.model differs: synthetic in A, other in B\n"));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(CompareTest, NothingComparableIsRefusedWithTheReasons) {
  b_.points = {compared_point(9, compared_result(1))};
  EXPECT_EQ(call_both(), 5);
  EXPECT_THAT(out_.str(), HasSubstr("n=9: A has no such point"));
  EXPECT_THAT(out_.str(), HasSubstr("0 results compared"));
}

TEST_F(CompareTest, OneIncarnationIsRefused) {
  b_.points[0].results[0] = compared_result(100, 1);
  EXPECT_EQ(call_both(), 0);
  EXPECT_THAT(out_.str(), HasSubstr("one n=1: fewer than two incarnations in B"));
  EXPECT_THAT(out_.str(), HasSubstr("2 results compared"));
}

TEST_F(CompareTest, MarkedResultsOnRequest) {
  b_.points[0].results[0].verdict.outcome = Outcome::bimodal;
  change(0, 1.2);
  EXPECT_EQ(call_both(), 0);
  EXPECT_THAT(out_.str(), HasSubstr("bimodal in B; --accept-marked"));
  EXPECT_EQ(call_both({"--accept-marked", "--strict"}), 6);
  EXPECT_THAT(out_.str(), HasSubstr("possibly slower; B bimodal"));
}

TEST_F(CompareTest, AnOlderJournalIsRefused) {
  const std::string old = folder_ / "old";
  std::filesystem::create_directory(old);
  const std::string body = R"({"v":0,"seq":0,"type":"note","text":"x")";
  std::ofstream(old + "/" + journal_name) << body << R"(,"crc":")" << crc_text(crc32c(body)) << "\"}\n";
  EXPECT_EQ(call({old, write("b", b_)}), 5);
  EXPECT_THAT(err_.str(), HasSubstr("format version 0"));
}

TEST_F(CompareTest, LevelsOfOneCampaign) {
  const auto all = a_.points;
  a_.points.clear();
  for (const auto& [level, ratio] : {std::pair("new", 1.1), std::pair("old", 1.0), std::pair("odd", 1.0)})
    for (PointRecord point : all) {
      point.point.set("variant", std::string(level));
      for (IncarnationMedian& process : point.results[0].processes) process.value *= ratio;
      a_.points.push_back(point);
    }
  a_.campaign.configuration = "[series.one]\nvariant = old, new, odd\n";
  const auto path = write("levels", a_);
  EXPECT_EQ(call({path}), 6) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("A: variant old in " + path + "\nB: variant new, odd\n"));
  EXPECT_THAT(out_.str(), HasSubstr("6 results compared: 3 slower, 0 faster, 3 same, 0 unclear"));
  EXPECT_THAT(out_.str(), HasSubstr("interleaved design"));
  EXPECT_THAT(out_.str(), Not(HasSubstr("differ by themselves")));
  EXPECT_EQ(call({path, "--base", "new"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("0 slower, 6 faster"));
  EXPECT_EQ(call({path, "--base", "mew"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("has no level 'mew'; did you mean 'new'?"));
  EXPECT_EQ(call({path, "--factor", "n"}), 6) << "any factor will do";
  EXPECT_EQ(call({path, "--factor", "bytes"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("factor 'bytes' has no levels in"));
}

TEST_F(CompareTest, LevelsThatWereNotMeasuredInTurnAreTold) {
  const PointRecord plain = a_.points[0];
  a_.points.clear();
  for (const char* level : {"old", "new"}) {
    PointRecord point = plain;
    point.point.set("variant", std::string(level));
    a_.points.push_back(point);
    for (int i = 0; i < 20; ++i) {
      VisitRecord visit;
      visit.series = point.series;
      visit.point = point.point;
      visit.visit = static_cast<int>(a_.visits.size());
      a_.visits.push_back(visit);
    }
  }
  EXPECT_EQ(call({write("apart", a_), "--base", "old"}), 0) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("1 of 1 result not interleaved"));
  EXPECT_THAT(out_.str(), HasSubstr("same; 12.5 % of the visits interleaved"));
  for (std::size_t i = 0; i < a_.visits.size(); ++i) a_.visits[i].visit = static_cast<int>(2 * (i % 20) + i / 20);
  EXPECT_EQ(call({write("in turn", a_), "--base", "old"}), 0) << err_.str();
  EXPECT_THAT(out_.str(), Not(HasSubstr("not interleaved:")));
}

TEST_F(CompareTest, LevelsThatWereMeasuredInBlocksAreSequential) {
  a_.campaign.schedule = "consecutive";
  EXPECT_NE(call({write("levels", a_), "--factor", "n"}), 5);
  EXPECT_THAT(out_.str(), HasSubstr("sequential design: A and B"));
}

}  // namespace
}  // namespace assay::test
