// SPDX-License-Identifier: Apache-2.0
// A journal with as many visits as a long campaign has.
#pragma once
#include <string>

#include "record/journal/journal.hpp"
#include "support/machines/fake_clock.hpp"

namespace assay::test {

/// Writes a journal with `visits` visits of nine batches to some hundred points, and a point's record after each
/// hundred.
inline void write_long_journal(const std::string& directory, std::int64_t visits) {
  const FakeClock clock;
  Journal journal(directory, clock, {{Durability::Mode::none, {}}, false});
  journal.write(CampaignRecord{"long", "[campaign]\n", 1, "interleaved"});
  VisitRecord visit{"series", {}, 0, 0, 0, 0, {12345.5}, {67890.25}, 1, {}, {}};
  JudgedBatch batch{{Reps{1200}, {{}}}, {}};
  batch.batch.members[0].claims.set(0, 354'000.5);
  batch.batch.members[0].cpu = {425'600.25};
  batch.batch.members[0].wall = {425'650.75};
  visit.batches.assign(9, batch);
  for (std::int64_t i = 0; i < visits; ++i) {
    visit.point.set("bytes", i % 137);
    visit.visit = static_cast<int>(i);
    journal.write(visit);
    if (i % 100 != 99) continue;
    PointRecord point;
    point.series = visit.series;
    point.point = visit.point;
    journal.write(point);
  }
}

}  // namespace assay::test
