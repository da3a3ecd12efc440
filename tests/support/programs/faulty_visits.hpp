// SPDX-License-Identifier: Apache-2.0
// One visit to a real worker whose measurement goes wrong, and what came of it.
#pragma once
#include <gmock/gmock-more-matchers.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "platform/process/leftovers.hpp"
#include "run/worker/supervisor.hpp"
#include "support/environment/paths.hpp"
#include "support/programs/children.hpp"
#include "support/programs/worker_measurements.hpp"

namespace assay::test {

inline const std::string program = worker_fixture_path();
inline constexpr Nanoseconds ample = seconds(60);
inline constexpr Nanoseconds short_while = seconds(2);  // in which a busy machine comes to a hang, too

inline CampaignPlan plan_of(int members) {
  SeriesPlan series;
  series.name = "faults";
  series.measurement = testing_support::faulty_description();
  series.measurement.members = at_least(members);
  series.precision.warm_up = {};
  series.precision.deadline = ample;
  CampaignPlan plan;
  plan.series = {series};
  return plan;
}

inline IncarnationKey key_of(const std::string& fault, const std::string& where = "run", int rank = 0,
                             const std::string& vehicle = "thread") {
  IncarnationKey key;
  key.point.set("fault", fault);
  key.point.set("where", where);
  key.point.set("rank", std::int64_t{rank});
  key.point.set("vehicle", vehicle);
  return key;
}

inline const VisitOrder order{Reps{2}, 1, 4, 4, false, ample};

inline VisitOrder in_haste() {
  VisitOrder hasty = order;
  hasty.deadline = short_while;
  return hasty;
}

/// What opening and one visit throw. A sound worker does its work afterwards, and no process is left.
inline VisitFailed failure(const CampaignPlan& plan, const IncarnationKey& key, const VisitOrder& visit = order) {
  VisitFailed found{Outcome::open, "nothing failed"};
  {
    Supervisor supervisor(plan, program);
    try {
      supervisor.open(key);
      supervisor.visit(key, visit);
    } catch (const VisitFailed& failed) {
      found = failed;
    }
    EXPECT_THAT(children(), testing::IsEmpty()) << "the failed worker is still there";
    const IncarnationKey sound = key_of("ok");
    supervisor.open(sound);
    EXPECT_EQ(supervisor.visit(sound, {Reps{2}, 1, 1, 4, false, ample}).batches.size(), 5U);
    supervisor.close(sound);
    EXPECT_THAT(processes_marked(supervisor.tag(), true), testing::IsEmpty());
  }
  EXPECT_THAT(children_of(static_cast<int>(::getpid())), testing::IsEmpty());
  return found;
}

}  // namespace assay::test
