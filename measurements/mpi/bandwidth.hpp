// SPDX-License-Identifier: Apache-2.0
// A window of messages in flight, acknowledged as a whole: bandwidth and message rate.
#pragma once
#include <mpi.h>

#include <vector>

#include "api/mpi.hpp"
#include "mpi/message.hpp"

namespace assay {

/// Member 0 sends windows of messages to member 1, which answers each window with a message of no bytes; under
/// `direction = both` member 1 sends a window of its own meanwhile. One event is a message; the acknowledgement is
/// part of the time, as it is for whoever needs to know that all have arrived.
class MpiBandwidth final : public Measurement {
 public:
  explicit MpiBandwidth(Setup& setup)
      : place_(mpi_place(setup)),
        both_(setup.word("direction") == "both"),
        window_(setup.level<std::size_t>("window")),
        bytes_(setup.level<std::size_t>("size")),
        out_(window_, Message(bytes_)),
        in_(window_, Message(bytes_)),
        requests_(2 * window_, MPI_REQUEST_NULL) {
    if (window_ < 1) throw Unsupported("a window of no message; give 'window' levels from 1 on");
  }

  Claims run(Member& member, Reps reps) override {
    std::int64_t wrong = 0;
    Claims claims;
    const std::int64_t windows = reps.count;
    if (member.rank() == 0) {
      one_window(true, wrong);
      const Nanoseconds time = member.timed(reps, [&] { one_window(true, wrong); });
      claims = time;
      claims.set(1, static_cast<double>(bytes_ * window_) * static_cast<double>(windows) * (both_ ? 2 : 1));
    } else {
      for (std::int64_t i = 0; i <= windows; ++i) one_window(false, wrong);
    }
    require_all_right(wrong);
    return claims;
  }

 private:
  static constexpr int tag = 1;

  void one_window(bool first, std::int64_t& wrong) {
    const bool sends = first || both_;
    const bool receives = !first || both_;
    const int other = 1 - place_.rank;
    std::size_t used = 0;
    if (receives)
      for (Message& message : in_)
        MPI_Irecv(message.data(), message.size(), MPI_CHAR, other, tag, place_.communicator, &requests_[used++]);
    if (sends) {
      std::int64_t number = sent_;
      for (Message& message : out_) {
        message.number(++number);
        MPI_Isend(message.data(), message.size(), MPI_CHAR, other, tag, place_.communicator, &requests_[used++]);
      }
    }
    MPI_Waitall(static_cast<int>(used), requests_.data(), MPI_STATUSES_IGNORE);
    if (receives) {
      std::int64_t number = sent_;
      for (const Message& message : in_) wrong += message.is(++number) ? 0 : 1;
    }
    sent_ += static_cast<std::int64_t>(window_);
    acknowledge(first, other);
  }

  void acknowledge(bool first, int other) {
    char nothing = 0;
    if (first)
      MPI_Recv(&nothing, 0, MPI_CHAR, other, tag, place_.communicator, MPI_STATUS_IGNORE);
    else
      MPI_Send(&nothing, 0, MPI_CHAR, other, tag, place_.communicator);
  }

  const MpiPlace& place_;
  bool both_;
  std::size_t window_;
  std::size_t bytes_;
  std::vector<Message> out_;
  std::vector<Message> in_;
  std::vector<MPI_Request> requests_;
  std::int64_t sent_ = 0;  ///< before this window, by each side that sends
};

}  // namespace assay
