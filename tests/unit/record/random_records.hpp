// SPDX-License-Identifier: Apache-2.0
// Records with random content: hostile texts, all bit patterns of doubles, extremes of integers.
#pragma once
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "record/record.hpp"

namespace assay::test {

class RandomRecords {
 public:
  explicit RandomRecords(std::uint64_t seed) : rng_(seed) {}

  /// A record of the kind with this index among Record's alternatives.
  Record of_kind(std::size_t kind) {
    switch (kind) {
      case 0:
        return CampaignRecord{text(), text(), rng_.next(), text(), text()};
      case 1:
        return SessionRecord{small(), text(), text(), {{text(), text()}, {text(), text()}}, flag(), flag(), text()};
      case 2:
        return SeriesRecord{text(), text(), {quantity(), quantity()}, text(), text()};
      case 3:
        return BeginRecord{text(), point(), small(), small(), small(), flag()};
      case 4:
        return incarnation();
      case 5:
        return visit();
      case 6:
        return failure();
      case 7:
        return finished();
      case 8:
        return derived();
      case 9:
        return VariantRecord{text(), small(), flag()};
      case 10:
        return NoteRecord{text()};
      case 12:
        return LaunchRecord{
            small(), small(), {{text(), small(), {small(), small()}}, {text(), small(), {}}}, text(), small()};
      case 13:
        return AliveRecord{time()};
      case 14:
        return CoresRecord{small(),
                           small(),
                           {{small(), real(), time(), AloneBecause::throughput, small(), small(), {}, {204.5, 228.25}}},
                           real(),
                           real(),
                           {real(), real()},
                           real(),
                           text(),
                           flag(),
                           {},
                           several<NodeClocks>([&] { return clocks(); }),
                           several<PairDistances>([&] { return pair(); })};
      case 15:
        return NodeRecord{text(), {{text(), text()}, {text(), text()}}};
      case 16:
        return AnswerRecord{text(), point(), real(), real()};
      default:
        return EndRecord{small(), text(), small(), small(), time()};
    }
  }

  /// Valid UTF-8 with everything that JSON, CSV and terminals trip over.
  std::string text() {
    static const std::vector<std::string> pieces{"",       "a",          "\"",        "\\",
                                                 "\n",     "\r",         "\t",        "\x01",
                                                 "\x7f",   "\x1b[31m",   "</script>", ",",
                                                 ";",      "'",          "=1+1",      "\u00e9",
                                                 "\u202e", "\U0001f600", "{}",        "\",\"crc\":\"",
                                                 "nan",    "0",          "-",         std::string(1, '\0')};
    std::string made;
    for (std::uint64_t i = rng_.below(5); i > 0; --i) made += pieces[rng_.below(pieces.size())];
    return made;
  }

  double real() {
    static const std::vector<double> special{0.0, -0.0, 1.0, 0.1, 1e23, 5e-324, 1.7976931348623157e308, 123456789.0};
    switch (rng_.below(8)) {
      case 0:
        return std::numeric_limits<double>::infinity();
      case 1:
        return -std::numeric_limits<double>::infinity();
      case 2:
        return std::numeric_limits<double>::quiet_NaN();
      case 3:
      case 4:
        return special[rng_.below(special.size())];
      default:
        return std::bit_cast<double>(rng_.next());
    }
  }

 private:
  /// A time that can have passed.
  Nanoseconds time() {
    const double value = std::abs(real());
    return {std::isfinite(value) ? value : 0.0};
  }
  bool flag() { return rng_.below(2) == 1; }
  std::int64_t integer() { return flag() ? std::bit_cast<std::int64_t>(rng_.next()) : std::int64_t{small()}; }
  int small() { return rng_.below(10) == 0 ? std::numeric_limits<int>::max() : static_cast<int>(rng_.below(100)) - 1; }
  Regime regime() { return static_cast<Regime>(rng_.below(4)); }
  Unit unit() { return static_cast<Unit>(rng_.below(6)); }
  Outcome outcome() { return static_cast<Outcome>(rng_.below(13)); }
  Interval interval() { return {real(), real(), real()}; }
  Estimate estimate() { return {text(), real(), interval(), text()}; }
  Verdict verdict() { return {outcome(), text(), estimate()}; }

