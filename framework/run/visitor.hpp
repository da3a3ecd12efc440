// SPDX-License-Identifier: Apache-2.0
// Brings visits about: opens incarnations as they are needed, calibrates, orders visits, and journals both.
#pragma once
#include <cstddef>

#include "base/clock.hpp"
#include "run/host.hpp"
#include "run/series.hpp"

namespace assay {

/// Pays visits to open points. Borrows the clock, the host and the sink.
class Visitor {
 public:
  Visitor(const Clock& clock, Host& host, Sink& sink, std::size_t usable_cpus)
      : clock_(&clock), host_(&host), sink_(&sink), usable_cpus_(usable_cpus), start_(clock.now()) {}

  /// One visit to the point in the incarnation whose turn it is. Throws VisitFailed; StorageError.
  void visit(OpenPoint& point, int round);
  /// Ends all incarnations of the point.
  void close(const OpenPoint& point);
  /// Since the session's start.
  Nanoseconds elapsed() const { return clock_->now() - start_; }

 private:
  Opened open(OpenPoint& point, const IncarnationKey& key);
  void tune(OpenPoint& point, const IncarnationKey& key, const Opened& opened);

  const Clock* clock_;
  Host* host_;
  Sink* sink_;
  std::size_t usable_cpus_;
  Instant start_;
  int visits_ = 0;
};

}  // namespace assay
