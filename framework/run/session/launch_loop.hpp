// SPDX-License-Identifier: Apache-2.0
// Launch after launch, until nothing is left for them; and what is given up when they are lost.
#pragma once
#include <functional>
#include <string>
#include <unordered_map>

#include "run/session/launches.hpp"
#include "text/text_key.hpp"

namespace assay {

/// The launches of one session. Borrows them.
class LaunchLoop {
 public:
  /// What a session does with records: it keeps them, and takes note of finished points; and with a point that cannot
  /// be finished.
  struct Session {
    Sink& sink;
    std::function<void(const PointRecord&)> finished;
    std::function<void(const std::string& series, const Point&, Outcome, const std::string& why)> give_up;
    Follow follow;
  };

  explicit LaunchLoop(Launches& launches) : launches_(&launches) {}

  /// Whether a further launch is needed, and would help.
  bool due() const { return due_; }
  void need_none() { due_ = false; }
  /// Starts a launch and waits for its end. A lost one is followed by another; what was in flight in too many of them
  /// is given up. Throws StorageError.
  void next(const LaunchOrder& order, const Session& session);
  /// The reason of the last launch's end, by rank 0; empty when it was lost.
  const std::string& ended() const { return ended_; }
  /// Why there are no further ones although points are left; empty while there may be.
  const std::string& gave_up() const { return gave_up_; }
  /// Whether one ever came as far as its first record.
  bool ever_began() const { return ever_began_; }

 private:
  void lose(const LaunchOrder& order, const Launched& lost, const Session& session);
  void stop(const std::string& why);

  Launches* launches_;
  bool due_ = true;
  bool ever_began_ = false;
  std::string ended_;
  std::string gave_up_;
  std::unordered_map<TextKey, int, TextKeyHash> losses_;  ///< by point
  int early_ = 0;                                         ///< lost in a row without a visit in flight
  int barren_ = 0;                                        ///< ended in a row without a visit
};

}  // namespace assay
