// SPDX-License-Identifier: Apache-2.0
// Round trips of many pairs at once: one round of a tournament between all ranks.
#pragma once
#include <mpi.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "api/mpi.hpp"
#include "base/tournament.hpp"
#include "mpi/message.hpp"

namespace assay {

/// In a round each rank meets one other, and all pairs exchange messages at once, or one pair alone. Every rank claims
/// its own time: both of a pair see the same round trips, so that a batch has all pairs of its round. Who sits out
/// only looks for messages, and claims the time of that. Method: a round-robin tournament, after the pairwise patterns
/// of SKaMPI and of cluster acceptance tests, which measure links in disjoint pairs.
class MpiLinks final : public Measurement {
 public:
  explicit MpiLinks(Setup& setup)
      : place_(mpi_place(setup)),
        other_(other_of(setup, place_)),
        out_(setup.level<std::size_t>("size")),
        in_(setup.level<std::size_t>("size")) {}

  Claims run(Member& member, Reps reps) override {
    if (!other_) return member.timed(reps, [&] { look(); });
    std::int64_t wrong = 0;
    std::int64_t number = 0;
    const bool is_first = place_.rank < *other_;
    const auto exchange = [&] { is_first ? lead(number, wrong) : follow(number, wrong); };
    exchange();
    const Nanoseconds time = member.timed(reps, exchange);
    require_all_right(wrong);
    return time;
  }

 private:
  static constexpr int tag = 1;

  static std::optional<int> other_of(const Setup& setup, const MpiPlace& place) {
    if (setup.word("meeting") == "listed")
      return partner_in(listed_round(setup.word("pairs"), setup.level<std::size_t>("round")), place);
    const bool alone = setup.word("meeting") == "alone";
    const auto rounds =
        tournament(static_cast<std::size_t>(place.ranks()), alone ? Meeting::one_by_one : Meeting::together);
    const auto round = setup.level<std::size_t>("round");
    if (round >= rounds.size())
      throw Unsupported("round " + std::to_string(round) + " of a tournament of " + std::to_string(place.ranks()) +
                            " ranks, which has " + std::to_string(rounds.size()) + ", counted from 0",
                        "N11");
    return partner_in(rounds[round], place);
  }

  static std::optional<int> partner_in(const std::vector<Match>& round, const MpiPlace& place) {
    const auto self = static_cast<std::size_t>(place.rank);
    const auto ranks = static_cast<std::size_t>(place.ranks());
    for (const Match& match : round) {
      if (match.first >= ranks || match.second >= ranks)
        throw Unsupported("the file of pairs lists a rank that this launch of " + std::to_string(ranks) + " lacks",
                          "N11");
      if (match.first == self || match.second == self)
        return static_cast<int>(match.first == self ? match.second : match.first);
    }
    return std::nullopt;
  }

  /// The pairs of one line, "0-5 1-7".
  static std::vector<Match> listed_round(const std::string& path, std::size_t round) {
    std::ifstream file(path);
    std::string line;
    for (std::size_t number = 0; number <= round; ++number)
      if (!std::getline(file, line))
        throw Unsupported("the file of pairs " + path + " cannot be read, or has no line for round " +
                              std::to_string(round) + "; all nodes have to see it",
                          "N11");
    std::istringstream words(line);
    std::vector<Match> pairs;
    char dash = ' ';
    for (Match match; words >> match.first >> dash >> match.second;) {
      if (dash != '-') throw Unsupported("the file of pairs " + path + " has what is no pair such as 0-5", "N11");
      pairs.push_back(match);
    }
    return pairs;
  }

  void lead(std::int64_t& number, std::int64_t& wrong) {
    out_.number(++number);
    MPI_Send(out_.data(), out_.size(), MPI_CHAR, *other_, tag, place_.communicator);
    receive(number, wrong);
  }

  void follow(std::int64_t& number, std::int64_t& wrong) {
    receive(++number, wrong);
    out_.number(number);
    MPI_Send(out_.data(), out_.size(), MPI_CHAR, *other_, tag, place_.communicator);
  }

  void receive(std::int64_t number, std::int64_t& wrong) {
    MPI_Recv(in_.data(), in_.size(), MPI_CHAR, *other_, tag, place_.communicator, MPI_STATUS_IGNORE);
    wrong += in_.is(number) ? 0 : 1;
  }

  void look() const {
    int found = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, place_.communicator, &found, MPI_STATUS_IGNORE);
  }

  const MpiPlace& place_;
  std::optional<int> other_;  ///< whom this rank meets; none where it sits out
  Message out_;
  Message in_;
};

}  // namespace assay
