// SPDX-License-Identifier: Apache-2.0
// A message there and one back, or both at once: protocol P1 over MPI, with every way to send.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "api/mpi.hpp"
#include "mpi/message.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"

namespace assay {

/// Two ranks. Under `direction = both` each sends and receives at once, and one event is both messages. Under
/// `content = new` each message is written in whole right before it is sent, and read in whole when it has come, as
/// what a program sends is: one that stays as it was is in the caches of both CPUs from the second time on.
class MpiPingPong final : public Measurement {
 public:
  explicit MpiPingPong(Setup& setup)
      : place_(mpi_place(setup)),
        progress_(place_),
        mode_(modes().at(setup.word("mode"))),
        both_(setup.word("direction") == "both"),
        is_new_(setup.word("content") == "new"),
        out_(setup.level<std::size_t>("size")),
        in_(setup.level<std::size_t>("size")),
        outgoing_(place_.rank == 1 && !both_ && !is_new_ && !posts_early() ? in_ : out_) {
    require_ranks(place_);
    out_.number(1);
    if (mode_ != Mode::nonblocking && mode_ != Mode::persistent) require_that_waits_give_way(place_);
    if (mode_ == Mode::ready && both_)
      throw Unsupported("a ready send requires a posted receive, which is not known in both directions at once");
    if (mode_ == Mode::buffered)
      buffer_.resize(messages_in_buffer * (static_cast<std::size_t>(out_.size()) + MPI_BSEND_OVERHEAD));
  }

  void enter(Member&) override {
    if (mode_ != Mode::persistent) return;
    MPI_Send_init(outgoing_.data(), outgoing_.size(), MPI_CHAR, other(), tag, place_.communicator, requests_.data());
    MPI_Recv_init(in_.data(), in_.size(), MPI_CHAR, other(), tag, place_.communicator, &requests_[1]);
  }

  void leave(Member&) override {
    if (mode_ != Mode::persistent) return;
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
  }

  Claims run(Member& member, Reps reps) override {
    // A process has one such buffer: it is this measurement's during its batches only.
    if (mode_ == Mode::buffered) MPI_Buffer_attach(buffer_.data(), static_cast<int>(buffer_.size()));
    const bool first = member.rank() == 0;
    const Claims claims = both_ || first ? run_first(member, reps) : run_second(reps);
    if (mode_ == Mode::buffered) {
      void* buffer = nullptr;
      int bytes = 0;
      MPI_Buffer_detach(&buffer, &bytes);
    }
    require_all_right(std::exchange(wrong_, 0));
    return first ? claims : Claims();
  }

 private:
  enum class Mode : std::uint8_t { blocking, nonblocking, synchronous, buffered, ready, persistent };
  static constexpr int tag = 1;
  // The library may free a message's place late.
  static constexpr std::size_t messages_in_buffer = 8;

  static const std::map<std::string, Mode>& modes() {
    static const std::map<std::string, Mode> words{{"blocking", Mode::blocking},
                                                   {"nonblocking", Mode::nonblocking},
                                                   {"synchronous", Mode::synchronous},
                                                   {"buffered", Mode::buffered},
                                                   {"ready", Mode::ready},
                                                   {"persistent", Mode::persistent}};
    return words;
  }

  int other() const { return 1 - place_.rank; }
  // Exchanges before the clock: after a pause of a fraction of a millisecond the first ones are more expensive, and a
  // tenth of a short batch was theirs.
  static std::int64_t lead_in(Reps reps) {
    constexpr std::int64_t most = 32;
    return std::clamp<std::int64_t>(reps.count / 8, 1, most);
  }
  bool posts_early() const { return mode_ == Mode::ready; }

  Claims run_first(Member& member, Reps reps) {
    const auto exchange = [&] {
      if (both_)
        exchange_at_once();
      else
        exchange_first();
    };
    if (posts_early()) progress_.hear(other(), tag, place_.communicator);
    for (std::int64_t left = lead_in(reps); left > 0; --left) exchange();
    const Nanoseconds taken = member.timed(reps, exchange);
    check();
    return taken;
  }
  Claims run_second(Reps reps) {
    if (posts_early()) {
      post();
      progress_.tell(other(), tag, place_.communicator);
    }
    for (std::int64_t left = reps.count + lead_in(reps); left > 0; --left) exchange_second(left > 1);
    return {};
  }

