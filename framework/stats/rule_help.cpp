// SPDX-License-Identifier: Apache-2.0
// What the rules say of themselves; the figures under "expect" are those of tests/bench/coverage.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "stats/phrase.hpp"
#include "stats/rule_table.hpp"

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
     "The 1 - alpha interval of the median reaches no further than eps of it. The interval lies between ranks "
     "n (1/2 -+ h); h is the largest of z sqrt(1/4n) and t s_k / sqrt(L_k), where s_k is the standard deviation of the "
     "shares of values below the median in L_k groups of k = 1, 2, 4 batches of visits. From 3 incarnations on the t "
     "interval over the logs of their medians must satisfy eps too. And a guard: with 1.68 h the interval reaches no "
     "further than 3 eps, so that a median in the gap between two modes is not accepted. Looks after 8, 10, 13, 17, "
     "22, ... visits; 5 visits suffice where each is one long batch.",
     "The median with the headline interval.", ""},
    {"quantile-ci", "the p-quantile is known to within eps; quantile-ci:0.25 is the lower quartile",
     "As median-ci, guard and looks included, with p in place of 1/2 and z sqrt(p (1 - p) / n).",
     "The p-quantile with the interval that decided. The lower decile is the most reproducible number for what code "
     "costs without interference.",
     ""},
    {"median-cs", "the median is known to within eps, however often one looks",
     "The confidence sequence of the median reaches no further than eps of it: ranks n (1/2 -+ f) with "
     "f = 1.5 sqrt(l / 4n) + 0.8 l / n and l = 1.4 ln ln(2.1 n) + ln(10 / alpha) (Howard and Ramdas 2022). It holds at "
     "all n at once with probability 1 - alpha. Looks after every visit.",
     "The median with the confidence sequence's interval.", ""},
    {"trimmed-ci", "the mean of the middle half is known to within eps",
     "The 1 - alpha interval of the 25 % trimmed mean reaches no further than eps of it. Its standard error is that of "
     "the winsorised values over the kept share, never less than from groups of 1, 2 and 4 batches of visits. Looks as "
     "median-ci. This is what SKaMPI's report of the middle half should have had for an error.",
     "The trimmed mean with that interval.", ""},
    {"mean-ci", "the mean is known to within eps, interruptions and all; for throughput",
     "The 1 - alpha interval of the mean reaches no further than eps of it: Student's, never narrower than from groups "
     "of 1, 2 and 4 batches of visits. Looks as median-ci.",
     "The mean with that interval; the reason says so when more than 5 % of the total is in values above 3 medians, "
     "since it then is a statement on interruptions.",
     ""},
    {"stddev", "the standard deviation is below eps of the mean: a test of homogeneity, not accuracy",
     "s < eps |mean|, the rule of SKaMPI's paper of 1999. Looks after every visit from 8 timings on.",
     "The mean with the t interval of independent values.", ""},
    {"stderr", "the standard error of the mean is at most eps of it, as SKaMPI 5 does",
     "s / sqrt(n) <= eps |mean|, looked at when a block of min-timings is full: at 8, 16, 24, 32 and 40 timings.",
     "The mean of all values with the t interval of independent values. SKaMPI prints the mean of the middle half "
     "beside an error that is half of what it should be; trimmed-ci mends that.",
     ""},
    {"fixed", "so many timings were taken: fixed:100", "n >= count.", "The median with the headline interval.", ""},
    {"time", "so much time was spent on measuring: time:2s", "Time in the visits of the point >= the time given.",
     "The median with the headline interval.", ""},
    {"stable-min", "no new minimum came in the last half of the timings",
     "The last n / 2 timings brought no value below the least one before them. Looks after every visit.",
     "The minimum, which has no interval. The verdict is no-promise, never converged.", ""},
    {"all", "all of several rules are satisfied: all(median-ci, time:1s)",
     "Every part is satisfied; or one has found that it never can be.",
     "The first part's statistic and interval. The verdict names the parts with their reasons.", ""},
    {"any", "one of several rules is satisfied: any(median-ci, fixed:500)",
     "The first part that is satisfied speaks; or all have found that they never can be.",
     "The statistic and interval of the part that spoke, whose name is in the reason.", ""},
}};

std::string standard_text(const RuleEntry& entry) {
  if (entry.combines) return "Limits are the widest of the parts'; parameters in the parentheses hold for every part.";
  std::string text;
  if (entry.standard > 0)
    text += std::string(entry.argument) + " " + std::to_string(entry.standard).substr(0, 3) + ", ";
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
