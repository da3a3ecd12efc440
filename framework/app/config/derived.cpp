// SPDX-License-Identifier: Apache-2.0
// Words of a formula, checked one by one where they stand.
#include "app/config/derived.hpp"

#include <algorithm>
#include <optional>

#include "base/escape.hpp"
#include "base/value.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

constexpr std::string_view space = " \t";
constexpr const char* forms =
    "write 'difference FACTOR A B', 'ratio FACTOR A B', 'slope FACTOR', 'plateaus FACTOR' or 'tail P ...', then "
    "'of QUANTITY' for another than the first";

struct Word {
  std::string text;
  std::size_t offset = 0;
};

// Words are separated by white space; one in double quotes may contain it.
std::vector<Word> words_of(std::string_view formula) {
  std::vector<Word> words;
  for (auto at = formula.find_first_not_of(space); at < formula.size(); at = formula.find_first_not_of(space, at)) {
    if (auto quote = unquoted(formula.substr(at))) {
      words.push_back({std::move(quote->content), at});
      at += quote->length;
    } else {
      const auto end = std::min(formula.find_first_of(space, at), formula.size());
      words.push_back({std::string(formula.substr(at, end - at)), at});
      at = end;
    }
  }
  return words;
}

std::optional<DerivedSpec::Kind> derived_kind(const std::string& word) {
  if (word == "difference") return DerivedSpec::Kind::difference;
  if (word == "ratio") return DerivedSpec::Kind::ratio;
  if (word == "slope") return DerivedSpec::Kind::slope;
  if (word == "plateaus") return DerivedSpec::Kind::plateaus;
  if (word == "tail") return DerivedSpec::Kind::tail;
  return std::nullopt;
}

std::string plain(const Value& level) {
  const auto* word = std::get_if<std::string>(&level);
  return word != nullptr ? *word : to_text(level);
}

bool is_number(const Value& level) { return number_of(level).has_value(); }

// Reads one formula.
class FormulaReader {
 public:
  FormulaReader(const SeriesContext& series, const Setting& setting, const std::vector<FactorDomain>& factors)
      : series_(series), setting_(setting), factors_(factors), words_(words_of(setting.value)) {}

  std::optional<DerivedSpec> read(const std::string& name) {
    DerivedSpec spec{.name = name, .kind = {}, .factor = {}, .first = {}, .second = {}, .text = setting_.value};
    const auto kind = words_.empty() ? std::nullopt : derived_kind(words_[0].text);
    if (!kind) return refuse(0, "unknown formula " + shown(setting_.value), forms);
    spec.kind = *kind;
    if (spec.kind == DerivedSpec::Kind::tail) return take_tail(spec);
    const bool is_curve = spec.kind == DerivedSpec::Kind::slope || spec.kind == DerivedSpec::Kind::plateaus;
    const std::size_t length = is_curve ? 2 : 4;
    if (words_.size() == length + 2 && words_[length].text == "of" && !take_quantity(spec)) return std::nullopt;
    if (words_.size() != length) return refuse(0, "a " + words_[0].text + " has another form", forms);
    const FactorDomain* factor = find_factor();
    if (factor == nullptr) return std::nullopt;
    spec.factor = factor->name;
    return is_curve ? check_curve(*factor, spec) : take_levels(*factor, spec);
  }

 private:
  std::nullopt_t refuse(std::size_t word, std::string what, std::string remedy, std::string why = {}) {
    const auto offset = word < words_.size() ? words_[word].offset : 0;
    series_.problems.add(within(setting_, offset), std::move(what), std::move(why), std::move(remedy));
    return std::nullopt;
  }

  // The last word; takes it and "of" away.
  bool take_quantity(DerivedSpec& spec) {
    std::vector<std::string> names;
    for (const Quantity& quantity : series_.measurement.quantities) names.push_back(quantity.name);
    const std::size_t last = words_.size() - 1;
    spec.quantity = words_[last].text;
    if (std::find(names.begin(), names.end(), spec.quantity) == names.end()) {
      refuse(last, "unknown quantity " + shown(spec.quantity), suggestion(spec.quantity, names),
             "measurement '" + series_.measurement.name + "' does not yield it");
      return false;
    }
    words_.resize(last - 1);
    return true;
  }

  std::optional<DerivedSpec> take_tail(DerivedSpec spec) {
    if (words_.size() >= 2 && words_[words_.size() - 2].text == "of" && !take_quantity(spec)) return std::nullopt;
    if (words_.size() < 2) return refuse(0, "a tail without a probability", "write 'tail 0.99 0.999'");
    for (std::size_t i = 1; i < words_.size(); ++i) {
      const auto number = parse_number(words_[i].text);
      const auto p = number ? number_of(*number) : std::nullopt;
      if (!p || !(*p > 0.5 && *p < 1))
        return refuse(i, shown(words_[i].text) + " is no probability of a tail",
                      "take one between 0.5 and 1, as 0.999");
      spec.probabilities.push_back(*p);
    }
    return spec;
  }

  const FactorDomain* find_factor() {
    std::vector<std::string> names;
    for (const FactorDomain& factor : factors_) {
      if (factor.name == words_[1].text) return &factor;
      names.push_back(factor.name);
    }
    refuse(1, "the series has no factor " + shown(words_[1].text), suggestion(words_[1].text, names));
    return nullptr;
  }

  std::optional<DerivedSpec> check_curve(const FactorDomain& factor, DerivedSpec spec) {
    const auto& levels = factor.domain.levels;
    const std::string what = spec.kind == DerivedSpec::Kind::slope ? "a slope" : "plateaus";
    if (!std::all_of(levels.begin(), levels.end(), is_number))
      return refuse(1, what + " over words", "take a difference or a ratio",
                    "factor '" + factor.name + "' is categorical");
    if (levels.size() < 3 && !factor.domain.refine)
      return refuse(1, what + (what == "plateaus" ? " need" : " needs") + " three levels or more",
                    "give the factor more levels", "factor '" + factor.name + "' has " + std::to_string(levels.size()));
    return spec;
  }

  std::optional<DerivedSpec> take_levels(const FactorDomain& factor, DerivedSpec spec) {
    const auto first = level(factor, 2);
    const auto second = level(factor, 3);
    if (!first || !second) return std::nullopt;
    if (*first == *second) return refuse(3, "the two levels are the same", "name two different ones");
    spec.first = *first;
    spec.second = *second;
    return spec;
  }

  // The level that a word names, in the form that points have it.
  std::optional<std::string> level(const FactorDomain& factor, std::size_t index) {
    const std::string& word = words_[index].text;
    const auto number = parse_number(word);
    std::vector<std::string> known;
    for (const Value& candidate : factor.domain.levels) {
      if (plain(candidate) == word || (number && candidate == *number)) return plain(candidate);
      known.push_back(plain(candidate));
    }
    refuse(index, "factor '" + factor.name + "' has no level " + shown(word) + " in this series",
           suggestion(word, known));
    return std::nullopt;
  }

  const SeriesContext& series_;
  const Setting& setting_;
  const std::vector<FactorDomain>& factors_;
  std::vector<Word> words_;
};

}  // namespace

std::vector<DerivedSpec> derived_specs(const SeriesContext& series, const std::vector<std::string>& keys,
                                       const std::vector<FactorDomain>& factors) {
  std::vector<DerivedSpec> specs;
  for (const std::string& key : keys) {
    const Setting* setting = series.own(key);
    if (setting == nullptr) continue;
    auto spec = FormulaReader(series, *setting, factors).read(key.substr(key.find('.') + 1));
    if (spec) specs.push_back(std::move(*spec));
  }
  return specs;
}

}  // namespace assay
