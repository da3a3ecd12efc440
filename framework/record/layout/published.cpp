// SPDX-License-Identifier: Apache-2.0
// The schema of reference files, checked while they are read.
#include "record/layout/layout_spec.hpp"

#include <algorithm>
#include <initializer_list>

#include "base/factor.hpp"
#include "base/number.hpp"
#include "text/json.hpp"
#include "text/scale.hpp"

namespace assay {
namespace {

/// An object of the file with its place in it, for messages.
struct FactorPart {
  const Json* json;
  std::string place;

  [[noreturn]] void refuse(const std::string& what) const { throw JsonError(place + ": " + what); }

  void require_only(std::initializer_list<std::string_view> known) const {
    for (const auto& [name, value] : json->object())
      if (std::ranges::find(known, name) == known.end()) refuse("unknown member '" + name + "'");
  }
  std::string text(std::string_view name) const { return json->find(name) == nullptr ? "" : json->at(name).string(); }
  std::string required(std::string_view name) const {
    std::string found = text(name);
    if (found.empty()) refuse("'" + std::string(name) + "' is missing");
    return found;
  }
  NamedTexts texts(std::string_view name) const {
    NamedTexts found;
    if (const Json* member = json->find(name))
      for (const auto& [key, value] : member->object()) found.emplace_back(key, value.string());
    return found;
  }
  std::vector<FactorPart> parts(std::string_view name) const {
    std::vector<FactorPart> found;
    const Json* member = json->find(name);
    if (member == nullptr) return found;
    for (const Json& one : member->array())
      found.push_back({&one, std::string(name) + "[" + std::to_string(found.size()) + "]"});
    return found;
  }
};

// A bound ("<1", ">65", "±1") counts as the number that it names.
std::optional<double> bound_printed(std::string_view printed) {
  for (const std::string_view sign : {"<", ">", "±"})
    if (printed.starts_with(sign)) {
      printed.remove_prefix(sign.size());
      break;
    }
  const NumberResult read = read_number(printed);
  return read.what.empty() ? number_of(read.value) : std::nullopt;
}

// A range ("5 to 6") counts as its middle.
std::optional<double> number_printed(std::string_view printed) {
  constexpr std::string_view to = " to ";
  const auto between = printed.find(to);
  if (between == printed.npos) return bound_printed(printed);
  const auto low = bound_printed(printed.substr(0, between));
  const auto high = bound_printed(printed.substr(between + to.size()));
  return low && high ? std::optional((*low + *high) / 2) : std::nullopt;
}

double number_in(const FactorPart& part, const std::string& printed) {
  const auto number = number_printed(printed);
  if (!number) part.refuse("'" + printed + "' is not a number");
  return *number;
}

double multiple_in(const FactorPart& part) {
  const std::string unit = part.text("unit");
  const auto multiple = unit.empty() ? std::optional(1.0) : multiple_named(unit);
  if (!multiple) part.refuse("unknown unit '" + unit + "'");
  return *multiple;
}

class ReferenceReader {
 public:
  explicit ReferenceReader(const Json& root) : file_{&root, "the file"} {}

  Reference read() {
    file_.require_only({"source", "systems", "numbers", "errata", "lines"});
    reference_.source = file_.required("source");
    for (const FactorPart& part : file_.parts("systems")) take_system(part);
    for (const FactorPart& part : file_.parts("numbers")) take_numbers(part);
    for (const FactorPart& part : file_.parts("errata")) take_erratum(part);
    for (const FactorPart& part : file_.parts("lines")) take_lines(part);
    return std::move(reference_);
  }

 private:
  void take_system(const FactorPart& part) {
    part.require_only({"name", "group", "attributes"});
    PublishedSystem system{part.required("name"), part.text("group"), part.texts("attributes")};
    if (knows(system.name)) part.refuse("system '" + system.name + "' is there twice");
    reference_.systems.push_back(std::move(system));
  }

  bool knows(const std::string& system) const {
    return std::ranges::find(reference_.systems, system, &PublishedSystem::name) != reference_.systems.end();
  }
  void require_system(const FactorPart& part, const std::string& system) const {
    if (!knows(system)) part.refuse("there is no system '" + system + "'");
  }

  // Numbers as points have them: 4Ki and 4096 are one level.
  static NamedTexts levels_in(const FactorPart& part) {
    NamedTexts levels = part.texts("at");
    for (auto& [factor, level] : levels)
      if (const auto number = parse_number(level)) level = to_text(*number);
    return levels;
  }

  void take_numbers(const FactorPart& part) {
    part.require_only({"value", "unit", "at", "of"});
    const double multiple = multiple_in(part);
    for (const auto& [system, printed] : part.texts("of")) {
      require_system(part, system);
      PublishedNumber number{part.required("value"), system, levels_in(part), printed};
      number.number = number_in(part, printed) * multiple;
      if (find(number.value, system, number.at) != nullptr)
        part.refuse(number.value + " of '" + system + "' is there twice");
      reference_.numbers.push_back(std::move(number));
    }
  }

  PublishedNumber* find(const std::string& value, const std::string& system, const NamedTexts& at) {
    const auto found = std::ranges::find_if(reference_.numbers, [&](const PublishedNumber& one) {
      return one.value == value && one.system == system && one.at == at;
    });
    return found == reference_.numbers.end() ? nullptr : &*found;
  }

  void take_erratum(const FactorPart& part) {
    part.require_only({"value", "unit", "at", "of", "recomputed", "why"});
    const std::string value = part.required("value");
    const std::string system = part.required("of");
    PublishedNumber* number = find(value, system, levels_in(part));
    if (number == nullptr) part.refuse("there is no number " + value + " of '" + system + "'");
    if (const std::string recomputed = part.text("recomputed"); !recomputed.empty())
      number->recomputed = number_in(part, recomputed) * multiple_in(part);
    number->why = part.required("why");
  }

  void take_lines(const FactorPart& part) {
    part.require_only({"value", "columns", "of"});
    const Json* systems = part.json->find("of");
    if (systems == nullptr) part.refuse("'of' is missing");
    for (const auto& [system, lines] : systems->object()) {
      require_system(part, system);
      PublishedLines published{part.required("value"), system, {}, {}};
      for (const Json& column : part.json->at("columns").array()) published.columns.push_back(column.string());
      for (const Json& line : lines.array()) published.lines.push_back(words_of(part, line, published.columns.size()));
      reference_.lines.push_back(std::move(published));
    }
  }

  static std::vector<std::string> words_of(const FactorPart& part, const Json& line, std::size_t columns) {
    std::vector<std::string> words;
    for (const Json& word : line.array()) {
      number_in(part, word.string());
      words.push_back(word.string());
    }
    if (words.size() != columns) part.refuse("a line has not one word per column");
    return words;
  }

  FactorPart file_;
  Reference reference_;
};

}  // namespace

Reference parse_reference(std::string_view text) {
  const Json root = parse_json(text);
  return ReferenceReader(root).read();
}

}  // namespace assay
