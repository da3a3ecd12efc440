// SPDX-License-Identifier: Apache-2.0
// Both sides of a lease, and the reference channel.
#include "team/local/member_loop.hpp"

#include <algorithm>

#include "api/keep.hpp"
#include "api/simulated_cores.hpp"
#include "platform/clock/yardstick.hpp"
#include "platform/thread/guard.hpp"
#include "team/local/mailbox.hpp"
#include "team/local/reference_channel.hpp"

namespace assay {
namespace {

// Far longer than the guards of another member take: a member that is not ready by then has been preempted.
constexpr int ready_polls = 2000;

/// A member where it is served.
struct Seat {
  Member& member;
  int slot;
  Mailbox& mailbox;
  Slot& own() const { return mailbox.slots[slot]; }
  const Heartbeat& heartbeat() const { return mailbox.heartbeats[slot]; }
};

// What one lease says: copied before `entered` is announced, since member 0 may then prepare the next one.
struct Order {
  std::uint32_t number;
  Command command;
  Reps reps;
};

Order await_lease(Mailbox& mailbox, std::uint32_t finished) noexcept {
  const std::uint32_t number = wait_beyond(mailbox.lease.number, finished, mailbox.polls);
  return {number, mailbox.lease.command.load(), Reps{mailbox.lease.reps.load()}};
}

void await_go(Mailbox& mailbox, std::uint32_t number) noexcept {
  std::uint32_t value = mailbox.go.value.load(std::memory_order_acquire);
  while (value != number) value = wait_beyond(mailbox.go, value, mailbox.polls);
}

Mailbox* meeting_of(Mailbox& mailbox) { return mailbox.part_together ? &mailbox : nullptr; }

void run_batch(Measurement& measurement, const Seat& seat, const Order& order) {
  Slot& slot = seat.own();
  const auto gate = [&] {
    slot.ready.store(order.number, std::memory_order_release);
    if (seat.mailbox.awaits_go) await_go(seat.mailbox, order.number);
  };
  const Guarding guarding{seat.heartbeat(), seat.mailbox.reads_cores, meeting_of(seat.mailbox), order.number};
  slot.report = run_guarded(measurement, seat.member, order.reps, guarding, gate);
}

void take_look(Measurement& measurement, const Seat& seat) {
  const CoreLook look = look_at_core(measurement, seat.member, seat.mailbox);
  seat.own().report.cpu_before = look.cpu;
  seat.own().report.core_before = look.core;
}

void obey(Measurement& measurement, const Seat& seat, const Order& order) {
  switch (order.command) {
    case Command::enter:
      return measurement.enter(seat.member);
    case Command::run:
      return run_batch(measurement, seat, order);
    case Command::reference:
      if (seat.slot == 1) exchange(seat.mailbox, false, static_cast<int>(order.reps.count));
      return;
    case Command::look:
      if (seat.slot == static_cast<int>(order.reps.count)) take_look(measurement, seat);
      return;
    case Command::leave:
      return measurement.leave(seat.member);
  }
}

bool carry_out(Measurement& measurement, const Seat& seat, const Order& order, const OnFailure& on_failure) {
  Slot& slot = seat.own();
  announce(slot.entered, order.number);
  try {
    obey(measurement, seat, order);
    announce(slot.done, order.number);
    return true;
  } catch (...) {
    write_failure(slot);
  }
  if (order.command == Command::run && on_failure) on_failure(seat.member.rank(), why_of(slot));
  sound_alarm(seat.mailbox);
  return false;
}

// Returns early when any member has failed: others may wait for it, and never get there.
void await_member(Milestone& milestone, const Mailbox& mailbox, std::uint32_t wanted) noexcept {
  std::uint32_t value = milestone.value.load();
  // The alarm follows the failure, and the value was read before: no alarm is slept through.
  while (value != wanted && !any_failed(mailbox)) value = wait_beyond(milestone, value, mailbox.polls);
}

void await_ready(const Mailbox& mailbox) noexcept {
  const std::uint32_t wanted = mailbox.lease.number.value.load(std::memory_order_relaxed);
  int polls = mailbox.may_spin ? ready_polls : 0;
  for (int rank = 1; rank < mailbox.members; ++rank)
    while (mailbox.slots[rank].ready.load(std::memory_order_acquire) != wanted && polls-- > 0) relax();
}

// The end of a batch for members that part together: constructed before it, it lets the others go when it is destroyed,
// whether the batch came to its end here or was left by an exception.
class Parting {
 public:
  explicit Parting(const Guarding& guarding) : mailbox_(guarding.meeting), number_(guarding.number) {}
  Parting(const Parting&) = delete;
  Parting& operator=(const Parting&) = delete;
  ~Parting() {
    if (mailbox_ != nullptr && holds_others_) announce(mailbox_->over, number_);
  }
  // Returns when all are through. Those before the last sleep meanwhile: how often.
  int meet() noexcept {
    if (mailbox_ == nullptr) return 0;
    holds_others_ = arrive(*mailbox_);
    return holds_others_ ? 0 : await_over(*mailbox_, number_);
  }

