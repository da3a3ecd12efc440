// SPDX-License-Identifier: Apache-2.0
// Campaigns on a fake host that end in the middle of anything, and go on from what their journal has.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "run/session/campaign.hpp"
#include "support/campaigns/fake_host.hpp"
#include "support/records/memory_sink.hpp"

namespace assay::test {

/// What stands in for a SIGKILL.
struct Killed {};

/// Keeps records until it is full; the next one is lost with the program.
class DyingSink final : public Sink {
 public:
  DyingSink(std::vector<Record>& records, std::size_t most) : records_(records), most_(most) {}
  void write(const Record& record) override {
    if (records_.size() >= most_) throw Killed{};
    records_.push_back(record);
  }

 private:
  std::vector<Record>& records_;
  std::size_t most_;
};

/// What one start of the program made of a journal.
struct Stretch {
  bool killed = false;
  CampaignEnd end;
  std::size_t visits = 0;  ///< asked of the host, without trials
};

/// Starts the campaign where `records` are none, else goes on with them, and dies when there are `most` of them.
inline Stretch run_until(const CampaignPlan& plan, const TimeLaw& law, std::vector<Record>& records, std::size_t most,
                         KeptResults keeping = {}) {
  FakeClock clock;
  FakeHost host(plan, clock, law);
  DyingSink sink(records, most);
  History history;
  Continuation continuation(plan, keeping);
  for (const Record& record : records) {
    history.add(record);
    continuation.add(record, history);
  }
  continuation.prepare(history);
  for (const Record& record : records) {
    const auto* visit = std::get_if<VisitRecord>(&record);
    const auto* incarnation = std::get_if<IncarnationRecord>(&record);
    const std::string point = visit != nullptr         ? about(visit->series, visit->point)
                              : incarnation != nullptr ? about(incarnation->series, incarnation->point)
                                                       : std::string();
    if (!point.empty() && continuation.wants(point)) continuation.take(record);
  }
  Surroundings world{clock, host, sink, 4};
  world.pause = [&](Nanoseconds time) { clock.advance(time); };
  Stretch run;
  try {
    run.end = run_campaign(plan, history, world, history.passes() > 0 ? &continuation : nullptr);
  } catch (const Killed&) {
    run.killed = true;
  }
  run.visits = host.visits().size();
  return run;
}

/// The last record of each point, by series and point.
inline std::map<std::string, PointRecord> last_records(const std::vector<Record>& records) {
  std::map<std::string, PointRecord> last;
  for (const Record& record : records)
    if (const auto* point = std::get_if<PointRecord>(&record)) last[about(point->series, point->point)] = *point;
  return last;
}

}  // namespace assay::test
