// SPDX-License-Identifier: Apache-2.0
// Plain tables, and what the table of results says in the cases beside the golden file.
#include "record/table/table.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <locale>
#include <sstream>

#include "unit/record/random_records.hpp"
#include "unit/record/results.hpp"

namespace assay {
namespace {

using test::finished_point;
using test::plain_result;
using test::point_of;
using ::testing::HasSubstr;
using ::testing::Not;

std::string printed(const TextTable& table) {
  std::ostringstream out;
  table.print(out);
  return out.str();
}

std::string results(const std::vector<Record>& records) {
  std::ostringstream out;
  print_results(out, records);
  return out.str();
}

Record at_bytes(std::int64_t bytes, const Result& result) {
  return finished_point("s", point_of({{"bytes", bytes}}), result);
}

TEST(TextTable, AlignsNumbersRightAndWordsLeft) {
  TextTable table({"word", "number"});
  table.add({"a", "1"});
  table.add({"longer", "100"});
  EXPECT_EQ(printed(table), "word    number\na            1\nlonger     100\n");
}

TEST(TextTable, DashesDoNotMakeAColumnOfWords) {
  TextTable table({"n"});
  for (const char* cell : {"-", "-5", "100"}) table.add({cell});
  EXPECT_EQ(printed(table), "  n\n  -\n -5\n100\n");
  TextTable words({"n"});
  for (const char* cell : {"-", "x", "100"}) words.add({cell});
  EXPECT_EQ(printed(words), "n\n-\nx\n100\n");
}

TEST(TextTable, TooWideForAScreenIsPrintedInBlocksThatRepeatTheLabels) {
  TextTable table({"name", "first", "second", "third"}, {false, false, 15});
  table.add({"a", "1", "2", "3"});
  EXPECT_EQ(printed(table), "name  first\na         1\n\nname  second\na          2\n\nname  third\na         3\n");
  TextTable narrow({"name", "first"}, {false, false, 3});
  narrow.add({"a", "1"});
  EXPECT_EQ(printed(narrow), "name  first\na         1\n") << "a label is never alone";
}

TEST(TextTable, WordsInTheLastColumnAreBrokenIntoTheRoomThatIsLeft) {
  TextTable table({"n", "words"}, {false, false, 30});
  table.add({"1", "these words are too long for one line"});
  EXPECT_EQ(printed(table), "n  words\n1  these words are too long\n   for one line\n");
}

TEST(TextTable, CountsCharactersNotBytes) {
  TextTable table({"name", "x"});
  table.add({"gr\xc3\xb6\xc3\x9f", "y"});
  EXPECT_EQ(printed(table), "name  x\ngr\xc3\xb6\xc3\x9f  y\n");
}

TEST(TextTable, HeaderAloneAndUnevenRows) {
  TextTable table({"a", "b"});
  EXPECT_EQ(printed(table), "a  b\n");
  EXPECT_EQ(table.rows(), 0U);
  table.add({"1"});
  table.add({"2", "3", "4"});
  EXPECT_EQ(printed(table), "a  b\n1\n2  3\n");
}

TEST(Results, ConstantFactorsStandAboveVaryingOnesInColumns) {
  const auto point = [](std::int64_t bytes) {
    return point_of({{"bytes", bytes}, {"vehicle", std::string("thread")}});
  };
  const std::string text = results(
      {finished_point("s", point(1024), plain_result(5, 0.01)), finished_point("s", point(8), plain_result(5, 0.01))});
  const auto constant = text.find("vehicle=thread");
  const auto varying = text.find("bytes");
  ASSERT_NE(constant, text.npos);
  EXPECT_LT(constant, varying);
  EXPECT_LT(varying, text.find("8 ", varying));
  EXPECT_LT(text.find("8 ", varying), text.find("1Ki")) << "in the order of size";
}

TEST(Results, LaterRecordOfAPointCounts) {
  const std::string text = results({at_bytes(1, plain_result(111, 0.01)), at_bytes(2, plain_result(222, 0.01)),
                                    at_bytes(1, plain_result(333, 0.01))});
  EXPECT_THAT(text, Not(HasSubstr("111")));
  EXPECT_THAT(text, HasSubstr("333"));
}

TEST(Results, WordsAreSortedAndPlacementsGoFromNearToFar) {
  std::vector<Record> records;
  for (const char* word : {"cross-package", "0+1", "smt", "unbound", "same-pu"})
    records.emplace_back(finished_point("s", point_of({{"placement", std::string(word)}}), plain_result(5, 0.01)));
  const std::string text = results(records);
  std::size_t last = 0;
  for (const char* word : {"\nunbound", "\nsame-pu", "\nsmt", "\ncross-package", "\n0+1"}) {
    EXPECT_GT(text.find(word), last) << word;
    last = text.find(word);
    ASSERT_NE(last, std::string::npos) << word;
  }
}

TEST(Results, CleanConvergedValuesCarryNoMarkAndNoLegend) {
  const std::string text = results({at_bytes(1, plain_result(5, 0.01))});
  EXPECT_THAT(text, Not(HasSubstr("~")));
  EXPECT_THAT(text, Not(HasSubstr("!")));
  EXPECT_THAT(text, Not(HasSubstr("#")));
  EXPECT_THAT(text, Not(HasSubstr("?")));
}

TEST(Results, AnotherDayIsAColumnWhereItIsKnown) {
  Result known = plain_result(5, 0.01);
  EXPECT_THAT(results({at_bytes(1, known)}), Not(HasSubstr("another day")));
  known.another_day = {{4.5, 5.625, 0.95}, 6};
  const std::string text = results({at_bytes(1, known), at_bytes(2, plain_result(7, 0.01))});
  EXPECT_THAT(text, HasSubstr("another day"));
  EXPECT_THAT(text, HasSubstr("4.50 .. 5.62"));
  EXPECT_THAT(text, Not(HasSubstr("0.00"))) << "of what has none nothing is told";
}

TEST(Results, EachMarkIsExplainedWhenUsed) {
  const auto with = [](auto change) {
    Result result = plain_result(5, 0.01);
    change(result);
    return results({at_bytes(1, result)});
  };
  EXPECT_THAT(with([](Result& r) { r.term = Term::short_term; }), HasSubstr("\n~"));
  EXPECT_THAT(with([](Result& r) { r.verdict.outcome = Outcome::drift; }), HasSubstr("\n!"));
  EXPECT_THAT(with([](Result& r) { r.noisy = true; }), HasSubstr("\n#"));
  EXPECT_THAT(with([](Result& r) { r.headline.interval = {}; }), HasSubstr("\n?"));
  EXPECT_THAT(with([](Result& r) { r.disturbed_share = 0.05; }), Not(HasSubstr("#")));
}

TEST(Results, RegimeIsAColumnOnlyWithSeveralMembers) {
  Result result = plain_result(5, 0.01);
  EXPECT_THAT(results({at_bytes(1, result)}), Not(HasSubstr("regime")));
  result.regime = Regime::spin;
  EXPECT_THAT(results({at_bytes(1, result)}), HasSubstr("regime"));
}

TEST(Results, RegimesOfFewBatchesAreLeftOutAndCounted) {
  auto point = std::get<PointRecord>(at_bytes(1, plain_result(5, 0.01)));
  point.results.push_back(plain_result(777, 0.01));
  point.results[0].regime = Regime::spin;
  point.results[0].regime_share = 0.75;
  point.results[1].regime = Regime::mixed;
  point.results[1].regime_share = 0.25;
  point.results[1].verdict.outcome = Outcome::open;
  EXPECT_THAT(results({point}), HasSubstr("777"));
  point.results[1].regime_share = 0.249;
  EXPECT_THAT(results({point}), Not(HasSubstr("777")));
}

TEST(Results, OfManyUnsteadyPointsTheFirstAreTold) {
  std::vector<Record> records;
  for (int bytes = 1; bytes <= 12; ++bytes) {
    Result result = plain_result(5, 0.01);
    result.steadiness.modes = {{4, 0.5, {}}, {5, 0.3, {}}, {6, 0.1, {}}, {7, 0.1, {}}};
    if (bytes < 3) result.steadiness.drift = "second half 3 % above the first";
    records.push_back(at_bytes(bytes, result));
  }
  const std::string text = results(records);
  for (int bytes = 1; bytes <= 12; ++bytes)
    EXPECT_EQ(text.find("bytes=" + std::to_string(bytes) + " ") != text.npos, bytes <= 8) << bytes;
}

TEST(Results, DoNotListenToTheLocale) {
  struct Grouping : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\1"; }
  };
  std::vector<Record> records;
  for (std::int64_t i = 0; i < 12; ++i) records.emplace_back(at_bytes(i, plain_result(1234.5, 0.01)));
  const std::string expected = results(records);
  std::ostringstream out;
  out.imbue(std::locale(std::locale::classic(), new Grouping));
  print_results(out, records);
  EXPECT_EQ(out.str(), expected);
  EXPECT_FALSE(expected.empty());
}

TEST(Results, NothingAtAllAndSeriesWithoutPoints) {
  EXPECT_FALSE(results({}).empty());
  EXPECT_THAT(results({SeriesRecord{"s", "m", {}, "rule"}}), HasSubstr("s: m\n"));
}

TEST(Results, ForeignRecordsNeverSteerTheTerminal) {
  test::RandomRecords random(17);
  std::vector<Record> records;
  for (std::size_t i = 0; i < 450; ++i) records.push_back(random.of_kind(i % std::variant_size_v<Record>));
  for (const char letter : results(records)) ASSERT_TRUE(letter == '\n' || static_cast<unsigned char>(letter) >= 0x20);
}

TEST(OneLine, IsOneLineWhateverThePointHolds) {
  test::RandomRecords random(18);
  for (int i = 0; i < 500; ++i) {
    const auto point = std::get<PointRecord>(random.of_kind(7));
    for (const char letter : one_line(point)) ASSERT_GE(static_cast<unsigned char>(letter), 0x20);
  }
}

TEST(OneLine, TakesTheDominantRegimeOfThePrimaryQuantity) {
  PointRecord point = finished_point("s", {}, plain_result(1, 0.1));
  point.results[0].regime = Regime::spin;
  point.results[0].regime_share = 0.2;
  point.results.push_back(plain_result(2, 0.1));
  point.results[1].regime = Regime::blocked;
  point.results[1].regime_share = 0.8;
  point.results.push_back(plain_result(3, 0.1));
  point.results[2].quantity = "cpu";
  EXPECT_THAT(one_line(point), HasSubstr("2.00"));
  EXPECT_THAT(one_line(point), HasSubstr("blocked"));
}

// The session's remark speaks of values of cores alone, so that a value that is none says so itself.
TEST(ResultsTable, AValueAsFoundSaysHowMuchOthersSharedItsCores) {
  const auto found_with = [](std::int64_t alone, AloneBecause because, const CoreState& state = {},
                             TableDetail detail = TableDetail::brief) {
    Result result = plain_result(100, 0.01);
    result.state = state;
    PointRecord point = finished_point("s", point_of({{"bytes", std::int64_t{1}}}), result);
    point.cores = {{.cpu = 0, .alone = 0.08, .because = because, .readings = 100, .readings_alone = alone}};
    std::ostringstream out;
    print_results(out, std::vector<Record>{point}, {.detail = detail});
    return out.str();
  };
  EXPECT_THAT(found_with(9, AloneBecause::throughput, {}, TableDetail::verbose), HasSubstr(" as found "));
  EXPECT_THAT(found_with(95, AloneBecause::throughput, {}, TableDetail::verbose), Not(HasSubstr("as found")));
  EXPECT_THAT(found_with(9, AloneBecause::throughput),
              HasSubstr("converged, as found, others on the cores for 91 % of the time"));
  EXPECT_THAT(found_with(95, AloneBecause::throughput), Not(HasSubstr("as found"))) << "as good as alone";
  EXPECT_THAT(found_with(9, AloneBecause::nothing), Not(HasSubstr("as found"))) << "what is alone is not known";
  EXPECT_THAT(found_with(9, AloneBecause::throughput, {Sharing::alone}), Not(HasSubstr("as found")));
}

}  // namespace
}  // namespace assay
