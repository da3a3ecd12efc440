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
  EXPECT_THAT(text, HasSubstr("at vehicle=thread\n"));
  EXPECT_THAT(text, HasSubstr("bytes  median"));
  EXPECT_THAT(text, HasSubstr("\n    8   5.000"));
  EXPECT_THAT(text, HasSubstr("\n  1Ki   5.000"));
  EXPECT_LT(text.find("    8   5.000"), text.find("1Ki   5.000"));
}

TEST(Results, OnlySizesAreWrittenWithSuffix) {
  const std::string text =
      results({finished_point("s", point_of({{"threads", std::int64_t{1024}}}), plain_result(5, 0.01))});
  EXPECT_THAT(text, HasSubstr("at threads=1024\n"));
}

TEST(Results, LaterRecordOfAPointCounts) {
  const std::string text = results({at_bytes(1, plain_result(111, 0.01)), at_bytes(2, plain_result(222, 0.01)),
                                    at_bytes(1, plain_result(333, 0.01))});
  EXPECT_THAT(text, Not(HasSubstr("111")));
  EXPECT_THAT(text, HasSubstr("333"));
  EXPECT_THAT(text, HasSubstr("2 points: 2 converged\n"));
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
  EXPECT_THAT(text,
              HasSubstr("\nanother day: prediction interval for the median of a further session, from 6 sessions\n"));
  EXPECT_THAT(text, Not(HasSubstr("0.00"))) << "of what has none nothing is told";
}

TEST(Results, EachMarkIsExplainedWhenUsed) {
  const auto with = [](auto change) {
    Result result = plain_result(5, 0.01);
    change(result);
    return results({at_bytes(1, result)});
  };
  EXPECT_THAT(with([](Result& r) { r.term = Term::short_term; }), HasSubstr("\n~  short-term"));
  EXPECT_THAT(with([](Result& r) { r.verdict.outcome = Outcome::drift; }), HasSubstr("\n!  not converged"));
  EXPECT_THAT(with([](Result& r) { r.noisy = true; }), HasSubstr("\n#  noisy: more than"));
  EXPECT_THAT(with([](Result& r) { r.headline.interval = {}; }), HasSubstr("\n?  no interval"));
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
  EXPECT_THAT(results({point}), HasSubstr("minor regime"));
  EXPECT_THAT(results({point}), Not(HasSubstr("left out")));
  point.results[1].regime_share = 0.249;
  EXPECT_THAT(results({point}), Not(HasSubstr("777")));
  EXPECT_THAT(results({point}), HasSubstr("left out: 1 row of regimes with less than a quarter of the batches"));
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
  EXPECT_THAT(text, HasSubstr("unsteady: bytes=1 time: second half 3 % above the first, 50 % at 4.00 ns, 30 % at 5.00 "
                              "ns, and 2 more\n"));
  EXPECT_THAT(text, HasSubstr("unsteady: bytes=8 time: 50 % at 4.00 ns"));
  EXPECT_THAT(text, Not(HasSubstr("unsteady: bytes=9")));
  EXPECT_THAT(text, HasSubstr("unsteady: and 4 more; 'assay export' has all of them\n"));
}

TEST(Results, SayWhetherTheCampaignIsComplete) {
  const Record session = SessionRecord{0, "", "", {}};
  const auto end = [](const char* reason) { return Record(EndRecord{0, reason, 0, 0, {}}); };
  EXPECT_THAT(results({session, end("complete")}), Not(HasSubstr("incomplete")));
  EXPECT_THAT(results({session, end("signal")}), HasSubstr("incomplete: ended by signal\n"));
  EXPECT_THAT(results({session}), HasSubstr("no end record"));
  EXPECT_THAT(results({session, end("complete"), session}), HasSubstr("no end record"));
  EXPECT_THAT(results({session, end("signal"), session, end("complete")}), Not(HasSubstr("incomplete")));
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
  EXPECT_THAT(expected, HasSubstr("12 points: 12 converged"));
}

TEST(Results, NothingAtAllAndSeriesWithoutPoints) {
  EXPECT_EQ(results({}), "0 points\n");
  EXPECT_THAT(results({SeriesRecord{"s", "m", {}, "rule"}}), HasSubstr("s: m\nuntil rule\n\nno finished points\n"));
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

TEST(OneLine, SaysWhatIsWrongWithANumber) {
  Result result = plain_result(2000, 0.01);
  const auto line = [&] {
    PointRecord point = finished_point("s", point_of({{"bytes", std::int64_t{8}}}), result);
    point.disturbed = {12, 0, 3};
    return one_line(point);
  };
  EXPECT_EQ(line(), "s bytes=8: 2.000 us [1.980 .. 2.020] +-1.0 %, converged");
  result.term = Term::short_term;
  result.disturbed_share = 0.1;
  result.noisy = true;
  EXPECT_EQ(
      line(),
      "s bytes=8: 2.000 us [1.980 .. 2.020] +-1.0 %, converged, short-term, 10 % disturbed (switched 12, stolen 3)");
  result = plain_result(2000, 0.01);
  result.headline.interval = {};
  result.verdict = {Outcome::too_noisy, "31 % of the batches", {}};
  EXPECT_EQ(line(), "s bytes=8: 2.00 us [no interval], too-noisy: 31 % of the batches");
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
  EXPECT_EQ(one_line(point), "s: 2.00 ns [1.80 .. 2.20] +-10 %, blocked 80 %, converged");
}

TEST(Results, NotesThatDifferInNumbersOnlyAreToldOnce) {
  std::vector<Record> records;
  for (const char* point : {"0+1", "2+3", "10+3"})
    records.push_back(NoteRecord{"series m: placement=\"" + std::string(point) + "\": calibrated again"});
  records.push_back(NoteRecord{"series n: bytes=1: stretched"});
  records.push_back(NoteRecord{"series n: bytes=2: stretched"});
  std::ostringstream out;
  print_results(out, records);
  EXPECT_NE(out.str().find("note: series m: placement=\"0+1\": calibrated again\n"
                           "      and 2 more that differ in numbers only; 'assay export --format json' has all\n"
                           "note: series n: bytes=1: stretched\nnote: series n: bytes=2: stretched\n"),
            std::string::npos)
      << out.str();
}

}  // namespace
}  // namespace assay
