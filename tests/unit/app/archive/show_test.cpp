// SPDX-License-Identifier: Apache-2.0
// Points over time, and campaigns held against earlier and accepted results, as users see them.
#include <gmock/gmock-matchers.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "platform/file/append_file.hpp"
#include "text/json.hpp"
#include "unit/app/archive/written_campaign.hpp"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::vector<double> quiet{100.0, 100.4, 99.7, 100.1, 99.9, 100.3};

std::vector<double> changed() {
  std::vector<double> medians = quiet;
  for (const double median : quiet) medians.push_back(median * 1.1);
  return medians;
}

TEST(HistoryShow, TellsAPlantedChangeAndWhatChangedWithIt) {
  const Scratch folder;
  Written later;
  add_days(folder, quiet);
  std::vector<std::string> arguments{"add"};
  for (std::size_t i = 0; i < quiet.size(); ++i) {
    later.started = day(20 + static_cast<int>(i));
    later.kernel = "6.2";
    write_campaign(folder / ("later" + std::to_string(i)), later, {lock_point(quiet[i] * 1.1)});
    arguments.push_back(folder / ("later" + std::to_string(i)));
  }
  ASSERT_EQ(history(folder, arguments).exit_code, 0);
  const Finished done = history(folder, {"show", "--series", "lock", "--point", "type=normal"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  for (const char* part : {"2026-01-06", "2026-01-20", "100.07", "110.07", "kernel.release"})
    EXPECT_THAT(done.out, HasSubstr(part));
}

TEST(HistoryShow, TellsOtherMachinesAndProgramsApart) {
  const Scratch folder;
  add_days(folder, quiet);
  Written other;
  other.node = "n2";
  add_days(folder, {110, 110, 110}, other);
  other = {};
  other.node = "n1";
  other.version = "0.2.0";
  other.started = day(28);
  write_campaign(folder / "newer", other, {lock_point(120)});
  ASSERT_EQ(history(folder, {"add", folder / "newer"}).exit_code, 0);
  const Finished done = history(folder, {"show"});
  for (const char* line : {"\na: ", "\nb: ", "\nc: "}) EXPECT_THAT(done.out, HasSubstr(line));
  EXPECT_THAT(done.out, HasSubstr("0.2.0"));
  EXPECT_THAT(history(folder, {"show", "--node", "n2"}).out, Not(HasSubstr("n1")));
}

TEST(HistoryShow, MarkedValuesAreShownCountedAndLeftOut) {
  const Scratch folder;
  add_days(folder, changed());
  Written about;
  about.started = day(15);
  PointRecord failed = lock_point(1);
  failed.results.clear();
  failed.outcome = Outcome::timeout;
  failed.reason = "no answer";
  write_campaign(folder / "noisy", about, {lock_point(900, "normal", true)});
  about.started = day(16);
  write_campaign(folder / "failed", about, {failed});
  ASSERT_EQ(history(folder, {"add", folder / "noisy", folder / "failed"}).exit_code, 0);
  const Finished done = history(folder, {"show"});
  for (const char* part : {"900", "#", "timeout", "110.07"}) EXPECT_THAT(done.out, HasSubstr(part));
}

TEST(HistoryShow, PrintsTheDigitsOfShow) {
  const Scratch folder;
  const auto directories = add_days(folder, {123.456});
  const Finished show = run_assay({"show", "--verbose", directories[0]});
  ASSERT_THAT(show.out, HasSubstr("123.46"));
  EXPECT_THAT(history(folder, {"show"}).out,
              testing::AllOf(HasSubstr("123.46"), HasSubstr("122.84"), HasSubstr("124.07")));
  EXPECT_THAT(show.out, testing::AllOf(HasSubstr("122.84"), HasSubstr("124.07")));
}

const CoreState alone{Sharing::alone, 0, 0};
const CoreState shared_core{Sharing::shared, 0, 0};

// Campaigns of one point a day apart, from a day on, alternately alone and shared: 100 and 140 ns, each with 120 ns as
// found beside it.
std::vector<std::string> add_states(const Scratch& folder, int count) {
  std::vector<std::string> arguments{"add"};
  for (int i = 0; i < count; ++i) {
    Written about;
    about.started = day(i + 1);
    const bool is_alone = i % 2 == 0;
    PointRecord point = lock_point_in(is_alone ? alone : shared_core, (is_alone ? 100 : 140) * (1 + 0.001 * i));
    point.others = {beside({}, 120)};
    write_campaign(folder / ("state" + std::to_string(i)), about, {point});
    arguments.push_back(folder / ("state" + std::to_string(i)));
  }
  const Finished done = history(folder, arguments);
  EXPECT_EQ(done.exit_code, 0) << done.err;
  return {arguments.begin() + 1, arguments.end()};
}

TEST(HistoryShow, StatesOfTheCoresAreLinesOfTheirOwn) {
  const Scratch folder;
  add_states(folder, 12);
  const std::string out = history(folder, {"show"}).out;
  EXPECT_THAT(out, testing::AllOf(HasSubstr("\na: "), HasSubstr("\nb: "), Not(HasSubstr("\nc: "))));
  EXPECT_THAT(out, Not(HasSubstr("+40"))) << "no change between states that differ";
  EXPECT_THAT(out, Not(HasSubstr("120.00"))) << "no campaign answered for what all batches say";
  EXPECT_THAT(history(folder, {"list"}).out, HasSubstr("1      1       0     0")) << "one point, one sound result";
}

TEST(HistoryShow, ListsAreWrittenForPrograms) {
  const Scratch folder;
  add_states(folder, 12);
  for (const char* action : {"list", "show"}) {
    const Finished json = history(folder, {action, "--format", "json"});
    EXPECT_EQ(json.exit_code, 0) << json.err;
    const Json read = parse_json(json.out);
    ASSERT_GE(read.at("rows").array().size(), 12U) << action;
    const Finished csv = history(folder, {action, "--format", "csv"});
    EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'),
              static_cast<std::ptrdiff_t>(read.at("rows").array().size() + 1));
    EXPECT_EQ(history(folder, {action, "--format", "lines"}).exit_code, 2);
  }
  const Json shown = parse_json(history(folder, {"show", "--format", "json"}).out);
  EXPECT_GT(shown.at("rows").array().front().at("value").number(), 0);
}

TEST(HistoryShow, WhatWasFoundInAStateThatOthersAnsweredForIsInItsLine) {
  const Scratch folder;
  add_states(folder, 2);
  Written about;
  about.started = day(5);
  write_campaign(folder / "as-found", about, {lock_point(121)});
  about.started = day(6);
  PointRecord failed = lock_point(1);
  failed.results.clear();
  failed.outcome = Outcome::timeout;
  write_campaign(folder / "failed", about, {failed});
  ASSERT_EQ(history(folder, {"add", folder / "as-found", folder / "failed"}).exit_code, 0);
  const std::string out = history(folder, {"show"}).out;
  EXPECT_THAT(out, testing::AllOf(HasSubstr("120.00"), HasSubstr("121.00")));
  EXPECT_THAT(out, Not(HasSubstr("\nd: "))) << "a point without a number has no state";
}

TEST(HistoryShow, TellsWhereAnotherDayLiesFromFourEarlierCampaignsOn) {
  const Scratch folder;
  add_days(folder, {100, 101, 99, 100.5});
  EXPECT_THAT(history(folder, {"show"}).out, Not(HasSubstr("96.2")));
  Written about;
  about.started = day(20);
  write_campaign(folder / "last", about, {lock_point(100)});
  ASSERT_EQ(history(folder, {"add", folder / "last"}).exit_code, 0);
  // t(0.975, 3 degrees) times the root of 2 times 0.854 %, and 0.5 % of its own.
  EXPECT_THAT(history(folder, {"show"}).out, testing::AllOf(HasSubstr("96.2"), HasSubstr("104.0")));
}

TEST(HistoryShow, NamesStayInert) {
  const Scratch folder;
  Written about;
  about.title = "=cmd|'<script>\x1b[31m\n\"";
  about.node = "n\x1b]0;x\x07";
  const std::string directory = folder / "a'b\"\x1b[2J\n;DROP TABLE campaigns";
  PointRecord point = lock_point(100, "<b>'); DROP TABLE results; --\x1b[1m");
  point.series = "s'\"\x1b[5m";
  write_campaign(directory, about, {point});
  ASSERT_EQ(history(folder, {"add", directory}).exit_code, 0);
  std::ostringstream all;
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"list"}, {"show"}, {"show", "--series", point.series}, {"check", directory}}) {
    const Finished done = history(folder, arguments);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    all << done.out;
  }
  ASSERT_EQ(run_assay({"history", "accept", directory, "--output", folder / "acc"}).exit_code, 0);
  for (const char* format : {"table", "json", "csv", "lines"}) {
    const Finished done = run_assay({"history", "check", directory, "--accepted", folder / "acc", "--format", format});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    all << done.out;
  }
  EXPECT_THAT(all.str(), Not(HasSubstr("\x1b")));
}

