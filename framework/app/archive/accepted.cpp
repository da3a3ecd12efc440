// SPDX-License-Identifier: Apache-2.0
// Accepted values out of a campaign, to a file and back.
#include "app/archive/acceptance.hpp"

#include <cmath>

#include "app/results/comparability.hpp"
#include "base/error.hpp"
#include "text/json.hpp"
#include "text/scale.hpp"

namespace assay::history {
namespace {

constexpr const char* format = "assay-accepted-values";
constexpr std::int64_t file_version = 1;

Json json_of(const AcceptedValue& one) {
  return Json::Object{{"series", one.place.series},
                      {"measurement", one.place.measurement},
                      {"point", one.place.point},
                      {"quantity", one.place.quantity},
                      {"regime", one.place.regime},
                      {"unit", symbol(one.unit)},
                      {"low", one.low},
                      {"value", one.value},
                      {"high", one.high},
                      {"identity", one.identity},
                      {"state", one.state ? Json(to_text_with_step(*one.state)) : Json()}};
}

AcceptedValue accepted_value(const Json& json) {
  AcceptedValue one;
  one.place = {json.at("series").string(), json.at("measurement").string(), json.at("point").string(),
               json.at("quantity").string(), json.at("regime").string()};
  one.identity = json.at("identity").string();
  const auto unit = parse_unit(json.at("unit").string());
  if (!unit) throw JsonError("'unit' is none of the known ones");
  one.unit = *unit;
  if (const Json* state = json.find("state"); state != nullptr && !state->is_null()) {
    one.state = parse_core_state(state->string());
    if (!one.state) throw JsonError("'state' is no state of cores");
  }
  one.low = json.at("low").number();
  one.value = json.at("value").number();
  one.high = json.at("high").number();
  if (!(one.low <= one.high) || !std::isfinite(one.high - one.low)) throw JsonError("'low' and 'high' are no range");
  return one;
}

Json facts_json(const Facts& facts) {
  Json::Object object;
  for (const auto& [key, value] : facts) object.emplace_back(key, value);
  return object;
}

}  // namespace

AcceptedValues accepted_of(const Digest& digest, double tolerance) {
  AcceptedValues accepted{digest.entry.title, digest.entry.started, hard_facts(digest.entry.facts), {}};
  for (const Found& found : digest.found) {
    if (!found.is_usual || !found.is_sound || found.is_other) continue;
    const double room = tolerance * std::abs(found.known.value);
    accepted.values.push_back({found.place, found.identity, found.unit, found.known.interval.low - room,
                               found.known.value, found.known.interval.high + room, found.state});
  }
  return accepted;
}

std::string to_text(const AcceptedValues& accepted) {
  std::string text = "{\"format\":" + assay::to_text(Json(format)) + ",\"version\":" + std::to_string(file_version) +
                     ",\n\"title\":" + assay::to_text(Json(accepted.title)) +
                     ",\n\"started\":" + assay::to_text(Json(accepted.started)) +
                     ",\n\"facts\":" + assay::to_text(facts_json(accepted.facts)) + ",\n\"values\":[";
  for (std::size_t i = 0; i < accepted.values.size(); ++i)
    text += (i > 0 ? ",\n" : "\n") + assay::to_text(json_of(accepted.values[i]));
  return text + "\n]}\n";
}

AcceptedValues parse_accepted(std::string_view text, const std::string& name) {
  const std::string remedy = "; write a new one with 'assay history accept DIR --output FILE'";
  try {
    const Json json = parse_json(text);
    const Json* of = json.find("format");
    if (of == nullptr || *of != Json(format)) throw JsonError("is no file of accepted values");
    if (json.at("version").integer() > file_version) throw JsonError("is of a newer form than this assay knows");
    AcceptedValues accepted{json.at("title").string(), json.at("started").string(), {}, {}};
    for (const auto& [key, value] : json.at("facts").object()) accepted.facts.emplace_back(key, value.string());
    for (const Json& one : json.at("values").array()) {
      try {
        accepted.values.push_back(accepted_value(one));
      } catch (const JsonError& error) {
        throw JsonError("value " + std::to_string(accepted.values.size() + 1) + ": " + error.what());
      }
    }
    return accepted;
  } catch (const JsonError& error) {
    throw ResultError(name + ": " + error.what() + remedy);
  }
}

}  // namespace assay::history
