// SPDX-License-Identifier: Apache-2.0
// Texts of progress and of finished points.
#include "app/campaign/progress.hpp"

#include <algorithm>

#include "record/shown_value.hpp"
#include "record/table/table.hpp"
#include "text/number_format.hpp"
#include "text/printable.hpp"

namespace assay {

namespace {

std::string current_text(const CurrentValue& current) {
  const Estimate& estimate = current.estimate;
  const Scale scale = scale_of(estimate.value, current.unit);
  const ShownValue text = shown(estimate.value, estimate.interval, scale);
  return ", " + printable(estimate.statistic) + " " + text.value + " [" + text.low + " .. " + text.high + "] " +
         scale.name + ", " + percent_text(current.disturbed_share) + " % disturbed";
}

// Of the time, since points that are measured in turn all finish towards the end.
double share_done(const Progress& progress) {
  const Nanoseconds whole = progress.elapsed + progress.left;
  if (progress.left > Nanoseconds{}) return progress.elapsed / whole;
  return progress.known > 0 ? static_cast<double>(progress.done) / progress.known : 0;
}

}  // namespace

LiveText live_text(const Progress& progress) { return {to_text(progress), share_done(progress)}; }

std::string to_text(const Progress& progress) {
  std::string text = std::to_string(progress.done) + "/" + std::to_string(progress.known) + " points, " +
                     rough_duration(progress.elapsed);
  if (progress.left.count > 0) text += ", about " + rough_duration(progress.left) + " left";
  if (progress.value) text += current_text(*progress.value);
  if (!progress.current.empty()) text += ": " + printable(progress.current);
  return text;
}

bool is_marked(const Record& record) {
  const auto* point = std::get_if<PointRecord>(&record);
  if (point == nullptr) return false;
  const bool is_short =
      point->outcome == Outcome::max_time || point->outcome == Outcome::max_timings || lacks_batches(point->outcome);
  return is_short || std::ranges::any_of(point->results, &Result::noisy);
}

void ConsoleSink::write(const Record& record) {
  next_.write(record);
  saw_marked_ = saw_marked_ || is_marked(record);
  const auto* point = std::get_if<PointRecord>(&record);
  if (point == nullptr || quiet_) return;
  if (!display_.rewrites()) return display_.log(one_line(*point));
  for (const std::string& line : table_.add(*point, display_.width() - 1)) display_.log(line);
}

}  // namespace assay
