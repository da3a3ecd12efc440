// SPDX-License-Identifier: Apache-2.0
// CSV: read back by a strict reader, with hostile texts, formulas and colliding names.
#include "record/export/exports.hpp"

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "unit/record/random_records.hpp"
#include "unit/record/results.hpp"

namespace assay {
namespace {

using test::finished_point;
using test::plain_result;
using test::point_of;
using Cells = std::vector<std::string>;

std::string csv(const std::vector<Record>& records) {
  std::ostringstream out;
  write_csv(out, records);
  return out.str();
}

// RFC 4180, strictly: a quote opens only at a cell's start and is doubled inside.
class StrictReader {
 public:
  explicit StrictReader(std::string text) : text_(std::move(text)) {}
  std::vector<Cells> rows() {
    std::vector<Cells> rows;
    while (at_ < text_.size()) rows.push_back(row());
    return rows;
  }

 private:
  Cells row() {
    Cells cells{cell()};
    for (; text_.at(at_) == ','; cells.push_back(cell())) ++at_;
    EXPECT_EQ(text_.at(at_), '\n');
    ++at_;
    return cells;
  }
  std::string cell() { return text_.at(at_) == '"' ? quoted() : plain(); }
  std::string plain() {
    const auto end = text_.find_first_of(",\n", at_);
    const std::string made = text_.substr(at_, end - at_);
    EXPECT_EQ(made.find_first_of("\"\r"), std::string::npos);
    at_ = end;
    return made;
  }
  std::string quoted() {
    std::string made;
    for (++at_;; made += text_[at_++]) {
      if (text_.at(at_) != '"') continue;
      ++at_;
      if (at_ >= text_.size() || text_[at_] != '"') return made;
    }
  }

  std::string text_;
  std::size_t at_ = 0;
};

std::vector<std::map<std::string, std::string>> read(const std::vector<Record>& records) {
  const auto rows = StrictReader(csv(records)).rows();
  std::vector<std::map<std::string, std::string>> read;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].size(), rows[0].size());
    auto& row = read.emplace_back();
    for (std::size_t k = 0; k < rows[0].size(); ++k) EXPECT_TRUE(row.emplace(rows[0][k], rows[i].at(k)).second);
  }
  return read;
}

std::map<std::string, std::string> row_of(const Record& record) { return read({record}).at(0); }

TEST(Csv, NumbersAreExactAndInTheirUnit) {
  Result result = plain_result(0.1 + 0.2, 0.01);
  result.summary.n = 640;
  result.span = {1.5};
  const auto row = row_of(finished_point("s", point_of({{"bytes", std::int64_t{4096}}, {"share", 0.5}}), result));
  EXPECT_EQ(row.at("median"), "0.30000000000000004");
  EXPECT_EQ(row.at("unit"), "ns");
  EXPECT_EQ(row.at("bytes"), "4096");
  EXPECT_EQ(row.at("share"), "0.5");
  EXPECT_EQ(row.at("n"), "640");
  EXPECT_EQ(row.at("level"), "0.95");
  EXPECT_EQ(row.at("span_ns"), "1.5");
  EXPECT_EQ(row.at("term"), "session");
  EXPECT_EQ(row.at("verdict"), "converged");
}

TEST(Csv, FormulasGetAnApostropheAndNumbersDoNot) {
  for (const char* text : {"=1+1", "+x", "-x", "@x", "\tx", "\rx"}) {
    PointRecord point = finished_point(text, point_of({{"word", std::string(text)}}), plain_result(-5, 0.01));
    const auto row = row_of(point);
    EXPECT_EQ(row.at("series"), std::string("'") + text);
    EXPECT_EQ(row.at("word"), std::string("'") + text);
    EXPECT_EQ(row.at("median"), "-5");
  }
  EXPECT_EQ(row_of(finished_point("s", point_of({{"x", std::int64_t{-3}}}), plain_result(5, 0.01))).at("x"), "-3");
}

