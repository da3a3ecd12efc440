// SPDX-License-Identifier: Apache-2.0
// Brings visits about: opens incarnations as they are needed, calibrates, orders visits, and journals both.
#pragma once
#include <cstddef>

#include "run/series.hpp"
#include "run/session_order.hpp"
#include "run/surroundings.hpp"

namespace assay {

/// Pays visits to open points. Borrows the clock, the host and the sink.
class Visitor {
 public:
  Visitor(const Surroundings& world, const SessionOrder& order)
      : clock_(&world.clock),
        host_(&world.host),
        sink_(&world.sink),
        usable_cpus_(world.usable_cpus),
        tick_(world.tick),
        start_(world.clock.now()),
        session_(order.session),
        visits_(order.earlier.next_visit()) {}

  /// One visit to the point in the incarnation whose turn it is. Throws VisitFailed; StorageError.
  void visit(OpenPoint& point, int round);
  /// Ends all incarnations of the point.
  void close(const OpenPoint& point);
  /// Since the session's start.
  Nanoseconds elapsed() const { return clock_->now() - start_; }

 private:
  void open(OpenPoint& point, const IncarnationKey& key);
  void tune(OpenPoint& point, const IncarnationKey& key);
  void remark(const OpenPoint& point, const std::string& text);

  const Clock* clock_;
  Host* host_;
  Sink* sink_;
  std::size_t usable_cpus_;
  Nanoseconds tick_;
  Instant start_;
  int session_;
  int visits_;
};

}  // namespace assay
