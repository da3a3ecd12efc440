// SPDX-License-Identifier: Apache-2.0
// A block of lines per command; digits that the spread or interval supports.
#include "app/timing/time_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include "stats/rule/estimate.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

constexpr std::size_t bars = 32;
constexpr std::size_t fewest_for_histogram = 10;
constexpr std::size_t label_width = 19;
constexpr std::size_t figure_width = 32;
/// Below this the shell's start is much of the time, and hyperfine warns as well.
constexpr double short_with_shell = 5;  // ms

/// A time in the unit of the scale, with the digits that a half-width supports; both in milliseconds.
std::string number(double time, double half_width, const Scale& scale) {
  const double unit = scale.size / ns_in_ms;
  return fixed_text(time / unit, decimals_for(time / unit, half_width / unit));
}

Scale scale_for(double time) { return scale_of(time * ns_in_ms, Unit::nanoseconds); }

/// "1.98 ms".
std::string time_text(double time, double half_width) {
  const Scale scale = scale_for(time);
  return number(time, half_width, scale) + " " + scale.name;
}

std::string cpu_text(double time) { return time > 0 ? time_text(time, time / 5) : "0 ms"; }

std::string memory_text(const CommandFigures& command) {
  const Scale scale = scale_of(command.memory, Unit::bytes);
  const double size = command.memory / scale.size;
  return (command.is_upper_bound ? "< " : "") + fixed_text(size, decimals_for(size, size / 5)) + " " + scale.name;
}

/// "A", "B", ... as far as letters go, then "#27".
std::string letter(std::size_t index) {
  constexpr std::size_t letters = 26;
  return index < letters ? std::string(1, static_cast<char>('A' + index)) : "#" + std::to_string(index + 1);
}

std::string interval_text(const Estimate& estimate, const Scale& scale) {
  if (!estimate.interval.available()) return " (too few runs)";
  const double half = reach(estimate.value, estimate.interval);
  return " [" + number(estimate.interval.low, half, scale) + " .. " + number(estimate.interval.high, half, scale) + "]";
}

std::vector<double> without_high_outliers(const std::vector<double>& values) {
  const std::vector<bool> is_outlier = are_outliers(values);
  const double middle = median(values);
  std::vector<double> kept;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!is_outlier[i] || values[i] < middle) kept.push_back(values[i]);
  return kept;
}

std::string bars_of(const std::vector<double>& values, double low, double high, const TextStyle& style) {
  static constexpr std::array<const char*, 9> blocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static constexpr std::array<const char*, 9> plain{" ", ".", ":", "-", "=", "+", "*", "%", "#"};
  std::array<std::size_t, bars> counts{};
  for (const double value : values)
    ++counts.at(std::min(bars - 1, static_cast<std::size_t>((value - low) / (high - low) * bars)));
  const auto most = static_cast<double>(std::ranges::max(counts));
  std::string text;
  for (const std::size_t count : counts)
    text +=
        (style.unicode ? blocks : plain).at(static_cast<std::size_t>(std::ceil(static_cast<double>(count) / most * 8)));
  return text;
}

void print_line(std::ostream& out, const std::string& label, const std::string& figure, const std::string& more) {
  std::string line = "  " + to_left(label, label_width) + to_left(figure, figure_width) + more;
  while (line.ends_with(' ')) line.pop_back();
  out << line << "\n";
}

std::string modes_unit(const CommandFigures& command) {
  const bool has_modes = command.verdict.reason.find("modes at") != std::string::npos;
  return has_modes ? " (modes in ms)" : "";
}

/// Why the median is not known as well as it should be; empty where it is, and where the number of runs was given.
std::string remark_on_end(const CommandFigures& command, const TimeReport& report) {
  const Outcome outcome = command.verdict.outcome;
  if (outcome == Outcome::converged || report.request.is_exact) return {};
  std::string remark = outcome == Outcome::aborted ? "stopped" : "not converged (" + to_text(outcome) + ")";
  if (!command.verdict.reason.empty()) remark += ": " + command.verdict.reason;
  return remark + modes_unit(command) + (report.request.time_limit ? "" : "; --time-limit 30s measures on");
}

/// How far the shell's start, which is subtracted, makes the time uncertain; the worst that there is to say.
std::string remark_on_shell(const CommandFigures& command, const TimeReport& report) {
  if (!report.timings.shell) return {};
  std::string remark;
  if (command.is_below_shell)
    remark = "some runs took no longer than the shell's start alone: use -N for what it takes itself";
  else if (command.is_shorter_than_shell)
    remark =
        "shorter than the shell's start, which was measured in turn with it and subtracted: use -N, which runs it "
        "without a shell";
  else if (command.wall.mean < short_with_shell || command.of_shell > standard_accuracy)
    remark = "the shell's start, which was measured in turn with it, matters here: -N runs it without a shell";
  if (!remark.empty() && command.of_shell > standard_accuracy)
    remark += "; it is known to within " + percent(command.of_shell) + " of the median, which the interval includes";
  return remark;
}

std::vector<std::string> remarks_on(const CommandFigures& command, const TimeReport& report) {
  std::vector<std::string> remarks;
  if (std::string remark = remark_on_end(command, report); !remark.empty()) remarks.push_back(std::move(remark));
  if (command.failures > 0)
    remarks.push_back(counted(command.failures, "run") + " failed and counted nevertheless (-i)");
  if (command.has_slow_start)
    remarks.push_back("the first run took " + rounded(command.first) +
                      " times the median: caches may have been cold; --warmup 3 leaves such runs out, --prepare makes "
                      "all of them alike");
  const std::size_t others = command.outliers - (command.has_slow_start ? 1 : 0);
  if (others > 0)
    remarks.push_back(counted(others, "outlier") +
                      ": other programs may have disturbed runs; the median hardly feels it, the mean does");
  if (std::string remark = remark_on_shell(command, report); !remark.empty()) remarks.push_back(std::move(remark));
  return remarks;
}

