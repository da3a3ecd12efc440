// SPDX-License-Identifier: Apache-2.0
// Reading JSON text: nlohmann-json's event parser, and limits of our own. The only file that includes that library.
#include <charconv>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "text/json.hpp"

namespace assay {

namespace {

[[noreturn]] void fail_json(const std::string& what, std::size_t offset) {
  throw JsonError(what + " at byte " + std::to_string(offset));
}

// Reads characters and counts how far it came: the parser's events carry no position.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char*& reached) : at_(at), reached_(&reached) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  Cursor operator++(int) {
    Cursor before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Cursor& a, const Cursor& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// The library's lexer puts the locale's decimal point into the text of a real: any foreign character stands for it.
std::optional<double> exact_real(std::string text) {
  for (char& letter : text)
    if (std::string_view("0123456789+-eE").find(letter) == std::string_view::npos) letter = '.';
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Builds the tree from the parser's events. A level is a container that is not closed yet.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Builder(const JsonLimits& limits) : limits_(limits) {}
  bool null() override { return add({}); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override {
    if (value > static_cast<std::uint64_t>(INT64_MAX)) return refuse("integer out of range");
    return add(static_cast<std::int64_t>(value));
  }
  bool number_float(double, const std::string& text) override {
    const auto value = exact_real(text);
    return value ? add(*value) : refuse("number out of range");
  }
  bool string(std::string& value) override {
    return value.size() > limits_.string ? refuse("a string of more than " + std::to_string(limits_.string) + " bytes")
                                         : add(std::move(value));
  }
  bool binary(nlohmann::json::binary_t&) override { return refuse("binary value"); }
  bool start_object(std::size_t) override { return open({true, {}, {}, std::move(key_)}); }
  bool key(std::string& value) override {
    if (value.size() > limits_.string) return refuse("a name that is too long");
    key_ = std::move(value);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open({false, {}, {}, std::move(key_)}); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return refuse("not valid JSON");
  }

  const std::string& refusal() const { return refusal_; }
  Json take() { return std::move(root_); }

 private:
  struct Level {
    bool is_object;
    Json::Array items;
    Json::Object members;
    std::string key;  // under which the container stands in the one around it
  };

  bool refuse(std::string why) {
    refusal_ = std::move(why);
    return false;
  }
  bool open(Level level) {
    if (levels_.size() == limits_.levels) return refuse("more than " + std::to_string(limits_.levels) + " levels");
    levels_.push_back(std::move(level));
    return true;
  }
  bool close() {
    Level level = std::move(levels_.back());
    levels_.pop_back();
    key_ = std::move(level.key);
    return add(level.is_object ? Json(std::move(level.members)) : Json(std::move(level.items)));
  }
  bool add(Json value) {
    if (levels_.empty())
      root_ = std::move(value);
    else if (levels_.back().is_object)
      levels_.back().members.emplace_back(std::move(key_), std::move(value));
    else
      levels_.back().items.push_back(std::move(value));
    return true;
  }

  const JsonLimits& limits_;
  std::vector<Level> levels_;
  std::string key_;
  Json root_;
  std::string refusal_;
};

}  // namespace

Json parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.size) fail_json("more than " + std::to_string(limits.size) + " bytes of JSON", limits.size);
  // The library would take a zero byte for the end and ignore what follows.
  if (const auto zero = text.find('\0'); zero != text.npos) fail_json("zero byte", zero);
  const char* reached = text.data();
  Builder builder(limits);
  const Cursor first(text.data(), reached);
  const Cursor last(text.data() + text.size(), reached);
  if (!nlohmann::json::sax_parse(first, last, &builder)) {
    const auto offset = static_cast<std::size_t>(reached - text.data());
    fail_json(builder.refusal(), offset);
  }
  return builder.take();
}

}  // namespace assay
