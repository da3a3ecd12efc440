// SPDX-License-Identifier: Apache-2.0
// An open point without host and campaign.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "run/point/open_point.hpp"
#include "support/campaigns/fake_plan.hpp"

namespace assay::test {

/// Readings of a core alone and of a shared one.
inline constexpr CoreReading core_alone{{0.072}, {0.9}};
inline constexpr CoreReading core_shared{{0.13}, {0.92}};

/// What is known after enough readings of the first.
inline CoreLevels one_cpu_alone() {
  CoreLevels levels(3);
  for (int i = 0; i < 40; ++i) levels.add(0, core_alone);
  return levels;
}

/// Both sides of each of its members on that CPU read this.
inline void read_on_one_cpu(Batch& batch, const CoreReading& reading) {
  for (MemberReport& report : batch.members) {
    report.cpu_before = report.cpu_after = 0;
    report.core_before = report.core_after = reading;
  }
}

/// An open point fed by hand.
struct Fed {
  explicit Fed(SeriesPlan plan) : series(std::move(plan)), rule(make_rule(series.precision.rule)) { tune(100, 10); }

  void tune(std::int64_t reps, double per_rep) { point.calibrated({{reps}, {per_rep}, {1}}); }

  /// A batch of one claim per member.
  Batch batch(double each) const {
    Batch b{point.reps(), {}};
    for (int i = 0; i < members_of(series, point.point()); ++i) {
      const Nanoseconds time{each * static_cast<double>(b.reps.count)};
      MemberReport& report = b.members.emplace_back();
      report.claims = Claims(time);
      report.cpu = report.wall = time;
    }
    return b;
  }
  Batch switched(double each, std::int64_t switches) const {
    Batch b = batch(each);
    for (MemberReport& report : b.members) report.voluntary = switches;
    return b;
  }
  std::vector<JudgedBatch> visit(std::vector<Batch> batches, int discarded = 0, Nanoseconds took = milliseconds(1)) {
    return visit_at(milliseconds(100) * point.visits(), std::move(batches), discarded, took);
  }
  std::vector<JudgedBatch> visit_at(Nanoseconds at, std::vector<Batch> batches, int discarded = 0,
                                    Nanoseconds took = milliseconds(1)) {
    VisitPlace place{0, point.next_incarnation(), point.visits(), at, took};
    place.is_taken = is_taken;
    return point.add({discarded, {}, std::move(batches)}, place);
  }
  /// Eight batches about `centre`.
  std::vector<Batch> batches_about(double centre, double noise) {
    std::vector<Batch> batches;
    for (int k = 0; k < 8; ++k) batches.push_back(batch(centre * (1 + noise * rng.normal())));
    return batches;
  }
  /// Visits of such batches, one centre for each incarnation.
  void visits(int count, const std::vector<double>& centres, double noise) {
    for (int i = 0; i < count; ++i)
      visit(batches_about(centres[static_cast<std::size_t>(point.next_incarnation()) % centres.size()], noise));
  }

  SeriesPlan series;
  std::unique_ptr<StoppingRule> rule;
  OpenPoint point{series, 0, Point{}, *rule, 2};
  bool is_taken = false;  ///< while each visit is made
  Rng rng{7};
};

}  // namespace assay::test