// Clock and distance stand behind commas.
TEST(Csv, AStateIsOneCell) {
  Result result = plain_result(100, 1);
  result.state = {Sharing::alone, 2.9, 102};
  const auto row = row_of(finished_point("s", point_of({}), result));
  EXPECT_EQ(row.at("state"), "alone, clock 2.9 GHz, distance 102 ns");
  EXPECT_EQ(row.at("statistic"), "median");
}

TEST(Csv, QuotesWhatMustBeQuoted) {
  for (const char* text : {"a,b", "a\"b\"", "a\nb", "\"", ",", "a;b c"})
    EXPECT_EQ(row_of(finished_point(text, {}, plain_result(5, 0.01))).at("series"), text);
}

TEST(Csv, FactorsWithTheNameOfAColumnAreSetApart) {
  const auto row = row_of(
      finished_point("s", point_of({{"median", std::int64_t{7}}, {"series", std::int64_t{8}}}), plain_result(5, 0.01)));
  EXPECT_EQ(row.at("factor.median"), "7");
  EXPECT_EQ(row.at("factor.series"), "8");
  EXPECT_EQ(row.at("median"), "5");
  EXPECT_EQ(row.at("series"), "s");
}

TEST(Csv, ColumnsAreTheUnionOfAllFactors) {
  const auto rows = read({finished_point("a", point_of({{"bytes", std::int64_t{1}}}), plain_result(5, 0.01)),
                          finished_point("b", point_of({{"channel", std::string("futex")}}), plain_result(5, 0.01))});
  EXPECT_EQ(rows.at(0).at("bytes"), "1");
  EXPECT_EQ(rows.at(0).at("channel"), "");
  EXPECT_EQ(rows.at(1).at("bytes"), "");
  EXPECT_EQ(rows.at(1).at("channel"), "futex");
}

TEST(Csv, PointWithoutNumberHasARowWithItsReason) {
  const auto row = row_of(PointRecord{"s", "m", {}, Outcome::not_applicable, "members spin", "N1", Reps{0}, {}});
  EXPECT_EQ(row.at("verdict"), "not-applicable");
  EXPECT_EQ(row.at("code"), "N1");
  EXPECT_EQ(row.at("reason"), "members spin");
  EXPECT_EQ(row.at("median"), "");
  EXPECT_EQ(row.at("quantity"), "");
}

TEST(Csv, IntervalsThatCouldNotBeFormedAreEmpty) {
  Result result = plain_result(5, 0.01);
  result.headline.interval = {};
  result.verdict.estimate.interval = {1, 2, 0};
  const auto row = row_of(finished_point("s", {}, result));
  for (const char* name : {"low", "high", "level", "estimate_low", "estimate_high"})
    EXPECT_EQ(row.at(name), "") << name;
}

TEST(Csv, AnotherDayIsEmptyWhereNothingIsKnownOfIt) {
  Result result = plain_result(5, 0.01);
  const std::string before = csv({finished_point("s", point_of({}), result)});
  EXPECT_THAT(before, testing::HasSubstr(",another_day_low,another_day_high,another_day_from,"));
  EXPECT_THAT(before, testing::HasSubstr(",1.2e+10,,,,0,"));
  result.another_day = {{4.5, 5.625, 0.95}, 6};
  EXPECT_THAT(csv({finished_point("s", point_of({}), result)}), testing::HasSubstr(",1.2e+10,4.5,5.625,6,0,"));
}

TEST(Csv, TellsCpusAndSessionsOfAPoint) {
  const Point point = point_of({{"bytes", std::int64_t{1}}});
  const Point other = point_of({{"bytes", std::int64_t{2}}});
  const auto incarnation = [](const Point& at, std::vector<int> cpus) {
    return Record(IncarnationRecord{"s", at, 0, 0, 0, std::move(cpus), {}, 0, 0});
  };
  const auto visit = [](const Point& at, int session) {
    return Record(VisitRecord{"s", at, session, 0, 0, 0, {}, {}, 0, {}, {}});
  };
  const auto rows =
      read({incarnation(point, {0, 1}), incarnation(point, {2, 3}), incarnation(point, {0, 1}), incarnation(other, {}),
            visit(point, 0), visit(point, 1), visit(point, 1), visit(other, 1),
            finished_point("s", point, plain_result(5, 0.01)), finished_point("s", other, plain_result(5, 0.01))});
  EXPECT_EQ(rows.at(0).at("cpus"), "0 1;2 3");
  EXPECT_EQ(rows.at(0).at("sessions"), "2");
  EXPECT_EQ(rows.at(1).at("cpus"), "unbound");
  EXPECT_EQ(rows.at(1).at("sessions"), "1");
}

