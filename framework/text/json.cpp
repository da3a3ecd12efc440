// SPDX-License-Identifier: Apache-2.0
// Access to JSON values, with errors that name what was found, and JSON values as text.
#include "text/json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/escape.hpp"
#include "base/value.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"

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

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

void append_unit(std::string& out, unsigned unit) { out += "\\u" + hex_of(unit, 4); }

// One or two units of UTF-16, as JSON has it.
void append_escape(std::string& out, char32_t code) {
  if (code <= 0xFFFF) return append_unit(out, code);
  append_unit(out, 0xD800U + ((code - 0x10000U) >> 10U));
  append_unit(out, 0xDC00U + (code & 0x3FFU));
}

// A byte below 0x80.
void append_ascii(std::string& out, char letter) {
  switch (letter) {
    // A page or picture that the text is put into would read these as its own.
    case '<':
    case '>':
    case '&':
      return append_escape(out, static_cast<unsigned char>(letter));
    case '"':
    case '\\':
      out += '\\';
      out += letter;
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      if (letter >= ' ' && letter != '\x7F')
        out += letter;
      else
        append_escape(out, static_cast<unsigned char>(letter));
  }
}

// A character at the start of `text`; none for a byte that is none. What would hide itself is escaped: among them are
// ends of lines to a script, though not to JSON.
void append_character(std::string& out, std::string_view text, const Character& character) {
  if (character.size == 0)
    out += replacement;
  else if (character.size == 1)
    append_ascii(out, text.front());
  else if (is_hidden(character.code))
    append_escape(out, character.code);
  else
    out += text.substr(0, character.size);
}

// Names of members and most words consist of nothing else.
bool is_plain(char letter) {
  return letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\' && letter != '<' && letter != '>' &&
         letter != '&';
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  const auto special = std::find_if_not(text.begin(), text.end(), is_plain);
  out.append(text.begin(), special);
  for (auto at = static_cast<std::size_t>(special - text.begin()); at < text.size();) {
    const Character character = character_at(text, at);
    append_character(out, text.substr(at), character);
    at += std::max<std::size_t>(character.size, 1);
  }
  out += '"';
}

void append_real(std::string& out, double value) {
  std::string text = to_text(value);
  if (!std::isfinite(value)) return append_string(out, std::isnan(value) ? "nan" : text);
  // Without a point or an exponent it would read back as an integer.
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  out += text;
}

struct Writer {
  std::string& out;

  void operator()(std::monostate) const { out += "null"; }
  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(std::int64_t value) const { out += std::to_string(value); }
  void operator()(double value) const { append_real(out, value); }
  void operator()(const std::string& value) const { append_string(out, value); }
  void operator()(const Json::Array& items) const {
    out += '[';
    for (const Json& item : items) {
      if (&item != &items.front()) out += ',';
      item.visit(*this);
    }
    out += ']';
  }
  void operator()(const Json::Object& members) const {
    out += '{';
    for (const auto& member : members) {
      if (&member != &members.front()) out += ',';
      append_string(out, member.first);
      out += ':';
      member.second.visit(*this);
    }
    out += '}';
  }
};

}  // namespace

std::string to_text(const Json& value) {
  std::string out;
  value.visit(Writer{out});
  return out;
}

}  // namespace assay
