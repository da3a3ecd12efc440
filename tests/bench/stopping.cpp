// SPDX-License-Identifier: Apache-2.0
// What stopping rules claim on recorded noise and on laws, and how often that is true: this framework's and others'.
#include <boost/program_options.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

#include "base/error.hpp"
#include "bench/text_table.hpp"
#include "bench/trial.hpp"
#include "platform/clock/system_clock.hpp"
#include "record/provenance.hpp"
#include "support/environment/paths.hpp"

namespace assay::bench {
namespace {

namespace options = boost::program_options;

constexpr double eps = 0.02;
constexpr std::size_t no_limit = 1'000'000;
constexpr double z = 1.959963984540054;

struct Request {
  std::string traces = test::source_directory() + "/tests/traces";
  int runs = 200;
  std::uint64_t seed = 1;
  bool markdown = false;
};

/// A contender in the tables; `variants` with the same promise, ever stricter, begin with one at the accuracy asked
/// for.
struct Family {
  std::string name;
  std::vector<PeerKind> variants;
};

/// This framework's rules: as they are by default and at the accuracy asked for.
std::vector<Contender> own_rules() {
  std::vector<Contender> rules;
  for (const std::string& name : rule_names()) {
    RuleSpec spec;
    spec.name = name;
    if (name == "fixed") spec.argument = 400;
    try {
      rules.push_back(contender("assay " + name + (spec.argument ? " 400" : " as is"), spec));
      // What looks after every visit has a peer below that is the same rule, and looks without sorting all values.
      if (spec.argument || make_rule(spec)->is_look(1001)) continue;
      spec.eps = eps;
      spec.budget.max_timings = most_timings;
      rules.push_back(contender("assay " + name + " 2 %", spec));
    } catch (const std::invalid_argument& why) {
      std::cerr << "left out: rule " << name << ": " << why.what() << '\n';
    }
  }
  return rules;
}

std::vector<Contender> shipped_peers() {
  std::vector<Contender> peers;
  for (const PeerKind& kind :
       {skampi(0.10, 8, 33), skampi(0.03, 8, 32), standard_deviation(0.10, 8, 33), mpiblib(0.025, 1000),
        logp_mpi(0.03, 72), nvbench_stdrel(0.005), nvbench_entropy(0.048), google_benchmark(5000), hyperfine(10),
        criterion(1), nanobench(100), benchmark_dot_net(100, 0.02, 100), benchmark_dot_net(1, 0.02, 100),
        hoefler_belli(eps, no_limit)})
    peers.push_back(contender(kind));
  return peers;
}

std::vector<Contender> peers_at_this_accuracy() {
  std::vector<Contender> peers;
  for (const PeerKind& kind :
       {skampi(eps / z, 8, no_limit), standard_deviation(eps, 8, no_limit), mpiblib(eps, no_limit),
        logp_mpi(eps / 2, no_limit), nvbench_stdrel(eps), benchmark_dot_net(1, eps, no_limit)})
    peers.push_back(contender(kind));
  return peers;
}

std::vector<Family> ever_stricter() {
  std::vector<Family> families{
      {"SKaMPI stderr", {}},  {"de Supinski-May stddev", {}}, {"MPIBlib t", {}},    {"logp_mpi t", {}},
      {"NVBench stdrel", {}}, {"NVBench entropy", {}},        {"hyperfine", {}},    {"criterion", {}},
      {"nanobench", {}},      {"BenchmarkDotNet", {}},        {"Hoefler-Belli", {}}};
  for (double part = 1; part > 0.03; part /= 3) {
    const auto times = static_cast<std::size_t>(std::lround(1 / part));
    const std::vector<PeerKind> kinds{skampi(part * eps / z, 8, no_limit),
                                      standard_deviation(part * eps, 8, no_limit),
                                      mpiblib(part * eps, no_limit),
                                      logp_mpi(part * eps / 2, no_limit),
                                      nvbench_stdrel(part * eps),
                                      nvbench_entropy(part * 0.048),
                                      hyperfine(std::min<std::size_t>(100 * times, most_timings)),
                                      criterion(std::min<std::size_t>(times, 3)),
                                      nanobench(std::min<std::size_t>(100 * times, 1800)),
                                      benchmark_dot_net(1, part * eps, no_limit),
                                      hoefler_belli(part * eps, no_limit)};
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if (families[i].variants.empty() || families[i].variants.back().name != kinds[i].name)
        families[i].variants.push_back(kinds[i]);
  }
  return families;
}

Tally over(const Contender& contender, const std::vector<Source>& sources, Design design, const Request& request) {
  Tally sum;
  for (const Source& source : sources) sum += trial(contender, source, design, request.runs, eps, request.seed);
  return sum;
}

/// "97 %: 358 / 99 / 100": claims, if not all runs ended with one, timings, coverage, right ones.
std::string told(const Tally& tally) {
  const std::string claims = tally.claimed_share() < 0.985 ? hundredths(tally.claimed_share()) + " %: " : "";
  return claims + decimal(tally.geometric_timings(), 0) + " / " + hundredths(tally.coverage()) + " / " +
         hundredths(tally.right_share());
}

/// "0.4 / 1.9, 2": median and 95th percentile of the claims' relative errors, and runs that did not stop, in per cent.
std::string told_of_errors(const Tally& tally) {
  return decimal(100 * tally.error(0.5), 1) + " / " + decimal(100 * tally.error(0.95), 1) + ", " +
         hundredths(tally.endless_share());
}

/// The promise is kept: claims nearly always come, and their intervals hold the truth.
bool is_reliable(const Tally& tally) { return tally.claimed_share() >= 0.9 && tally.coverage() >= 0.94; }

/// What becomes of the goals.
struct Findings {
  std::optional<Tally> ours;
  std::string best_shipped = "none";
  double best_coverage = 0;
  std::vector<std::pair<std::string, double>> reliable;  ///< timings of each stricter peer that is reliable when spread
};

void compare_all(const std::vector<Source>& traces, const Request& request, Findings& findings) {
  TextTable table{
      "Recorded noise, goal 2 %: [share of runs that end with a claim:] timings / coverage / claims within "
      "2 % of the truth",
      {"rule", "consecutive", "spread"},
      {}};
  TextTable errors{
      "The same: relative error of the claims, median / 95th percentile, and runs that did not stop within "
      "their limit, in per cent",
      {"rule", "consecutive", "spread"},
      {}};
  const auto add = [&](const Contender& contender) {
    const Tally near = over(contender, traces, Design::consecutive, request);
    const Tally far = over(contender, traces, Design::spread, request);
    table.rows.push_back({contender.name, told(near), told(far)});
    errors.rows.push_back({contender.name, told_of_errors(near), told_of_errors(far)});
    return std::pair(near, far);
  };
  for (const Contender& rule : own_rules()) {
    const Tally far = add(rule).second;
    if (rule.name == "assay median-ci 2 %") findings.ours = far;
  }
  for (const Contender& peer : shipped_peers()) {
    const double coverage = add(peer).first.coverage();
    if (!(coverage > findings.best_coverage)) continue;
    findings.best_coverage = coverage;
    findings.best_shipped = peer.name;
  }
  for (const Contender& peer : peers_at_this_accuracy()) add(peer);
  print(std::cout, table, request.markdown);
  print(std::cout, errors, request.markdown);
}

void show_traces(const std::vector<Source>& traces, const Request& request) {
  RuleSpec spec;
  spec.budget.max_timings = most_timings;
  const Contender ours = contender("assay median-ci", spec);
  const Contender classical = contender(hoefler_belli(eps, no_limit));
  TextTable table{
      "The same by trace", {"trace", "median-ci, consecutive", "median-ci, spread", "Hoefler-Belli, spread"}, {}};
  for (const Source& trace : traces)
    table.rows.push_back({trace.name(), told(over(ours, {trace}, Design::consecutive, request)),
                          told(over(ours, {trace}, Design::spread, request)),
                          told(over(classical, {trace}, Design::spread, request))});
  print(std::cout, table, request.markdown);
}

/// The loosest variant that is reliable in a design: its name with the timings it takes.
std::optional<std::pair<std::string, double>> first_reliable(const Family& family, const std::vector<Source>& traces,
                                                             Design design, const Request& request) {
  Request fewer = request;
  fewer.runs = std::max(3, request.runs / 8);
  for (const PeerKind& kind : family.variants) {
    const Tally tally = over(contender(kind), traces, design, fewer);
    if (is_reliable(tally)) return std::pair(kind.name, tally.geometric_timings());
  }
  return std::nullopt;
}

void show_price(const std::vector<Source>& traces, const Request& request, Findings& findings) {
  TextTable table{
      "Timings that a peer needs to keep its word: its loosest setting, from 2 % on, whose intervals cover "
      "94 % where at least 90 % of the runs end with a claim",
      {"peer", "consecutive", "spread"},
      {}};
  for (const Family& family : ever_stricter()) {
    std::vector<std::string> row{family.name};
    for (const Design design : {Design::consecutive, Design::spread}) {
      const auto found = first_reliable(family, traces, design, request);
      row.push_back(found ? decimal(found->second, 0) + " (" + found->first + ")" : "never");
      if (found && design == Design::spread) findings.reliable.push_back(*found);
    }
    table.rows.push_back(row);
  }
  print(std::cout, table, request.markdown);
}

void show_laws(const Request& request) {
  const std::vector<Source> independent = independent_laws();
  const std::vector<Source> dependent{dependent_law()};
  const std::vector<Source> warming{warm_up_law()};
  TextTable table{"Laws, goal 2 %, one timing after the other: as above",
                  {"rule", "7 independent laws", "autoregressive 0.9", "50 slow ones first"},
                  {}};
  std::vector<Contender> all = own_rules();
  for (auto& group : {shipped_peers(), peers_at_this_accuracy()}) all.insert(all.end(), group.begin(), group.end());
  for (const Contender& contender : all) {
    std::vector<std::string> row{contender.name};
    for (const auto* sources : {&independent, &dependent, &warming})
      row.push_back(told(over(contender, *sources, Design::consecutive, request)));
    table.rows.push_back(row);
  }
  print(std::cout, table, request.markdown);
}

void show_findings(const Findings& findings) {
  const auto met = [](bool is_met) { return is_met ? "met" : "MISSED"; };
  const Tally& ours = findings.ours.value();
  std::cout << "goal: median-ci, spread, covers at least 98 %: " << decimal(100 * ours.coverage(), 1) << " %, "
            << met(ours.coverage() >= 0.98) << '\n'
            << "goal: at least 99 % of its claims are right: " << decimal(100 * ours.right_share(), 1) << " %, "
            << met(ours.right_share() >= 0.99) << '\n'
            << "goal: no peer as shipped, consecutive, covers 90 %: best is " << findings.best_shipped << " with "
            << decimal(100 * findings.best_coverage, 1) << " %, " << met(findings.best_coverage < 0.9) << '\n';
  bool fewer = true;
  for (const auto& [name, timings] : findings.reliable) fewer = fewer && ours.geometric_timings() < timings;
  std::cout << "goal: fewer timings (" << decimal(ours.geometric_timings(), 0)
            << ") than any peer that covers 94 % in the spread design: " << met(fewer) << '\n';
  for (const auto& [name, timings] : findings.reliable)
    std::cout << "  " << name << ": " << decimal(timings, 0) << '\n';
}

int study(const Request& request) {
  const std::vector<Source> traces = traces_below(request.traces);
  std::cout << version_line() << ", " << utc_now() << "; " << traces.size() << " traces, " << request.runs
            << " runs of each, seed " << request.seed << ", at most " << most_timings
            << " timings; shares in per cent, rounded down\n\n";
  Findings findings;
  compare_all(traces, request, findings);
  show_traces(traces, request);
  show_price(traces, request, findings);
  show_laws(request);
  show_findings(findings);
  return 0;
}

Request read(int count, char** arguments) {
  Request request;
  options::options_description known("stopping");
  auto add = known.add_options();
  add("traces", options::value(&request.traces), "folder of traces (those of the repository)");
  add("runs", options::value(&request.runs), "of each rule on each trace, in each design (200)");
  add("seed", options::value(&request.seed), "of all randomness (1)");
  add("quick", "10 runs");
  add("markdown", "tables for documents");
  options::variables_map given;
  options::store(options::parse_command_line(count, arguments, known), given);
  if (given.contains("quick")) request.runs = 10;
  options::notify(given);
  request.markdown = given.contains("markdown");
  if (request.runs < 1) throw options::error("at least one run is needed");
  return request;
}

}  // namespace
}  // namespace assay::bench

int main(int count, char** arguments) {
  try {
    return assay::bench::study(assay::bench::read(count, arguments));
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
}
