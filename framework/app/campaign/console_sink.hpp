// SPDX-License-Identifier: Apache-2.0
// What is seen of points while their records are written.
#pragma once
#include <utility>

#include "app/campaign/progress.hpp"
#include "record/record.hpp"
#include "record/table/growing_table.hpp"

namespace assay {

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
