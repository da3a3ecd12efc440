// SPDX-License-Identifier: Apache-2.0
// Access to JSON values with errors that name what was found.
#include "text/json.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace assay {

namespace {

struct KindOf {
  const char* operator()(std::monostate) const { return "null"; }
  const char* operator()(bool) const { return "a truth value"; }
  const char* operator()(std::int64_t) const { return "an integer"; }
  const char* operator()(double) const { return "a real"; }
  const char* operator()(const std::string&) const { return "a string"; }
  const char* operator()(const Json::Array&) const { return "an array"; }
  const char* operator()(const Json::Object&) const { return "an object"; }
};

[[noreturn]] void fail(const char* wanted, const Json& found) {
  throw JsonError(std::string("expected ") + wanted + ", found " + found.visit(KindOf{}));
}

std::optional<double> non_finite(std::string_view text) {
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

}  // namespace

bool Json::boolean() const {
  if (const auto* value = std::get_if<bool>(&value_)) return *value;
  fail("a truth value", *this);
}

std::int64_t Json::integer() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  fail("an integer", *this);
}

double Json::number() const {
  if (const auto* real = std::get_if<double>(&value_)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*integer);
  if (const auto* text = std::get_if<std::string>(&value_))
    if (const auto value = non_finite(*text)) return *value;
  fail("a number", *this);
}

const std::string& Json::string() const {
  if (const auto* value = std::get_if<std::string>(&value_)) return *value;
  fail("a string", *this);
}

const Json::Array& Json::array() const {
  if (const auto* value = std::get_if<Array>(&value_)) return *value;
  fail("an array", *this);
}

const Json::Object& Json::object() const {
  if (const auto* value = std::get_if<Object>(&value_)) return *value;
  fail("an object", *this);
}

const Json& Json::at(std::string_view key) const {
  if (const Json* found = find(key)) return *found;
  throw JsonError("missing member '" + std::string(key) + "'");
}

const Json* Json::find(std::string_view key) const {
  for (const auto& [name, value] : object())
    if (name == key) return &value;
  return nullptr;
}

Json& Json::set(std::string key, Json value) {
  if (is_null()) value_ = Object{};
  if (!std::holds_alternative<Object>(value_)) fail("an object", *this);
  std::get<Object>(value_).emplace_back(std::move(key), std::move(value));
  return *this;
}

}  // namespace assay
