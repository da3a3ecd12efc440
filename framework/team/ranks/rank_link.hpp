// SPDX-License-Identifier: Apache-2.0
// How the ranks of one launch talk about their work: apart from anything that a measurement sends.
#pragma once
#include <string>
#include <vector>

#include "api/measurement.hpp"
#include "team/clock/place_clock.hpp"
#include "team/ranks/rank_map.hpp"

namespace assay {

/// One rank's end of the framework's own traffic. Rank 0 leads; the others follow. Every function but `abort` is called
/// by all ranks in the same order, on each rank's first thread; texts may be of any length and hold any byte.
class RankLink {
 public:
  virtual ~RankLink() = default;
  virtual int rank() const = 0;
  int size() const { return static_cast<int>(map().size()); }
  /// The text of rank 0, on all. The others look for it occasionally and sleep between, since it is not known when it
  /// comes.
  virtual std::string broadcast(const std::string& text) = 0;
  /// The texts of all ranks in order, on rank 0; nothing on the others.
  virtual std::vector<std::string> gather(const std::string& text) = 0;
  /// Whether the library gives the CPU up while it waits: then members are switched out by design where other
  /// processes want their CPUs, be these of the launch or not.
  virtual bool gives_way() const = 0;
  /// The thread level that the library provides in this launch: "single", "funneled", "serialized" or "multiple".
  virtual std::string thread_level() const { return "single"; }
  /// Where all ranks are.
  virtual const RankMap& map() const = 0;
  /// The place of this rank among those that hold members, in the order of their first members: with a communicator of
  /// their own, made at the first call for these seats and kept. Null on a rank that holds none.
  virtual const MpiPlace* place(const std::vector<RankSeat>& seats) = 0;
  /// Called by the ranks of a place only: returns on all of them when the last has called it.
  virtual void start(const MpiPlace* place) = 0;
  /// The clock of a place on this rank, with the wire between its ranks.
  virtual PlaceClock* clock(const MpiPlace* place) = 0;
  /// Says on standard error why, and ends all ranks: one that failed within a batch cannot be waited for.
  [[noreturn]] virtual void abort(const std::string& why) = 0;
};

}  // namespace assay
