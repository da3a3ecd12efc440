// SPDX-License-Identifier: Apache-2.0
// The rules of descriptions, field by field.
#include "app/config/description_check.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/cli/options.hpp"
#include "text/suggest.hpp"

namespace assay {

namespace {

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

bool is_word(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_word_letter); }

// "group/what", where both are words.
bool is_measurement_name(std::string_view name) {
  const auto slash = name.find('/');
  return slash != name.npos && is_word(name.substr(0, slash)) && is_word(name.substr(slash + 1));
}

// A key of [series.NAME] that is not the factor's.
bool is_taken(const std::string& name) {
  const auto has = [&](std::string_view section) {
    const auto options = options_of(section);
    return std::ranges::find(options, name, &OptionInfo::name) != options.end();
  };
  return has("series") || has("precision");
}

// Collects the mistakes of one description.
class DescriptionCheck {
 public:
  explicit DescriptionCheck(const Description& description) : description_(description) {}

  std::vector<std::string> faults() {
    require(is_measurement_name(description_.name), "name", "is not of the form group/what");
    check_members();
    check_quantities();
    std::set<std::string> names;
    for (const Factor& factor : description_.factors) {
      require(names.insert(factor.name).second, "factors", "has " + shown(factor.name) + " twice");
      check_factor(factor);
    }
    check_traits(description_.traits);
    for (const auto& [level, traits] : description_.selected) check_traits(traits);
    require(description_.selector.empty() || names.contains(description_.selector), "selector", "names no factor");
    return std::move(faults_);
  }

 private:
  void require(bool is_right, const std::string& field, const std::string& why) {
    if (!is_right) faults_.push_back("measurement " + shown(description_.name) + ": " + field + " " + why);
  }

  void check_members() {
    const auto [least, most] = description_.members;
    require(least >= 1 && least <= most, "members", "is no range from 1 on");
  }

  void check_quantities() {
    const auto& quantities = description_.quantities;
    require(!quantities.empty() && quantities.size() <= max_quantities, "quantities",
            "has " + std::to_string(quantities.size()) + ", 1 to " + std::to_string(max_quantities) + " are allowed");
    std::set<std::string> names;
    for (const Quantity& quantity : quantities) {
      const std::string field = "quantity " + shown(quantity.name);
      require(is_word(quantity.name), field, "has no proper name");
      require(names.insert(quantity.name).second, field, "is declared twice");
      require(quantity.unit <= Unit::ratio, field, "has no unit");
      require(quantity.combine <= Combine::sum && quantity.per <= Per::batch, field, "is combined in no known way");
      require(quantity.claimant >= 0 && quantity.claimant < description_.members.most, field,
              "is claimed by a member that no team has");
    }
  }

  void check_factor(const Factor& factor) {
    const std::string field = "factor " + shown(factor.name);
    require(is_word(factor.name), field, "has no proper name");
    require(!is_taken(factor.name), field, "has the name of a key that every series has");
    const auto* word = std::get_if<std::string>(&factor.standard);
    const auto* number = std::get_if<double>(&factor.standard);
    if (factor.kind == FactorKind::quantitative) {
      require(word == nullptr && (number == nullptr || std::isfinite(*number)), field,
              "has a standard that is no number");
      require(factor.unit <= Unit::ratio, field, "has no unit");
    } else if (!factor.words.empty()) {
      const std::string standard = word != nullptr ? *word : to_text(factor.standard);
      require(std::ranges::find(factor.words, standard) != factor.words.end(), field,
              "has the standard " + shown(standard) + ", which is none of its words");
    }
  }

  void check_traits(const Traits& traits) {
    static const std::set<std::string> vehicles = {"thread", "process", "mpi"};
    require(!traits.vehicles.empty(), "vehicles", "is empty");
    for (const std::string& vehicle : traits.vehicles)
      require(vehicles.contains(vehicle), "vehicles",
              "has " + shown(vehicle) + ", which is none of thread, process, mpi");
    require(std::isfinite(traits.events_per_rep) && traits.events_per_rep > 0, "events_per_rep", "is not above zero");
    require(traits.reps.least.count >= 1 && traits.reps.least <= traits.reps.most, "reps", "is no range from 1 on");
    require(traits.waiting <= Waiting::polls, "waiting", "is none of its words");
  }

  const Description& description_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> faults_of(const Description& description) { return DescriptionCheck(description).faults(); }

}  // namespace assay
