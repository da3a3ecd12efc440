// SPDX-License-Identifier: Apache-2.0
// Points over time, and campaigns held against earlier and accepted results, as users see them.
#include <gmock/gmock-matchers.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "record/json.hpp"
#include "unit/history/written_campaign.hpp"

namespace assay::test {
namespace {

using testing::HasSubstr;
using testing::Not;

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
  EXPECT_THAT(done.out,
              HasSubstr("change between 2026-01-06 00:00 and 2026-01-20 00:00: 100.07 ns -> 110.07 ns, +10 %, slower"));
  EXPECT_THAT(done.out, HasSubstr("with it changed kernel.release: 6.1 then, 6.2 now"));
  EXPECT_THAT(history(folder, {"show", "--series", "none"}).err, HasSubstr("no point is selected"));
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
  EXPECT_THAT(done.out, HasSubstr("a: node n1: 6 values"));
  EXPECT_THAT(done.out, HasSubstr("b: node n2: 3 values"));
  EXPECT_THAT(done.out, HasSubstr("c: node n1; assay.version: 0.1.0 then, 0.2.0 now: 1 values"));
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
  EXPECT_THAT(done.out, HasSubstr("12 values, changes found: 1; 2 marked or without a number, left out"));
  EXPECT_THAT(done.out, HasSubstr("#  noisy:"));
  EXPECT_THAT(done.out, HasSubstr("timeout: no answer"));
  EXPECT_THAT(done.out, HasSubstr("-> 110.07 ns"));
}

TEST(HistoryShow, PrintsTheDigitsOfShow) {
  const Scratch folder;
  const auto directories = add_days(folder, {123.456});
  const Finished show = run_assay({"show", directories[0]});
  ASSERT_THAT(show.out, HasSubstr("123.46"));
  EXPECT_THAT(history(folder, {"show"}).out, HasSubstr("123.46    122.84 .. 124.07  ns"));
  EXPECT_THAT(show.out, HasSubstr("122.84 .. 124.07"));
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
  for (const char* format : {"table", "json", "lines"}) {
    const Finished done = run_assay({"history", "check", directory, "--accepted", folder / "acc", "--format", format});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    all << done.out;
  }
  EXPECT_THAT(all.str(), Not(HasSubstr("\x1b")));
  EXPECT_THAT(all.str(), HasSubstr("1 ok"));
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
  EXPECT_EQ(check("same").exit_code, 0);
  EXPECT_EQ(check("slow").exit_code, 6);
  EXPECT_THAT(check("slow").out, HasSubstr("slower: +9.9 %"));
  EXPECT_EQ(check("fast").exit_code, 0);
  EXPECT_THAT(check("fast").out, HasSubstr("1 faster"));
  EXPECT_THAT(check("gone").out, HasSubstr("1 unclear, 1 missing"));
  EXPECT_THAT(check("noisy").out, HasSubstr("0 slower, 0 faster, 0 unclear, 0 missing, 1 marked"));
  EXPECT_EQ(check("noisy").exit_code, 0);
  EXPECT_EQ(check("noisy", "--strict").exit_code, 1);
  EXPECT_THAT(check("elsewhere").out, HasSubstr("0 earlier values to hold it against, 3 are needed"));
}

TEST(HistoryCheck, AgainstAcceptedValues) {
  const Scratch folder;
  write_campaign(folder / "a", {}, {lock_point(100), lock_point(200, "recursive"), lock_point(300, "noisy", true)});
  const std::string file = folder / "accepted.json";
  const Finished accepted = run_assay({"history", "accept", folder / "a", "--output", file, "--tolerance", "5%"});
  EXPECT_EQ(accepted.exit_code, 0) << accepted.err;
  EXPECT_THAT(accepted.out, HasSubstr("2 values accepted, with 5 % on either side of their intervals; 1 marked"));
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
  EXPECT_THAT(
      check({lock_point(105.2)}, "lines").out,
      HasSubstr("lock{type=normal} time/solo 105.2 ns unclear\nlock{type=recursive} time/solo nan ns missing\n"));
  std::ofstream(folder / "other") << "{\"format\":\"x\"}";
  const Finished other = run_assay({"history", "check", folder / "a", "--accepted", folder / "other"});
  EXPECT_EQ(other.exit_code, 5);
  EXPECT_THAT(other.err, HasSubstr("is no file of accepted values; write a new one"));
}

}  // namespace
}  // namespace assay::test
