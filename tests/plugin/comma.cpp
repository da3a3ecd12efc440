// SPDX-License-Identifier: Apache-2.0
// A plugin that changes the locale of its process, as libraries do: with decimal commas and grouped digits.
#include <clocale>
#include <iostream>
#include <locale>

#include "api/plugin.hpp"

namespace {

void set_locale() {
  // Without it the test would say nothing: the worker's failure shows it.
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) std::abort();
  std::locale::global(std::locale("de_DE.UTF-8"));
  std::cout.imbue(std::locale());
}

class Comma final : public assay::Measurement {
 public:
  explicit Comma(assay::Setup&) { set_locale(); }

  assay::Claims run(assay::Member& member, assay::Reps reps) override {
    return member.timed(reps, [] { assay::relax(); });
  }
};

void register_comma(assay::Registry& registry) {
  set_locale();
  assay::Factor share{.name = "share", .kind = assay::FactorKind::quantitative, .summary = "does nothing"};
  share.standard = 0.5;
  registry.add<Comma>({.name = "example/comma",
                       .summary = "Waits under a locale with decimal commas.",
                       .quantities = {{.name = "time", .summary = "one pause"}},
                       .factors = {share}});
}

}  // namespace

ASSAY_PLUGIN(register_comma)
