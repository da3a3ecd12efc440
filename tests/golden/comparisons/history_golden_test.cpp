// SPDX-License-Identifier: Apache-2.0
// What histories say of points over time, and of campaigns held against earlier and accepted ones, byte by byte.
#include "support/environment/golden.hpp"
#include "unit/app/archive/written_campaign.hpp"

namespace assay::test {
namespace {

constexpr CoreState history_alone{Sharing::alone, 0, 0};
constexpr CoreState history_shared{Sharing::shared, 0, 0};

class HistoryGolden : public testing::Test {
 protected:
  /// Adds a campaign of the day to the history.
  void add_day(int on, const std::vector<PointRecord>& points, Written about = {}) {
    about.started = day(on);
    const std::string directory = folder_ / ("day" + std::to_string(on));
    write_campaign(directory, about, points);
    ASSERT_EQ(history(folder_, {"add", directory}).exit_code, 0);
  }
  /// What an action says of the history, without the name of the folder.
  void tell(const std::vector<std::string>& arguments) { note(arguments, history(folder_, arguments)); }
  /// What is said of a campaign of these points held against the history.
  void check(const char* name, const std::vector<PointRecord>& points, Written about = {}) {
    about.started = day(28);
    write_campaign(folder_ / name, about, points);
    tell({"check", folder_ / name});
  }
  void note(const std::vector<std::string>& arguments, const Finished& finished) {
    told_ += "==";
    for (const std::string& argument : arguments) told_ += " " + argument;
    told_ += "\n" + finished.out + finished.err + "exit code " + std::to_string(finished.exit_code) + "\n";
    const std::string own = folder_.path().string();
    for (auto at = told_.find(own); at != told_.npos; at = told_.find(own)) told_.replace(at, own.size(), "FOLDER");
  }

  const Scratch folder_;
  std::string told_;
};

TEST_F(HistoryGolden, OverTime) {
  for (int i = 0; i < 12; ++i) {
    Written about;
    about.kernel = i < 6 ? "6.1" : "6.2";
    add_day(i + 1, {lock_point((i < 6 ? 100 : 110) + 0.1 * (i % 3))}, about);
  }
  PointRecord failed = lock_point(1);
  failed.results.clear();
  failed.outcome = Outcome::timeout;
  failed.reason = "no answer";
  add_day(13, {lock_point(900, "normal", true)});
  add_day(14, {failed});
  Written other;
  other.node = "n2";
  other.version = "0.2.0";
  add_day(15, {lock_point(120)}, other);
  tell({"show"});
  tell({"show", "--series", "none"});
  tell({"show", "--node", "n2"});
  EXPECT_TRUE(matches_golden(told_, "comparisons/history_show.txt"));
}

TEST_F(HistoryGolden, StatesOfTheCores) {
  for (int i = 0; i < 12; ++i) {
    const bool is_alone = i % 2 == 0;
    PointRecord point = lock_point_in(is_alone ? history_alone : history_shared, (is_alone ? 100 : 140) + 0.1 * i);
    point.others = {beside({}, 120)};
    add_day(i + 1, {point});
  }
  add_day(20, {lock_point(121)});
  tell({"show"});
  check("shared", {lock_point_in(history_shared, 141)});
  check("far", {lock_point_in({Sharing::alone, 0, 490}, 300)});
  EXPECT_TRUE(matches_golden(told_, "comparisons/history_states.txt"));
}

TEST_F(HistoryGolden, Checks) {
  for (int i = 0; i < 6; ++i) add_day(i + 1, {lock_point(100 + 0.2 * (i % 3))});
  check("same", {lock_point(100.2), lock_point(200, "recursive")});
  check("slow", {lock_point(110)});
  check("fast", {lock_point(90)});
  check("gone", {lock_point(100, "recursive")});
  check("noisy", {lock_point(110, "normal", true)});
  Written elsewhere;
  elsewhere.node = "n9";
  check("elsewhere", {lock_point(110)}, elsewhere);
  EXPECT_TRUE(matches_golden(told_, "comparisons/history_check.txt"));
}

TEST_F(HistoryGolden, AcceptedValues) {
  const std::string file = folder_ / "accepted.json";
  write_campaign(folder_ / "a", {},
                 {lock_point_in(history_alone, 100), lock_point(200, "recursive"), lock_point(300, "noisy", true)});
  write_campaign(folder_ / "b", {}, {lock_point_in(history_shared, 140)});
  write_file(folder_ / "other", "{\"format\":\"x\"}");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"history", "accept", folder_ / "a", "--output", file, "--tolerance", "5%"},
           {"history", "accept", folder_ / "a", "--output", file},
           {"history", "check", folder_ / "b", "--accepted", file},
           {"history", "check", folder_ / "b", "--accepted", file, "--format", "lines"},
           {"history", "check", folder_ / "b", "--accepted", folder_ / "other"}})
    note(arguments, run_assay(arguments));
  EXPECT_TRUE(matches_golden(told_, "comparisons/history_accepted.txt"));
}

}  // namespace
}  // namespace assay::test
