// SPDX-License-Identifier: Apache-2.0
// System calls of many members at once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "os/system_call.hpp"
#include "work/window.hpp"

namespace assay {

/// All members make one call over and over for a window of time, each on a file or device of its own or all on one.
/// What they share in the kernel shows as time that a member alone does not take (os/system_call). Each call's result
/// is checked there.
class SystemCallContended final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { time, rate, fairness };

  /// Throws Unsupported as SystemCall does, and for one object of all where the call has none.
  explicit SystemCallContended(Setup& setup) : window_(setup) {
    const bool is_common = setup.word("object") == "shared";
    if (is_common && !SystemCall::has_object(setup.word("call")))
      throw Unsupported("the call " + setup.word("call") +
                        " takes no file and no device that members could share; use object = own");
    for (int i = 0; i < (is_common ? 1 : setup.members()); ++i) calls_.push_back(std::make_unique<SystemCall>(setup));
  }

  Claims run(Member& member, Reps) override {
    SystemCall& call = *calls_[calls_.size() == 1 ? 0 : static_cast<std::size_t>(member.rank())];
    Nanoseconds taken;
    std::int64_t made = 0;
    window_.begin(member);
    window_.repeat(member, [&] {
      taken += Nanoseconds{call.run(member, at_a_time)[0]};
      made += at_a_time.count;
    });
    window_.end(member);
    // Who did not run in the window has nothing to say of its calls, and the others were not many at once.
    Claims claims;
    if (made > 0) claims.set(time, taken / static_cast<double>(made));
    if (member.rank() == 0) claim_of_all(claims, window_.lasted(member.stopwatch()));
    return claims;
  }

 private:
  // The clock is read around each: often enough for the members to end together, seldom enough not to count.
  static constexpr Reps at_a_time{32};

  void claim_of_all(Claims& claims, Nanoseconds lasted) const {
    const std::vector<std::int64_t> shares = window_.shares();
    std::int64_t all = 0;
    for (const std::int64_t share : shares) all += share * at_a_time.count;
    claims.set(rate, static_cast<double>(all) / lasted.count * 1e9).set(fairness, jain_index(shares));
  }

  CommonWindow window_;
  std::vector<std::unique_ptr<SystemCall>> calls_;
};

}  // namespace assay
