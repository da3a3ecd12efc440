// SPDX-License-Identifier: Apache-2.0
// One command at a time to all ranks, one answer from each.
#include "team/rank_team.hpp"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "team/local_team.hpp"
#include "team/rank_reply.hpp"

namespace assay {
namespace {

constexpr char end_of_seats = '\n';

/// The part of the team that a rank holds; no member where it holds none.
TeamPart part_of(const std::vector<RankSeat>& seats, int rank) {
  TeamPart part;
  part.total = static_cast<int>(seats.size());
  for (std::size_t member = 0; member < seats.size(); ++member)
    if (seats[member].rank == rank) part.members.push_back(static_cast<int>(member));
  return part;
}

}  // namespace

/// The leader's view of one team.
class RankTeam final : public Team {
 public:
  RankTeam(RankTeams& teams, std::int32_t number, std::vector<RankSeat> seats)
      : teams_(teams), number_(number), seats_(std::move(seats)) {}
  ~RankTeam() override { teams_.lead({RankTeams::Task::close, number_}); }
  RankTeam(const RankTeam&) = delete;
  RankTeam& operator=(const RankTeam&) = delete;

  Batch run(Reps reps) override {
    const auto replies = teams_.lead({RankTeams::Task::run, number_, reps.count});
    Batch batch{reps, std::vector<MemberReport>(seats_.size())};
    for (std::size_t rank = 0; rank < replies.size(); ++rank) take(batch, replies[rank], static_cast<int>(rank));
    return batch;
  }

  // The two lines of the reference channel would have to lie in memory that two ranks share.
  std::optional<Nanoseconds> reference(int) override { return std::nullopt; }

  void park() override { teams_.lead({RankTeams::Task::park, number_}); }

 private:
  void take(Batch& batch, const std::string& reply, int rank) const {
    const std::vector<int> members = part_of(seats_, rank).members;
    const auto reports = reports_of(reply, rank);
    if (reports.size() != members.size())
      throw MemberFailed(rank, "reports of " + std::to_string(reports.size()) + " members where it has " +
                                   std::to_string(members.size()));
    for (std::size_t i = 0; i < members.size(); ++i) batch.members[static_cast<std::size_t>(members[i])] = reports[i];
  }

  RankTeams& teams_;
  std::int32_t number_;
  std::vector<RankSeat> seats_;
};

RankTeams::RankTeams(RankLink& link, PartMaker make) : link_(link), make_(std::move(make)) {}

RankTeams::~RankTeams() = default;

std::unique_ptr<Team> RankTeams::open(const RankOrder& order) {
  for (const RankSeat& seat : order.seats)
    if (seat.rank >= link_.size())
      throw Unsupported("needs rank " + std::to_string(seat.rank) + ", and the launch has " +
                        std::to_string(link_.size()) + " ranks");
  const std::int32_t number = ++last_;
  const auto check = [](const std::vector<std::string>& replies) {
    for (std::size_t rank = 0; rank < replies.size(); ++rank) reports_of(replies[rank], static_cast<int>(rank));
  };
  try {
    check(lead({Task::open, number, 0, to_text(order.seats) + end_of_seats + order.what}));
    check(lead({Task::enter, number}));
  } catch (...) {
    lead({Task::close, number});
    throw;
  }
  return std::make_unique<RankTeam>(*this, number, order.seats);
}

void RankTeams::dismiss() { lead({Task::dismiss}); }

void RankTeams::serve() {
  for (Command command; command = decode(link_.broadcast({})), true;) {
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
    // Other ranks may wait for this one within the measured action, and would for ever.
    if (command.task == Task::run || command.task == Task::enter) {
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
      part->second->enter();
      break;
    case Task::run:
      return rank_reply(part->second->run(Reps{command.reps}).members);
    case Task::park:
      part->second->park();
      break;
    case Task::close:
      parts_.erase(part);
      break;
    default:
      break;
  }
  return rank_reply();
}

std::string RankTeams::build(const Command& command) {
  const std::size_t end = command.payload.find(end_of_seats);
  const auto seats = parse_seats(command.payload.substr(0, end));
  TeamPart part = part_of(seats, link_.rank());
  const MpiPlace* const place = link_.place(seats);
  if (part.members.empty()) return rank_reply();
  part.mpi = place;
  part.start = [this, place] { link_.start(place); };
  parts_[command.team] = make_(command.payload.substr(end + 1), part);
  return rank_reply();
}

std::string RankTeams::encode(const Command& command) {
  std::string text(sizeof command.task + sizeof command.team + sizeof command.reps, '\0');
  std::memcpy(text.data(), &command.task, sizeof command.task);
  std::memcpy(text.data() + sizeof command.task, &command.team, sizeof command.team);
  std::memcpy(text.data() + sizeof command.task + sizeof command.team, &command.reps, sizeof command.reps);
  return text + command.payload;
}

RankTeams::Command RankTeams::decode(const std::string& text) {
  Command command;
  constexpr std::size_t head = sizeof command.task + sizeof command.team + sizeof command.reps;
  if (text.size() < head) throw std::invalid_argument("a command of rank 0 that cannot be read");
  std::memcpy(&command.task, text.data(), sizeof command.task);
  std::memcpy(&command.team, text.data() + sizeof command.task, sizeof command.team);
  std::memcpy(&command.reps, text.data() + sizeof command.task + sizeof command.team, sizeof command.reps);
  command.payload = text.substr(head);
  return command;
}

}  // namespace assay
