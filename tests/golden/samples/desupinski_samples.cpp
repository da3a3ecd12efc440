// SPDX-License-Identifier: Apache-2.0
// The records behind the golden file of the layout `desupinski-may`.
#include "golden/samples/desupinski_samples.hpp"

#include <string>
#include <utility>

#include "unit/record/results.hpp"

namespace assay::test {

namespace {

using Levels = std::vector<std::pair<std::string, Value>>;

Value word(const char* text) { return std::string(text); }

Result timing(const char* quantity, double median, double mean, bool by_stddev) {
  Result result = plain_result(median, 0.02);
  result.quantity = quantity;
  result.summary.mean = mean;
  if (by_stddev) result.verdict.estimate = {"mean", mean, {}, ""};
  return result;
}

class Journal {
 public:
  void add_series(const char* series, const char* measurement, const char* quantity, bool by_stddev) {
    records.emplace_back(SeriesRecord{
        series, measurement, {{.name = quantity}}, by_stddev ? "stddev(eps=0.05)" : "median-ci(eps=0.02)"});
    measurement_ = measurement;
    series_ = series;
  }
  void add(const Levels& levels, std::vector<Result> results) {
    PointRecord record = finished_point(series_, point_of(levels), results.front());
    record.measurement = measurement_;
    record.results = std::move(results);
    records.emplace_back(std::move(record));
  }
  void refuse(const Levels& levels, const char* code, const char* reason) {
    records.emplace_back(
        PointRecord{series_, measurement_, point_of(levels), Outcome::not_applicable, reason, code, Reps{0}, {}});
  }
  std::vector<Record> records;

 private:
  std::string series_;
  std::string measurement_;
};

void add_threads(Journal& journal) {
  const auto levels = [](const char* state, const char* scope, std::int64_t stack) {
    return Levels{{"chain", std::int64_t{200}},
                  {"detachstate", word(state)},
                  {"scope", word(scope)},
                  {"stack", stack},
                  {"placement", word("same-pu")}};
  };
  journal.add_series("create", "thread/create_chain", "time", true);
  journal.add(levels("detached", "system", 0), {timing("time", 16600, 17900, true)});
  journal.add(levels("joinable", "system", 0), {timing("time", 60000, 64400, true)});
  for (const char* state : {"detached", "joinable"})
    journal.refuse(levels(state, "process", 0), "N10", "pthread_attr_setscope: Operation not supported");
  journal.add_series("create-better", "thread/create_chain", "time", false);
  journal.add(levels("joinable", "system", 0), {timing("time", 59000, 61000, false)});
  journal.add(levels("joinable", "system", 65536), {timing("time", 16900, 17000, false)});
  journal.add_series("slice", "thread/time_slice_paper", "time", true);
  journal.add({{"placement", word("same-pu")}}, {timing("time", 2.6e6, 9.5e6, true)});
  journal.add_series("slice-better", "thread/time_slice", "slice", false);
  journal.add({{"placement", word("same-pu")}},
              {timing("slice", 3.96e6, 3.96e6, false), timing("foreign", 0.1, 0.1, false)});
}

void add_conditions(Journal& journal) {
  const auto levels = [](const char* channel, const char* placement) {
    return Levels{{"channel", word(channel)}, {"placement", word(placement)}};
  };
  journal.add_series("rings", "logp/round_trip", "rtt", true);
  journal.add(levels("condvar-paper", "unbound"), {timing("rtt", 7800, 9100, true)});
  journal.add(levels("condvar-paper", "same-pu"), {timing("rtt", 7400, 7500, true)});
  Result slow = timing("rtt", 26000, 25500, true);
  slow.regime = Regime::blocked;
  slow.regime_share = 0.6;
  Result fast = timing("rtt", 500, 512, true);
  fast.regime = Regime::spin;
  fast.regime_share = 0.4;
  journal.add(levels("mutex-ring", "cross-package"), {timing("rtt", 90000, 99000, true)});
  journal.add(levels("mutex-ring", "same-l3"), {slow, fast});
  journal.add_series("signal", "sync/condition_signal", "time", true);
  Result unheard = timing("time", 2.5, 2.6, true);
  unheard.verdict.outcome = Outcome::max_timings;
  journal.add({{"placement", word("bound")}}, {unheard});
  journal.add_series("heard", "logp/blocked", "o_s[blk]", false);
  journal.add(levels("condvar", "same-l3"),
              {timing("o_s[blk]", 7790, 7800, false), timing("o_r[blk,cpu]", 4100, 4200, false)});
  journal.add_series("array", "sync/lock_array", "lock", true);
  journal.add({{"lock", word("mutex")}}, {timing("lock", 3.0, 3.01, true), timing("unlock", 2.9, 2.91, true)});
}

}  // namespace

std::vector<Record> desupinski_records() {
  Journal journal;
  journal.records.emplace_back(CampaignRecord{"Table 1", "[campaign]\nlayout = desupinski-may\n", 42, "interleaved"});
  add_threads(journal);
  add_conditions(journal);
  journal.records.emplace_back(EndRecord{0, "complete", 14, 0, seconds(60)});
  return journal.records;
}

}  // namespace assay::test
