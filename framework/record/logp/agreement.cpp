// SPDX-License-Identifier: Apache-2.0
// Looking points up by the levels that two kinds share.
#include "record/logp/agreement.hpp"

#include <algorithm>

namespace assay {
namespace {

bool has(const std::vector<std::string>& factors, const std::string& factor) {
  return std::ranges::find(factors, factor) != factors.end();
}

// Texts of levels are distinct where levels are; none has a line end.
std::string levels_text(const Point& point, const std::vector<std::string>& factors) {
  std::string text;
  for (const std::string& factor : factors) text += to_text(point.level(factor)) + '\n';
  return text;
}

}  // namespace

void Agreement::add(const Point& point) { kinds_[kind_of(point)].points.emplace_back(count_++, &point); }

std::vector<std::size_t> Agreement::with(const Point& point) {
  const std::size_t asking = kind_of(point);
  std::vector<std::size_t> found;
  for (std::size_t asked = 0; asked < kinds_.size(); ++asked) {
    if (!may_agree(kinds_[asking], kinds_[asked])) continue;
    const Shared& among = shared(asking, asked);
    const auto same = among.by_levels.find(levels_text(point, among.factors));
    if (same != among.by_levels.end()) found.insert(found.end(), same->second.begin(), same->second.end());
  }
  std::ranges::sort(found);
  return found;
}

std::size_t Agreement::kind_of(const Point& point) {
  std::string names;
  for (const auto& [factor, level] : point.levels()) names += factor + '\n';
  const auto [known, is_new] = kind_by_factors_.try_emplace(std::move(names), kinds_.size());
  if (is_new)
    for (Kind& kind = kinds_.emplace_back(); const auto& [factor, level] : point.levels())
      kind.factors.push_back(factor);
  return known->second;
}

bool Agreement::may_agree(const Kind& a, const Kind& b) const {
  return has(a.factors, telling_) == has(b.factors, telling_);
}

Agreement::Shared& Agreement::shared(std::size_t asking, std::size_t asked) {
  const auto [entry, is_new] = shared_.try_emplace({asking, asked});
  Shared& found = entry->second;
  const Kind& kind = kinds_[asked];
  if (is_new)
    std::ranges::copy_if(kind.factors, std::back_inserter(found.factors),
                         [&](const std::string& factor) { return has(kinds_[asking].factors, factor); });
  for (; found.taken < kind.points.size(); ++found.taken) {
    const auto& [number, point] = kind.points[found.taken];
    found.by_levels[levels_text(*point, found.factors)].push_back(number);
  }
  return found;
}

}  // namespace assay