TEST(HistoryCheck, AgainstTheHistoryASlowerPointIsSix) {
  const Scratch folder;
  add_days(folder, quiet);
  Written about;
  about.started = day(28);
  write_campaign(folder / "same", about, {lock_point(100.2)});
  write_campaign(folder / "slow", about, {lock_point(110)});
  write_campaign(folder / "fast", about, {lock_point(90)});
  write_campaign(folder / "gone", about, {lock_point(100, "recursive")});
  write_campaign(folder / "noisy", about, {lock_point(110, "normal", true)});
  about.node = "n9";
  write_campaign(folder / "elsewhere", about, {lock_point(110)});
  const auto check = [&](const char* name, const char* option = "--format=table") {
    return history(folder, {"check", folder / name, option});
  };
  const auto counted = [&](const char* name, const char* as) {
    return parse_json(check(name, "--format=json").out).at("counts").at(as).integer();
  };
  EXPECT_EQ(check("same").exit_code, 0);
  EXPECT_EQ(check("slow").exit_code, 6);
  EXPECT_EQ(counted("slow", "slower"), 1);
  EXPECT_THAT(check("slow", "--format=csv").out, AllOf(StartsWith("series,measurement,point,"), HasSubstr(",slower,")));
  EXPECT_EQ(check("fast").exit_code, 0);
  EXPECT_EQ(counted("fast", "faster"), 1);
  EXPECT_EQ(counted("gone", "unclear"), 1);
  EXPECT_EQ(counted("gone", "missing"), 1);
  EXPECT_EQ(counted("noisy", "marked"), 1);
  EXPECT_EQ(counted("noisy", "slower"), 0);
  EXPECT_EQ(check("noisy").exit_code, 0);
  EXPECT_EQ(check("noisy", "--strict").exit_code, 1);
  EXPECT_EQ(counted("elsewhere", "unclear"), 1) << "nothing to hold it against";
}

