// SPDX-License-Identifier: Apache-2.0
// Brings visits about: opens incarnations as they are needed, calibrates, orders visits, and journals both.
#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "run/point/calibrator.hpp"
#include "run/point/core_watch.hpp"
#include "run/point/open_point.hpp"
#include "run/session/disturbance_monitor.hpp"
#include "run/session/surroundings.hpp"

namespace assay {

/// Makes the visits to open points. Borrows the surroundings.
class Visitor {
 public:
  Visitor(const Surroundings& world, const SessionOrder& order)
      : clock_(&world.clock),
        host_(&world.host),
        sink_(&world.sink.get()),
        world_(&world),
        usable_cpus_(world.usable_cpus),
        start_(world.clock.now()),
        session_(order.session),
        visits_(order.earlier.next_visit()),
        history_(&order.earlier),
        before_(std::max(order.continuation == nullptr ? Nanoseconds{} : order.continuation->elapsed(),
                         order.launch == nullptr ? Nanoseconds{} : order.launch->elapsed)),
        monitor_(world),
        is_limited_(order.time_limit.has_value()),
        cores_({{}, world.cycles_per_step, world.one_thread_per_core}, world.nodes, order.earlier.cores()) {}

  /// One visit to the point in the incarnation whose turn it is, after a record that it begins. Where cores were shared
  /// lately, they are probed first, and false is returned when the visit is not worth it now; it is made after so
  /// many such probes in any case. A failure is kept before it is thrown. Throws VisitFailed; StorageError.
  bool visit(OpenPoint& point, int round);
  /// Time since no point's visit was worth it.
  void count_wait(Nanoseconds time) { cores_.count_wait(time); }
  /// What is known of the cores that this point is measured on.
  const CoreLevels& levels_for(const OpenPoint& point) const { return cores_.levels(point.traits().simulated); }
  /// Ends all incarnations of the point.
  void close(const OpenPoint& point);
  /// What happened to the machine during the visits, for the session's end.
  std::vector<std::string> remarks();
  /// What was learned of the cores.
  CoresRecord cores() const { return cores_.record(session_, elapsed()); }
  /// Time for starting processes and choosing repetitions, and how many were started.
  Nanoseconds set_up() const { return set_up_; }
  int started() const { return started_; }
  /// Since the session's start.
  Nanoseconds elapsed() const { return clock_->now() - start_; }
  /// Since the start of the first of the sessions that this one continues: the times of visits.
  Nanoseconds time() const { return before_ + elapsed(); }

 private:
  bool visit(OpenPoint& point, const IncarnationKey& key, int round);
  bool is_worth(OpenPoint& point, const IncarnationKey& key);
  void keep(const OpenPoint& point, int incarnation, const VisitFailed& failure);
  void keep_notes();
  void open(OpenPoint& point, const IncarnationKey& key);
  void tune(OpenPoint& point, const IncarnationKey& key);
  void remark(const OpenPoint& point, const std::string& text);
  Calibration twinned(const OpenPoint& point, const Point& at, Calibration chosen, const CalibrationLimits& limits);
  void replace(OpenPoint& point, const IncarnationKey& key, const std::string& changed);

  const Clock* clock_;
  Host* host_;
  Sink* sink_;
  const Surroundings* world_;
  std::size_t usable_cpus_;
  Instant start_;
  int session_;
  int visits_;
  std::set<std::string> told_;         ///< remarks that were made, with their series
  std::map<std::string, Reps> twins_;  ///< what the first variant of a point was calibrated to
  const History* history_;
  Nanoseconds before_;
  Nanoseconds set_up_{};
  int started_ = 0;
  DisturbanceMonitor monitor_;
  bool is_limited_;  ///< the session has a time limit, which probes count for as visits do
  CoreWatch cores_;
};

}  // namespace assay
