// SPDX-License-Identifier: Apache-2.0
// Messages of MPI between two ranks, of `bytes` bytes.
#pragma once
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>

#include "api/mpi.hpp"
#include "channel/channel.hpp"
#include "mpi/message.hpp"

namespace assay {

/// A message is one blocking send and one blocking receive; where members outnumber CPUs both give the CPU up while
/// they wait. Each carries its number, which its receiver checks.
class MpiChannel {
  static constexpr int message_tag = 1;
  static constexpr int gate_tag = 2;
  static constexpr std::int64_t most_taken = 64;  // as many as are tried

 public:
  /// Between timed regions members signal each other by messages of one byte. A waiting one polls for it periodically
  /// and stays out of the library between two looks: a receiver that is to be idle must not receive what is sent to it.
  class Gate {
   public:
    explicit Gate(Setup& setup) : place_(mpi_place(setup)) {}
    /// Carries one word to the side that passes.
    void open(bool word = true) {
      MPI_Send(&word, sizeof word, MPI_BYTE, 1 - place_.rank, gate_tag, place_.communicator);
    }
    /// Returns the word.
    bool pass() {
      out_of_the_library(place_, look_every);
      while (!is_open()) out_of_the_library(place_, look_every);
      return taken();
    }
    /// The same for a side whose opening is to prove that what it did before was done by then: a look takes less time.
    void open_later() {
      out_of_the_library(place_, look_every);
      open();
    }
    /// Returns whether the gate had been opened later (open_later) before the first look: everything before that was
    /// done while this side was out of the library, which therefore had no part in it. The first look is late enough
    /// for that as a rule: it is put off for twice as long after each one that was not, up to a limit, and a little
    /// less after each one that was.
    bool pass_unaided() {
      out_of_the_library(place_, std::chrono::duration_cast<std::chrono::microseconds>(first_look_));
      // What has come is taken in by one call and found by the next: Open MPI looks first, and makes progress then.
      static_cast<void>(is_open());
      const bool unaided = is_open();
      while (!is_open()) out_of_the_library(place_, look_every);
      taken();
      first_look_ = unaided ? std::max(first_look_ * 0.98, Pause(look_every)) : std::min(first_look_ * 2, latest_look);
      return unaided;
    }

   private:
    using Pause = std::chrono::duration<double, std::micro>;
    static constexpr auto look_every = std::chrono::microseconds(20);
    static constexpr Pause latest_look{2000};

    bool is_open() const {
      int there = 0;
      MPI_Iprobe(1 - place_.rank, gate_tag, place_.communicator, &there, MPI_STATUS_IGNORE);
      return there != 0;
    }
    bool taken() const {
      bool word = false;
      MPI_Recv(&word, sizeof word, MPI_BYTE, 1 - place_.rank, gate_tag, place_.communicator, MPI_STATUS_IGNORE);
      return word;
    }

    const MpiPlace& place_;
    Pause first_look_{look_every};
  };

  explicit MpiChannel(Setup& setup)
      : place_(mpi_place(setup)),
        gate_(setup),
        out_(setup.level<std::size_t>("bytes")),
        in_(setup.level<std::size_t>("bytes")) {}
  static Traits traits() { return {.vehicles = {"mpi"}, .waiting = Waiting::polls}; }
  static constexpr Delivery delivery = Delivery::queued;
  /// Until it is learned, one is hoped for.
  std::int64_t capacity() const { return taken_; }

  void enter(Member&) {}
  void leave(Member&) {}

  /// Finds how many messages are taken while none is received: sends complete while the receiver is out of the library
  /// for longer than it takes to try. 0 where each waits for its receiver: a rendezvous, or a transport whose buffers
  /// come back when the receiver looks. A try in which the sender lost its CPU says nothing. Throws
  /// std::runtime_error where all were so.
  void learn_capacity(Member& member) {
    int refused = 0;
    for (int attempt = 0; attempt < attempts; ++attempt) {
      taken_ = member.rank() == 0 ? try_without_receiver(member) : receive_late(member);
      if (taken_ > 0 || (taken_ == 0 && ++refused == most_refused)) return;
    }
    throw std::runtime_error("the sender lost its CPU in each of " + std::to_string(attempts) +
                             " tries to find how many messages are taken without a receiver");
  }

