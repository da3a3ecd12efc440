// SPDX-License-Identifier: Apache-2.0
// The records behind the golden files of tables and exports.
#include "golden/samples/record_samples.hpp"

#include "unit/record/results.hpp"

namespace assay::test {

namespace {

const std::string rule = "median-ci(eps=0.02,alpha=0.05)";

Point channel_point(const char* channel, std::int64_t bytes, const char* placement) {
  return point_of({{"channel", std::string(channel)},
                   {"bytes", bytes},
                   {"vehicle", std::string("thread")},
                   {"members", std::int64_t{2}},
                   {"placement", std::string(placement)}});
}

PointRecord without_number(Point point, Outcome outcome, const char* code, const char* reason) {
  return {"round-trip", "logp/round_trip", std::move(point), outcome, reason, code, Reps{0}, {}};
}

// A value of a quantity in a regime; the rest as in a good result.
Result in_regime(double median, double half, const char* quantity, Regime regime, double share = 1) {
  Result result = plain_result(median, half);
  result.quantity = quantity;
  result.regime = regime;
  result.regime_share = share;
  return result;
}

PointRecord with_results(Point point, std::vector<Result> results) {
  PointRecord record = finished_point("round-trip", std::move(point), results.front());
  record.results = std::move(results);
  record.outcome = record.results.front().verdict.outcome;
  record.reason = record.results.front().verdict.reason;
  return record;
}

Result ended_by(Result result, Outcome outcome, const char* reason) {
  result.verdict.outcome = outcome;
  result.verdict.reason = reason;
  return result;
}

void add_frame(std::vector<Record>& records) {
  records.emplace_back(CampaignRecord{"Channels on two cores", "[campaign]\n", 42, "interleaved"});
  records.emplace_back(
      SessionRecord{0, "2026-01-31T12:00:00Z", "assay run channels.ini", {{"cpu.model", "synthetic"}}});
  records.emplace_back(SeriesRecord{
      "round-trip",
      "logp/round_trip",
      {{"time", Unit::nanoseconds, Combine::only, 0, Per::event, false, "a message to the partner and back"},
       {"cpu", Unit::nanoseconds, Combine::sum, 0, Per::event, false, "CPU time of both members"}},
      rule});
  records.emplace_back(
      SeriesRecord{"=odd\x1b[31m",
                   "os/yield",
                   {{"rate", Unit::per_second, Combine::only, 0, Per::batch, false, "yields per second"}},
                   "fixed:100(max-time=5s)"});
}

void add_round_trips(std::vector<Record>& records) {
  Result futex = in_regime(2831.4, 0.013, "time", Regime::blocked, 0.63);
  futex.term = Term::short_term;
  Result spun = in_regime(312.25, 0.04, "time", Regime::spin, 0.33);
  spun = ended_by(spun, Outcome::max_timings, "half-width 4 % > 2 % after 4000 timings");
  spun.disturbed_share = 0.083;
  spun.noisy = true;
  const Result few = ended_by(in_regime(1500, 0.2, "time", Regime::mixed, 0.04), Outcome::open, "minor regime: 4 %");
  Result lone = ended_by(in_regime(95012, 0.3, "time", Regime::blocked), Outcome::max_time, "5 s are spent");
  lone.headline.interval = {};
  Result modes =
      ended_by(in_regime(118.02, 0.002, "time", Regime::spin), Outcome::bimodal, "two modes at 112 and 141 ns");
  modes.steadiness = {2, 310.5, 0.4, "the last half is slower", {{112, 0.6, {111, 113, 0.95}}, {141, 0.4, {}}}};
  modes.processes = {{0, 0, 112.5, 128}, {0, 1, 141.25, 120}};
  modes.sessions = {{0, 118.02, {117.5, 118.5, 0.95}, 640}};

  records.emplace_back(with_results(channel_point("futex", 4096, "same-l3"), {futex, spun, few}));
  records.emplace_back(without_number(channel_point("flag", 8, "same-pu"), Outcome::not_applicable, "N1",
                                      "members spin and share a CPU"));
  records.emplace_back(with_results(channel_point("pipe", 65536, "same-l3"), {lone}));
  PointRecord flag = with_results(channel_point("flag", 8, "same-l3"), {in_regime(112.34, 0.006, "time", Regime::spin),
                                                                        in_regime(231.7, 0.0004, "cpu", Regime::spin)});
  flag.reference = {80, 95.5, 62, 367, true};
  records.emplace_back(flag);
  records.emplace_back(with_results(channel_point("flag", 4096, "same-l3"), {modes}));
  records.emplace_back(without_number(channel_point("pipe", 1000, "same-l3"), Outcome::timeout, "",
                                      "no answer in 10 s; the worker was killed"));
}

void add_history(std::vector<Record>& records) {
  const Point point = channel_point("flag", 8, "same-l3");
  records.emplace_back(IncarnationRecord{"round-trip", point, 0, 0, 100, {0, 1}, milliseconds(5), 50000, 64});
  records.emplace_back(IncarnationRecord{"round-trip", point, 0, 1, 101, {0, 1}, milliseconds(5), 50000, 128});
  records.emplace_back(IncarnationRecord{"round-trip", point, 1, 2, 102, {2, 3}, milliseconds(5), 50000, 0});
  records.emplace_back(VisitRecord{"round-trip", point, 0, 0, 0, 0, {0}, {1e6}, 1, {}, {}});
  records.emplace_back(VisitRecord{"round-trip", point, 1, 2, 1, 1, {0}, {1e6}, 1, {}, {}});
}

void add_derived(std::vector<Record>& records) {
  const Point line = point_of({{"channel", std::string("flag")}, {"vehicle", std::string("thread")}});
  records.emplace_back(DerivedRecord{"round-trip",
                                     "gap",
                                     "slope bytes",
                                     line,
                                     "time",
                                     Regime::spin,
                                     "ns/B",
                                     {0.02512, {0.0241, 0.0262, 0.95}, true, ""}});
  records.emplace_back(DerivedRecord{"round-trip",
                                     "sleep",
                                     "difference channel futex flag",
                                     point_of({}),
                                     "time",
                                     Regime::blocked,
                                     "ns",
                                     {2719.06, {2682, 2756, 0.95}, true, ""}});
  records.emplace_back(DerivedRecord{"round-trip",
                                     "gain",
                                     "ratio channel futex pipe",
                                     point_of({}),
                                     "time",
                                     Regime::blocked,
                                     "ratio",
                                     {0, {}, false, "pipe has no interval"}});
  DerivedRecord symmetry{"round-trip", "symmetry",   "",      channel_point("flag", 8, "same-l3"),
                         "time",       Regime::spin, "ratio", {1.368, {}, true, ""}};
  symmetry.symmetry = SymmetryTest{Symmetry::split,    0.00712, 3, {"same-l3@4+5", 95.1}, {"same-l3@8+9", 101.3},
                                   {"same-l3", 130.1}, "ns"};
  records.emplace_back(std::move(symmetry));
}

}  // namespace

std::vector<Record> sample_records() {
  std::vector<Record> records;
  add_frame(records);
  add_history(records);
  add_round_trips(records);
  Result rate = plain_result(1234567.8, 0.0123, Unit::per_second);
  rate.quantity = "rate";
  PointRecord odd = finished_point("=odd\x1b[31m", point_of({{"word", std::string("@cmd,\"x\"")}, {"n", 0.5}}), rate);
  odd.measurement = "os/yield";
  records.emplace_back(odd);
  add_derived(records);
  records.emplace_back(NoteRecord{"placement cross-package was dropped: this machine has one package"});
  records.emplace_back(EndRecord{0, "time-limit", 7, 1, seconds(60)});
  return records;
}

}  // namespace assay::test
