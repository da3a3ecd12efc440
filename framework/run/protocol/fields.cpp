// SPDX-License-Identifier: Apache-2.0
// Types and ranges of message members.
#include "run/protocol/fields.hpp"

#include <algorithm>
#include <cmath>

namespace assay {

Fields::Fields(const Json& object, std::string where) : object_(nullptr), where_(std::move(where)) {
  try {
    object_ = &object.object();
  } catch (const JsonError& error) {
    throw JsonError(where_ + ": " + error.what());
  }
}

void Fields::fail(std::string_view key, const std::string& why) const {
  throw JsonError(where_ + "." + std::string(key) + ": " + why);
}

const Json& Fields::find(std::string_view key) const {
  const auto found = std::ranges::find(*object_, key, &Json::Object::value_type::first);
  if (found == object_->end()) fail(key, "missing");
  return found->second;
}

const Json& Fields::take(std::string_view key) {
  ++taken_;
  return find(key);
}

template <class Read>
auto Fields::read(std::string_view key, Read reader) -> decltype(reader(std::declval<const Json&>())) {
  const Json& value = take(key);
  try {
    return reader(value);
  } catch (const JsonError& error) {
    fail(key, error.what());
  }
}

std::int64_t Fields::integer(std::string_view key, std::int64_t least, std::int64_t most) {
  const std::int64_t value = read(key, [](const Json& json) { return json.integer(); });
  if (value < least || value > most)
    fail(key, std::to_string(value) + " is not within " + std::to_string(least) + ".." + std::to_string(most));
  return value;
}

int Fields::small(std::string_view key, int least, int most) { return static_cast<int>(integer(key, least, most)); }

bool Fields::flag(std::string_view key) {
  return read(key, [](const Json& json) { return json.boolean(); });
}

std::string Fields::text(std::string_view key) {
  return read(key, [](const Json& json) { return json.string(); });
}

std::string Fields::non_empty(std::string_view key) {
  std::string found = text(key);
  if (found.empty()) fail(key, "empty");
  return found;
}

double Fields::number(std::string_view key) {
  const double value = read(key, [](const Json& json) { return json.number(); });
  if (!std::isfinite(value)) fail(key, "not a finite number");
  return value;
}

Nanoseconds Fields::duration(std::string_view key) {
  const double value = number(key);
  if (value < 0) fail(key, "a negative duration");
  return {value};
}

std::optional<Nanoseconds> Fields::optional_duration(std::string_view key) {
  if (!find(key).is_null()) return duration(key);
  ++taken_;
  return std::nullopt;
}

const Json::Array& Fields::array(std::string_view key) {
  return read(key, [](const Json& json) -> const Json::Array& { return json.array(); });
}

std::vector<std::string> Fields::texts(std::string_view key) {
  return read(key, [](const Json& json) {
    std::vector<std::string> found;
    for (const Json& item : json.array()) found.push_back(item.string());
    return found;
  });
}

void Fields::done() const {
  if (taken_ != object_->size())
    throw JsonError(where_ + ": " + std::to_string(object_->size()) + " members where " + std::to_string(taken_) +
                    " are expected");
}

}  // namespace assay
