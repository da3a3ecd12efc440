// SPDX-License-Identifier: Apache-2.0
// The three ways to start, each a function that keeps what it needs.
#include "team/ranks/batch_start.hpp"

#include <memory>
#include <utility>

#include "team/wire/dissemination.hpp"
#include "team/wire/rank_tree.hpp"

namespace assay {

Nanoseconds wait_for_start(AlarmClock& clock, Instant start, const WaitRule& rule) {
  const Instant awake = rule.may_poll ? start + -1 * rule.awake : start;
  if (clock.now() < awake) clock.sleep_until(awake);
  Instant now = clock.now();
  while (now < start) now = clock.now();
  return now - start;
}

namespace {

constexpr std::pair<Start, std::string_view> words[] = {
    {Start::barrier, "barrier"}, {Start::dissemination, "dissemination"}, {Start::window, "window"}};

Nanoseconds start_together(DisseminationBarrier& barrier, PlaceClock& clock, bool may_poll, Nanoseconds width) {
  barrier.wait();
  Wire& wire = clock.wire();
  const Instant start = broadcast(wire, clock.now() + width);
  clock.agree(start);
  return wait_for_start(wire.clock(), clock.known().model.to_local(start), {.may_poll = may_poll});
}

}  // namespace

std::string to_text(Start start) {
  for (const auto& [kind, word] : words)
    if (kind == start) return std::string(word);
  return {};
}

std::optional<Start> parse_start(std::string_view text) {
  for (const auto& [kind, word] : words)
    if (word == text) return kind;
  return std::nullopt;
}

std::vector<std::string> start_words() {
  std::vector<std::string> all;
  for (const auto& [kind, word] : words) all.emplace_back(word);
  return all;
}

BatchStart batch_start(Start kind, StartPlace place) {
  PlaceClock* const clock = place.clock;
  if (kind == Start::barrier)
    return [clock, barrier = std::move(place.barrier)](Nanoseconds) {
      if (clock != nullptr) clock->agree({});
      barrier();
      return Nanoseconds{};
    };
  const auto steps = std::make_shared<DisseminationBarrier>(clock->wire());
  if (kind == Start::dissemination)
    return [clock, steps](Nanoseconds) {
      clock->agree({});
      steps->wait();
      return Nanoseconds{};
    };
  return [clock, steps, may_poll = place.may_poll](Nanoseconds width) {
    return start_together(*steps, *clock, may_poll, width);
  };
}

}  // namespace assay
