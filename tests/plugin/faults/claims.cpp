// SPDX-License-Identifier: Apache-2.0
// Claims that are no results, and results that need a word of caution.
#include <limits>

#include "fault.hpp"

namespace faults {
namespace {

void claiming(assay::Registry& registry, const std::string& name, double per_rep) {
  add(registry, description(name), [per_rep](assay::Setup&) {
    return [per_rep](assay::Member&, assay::Reps reps) {
      return assay::Claims(assay::Nanoseconds{per_rep * static_cast<double>(reps.count)});
    };
  });
}

// Slow or fast for eight batches at a time.
Batch two_modes(assay::Setup&) {
  return [n = 0](assay::Member&, assay::Reps reps) mutable {
    const double each = n++ / 8 % 2 == 0 ? 100 : 150;
    return assay::Claims(assay::Nanoseconds{each * static_cast<double>(reps.count)});
  };
}

Batch drift(assay::Setup&) {
  return [each = 100.0](assay::Member&, assay::Reps reps) mutable {
    each *= 1.002;
    return assay::Claims(assay::Nanoseconds{each * static_cast<double>(reps.count)});
  };
}

}  // namespace

void register_claims(assay::Registry& registry) {
  claiming(registry, "nan-result", std::numeric_limits<double>::quiet_NaN());
  claiming(registry, "negative-result", -100);
  claiming(registry, "zero-result", 0);
  claiming(registry, "huge-result", std::numeric_limits<double>::max());
  add(registry, description("no-result"),
      [](assay::Setup&) { return [](assay::Member&, assay::Reps) { return assay::Claims(); }; });
  add(registry, description("undeclared-result"),
      [](assay::Setup&) { return [](assay::Member&, assay::Reps reps) { return fair(reps).set(3, 1.0); }; });
  assay::Description counting = description("negative-count");
  counting.quantities.push_back({.name = "messages", .unit = assay::Unit::count, .summary = "messages"});
  add(registry, counting,
      [](assay::Setup&) { return [](assay::Member&, assay::Reps reps) { return fair(reps).set(1, -1.0); }; });
  add(registry, description("bimodal"), two_modes);
  add(registry, description("drifting"), drift);
}

}  // namespace faults
