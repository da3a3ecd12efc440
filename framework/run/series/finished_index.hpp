// SPDX-License-Identifier: Apache-2.0
// The points of a series that earlier sessions finished, without their records.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "design/grid.hpp"
#include "record/record.hpp"
#include "run/plan.hpp"
#include "stats/rule/stopping_rule.hpp"
#include "text/text_key.hpp"

namespace assay {

/// True for a finished point with a result that can be measured again without changing the system.
bool can_be_anchor(const CampaignPlan& plan, const PointRecord& record);

/// Keeps the first record, the last, and some evenly spread between: at most seventeen.
class AnchorSample {
 public:
  void add(const PointRecord& record);
  /// In the order in which they were added.
  std::vector<const PointRecord*> records() const;

 private:
  std::vector<PointRecord> spread_;  ///< each `stride_`-th
  std::optional<PointRecord> last_;
  std::size_t stride_ = 1;
  std::size_t added_ = 0;
};

/// Whether members sleep and are woken from another CPU in what a result is about, or a single one starts a thread
/// there; members that found each other awake count where others of their batches did not. Of ranks only their hosts
/// know; what was computed has no CPUs.
bool wakes_another_cpu(const SeriesPlan& series, const PointRecord& record, const Result& result);
/// Whether a result is of members that poll on CPUs of their own: what these are apart is decided there, too.
bool polls_another_cpu(const SeriesPlan& series, const PointRecord& record, const Result& result);
/// Whether the kernel gives memory in what a point is about.
bool takes_memory(const SeriesPlan& series, const PointRecord& record);
/// For a virtual machine, where both cost something else a minute later: no such result of one session or two is valid
/// for longer.
void limit_term_on_virtual_machine(const SeriesPlan& series, PointRecord& record);

/// Takes note of points with results whose time was taken, not computed.
class MeasuredPoints {
 public:
  void add(const SeriesPlan& series, const PointRecord& record);
  void add(const MeasuredPoints& others);
  bool any() const { return any_; }
  /// How members shared CPUs where so many are usable; empty when they did not.
  std::string sharing(std::size_t usable_cpus) const;
  /// True where a result is such a one, by wakes_another_cpu, polls_another_cpu and takes_memory.
  bool wakes_other_cpus() const { return wakes_; }
  bool polls_other_cpus() const { return polls_; }
  /// How far apart the members of what polls were: "268 ns", "264 to 283 ns"; empty where that is not known.
  std::string distances() const;
  bool take_memory() const { return take_memory_; }

 private:
  void add_distance(double distance);

  bool any_ = false;
  bool wakes_ = false;
  bool polls_ = false;
  bool take_memory_ = false;
  double nearest_ = 0;  ///< ns; 0 where no distance is known
  double farthest_ = 0;
  int bound_ = 0;    ///< members of a team that was bound to fewer CPUs
  int unbound_ = 0;  ///< most members of a team that was not bound
};

/// Knows which points stand, for a series whose points the plan lists and nothing is computed over. Borrows the plans.
class FinishedIndex {
 public:
  FinishedIndex(const CampaignPlan& plan, const SeriesPlan& series)
      : plan_(&plan), series_(&series), planned_(series.factors) {}

  /// A finished point, in place of an earlier record of it. `suffices` when it is as accurate as is asked for now.
  void add(const PointRecord& record, bool suffices);
  /// The point is to be measured again, whatever was found. Nothing happens when it is not known.
  void reopen(const Point& point);
  /// A new pass begins.
  void clear();

  /// By text/text_key.hpp of about(series, point): whether there is a record, and whether it is all that is asked for.
  bool knows(const TextKey& point) const { return points_.contains(point); }
  bool suffices(const TextKey& point) const;
  bool is_planned(const Point& point) const { return planned_.contains(point); }

  /// Points of the plan that stand, how many of them failed or timed out, and how many have a number.
  struct Count {
    std::size_t points = 0;
    std::size_t failed = 0;
    std::size_t measured = 0;
  };
  Count count() const;
  /// Points that are not in the plan.
  const std::vector<Point>& removed() const { return removed_; }
  const MeasuredPoints& measured() const { return measured_; }
  const AnchorSample& anchors() const { return anchors_; }

 private:
  struct State {
    bool planned = false;
    bool suffices = false;
    bool failed = false;
    bool measured = false;
  };
  const CampaignPlan* plan_;
  const SeriesPlan* series_;
  Membership planned_;
  std::unordered_map<TextKey, State, TextKeyHash> points_;
  std::vector<Point> removed_;
  MeasuredPoints measured_;
  AnchorSample anchors_;
};

/// True for a series that is refined, has derived values, has several placements of one class, which are compared, or
/// is in a campaign whose layout computes values over series. Of the others a finished point leaves nothing but its
/// record in the journal.
bool keeps_records(const CampaignPlan& plan, const SeriesPlan& series);

/// True when a result is as narrow as a rule requires, whatever rule it was measured by. What has no number would have
/// none again.
bool is_as_accurate(const PointRecord& record, const RuleSpec& rule);

}  // namespace assay
