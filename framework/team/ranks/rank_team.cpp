// SPDX-License-Identifier: Apache-2.0
// One command at a time to all ranks, one answer from each.
#include "team/ranks/rank_team.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "platform/clock/system_clock.hpp"
#include "team/local/local_team.hpp"
#include "team/ranks/rank_reply.hpp"

namespace assay {
namespace {

constexpr char end_of_line = '\n';

// Rank 0 may be held up by a disk or a debugger; a rank whose leader died may not poll forever.
constexpr double patience_factor = 10;
constexpr Nanoseconds least_patience = seconds(600);

constexpr int batches_judged = 8;  // between two looks at how late ranks came, at first

bool needs_clock(const RankOrder& order) { return order.start == Start::window || order.compares_stamps; }

static_assert(std::is_trivially_copyable_v<CoreLook>);

/// The values of ranks that have one.
template <class Value>
std::vector<Value> values_of(const std::vector<std::string>& replies, const std::vector<int>& ranks) {
  std::vector<Value> values;
  for (const int rank : ranks) {
    const auto value = value_of<Value>(replies.at(static_cast<std::size_t>(rank)), rank);
    if (!value) throw MemberFailed(rank, "an answer without its clock");
    values.push_back(*value);
  }
  return values;
}

/// What an order says of starts, as a line.
std::string start_text(const RankOrder& order) {
  return to_text(order.start) + (order.compares_stamps ? "+stamps" : "");
}

/// The part of the team that a rank holds; no member where it holds none.
TeamPart part_of(const std::vector<RankSeat>& seats, int rank) {
  TeamPart part;
  part.total = static_cast<int>(seats.size());
  for (std::size_t member = 0; member < seats.size(); ++member)
    if (seats[member].rank == rank) part.members.push_back(static_cast<int>(member));
  return part;
}

}  // namespace

RankTeam::RankTeam(RankTeams& teams, std::int32_t number, const RankOrder& order)
    : teams_(teams),
      number_(number),
      seats_(order.seats),
      ranks_(ranks_of(order.seats)),
      partner_(neighbour_of_first(teams.map(), order.seats)),
      shares_cpus_(is_crowded(teams.map(), order.seats) || teams.link_.gives_way()),
      has_clock_(needs_clock(order)),
      must_learn_(has_clock_),
      lateness_(ranks_.size()) {
  WindowRule rule;
  rule.batches = batches_judged;
  if (order.start == Start::window) window_.emplace(rule, crowds_of(teams.map(), order.seats));
}

RankTeam::~RankTeam() { teams_.lead({RankTeams::Task::close, number_}); }

Batch RankTeam::run(Reps reps) {
  if (has_clock_) know_clocks();
  const Nanoseconds width = window_ ? window_->width() : Nanoseconds{};
  const auto replies = teams_.lead({RankTeams::Task::run, number_, reps.count, width});
  Batch batch{reps, std::vector<MemberReport>(seats_.size()), shares_cpus_};
  for (const int rank : ranks_) {
    const auto reports = reports_of(replies.at(static_cast<std::size_t>(rank)), rank);
    const std::vector<int> members = part_of(seats_, rank).members;
    if (reports.size() != members.size())
      throw MemberFailed(rank, "reports of " + std::to_string(reports.size()) + " members where it has " +
                                   std::to_string(members.size()));
    for (std::size_t i = 0; i < members.size(); ++i) batch.members[static_cast<std::size_t>(members[i])] = reports[i];
  }
  if (window_) judge_start(batch);
  return batch;
}

std::vector<CoreLook> RankTeam::look() {
  // Who has slept for long comes to its turn late.
  teams_.lead({RankTeams::Task::wake, number_});
  const auto replies = teams_.lead({RankTeams::Task::look_at_cores, number_});
  std::vector<CoreLook> looks(seats_.size());
  for (const int rank : ranks_) {
    const auto bytes = bytes_of(replies.at(static_cast<std::size_t>(rank)), rank);
    if (bytes.empty()) return {};
    const std::vector<int> members = part_of(seats_, rank).members;
    if (bytes.size() != members.size() * sizeof(CoreLook))
      throw MemberFailed(rank, "an answer without the readings of its cores");
    std::vector<CoreLook> own(members.size());
    std::memcpy(own.data(), bytes.data(), bytes.size());
    for (std::size_t i = 0; i < members.size(); ++i) looks[static_cast<std::size_t>(members[i])] = own[i];
  }
  return looks;
}

std::optional<Nanoseconds> RankTeam::reference(int round_trips) {
  if (partner_ == 0 || shares_cpus_ || round_trips < 1 || !teams_.shares_with(partner_, number_)) return std::nullopt;
  teams_.lines_->reset();
  const auto replies = teams_.lead({RankTeams::Task::exchange, number_, round_trips, {}, {}, {}, partner_});
  return value_of<Nanoseconds>(replies.front(), 0);
}

void RankTeam::judge_start(const Batch& batch) {
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const int first = part_of(seats_, ranks_[i]).members.front();
    lateness_[i].push_back(batch.members[static_cast<std::size_t>(first)].late);
  }
  if (std::cmp_less(lateness_.front().size(), window_->batches())) return;
  const auto judgement = window_->judge(std::exchange(lateness_, std::vector<std::vector<Nanoseconds>>(ranks_.size())));
  if (!judgement.gave_up.empty()) throw Unsupported(judgement.gave_up);
}

