// SPDX-License-Identifier: Apache-2.0
// Samples as a campaign would collect them, with values from a law instead of a machine.
#pragma once
#include <vector>

#include "stats/sample/sample.hpp"
#include "support/laws/laws.hpp"

namespace assay::test {

/// Adds the next visit: `batches` values of the law, in order.
inline void add_visit(Sample& sample, const Law& law, Rng& rng, int batches, int incarnation = 0) {
  const int visit = sample.empty() ? 0 : sample.observations().back().visit + 1;
  for (int i = 0; i < batches; ++i) sample.add({law(rng), 0, incarnation, visit});
}

/// Visits one after the other, dealt in turn over the incarnations.
inline Sample fake_visits(const Law& law, Rng& rng, int visits, int batches, int incarnations = 1) {
  Sample sample;
  for (int visit = 0; visit < visits; ++visit) add_visit(sample, law, rng, batches, visit % incarnations);
  return sample;
}

/// A sample whose visits hold exactly these values.
inline Sample sample_of(const std::vector<std::vector<double>>& visits, int incarnations = 1) {
  Sample sample;
  for (std::size_t visit = 0; visit < visits.size(); ++visit)
    for (const double value : visits[visit])
      sample.add({value, 0, static_cast<int>(visit) % incarnations, static_cast<int>(visit)});
  return sample;
}

}  // namespace assay::test
