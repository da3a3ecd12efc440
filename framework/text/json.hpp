// SPDX-License-Identifier: Apache-2.0
// Room: reading and writing text: JSON, INI, CSV, numbers and words for people.
// JSON text: a small tree, a writer with exact numbers, and a reader with limits.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace assay {

/// A JSON value. Objects keep the order of their members. Integers and reals are kept apart, so that both read back
/// exactly.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;
  Json(bool value) : value_(value) {}                           // NOLINT(google-explicit-constructor)
  Json(std::int64_t value) : value_(value) {}                   // NOLINT(google-explicit-constructor)
  Json(int value) : value_(std::int64_t{value}) {}              // NOLINT(google-explicit-constructor)
  Json(double value) : value_(value) {}                         // NOLINT(google-explicit-constructor)
  Json(std::string value) : value_(std::move(value)) {}         // NOLINT(google-explicit-constructor)
  Json(std::string_view value) : value_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  Json(const char* value) : value_(std::string(value)) {}       // NOLINT(google-explicit-constructor)
  Json(Array value) : value_(std::move(value)) {}               // NOLINT(google-explicit-constructor)
  Json(Object value) : value_(std::move(value)) {}              // NOLINT(google-explicit-constructor)

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_integer() const { return std::holds_alternative<std::int64_t>(value_); }
  /// Typed access; throws JsonError naming the type found. A real that was written as an integer is accepted as
  /// number().
  bool boolean() const;
  std::int64_t integer() const;
  double number() const;
  const std::string& string() const;
  const Array& array() const;
  const Object& object() const;
  /// A member of an object; throws JsonError when it is missing.
  const Json& at(std::string_view key) const;
  /// A member of an object, or nullptr.
  const Json* find(std::string_view key) const;
  /// Appends a member to an object (a null value becomes an empty object first).
  Json& set(std::string key, Json value);
  /// Calls `visitor` with the value as what it is: std::monostate for null, bool, std::int64_t, double, std::string,
  /// Array or Object.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit(std::forward<Visitor>(visitor), value_);
  }

  friend bool operator==(const Json&, const Json&) = default;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

/// Malformed text, or a value of another type than expected.
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One line of JSON. Reals in the shortest form that reads back exactly, with ".0" when they look integral; non-finite
/// reals as the strings "nan", "inf", "-inf", which number() reads back. Control characters escaped; invalid UTF-8
/// replaced by U+FFFD.
std::string to_text(const Json& value);

/// What parse_json accepts of untrusted text.
struct JsonLimits {
  std::size_t size = std::size_t{16} << 20U;  ///< bytes of the whole text
  std::size_t levels = 64;
  std::size_t string = std::size_t{16} << 20U;  ///< bytes of one string, names of members included
};
/// Longest text that is accepted where nothing else is said.
inline constexpr std::size_t json_size_limit = JsonLimits{}.size;
/// Reads one JSON text within limits; whole numbers must fit 64 bits with sign. Throws JsonError with the byte offset.
Json parse_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace assay
