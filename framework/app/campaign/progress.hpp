// SPDX-License-Identifier: Apache-2.0
// What is shown while a campaign runs: a live line, and each finished point.
#pragma once
#include <string>
#include <utility>

#include "app/results/screen.hpp"
#include "record/record.hpp"
#include "record/table/growing_table.hpp"
#include "run/session/campaign.hpp"

namespace assay {

/// "12/40 points, 35 s, about 2 min 5 s left, median 112.0 [111.2 .. 112.8] ns, 1.2 % disturbed: handoff channel=flag".
std::string to_text(const Progress& progress);

/// The same, and the share that is done: of the time where it is known how much is left, else of the points.
LiveText live_text(const Progress& progress);

/// True for a point with a result that does not keep what was asked for, or was disturbed too often.
bool is_marked(const Record& record);

/// Hands records on, reports each finished point once it is kept (as a row of a table where lines can be rewritten,
/// else as a line that stands for itself), and remembers whether one was marked.
class ConsoleSink final : public Sink {
 public:
  /// The next sink and the display are borrowed.
  ConsoleSink(Sink& next, LiveLine& display, bool quiet, GrowingTable table)
      : next_(next), display_(display), quiet_(quiet), table_(std::move(table)) {}
  void write(const Record& record) override;
  bool saw_marked() const { return saw_marked_; }

 private:
  Sink& next_;
  LiveLine& display_;
  bool quiet_;
  GrowingTable table_;
  bool saw_marked_ = false;
};

}  // namespace assay
