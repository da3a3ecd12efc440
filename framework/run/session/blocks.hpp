// SPDX-License-Identifier: Apache-2.0
// The outer blocks of factors that are hard to change: whose turn it is, and the commands between them.
#pragma once
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "run/plan.hpp"
#include "run/session/surroundings.hpp"

namespace assay {

/// A variant could not be set up: its points have no result.
class SetUpFailed : public std::runtime_error {
 public:
  SetUpFailed(const std::string& what, bool has_worked) : std::runtime_error(what), has_worked_(has_worked) {}
  /// Whether an earlier set-up of the session succeeded. Where none did, the variant is not available here.
  bool has_worked() const { return has_worked_; }

 private:
  bool has_worked_;
};
/// A variant could not be taken down again: the state of the system is unknown.
class TearDownFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Takes turns between the variants that commands set up, and everything else, which is a block too. A block lasts as
/// many rounds as its variant requests; blocks follow each other in random order, which every second cycle reverses, so
/// that a drift hits all of them alike (ABBA). Tells the journal before a set-up and after a tear-down. Borrows plan
/// and world.
class Blocks {
 public:
  Blocks(const CampaignPlan& plan, const Surroundings& world, const Rng& rng, int session = 0)
      : plan_(plan), world_(world), rng_(rng), session_(session) {}
  /// Takes the last variant down; a failure is not reported.
  ~Blocks();
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  /// The block that a point belongs to: the name of its variant where that is hard to change, else empty.
  std::string block_of(const Point& point) const;
  /// The block of the coming round, among those (at least one) that have points due.
  std::string next(const std::set<std::string>& due);
  /// Changes the system to a block's variant, unless that is its state. Throws SetUpFailed (nothing is set up then) and
  /// TearDownFailed.
  void enter(const std::string& block);
  /// Takes the variant down that is set up. Throws TearDownFailed.
  void leave();
  /// Takes a variant down that an earlier session set up, or began to. Throws TearDownFailed; nothing happens when the
  /// plan does not have it, and false is returned.
  bool take_down(const std::string& variant);

 private:
  const Variant* variant_named(const std::string& block) const;
  void deal(const std::set<std::string>& due);

  const CampaignPlan& plan_;
  const Surroundings& world_;
  Rng rng_;
  int session_;
  std::string current_;
  std::set<std::string> worked_;    ///< variants that were set up
  int rounds_ = 0;                  ///< in the current block
  std::vector<std::string> order_;  ///< of this cycle, the next one last
  std::vector<std::string> dealt_;  ///< in this cycle's order from the first on
  bool reverse_ = false;
};

}  // namespace assay
