// SPDX-License-Identifier: Apache-2.0
// Summaries of runs, and headlines of ratios.
#include "app/timing/time_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "stats/fit/propagation.hpp"
#include "stats/rule/estimate.hpp"

namespace assay {

namespace {

/// Ten standard deviations of a normal law in median absolute deviations.
constexpr double farthest = 14.826;

/// The median of runs less the shell's start, whose own interval is part of this one's.
Estimate less_shell(const Estimate& median, const std::optional<ShellStart>& shell) {
  if (!shell) return median;
  const double subtracted = shell->wall.value;
  const Derived derived = propagated(std::vector<Estimate>{median, shell->wall},
                                     [subtracted](std::span<const double> in) { return in[0] - (in[1] - subtracted); });
  Estimate found = median;
  if (derived.valid) found.interval = derived.interval;
  return found;
}

/// A ratio of such times: its error matters as far as the two differ, since it is in both.
Estimate less_shell(const Estimate& ratio, const Estimate& fastest, const std::optional<ShellStart>& shell) {
  if (!shell) return ratio;
  const double subtracted = shell->wall.value;
  const double time = fastest.value;
  const Derived derived =
      propagated(std::vector<Estimate>{ratio, shell->wall}, [subtracted, time](std::span<const double> in) {
        const double excess = in[1] - subtracted;
        return (in[0] * time - excess) / (time - excess);
      });
  Estimate found = ratio;
  if (derived.valid) found.interval = derived.interval;
  return found;
}

std::vector<double> walls_of(const CommandTimes& times) { return times.walls.values(); }

CommandFigures figures_of(const CommandToTime& what, const CommandTimes& times,
                          const std::optional<ShellStart>& shell) {
  const std::vector<double> walls = walls_of(times);
  const Estimate runs = headline(times.walls, times_alpha, 0);
  CommandFigures figures{what.name, what.parameters, summarize(walls), less_shell(runs, shell)};
  for (const TimedRun& run : times.runs) {
    figures.user += run.user.count / ns_in_ms / static_cast<double>(times.runs.size());
    figures.system += run.system.count / ns_in_ms / static_cast<double>(times.runs.size());
    if (run.memory > figures.memory) {
      figures.memory = run.memory;
      figures.is_upper_bound = run.is_upper_bound;
    }
    figures.failures += run.exit_code == 0 ? 0 : 1;
  }
  const std::vector<bool> outliers = are_outliers(walls);
  figures.outliers = static_cast<std::size_t>(std::ranges::count(outliers, true));
  figures.has_slow_start = outliers.front() && walls.front() > figures.wall.median;
  figures.first = walls.front() / figures.wall.median;
  figures.is_below_shell = std::ranges::any_of(walls, [](double wall) { return !(wall > 0); });
  if (shell && shell->wall.interval.available()) {
    figures.is_shorter_than_shell = figures.median.value < shell->wall.value;
    figures.of_shell = reach(shell->wall.value, shell->wall.interval) / figures.median.value;
  }
  figures.verdict = times.verdict;
  return figures;
}

/// Ratios of runs of the same round, as a sample of rounds: what changes with time changes both runs of a pair.
CommandRatio ratio_of(std::size_t command, const CommandTimes& times, const CommandTimes& fastest,
                      const std::optional<ShellStart>& shell) {
  std::map<int, double> by_round;
  for (const TimedRun& run : fastest.runs) by_round[run.round] = run.wall.count;
  CommandRatio found;
  found.command = command;
  Sample ratios;
  bool is_positive = true;
  for (const TimedRun& run : times.runs) {
    const auto partner = by_round.find(run.round);
    if (partner == by_round.end()) continue;
    is_positive = is_positive && run.wall.count > 0 && partner->second > 0;
    ratios.add({is_positive ? run.wall.count / partner->second : 1, 0, 0, static_cast<int>(ratios.size())});
  }
  found.pairs = ratios.size();
  if (!is_positive) return found;
  const Estimate estimate = headline(ratios, times_alpha, 0);
  if (estimate.interval.available()) found.ratio = less_shell(estimate, headline(fastest.walls, times_alpha, 0), shell);
  return found;
}

}  // namespace

std::vector<bool> are_outliers(const std::vector<double>& values) {
  std::vector<bool> found(values.size(), false);
  if (values.empty()) return found;
  const double middle = median(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - middle));
  const double spread = median(distances);
  for (std::size_t i = 0; i < values.size(); ++i) found[i] = spread > 0 && distances[i] > farthest * spread;
  return found;
}

TimeReport report_of(const TimeRequest& request, Timings timings) {
  TimeReport report{request};
  report.request.commands.clear();
  Timings kept{{}, timings.shell, timings.was_interrupted};
  for (std::size_t i = 0; i < timings.commands.size(); ++i) {
    if (timings.commands[i].runs.empty()) continue;
    report.request.commands.push_back(request.commands[i]);
    report.commands.push_back(figures_of(request.commands[i], timings.commands[i], timings.shell));
    kept.commands.push_back(std::move(timings.commands[i]));
  }
  report.timings = std::move(kept);
  const auto& all = report.commands;
  const auto least = std::ranges::min_element(all, {}, [](const CommandFigures& one) { return one.median.value; });
  report.fastest = static_cast<std::size_t>(least - all.begin());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i != report.fastest)
      report.ratios.push_back(
          ratio_of(i, report.timings.commands[i], report.timings.commands[report.fastest], report.timings.shell));
  return report;
}

}  // namespace assay