 private:
  Mailbox* mailbox_;
  std::uint32_t number_;
  bool holds_others_ = true;  // until it has met them
};

// Of simulated cores there are no guards: nothing disturbs them but what they report.
MemberReport run_simulated(Measurement& measurement, SimulatedCores& cores, Member& member, Reps reps,
                           const std::function<void()>& gate) {
  MemberReport report;
  report.core_before = cores.read_core(member, false);
  const std::int64_t from = member.stopwatch().start();
  gate();
  report.claims = measurement.run(member, reps);
  report.wall = report.cpu = member.stopwatch().between(from, member.stopwatch().stop());
  report.core_after = cores.read_core(member, false);
  report.cpu_before = report.cpu_after = member.rank();
  return report;
}

}  // namespace

SimulatedCores* cores_of(Measurement& measurement) { return dynamic_cast<SimulatedCores*>(&measurement); }

CoreLook look_at_core(Measurement& measurement, Member& member, const Mailbox& mailbox) {
  if (mailbox.reads_cores) return look_at_core();
  SimulatedCores* cores = cores_of(measurement);
  return cores != nullptr ? CoreLook{member.rank(), cores->read_core(member, true)} : CoreLook{};
}

MemberReport run_guarded(Measurement& measurement, Member& member, Reps reps, const Guarding& guarding,
                         const std::function<void()>& gate) {
  MemberReport report;
  if (!guarding.reads_core)
    if (SimulatedCores* cores = cores_of(measurement)) return run_simulated(measurement, *cores, member, reps, gate);
  if (guarding.reads_core) report.core_before = read_core();
  const std::int64_t beats = guarding.heartbeat.beats.load(std::memory_order_relaxed);
  const GuardReading before = read_guards(false);
  gate();
  Parting parting(guarding);
  report.claims = measurement.run(member, reps);
  const int slept = parting.meet();
  const GuardReading after = read_guards(true);
  store_guards(before, after, report);
  report.voluntary = std::max<std::int64_t>(0, report.voluntary - slept);
  const Member::Adopted adopted = member.take_adopted();
  report.voluntary += adopted.voluntary;
  report.involuntary += adopted.involuntary;
  report.beats = guarding.heartbeat.beats.load(std::memory_order_relaxed) - beats;
  if (guarding.reads_core) report.core_after = read_core();
  return report;
}

bool serve(Measurement& measurement, Member& member, int slot, Mailbox& mailbox, const OnFailure& on_failure) {
  const Seat seat{member, slot, mailbox};
  // Not what its slot says is done: an alarm may have changed that already.
  std::uint32_t finished = first_lease;
  bool has_entered = false;
  for (;;) {
    const Order order = await_lease(mailbox, finished);
    if (order.command == Command::leave && !has_entered) return true;
    if (!carry_out(measurement, seat, order, on_failure)) return false;
    if (order.command == Command::leave) return true;
    has_entered |= order.command == Command::enter;
    finished = order.number;
  }
}

void report_in_place(int slot, Mailbox& mailbox) noexcept { announce(mailbox.slots[slot].done, first_lease); }

void report_not_in_place(int slot, Mailbox& mailbox) noexcept {
  write_failure(mailbox.slots[slot]);
  sound_alarm(mailbox);
}

void publish(Mailbox& mailbox, Command command, Reps reps) {
  Lease& lease = mailbox.lease;
  const std::uint32_t number = lease.number.value.load(std::memory_order_relaxed) + 1;
  lease.command = command;
  lease.reps = reps.count;
  mailbox.arrived = 0;
  announce(lease.number, number);
  for (int rank = 1; rank < mailbox.members; ++rank) await_member(mailbox.slots[rank].entered, mailbox, number);
}

MemberReport run_first(Measurement& measurement, Member& member, Mailbox& mailbox, Reps reps,
                       const std::function<void()>& start) {
  const std::uint32_t number = mailbox.lease.number.value.load(std::memory_order_relaxed);
  const Guarding guarding{mailbox.heartbeats[0], mailbox.reads_cores, meeting_of(mailbox), number};
  return run_guarded(measurement, member, reps, guarding, [&] {
    await_ready(mailbox);
    if (!mailbox.awaits_go) return;
    start();
    announce(mailbox.go, number);
  });
}

void collect(Mailbox& mailbox) {
  const std::uint32_t number = mailbox.lease.number.value.load(std::memory_order_relaxed);
  for (int rank = 1; rank < mailbox.members; ++rank) await_member(mailbox.slots[rank].done, mailbox, number);
  throw_failure(mailbox);
}

void dismiss(Mailbox& mailbox) noexcept {
  mailbox.lease.command = Command::leave;
  announce(mailbox.lease.number, mailbox.lease.number.value.load(std::memory_order_relaxed) + 1);
}

}  // namespace assay
