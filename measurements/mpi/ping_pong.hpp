// SPDX-License-Identifier: Apache-2.0
// A message there and one back: protocol P1 over MPI.
#pragma once
#include <mpi.h>

#include <array>
#include <string>

#include "api/mpi.hpp"
#include "mpi/message.hpp"

namespace assay {

/// Two ranks. Every call goes through one of four ways to send and receive.
class MpiPingPong final : public Measurement {
 public:
  explicit MpiPingPong(Setup& setup)
      : place_(mpi_place(setup)),
        mode_(mode_of(setup.word("mode"))),
        out_(setup.level<std::size_t>("size")),
        in_(setup.level<std::size_t>("size")) {}

  void enter(Member&) override {
    if (mode_ != Mode::persistent) return;
    MPI_Send_init(out_.data(), out_.size(), MPI_CHAR, other(), tag, place_.communicator, requests_.data());
    MPI_Recv_init(in_.data(), in_.size(), MPI_CHAR, other(), tag, place_.communicator, &requests_[1]);
  }

  void leave(Member&) override {
    if (mode_ != Mode::persistent) return;
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
  }

  Claims run(Member& member, Reps reps) override {
    std::int64_t wrong = 0;
    std::int64_t number = 0;
    Claims claims;
    if (member.rank() == 0) {
      exchange_first(number, wrong);
      claims = member.timed(reps, [&] { exchange_first(number, wrong); });
    } else {
      for (std::int64_t i = 0; i <= reps.count; ++i) exchange_second(number, wrong);
    }
    require_all_right(wrong);
    return claims;
  }

 private:
  enum class Mode : std::uint8_t { blocking, nonblocking, synchronous, persistent };
  static constexpr int tag = 1;

  static Mode mode_of(const std::string& word) {
    if (word == "nonblocking") return Mode::nonblocking;
    if (word == "synchronous") return Mode::synchronous;
    return word == "persistent" ? Mode::persistent : Mode::blocking;
  }

  int other() const { return 1 - place_.rank; }

  void exchange_first(std::int64_t& number, std::int64_t& wrong) {
    out_.number(++number);
    send();
    receive();
    wrong += in_.is(number) ? 0 : 1;
  }

  void exchange_second(std::int64_t& number, std::int64_t& wrong) {
    receive();
    wrong += in_.is(++number) ? 0 : 1;
    out_.number(number);
    send();
  }

  void send() {
    MPI_Request request = MPI_REQUEST_NULL;
    switch (mode_) {
      case Mode::blocking:
        MPI_Send(out_.data(), out_.size(), MPI_CHAR, other(), tag, place_.communicator);
        return;
      case Mode::synchronous:
        MPI_Ssend(out_.data(), out_.size(), MPI_CHAR, other(), tag, place_.communicator);
        return;
      case Mode::nonblocking:
        MPI_Isend(out_.data(), out_.size(), MPI_CHAR, other(), tag, place_.communicator, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return;
      case Mode::persistent:
        MPI_Start(requests_.data());
        MPI_Wait(requests_.data(), MPI_STATUS_IGNORE);
        return;
    }
  }

  void receive() {
    MPI_Request request = MPI_REQUEST_NULL;
    switch (mode_) {
      case Mode::blocking:
      case Mode::synchronous:
        MPI_Recv(in_.data(), in_.size(), MPI_CHAR, other(), tag, place_.communicator, MPI_STATUS_IGNORE);
        return;
      case Mode::nonblocking:
        MPI_Irecv(in_.data(), in_.size(), MPI_CHAR, other(), tag, place_.communicator, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return;
      case Mode::persistent:
        MPI_Start(&requests_[1]);
        MPI_Wait(&requests_[1], MPI_STATUS_IGNORE);
        return;
    }
  }

  const MpiPlace& place_;
  Mode mode_;
  Message out_;
  Message in_;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

}  // namespace assay
