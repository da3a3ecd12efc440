// SPDX-License-Identifier: Apache-2.0
// Refines a known curve with simulated noise, and keeps what it cost.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "design/design.hpp"
#include "support/laws/curves.hpp"

namespace assay::test {

struct RefineOptions {
  double noise = 0;  ///< relative standard deviation of an answer; `sharpen` scales it
  double tolerance = 0.05;
  std::size_t max_points = 200;
  std::uint64_t seed = 1;
  std::optional<std::size_t> wild{};  ///< the start level (by index) whose first answer is three times too large
};

/// The last answer at each level, and what was measured.
struct Refined {
  std::map<double, double> answers;
  std::map<double, double> sharpness;
  std::vector<std::string> findings;
  std::size_t peaks = 0;      ///< levels measured again as they were
  std::size_t sharpened = 0;  ///< levels measured again with more precision
  double timings = 0;         ///< in units of one answer at `noise`: half the noise takes four

  std::size_t points() const { return answers.size(); }
  std::vector<Node> nodes() const {
    std::vector<Node> list;
    for (const auto& [x, y] : answers) list.push_back({x, y, 0});
    return list;
  }
  Basis basis(const Curve& curve) const { return choose_basis(nodes(), Axis({{curve.low, curve.high}, {}, true})); }
  Accuracy accuracy(const Curve& curve) const { return accuracy_of(nodes(), basis(curve), curve); }
};

inline Refined refine(const Curve& curve, const RefineOptions& options) {
  Rng rng(options.seed);
  const Domain domain{{curve.low, curve.high}, options.tolerance, true};
  const auto design = adaptive({{"bytes", domain}}, options.max_points);
  Refined outcome;
  for (auto requests = design->ask(); !requests.empty(); requests = design->ask())
    for (const auto& [point, attempt, sharpen] : requests) {
      const double x = *number_of(point.level("bytes"));
      if (attempt > 0) ++(sharpen == outcome.sharpness[x] ? outcome.peaks : outcome.sharpened);
      const double noise = options.noise * sharpen;
      double y = curve.y(x) * (1 + noise * rng.normal());
      if (attempt == 0 && options.wild == outcome.points()) y *= 3;
      outcome.timings += 1 / (sharpen * sharpen);
      outcome.answers[x] = y;
      outcome.sharpness[x] = sharpen;
      design->tell(point, {true, y, 1.96 * noise});
    }
  outcome.findings = design->findings();
  return outcome;
}

}  // namespace assay::test
