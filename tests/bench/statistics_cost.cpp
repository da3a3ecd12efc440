// SPDX-License-Identifier: Apache-2.0
// What the statistics cost: memory of a campaign of a million observations, processor time of the looks, and its share.
#include <sys/resource.h>
#include <time.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <utility>

#include "bench/text_table.hpp"
#include "platform/clock/system_clock.hpp"
#include "record/provenance.hpp"
#include "run/point/open_point.hpp"
#include "run/session/campaign.hpp"
#include "support/campaigns/never_enough.hpp"
#include "support/laws/laws.hpp"

namespace assay::bench {
namespace {

Nanoseconds processor_time() {
  timespec time;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return {1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec)};
}

/// Peak resident memory of this process in MiB.
double peak_memory() {
  rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void show_campaign(std::int64_t points) {
  const CampaignPlan plan = test::never_enough_plan(points);
  test::FakeClock clock;
  test::CountingSink sink;
  test::FakeHost host(plan, clock, test::never_enough);
  host.remembers_asked = false;
  History history;
  const double before = peak_memory();
  const Nanoseconds from = processor_time();
  const CampaignEnd end = run_campaign(plan, history,
                                       {clock, host, sink, 4, [](const Progress&) {}, [] { return false; },
                                        [&](Nanoseconds time) { clock.advance(time); }});
  const Nanoseconds spent = processor_time() - from;
  std::cout << "campaign: " << sink.observations() << " observations of " << end.points << " points, "
            << decimal((clock.now() - Instant{}).count / 1e9, 1) << " s of claimed measuring time\n"
            << "  peak resident memory " << decimal(peak_memory(), 1) << " MiB (" << decimal(before, 1)
            << " MiB before it began); goal below 64 MiB: " << (peak_memory() < 64 ? "met" : "MISSED") << '\n'
            << "  processor time of everything, fake host included: " << decimal(spent.count / 1e9, 1) << " s\n\n";
}

/// One point as the campaign's loop treats it, with the time that its looks and its result take.
struct PointCost {
  std::size_t timings = 0;
  Nanoseconds claimed{};     ///< measuring time, discarded batches included
  Nanoseconds statistics{};  ///< processor time
};

PointCost measure_point(double noise, Nanoseconds batch, std::uint64_t seed) {
  const CampaignPlan plan = test::never_enough_plan(1);
  const SeriesPlan& series = plan.series.at(0);
  const auto rule = make_rule(series.precision.rule);
  OpenPoint point(series, 0, planned_points(plan).at(0).second.at(0), *rule, series.precision.incarnations);
  point.calibrated({Reps{1}, batch, Nanoseconds{1}});
  Rng rng(seed);
  PointCost cost;
  for (int visit = 0;; ++visit) {
    const VisitOrder order = point.next_order();
    VisitYield yield;
    yield.discarded = order.discard;
    Nanoseconds took{};
    for (int i = 0; i < order.discard + order.batches; ++i) {
      const Nanoseconds time = batch * std::max(0.01, 1 + noise * rng.normal());
      took += time;
      MemberReport report;
      report.claims = Claims(time);
      report.cpu = report.wall = time;
      yield.batches.push_back({Reps{1}, {report}});
    }
    point.open(point.next_incarnation(), Opened{});
    point.add(yield, {0, point.next_incarnation(), visit, cost.claimed, took});
    cost.claimed += took;
    cost.timings += static_cast<std::size_t>(order.batches);
    const Nanoseconds from = processor_time();
    const Verdict verdict = point.check(series.precision.rule.max_incarnations);
    if (verdict.stop()) point.finish(verdict);
    cost.statistics += processor_time() - from;
    if (verdict.stop()) return cost;
  }
}

void show_share(bool markdown) {
  TextTable table{"Statistics of a point under the default rule: every check and the finished result",
                  {"noise", "batch", "timings", "measuring", "statistics", "share", "goal 5 %"},
                  {}};
  for (const double noise : {0.05, 0.2, 0.7})
    for (const Nanoseconds batch : {microseconds(2.5), microseconds(25), microseconds(250)}) {
      PointCost sum;
      constexpr int points = 20;
      for (std::uint64_t seed = 0; seed < points; ++seed) {
        const PointCost cost = measure_point(noise, batch, seed);
        sum.timings += cost.timings;
        sum.claimed += cost.claimed;
        sum.statistics += cost.statistics;
      }
      const double share = sum.statistics / sum.claimed;
      table.rows.push_back({hundredths(noise) + " %", decimal(batch.count / 1e3, 1) + " us",
                            std::to_string(sum.timings / points), decimal(sum.claimed.count / points / 1e6, 2) + " ms",
                            decimal(sum.statistics.count / points / 1e6, 2) + " ms", decimal(100 * share, 1) + " %",
                            share < 0.05 ? "met" : "MISSED"});
    }
  print(std::cout, table, markdown);
}

/// Processor time of one call, in microseconds; repeated for at least 20 ms.
template <class Call>
double each_us(Call call) {
  const Nanoseconds from = processor_time();
  int calls = 0;
  do {
    call();
    ++calls;
  } while (processor_time() - from < milliseconds(20));
  return (processor_time() - from).count / calls / 1e3;
}

void show_looks(bool markdown) {
  TextTable table{
      "One look, us of processor time, by timings in the sample (visits of 8, 5 incarnations)", {"rule"}, {}};
  const std::vector<int> sizes{100, 200, 400, 1000, 2000, 4000};
  std::vector<Sample> samples;
  Rng rng(5);
  const test::Law law = test::log_normal(100, 0.3);
  for (const int size : sizes) {
    table.headings.push_back(std::to_string(size));
    Sample& sample = samples.emplace_back();
    for (int i = 0; i < size; ++i) sample.add({law(rng), 0, i / 8 % 5, i / 8});
  }
  const auto add = [&](const std::string& name, const auto& call) {
    std::vector<std::string> row{name};
    for (const Sample& sample : samples) row.push_back(decimal(each_us([&] { call(sample); }), 0));
    table.rows.push_back(row);
  };
  for (const std::string& name : rule_names()) {
    RuleSpec spec;
    spec.name = name;
    if (name == "fixed") spec.argument = test::budget_of_a_point;
    try {
      const auto rule = make_rule(spec);
      add(name + ", check", [&](const Sample& sample) { return rule->check(sample, {}); });
    } catch (const std::invalid_argument& why) {
      std::cerr << "left out: rule " << name << ": " << why.what() << '\n';
    }
  }
  add("headline", [](const Sample& sample) { return headline(sample, 0.05, 0); });
  print(std::cout, table, markdown);
}

std::string load() {
  std::ifstream in("/proc/loadavg");
  std::string text;
  in >> text;
  return text;
}

}  // namespace
}  // namespace assay::bench

int main(int count, char** arguments) {
  const bool markdown = count > 1 && std::string_view(arguments[1]) == "--markdown";
  if (count > (markdown ? 2 : 1)) {
    std::cerr << "usage: statistics_cost [--markdown]\n";
    return 2;
  }
  using namespace assay::bench;
  std::cout << assay::version_line() << ", " << assay::utc_now() << ", load " << load() << "\n\n";
  show_campaign(250);
  show_share(markdown);
  show_looks(markdown);
}
