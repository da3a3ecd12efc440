// SPDX-License-Identifier: Apache-2.0
// All misbehaviour in one plugin, beside a measurement that does nothing wrong.
#include "api/plugin.hpp"
#include "fault.hpp"

namespace {

void register_all(assay::Registry& registry) {
  faults::add(registry, "ok", [] {});
  faults::register_stuck(registry);
  faults::register_dying(registry);
  faults::register_greedy(registry);
  faults::register_meddling(registry);
  faults::register_claims(registry);
}

}  // namespace

ASSAY_PLUGIN(register_all)
