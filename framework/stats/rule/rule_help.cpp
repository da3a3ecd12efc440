// SPDX-License-Identifier: Apache-2.0
// Help texts of the rules; the figures under "expect" are those of tests/bench/coverage.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/value.hpp"
#include "stats/rule/rule_table.hpp"
#include "text/number_format.hpp"

namespace assay {
namespace {

struct Words {
  std::string_view name;
  std::string_view summary;
  std::string_view stops;
  std::string_view reports;
  std::string_view expect;
};

constexpr std::array<Words, 12> words{{
    {"median-ci", "the median is known to within eps; the default",
     "The half-width of the 1 - alpha interval of the median is at most eps of it. The interval lies between the ranks "
     "n*(1/2+-h); h is the largest of z*sqrt(1/(4*n)) and t*s_k/sqrt(L_k), where s_k is the standard deviation of the "
     "shares of values below the median in L_k groups of k = 1, 2, 4 batches of visits. From 3 incarnations on the t "
     "interval over the logs of their medians must satisfy eps too. In addition a guard: with 1.68*h the half-width is "
     "at most 3*eps, so that a median in the gap between two modes is not accepted. Slower visits at the start, "
     "of the sample or of each process, are removed first; 8 visits, 3 of each process and 60 independent timings (or "
     "3/4 of fewer) are required. A sample does not converge while the medians of visits drift by more than eps. "
     "Interim analyses after 8, 10, 13, 17, 22, ... visits; 5 visits suffice where each is one long batch.",
     "The median with the headline interval.",
     "100 to 700 timings where values scatter by 10 to 20 %, 2700 by 30 %. Coverage is 97 % of campaigns or more on "
     "independent values, with interruptions too, and 94 % with an autocorrelation of 0.9. Two modes of equal weight "
     "end as bimodal, a drift as drift. Consecutive visits do not sample slower "
     "changes: spread them over the period for which the number is to be valid."},
    {"quantile-ci", "the p-quantile is known to within eps; quantile-ci:0.25 is the lower quartile",
     "As median-ci, with the same guard and interim analyses, with p in place of 1/2 and h at least "
     "z*sqrt(p*(1-p)/n). From 3 incarnations on their own quantiles must satisfy eps too.",
     "The p-quantile with the interval that decided. The lower decile is the most reproducible estimate of the cost of "
     "code without interference.",
     "96 to 99 % coverage, dependent values and two modes included. 200 timings above a floor or within modes, 900 on "
     "normal values that scatter by 10 %, where a decile is harder to estimate than the median. Where the clock's step "
     "exceeds eps it converges by chance or not at all."},
    {"median-cs", "the median is known to within eps, by a confidence sequence",
     "The half-width of the confidence sequence of the median is at most eps of it: ranks n*(1/2+-f) with "
     "f = 1.5*sqrt(l/(4*n))+0.8*l/n and l = 1.4*ln(ln(2.1*n))+ln(10/alpha) (Howard and Ramdas 2022). With probability "
     "1 - alpha it covers the median at all n simultaneously. Interim analyses after every visit, beyond 64 visits "
     "after about every thirtieth part of them; at least 40 timings for an interval to exist.",
     "The median with the interval of the confidence sequence.",
     "Three times the timings of median-ci on independent values, and coverage of practically 100 %. There is no "
     "guarantee for dependent ones: 80 % with an autocorrelation of 0.9."},
    {"trimmed-ci", "the mean of the middle half is known to within eps",
     "The half-width of the 1 - alpha interval of the 25 % trimmed mean is at most eps of it. Its standard error is "
     "that of the winsorised values over the kept share, never less than from groups of 1, 2 and 4 batches of visits. "
     "From 3 incarnations on their own trimmed means must satisfy eps too. Interim analyses as median-ci.",
     "The trimmed mean with that interval: SKaMPI's estimate, with its correct error.",
     "60 % of the timings of median-ci and 96 to 98 % coverage on independent values of one mode, interruptions "
     "included; 92 % on strongly dependent ones. Not for two modes: at weights 70/30 coverage is 73 %."},
    {"mean-ci", "the mean is known to within eps, interruptions included; for throughput",
     "The half-width of the 1 - alpha interval of the mean is at most eps of it: Student's, never narrower than from "
     "groups of 1, 2 and 4 batches of visits. From 3 incarnations on their own means must satisfy eps too. Interim "
     "analyses as median-ci.",
     "The mean with that interval; the reason states when more than 5 % of the total is in values above 3 medians, "
     "since the mean is then dominated by interruptions.",
     "95 to 97 % coverage and half the timings of median-ci on light tails. With 5 % of the values twenty times slower "
     "20000 timings do not suffice; with rare long interruptions the variance may not even exist."},
    {"stddev", "the standard deviation is below eps of the mean: a test of homogeneity, not accuracy",
     "s < eps*|mean|, the rule of SKaMPI's paper of 1999. Interim analyses after every visit from min-timings on.",
     "The mean with the t interval of independent values.",
     "It stops at once or never: more timings do not make values more homogeneous. At 10 % it converges on 1 % of "
     "samples that scatter by 30 %, and on 42 % of those with interruptions, all of which are then far off. Use the "
     "headline instead."},
    {"stderr", "the standard error of the mean is at most eps of it, as SKaMPI 5 does",
     "s/sqrt(n) <= eps*|mean|, tested when a block of min-timings is full: at 8, 16, 24, 32 and 40 timings.",
     "The mean of all values with the t interval of independent values. SKaMPI prints the mean of the middle half "
     "with an error that is half of the correct one; trimmed-ci corrects that.",
     "8 timings, and a mean within 2 % in 20 to 50 % of campaigns. The interval covers the mean in 91 to 97 % on "
     "independent values, 41 % on strongly dependent ones, 0 % with interruptions: it stops where it observed none. "
     "Use the headline instead."},
    {"fixed", "a fixed number of timings was taken: fixed:100", "n >= count.", "The median with the headline interval.",
     "The interval is valid, and of whatever width results: accuracy is not guaranteed. 100 timings estimate "
     "the median of values that scatter by 10 % to within 2 % in 90 % of campaigns."},
    {"time", "a fixed time was spent on measuring: time:2s", "The time of the point's visits reaches the time given.",
     "The median with the headline interval.",
     "As fixed: the interval is the accuracy reached. Alone it is a budget, within all(...) a minimum effort."},
    {"stable-min", "no new minimum came in the last half of the timings",
     "The last n/2 timings have no value below the minimum before them. Interim analyses after every visit.",
     "The minimum, which has no interval. The verdict is no-promise, never converged.",
     "30 to 40 timings, whatever the values are like: longer samples have smaller minima, so that two runs agree only "
     "where there is a floor."},
    {"all", "all of several rules are satisfied: all(median-ci, time:1s)",
     "Every part is satisfied; or one has found that it never can be.",
     "The first part's statistic and interval. The verdict is that of the first part, the reason names all.",
     "The coverage of the first part, at the cost of the slowest."},
    {"any", "one of several rules is satisfied: any(median-ci, fixed:500)",
     "The first part in the order written is satisfied; or all have found that they never can be.",
     "The statistic and interval of the satisfied part, which the reason names.",
     "The cost of the quickest, and its guarantee: any(median-ci, stderr) is as good as stderr."},
}};

std::string standard_text(const RuleEntry& entry) {
  if (entry.combines) return "eps, alpha and floors are each part's own; limits are the widest of the parts'.";
  std::string text;
  if (entry.standard > 0) text += std::string(entry.argument) + " " + to_text(entry.standard) + ", ";
  if (entry.eps > 0) text += "eps " + percent(entry.eps) + ", ";
  if (entry.takes("min-visits"))
    text += "at least " + counted(static_cast<std::size_t>(entry.budget.min_visits), "visit") + " and " +
            counted(entry.budget.min_timings, "timing") + ", ";
  std::string limits;
  if (entry.takes("max-timings")) limits = counted(entry.budget.max_timings, "timing");
  if (entry.takes("max-time")) limits += (limits.empty() ? "" : " and ") + rounded(entry.budget.max_time);
  return text + "at most " + limits + ".";
}

}  // namespace

RuleHelp rule_help(std::string_view name) {
  const auto* const found = std::find_if(words.begin(), words.end(), [name](const auto& w) { return w.name == name; });
  const RuleEntry* entry = find_rule(name);
  if (found == words.end() || entry == nullptr)
    throw std::invalid_argument("there is no stopping rule named " + std::string(name));
  return {std::string(found->summary), std::string(found->stops), std::string(found->reports), standard_text(*entry),
          std::string(found->expect)};
}

}  // namespace assay