  Value level() {
    if (flag()) return integer();
    if (flag()) return text();
    const double value = real();
    return value == value ? value : std::numeric_limits<double>::infinity();  // NaN is no level
  }
  Point point() {
    static const std::vector<std::string> names{"bytes", "vehicle", "placement", "type", "real"};
    Point made;
    for (std::uint64_t i = rng_.below(5); i > 0; --i) made.set(names[rng_.below(names.size())], level());
    return made;
  }
  Quantity quantity() {
    return {text(), unit(), static_cast<Combine>(rng_.below(5)), small(), static_cast<Per>(rng_.below(2)),
            flag(), text()};
  }
  Claims claims() {
    Claims made;
    for (std::size_t i = 0; i < max_quantities; ++i)
      if (flag()) made.set(i, real());
    return made;
  }
  MemberReport member() {
    if (flag()) return {claims(), 0, 0, 0, 3, 3, {real()}, {real()}, 0, {}, {}, {}};
    return {claims(), integer(), integer(), integer(), small(),          small(),
            {real()}, {real()},  integer(), {},        {{0.081}, {0.9}}, {{0.15}, {0.91}}};
  }
  JudgedBatch batch() {
    JudgedBatch made{{Reps{integer()}, {}}, {regime(), Disturbances(rng_.below(64))}};
    for (std::uint64_t i = rng_.below(4); i > 0; --i) made.batch.members.push_back(member());
    return made;
  }
  DerivedRecord derived() {
    DerivedRecord made{text(), text(), text(), point(), text(), regime(), text(), {real(), interval(), flag(), text()}};
    if (flag())
      made.symmetry = SymmetryTest{static_cast<Symmetry>(rng_.below(3)),
                                   real(),
                                   integer(),
                                   {text(), real()},
                                   {text(), real()},
                                   {text(), real()},
                                   text()};
    return made;
  }
  IncarnationRecord incarnation() {
    return {text(),  point(),
            small(), small(),
            small(), std::vector<int>(rng_.below(3), small()),
            time(),  integer(),
            small(), flag() ? static_cast<int>(rng_.below(8)) : -1,
            time(),  flag() ? text() : std::string(),
            time(),  flag() ? static_cast<int>(rng_.below(4)) : -1};
  }
  FailureRecord failure() {
    FailureRecord made{text(), point(), small(), small(), small(), Outcome::timeout, text(), text(), text(), {}};
    for (std::uint64_t i = rng_.below(3); i > 0; --i)
      made.threads.push_back({small(), small(), text(), text(), integer(), text(), text()});
    return made;
  }
  VisitRecord visit() {
    VisitRecord made{text(), point(), small(), small(), small(), small(), time(), time(), small(), {}, {}};
    if (flag()) made.nodes = {text(), text()};
    if (flag()) made.parts = {{text(), real(), small()}, {"interrupt local_timer", real(), 7}};
    if (flag()) made.apart = {{{0.08}, {0.9}, {flag() ? 190.25 : 0}}, {{0.14}, {real()}, {}}};
    if (flag()) made.reference = Nanoseconds{real()};
    for (std::uint64_t i = rng_.below(4); i > 0; --i) made.batches.push_back(batch());
    return made;
  }
  CoreClock clock() {
    if (flag()) return {1 + rng_.uniform(), rng_.uniform(), NoClock::not_kept};
    return {0, 0, static_cast<NoClock>(rng_.below(11))};
  }
  Result result() {
    Result made{
        text(),
        unit(),
        regime(),
        real(),
        verdict(),
        estimate(),
        {rng_.below(1000), real(), real(), real(), real(), real(), real(), real(), real(), real(), real(), real()},
        small(),
        small(),
        real(),
        flag(),
        real(),
        real(),
        static_cast<Term>(rng_.below(3)),
        {real()},
        {small(), real(), real(), text(), several<Mode>([&] {
           return Mode{real(), real(), interval()};
         })},
        several<IncarnationMedian>([&] {
          return IncarnationMedian{small(), small(), real(), rng_.below(99)};
        }),
        several<SessionEstimate>([&] {
          return SessionEstimate{small(), real(), interval(), rng_.below(99), flag() ? rng_.uniform() : 0};
        }),
        1,
        {},
        1,
        {},
        {}};
    if (flag()) made.state = {Sharing::alone, flag() ? 2.9 : 0, flag() ? static_cast<double>(1 + rng_.below(500)) : 0};
    if (made.state != CoreState{} && made.state.clock_ghz == 0 && flag()) made.state.clock_ratio = 0.87;
    if (flag()) made.state.step = {0.5 + rng_.uniform()};
    made.clock = clock();
    if (flag()) made.another_day = {interval(), 1 + rng_.below(99)};
    if (flag()) made.law = {0.1 + rng_.uniform(), flag() ? std::optional(rng_.uniform()) : std::nullopt};
    return made;
  }
  NodeClocks clocks() {
    return {flag() ? text() : std::string(), time(), several<ClockLevel>([&] {
              return ClockLevel{real(), rng_.below(99)};
            })};
  }
  PairDistances pair() {
    return {{{flag() ? text() : std::string(), small()}, {flag() ? text() : std::string(), small()}}, {real(), real()}};
  }
  template <class T, class Make>
  std::vector<T> several(Make make) {
    std::vector<T> made;
    for (std::uint64_t i = rng_.below(3); i > 0; --i) made.push_back(make());
    return made;
  }
  PointRecord finished() {
    PointRecord made{text(), text(), point(), outcome(), text(), text(), Reps{integer()}, {}, {}, flag()};
    for (std::uint64_t i = rng_.below(3); i > 0; --i) made.results.push_back(result());
    for (std::size_t& batches : made.disturbed) batches = rng_.below(9);
    if (flag()) made.events_per_rep = 1 + static_cast<double>(rng_.below(9));
    made.clocks = several<NodeClocks>([&] { return clocks(); });
    made.pairs = several<PairDistances>([&] { return pair(); });
    if (flag()) made.settled = 1 + static_cast<int>(rng_.below(16));
    if (flag()) made.reference = {1 + rng_.below(80), real(), real(), real(), flag()};
    return made;
  }

  Rng rng_;
};

}  // namespace assay::test
