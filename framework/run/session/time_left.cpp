// SPDX-License-Identifier: Apache-2.0
// Mean and pace.
#include "run/session/time_left.hpp"

#include <algorithm>

#include "text/number_format.hpp"

namespace assay {

Nanoseconds TimeLeft::estimate(Nanoseconds elapsed, std::size_t open, Nanoseconds on_open, std::size_t waiting) const {
  if (points_ == 0 || !(spent_ > Nanoseconds{})) return {};
  const Nanoseconds mean = spent_ / points_;
  const Nanoseconds of_open =
      std::max(mean * static_cast<double>(open) - on_open, open > 0 ? on_open / 2 : Nanoseconds{});
  const Nanoseconds remaining = of_open + mean * static_cast<double>(waiting);
  return elapsed * (remaining / (spent_ + on_open));
}

namespace {

constexpr std::size_t most_named = 3;

}  // namespace

void Unfinished::add(const PointRecord& record) {
  if (!record.unfinished && record.outcome != Outcome::aborted) return;
  Some& some = series_[record.series];
  if (++some.count <= most_named) some.named.push_back(to_text(record.point));
}

std::vector<NoteRecord> Unfinished::notes(int session) const {
  std::vector<NoteRecord> notes;
  for (const auto& [series, some] : series_) {
    std::string text = "series " + series + ": " + counted(some.count, "point") + " unfinished when session " +
                       std::to_string(session + 1) + " ended";
    for (std::size_t i = 0; i < some.named.size(); ++i)
      if (!some.named[i].empty()) text += (i == 0 ? ": " : "; ") + some.named[i];
    if (some.count > some.named.size()) text += " and " + std::to_string(some.count - some.named.size()) + " more";
    notes.push_back({text});
  }
  return notes;
}

}  // namespace assay
