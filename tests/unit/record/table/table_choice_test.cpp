// SPDX-License-Identifier: Apache-2.0
// Conditions, orders and columns by name: what they mean, and what is said of names that are not there.
#include "record/table/table_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "record/shown_value.hpp"
#include "record/table/result_columns.hpp"
#include "record/table/table.hpp"
#include "unit/record/results.hpp"

namespace assay::test {
namespace {

SeriesGroup group() {
  SeriesGroup one;
  one.series.series = "one";
  one.series.measurement = "logp/round_trip";
  int bytes = 2048;
  for (const double median : {300.0, 100.0, 200.0}) {
    Result result = plain_result(median, 0.01);
    result.regime = bytes == 2048 ? Regime::spin : Regime::blocked;
    one.points.push_back(finished_point(
        "one", point_of({{"channel", std::string("a,b*c")}, {"bytes", Value(std::int64_t{bytes})}}), result));
    bytes *= 2;
  }
  PointRecord failed;
  failed.series = "one";
  failed.point = point_of({{"channel", std::string("pipe")}, {"bytes", Value(std::int64_t{8})}});
  failed.outcome = Outcome::timeout;
  one.points.push_back(failed);
  one.derived.emplace_back();
  return one;
}

std::size_t left(const std::vector<std::string>& texts) {
  std::vector<RowCondition> conditions;
  for (const std::string& text : texts) conditions.push_back(parse_condition(text, "test"));
  const auto groups = filtered({group()}, conditions);
  return groups.empty() ? 0 : groups.front().points.size();
}

TEST(TableFilter, ComparesLevelsAsTheyAreShownAndAsTheyAre) {
  EXPECT_EQ(left({}), 4U);
  EXPECT_EQ(left({"bytes=2Ki"}), 1U);
  EXPECT_EQ(left({"bytes=2048,8"}), 2U);
  EXPECT_EQ(left({"bytes!=2Ki"}), 3U);
  EXPECT_EQ(left({"channel=a?b*"}), 3U);
  EXPECT_EQ(left({"channel=a*", "bytes=8"}), 0U);
  EXPECT_EQ(left({"regime=spin"}), 1U) << "a point without a result has no regime";
  EXPECT_EQ(left({"verdict=timeout"}), 1U);
  EXPECT_EQ(left({"verdict!=timeout"}), 3U);
  EXPECT_EQ(left({"series=two"}), 0U);
  EXPECT_TRUE(filtered({group()}, {parse_condition("bytes=8", "test")}).front().derived.empty());
}

TEST(TableFilter, KnowsTheVerdictsAsTheyArePrinted) {
  SeriesGroup one = group();
  PointRecord& point = one.points.front();
  for (const std::string& reason : {std::string(other_state), std::string("minor regime: 4 %")}) {
    Result further = point.results.front();
    further.verdict = {Outcome::open, reason, further.headline};
    point.others.push_back(further);
  }
  for (const char* verdict : {"other state", "minor regime"}) {
    const std::vector<SeriesGroup> without =
        filtered({one}, {parse_condition(std::string("verdict!=") + verdict, "test")});
    ASSERT_EQ(without.front().points.front().others.size(), 1U);
    EXPECT_NE(verdict_text(without.front().points.front().others.front()), verdict);
    TableChoice choice;
    choice.filter = {parse_condition(std::string("verdict=") + verdict, "test")};
    EXPECT_NO_THROW(require_known(choice, std::vector<SeriesGroup>{one}, "test"));
  }
}

TEST(TableFilter, NotesAreOnWhatIsShown) {
  const SeriesGroup one = group();
  std::vector<Record> records{one.series};
  records.insert(records.end(), one.points.begin(), one.points.end());
  for (const char* text : {"series one: here", "series other: elsewhere", "everywhere"}) {
    NoteRecord note;
    note.text = text;
    records.emplace_back(note);
  }
  TableChoice choice;
  choice.filter = {parse_condition("series=one", "test")};
  std::ostringstream out;
  print_results(out, records, choice);
  EXPECT_NE(out.str().find("here"), std::string::npos);
  EXPECT_NE(out.str().find("everywhere"), std::string::npos);
  EXPECT_EQ(out.str().find("elsewhere"), std::string::npos);
}

TEST(TableFilter, PatternsMatchWholeTexts) {
  EXPECT_TRUE(matches("same-l3@0+1", "*@0+*"));
  EXPECT_TRUE(matches("", "*"));
  EXPECT_TRUE(matches("aXbXc", "a*b?c"));
  EXPECT_FALSE(matches("abc", "ab"));
  EXPECT_FALSE(matches("abc", "a?"));
  EXPECT_FALSE(matches(std::string(5000, 'a'), "*a*a*a*a*a*a*a*b")) << "and without taking for ever";
}

std::string choice_refusal(const TableChoice& choice) {
  const std::vector<SeriesGroup> groups{group()};
  try {
    require_known(choice, groups, "test");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

TEST(TableChoiceErrors, NameTheNearestOnesAllAtOnce) {
  TableChoice choice;
  choice.columns = parse_columns("channel,medain", "test");
  choice.sort = parse_sort("-byts", "test");
  choice.filter = {parse_condition("chanel=x", "test"), parse_condition("channel=pip", "test")};
  const std::string text = choice_refusal(choice);
  for (const char* hint : {"'median'", "'bytes'", "'channel'", "'pipe'"})
    EXPECT_NE(text.find("did you mean " + std::string(hint)), std::string::npos) << hint << " in\n" << text;
  choice = {};
  choice.columns = parse_columns("series", "test");
  EXPECT_NE(choice_refusal(choice).find("--filter series=NAME"), std::string::npos) << "it is no column of a table";
  EXPECT_EQ(choice_refusal({}), "");
}

TEST(TableChoiceErrors, MalformedTextsAreRefused) {
  for (const char* text : {"", "=x", "!=x", "bytes", "bytes=", "bytes=1,,2"})
    EXPECT_THROW(parse_condition(text, "test"), ConfigError) << text;
  EXPECT_THROW(parse_columns("a,", "test"), ConfigError);
  EXPECT_THROW(parse_sort(",a", "test"), ConfigError);
}

std::vector<double> order(const std::string& keys) {
  TableChoice choice;
  choice.sort = parse_sort(keys, "test");
  const SeriesGroup one = group();
  std::vector<double> values;
  for (const ResultRow& row : rows_of(one, choice))
    values.push_back(row.result == nullptr ? -1 : row.result->headline.value);
  return values;
}

TEST(TableSort, PutsWhatHasNoNumberLastEitherWay) {
  EXPECT_EQ(order("median"), (std::vector<double>{100, 200, 300, -1}));
  EXPECT_EQ(order("-median"), (std::vector<double>{300, 200, 100, -1}));
  EXPECT_EQ(order("-bytes"), (std::vector<double>{200, 100, 300, -1}));
  EXPECT_EQ(order("channel,factor:bytes"), (std::vector<double>{300, 100, 200, -1}));
}

TEST(TableWidth, SentencesBelowTablesFitAndKeepTheirWords) {
  SeriesGroup one = group();
  for (PointRecord& point : one.points)
    if (!point.results.empty()) {
      point.results[0].term = Term::short_term;
      point.results[0].verdict.outcome = Outcome::max_time;
      point.results[0].steadiness.drift = "the second half is 3 % above the first half of the visits of this point";
    }
  std::vector<Record> records{one.series};
  records.insert(records.end(), one.points.begin(), one.points.end());
  records.push_back(NoteRecord{"the machine is virtual, and its host may move the CPUs to other cores at any time"});
  const auto printed = [&](TableDetail detail, std::size_t width) {
    TableChoice choice;
    choice.detail = detail;
    choice.style.width = width;
    std::ostringstream out;
    print_results(out, records, choice);
    return out.str();
  };
  const auto words = [](const std::string& text) {
    std::istringstream in(text);
    return std::multiset<std::string>(std::istream_iterator<std::string>(in), {});
  };
  for (const TableDetail detail : {TableDetail::brief, TableDetail::verbose}) {
    const std::string free = printed(detail, 0);
    const std::string fitting = printed(detail, 80);
    const auto longest = [](const std::string& text) {
      std::size_t most = 0;
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
      return most;
    };
    EXPECT_GT(longest(free), 90U) << "no terminal: as long as they are";
    EXPECT_LE(longest(fitting), 80U) << fitting;
    EXPECT_NE(fitting.find("\n      "), std::string::npos) << "what goes on is indented";
    for (const char* word : {"note:", "virtual,", "time"})
      EXPECT_EQ(words(free).count(word), words(fitting).count(word)) << word;
  }
}

}  // namespace
}  // namespace assay::test
