// SPDX-License-Identifier: Apache-2.0
// Windows of messages in flight, acknowledged as a whole: the bandwidth of one pair, and the rate of many pairs at
// once.
#pragma once
#include <mpi.h>
#include <vector>

#include "api/mpi.hpp"
#include "mpi/seating.hpp"
#include "mpi/window.hpp"

namespace assay {

/// Member 0 sends windows of messages to member 1, which answers each window with a message of no bytes; under
/// `direction = both` member 1 sends a window of its own meanwhile. One event is a window; the acknowledgement is
/// part of the time, as it is for a program that needs to know that all have arrived.
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
    if (setup.level<std::int64_t>("window") < 1) throw Unsupported("an empty window; give 'window' levels from 1 on");
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

/// The first half of the members sends, each to its partner in the second half, windows of non-blocking messages that
/// the partner acknowledges as a whole. Pairs have communicators of their own, or share one and have tags.
class MpiMessageRate final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { time, rate };

  explicit MpiMessageRate(Setup& setup)
      : place_(mpi_place(setup)),
        seating_(place_),
        progress_(place_),
        own_(setup.word("communicator") == "own"),
        messages_(setup.level<std::size_t>("window")) {
    if (setup.members() % 2 != 0)
      throw Unsupported("members are pairs of a sender and a receiver; give 'members' even levels");
    if (messages_ < 1) throw Unsupported("an empty window; give 'window' levels from 1 on");
    if (seating_.most_threads() > 1) require_level(place_, MPI_THREAD_MULTIPLE);
    for (int member = 0; member < setup.members(); ++member)
      windows_.emplace_back(seating_.rank_of(member) == place_.rank ? messages_ : 0, setup.level<std::size_t>("size"),
                            sends(member) ? Window::Side::sends : Window::Side::receives);
  }

  void enter(Member& member) override {
    if (own_ && seating_.leads(member)) communicators_.make(place_.communicator, pairs());
  }
  void leave(Member& member) override {
    if (own_ && seating_.leads(member)) communicators_.free();
  }

  Claims run(Member& member, Reps reps) override {
    Window& window = windows_[static_cast<std::size_t>(member.rank())];
    const bool leads = sends(member.rank());
    const int pair = member.rank() % pairs();
    const int partner = seating_.partner_of(member.rank());
    const Way way{seating_.rank_of(partner), 1 + partner, 1 + member.rank(),
                  own_ ? communicators_[pair] : place_.communicator};
    const auto one_window = [&] { window.pass_acknowledged(way, progress_, leads); };
    one_window();
    const Nanoseconds taken = member.timed(reps, one_window);
    window.require_all_right();
    const double messages = static_cast<double>(messages_) * static_cast<double>(reps.count) * pairs();
    return Claims(taken).set(rate, messages / taken.count * 1e9);
  }

 private:
  int pairs() const { return seating_.members() / 2; }
  bool sends(int member) const { return member < pairs(); }

  const MpiPlace& place_;
  Seating seating_;
  MpiProgress progress_;
  bool own_;
  std::size_t messages_;
  std::vector<Window> windows_;  ///< by member; those of other ranks are empty
  Communicators communicators_;
};

}  // namespace assay
