// SPDX-License-Identifier: Apache-2.0
// What tables of results and lines of the log say in single cases, each by itself, byte by byte.
#include <sstream>

#include "record/table/table.hpp"
#include "support/environment/golden.hpp"
#include "unit/record/results.hpp"

namespace assay::test {
namespace {

class TableGolden : public testing::Test {
 protected:
  void add(const char* name, const std::vector<Record>& records) {
    std::ostringstream out;
    print_results(out, records);
    told_ += "== " + std::string(name) + "\n" + out.str();
  }
  static Record at_bytes(std::int64_t bytes, const Result& result) {
    return finished_point("s", point_of({{"bytes", bytes}}), result);
  }
  template <class Change>
  void add_changed(const char* name, Change change) {
    Result result = plain_result(5, 0.01);
    change(result);
    add(name, {at_bytes(1, result)});
  }

  std::string told_;
};

std::vector<Record> unsteady_points() {
  std::vector<Record> records;
  for (std::int64_t bytes = 1; bytes <= 12; ++bytes) {
    Result result = plain_result(5, 0.01);
    result.steadiness.modes = {{4, 0.5, {}}, {5, 0.3, {}}, {6, 0.1, {}}, {7, 0.1, {}}};
    if (bytes < 3) result.steadiness.drift = "second half 3 % above the first";
    records.push_back(finished_point("s", point_of({{"bytes", bytes}}), result));
  }
  return records;
}

std::vector<Record> similar_notes() {
  std::vector<Record> records;
  for (const char* point : {"0+1", "2+3", "10+3"})
    records.push_back(NoteRecord{"series m: placement=\"" + std::string(point) + "\": calibrated again"});
  records.push_back(NoteRecord{"series n: bytes=1: stretched"});
  records.push_back(NoteRecord{"series n: bytes=2: stretched"});
  return records;
}

TEST_F(TableGolden, CaseByCase) {
  const auto sized = [](std::int64_t bytes) {
    return finished_point("s", point_of({{"bytes", bytes}, {"vehicle", std::string("thread")}}), plain_result(5, 0.01));
  };
  add("one factor varies", {sized(1024), sized(8)});
  add("no sizes", {finished_point("s", point_of({{"threads", std::int64_t{1024}}}), plain_result(5, 0.01))});
  add_changed("another day", [](Result& r) { r.another_day = {{4.5, 5.625, 0.95}, 6}; });
  add_changed("short-term", [](Result& r) { r.term = Term::short_term; });
  add_changed("drift", [](Result& r) { r.verdict.outcome = Outcome::drift; });
  add_changed("noisy", [](Result& r) { r.noisy = true; });
  add_changed("no interval", [](Result& r) { r.headline.interval = {}; });
  add_changed("continued", [](Result& r) { r.stretches = 2; });
  add_changed("disturbed a little", [](Result& r) { r.disturbed_share = 0.05; });
  add("many unsteady ones", unsteady_points());
  const Record session = SessionRecord{0, "", "", {}};
  const Record stopped = EndRecord{0, "signal", 0, 0, {}};
  const Record complete = EndRecord{0, "complete", 0, 0, {}};
  add("complete", {session, complete});
  add("stopped", {session, stopped});
  add("stopped and completed later", {session, stopped, session, complete});
  add("no end", {session});
  add("complete, and a session without an end", {session, complete, session});
  add("nothing", {});
  add("a series without points", {SeriesRecord{"s", "m", {}, "rule"}});
  add("notes", similar_notes());
  EXPECT_TRUE(matches_golden(told_, "records/table_cases.txt"));
}

TEST_F(TableGolden, RegimesOfFewBatches) {
  auto point = std::get<PointRecord>(at_bytes(1, plain_result(5, 0.01)));
  point.results.push_back(plain_result(777, 0.01));
  point.results[0].regime = Regime::spin;
  point.results[0].regime_share = 0.75;
  point.results[1].regime = Regime::mixed;
  point.results[1].verdict.outcome = Outcome::open;
  for (const double share : {0.25, 0.249}) {
    point.results[1].regime_share = share;
    add("a minor regime", {point});
  }
  EXPECT_TRUE(matches_golden(told_, "records/table_regimes.txt"));
}

TEST_F(TableGolden, StatesOfFewBatches) {
  auto point = std::get<PointRecord>(at_bytes(1, plain_result(5, 0.01)));
  point.results[0].state = {Sharing::alone, 0, 0};
  point.results[0].state_share = 0.9;
  for (int i = 0; i < 3; ++i) {
    Result other = plain_result(7 + i, 0.01);
    other.state = {Sharing::alone, 0, 0, 0.8 + i / 10.0};
    other.state_share = i == 0 ? 0.05 : 0.049;
    point.others.push_back(other);
  }
  point.others.push_back(plain_result(6, 0.01));  // as found: of no state
  add("two rare states", {point});
  point.others.erase(point.others.begin() + 1);
  add("one", {point});
  TableChoice choice;
  choice.detail = TableDetail::wide;
  std::ostringstream out;
  print_results(out, {point}, choice);
  told_ += "---- wide\n" + out.str();
  EXPECT_TRUE(matches_golden(told_, "records/table_states.txt"));
}

// One row for each way in which measuring can end, and for what else a reader has to know, in the words of brief
// tables.
TEST_F(TableGolden, TrustInWords) {
  std::vector<Record> records;
  std::int64_t row = 0;
  const auto add_row = [&](auto change) {
    PointRecord point = std::get<PointRecord>(at_bytes(++row, plain_result(5, 0.01)));
    change(point, point.results.front());
    records.emplace_back(point);
  };
  for (int i = static_cast<int>(Outcome::open); i <= static_cast<int>(Outcome::aborted); ++i)
    add_row([&](PointRecord&, Result& result) { result.verdict.outcome = static_cast<Outcome>(i); });
  for (int i = static_cast<int>(Outcome::too_noisy); i <= static_cast<int>(Outcome::not_applicable); ++i)
    add_row([&](PointRecord& point, Result&) {
      point.outcome = static_cast<Outcome>(i);
      point.reason = i % 2 == 0 ? "a reason" : "";
      point.code = point.outcome == Outcome::not_applicable ? "N1" : "";
      point.results.clear();
    });
  add_row([](PointRecord&, Result& result) {
    result.verdict.outcome = Outcome::bimodal;
    result.steadiness.modes = {{4, 0.7, {}}, {6, 0.3, {}}};
  });
  add_row([](PointRecord& point, Result& result) {
    result.noisy = point.reference.moved = true;
    result.disturbed_share = 0.12;
    result.headline.interval = {};
    result.sessions.resize(3);
    result.term = Term::short_term;
  });
  TableChoice brief;
  brief.detail = TableDetail::brief;
  std::ostringstream out;
  print_results(out, records, brief);
  EXPECT_TRUE(matches_golden(out.str(), "records/table_trust.txt"));
}

TEST_F(TableGolden, CyclesOfTheCores) {
  const auto rows = [](const std::vector<CoreClock>& clocks) {
    std::vector<Record> records{SeriesRecord{"s", "logp/round_trip", {Quantity{}}, "fixed"}};
    for (std::size_t i = 0; i < clocks.size(); ++i) {
      Result result = plain_result(100, 0.01);
      result.clock = clocks[i];
      records.emplace_back(at_bytes(static_cast<std::int64_t>(i), result));
    }
    DerivedRecord derived;
    derived.series = "s";
    derived.name = "net";
    derived.quantity = "time";
    derived.unit = "ns";
    derived.derived = {50, {49, 51, 0.95}, true, ""};
    records.emplace_back(derived);
    return records;
  };
  TableChoice choice;
  choice.cycles = true;
  std::ostringstream out;
  for (const auto& clocks : std::vector<std::vector<CoreClock>>{
           {{3.7, 0.005, NoClock::not_kept}, {3.7, 0.005, NoClock::not_kept}},
           {{2, 0.005, NoClock::not_kept}, {4, 0.005, NoClock::not_kept}},
           {{3.7, 0.005, NoClock::not_kept}, {0, 0, NoClock::several_cpus}, {0, 0, NoClock::changed}},
           {{0, 0, NoClock::not_of_core}, {0, 0, NoClock::not_of_core}}}) {
    print_results(out, rows(clocks), choice);
    out << "----\n";
  }
  EXPECT_TRUE(matches_golden(out.str(), "records/table_cycles.txt"));
}

TEST_F(TableGolden, LinesOfTheLog) {
  PointRecord point = finished_point("s", point_of({{"bytes", std::int64_t{8}}}), plain_result(2000, 0.01));
  point.disturbed = {12, 0, 3};
  Result& result = point.results[0];
  told_ += one_line(point) + "\n";
  result.term = Term::short_term;
  result.disturbed_share = 0.1;
  result.noisy = true;
  told_ += one_line(point) + "\n";
  result = plain_result(2000, 0.01);
  result.headline.interval = {};
  result.verdict = {Outcome::as_found, "31 % of the batches", {}};
  told_ += one_line(point) + "\n";
  result = plain_result(2, 0.1);
  result.regime = Regime::blocked;
  result.regime_share = 0.8;
  told_ += one_line(point) + "\n";
  EXPECT_TRUE(matches_golden(told_, "records/table_lines.txt"));
}

}  // namespace
}  // namespace assay::test
