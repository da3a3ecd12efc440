// SPDX-License-Identifier: Apache-2.0
// Levels as JSON values of their own kind.
#include "record/journal/codec_point.hpp"

#include <cmath>
#include <stdexcept>

namespace assay {

namespace {

// A real that is not finite would read back as a word, so it stands in an object of its own.
Json encode_level(const Value& level) {
  const auto* real = std::get_if<double>(&level);
  if (real != nullptr && !std::isfinite(*real)) return Json::Object{{"real", *real}};
  return std::visit([](const auto& value) { return Json(value); }, level);
}

struct LevelFrom {
  Value operator()(std::int64_t value) const { return value; }
  Value operator()(double value) const { return value; }
  Value operator()(const std::string& value) const { return value; }
  Value operator()(const Json::Object& value) const { return Json(value).at("real").number(); }
  template <class Other>
  Value operator()(const Other&) const {
    throw JsonError("a level is neither a number nor a word");
  }
};

}  // namespace

Json encode(const Point& point) {
  Json::Object members;
  for (const auto& [factor, level] : point.levels()) members.emplace_back(factor, encode_level(level));
  return members;
}

Point decode_point(const Json& json) try {
  Point point;
  for (const auto& [factor, level] : json.object()) {
    if (point.find(factor) != nullptr) throw JsonError("factor '" + factor + "' stands twice in a point");
    point.set(factor, level.visit(LevelFrom{}));
  }
  return point;
} catch (const std::invalid_argument& refused) {
  throw JsonError(refused.what());
}

}  // namespace assay
