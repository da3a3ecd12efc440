// SPDX-License-Identifier: Apache-2.0
// Why measuring went on or ended, why something was found odd or changed, and why two results were not compared: every
// reason, byte by byte.
#include <functional>
#include <limits>
#include <stdexcept>

#include "record/compare/pairing.hpp"
#include "stats/comparison/comparison.hpp"
#include "stats/comparison/outliers.hpp"
#include "stats/rule/rule_text.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "stats/steadiness/steadiness.hpp"
#include "support/environment/golden.hpp"
#include "support/laws/fake_visits.hpp"
#include "unit/record/compared.hpp"

namespace assay::test {
namespace {

using Visits = std::vector<std::vector<double>>;

/// Eight values between centre - spread and centre + spread, none of them in the order of size.
std::vector<double> eight_around(double centre, double spread) {
  std::vector<double> values;
  for (int i = 0; i < 8; ++i) values.push_back(centre + spread * (i * 3 % 8 - 3.5) / 3.5);
  return values;
}

Visits alike(std::size_t visits, double centre, double spread) { return Visits(visits, eight_around(centre, spread)); }

/// Visits of which the first few are slower.
Sample starting_slowly(int slow, int visits, int incarnations = 1) {
  Visits all;
  for (int i = 0; i < visits; ++i) all.push_back(eight_around(i < slow ? 110 : 100, 1));
  return sample_of(all, incarnations);
}

Sample sloping_by(double change) {
  Visits all;
  for (int i = 0; i < 20; ++i) all.push_back(eight_around(100 + change * i / 19, 1));
  return sample_of(all);
}

/// Half of the values are a third larger.
Sample of_two_modes() {
  Visits all = alike(28, 100, 1);
  for (std::size_t visit = 0; visit < all.size(); ++visit)
    for (std::size_t k = 0; k < 4; ++k) all[visit][(3 * k + visit) % 8] *= 1.3;
  return sample_of(all);
}

/// Values of a visit are alike, those of others are not.
Sample dependent() {
  Visits all;
  Rng rng(3);
  for (int i = 0; i < 40; ++i) all.emplace_back(8, 100 + rng.normal());
  return sample_of(all);
}

struct Situation {
  const char* name;
  Sample sample;
  Spent spent{};
};

std::vector<Situation> situations() {
  Visits infinite = alike(8, 100, 1);
  infinite[1][1] = std::numeric_limits<double>::infinity();
  Visits interrupted(50, std::vector<double>(8, 100));
  for (auto& visit : interrupted) visit[3] = 800;
  return {{"nothing", {}, {}},
          {"nothing, and the time is spent", {}, {seconds(6000), 0}},
          {"one value", sample_of({{100}}), {}},
          {"few visits", sample_of(alike(4, 100, 1)), {}},
          {"steady", sample_of(alike(16, 100, 1)), {}},
          {"constant", sample_of(Visits(14, std::vector<double>(8, 5.5))), {}},
          {"wide", sample_of(alike(14, 100, 20)), {}},
          {"wide, and the time is spent", sample_of(alike(4, 100, 20)), {seconds(6000), 0}},
          {"about zero", sample_of(alike(14, 0, 20)), {}},
          {"a coarse clock", sample_of(alike(16, 100, 1)), {{}, 12}},
          {"in a gap", sample_of(Visits(13, {50, 50, 50, 99, 101, 150, 150, 150})), {}},
          {"long observations", sample_of({{100}, {100.2}, {99.9}, {100.1}}), {}},
          {"not finite", sample_of(infinite), {}},
          {"interrupted", sample_of(interrupted), {}},
          {"slow at first", starting_slowly(3, 10), {}},
          {"few visits of each process", starting_slowly(0, 14, 5), {}},
          {"sloping, and the time is spent", sloping_by(9), {seconds(6000), 0}},
          {"two modes", of_two_modes(), {}},
          {"dependent", dependent(), {}}};
}

TEST(ReasonsGolden, OfVerdicts) {
  std::string told;
  for (const char* rule : {"median-ci",
                           "median-ci(floor=10)",
                           "median-ci(min-timings=999)",
                           "median-ci(eps=0.01%, max-timings=80)",
                           "quantile-ci:0.25",
                           "quantile-ci:0.01",
                           "median-cs(eps=9%)",
                           "trimmed-ci",
                           "mean-ci",
                           "stddev",
                           "stddev(min-timings=1)",
                           "stderr(eps=1%)",
                           "fixed:64",
                           "time:2s",
                           "stable-min",
                           "all(stddev, fixed:16, time:1s)",
                           "all(fixed:999, stddev(eps=1%))",
                           "all(stddev(eps=0.1%), time:9s, max-timings=40)",
                           "any(median-ci, stderr, fixed:32)",
                           "any(all(fixed:16, time:2s), fixed:40)"}) {
    told += std::string(rule) + "\n";
    for (const auto& [name, sample, spent] : situations()) {
      const Verdict verdict = make_rule(parse_rule(rule, {}))->check(sample, spent);
      told += "  " + std::string(name) + " -> " + to_text(verdict.outcome) + ": " + verdict.reason + "\n";
    }
  }
  EXPECT_TRUE(matches_golden(told, "reasons/reasons_of_verdicts.txt"));
}

/// Estimates a step apart, so that none tie.
std::vector<double> estimates(int count, double centre, double step = 0.002) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(centre * (1 + step * (i - (count - 1) / 2.0)));
  return values;
}

Contest contest_of(int count, double ratio, double step = 1e-4) {
  return {estimates(count, 100, step), estimates(count, 100 * ratio * (1 + step / 3), step)};
}

std::string findings() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::string told = "changes\n";
  const auto add = [&](const char* name, const std::vector<Contest>& contests) {
    const Finding found = compare(contests).back();
    told += "  " + std::string(name) + " -> " + std::string(to_text(found.change)) + ": " + found.reason + "\n";
  };
  Contest shared = contest_of(10, 1.2);
  shared.circumstance = largest_sharing_effect(0.3);
  Contest without_margin = contest_of(10, 1);
  without_margin.margin = 0;
  without_margin.b = without_margin.a;
  std::vector<Contest> many(12, contest_of(5, 1));
  many.push_back(contest_of(5, 3));
  add("slower", {contest_of(10, 1.1)});
  add("faster", {contest_of(10, 0.9)});
  add("the same", {contest_of(10, 1)});
  add("what sharing makes", {shared});
  add("at the margin", {contest_of(10, 1.0198, 4e-4)});
  add("a wide interval", {contest_of(10, 1, 0.02)});
  add("far too wide an interval", {contest_of(10, 1, 2.0 / 11)});
  add("not significant", {Contest{{100, 110, 120, 130, 140}, {105, 116, 127, 138, 149}}});
  add("among many", many);
  add("one incarnation", {contest_of(1, 5)});
  add("three incarnations", {contest_of(3, 5)});
  add("no margin", {without_margin});
  add("no number", {Contest{{1, nan, 2}, {5, 6, nan}}});
  told += "odd ones\n";
  const auto add_units = [&](const char* name, const std::vector<double>& centres, int count) {
    std::vector<std::vector<double>> units;
    for (std::size_t i = 0; i < centres.size(); ++i)
      units.push_back(estimates(centres[i] == 0 ? 0 : count, centres[i] * (1 + 0.0000137 * static_cast<double>(i))));
    told += "  " + std::string(name) + "\n";
    for (const UnitFinding& found : outliers(units))
      told += "    " + std::string(to_text(found.oddity)) + ": " + found.reason + "\n";
  };
  add_units("two", {100, 200}, 5);
  add_units("one of three", {100, 150, 100}, 5);
  add_units("one of three is faster", {100, 50, 100}, 5);
  add_units("two against two", {100, 150, 150, 100}, 8);
  add_units("with few estimates", {100, 150, 100}, 2);
  add_units("alone", {100}, 5);
  add_units("without a number", {100, 100, 100, 100, 0}, 5);
  return told;
}

