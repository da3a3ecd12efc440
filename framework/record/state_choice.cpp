// SPDX-License-Identifier: Apache-2.0
// Exchanging a point's results for those of another state.
#include "record/state_choice.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

namespace assay {
namespace {

bool is_in(const Result& result, WantedState state) {
  switch (state) {
    case WantedState::alone:
      return result.state.sharing == Sharing::alone;
    case WantedState::shared:
      return result.state.sharing == Sharing::shared;
    case WantedState::any:
      return result.state == CoreState{};
  }
  return false;
}

bool is_of_same(const Result& a, const Result& b) { return a.quantity == b.quantity && a.regime == b.regime; }

struct Choice {
  std::function<bool(const Result&)> is_in;
  bool any = false;  ///< as found
  std::string name;
};

// The results that are chosen in the place of those that the point is answered with.
PointRecord with_chosen(PointRecord point, const Choice& choice) {
  const std::string primary = point.results.front().quantity;
  std::vector<Result> chosen;
  std::vector<Result> left;
  for (std::vector<Result>* results : {&point.others, &point.results})
    for (Result& result : *results) {
      // All batches were in one state: as found says the same.
      const bool stands = choice.any && results == &point.results &&
                          std::ranges::none_of(chosen, [&](const Result& other) { return is_of_same(other, result); });
      (stands || choice.is_in(result) ? chosen : left).push_back(std::move(result));
    }
  const auto is_most = [](const Result& a, const Result& b) { return a.summary.n > b.summary.n; };
  if (!chosen.empty()) {
    // The first of them is the headline.
    std::ranges::stable_sort(chosen, is_most);
    std::ranges::stable_partition(chosen, [&](const Result& result) { return result.quantity == primary; });
    // Other clocks and distances are states of their own.
    const CoreState headline = chosen.front().state;
    const auto further = std::ranges::stable_partition(
        chosen, [&](const Result& result) { return choice.any || result.state == headline; });
    std::ranges::move(further, std::back_inserter(left));
    chosen.erase(further.begin(), further.end());
  } else {
    point.outcome = Outcome::too_noisy;
    point.reason = "too few visits while the cores were " + choice.name;
  }
  point.results = std::move(chosen);
  point.others = std::move(left);
  return point;
}

}  // namespace

PointRecord in_state(PointRecord point, WantedState state) {
  if (point.results.empty() || is_in(point.results.front(), state)) return point;
  return with_chosen(std::move(point), {[state](const Result& result) { return is_in(result, state); },
                                        state == WantedState::any, to_text(state)});
}

PointRecord in_state(PointRecord point, const CoreState& state) {
  if (point.results.empty() || is_like(point.results.front().state, state)) return point;
  return with_chosen(std::move(point),
                     {[&state](const Result& result) { return is_like(result.state, state); }, false, to_text(state)});
}

void choose_state(std::vector<Record>& records, WantedState state) {
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record)) *point = in_state(std::move(*point), state);
}

void drop_other_states(std::vector<Record>& records) {
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record)) point->others.clear();
}

std::vector<const Result*> rows_by_state(const PointRecord& point) {
  std::vector<const Result*> rows;
  for (const Result& result : point.results) rows.push_back(&result);
  for (const Result& result : point.others)
    if (result.state != CoreState{}) rows.push_back(&result);
  return rows;
}

}  // namespace assay