// Batches are short, their period is not: another check where the bound would grow too wide until its end.
void RankTeam::know_clocks() {
  if (!must_learn_ && now() >= known_until_) take_look(teams_.lead({RankTeams::Task::look, number_}));
  if (must_learn_) learn_clocks();
}

void RankTeam::learn_clocks() {
  const auto replies = teams_.lead({RankTeams::Task::learn, number_});
  const auto clocks = values_of<CommonClock>(replies, ranks_);
  const bool is_first = notes_.empty() && !look_;
  one_clock_ = standing(clocks).one_clock;
  must_learn_ = false;
  Nanoseconds keeps_for = seconds(1e9);
  for (const CommonClock& clock : clocks) keeps_for = std::min(keeps_for, clock.model.keeps_for());
  known_until_ = now() + keeps_for;
  if (is_first) notes_.push_back(to_text(clocks));
}

void RankTeam::take_look(const std::vector<std::string>& replies) {
  const auto checks = values_of<StretchCheck>(replies, ranks_);
  if (stretch_.refusal.empty()) stretch_.refusal = refusal(checks);
  must_learn_ = !refusal(checks).empty();
  Nanoseconds keeps_for = seconds(1e9);
  for (const StretchCheck& check : checks) {
    stretch_.bound = std::max(stretch_.bound, check.bound);
    keeps_for = std::min(keeps_for, check.keeps_for);
  }
  known_until_ = now() + keeps_for;
}

Instant RankTeam::now() const {
  const auto part = teams_.parts_.find(number_);
  const bool has_clock = part != teams_.parts_.end() && part->second.clock != nullptr;
  return has_clock ? part->second.clock->wire().clock().now() : MonotonicClock().now();
}

void RankTeam::park() {
  const auto replies = teams_.lead({RankTeams::Task::park, number_});
  for (const int rank : ranks_) bytes_of(replies.at(static_cast<std::size_t>(rank)), rank);
  if (!has_clock_ || must_learn_) return;
  take_look(replies);
  look_ = std::exchange(stretch_, {});
  // The drift is checked again for each period, so that little time passes in between.
  must_learn_ |= !one_clock_;
}

RankTeams::RankTeams(RankLink& link, PartMaker make, Patience patience)
    : link_(link), make_(std::move(make)), patience_(std::move(patience)) {}

RankTeams::~RankTeams() = default;

std::unique_ptr<RankTeam> RankTeams::open(const RankOrder& order) {
  for (const RankSeat& seat : order.seats)
    if (seat.rank >= link_.size())
      throw Unsupported("needs rank " + std::to_string(seat.rank) + ", and the launch has " +
                        std::to_string(link_.size()) + " ranks");
  const std::int32_t number = ++last_;
  const auto check = [](const std::vector<std::string>& replies) {
    for (std::size_t rank = 0; rank < replies.size(); ++rank) reports_of(replies[rank], static_cast<int>(rank));
  };
  try {
    check(lead({Task::open,
                number,
                0,
                {},
                to_text(order.seats) + end_of_line + start_text(order) + end_of_line + order.what}));
    check(lead({Task::enter, number}));
  } catch (...) {
    lead({Task::close, number});
    throw;
  }
  return std::make_unique<RankTeam>(*this, number, order);
}

void RankTeams::dismiss() { lead({Task::dismiss}); }

void RankTeams::serve() {
  patience_(least_patience);
  for (Command command; command = decode(link_.broadcast({})), true;) {
    patience_(command.patience);
    link_.gather(obey(command));
    if (command.task == Task::dismiss) return;
  }
}

std::vector<std::string> RankTeams::lead(const Command& command) {
  link_.broadcast(encode(command));
  return link_.gather(obey(command));
}

std::string RankTeams::obey(const Command& command) {
  try {
    return carry_out(command);
  } catch (...) {
    const std::string failure = rank_failure();
    // Other ranks may wait for this one within the measured action, and would forever; what is unsupported all say.
    const bool is_among_others = command.task == Task::run || command.task == Task::enter ||
                                 command.task == Task::learn || command.task == Task::look;
    if (is_among_others && !is_unsupported(failure)) {
      try {
        reports_of(failure, link_.rank());
      } catch (const std::exception& error) {
        // All ranks have found together that they cannot (api/mpi.hpp), and none waits.
        const bool all_say_so = command.task == Task::enter && dynamic_cast<const Unsupported*>(&error) != nullptr;
        if (!all_say_so) link_.abort(error.what());
      }
    }
    return failure;
  }
}

