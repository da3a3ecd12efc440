// SPDX-License-Identifier: Apache-2.0
// One measurement run by a real team for a few batches, by name or by class.
#pragma once
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog.hpp"
#include "platform/thread/guard.hpp"
#include "team/batch_classifier.hpp"
#include "team/team.hpp"

namespace assay::test {

/// The second of two batches, with what is needed to read it.
struct OneBatch {
  Description description;
  Traits traits;
  Batch batch;

  /// The observation of a quantity by name. Throws std::bad_optional_access where it has none.
  double value(const std::string& name) const {
    std::size_t i = 0;
    while (description.quantities.at(i).name != name) ++i;
    return observe(batch, description, i, traits).value();
  }
};

/// Who runs it.
struct Crowd {
  std::string vehicle = "thread";
  int members = 0;  ///< 0: as few as the measurement has
  std::string policy = "inherited";
};

using Levels = std::vector<std::pair<std::string, Value>>;

/// Members are bound to different CPUs where there are enough: else those that spin wait for time slices.
inline OneBatch run_entry(const Entry& entry, const Crowd& crowd, const Levels& levels, Reps reps) {
  TeamRequest request;
  request.vehicle = crowd.vehicle;
  request.policy = crowd.policy;
  request.members = crowd.members != 0 ? crowd.members : entry.description.members.least;
  const auto usable = binding_of_self();
  const auto members = static_cast<std::ptrdiff_t>(request.members);
  if (std::ssize(usable) >= members) request.placement = {"test", {usable.begin(), usable.begin() + members}};
  for (const auto& [factor, level] : levels) request.point.set(factor, level);
  const auto team = open_team(entry, request);
  team->run(reps);
  return {entry.description, traits_at(entry.description, request.point), team->run(reps)};
}

/// By name, from the built-in measurements.
inline OneBatch run_named(const std::string& name, const Crowd& crowd, const Levels& levels, Reps reps) {
  Registry registry;
  register_all(registry);
  return run_entry(*registry.find(name), crowd, levels, reps);
}

/// By class.
template <class M>
OneBatch run_class(Description description, const Crowd& crowd, const Levels& levels, Reps reps) {
  Registry registry;
  description.name = "test/one";
  registry.add<M>(std::move(description));
  return run_entry(registry.entries().front(), crowd, levels, reps);
}

}  // namespace assay::test
