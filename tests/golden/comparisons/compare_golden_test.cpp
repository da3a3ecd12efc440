// SPDX-License-Identifier: Apache-2.0
// What `assay compare` prints and refuses, byte by byte.
#include <filesystem>

#include "support/environment/golden.hpp"
#include "unit/app/commands/compare_fixture.hpp"

namespace assay::test {
namespace {

class CompareGolden : public CompareTest {
 protected:
  /// Compares both campaigns as they are now, or the levels of one.
  void tell(const std::string& name, const std::vector<std::string>& options = {}) { note(name, call_both(options)); }
  void tell_levels(const std::string& name, const ComparedCampaign& campaign, const std::string& base) {
    note(name, call({write(name, campaign), "--base", base}));
  }
  void note(const std::string& name, int code) {
    told_ += "== " + name + "\n" + out_.str() + err_.str() + "exit code " + std::to_string(code) + "\n";
    const std::string own = folder_.path().string();
    for (auto at = told_.find(own); at != told_.npos; at = told_.find(own)) told_.replace(at, own.size(), "FOLDER");
  }

  std::string told_;
};

TEST_F(CompareGolden, TwoCampaigns) {
  change(0, 1.04);
  change(1, 1.1);
  change(2, 0.9);
  tell("changes");
  tell("a margin", {"--margin", "15%"});
  tell("hardly any false ones", {"--q", "0.000001"});
  b_.points[0].results[0].verdict.outcome = Outcome::bimodal;
  tell("marked");
  tell("marked, and accepted", {"--accept-marked"});
  b_.points[0].results[0] = compared_result(100, 1);
  tell("one incarnation");
  b_.points = {compared_point(9, compared_result(1))};
  tell("nothing in common");
  b_.campaign.schedule = "consecutive";
  b_.session.facts[0].second = "other";
  tell("not measured alike");
  EXPECT_TRUE(matches_golden(told_, "comparisons/compare_campaigns.txt"));
}

TEST_F(CompareGolden, SessionsThatDiffer) {
  for (ComparedCampaign* side : {&a_, &b_}) {
    side->points.push_back(side->points[0]);
    side->points.back().results[0] = compared_result(104, 10, 1);
  }
  change(0, 1.04);
  change(3, 1.04);
  tell("sessions");
  EXPECT_TRUE(matches_golden(told_, "comparisons/compare_sessions.txt"));
}

TEST_F(CompareGolden, AnotherStateThanTheHeadlines) {
  const auto as_found = a_.points[0].results[0];
  a_.points[0].results[0].state = {Sharing::alone, 0, 0};
  a_.points[0].others = {as_found};
  a_.points[1].results[0].state = b_.points[1].results[0].state = {Sharing::alone, 0, 0};
  change(0, 1.1);
  tell("as found is common");
  for (const char* format : {"csv", "json"}) tell(format, {"--format", format});
  EXPECT_TRUE(matches_golden(told_, "comparisons/compare_states.txt"));
}

TEST_F(CompareGolden, Levels) {
  tell_levels("levels", with_levels(), "old");
  tell_levels("no-such-level", with_levels(), "mew");
  tell_levels("apart", measured(false), "old");
  tell_levels("alternately", measured(true), "old");
  EXPECT_TRUE(matches_golden(told_, "comparisons/compare_levels.txt"));
}

TEST_F(CompareGolden, AgainstAnEarlierCampaign) {
  ComparedCampaign both = a_;
  both.points.clear();
  for (const auto& [level, ratio] : {std::pair("before", 1.05), std::pair("now", 1.3)})
    for (PointRecord point : a_.points) {
      point.point.set("variant", std::string(level));
      for (IncarnationMedian& process : point.results[0].processes) process.value *= ratio;
      both.points.push_back(point);
    }
  auto& facts = both.session.facts;
  facts.insert(facts.end(), {{"against.path", write("then", a_)},
                             {"against.kind", "campaign"},
                             {"against.program_of_then", "yes"},
                             {"against.note.1", "who measured"}});
  both.campaign.configuration = "[series.one]\nvariant = before, now\n";
  const std::string directory = write("today", both);
  note("three columns", call({directory}));
  note("in per cent", call({directory, "--percent"}));
  for (const char* format : {"csv", "json"}) note(format, call({directory, "--format", format}));
  std::filesystem::remove_all(folder_ / "then");
  note("then is gone", call({directory}));
  EXPECT_TRUE(matches_golden(told_, "comparisons/compare_against.txt"));
}

TEST_F(CompareGolden, WrongUse) {
  for (const auto& options : wrong_options) tell(options.front() + " " + options[1], options);
  EXPECT_TRUE(matches_golden(told_, "comparisons/compare_wrong_use.txt"));
}

}  // namespace
}  // namespace assay::test
