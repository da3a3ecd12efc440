// SPDX-License-Identifier: Apache-2.0
// What is shown while a campaign runs: one line that is rewritten on a terminal, occasionally a line elsewhere.
#pragma once
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "base/clock.hpp"
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
  void show(const Progress& progress);
  /// A line that stays.
  void log(const std::string& line);
  /// Removes the line that is being rewritten.
  void clear();

 private:
  bool is_due();
  void rewrite(const std::string& line);
  std::size_t width() const;

  std::ostream& out_;
  ProgressStyle style_;
  const Clock& clock_;
  std::optional<Instant> shown_;
  std::size_t written_ = 0;
};

/// "12/40 points, 35 s, about 2 min 5 s left, median 112.0 [111.2 .. 112.8] ns, 1.2 % disturbed: handoff channel=flag".
std::string to_text(const Progress& progress);

}  // namespace assay