std::string unsteadiness() {
  std::string told = "unsteady\n";
  for (const double change : {8.0, -8.0, 1.8}) told += "  " + drift_of(sloping_by(change), 2) + "\n";
  std::vector<IncarnationMedian> medians;
  for (int i = 0; i < 12; ++i) medians.push_back({i / 4, i, (i < 8 ? 100.0 : 120.0) * (1 + 0.001 * (i % 4)), 8});
  told += "  " + shift_of(medians, 2) + "\n";
  return told;
}

void add_refusal(std::string& told, const char* name, const std::function<void(RuleSpec&)>& change) {
  RuleSpec spec;
  spec.name = name;
  if (spec.name == "fixed") spec.argument = 100;
  if (spec.name == "time") spec.argument = 2e9;
  change(spec);
  try {
    make_rule(spec);
    told += std::string(name) + " was accepted\n";
  } catch (const std::invalid_argument& error) {
    told += std::string(error.what()) + "\n";
  }
}

TEST(ReasonsGolden, OfRefusedRules) {
  std::string told;
  add_refusal(told, "sd", [](RuleSpec&) {});
  add_refusal(told, "median-ci", [](RuleSpec& spec) { spec.eps = 1.5; });
  add_refusal(told, "median-ci", [](RuleSpec& spec) { spec.alpha = 0; });
  add_refusal(told, "median-ci", [](RuleSpec& spec) { spec.floor = 0; });
  add_refusal(told, "median-ci", [](RuleSpec& spec) { spec.argument = 0.5; });
  add_refusal(told, "median-ci", [](RuleSpec& spec) { spec.parts = {RuleSpec{}}; });
  add_refusal(told, "stddev", [](RuleSpec& spec) { spec.budget.max_timings = 7; });
  add_refusal(told, "stddev", [](RuleSpec& spec) { spec.budget.min_visits = 0; });
  add_refusal(told, "stddev", [](RuleSpec& spec) { spec.budget.min_timings = 0; });
  add_refusal(told, "stddev", [](RuleSpec& spec) { spec.budget.max_time = seconds(0); });
  add_refusal(told, "stddev", [](RuleSpec& spec) { spec.max_incarnations = 0; });
  add_refusal(told, "fixed", [](RuleSpec& spec) { spec.argument = 2.5; });
  add_refusal(told, "fixed", [](RuleSpec& spec) { spec.budget.max_timings = 99; });
  add_refusal(told, "time", [](RuleSpec& spec) { spec.argument = 0; });
  add_refusal(told, "time", [](RuleSpec& spec) { spec.budget.max_time = seconds(1); });
  add_refusal(told, "quantile-ci", [](RuleSpec& spec) { spec.argument = 1; });
  add_refusal(told, "any", [](RuleSpec&) {});
  EXPECT_TRUE(matches_golden(told, "reasons/reasons_of_refused_rules.txt"));
}