void print_remark(std::ostream& out, const std::string& remark, const TextStyle& style) {
  constexpr std::size_t usual_width = 100;
  constexpr std::size_t indent = 8;
  const std::size_t width = style.width > 3 * indent ? style.width : usual_width;
  std::string before = "  " + painted("note:", Paint::marked, style) + " ";
  for (const std::string& line : wrapped(printable(remark), width - indent)) {
    out << before << line << "\n";
    before = std::string(indent, ' ');
  }
}

void print_command(std::ostream& out, std::size_t index, const TimeReport& report, const TextStyle& style) {
  const CommandFigures& command = report.commands[index];
  const Scale scale = scale_for(command.median.value);
  const Summary& wall = command.wall;
  const double half = reach(command.median.value, command.median.interval);
  const std::string label = report.commands.size() > 1 ? letter(index) + ": " : "";
  out << painted(label + printable(command.name), Paint::heading, style) << "\n";
  const std::string deviation = wall.n > 1 ? " +- " + number(wall.stddev, wall.stddev, scale) + " " + scale.name : "";
  print_line(out, "mean +- deviation", number(wall.mean, wall.stddev, scale) + " " + scale.name + deviation,
             "user " + cpu_text(command.user) + ", system " + cpu_text(command.system));
  print_line(out, "median, 95 %",
             number(command.median.value, half, scale) + " " + scale.name + interval_text(command.median, scale),
             "peak memory " + memory_text(command));
  print_line(out, "min .. max",
             number(wall.min, wall.stddev, scale) + " " + scale.name + " .. " + number(wall.max, wall.stddev, scale) +
                 " " + scale.name,
             counted(wall.n, "run"));
  const std::string bins = histogram(report.timings.commands[index].walls.values(), scale, style);
  if (!bins.empty()) print_line(out, "distribution", bins, "");
  for (const std::string& remark : remarks_on(command, report)) print_remark(out, remark, style);
  out << "\n";
}

void print_ratios(std::ostream& out, const TimeReport& report, const TextStyle& style) {
  for (const CommandRatio& found : report.ratios) {
    const std::string fast = letter(report.fastest);
    const std::string other = letter(found.command);
    std::string line;
    if (!found.ratio)
      line = fast + " and " + other + " cannot be compared: " +
             (found.pairs < 5 ? "fewer than 5 rounds have both" : "not all runs took longer than the shell's start");
    else if (found.differs())
      line = painted(fast + " is " + ratio_text(*found.ratio) + " times as fast as " + other, Paint::good, style);
    else
      line = "no difference found between " + fast + " and " + other + ": ratio " + ratio_text(*found.ratio);
    out << line << "\n";
  }
  if (!report.ratios.empty() && !report.request.is_interleaved())
    out << "Commands ran one after the other, since --setup or --cleanup differ: something else may have made "
           "differences.\n";
}

}  // namespace

std::string to_text(const TimeProgress& progress) {
  if (progress.warmup > 0)
    return "warm-up run " + std::to_string(progress.warmup) + "/" + std::to_string(progress.warmups) + ": " +
           printable(progress.command);
  std::string text = progress.most_rounds
                         ? std::to_string(progress.rounds) + "/" + std::to_string(*progress.most_rounds) + " rounds"
                         : counted(static_cast<std::size_t>(progress.rounds), "round");
  if (progress.left > Nanoseconds{}) text += ", about " + rough_duration(progress.left) + " left";
  if (progress.median) {
    const Estimate& median = *progress.median;
    const bool is_known = median.interval.available();
    text += ", median " + time_text(median.value, is_known ? reach(median.value, median.interval) : median.value / 5);
    if (is_known) text += " +- " + percent(median.relative_half_width());
  }
  return text + ": " + printable(progress.command);
}

std::string ratio_text(const Estimate& ratio) {
  const int decimals = std::clamp(decimals_for(ratio.value, reach(ratio.value, ratio.interval)), 2, 3);
  return fixed_text(ratio.value, decimals) + " [" + fixed_text(ratio.interval.low, decimals) + " .. " +
         fixed_text(ratio.interval.high, decimals) + "]";
}

std::string histogram(const std::vector<double>& values, const Scale& scale, const TextStyle& style) {
  if (values.size() < fewest_for_histogram) return {};
  const std::vector<double> shown = without_high_outliers(values);
  const auto [low, high] = std::ranges::minmax(shown);
  if (!(high > low)) return {};
  const double width = (high - low) / 20;
  const std::size_t beyond = values.size() - shown.size();
  return number(low, width, scale) + " |" + bars_of(shown, low, high, style) + "| " + number(high, width, scale) + " " +
         scale.name + (beyond > 0 ? ", " + std::to_string(beyond) + " beyond" : "");
}

void print_times(std::ostream& out, const TimeReport& report, const TextStyle& style) {
  for (std::size_t i = 0; i < report.commands.size(); ++i) print_command(out, i, report, style);
  print_ratios(out, report, style);
  if (const auto& shell = report.timings.shell)
    out << "The shell's start (" << printable(joined(report.request.shell, " ")) << "), "
        << time_text(shell->wall.value, reach(shell->wall.value, shell->wall.interval))
        << interval_text(shell->wall, scale_for(shell->wall.value))
        << ", is subtracted; -N runs commands without a shell.\n";
  if (report.timings.was_interrupted) out << "Stopped by a signal: these are the runs until then.\n";
}

}  // namespace assay