TEST(HistoryCheck, ComparesEqualStatesOnlyAndSaysSo) {
  const Scratch folder;
  add_states(folder, 12);
  Written about;
  about.started = day(20);
  PointRecord busy = lock_point_in(shared_core, 141);
  write_campaign(folder / "shared", about, {busy});
  write_campaign(folder / "alone", about, {lock_point_in(alone, 140)});
  write_campaign(folder / "as-found", about, {lock_point(120.1)});
  write_campaign(folder / "far", about, {lock_point_in({Sharing::alone, 0, 490}, 300)});
  const auto check = [&](const char* name) { return history(folder, {"check", folder / name, "--format=json"}); };
  const auto counted = [&](const char* name, const char* as) {
    return parse_json(check(name).out).at("counts").at(as).integer();
  };
  EXPECT_EQ(check("shared").exit_code, 0) << "140 ns is what a shared core takes";
  EXPECT_EQ(counted("shared", "ok"), 1);
  EXPECT_EQ(check("alone").exit_code, 6);
  EXPECT_EQ(counted("as-found", "ok"), 1) << "earlier ones found this beside what they answered for";
  EXPECT_EQ(counted("far", "unclear"), 1);
}

TEST(HistoryCheck, TellsWhereAnotherDayLies) {
  const Scratch folder;
  add_days(folder, quiet);
  Written about;
  about.started = day(28);
  write_campaign(folder / "now", about, {lock_point(100), lock_point(200, "recursive")});
  const Json report = parse_json(history(folder, {"check", folder / "now", "--format", "json"}).out);
  const auto& points = report.at("points");
  const Json& known = points.array().front();
  EXPECT_EQ(known.at("another_day_from").integer(), 6);
  EXPECT_LT(known.at("another_day_low").number(), known.at("low").number());
  EXPECT_GT(known.at("another_day_high").number(), known.at("high").number());
  EXPECT_EQ(known.at("state").string(), "as found");
  EXPECT_TRUE(points.array().back().at("another_day_low").is_null());
  EXPECT_EQ(points.array().back().at("another_day_from").integer(), 0);
}

TEST(HistoryCheck, AcceptedValuesAreOfAState) {
  const Scratch folder;
  const std::string file = folder / "accepted.json";
  write_campaign(folder / "a", {}, {lock_point_in(alone, 100)});
  ASSERT_EQ(run_assay({"history", "accept", folder / "a", "--output", file}).exit_code, 0);
  write_campaign(folder / "shared", {}, {lock_point_in(shared_core, 140)});
  PointRecord both = lock_point_in(shared_core, 140);
  both.others = {beside(alone, 101)};
  write_campaign(folder / "both", {}, {both});
  const auto check = [&](const char* name) {
    return run_assay({"history", "check", folder / name, "--accepted", file, "--format", "json"});
  };
  const auto counted = [&](const char* name, const char* as) {
    return parse_json(check(name).out).at("counts").at(as).integer();
  };
  EXPECT_EQ(check("shared").exit_code, 0);
  EXPECT_EQ(counted("shared", "unclear"), 1);
  EXPECT_EQ(counted("both", "ok"), 1) << "it was alone often enough to tell";
  std::string text = read_file(file, 1U << 20U);
  text.replace(text.find(",\"state\":\"alone\""), 16, "");
  std::ofstream(folder / "older.json") << text;
  EXPECT_EQ(run_assay({"history", "check", folder / "shared", "--accepted", folder / "older.json"}).exit_code, 6)
      << "a file that tells no state";
}

