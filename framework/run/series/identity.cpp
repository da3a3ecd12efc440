// SPDX-License-Identifier: Apache-2.0
// Meanings as sorted facts, and their digests.
#include "run/series/identity.hpp"

#include <algorithm>
#include <map>

#include "text/sha256.hpp"

namespace assay {
namespace {

Facts in_order(Facts facts) {
  std::ranges::sort(facts);
  return facts;
}

std::string prefixed(const std::string& text) { return std::to_string(text.size()) + ':' + text; }

std::string list_of(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += prefixed(text);
  return list;
}

std::string start_of(const SeriesPlan& series) { return series.precision.warm_up > Nanoseconds{} ? "warm" : "cold"; }

void add_method(const CampaignPlan& plan, const std::string& prefix, Facts& facts) {
  facts.emplace_back(prefix + "schedule", to_text(plan.schedule));
  facts.emplace_back(prefix + "clock", plan.counter_clock ? "counter" : "monotonic");
}

void add_variant(const Variant& variant, const std::string& prefix, Facts& facts) {
  facts.emplace_back(prefix + "setup", variant.setup);
  facts.emplace_back(prefix + "teardown", variant.teardown);
  facts.emplace_back(prefix + "environment", list_of(variant.environment));
  facts.emplace_back(prefix + "program", variant.program);
  facts.emplace_back(prefix + "plugins", list_of(variant.plugins));
  if (!variant.build.empty()) facts.emplace_back(prefix + "build", variant.build);
  if (variant.loader.empty()) return;
  facts.emplace_back(prefix + "loader", variant.loader);
  facts.emplace_back(prefix + "libraries", list_of(variant.libraries));
}

void add_series(const SeriesPlan& series, Facts& facts) {
  const std::string prefix = "series." + series.name + ".";
  facts.emplace_back(prefix + "measurement", series.measurement.name);
  facts.emplace_back(prefix + "version", version_of(series));
  facts.emplace_back(prefix + "start", start_of(series));
  facts.emplace_back(prefix + "rule", unlimited(series.precision.rule));
  facts.emplace_back(prefix + "incarnations", std::to_string(series.precision.incarnations));
  for (const FactorDomain& factor : series.factors) facts.emplace_back(prefix + factor.name, to_text(factor.domain));
}

std::string difference(const std::string& key, const std::string& then, const std::string& now) {
  const auto text = [](const std::string& value) { return value.empty() ? "nothing" : value; };
  return key + ": " + text(then) + " then, " + text(now) + " now";
}

}  // namespace

std::string unlimited(RuleSpec rule) {
  rule.budget = {};
  return make_rule(rule)->text();
}

std::string version_of(const SeriesPlan& series) {
  const std::string version = std::to_string(series.measurement.version);
  return series.build.empty() ? version : version + ", build " + series.build;
}

Facts meaning_of(const CampaignPlan& plan, const SeriesPlan& series, const Point& point) {
  Facts facts{{"measurement", series.measurement.name}, {"version", version_of(series)}, {"start", start_of(series)}};
  add_method(plan, {}, facts);
  for (const auto& [factor, level] : point.levels()) facts.emplace_back("factor." + factor, to_text(level));
  if (const Variant* variant = variant_at(plan, point)) add_variant(*variant, "variant.", facts);
  return in_order(std::move(facts));
}

Facts meaning_of(const CampaignPlan& plan) {
  Facts facts;
  add_method(plan, "campaign.", facts);
  for (const Variant& variant : plan.variants) {
    add_variant(variant, "variant." + variant.name + ".", facts);
    if (!variant.against.empty()) facts.emplace_back("variant." + variant.name + ".against", variant.against);
  }
  for (const SeriesPlan& series : plan.series) add_series(series, facts);
  return in_order(std::move(facts));
}

std::string id_of(const Facts& meaning) {
  std::string text;
  for (const auto& [key, value] : meaning) text += prefixed(key) + prefixed(value);
  return digest_of(text);
}

std::string point_id(const CampaignPlan& plan, const SeriesPlan& series, const Point& point) {
  return id_of(meaning_of(plan, series, point));
}

std::vector<std::string> differences(const Facts& then, const Facts& now) {
  std::map<std::string, std::pair<std::string, std::string>> both;
  for (const auto& [key, value] : then) both[key].first = value;
  for (const auto& [key, value] : now) both[key].second = value;
  std::vector<std::string> found;
  for (const auto& [key, values] : both)
    if (values.first != values.second) found.push_back(difference(key, values.first, values.second));
  return found;
}

}  // namespace assay