TEST(Csv, TellsWhetherCpusWereTheSameThroughout) {
  PointRecord moved = finished_point("s", {}, plain_result(5, 0.01));
  moved.reference = {40, 95, 62, 367, true};
  const auto opened = [](std::vector<int> cpus) {
    return Record(IncarnationRecord{"s", {}, 0, 0, 0, std::move(cpus), {}, 0, 0});
  };
  const auto row = read({opened({0, 1}), moved}).at(0);
  EXPECT_EQ(row.at("bound"), "moved");
  EXPECT_EQ(row.at("reference_ns"), "95");
  EXPECT_EQ(row.at("reference_low_ns"), "62");
  EXPECT_EQ(row.at("reference_high_ns"), "367");
  const PointRecord still = finished_point("s", {}, plain_result(5, 0.01));
  EXPECT_EQ(read({opened({0, 1}), still}).at(0).at("bound"), "yes");
  EXPECT_EQ(read({opened({}), still}).at(0).at("bound"), "no");
  EXPECT_EQ(row_of(still).at("bound"), "");
  EXPECT_EQ(row_of(still).at("reference_ns"), "");
}

TEST(Csv, DerivedValuesHaveRowsOfTheirOwn) {
  const Point group = point_of({{"channel", std::string("ring")}, {"policy", std::string("inherited")}});
  const Record latency = DerivedRecord{"",           "L",  "rtt / 2 - o_s[idle] - o_r[ready]", group, "rtt",
                                       Regime::spin, "ns", {190.5, {188, 193, 0.95}, true, ""}};
  const Record overlapped =
      DerivedRecord{"", "L", "max(0, D)", group, "D", Regime::blocked, "ns", {0, {}, false, "N5: overlap"}};
  const auto rows = read({finished_point("s", {}, plain_result(5, 0.01)), latency, overlapped});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1].at("series"), "");
  EXPECT_EQ(rows[1].at("quantity"), "L");
  EXPECT_EQ(rows[1].at("channel"), "ring");
  EXPECT_EQ(rows[1].at("policy"), "inherited");
  EXPECT_EQ(rows[1].at("median"), "190.5");
  EXPECT_EQ(rows[1].at("high"), "193");
  EXPECT_EQ(rows[1].at("basis"), "derived");
  EXPECT_EQ(rows[1].at("verdict"), "valid");
  EXPECT_EQ(rows[2].at("verdict"), "not-valid");
  EXPECT_EQ(rows[2].at("code"), "N5");
  EXPECT_EQ(rows[2].at("low"), "");
}

TEST(Csv, AnotherMachineBeginsTheRowsAnew) {
  SessionRecord moved{1, "then", "assay resume", {}};
  const Record before = finished_point("old", {}, plain_result(5, 0.01));
  const Record after = finished_point("new", {}, plain_result(6, 0.01));
  EXPECT_EQ(read({before, moved, after}).size(), 2U);
  moved.new_machine = true;
  const auto rows = read({before, moved, after});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("series"), "new");
}

TEST(Csv, AnyRecordsGiveWellFormedRows) {
  test::RandomRecords random(23);
  std::vector<Record> records;
  for (std::size_t i = 0; i < 900; ++i) records.push_back(random.of_kind(i % std::variant_size_v<Record>));
  for (Record& record : records)  // nothing before another machine has rows
    if (auto* session = std::get_if<SessionRecord>(&record)) session->new_machine = false;
  EXPECT_GT(read(records).size(), 100U);
}

TEST(Csv, NothingIsAHeader) { EXPECT_EQ(csv({}).substr(0, 26), "series,measurement,quantit"); }

}  // namespace
}  // namespace assay
