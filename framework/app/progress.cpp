// SPDX-License-Identifier: Apache-2.0
// Carriage returns and blanks.
#include "app/progress.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ostream>
#include <string_view>

#include "base/typed.hpp"
#include "platform/terminal.hpp"
#include "record/printable.hpp"

namespace assay {

namespace {

constexpr Nanoseconds rewrite_interval = milliseconds(100);
constexpr Nanoseconds line_interval = seconds(5);
constexpr std::size_t standard_width = 80;
constexpr int standard_error = 2;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

std::size_t terminal_width() {
  const auto columns = environment("COLUMNS");
  std::size_t width = 0;
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  if (width == 0) width = static_cast<std::size_t>(std::max(terminal_columns(standard_error), 0));
  return width == 0 ? standard_width : width;
}

}  // namespace

ProgressStyle progress_style(bool is_terminal) {
  return {is_terminal && environment("TERM") != "dumb", terminal_width()};
}

ProgressDisplay::ProgressDisplay(std::ostream& out, ProgressStyle style, const Clock& clock)
    : out_(out), style_(style), clock_(clock) {}

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
    rewrite(to_text(progress));
  } else {
    out_ << to_text(progress) << std::endl;
  }
}

// The last column stays free: writing there would begin a new line on some terminals.
void ProgressDisplay::rewrite(std::string line) {
  line.resize(std::min(line.size(), style_.width - 1));
  const auto length = line.size();
  line.resize(std::max(length, written_), ' ');
  out_ << '\r' << line << std::flush;
  written_ = length;
}

void ProgressDisplay::log(const std::string& line) {
  clear();
  out_ << line << std::endl;
}

void ProgressDisplay::clear() {
  if (written_ > 0) out_ << '\r' << std::string(written_, ' ') << '\r' << std::flush;
  written_ = 0;
}

std::string to_text(const Progress& progress) {
  std::string text = std::to_string(progress.done) + "/" + std::to_string(progress.known) + " points, " +
                     rough_duration(progress.elapsed);
  if (progress.left.count > 0) text += ", about " + rough_duration(progress.left) + " left";
  if (!progress.current.empty()) text += ": " + printable(progress.current);
  return text;
}

}  // namespace assay
