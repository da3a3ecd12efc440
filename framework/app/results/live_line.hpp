// SPDX-License-Identifier: Apache-2.0
// One line that is rewritten on a terminal while something is measured; occasionally a line elsewhere.
#pragma once
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "base/clock.hpp"

namespace assay {

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
