// SPDX-License-Identifier: Apache-2.0
// Each bound is applied where nothing was said of its key on the command line.
#include "app/config/quick.hpp"

#include <algorithm>
#include <set>

#include "app/config/resolved.hpp"

namespace assay {
namespace {

constexpr double accuracy = 0.1;
constexpr Nanoseconds time_of_point = milliseconds(300);
constexpr int processes = 3;
constexpr std::size_t points_of_line = 7;

std::string key_of(const std::string& setting) {
  const std::string name = setting.substr(0, setting.find('='));
  return name.substr(name.rfind('.') + 1);
}

class Quick {
 public:
  explicit Quick(const std::vector<std::string>& set) {
    for (const std::string& setting : set) kept_.insert(key_of(setting));
  }

  void apply(Precision& precision) const {
    RuleSpec& rule = precision.rule;
    if (is_free("eps") && is_free("rule")) rule = loosened(std::move(rule), accuracy);
    if (is_free("max-time"))
      rule.budget.max_time = std::min(rule.budget.max_time.value_or(time_of_point), time_of_point);
    if (is_free("incarnations")) precision.incarnations = std::min(precision.incarnations, processes);
    if (is_free("max-incarnations")) rule.max_incarnations = std::max(precision.incarnations, processes);
    if (is_free("span")) precision.span = {};
    if (is_free("max-points")) precision.max_points = std::min(precision.max_points, points_of_line);
  }

 private:
  bool is_free(const char* key) const { return !kept_.contains(key); }
  std::set<std::string> kept_;
};

}  // namespace

void make_quick(CampaignPlan& plan, const std::vector<std::string>& set) {
  const Quick quick(set);
  for (SeriesPlan& series : plan.series) quick.apply(series.precision);
  plan.configuration = resolved_text(plan);
}

}  // namespace assay
