// SPDX-License-Identifier: Apache-2.0
// The circle method.
#include "base/tournament.hpp"

#include <algorithm>

namespace assay {
namespace {

/// `seats` is even. In round r, the one who stays meets r, and those meet whose numbers stand equally far from r on the
/// circle of the others.
std::vector<Match> round_of(std::size_t round, std::size_t seats, std::size_t units) {
  const std::size_t circle = seats - 1;
  std::vector<Match> matches;
  const auto add = [&](std::size_t a, std::size_t b) {
    if (a < units && b < units) matches.push_back({std::min(a, b), std::max(a, b)});  // else the other one sits out
  };
  add(round, circle);
  for (std::size_t apart = 1; apart < seats / 2; ++apart)
    add((round + apart) % circle, (round + circle - apart) % circle);
  return matches;
}

std::vector<std::vector<Match>> taken_apart(const std::vector<std::vector<Match>>& rounds) {
  std::vector<std::vector<Match>> single;
  for (const auto& round : rounds)
    for (const Match& match : round) single.push_back({match});
  return single;
}

}  // namespace

std::vector<std::vector<Match>> tournament(std::size_t units, Meeting meeting) {
  std::vector<std::vector<Match>> rounds;
  if (units < 2) return rounds;
  const std::size_t seats = units + units % 2;
  for (std::size_t round = 0; round + 1 < seats; ++round) rounds.push_back(round_of(round, seats, units));
  return meeting == Meeting::one_by_one ? taken_apart(rounds) : rounds;
}

}  // namespace assay
