// SPDX-License-Identifier: Apache-2.0
// A window of messages in flight, acknowledged as a whole: bandwidth.
#pragma once
#include <mpi.h>

#include "api/mpi.hpp"
#include "mpi/seating.hpp"
#include "mpi/window.hpp"

namespace assay {

/// Member 0 sends windows of messages to member 1, which answers each window with a message of no bytes; under
/// `direction = both` member 1 sends a window of its own meanwhile. One event is a window; the acknowledgement is
/// part of the time, as it is for whoever needs to know that all have arrived.
class MpiBandwidth final : public Measurement {
 public:
  explicit MpiBandwidth(Setup& setup)
      : place_(mpi_place(setup)),
        progress_(place_),
        moved_(setup.level<double>("size") * setup.level<double>("window") * (is_both(setup) ? 2 : 1)),
        window_(setup.level<std::size_t>("window"), setup.level<std::size_t>("size"),
                is_both(setup)     ? Window::Side::both
                : place_.rank == 0 ? Window::Side::sends
                                   : Window::Side::receives) {
    require_ranks(place_);
    if (setup.level<std::int64_t>("window") < 1)
      throw Unsupported("a window of no message; give 'window' levels from 1 on");
  }

  Claims run(Member& member, Reps reps) override {
    const bool leads = member.rank() == 0;
    const Way way{1 - place_.rank, 1, 1, place_.communicator};
    const auto one_window = [&] { window_.pass_acknowledged(way, progress_, leads); };
    one_window();
    const Nanoseconds time = member.timed(reps, one_window);
    window_.require_all_right();
    if (!leads) return {};
    return Claims(time).set(1, moved_ * static_cast<double>(reps.count));
  }

 private:
  static bool is_both(const Setup& setup) { return setup.word("direction") == "both"; }

  const MpiPlace& place_;
  MpiProgress progress_;
  double moved_;  ///< bytes of one window, both ways together
  Window window_;
};

}  // namespace assay
