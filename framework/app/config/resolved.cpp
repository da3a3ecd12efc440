// SPDX-License-Identifier: Apache-2.0
// Writes sections and keys in the order of the option table.
#include "app/config/resolved.hpp"

#include <algorithm>

#include "app/config/precision.hpp"
#include "app/config/variants.hpp"
#include "base/typed.hpp"
#include "run/session/launches.hpp"
#include "text/ini.hpp"
#include "text/words.hpp"

namespace assay {

namespace {

std::string key_line(const std::string& key, const std::string& value) { return key + " = " + value + "\n"; }

std::string campaign_text(const CampaignPlan& plan) {
  std::string text =
      "[campaign]\n" + key_line("title", value_text(plan.title)) + key_line("seed", std::to_string(plan.seed));
  if (plan.time_limit) text += key_line("time-limit", duration_text(*plan.time_limit));
  text += key_line("reserve", duration_text(plan.reserve));
  text += key_line("max-failures", std::to_string(plan.breaker.in_a_row));
  text += key_line("max-failed", to_text(plan.breaker.share));
  text += key_line("sessions", std::to_string(plan.sessions)) + key_line("every", duration_text(plan.every));
  text += key_line("schedule", to_text(plan.schedule));
  text += key_line("layout", value_text(plan.layout));
  text += key_line("clock", plan.counter_clock ? "counter" : "monotonic");
  text += key_line("max-workers", std::to_string(plan.max_workers));
  text += key_line("durability", to_text(plan.durability));
  if (plan.limits.memory) text += key_line("worker-memory", std::to_string(*plan.limits.memory));
  if (plan.limits.keep_cores) text += key_line("keep-cores", "yes");
  if (!plan.launcher.empty()) text += key_line("launcher", value_text(plan.launcher));
  if (std::ranges::any_of(plan.series, is_launched))
    text += key_line("relaunch", std::to_string(plan.relaunches)) +
            key_line("launch-deadline", duration_text(plan.launch_deadline));
  if (!plan.plugins.empty())
    text += key_line("plugins", value_text(joined(plan.plugins))) +
            key_line("plugin-deadline", duration_text(plan.plugin_deadline));
  return text;
}

std::string series_text(const SeriesPlan& series) {
  std::string text = "\n[series." + series.name + "]\n" + key_line("measurement", series.measurement.name);
  for (const FactorDomain& factor : series.factors) text += key_line(factor.name, to_text(factor.domain));
  for (const std::string& refused : series.refused) text += "# this machine cannot have " + refused + "\n";
  for (const DerivedSpec& spec : series.derived) text += key_line("derive." + spec.name, spec.text);
  text += "# rule in full: " + make_rule(series.precision.rule)->text() + "\n";
  for (const auto& [key, value] : precision_text(series.precision)) text += key_line(key, value);
  return text;
}

}  // namespace

std::string resolved_text(const CampaignPlan& plan) {
  std::string text = campaign_text(plan);
  for (const Variant& variant : plan.variants) text += section_text(variant);
  for (const SeriesPlan& series : plan.series) text += series_text(series);
  return text;
}

}  // namespace assay
