// SPDX-License-Identifier: Apache-2.0
// A line for each finished point.
#include "app/campaign/console_sink.hpp"

#include <algorithm>

#include "record/table/table.hpp"

namespace assay {

bool is_marked(const Record& record) {
  const auto* point = std::get_if<PointRecord>(&record);
  if (point == nullptr) return false;
  const bool is_short = point->outcome == Outcome::max_time || point->outcome == Outcome::max_timings ||
                        point->outcome == Outcome::too_noisy || point->outcome == Outcome::as_found;
  return is_short || std::ranges::any_of(point->results, &Result::noisy);
}

void ConsoleSink::write(const Record& record) {
  next_.write(record);
  saw_marked_ = saw_marked_ || is_marked(record);
  const auto* point = std::get_if<PointRecord>(&record);
  if (point == nullptr || quiet_) return;
  if (!display_.rewrites()) return display_.log(one_line(*point));
  for (const std::string& line : table_.add(*point)) display_.log(line);
}

}  // namespace assay
