// SPDX-License-Identifier: Apache-2.0
// A checked reader of one JSON object of a message: each member has its type, its range, and no unknown one beside it,
// since both sides are one program. Journals, of which other versions are read, have record/journal/codec_parts.hpp.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "text/json.hpp"

namespace assay {

/// The words of an enumeration in messages.
template <class E, std::size_t N>
using Words = std::array<std::pair<E, std::string_view>, N>;

/// The word of a value, which must be in the table.
template <class E, std::size_t N>
std::string_view word_of(const Words<E, N>& words, E value) {
  for (const auto& [candidate, word] : words)
    if (candidate == value) return word;
  throw JsonError("a value without a word");
}

/// Reads members by name. Every function throws JsonError saying where and what when the member is missing, has another
/// type or is out of range.
class Fields {
 public:
  /// `where` names the object in errors. The object is borrowed.
  Fields(const Json& object, std::string where);

  const Json& take(std::string_view key);
  std::int64_t integer(std::string_view key, std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t most = std::numeric_limits<std::int64_t>::max());
  int small(std::string_view key, int least, int most = std::numeric_limits<int>::max());
  bool flag(std::string_view key);
  std::string text(std::string_view key);
  std::string non_empty(std::string_view key);
  /// A finite number.
  double number(std::string_view key);
  /// A finite duration that is not negative.
  Nanoseconds duration(std::string_view key);
  /// The same, or nothing for null.
  std::optional<Nanoseconds> optional_duration(std::string_view key);
  const Json::Array& array(std::string_view key);
  std::vector<std::string> texts(std::string_view key);

  template <class E, std::size_t N>
  E word(std::string_view key, const Words<E, N>& words) {
    const std::string found = text(key);
    for (const auto& [value, word] : words)
      if (word == found) return value;
    fail(key, "'" + found + "' is none of its words");
  }

  /// Call after the last member: refuses objects that have others, or one twice.
  void done() const;
  [[noreturn]] void fail(std::string_view key, const std::string& why) const;

 private:
  const Json& find(std::string_view key) const;
  template <class Read>
  auto read(std::string_view key, Read reader) -> decltype(reader(std::declval<const Json&>()));

  const Json::Object* object_;
  std::string where_;
  std::size_t taken_ = 0;
};

}  // namespace assay
