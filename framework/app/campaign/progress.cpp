// SPDX-License-Identifier: Apache-2.0
// Carriage returns and blanks.
#include "app/campaign/progress.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ostream>
#include <string_view>
#include <utility>

#include "app/results/screen.hpp"
#include "platform/file/terminal.hpp"
#include "record/shown_value.hpp"
#include "record/table/table.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"

namespace assay {

namespace {

constexpr Nanoseconds rewrite_interval = milliseconds(250);
constexpr Nanoseconds line_interval = seconds(5);
constexpr std::size_t standard_width = 80;
// The last column stays free: writing there would begin a new line on some terminals; and what a terminal echoes of an
// interrupt, "^C", stays in the line.
constexpr std::size_t echo = 2;
constexpr std::size_t kept_free = 1 + echo;
constexpr int standard_error = 2;

std::size_t terminal_width() {
  const auto columns = variable("COLUMNS");
  std::size_t width = 0;
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  if (width == 0) width = static_cast<std::size_t>(std::max(terminal_columns(standard_error), 0));
  return width == 0 ? standard_width : width;
}

}  // namespace

ProgressStyle progress_style(bool is_terminal) {
  return {is_terminal && variable("TERM") != "dumb", terminal_width(), terminal_width};
}

ProgressDisplay::ProgressDisplay(std::ostream& out, ProgressStyle style, const Clock& clock)
    : out_(out), style_(std::move(style)), clock_(clock) {}

ProgressDisplay::~ProgressDisplay() { clear(); }

bool ProgressDisplay::is_due() {
  const Instant now = clock_.now();
  const auto interval = style_.rewrites ? rewrite_interval : line_interval;
  if (shown_ && now - *shown_ < interval) return false;
  shown_ = now;
  return true;
}

void ProgressDisplay::show(const Progress& progress) {
  if (!is_due()) return;
  if (style_.rewrites) {
    rewrite(progress);
  } else {
    out_ << to_text(progress) << std::endl;
  }
}

std::size_t ProgressDisplay::width() const {
  return std::max(style_.width_now ? style_.width_now() : style_.width, kept_free);
}

void ProgressDisplay::rewrite(const Progress& progress) {
  const std::size_t room = width() - kept_free;
  const std::string text = live_text(progress, room);
  const std::size_t length = display_width(text);
  const std::string rest(std::min(written_, room) - std::min(length, std::min(written_, room)), ' ');
  out_ << '\r' << text << rest << std::flush;
  written_ = length + rest.size();
}

void ProgressDisplay::log(const std::string& line) {
  clear();
  out_ << line << std::endl;
}

void ProgressDisplay::clear() {
  if (written_ > 0) out_ << '\r' << std::string(std::min(written_ + echo, width() - 1), ' ') << '\r' << std::flush;
  written_ = 0;
}

namespace {

std::string current_text(const CurrentValue& current) {
  const Estimate& estimate = current.estimate;
  const Scale scale = scale_of(estimate.value, current.unit);
  const ShownValue text = shown(estimate.value, estimate.interval, scale);
  return ", " + printable(estimate.statistic) + " " + text.value + " [" + text.low + " .. " + text.high + "] " +
         scale.name + ", " + percent_text(current.disturbed_share) + " % disturbed";
}

// Of the time, since points that are measured in turn all finish towards the end.
double share_done(const Progress& progress) {
  const Nanoseconds whole = progress.elapsed + progress.left;
  if (progress.left > Nanoseconds{}) return progress.elapsed / whole;
  return progress.known > 0 ? static_cast<double>(progress.done) / progress.known : 0;
}

std::string bar_of(const Progress& progress, std::size_t columns) {
  constexpr std::size_t least_columns = 50;  // of the line: fewer are for the numbers
  constexpr std::size_t least_cells = 6;
  constexpr std::size_t most_cells = 24;
  if (columns < least_columns) return {};
  const std::size_t cells = std::min(least_cells + (columns - least_columns) / 4, most_cells);
  const double share = std::clamp(share_done(progress), 0.0, 1.0);
  const auto full = static_cast<std::size_t>(share * static_cast<double>(cells));
  return "[" + std::string(full, '#') + std::string(cells - full, '.') + "] ";
}

}  // namespace

std::string live_text(const Progress& progress, std::size_t columns) {
  constexpr std::string_view cut = "..";
  std::string text = bar_of(progress, columns) + to_text(progress);
  if (display_width(text) <= columns) return text;
  if (columns <= cut.size()) return {};
  return std::string(beginning_within(text, columns - cut.size())).append(cut);
}

std::string to_text(const Progress& progress) {
  std::string text = std::to_string(progress.done) + "/" + std::to_string(progress.known) + " points, " +
                     rough_duration(progress.elapsed);
  if (progress.left.count > 0) text += ", about " + rough_duration(progress.left) + " left";
  if (progress.value) text += current_text(*progress.value);
  if (!progress.current.empty()) text += ": " + printable(progress.current);
  return text;
}

bool is_marked(const Record& record) {
  const auto* point = std::get_if<PointRecord>(&record);
  if (point == nullptr) return false;
  const bool is_short =
      point->outcome == Outcome::max_time || point->outcome == Outcome::max_timings || lacks_batches(point->outcome);
  return is_short || std::ranges::any_of(point->results, &Result::noisy);
}

void ConsoleSink::write(const Record& record) {
  next_.write(record);
  saw_marked_ = saw_marked_ || is_marked(record);
  const auto* point = std::get_if<PointRecord>(&record);
  if (point == nullptr || quiet_) return;
  if (!display_.rewrites()) return display_.log(one_line(*point));
  for (const std::string& line : table_.add(*point, display_.width() - 1)) display_.log(line);
}

}  // namespace assay