TEST(HistoryCheck, AgainstAcceptedValues) {
  const Scratch folder;
  write_campaign(folder / "a", {}, {lock_point(100), lock_point(200, "recursive"), lock_point(300, "noisy", true)});
  const std::string file = folder / "accepted.json";
  const Finished accepted = run_assay({"history", "accept", folder / "a", "--output", file, "--tolerance", "5%"});
  EXPECT_EQ(accepted.exit_code, 0) << accepted.err;
  EXPECT_EQ(run_assay({"history", "accept", folder / "a", "--output", file}).exit_code, 2);
  const auto check = [&](const std::vector<PointRecord>& points, const char* format = "json") {
    std::filesystem::remove_all(folder / "b");
    write_campaign(folder / "b", {}, points);
    return run_assay({"history", "check", folder / "b", "--accepted", file, "--format", format});
  };
  EXPECT_EQ(check({lock_point(104), lock_point(200, "recursive")}).exit_code, 0);
  const Finished slow = check({lock_point(112), lock_point(180, "recursive")});
  EXPECT_EQ(slow.exit_code, 6);
  const Json report = parse_json(slow.out);
  EXPECT_EQ(report.at("counts").at("slower").integer(), 1);
  EXPECT_EQ(report.at("counts").at("faster").integer(), 1);
  EXPECT_EQ(report.at("points").array().front().at("expected").number(), 100);
  const Json lacking = parse_json(check({lock_point(105.2)}).out);
  EXPECT_EQ(lacking.at("counts").at("unclear").integer(), 1);
  EXPECT_EQ(lacking.at("counts").at("missing").integer(), 1);
  std::ofstream(folder / "other") << "{\"format\":\"x\"}";
  const Finished other = run_assay({"history", "check", folder / "a", "--accepted", folder / "other"});
  EXPECT_EQ(other.exit_code, 5);
}

TEST(HistoryAdd, NamesResultsThatEarlierCampaignsContradict) {
  const Scratch folder;
  add_days(folder, {100, 100.5});
  Written about;
  about.started = day(3);
  write_campaign(folder / "slower", about, {lock_point(120), lock_point(50, "recursive")});
  const Finished added = history(folder, {"add", folder / "slower"});
  EXPECT_EQ(added.exit_code, 0) << added.err;
  EXPECT_THAT(added.out, HasSubstr("series lock type=normal: time 120"));
  EXPECT_THAT(added.out, HasSubstr("but 100"));
  EXPECT_THAT(added.out, HasSubstr("on 2026-01-01, with intervals apart"));
  EXPECT_THAT(added.out, Not(HasSubstr("recursive")));
  EXPECT_THAT(history(folder, {"add", folder / "slower"}).out, Not(HasSubstr("intervals apart")));
}

TEST(HistoryAdd, SaysNothingOfWhatAgreesOrCannotBeHeldAgainstAnother) {
  const Scratch folder;
  add_days(folder, {100});
  const auto added = [&](const std::string& name, Written about, const PointRecord& point) {
    about.started = day(4);
    write_campaign(folder / name, about, {point});
    return history(folder, {"add", folder / name}).out;
  };
  EXPECT_THAT(added("alike", {}, lock_point(101.5)), Not(HasSubstr("intervals apart")));
  EXPECT_THAT(added("marked", {}, lock_point(130, "normal", true)), Not(HasSubstr("intervals apart")));
  EXPECT_THAT(added("other-node", {.node = "n2"}, lock_point(130)), Not(HasSubstr("intervals apart")));
  EXPECT_THAT(added("other-kernel", {.kernel = "6.7"}, lock_point(130)), Not(HasSubstr("intervals apart")));
}

// From four earlier values on, a day's interval is that of days: what lies within their usual spread is no surprise.
TEST(HistoryAdd, LearnsHowFarDaysLieApart) {
  const Scratch folder;
  add_days(folder, {100, 112, 95, 108, 103});
  Written about;
  about.started = day(9);
  write_campaign(folder / "within", about, {lock_point(115)});
  EXPECT_THAT(history(folder, {"add", folder / "within"}).out, Not(HasSubstr("intervals apart")));
  about.started = day(10);
  write_campaign(folder / "beyond", about, {lock_point(300)});
  EXPECT_THAT(history(folder, {"add", folder / "beyond"}).out, HasSubstr("intervals apart"));
}

}  // namespace
}  // namespace assay::test
