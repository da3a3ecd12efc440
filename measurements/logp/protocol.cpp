// SPDX-License-Identifier: Apache-2.0
// Quantities and factors of each protocol: the names under which results are found.
#include "logp/protocol.hpp"

#include <stdexcept>
#include <utility>

#include "work/work.hpp"

namespace assay {
namespace {

Quantity receiver_switches() {
  return {.name = "switches",
          .unit = Unit::count,
          .claimant = 1,
          .summary = "the receiver's voluntary switches per message"};
}

Description round_trip() {
  const Quantity trip{.name = "rtt", .summary = "one round trip, timed by the initiator; with the works, if any"};
  const Quantity residual{.name = "residual", .is_signed = true, .summary = "the round trip less twice the work alone"};
  const Quantity work{.name = "work", .summary = "the work alone, measured warm in the same batch"};
  Description description{
      .name = "round_trip",
      .summary = "Round trip of one message: send and receive by member 0, receive and send by member 1.",
      .quantities = {trip, residual, work},
      .factors = {{.name = "stop",
                   .standard = std::string("lease"),
                   .words = {"lease", "poison", "cancel"},
                   .summary = "how the responder ends: by a count, by a flag, or as a cancelled thread"}}};
  for (Factor& factor : work_factors("work", "between a receive and the next send"))
    description.factors.push_back(std::move(factor));
  return description;
}

Description overheads() {
  return {
      .name = "overheads",
      .summary = "Send overhead to an idle receiver, then receive overhead of the messages that are ready.",
      .quantities = {{.name = "o_s[idle]", .summary = "one send while the receiver is alive and not receiving"},
                     {.name = "o_r[ready]", .claimant = 1, .summary = "one receive of a message that has arrived"}}};
}

Description issue() {
  return {.name = "issue",
          .summary = "Sends without a waiting receiver: issued one after the other, and drained one by one.",
          .quantities = {{.name = "g[issue]", .summary = "one send of a burst"},
                         {.name = "o_s[drain]", .summary = "one send followed by a full fence"}},
          .factors = {{.name = "receiver",
                       .standard = std::string("idle"),
                       .words = {"idle", "poll"},
                       .summary = "what the receiver does meanwhile; one that polls proves it by its heartbeat"}}};
}

Description blocked() {
  const Quantity send{.name = "o_s[blk]", .summary = "one send to a receiver that is proved to sleep"};
  const Quantity one_way{.name = "T1", .summary = "from the start of that send to the return of the receive"};
  const Quantity lag{.name = "D",
                     .is_signed = true,
                     .summary = "from the end of that send to the receiver's return; negative: overlap"};
  const Quantity cpu{
      .name = "o_r[blk,cpu]", .claimant = 1, .summary = "the receiver's CPU time for going to sleep and receiving"};
  const Quantity proved{
      .name = "proved", .unit = Unit::ratio, .per = Per::batch, .summary = "share of the sends with a proof"};
  return {.name = "blocked",
          .summary = "Send to a receiver that is proved to sleep, with the one-way time and the receiver's costs.",
          .quantities = {send, one_way, lag, cpu, receiver_switches(), proved},
          .factors = {{.name = "settle",
                       .kind = FactorKind::quantitative,
                       .unit = Unit::nanoseconds,
                       .standard = std::int64_t{30'000},
                       .summary = "minimum time that the receiver sleeps before the send"},
                      {.name = "proof",
                       .standard = std::string("syscall"),
                       .words = {"syscall", "state", "none"},
                       .summary = "proof that it sleeps: the system call it is in, its state, or none"}}};
}

Description one_way() {
  return {.name = "one_way",
          .summary = "One-way times of a ping-pong in both directions, by time stamps on both sides.",
          .quantities = {
              {.name = "T1", .summary = "from the start of member 0's send to the return of member 1's receive"},
              {.name = "D", .is_signed = true, .summary = "from the end of that send to the return of that receive"},
              {.name = "T1[back]", .summary = "as T1, from member 1 to member 0"},
              {.name = "offset", .is_signed = true, .summary = "half of the difference T1 - T1[back]"}}};
}

Description burst() {
  return {.name = "burst",
          .summary = "A burst of messages and one reply: g or o_s is the slope of its time over `burst`.",
          .quantities = {{.name = "burst_time",
                          .summary = "from the first send to the reply's arrival, less the time spent in delays"},
                         {.name = "delays", .summary = "time that the sender spent in delays"},
                         receiver_switches()},
          .factors = {{.name = "burst",
                       .kind = FactorKind::quantitative,
                       .standard = std::int64_t{64},
                       .summary = "messages in a burst"},
                      {.name = "delay",
                       .kind = FactorKind::quantitative,
                       .unit = Unit::ratio,
                       .standard = 0.0,
                       .summary = "the sender's delay between two sends, in round trips"}}};
}

Description capacity() {
  return {
      .name = "capacity",
      .summary = "Messages that a channel holds without a receiver, found by sending until it refuses.",
      .quantities = {
          {.name = "capacity", .unit = Unit::count, .per = Per::batch, .summary = "messages sent before a refusal"}}};
}

Description described(Protocol protocol) {
  switch (protocol) {
    case Protocol::round_trip:
      return round_trip();
    case Protocol::overheads:
      return overheads();
    case Protocol::issue:
      return issue();
    case Protocol::blocked:
      return blocked();
    case Protocol::one_way:
      return one_way();
    case Protocol::burst:
      return burst();
    case Protocol::capacity:
      return capacity();
  }
  throw std::out_of_range("there is no such protocol");
}

}  // namespace

Description describe(Protocol protocol) {
  Description description = described(protocol);
  description.members = exactly(2);
  return description;
}

CoreCycles core_cycles_of(Protocol protocol) {
  switch (protocol) {
    case Protocol::round_trip:
    case Protocol::overheads:
    case Protocol::issue:
    case Protocol::one_way:
      return CoreCycles::on_one_cpu;
    // Sleeps and delays of given lengths are among or beside what is timed.
    case Protocol::blocked:
    case Protocol::burst:
    case Protocol::capacity:
      return CoreCycles::never;
  }
  return CoreCycles::never;
}

}  // namespace assay
