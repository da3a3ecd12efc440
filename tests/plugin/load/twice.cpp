// SPDX-License-Identifier: Apache-2.0
// A measurement whose name the documents' example has.
#include "api/plugin.hpp"

static void register_again(assay::Registry& registry) {
  registry.add({.name = "example/turn", .summary = "Another one."},
               [](assay::Setup&) { return std::unique_ptr<assay::Measurement>(); });
}

ASSAY_PLUGIN(register_again)
