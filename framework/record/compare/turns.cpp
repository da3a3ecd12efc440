// SPDX-License-Identifier: Apache-2.0
// Leads of one level over another, visit by visit.
#include "record/compare/turns.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "record/journal/journal.hpp"

namespace assay {

namespace {

/// A first visit that warms up, and one by which a round began with the other level.
constexpr int most_ahead = 2;

// How many visits of one incarnation were in turn.
int in_turn(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<std::pair<int, int>> order;  // number of the visit, and whose
  for (const int visit : a) order.emplace_back(visit, 1);
  for (const int visit : b) order.emplace_back(visit, -1);
  std::ranges::sort(order);
  int lead = 0;
  int counted = 0;
  for (const auto& visit : order) {
    lead += visit.second;
    if (std::abs(lead) <= most_ahead) ++counted;
  }
  return counted;
}

}  // namespace

std::string Turns::name_of(const std::string& series, const Point& point, const std::string& level) {
  return about(series, point) + '\n' + level;
}

void Turns::add(const VisitRecord& visit) {
  if (visit.point.find(factor_) == nullptr) return;
  const auto name = name_of(visit.series, visit.point.without(factor_), visit.point.text(factor_));
  visits_[name][{visit.session, visit.incarnation}].push_back(visit.visit);
}

const Turns::Visits& Turns::visits_of(const std::string& name) const {
  static const Visits none;
  const auto found = visits_.find(name);
  return found == visits_.end() ? none : found->second;
}

std::size_t Turns::count_of(const Visits& visits) {
  std::size_t count = 0;
  for (const auto& process : visits) count += process.second.size();
  return count;
}

Turns::Visits Turns::by_session(const Visits& visits) {
  Visits merged;
  for (const auto& [process, numbers] : visits) {
    std::vector<int>& all = merged[{process.first, 0}];
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return merged;
}

int Turns::in_turn_of(const Visits& a, const Visits& b) {
  const auto visits = [](const Visits& side, const Process& process) {
    const auto found = side.find(process);
    return found == side.end() ? std::vector<int>() : found->second;
  };
  std::set<Process> processes;
  for (const Visits* side : {&a, &b})
    for (const auto& process : *side) processes.insert(process.first);
  int counted = 0;
  for (const Process& process : processes)
    if (has_session(a, process.first) && has_session(b, process.first))
      counted += in_turn(visits(a, process), visits(b, process));
  return counted;
}

bool Turns::has_session(const Visits& visits, int session) {
  return std::ranges::any_of(visits, [session](const auto& process) { return process.first.first == session; });
}

double Turns::share(const std::string& series, const Point& point, const std::string& a, const std::string& b) const {
  const Visits& of_a = visits_of(name_of(series, point, a));
  const Visits& of_b = visits_of(name_of(series, point, b));
  const std::size_t all = count_of(of_a) + count_of(of_b);
  if (all == 0) return 1;
  // A level with more incarnations gives fewer visits to each of them.
  const int counted = std::max(in_turn_of(of_a, of_b), in_turn_of(by_session(of_a), by_session(of_b)));
  return static_cast<double>(counted) / static_cast<double>(all);
}

}  // namespace assay
