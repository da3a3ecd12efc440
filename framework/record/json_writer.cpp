// SPDX-License-Identifier: Apache-2.0
// JSON values as text.
#include <cmath>

#include "base/value.hpp"
#include "record/json.hpp"
#include "record/utf8.hpp"

namespace assay {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

void append_control(std::string& out, char control) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(control);
  out += "\\u00";
  out += digits[byte >> 4U];
  out += digits[byte & 15U];
}

// A byte below 0x80.
void append_ascii(std::string& out, char letter) {
  switch (letter) {
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
        append_control(out, letter);
  }
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_at(text, at).size;
    if (size == 1)
      append_ascii(out, text[at]);
    else
      out += size == 0 ? replacement : text.substr(at, size);
    at += size == 0 ? 1 : size;
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
