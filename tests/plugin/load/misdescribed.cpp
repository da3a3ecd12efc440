// SPDX-License-Identifier: Apache-2.0
// Descriptions that make no sense, one mistake in each.
#include "api/plugin.hpp"

static void register_nonsense(assay::Registry& registry) {
  const auto add = [&](assay::Description what) {
    registry.add(std::move(what), [](assay::Setup&) { return std::unique_ptr<assay::Measurement>(); });
  };
  add({.name = "bad/default", .factors = {{.name = "kind", .standard = std::string("c"), .words = {"a", "b"}}}});
  add({.name = "bad/quantity", .quantities = {}});
  add({.name = "bad/unit", .quantities = {{.unit = static_cast<assay::Unit>(99)}}});
  add({.name = "bad name"});
  add({.name = "bad/factor", .factors = {{.name = "vehicle", .standard = std::string("thread")}}});
}

ASSAY_PLUGIN(register_nonsense)