  void send(Member&, Direction) {
    out_.number(++sent_);
    if (!place_.crowded) {
      MPI_Send(out_.data(), out_.size(), MPI_CHAR, other(), message_tag, place_.communicator);
      return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(out_.data(), out_.size(), MPI_CHAR, other(), message_tag, place_.communicator, &request);
    finish(request);
  }
  void receive(Member&, Direction) {
    if (!place_.crowded) {
      MPI_Recv(in_.data(), in_.size(), MPI_CHAR, other(), message_tag, place_.communicator, MPI_STATUS_IGNORE);
    } else {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Irecv(in_.data(), in_.size(), MPI_CHAR, other(), message_tag, place_.communicator, &request);
      finish(request);
    }
    if (!in_.is(++received_)) throw std::runtime_error("a message differs from the one sent");
  }
  /// What was sent before a gate was opened has come when the first of it has: ranks hear each other in order.
  void settle(Member&, Direction) {
    for (int there = 0; there == 0;) MPI_Iprobe(other(), message_tag, place_.communicator, &there, MPI_STATUS_IGNORE);
  }

 private:
  static constexpr int attempts = 40;
  static constexpr int most_refused = 3;
  static constexpr std::int64_t unknown = -1;
  static constexpr int fewest_looks = 100;  // by a sender that has its CPU for half of a trial
  static constexpr auto trial = std::chrono::milliseconds(2);
  static constexpr auto absence = std::chrono::milliseconds(4);

  int other() const { return 1 - place_.rank; }

  /// Holds the CPU, or sleeps where others need it.
  static void out_of_the_library(const MpiPlace& place, std::chrono::microseconds time) {
    if (place.crowded) return std::this_thread::sleep_for(time);
    const auto until = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < until) {
    }
  }

  static void finish(MPI_Request& request) {
    for (int done = 0; done == 0;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done == 0) ::sched_yield();
    }
  }

  std::int64_t try_without_receiver(Member& member) {
    // The receiver answers when it goes out, which is after `from`: its look for a gate would take the first message.
    gate_.open();
    const auto from = std::chrono::steady_clock::now();
    gate_.pass();
    const bool is_late = std::chrono::steady_clock::now() - from > trial / 2;
    int looks = 0;
    std::int64_t sent = 0;
    std::int64_t taken = 0;
    for (bool is_taken = true; is_taken && sent < most_taken; ++sent) {
      MPI_Request request = MPI_REQUEST_NULL;
      out_.number(++sent_);
      MPI_Isend(out_.data(), out_.size(), MPI_CHAR, other(), message_tag, place_.communicator, &request);
      int done = 0;
      while (done == 0 && std::chrono::steady_clock::now() - from < trial) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        ++looks;
      }
      // Only what is done by then was done without a receiver.
      is_taken = done != 0 && std::chrono::steady_clock::now() - from < trial;
      taken += is_taken ? 1 : 0;
      finish(request);
    }
    if (taken == 0 && (is_late || looks < fewest_looks)) taken = unknown;
    std::int64_t both[] = {sent, taken};
    MPI_Send(both, 2, MPI_INT64_T, other(), gate_tag, place_.communicator);
    gate_.pass();  // messages of two attempts must not mix: nothing else keeps this side from running ahead
    static_cast<void>(member);
    return taken;
  }
  std::int64_t receive_late(Member& member) {
    gate_.pass();
    gate_.open();
    out_of_the_library(place_, absence);
    std::int64_t both[] = {0, 0};
    // The first is there or on its way; of the others only the sender knows the number.
    receive(member, Direction::there);
    std::int64_t got = 1;
    for (int told = 0; told == 0;) {
      int there = 0;
      MPI_Iprobe(other(), message_tag, place_.communicator, &there, MPI_STATUS_IGNORE);
      if (there != 0) {
        receive(member, Direction::there);
        ++got;
      }
      MPI_Iprobe(other(), gate_tag, place_.communicator, &told, MPI_STATUS_IGNORE);
      if (there == 0 && told == 0) ::sched_yield();
    }
    MPI_Recv(both, 2, MPI_INT64_T, other(), gate_tag, place_.communicator, MPI_STATUS_IGNORE);
    while (got++ < both[0]) receive(member, Direction::there);
    gate_.open();
    return both[1];
  }

  const MpiPlace& place_;
  Gate gate_;
  Message out_;
  Message in_;
  std::int64_t taken_ = 1;
  std::int64_t sent_ = 0;
  std::int64_t received_ = 0;
};

}  // namespace assay
