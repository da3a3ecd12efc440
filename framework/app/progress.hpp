// SPDX-License-Identifier: Apache-2.0
// What is shown while a campaign runs: one line that is rewritten on a terminal, now and then a line elsewhere.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "run/campaign.hpp"

namespace assay {

/// How much a terminal can do; from TERM, COLUMNS and the terminal driver.
struct ProgressStyle {
  bool rewrites = false;  ///< a line can be rewritten: a terminal, and not a dumb one
  std::size_t width = 80;
};
/// The style for standard error.
ProgressStyle progress_style(bool is_terminal);

/// Shows progress on a stream, at most every 100 ms where lines are rewritten, every 5 s elsewhere. Uses neither colour
/// nor escape sequences.
class ProgressDisplay {
 public:
  ProgressDisplay(std::ostream& out, ProgressStyle style, const Clock& clock);
  void show(const Progress& progress);
  /// A line that stays.
  void log(const std::string& line);
  /// Removes the line that is being rewritten.
  void clear();

 private:
  bool is_due();
  void rewrite(std::string line);

  std::ostream& out_;
  ProgressStyle style_;
  const Clock& clock_;
  std::optional<Instant> shown_;
  std::size_t written_ = 0;
};

/// "12/40 points, 35 s, about 2 min 5 s left: handoff channel=flag".
std::string to_text(const Progress& progress);

}  // namespace assay
