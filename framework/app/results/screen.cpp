// SPDX-License-Identifier: Apache-2.0
// The environment's word on colours and characters; carriage returns and blanks.
#include "app/results/screen.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ostream>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "platform/file/terminal.hpp"
#include "text/utf8.hpp"

namespace assay {
namespace {

constexpr int standard_output = 1;

bool is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale(variable(name));
    if (locale.empty()) continue;
    std::ranges::transform(locale, locale.begin(), [](char letter) {
      return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
    return locale.find("utf-8") != locale.npos || locale.find("utf8") != locale.npos;
  }
  return false;
}

}  // namespace

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

CommandOption colour_option() {
  return {"color",
          {"WHEN", word_value({"auto", "always", "never"})},
          "auto (the default: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never"};
}

ColourChoice colour_choice(const CommandLine& line) {
  const auto word = line.value<std::string>("color");
  if (word == "always") return ColourChoice::always;
  return word == "never" ? ColourChoice::never : ColourChoice::automatic;
}

TextStyle text_style(ColourChoice choice, bool is_terminal) {
  const bool is_dumb = variable("TERM") == "dumb";
  const bool by_itself = is_terminal && !is_dumb && variable("NO_COLOR").empty();
  const bool has_colour = choice == ColourChoice::always || (choice == ColourChoice::automatic && by_itself);
  const int columns = is_terminal ? terminal_columns(standard_output) : 0;
  return {has_colour, is_utf8() && !is_dumb, static_cast<std::size_t>(std::max(columns, 0))};
}

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

std::string bar_of(double share, std::size_t columns) {
  constexpr std::size_t least_columns = 50;  // of the line: fewer are for the numbers
  constexpr std::size_t least_cells = 6;
  constexpr std::size_t most_cells = 24;
  if (columns < least_columns) return {};
  const std::size_t cells = std::min(least_cells + (columns - least_columns) / 4, most_cells);
  const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(cells));
  return "[" + std::string(full, '#') + std::string(cells - full, '.') + "] ";
}

}  // namespace

LineStyle line_style(bool is_terminal) {
  return {is_terminal && variable("TERM") != "dumb", terminal_width(), terminal_width};
}

std::string live_line_text(const LiveText& text, std::size_t columns) {
  constexpr std::string_view cut = "..";
  std::string line = bar_of(text.share, columns) + text.text;
  if (display_width(line) <= columns) return line;
  if (columns <= cut.size()) return {};
  return std::string(beginning_within(line, columns - cut.size())).append(cut);
}

LiveLine::LiveLine(std::ostream& out, LineStyle style, const Clock& clock)
    : out_(out), style_(std::move(style)), clock_(clock) {}

LiveLine::~LiveLine() { clear(); }

bool LiveLine::is_due() {
  const Instant now = clock_.now();
  const auto interval = style_.rewrites ? rewrite_interval : line_interval;
  if (shown_ && now - *shown_ < interval) return false;
  shown_ = now;
  return true;
}

void LiveLine::show(const std::function<LiveText()>& text) {
  if (!is_due()) return;
  if (style_.rewrites) {
    rewrite(text());
  } else {
    out_ << text().text << std::endl;
  }
}

std::size_t LiveLine::width() const {
  return std::max(style_.width_now ? style_.width_now() : style_.width, kept_free);
}

void LiveLine::rewrite(const LiveText& text) {
  const std::size_t room = width() - kept_free;
  const std::string line = live_line_text(text, room);
  const std::size_t length = display_width(line);
  const std::string rest(std::min(written_, room) - std::min(length, std::min(written_, room)), ' ');
  out_ << '\r' << line << rest << std::flush;
  written_ = length + rest.size();
}

void LiveLine::log(const std::string& line) {
  clear();
  out_ << line << std::endl;
}

void LiveLine::clear() {
  if (written_ > 0) out_ << '\r' << std::string(std::min(written_ + echo, width() - 1), ' ') << '\r' << std::flush;
  written_ = 0;
}

}  // namespace assay
