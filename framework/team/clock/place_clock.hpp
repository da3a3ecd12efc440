// SPDX-License-Identifier: Apache-2.0
// The common clock of the ranks of a place, from the first time that it is needed on.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/common_time.hpp"
#include "stats/clock/clock_fit.hpp"
#include "team/clock/clock_sync.hpp"
#include "team/wire/wire.hpp"

namespace assay {

/// What a rank's second check of the common clock says about its time stamps since the first. A plain value, to be
/// gathered.
struct StretchCheck {
  ClockAgreement own;   ///< with the rank it had learned from
  int refused_by = -1;  ///< the rank on the way to rank 0 whose own comparison refuses the stamps; -1 when none does
  Nanoseconds bound{};  ///< largest error of a time stamp of the period on the common clock, when none does
  Nanoseconds keeps_for{};  ///< until the bound of the model as it is now has doubled
};

/// Compares each rank's clock once more with the one it was learned from, by one fit point of `exchanges`, in the same
/// order, and of more where these took half as long again as the fastest before; all ranks call it. Stamps of a rank
/// are refused when it, or a rank on its way to rank 0, finds that its model missed by more than the bounds explain:
/// then it has to be learned anew. Else the fit point joins those that were `seen`, and the clock is from here on what
/// all of them say.
StretchCheck check_again(Wire& wire, CommonClock& clock, ClockHistory& seen, int exchanges = 10);

/// Why the time stamps of the period cannot be compared between ranks, by the first rank that refuses, with how many
/// other ranks' stamps are refused as well; empty when all are accepted. `checks` are those of all ranks.
std::string refusal(std::span<const StretchCheck> checks);

/// One rank's end: learns the common clock, compares it once more, and converts in between.
class PlaceClock final : public CommonTime {
 public:
  explicit PlaceClock(std::unique_ptr<Wire> wire) : wire_(std::move(wire)) {}

  Wire& wire() { return *wire_; }
  /// Learns the clock, with what is known of it; all ranks of the place call it. Throws WireError.
  const CommonClock& learn(const SyncRule& rule = {});
  /// Checks again at the end of a period, and adds what is found; all ranks of the place call it. Throws WireError.
  StretchCheck look_again();
  bool is_known() const { return clock_.has_value(); }
  /// As it was learned, or added to. Throws std::logic_error before.
  const CommonClock& known() const;
  /// Says when the next batch starts on the common clock; nothing where it has no agreed start.
  void agree(std::optional<Instant> start) { start_ = start; }

  Instant now() const override { return of(wire_->clock().now()); }
  Instant of(Instant own) const override { return known().model.to_reference(own); }
  std::optional<Instant> agreed_start() const override { return start_; }

 private:
  std::unique_ptr<Wire> wire_;
  std::optional<CommonClock> clock_;
  ClockHistory seen_;
  std::optional<Instant> start_;
};

/// What rank 0 of a place makes of the clocks of all.
struct ClockStanding {
  bool one_clock = true;  ///< all ranks read the same: nothing is lost as time goes by
  Nanoseconds bound{};    ///< most that any rank's reading is wrong
};
ClockStanding standing(std::span<const CommonClock> clocks);

/// The clocks for people: "ranks 0 to 3 read one clock, as far as 0.4 us show", else a line's worth for the worst rank.
std::string to_text(std::span<const CommonClock> clocks);

}  // namespace assay
