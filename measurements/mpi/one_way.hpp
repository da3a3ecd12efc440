// SPDX-License-Identifier: Apache-2.0
// One-way times between ranks, by stamps on both sides that the common clock makes comparable.
#pragma once
#include <mpi.h>

#include <cmath>
#include <cstdint>

#include "mpi/channel.hpp"

namespace assay {

/// A ping-pong whose sides stamp their sends and receives with their own clocks. What is compared are the means of a
/// batch, converted to the common clock: an error of that clock lengthens one direction by what it shortens the other.
class MpiOneWay final : public Measurement {
 public:
  static Traits over(Traits channel) {
    channel.compares_stamps = true;
    return channel;
  }

  /// Indexes of the declared quantities.
  enum Index : std::size_t { there, lag, back, offset };

  explicit MpiOneWay(Setup& setup) : place_(mpi_place(setup)), channel_(setup) {}

  Claims run(Member& member, Reps reps) override {
    Side ignored;
    Side own;
    if (member.rank() == 0) {
      initiate(member, Reps{1}, ignored);
      initiate(member, reps, own);
      Means far;
      MPI_Recv(&far, sizeof far, MPI_BYTE, 1, tag, place_.communicator, MPI_STATUS_IGNORE);
      return claims_of(means_of(own, reps), far, reps, member.stopwatch().read_cost());
    }
    respond(member, Reps{1}, ignored);
    respond(member, reps, own);
    const Means means = means_of(own, reps);
    MPI_Send(&means, sizeof means, MPI_BYTE, 0, tag, place_.communicator);
    return {};
  }

 private:
  static constexpr int tag = 3;

  /// The mean of stamps of CLOCK_MONOTONIC.
  class Mean {
   public:
    void add(std::int64_t stamp) {
      if (count_++ == 0) first_ = stamp;
      since_ += stamp - first_;
    }
    Instant whole() const { return {first_ + static_cast<std::int64_t>(average())}; }
    double rest() const { return average() - std::floor(average()); }

   private:
    double average() const {
      return static_cast<double>(since_) / static_cast<double>(std::max<std::int64_t>(count_, 1));
    }
    std::int64_t first_ = 0;
    std::int64_t since_ = 0;
    std::int64_t count_ = 0;
  };
  struct Side {
    Mean before_send;
    Mean after_send;
    Mean received;
  };
  /// On the common clock: whole nanoseconds, and what remains.
  struct Stamp {
    Instant whole;
    double rest = 0;
    friend Nanoseconds operator-(const Stamp& a, const Stamp& b) {
      return a.whole - b.whole + Nanoseconds{a.rest - b.rest};
    }
  };
  struct Means {
    Stamp before_send;
    Stamp after_send;
    Stamp received;
  };

  void initiate(Member& member, Reps reps, Side& stamps) {
    for (std::int64_t i = 0; i < reps.count; ++i) {
      send(member, Direction::there, stamps);
      receive(member, Direction::back, stamps);
    }
  }
  void respond(Member& member, Reps reps, Side& stamps) {
    for (std::int64_t i = 0; i < reps.count; ++i) {
      receive(member, Direction::there, stamps);
      send(member, Direction::back, stamps);
    }
  }
  void send(Member& member, Direction direction, Side& stamps) {
    stamps.before_send.add(clock_.start());
    channel_.send(member, direction);
    stamps.after_send.add(clock_.stop());
  }
  void receive(Member& member, Direction direction, Side& stamps) {
    channel_.receive(member, direction);
    stamps.received.add(clock_.stop());
  }

  Stamp common(const Mean& mean) const { return {place_.time->of(mean.whole()), mean.rest()}; }
  Means means_of(const Side& side, Reps) const {
    return {common(side.before_send), common(side.after_send), common(side.received)};
  }
  static Claims claims_of(const Means& near, const Means& far, Reps reps, Nanoseconds read_cost) {
    const auto events = static_cast<double>(reps.count);
    const Nanoseconds to = (far.received - near.before_send - read_cost) * events;
    const Nanoseconds fro = (near.received - far.before_send - read_cost) * events;
    return Claims{}
        .set(there, to)
        .set(lag, (far.received - near.after_send) * events)
        .set(back, fro)
        .set(offset, (to - fro) / 2);
  }

  const MpiPlace& place_;
  MpiChannel channel_;
  Stopwatch clock_;  // CLOCK_MONOTONIC, whatever the members' time source
};

}  // namespace assay
