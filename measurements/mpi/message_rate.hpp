// SPDX-License-Identifier: Apache-2.0
// Many pairs of members at once, each with windows of messages: threads of two ranks, or ranks of one thread.
#pragma once
#include <mpi.h>

#include <vector>

#include "api/mpi.hpp"
#include "mpi/seating.hpp"
#include "mpi/window.hpp"

namespace assay {

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
    if (messages_ < 1) throw Unsupported("a window of no message; give 'window' levels from 1 on");
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
