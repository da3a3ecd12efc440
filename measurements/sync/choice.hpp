// SPDX-License-Identifier: Apache-2.0
// One measurement in several versions, one for each level of a categorical factor.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/measurement.hpp"

namespace assay {

/// The versions under one factor; the first is its standard level.
class Choice {
 public:
  Choice(std::string factor, std::string summary) {
    factor_.name = std::move(factor);
    factor_.summary = std::move(summary);
  }

  /// A version: a class constructible from Setup& that has `traits()`.
  template <class M>
  void add(const std::string& word) {
    factor_.words.push_back(word);
    selected_.emplace_back(word, M::traits());
    makers_.emplace_back(word, [](Setup& setup) -> std::unique_ptr<Measurement> { return std::make_unique<M>(setup); });
  }

  /// Registers them as one measurement, whose first factor chooses.
  void register_as(Registry& registry, Description description) const {
    Factor factor = factor_;
    factor.standard = factor.words.front();
    description.factors.insert(description.factors.begin(), factor);
    description.selector = factor.name;
    description.selected = selected_;
    description.traits = selected_.front().second;
    registry.add(description, [name = factor.name, makers = makers_](Setup& setup) {
      const std::string word = setup.word(name);
      const auto found =
          std::find_if(makers.begin(), makers.end(), [&](const auto& maker) { return maker.first == word; });
      if (found == makers.end()) throw Unsupported("there is no " + name + " '" + word + "'");
      return found->second(setup);
    });
  }

 private:
  using Make = std::unique_ptr<Measurement> (*)(Setup&);
  Factor factor_;
  std::vector<std::pair<std::string, Traits>> selected_;
  std::vector<std::pair<std::string, Make>> makers_;
};

}  // namespace assay
