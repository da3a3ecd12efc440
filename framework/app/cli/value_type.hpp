// SPDX-License-Identifier: Apache-2.0
// Types of options' values, with their ranges and words: what Boost.Program_options reads values by.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/typed.hpp"
#include "base/units.hpp"

namespace assay {

/// A value by its option's type. Empty where it is left to the framework, as `auto`.
using OptionValue = std::variant<std::monostate, std::string, std::int64_t, std::uint64_t, double, Nanoseconds>;

/// A text that is no value of its option; what() begins with the option's name.
class BadValue : public std::runtime_error {
 public:
  BadValue(const std::string& what, std::string why, std::string remedy)
      : std::runtime_error(what), why_(std::move(why)), remedy_(std::move(remedy)) {}
  const std::string& why() const { return why_; }
  const std::string& remedy() const { return remedy_; }

 private:
  std::string why_;
  std::string remedy_;
};

/// What the values of an option are.
struct ValueType {
  std::string name;  ///< as documents call it: "count", "share"
  /// Reads a value of the option that is named. Throws BadValue.
  std::function<OptionValue(const std::string& option, const std::string& text)> read;
  std::vector<std::string> words;  ///< all that it can be, where these are fixed words
};

/// Counts without another limit end here.
inline constexpr std::int64_t most_count = 1'000'000'000;
inline constexpr std::int64_t any_count = std::numeric_limits<std::int64_t>::max();

/// Any text, without the quotes around it.
ValueType text_value();
/// What is read where its context is known; `name` is what documents call it.
ValueType raw_value(std::string name);
/// One of some words.
ValueType word_value(std::vector<std::string> words);
/// A whole number from `least` to `most`: an std::int64_t.
ValueType count_value(std::int64_t least = 0, std::int64_t most = most_count);
/// A whole number up to 2^64-1: an std::uint64_t.
ValueType seed_value();
/// What a share may be beside what lies between 0 and 1.
enum class Ends : std::uint8_t { none, zero, both };
/// A number or percentage: a double.
ValueType share_value(Ends ends);
ValueType share_value(const ShareRange& range);
/// Nanoseconds of at least 0, or above it.
ValueType duration_value();
ValueType duration_above_zero();
/// A number above 0, times in nanoseconds: a double. `remedy` says what to do for none.
ValueType amount_value(std::string remedy);
/// The type's values, and `auto`.
ValueType or_auto(ValueType type);

}  // namespace assay
