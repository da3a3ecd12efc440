// SPDX-License-Identifier: Apache-2.0
// Typed numbers held against their ranges.
#include "app/cli/value_type.hpp"

#include <algorithm>

#include "text/ini.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

template <class T>
T required(const std::string& option, const std::string& text, const Typed<T>& typed) {
  if (!typed.value) throw BadValue(option + ": " + shown(text) + " " + typed.what, {}, typed.remedy);
  return *typed.value;
}

[[noreturn]] void refuse_range(const std::string& option, const std::string& text, std::string why,
                               std::string remedy) {
  throw BadValue(option + ": " + shown(text) + " is out of range", std::move(why), std::move(remedy));
}

std::string count_text(std::int64_t count) { return count == most_count ? "10^9" : std::to_string(count); }

const char* range_of(Ends ends) {
  switch (ends) {
    case Ends::none:
      return "it lies between 0 and 1";
    case Ends::zero:
      return "it lies from 0 to below 1";
    default:
      return "it lies from 0 to 1";
  }
}

bool is_within(double share, Ends ends) {
  if (share == 0) return ends == Ends::zero || ends == Ends::both;
  if (share == 1) return ends == Ends::both;
  return share > 0 && share < 1;
}

}  // namespace

ValueType text_value() {
  return {"text", [](const std::string&, const std::string& text) { return plain_text(text); }, {}};
}

ValueType raw_value(std::string name) {
  return {std::move(name), [](const std::string&, const std::string& text) { return text; }, {}};
}

ValueType word_value(std::vector<std::string> words) {
  const auto read = [words](const std::string& option, const std::string& text) {
    if (std::ranges::find(words, text) == words.end())
      throw BadValue("unknown " + option.substr(option.find_first_not_of('-')) + " " + shown(text), {},
                     suggestion(text, words));
    return text;
  };
  return {"word", read, std::move(words)};
}

ValueType count_value(std::int64_t least, std::int64_t most) {
  const auto read = [least, most](const std::string& option, const std::string& text) {
    const auto count = required(option, text, read_count(text));
    if (count < least || count > most)
      refuse_range(option, text, "it lies between " + count_text(least) + " and " + count_text(most), {});
    return count;
  };
  return {"count", read, {}};
}

ValueType seed_value() {
  const auto read = [](const std::string& option, const std::string& text) {
    return required(option, text, read_seed(text));
  };
  return {"count", read, {}};
}

ValueType share_value(Ends ends) {
  const auto read = [ends](const std::string& option, const std::string& text) {
    const double share = required(option, text, read_share(text));
    if (!is_within(share, ends)) refuse_range(option, text, range_of(ends), "write for instance 0.02 or 2%");
    return share;
  };
  return {"share", read, {}};
}

ValueType share_value(const ShareRange& range) {
  const auto read = [range](const std::string& option, const std::string& text) {
    const double share = required(option, text, read_share(text));
    if (!range.holds(share))
      refuse_range(option, text, "it must be " + std::string(range.words), "write for instance 0.02 or 2%");
    return share;
  };
  return {"share", read, {}};
}

ValueType duration_value() {
  const auto read = [](const std::string& option, const std::string& text) {
    return required(option, text, read_duration(text));
  };
  return {"duration", read, {}};
}

ValueType duration_above_zero() {
  const auto read = [](const std::string& option, const std::string& text) {
    const auto duration = required(option, text, read_duration(text));
    if (duration.count == 0) throw BadValue(option + ": it must be above 0", {}, {});
    return duration;
  };
  return {"duration", read, {}};
}

ValueType amount_value(std::string remedy) {
  const auto read = [remedy = std::move(remedy)](const std::string& option, const std::string& text) {
    const double amount = required(option, text, read_amount(text));
    if (!(amount > 0)) throw BadValue(option + ": it must be above 0", {}, remedy);
    return amount;
  };
  return {"number", read, {}};
}

ValueType or_auto(ValueType type) {
  type.read = [read = std::move(type.read)](const std::string& option, const std::string& text) {
    return text == "auto" ? OptionValue() : read(option, text);
  };
  return type;
}

}  // namespace assay