TEST(ReasonsGolden, OfFindings) {
  EXPECT_TRUE(matches_golden(findings() + unsteadiness(), "reasons/reasons_of_findings.txt"));
}

/// Two campaigns of one point each, alike but for one thing.
struct Unlike {
  ComparedCampaign a;
  ComparedCampaign b;
  PairingRequest request;
  PointRecord& point() { return b.points[0]; }
  Result& result() { return b.points[0].results[0]; }
};

void add_unlike(std::string& told, const std::function<void(Unlike&)>& change) {
  Unlike two;
  two.a.points = {compared_point(1, compared_result(100))};
  two.b.points = {compared_point(1, compared_result(110))};
  change(two);
  for (const auto& one : pair_results(two.a.records(), two.b.records(), two.request).unpaired)
    told += one.reason + "\n";
}

TEST(ReasonsGolden, OfWhatIsNotCompared) {
  std::string told;
  add_unlike(told, [](Unlike& u) { u.a.points.push_back(compared_point(2, compared_result(50))); });
  add_unlike(told, [](Unlike& u) { u.b.points.push_back(compared_point(3, compared_result(50))); });
  add_unlike(told, [](Unlike& u) { u.b.points.push_back(compared_point(1, compared_result(50), "other")); });
  add_unlike(told, [](Unlike& u) {
    u.a.points[0].point.set("vehicle", std::string("thread"));
    u.point().point.set("vehicle", std::string("process"));
  });
  add_unlike(told, [](Unlike& u) {
    u.a.points[0].point.set("placement", std::string("same-l3"));
    u.point().point.set("placement", std::string("cross-package"));
  });
  add_unlike(told, [](Unlike& u) { u.point().measurement = "logp/burst"; });
  add_unlike(told, [](Unlike& u) { u.point().simulated = true; });
  add_unlike(told, [](Unlike& u) { u.result().unit = Unit::per_second; });
  add_unlike(told, [](Unlike& u) {
    u.a.points[0].results[0].regime = Regime::spin;
    u.result().regime = Regime::blocked;
    u.result().regime_share = 0.8;
  });
  add_unlike(told, [](Unlike& u) { u.point().outcome = Outcome::too_noisy; });
  for (const Outcome outcome : {Outcome::bimodal, Outcome::drift, Outcome::timeout})
    add_unlike(told, [&](Unlike& u) { u.result().verdict.outcome = outcome; });
  add_unlike(told, [](Unlike& u) {
    u.point().results.clear();
    u.point().outcome = Outcome::not_applicable;
    u.point().code = "N1";
    u.point().reason = "members spin and share a CPU";
  });
  add_unlike(told, [](Unlike& u) { u.result() = compared_result(100, 1); });
  add_unlike(told, [](Unlike& u) { u.result().processes[3].value = std::numeric_limits<double>::infinity(); });
  add_unlike(told, [](Unlike& u) {
    u.request.all = true;
    u.a.points[0].results.push_back(compared_result(3));
    u.a.points[0].results[1].quantity = "drop";
  });
  EXPECT_TRUE(matches_golden(told, "reasons/reasons_of_unpaired.txt"));
}

}  // namespace
}  // namespace assay::test
