// SPDX-License-Identifier: Apache-2.0
// Members 1..n-1 as a vehicle sees them: how they are started and ended. All else is the same for all local vehicles.
#pragma once
#include <functional>
#include <memory>

namespace assay {

/// The members besides the first.
class Crew {
 public:
  virtual ~Crew() = default;
  /// Starts a member, which calls `life` and ends. Ranks ascend from 1. Throws PlatformError.
  virtual void start(int rank, std::function<bool()> life) = 0;
  /// Waits until all have ended; they have been told to. After a failure (`orderly` false) some may never end: then
  /// they are ended by force, or where that is impossible given up after a second. Returns false for that: they still
  /// use what they were given.
  virtual bool end(bool orderly) = 0;
};

/// Told of the death of a member that is a process, in a signal handler on the first member.
using Died = std::function<void(int rank, const char* how)>;
/// Makes a vehicle's crew, which nobody is a member of yet.
using CrewMaker = std::unique_ptr<Crew> (*)(int members, Died died);

}  // namespace assay