std::string RankTeams::carry_out(const Command& command) {
  if (command.task == Task::open) return build(command);
  const auto part = parts_.find(command.team);
  if (part == parts_.end()) return rank_reply();
  switch (command.task) {
    case Task::enter:
      part->second.team->enter();
      break;
    case Task::learn:
      return rank_reply_of(part->second.clock->learn());
    case Task::look:
      return look(part->second);
    case Task::look_at_cores:
      return look_at_cores(part->second);
    case Task::share:
      return share(command);
    case Task::exchange:
      return exchange_flags(part->second, command);
    case Task::run:
      return run(part->second, command);
    case Task::park:
      return park(part->second);
    case Task::close:
      parts_.erase(part);
      break;
    default:
      break;
  }
  return rank_reply();
}

std::string RankTeams::run(Part& part, const Command& command) {
  part.width = command.width;
  auto reports = part.team->run(Reps{command.reps}).members;
  reports.front().late = part.late;
  return rank_reply(reports);
}

std::string RankTeams::look_at_cores(const Part& part) {
  if (!part.team->has_cores()) return rank_reply();
  const MonotonicClock clock;
  const Instant told = clock.now();
  const auto sleep_until = [&](Nanoseconds since_told) {
    const Nanoseconds left = since_told - (clock.now() - told);
    std::this_thread::sleep_for(std::chrono::duration<double, std::nano>(left.count));
  };
  sleep_until(part.turn.begins);
  const std::vector<CoreLook> looks = part.team->look();
  sleep_until(part.turn.ends);
  return rank_reply_of_bytes(std::as_bytes(std::span(looks)));
}

bool RankTeams::shares_with(int rank, std::int32_t team) {
  const auto own = parts_.find(team);
  if (own == parts_.end() || !own->second.team->is_real()) return false;
  if (const auto known = shares_.find(rank); known != shares_.end()) return known->second;
  shares_[rank] = false;
  try {
    if (!lines_) lines_ = std::make_unique<SharedLines>();
  } catch (const PlatformError&) {
    return false;  // then there is no distance, as between nodes
  }
  const auto replies = lead({Task::share, team, 0, {}, lines_->name(), {}, rank});
  return shares_[rank] = value_of<bool>(replies.at(static_cast<std::size_t>(rank)), rank).value_or(false);
}

std::string RankTeams::share(const Command& command) {
  if (link_.rank() != command.partner) return rank_reply();
  try {
    lines_ = std::make_unique<SharedLines>(command.payload);
  } catch (const PlatformError&) {
    lines_.reset();  // another container, or a system that does not permit it
  }
  return rank_reply_of(lines_ != nullptr);
}

std::string RankTeams::exchange_flags(const Part& part, const Command& command) {
  const auto round_trips = static_cast<int>(command.reps);
  if (link_.rank() == 0) {
    const auto mean = lines_->lead(round_trips, part.team->stopwatch());
    return mean ? rank_reply_of(*mean) : rank_reply();
  }
  if (link_.rank() == command.partner) lines_->follow(round_trips);
  return rank_reply();
}

std::string RankTeams::park(Part& part) {
  part.team->park();
  return look(part);
}

std::string RankTeams::look(Part& part) {
  return part.clock != nullptr && part.clock->is_known() ? rank_reply_of(part.clock->look_again()) : rank_reply();
}

std::string RankTeams::build(const Command& command) {
  const std::size_t end = command.payload.find(end_of_line);
  const std::size_t what = command.payload.find(end_of_line, end + 1);
  const auto seats = parse_seats(command.payload.substr(0, end));
  const std::string start = command.payload.substr(end + 1, what - end - 1);
  TeamPart part = part_of(seats, link_.rank());
  const MpiPlace* const place = link_.place(seats);
  if (part.members.empty()) return rank_reply();
  Part& own = parts_[command.team];
  const Start kind = parse_start(start.substr(0, start.find('+'))).value_or(Start::barrier);
  PlaceClock* const clock = link_.clock(place);
  if (kind == Start::window || start.ends_with("+stamps")) own.clock = clock;
  own.turn = look_turn(map(), seats, link_.rank());
  part.mpi = place;
  part.crowded = is_crowded(map(), seats);
  own.start = batch_start(kind, {clock, [this, place] { link_.start(place); }, !part.crowded});
  part.start = [&own] { own.late = own.start(own.width); };
  try {
    own.team = make_(command.payload.substr(what + 1), part);
  } catch (...) {
    parts_.erase(command.team);
    throw;
  }
  return rank_reply();
}

std::string RankTeams::encode(const Command& command) const {
  const Nanoseconds patience = std::max(least_patience, expected_ * patience_factor);
  const Head head{command.reps, command.width, patience, command.team, command.partner, command.task};
  std::string text(sizeof head, '\0');
  std::memcpy(text.data(), &head, sizeof head);
  return text + command.payload;
}

RankTeams::Command RankTeams::decode(const std::string& text) {
  Head head{};
  if (text.size() < sizeof head) throw std::invalid_argument("a command of rank 0 that cannot be read");
  std::memcpy(&head, text.data(), sizeof head);
  return {head.task, head.team, head.reps, head.width, text.substr(sizeof head), head.patience, head.partner};
}

}  // namespace assay
