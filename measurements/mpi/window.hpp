// SPDX-License-Identifier: Apache-2.0
// Messages in flight between two members, numbered, checked and acknowledged as a whole.
#pragma once
#include <mpi.h>

#include <utility>
#include <vector>

#include "mpi/message.hpp"
#include "mpi/progress.hpp"

namespace assay {

/// The way to another member.
struct Way {
  int other = 0;  ///< its rank
  int there = 0;  ///< tag of messages to it
  int back = 0;   ///< tag of messages from it
  MPI_Comm communicator = MPI_COMM_NULL;
};

/// One side's buffers and requests for windows of messages. Both sides pass the same windows in the same order.
class Window {
 public:
  enum class Side : std::uint8_t { sends, receives, both };

  Window(std::size_t messages, std::size_t bytes, Side side)
      : messages_(messages),
        out_(side == Side::receives ? 0 : messages, Message(bytes)),
        in_(side == Side::sends ? 0 : messages, Message(bytes)),
        requests_(out_.size() + in_.size(), MPI_REQUEST_NULL) {}

  /// One window to and from the other side, until all has arrived here and every buffer may be used again.
  void pass(const Way& way, const MpiProgress& progress) {
    std::size_t used = 0;
    for (Message& message : in_)
      MPI_Irecv(message.data(), message.size(), MPI_CHAR, way.other, way.back, way.communicator, &requests_[used++]);
    std::int64_t number = passed_;
    for (Message& message : out_) {
      message.number(++number);
      MPI_Isend(message.data(), message.size(), MPI_CHAR, way.other, way.there, way.communicator, &requests_[used++]);
    }
    progress.wait_all(requests_);
    number = passed_;
    for (const Message& message : in_) wrong_ += message.is(++number) ? 0 : 1;
    passed_ += static_cast<std::int64_t>(messages_);
  }
  /// The same, and the acknowledgement by a message of no bytes: from the other side where this one `leads`, else to
  /// it.
  void pass_acknowledged(const Way& way, const MpiProgress& progress, bool leads) {
    pass(way, progress);
    if (leads)
      progress.hear(way.other, way.back, way.communicator);
    else
      progress.tell(way.other, way.there, way.communicator);
  }
  /// Throws when a message since the last call was not the one sent.
  void require_all_right() { assay::require_all_right(std::exchange(wrong_, 0)); }

 private:
  std::size_t messages_;
  std::vector<Message> out_;
  std::vector<Message> in_;
  std::vector<MPI_Request> requests_;
  std::int64_t passed_ = 0;  ///< messages before this window, each way
  std::int64_t wrong_ = 0;
};

}  // namespace assay
