// SPDX-License-Identifier: Apache-2.0
// What the reader's screen is asked to show, and the line on it that is rewritten while something is measured.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "app/cli/options.hpp"
#include "base/clock.hpp"
#include "text/text_style.hpp"

namespace assay {

/// A variable of the environment; empty where it is not set.
std::string_view variable(const char* name);

/// When colours are used.
enum class ColourChoice : std::uint8_t { automatic, always, never };

/// The option `--color` of what prints tables, and what it was given.
CommandOption colour_option();
ColourChoice colour_choice(const CommandLine& line);

/// Colours by choice: of itself on a terminal that is not a dumb one, where NO_COLOR is not set. Block elements where
/// the environment (LC_ALL, else LC_CTYPE, else LANG) says UTF-8, and TERM does not say dumb. Lines as wide as the
/// terminal's are now.
TextStyle text_style(ColourChoice choice, bool is_terminal);

/// How much a terminal can do; from TERM, COLUMNS and the terminal driver.
struct LineStyle {
  bool rewrites = false;  ///< a line can be rewritten: a terminal, and not a dumb one
  std::size_t width = 80;
  std::function<std::size_t()> width_now = {};  ///< asked before each line, where the width may change
};
/// The style for standard error.
LineStyle line_style(bool is_terminal);

/// What the line says, and how much is done, for a bar in front of it.
struct LiveText {
  std::string text;
  double share = 0;  ///< from 0 to 1
};

/// The text behind a bar, "[#####.....] ", in so many columns; without the bar where there is no room for one. What
/// does not fit ends in "..".
std::string live_line_text(const LiveText& text, std::size_t columns);

/// Shows such texts on a stream, at most four times a second where lines are rewritten, every 5 s elsewhere. Uses
/// neither colour nor escape sequences, and leaves room behind a line for what a terminal echoes of an interrupt.
/// Removes its line when it ends.
class LiveLine {
 public:
  /// The stream and the clock are borrowed.
  LiveLine(std::ostream& out, LineStyle style, const Clock& clock);
  ~LiveLine();
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;
  bool rewrites() const { return style_.rewrites; }
  /// Columns that a line has now.
  std::size_t width() const;
  /// Shows what `text` returns, which is asked only where a line is due.
  void show(const std::function<LiveText()>& text);
  /// A line that stays.
  void log(const std::string& line);
  /// Removes the line that is being rewritten.
  void clear();

 private:
  bool is_due();
  void rewrite(const LiveText& text);

  std::ostream& out_;
  LineStyle style_;
  const Clock& clock_;
  std::optional<Instant> shown_;
  std::size_t written_ = 0;
};

}  // namespace assay
