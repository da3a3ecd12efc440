// SPDX-License-Identifier: Apache-2.0
// A host without processes: a law says how long every member takes, and a fake clock passes by as much.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "run/host.hpp"
#include "support/machines/fake_clock.hpp"

namespace assay::test {

/// Whose time a law is asked for.
struct FakeTurn {
  std::size_t series = 0;
  const Point& point;
  int incarnation = 0;
  int member = 0;
  Reps reps;
};

/// The primary claim of a member for a whole batch.
using TimeLaw = std::function<Nanoseconds(const FakeTurn&, Rng&)>;

/// Yields batches by a law. Guards say "undisturbed" unless `spoil` changes them. Randomness is seeded by the plan.
class FakeHost final : public Host {
 public:
  /// One thing that was asked of the host.
  struct Asked {
    IncarnationKey key;
    VisitOrder order;
    Instant at;
    bool is_trial() const { return (order.batches == 1 || order.batches == 4) && order.most_discard == order.discard; }
  };

  FakeHost(const CampaignPlan& plan, FakeClock& clock, TimeLaw law)
      : plan_(&plan), clock_(&clock), law_(std::move(law)), rng_(plan.seed) {}

  std::size_t pool = 64;        ///< capacity
  bool remembers_asked = true;  ///< false where a long campaign would make that the larger part of memory
  Opened opened{1000, {}, microseconds(1), 1, 0, Nanoseconds{10}, Nanoseconds{20}, Nanoseconds{5}};
  Nanoseconds opening{};                                                   ///< time that opening takes
  std::optional<VisitClock> clock_look;                                    ///< of each visit
  std::function<void(const IncarnationKey&)> on_open;                      ///< may throw VisitFailed
  std::function<void(const IncarnationKey&, const VisitOrder&)> on_visit;  ///< may throw VisitFailed
  std::function<void(const IncarnationKey&, Batch&, Rng&)> spoil;
  std::function<std::vector<CoreReading>(const IncarnationKey&)> look;  ///< at the members' cores, before a visit
  std::vector<int> look_cpus;      ///< on which it finds them, where they are not bound
  std::vector<std::string> nodes;  ///< of the members, where there are several

  /// All visits, trials of calibration included.
  const std::vector<Asked>& asked() const { return asked_; }
  /// Looks that no batch followed.
  std::size_t looks() const {
    return static_cast<std::size_t>(std::ranges::count(asked_, 0, [](const Asked& a) { return a.order.batches; }));
  }
  /// Visits without trials.
  std::vector<Asked> visits() const {
    std::vector<Asked> real;
    std::copy_if(asked_.begin(), asked_.end(), std::back_inserter(real),
                 [](const Asked& a) { return !a.is_trial() && a.order.batches > 0; });
    return real;
  }
  std::size_t open_now() const { return open_.size(); }
  std::size_t most_open() const { return most_open_; }
  std::size_t opened_in_all() const { return opened_in_all_; }
  /// How many incarnations were ended in each call that ended several.
  const std::vector<std::size_t>& closed_together() const { return closed_together_; }

  Opened open(const IncarnationKey& key) override {
    if (on_open) on_open(key);
    if (!open_.insert(name(key)).second) throw std::logic_error("opened twice: " + name(key));
    clock_->advance(opening);
    most_open_ = std::max(most_open_, open_.size());
    Opened answer = opened;
    answer.process += static_cast<int>(opened_in_all_++);
    return answer;
  }

  VisitYield visit(const IncarnationKey& key, const VisitOrder& order) override {
    if (!open_.contains(name(key))) throw std::logic_error("visited but not open: " + name(key));
    if (remembers_asked) asked_.push_back({key, order, clock_->now()});
    try {
      if (on_visit) on_visit(key, order);
    } catch (const VisitFailed&) {
      open_.erase(name(key));
      throw;
    }
    VisitYield yield;
    if (look) yield.apart = look(key);
    yield.apart_cpus = look_cpus;
    yield.nodes = nodes;
    yield.discarded = order.discard;
    if (order.reference) yield.reference = Nanoseconds{100};
    yield.clock = clock_look;
    for (int i = 0; i < order.discard + order.batches; ++i) yield.batches.push_back(batch(key, order.reps));
    return yield;
  }

  void close(const IncarnationKey& key) override { open_.erase(name(key)); }
  void close_all(const std::vector<IncarnationKey>& keys) override {
    if (remembers_asked) closed_together_.push_back(keys.size());
    Host::close_all(keys);
  }
  std::size_t capacity() const override { return pool; }

 private:
  static std::string name(const IncarnationKey& key) {
    return std::to_string(key.series) + '/' + to_text(key.point) + '/' + std::to_string(key.incarnation);
  }

  Batch batch(const IncarnationKey& key, Reps reps) {
    Batch batch{reps, {}};
    Nanoseconds slowest{};
    const SeriesPlan& series = plan_->series.at(key.series);
    const Placement& placement = placement_of(series, key.point);
    for (int member = 0; member < members_of(series, key.point); ++member) {
      const Nanoseconds time = law_({key.series, key.point, key.incarnation, member, reps}, rng_);
      slowest = std::max(slowest, time);
      MemberReport& report = batch.members.emplace_back();
      report.claims = Claims(time);
      report.cpu_before = report.cpu_after =
          placement.bound() ? placement.cpus.at(static_cast<std::size_t>(member)) : member;
      report.cpu = report.wall = time;
    }
    if (spoil) spoil(key, batch, rng_);
    clock_->advance(slowest);
    return batch;
  }

  const CampaignPlan* plan_;
  FakeClock* clock_;
  TimeLaw law_;
  Rng rng_;
  std::set<std::string> open_;
  std::vector<Asked> asked_;
  std::size_t most_open_ = 0;
  std::size_t opened_in_all_ = 0;
  std::vector<std::size_t> closed_together_;
};

}  // namespace assay::test
