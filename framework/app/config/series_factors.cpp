// SPDX-License-Identifier: Apache-2.0
// From names in braces to factors.
#include "app/config/series_factors.hpp"

#include <algorithm>
#include <utility>

#include "app/cli/options.hpp"
#include "app/config/series_context.hpp"
#include "base/pattern.hpp"
#include "text/suggest.hpp"

namespace assay {
namespace {

bool is_option(const std::string& name) {
  return std::ranges::any_of(
      option_table(), [&](const OptionInfo& option) { return option.section != "campaign" && option.name == name; });
}

bool is_declared(const Description& measurement, const std::string& name) {
  return std::ranges::find(measurement.factors, name, &Factor::name) != measurement.factors.end();
}

// Numbers are a quantity; times are not, since a program would have to know that they are nanoseconds.
Factor factor_of(const std::string& name, const Setting& setting) {
  Factor factor{.name = name, .summary = "levels that the series gives to a name in braces"};
  auto read = parse_domain(setting.value, FactorKind::quantitative);
  auto as_words = parse_domain(setting.value, FactorKind::categorical);
  if (!read.error || as_words.error)
    factor.kind = FactorKind::quantitative;
  else
    read = std::move(as_words);
  if (!read.error && !read.domain.levels.empty()) factor.standard = read.domain.levels.front();
  return factor;
}

// Collects the factors of one series.
class Collector {
 public:
  Collector(const Description& measurement, const NamedSection& header, const GivenSettings& given, Problems& problems)
      : measurement_(measurement), header_(header), given_(given), problems_(problems), complete_(measurement) {}

  Description collect() {
    for (const Factor& factor : measurement_.factors)
      if (const Setting* setting = given_.find(header_.section(), factor.name); factor.is_pattern && setting != nullptr)
        look_into(factor, *setting);
    return std::move(complete_);
  }

 private:
  void look_into(const Factor& factor, const Setting& setting) {
    const auto read = pattern_domain(setting.value);
    if (read.error) return;  // reported where the levels are read
    const bool is_bare = !setting.value.starts_with('"');
    for (const Value& level : read.domain.levels) {
      const Pattern pattern = read_pattern(std::get<std::string>(level));
      const auto place = [&](std::size_t offset) { return is_bare ? within(setting, offset) : setting.at; };
      if (pattern.error)
        problems_.add(place(pattern.error->offset), factor.name + ": " + pattern.error->what, {},
                      pattern.error->remedy);
      for (const PatternPiece& name : pattern.names()) add(name.text, place(name.offset));
    }
  }

  void add(const std::string& name, const Where& at) {
    if (name == scratch_name) return;
    if (is_declared(measurement_, name) || is_option(name))
      return problems_.add(at, "{" + name + "} is no factor of the series' own",
                           "it is a key that has a meaning already", "choose another name");
    if (is_declared(complete_, name)) return;
    const Setting* setting = given_.find(header_.section(), name);
    if (setting != nullptr) return complete_.factors.push_back(factor_of(name, *setting));
    const auto near = nearest(name, given_.keys(header_.section(), ""));
    problems_.add(at, "nothing gives levels to {" + name + "}", "the series has no key '" + name + "'",
                  near.empty() ? "add " + name + " = LEVELS, or write {{ for a brace" : "did you mean '" + near + "'?");
  }

  const Description& measurement_;
  const NamedSection& header_;
  const GivenSettings& given_;
  Problems& problems_;
  Description complete_;
};

}  // namespace

bool has_patterns(const Description& measurement) {
  return std::ranges::any_of(measurement.factors, &Factor::is_pattern);
}

DomainResult pattern_domain(std::string_view value) {
  if (value.starts_with('"')) return parse_domain(value, FactorKind::categorical);
  DomainResult result;
  result.domain.levels.emplace_back(std::string(value));
  return result;
}

Description with_series_factors(const Description& measurement, const NamedSection& header, const GivenSettings& given,
                                Problems& problems) {
  return Collector(measurement, header, given, problems).collect();
}

}  // namespace assay
