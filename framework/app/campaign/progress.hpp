// SPDX-License-Identifier: Apache-2.0
// What is shown while a campaign runs: one line that is rewritten on a terminal, occasionally a line elsewhere, and
// each finished point.
#pragma once
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.hpp"
#include "record/record.hpp"
#include "record/table/growing_table.hpp"
#include "run/session/campaign.hpp"

namespace assay {

/// How much a terminal can do; from TERM, COLUMNS and the terminal driver.
struct ProgressStyle {
  bool rewrites = false;  ///< a line can be rewritten: a terminal, and not a dumb one
  std::size_t width = 80;
  std::function<std::size_t()> width_now = {};  ///< asked before each line, where the width may change
};
/// The style for standard error.
ProgressStyle progress_style(bool is_terminal);

/// Shows progress on a stream, at most four times a second where lines are rewritten, every 5 s elsewhere. Uses neither
/// colour nor escape sequences, and leaves room behind a line for what a terminal echoes of an interrupt. Removes its
/// line when it ends.
class ProgressDisplay {
 public:
  ProgressDisplay(std::ostream& out, ProgressStyle style, const Clock& clock);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  bool rewrites() const { return style_.rewrites; }
  /// Columns that a line has now.
  std::size_t width() const;
  void show(const Progress& progress);
  /// A line that stays.
  void log(const std::string& line);
  /// Removes the line that is being rewritten.
  void clear();

 private:
  bool is_due();
  void rewrite(const Progress& progress);

  std::ostream& out_;
  ProgressStyle style_;
  const Clock& clock_;
  std::optional<Instant> shown_;
  std::size_t written_ = 0;
};

/// "12/40 points, 35 s, about 2 min 5 s left, median 112.0 [111.2 .. 112.8] ns, 1.2 % disturbed: handoff channel=flag".
std::string to_text(const Progress& progress);

/// The same behind a bar, "[#####.....] ", in so many columns: of the time where it is known how much is left, else of
/// the points; without the bar where there is no room for one. What does not fit ends in "..".
std::string live_text(const Progress& progress, std::size_t columns);

/// True for a point with a result that does not keep what was asked for, or was disturbed too often.
bool is_marked(const Record& record);

/// Hands records on, reports each finished point once it is kept (as a row of a table where lines can be rewritten,
/// else as a line that stands for itself), and remembers whether one was marked.
class ConsoleSink final : public Sink {
 public:
  /// The next sink and the display are borrowed.
  ConsoleSink(Sink& next, ProgressDisplay& display, bool quiet, GrowingTable table)
      : next_(next), display_(display), quiet_(quiet), table_(std::move(table)) {}
  void write(const Record& record) override;
  bool saw_marked() const { return saw_marked_; }

 private:
  Sink& next_;
  ProgressDisplay& display_;
  bool quiet_;
  GrowingTable table_;
  bool saw_marked_ = false;
};

}  // namespace assay
