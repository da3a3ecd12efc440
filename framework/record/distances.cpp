// SPDX-License-Identifier: Apache-2.0
// Results by the distance of the members.
#include "record/distances.hpp"

#include <algorithm>

#include "record/grouping.hpp"

namespace assay {

namespace {

constexpr double least_shown_regime = 0.25;  // as tables show a regime
constexpr double least_shown_state = 0.05;   // as tables show a state of the cores

// Other states that tables show, and whose value is known at all.
bool is_useful(const Result& other) {
  return other.state.distance_ns > 0 && other.state.sharing != Sharing::shared &&
         other.state_share >= least_shown_state && other.headline.relative_half_width() < 0.5;
}

// Whether the members were at another distance than for those found before.
bool is_elsewhere(const Result& other, const std::vector<const Result*>& found, const PointRecord& point) {
  return std::ranges::all_of(found, [&](const Result* one) {
    return factor_between(distance_of(point, *one), other.state.distance_ns) > same_distance;
  });
}

}  // namespace

bool polls_throughout(const Result& result) {
  return result.regime == Regime::spin && result.regime_share >= hardly_any_other;
}

double distance_of(const PointRecord& point, const Result& result) {
  return result.state.distance_ns > 0 ? result.state.distance_ns : point.reference.median;
}

std::vector<const Result*> results_by_distance(const PointRecord& point, const std::string& quantity,
                                               std::optional<Regime> regime) {
  const Result* headline = regime ? find_result(point, quantity, *regime) : dominant_result(point, quantity);
  std::vector<const Result*> found;
  if (headline == nullptr) return found;
  if (!regime || headline->regime_share >= least_shown_regime) found.push_back(headline);
  for (const Result& other : point.others)
    if (other.quantity == quantity && other.regime == headline->regime &&
        other.state.spread == headline->state.spread && is_useful(other) && is_elsewhere(other, found, point))
      found.push_back(&other);
  return found;
}

}  // namespace assay