  // What would keep the other side waiting is left for the time when the message is under way: checking what came
  // back last, and numbering what goes next. A ready send has its receive posted before, which forbids both.
  void exchange_first() {
    if (posts_early()) return exchange_first_ready();
    if (is_new_) return exchange_first_new();
    send();
    check();
    out_.number(++number_ + 1);
    receive();
  }
  void exchange_first_new() {
    out_.write(++number_);
    send();
    receive();
    check();
  }
  // Sends back what came, as it is.
  void exchange_second(bool more) {
    if (posts_early()) return exchange_second_ready(more);
    if (is_new_) return exchange_second_new();
    receive();
    send();
    ++number_;
    check();
  }
  void exchange_second_new() {
    receive();
    ++number_;
    check();
    out_.write(number_);
    send();
  }
  void exchange_first_ready() {
    ++number_;
    prepare();
    post();
    send();
    receive();
    check();
  }
  void exchange_second_ready(bool more) {
    receive();
    ++number_;
    check();
    prepare();
    if (more) post();
    send();
  }
  void prepare() { is_new_ ? out_.write(number_) : out_.number(number_); }
  void check() { wrong_ += (is_new_ ? in_.holds(number_) : in_.is(number_)) ? 0 : 1; }
  void exchange_at_once() {
    ++number_;
    prepare();
    if (mode_ == Mode::persistent) {
      MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
      progress_.wait_all(requests_);
    } else if (mode_ == Mode::blocking) {
      MPI_Sendrecv(out_.data(), out_.size(), MPI_CHAR, other(), tag, in_.data(), in_.size(), MPI_CHAR, other(), tag,
                   place_.communicator, MPI_STATUS_IGNORE);
    } else {
      post();
      if (mode_ == Mode::nonblocking)
        MPI_Isend(out_.data(), out_.size(), MPI_CHAR, other(), tag, place_.communicator, requests_.data());
      else
        send();
      progress_.wait_all(requests_);
    }
    check();
  }

  void post() { MPI_Irecv(in_.data(), in_.size(), MPI_CHAR, other(), tag, place_.communicator, &requests_[1]); }
  void send() {
    switch (mode_) {
      case Mode::blocking:
        MPI_Send(outgoing_.data(), outgoing_.size(), MPI_CHAR, other(), tag, place_.communicator);
        return;
      case Mode::synchronous:
        MPI_Ssend(outgoing_.data(), outgoing_.size(), MPI_CHAR, other(), tag, place_.communicator);
        return;
      case Mode::buffered:
        MPI_Bsend(outgoing_.data(), outgoing_.size(), MPI_CHAR, other(), tag, place_.communicator);
        return;
      case Mode::ready:
        MPI_Rsend(outgoing_.data(), outgoing_.size(), MPI_CHAR, other(), tag, place_.communicator);
        return;
      case Mode::nonblocking:
        MPI_Isend(outgoing_.data(), outgoing_.size(), MPI_CHAR, other(), tag, place_.communicator, requests_.data());
        break;
      case Mode::persistent:
        MPI_Start(requests_.data());
        break;
    }
    progress_.wait(requests_[0]);
  }
  void receive() {
    switch (mode_) {
      case Mode::blocking:
      case Mode::synchronous:
      case Mode::buffered:
        MPI_Recv(in_.data(), in_.size(), MPI_CHAR, other(), tag, place_.communicator, MPI_STATUS_IGNORE);
        return;
      case Mode::ready:  // posted before
        break;
      case Mode::nonblocking:
        post();
        break;
      case Mode::persistent:
        MPI_Start(&requests_[1]);
        break;
    }
    progress_.wait(requests_[1]);
  }

  const MpiPlace& place_;
  MpiProgress progress_;
  Mode mode_;
  bool both_;
  bool is_new_;
  Message out_;
  Message in_;
  Message& outgoing_;  ///< what this side sends: its own message, or the one that came
  std::vector<char> buffer_;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  std::int64_t number_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace assay
