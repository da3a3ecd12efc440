// SPDX-License-Identifier: Apache-2.0
// Prints how often each stopping rule converges, how often its claims hold, and what it costs, on laws of known truth.
#include <array>
#include <charconv>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "support/laws/trials.hpp"

namespace assay {
namespace {

struct Column {
  const char* name;
  test::KnownLaw law;
};

std::vector<Column> columns() {
  using namespace test;
  return {{"normal 10 %", KnownLaw(normal(100, 10))},
          {"log-normal 0.3", KnownLaw(log_normal(100, 0.3))},
          {"floor + exp", KnownLaw(shifted_exponential(100, 20))},
          {"5 % x 20", KnownLaw(contaminated(100, 10, 0.05, 20))},
          {"modes 50/50", KnownLaw(bimodal(100, 130, 0.5, 3))},
          {"modes 70/30", KnownLaw(bimodal(100, 130, 0.3, 3))},
          {"AR(1) 0.9", KnownLaw(autoregressive(100, 10, 0.9))},
          {"drift 5 %", KnownLaw(drifting(97.5, 102.5, 4000, 5))},
          {"clock step 2 %", KnownLaw(quantised(normal(100, 10), 2))}};
}

/// The rules as they are, and some with the limits of other studies.
constexpr std::array<const char*, 16> usual_rules{"median-ci",
                                                  "median-ci(max-timings=20000)",
                                                  "quantile-ci(max-timings=20000)",
                                                  "quantile-ci:0.25(max-timings=20000)",
                                                  "median-cs(max-timings=20000)",
                                                  "trimmed-ci(max-timings=20000)",
                                                  "mean-ci(max-timings=20000)",
                                                  "stddev",
                                                  "stddev(eps=2%,max-timings=4000)",
                                                  "stderr",
                                                  "stderr(eps=1.02%,max-timings=4000)",
                                                  "fixed:100",
                                                  "time:20ms",
                                                  "stable-min",
                                                  "all(median-ci, fixed:400)",
                                                  "any(median-ci, stderr)"};

std::string percent_of(int part, int whole) {
  return whole == 0 ? "-" : std::to_string(std::lround(100.0 * part / whole));
}

std::string cell(const test::Tally& tally) {
  return percent_of(tally.converged, tally.campaigns) + " / " + percent_of(tally.covered_claims, tally.converged) +
         " / " + percent_of(tally.accurate_claims, tally.converged) + " / " +
         std::to_string(std::lround(tally.timings()));
}

/// Rows appear as they are done: the whole takes minutes.
void print(std::span<const char* const> rules, int campaigns) {
  auto laws = columns();
  std::cout
      << campaigns
      << " campaigns each. Cells: converged % / of these, the interval holds the truth of the rule's own statistic "
         "% / error within 2 % % / timings, geometric mean\n\n"
      << std::left << std::setw(37) << "rule";
  for (const Column& column : laws) std::cout << std::setw(23) << column.name;
  for (const char* rule : rules) {
    std::cout << "\n" << std::setw(37) << rule;
    for (Column& column : laws)
      std::cout << std::setw(23) << cell(test::trials(rule, column.law, campaigns)) << std::flush;
  }
  std::cout << "\n";
}

int run(std::span<const char* const> arguments) {
  int campaigns = 200;
  if (!arguments.empty()) {
    const std::string_view text = arguments.front();
    if (std::from_chars(text.data(), text.data() + text.size(), campaigns).ec != std::errc{} || campaigns < 1) {
      std::cerr << "usage: coverage [CAMPAIGNS [RULE...]]\n";
      return 2;
    }
    arguments = arguments.subspan(1);
  }
  print(arguments.empty() ? std::span<const char* const>(usual_rules) : arguments, campaigns);
  return 0;
}

}  // namespace
}  // namespace assay

int main(int count, char** arguments) {
  return assay::run({const_cast<const char**>(arguments) + 1, static_cast<std::size_t>(count - 1)});
}
