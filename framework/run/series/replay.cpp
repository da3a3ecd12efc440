// SPDX-License-Identifier: Apache-2.0
// Matching requests with answers by point.
#include "run/series/replay.hpp"

namespace assay {

Replay::Replay(std::vector<Finished>& finished) : finished_(finished) {
  for (std::size_t i = 0; i < finished.size(); ++i) answers_[to_text(finished[i].record.point)].push_back(i);
}

bool Replay::has_answer(const PointRequest& request) {
  const std::string point = to_text(request.point);
  asked_.insert(point);
  const auto found = answers_.find(point);
  if (found == answers_.end() || found->second.empty()) return false;
  due_.emplace(found->second.front(), request);
  found->second.pop_front();
  return true;
}

std::optional<std::pair<PointRequest, const Finished*>> Replay::next() {
  if (due_.empty()) return std::nullopt;
  const auto first = due_.begin();
  std::pair<PointRequest, const Finished*> found{std::move(first->second), &finished_[first->first]};
  due_.erase(first);
  return found;
}

void Replay::consume(const PointRequest& request, const Finished& answer) {
  first_visits_[to_text(request.point)] = answer.next_visit;
}

void Replay::remove_asked() {
  std::erase_if(finished_, [&](const Finished& one) { return asked_.contains(to_text(one.record.point)); });
}

}  // namespace assay
