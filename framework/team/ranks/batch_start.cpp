// SPDX-License-Identifier: Apache-2.0
// The three ways to start, each a function that keeps what it needs; of windows: judging, widening, and the reason for
// giving up.
#include "team/ranks/batch_start.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "team/wire/rank_tree.hpp"
#include "text/number_format.hpp"

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

namespace {

void check(const WindowRule& rule) {
  if (!(rule.width > Nanoseconds{}) || rule.batches < 1 || rule.most_widenings < 0)
    throw std::invalid_argument(
        "windows need a width above 0, at least one batch, and no negative number of widenings");
}

void check(std::span<const std::vector<Nanoseconds>> lateness, int batches) {
  const auto complete = [&](const std::vector<Nanoseconds>& rank) {
    return rank.size() == static_cast<std::size_t>(batches);
  };
  if (lateness.empty() || !std::all_of(lateness.begin(), lateness.end(), complete))
    throw std::invalid_argument("each rank has one lateness per batch of the windows");
}

StartJudgement judgement_of(std::span<const std::vector<Nanoseconds>> lateness, int batches, Nanoseconds tolerance) {
  StartJudgement judgement;
  judgement.valid.assign(static_cast<std::size_t>(batches), true);
  for (std::size_t rank = 0; rank < lateness.size(); ++rank)
    for (std::size_t batch = 0; batch < judgement.valid.size(); ++batch) {
      const Nanoseconds late = lateness[rank][batch];
      if (late <= tolerance) continue;
      judgement.valid[batch] = false;
      if (late > judgement.worst) judgement.worst_rank = static_cast<int>(rank);
      judgement.worst = std::max(judgement.worst, late);
    }
  judgement.late = static_cast<int>(std::count(judgement.valid.begin(), judgement.valid.end(), false));
  return judgement;
}

// A delay that builds up over the windows is short of width in each of them.
Nanoseconds missing_width(std::span<const std::vector<Nanoseconds>> lateness) {
  Nanoseconds missing{};
  for (const std::vector<Nanoseconds>& rank : lateness)
    for (std::size_t batch = 0; batch < rank.size(); ++batch)
      missing = std::max(missing, rank[batch] / static_cast<double>(batch + 1));
  return missing;
}

int longest_run_of_late(const std::vector<bool>& valid) {
  int longest = 0;
  int run = 0;
  for (const bool good : valid) {
    run = good ? 0 : run + 1;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

StartWindow::StartWindow(const WindowRule& rule, std::vector<Crowd> crowds)
    : rule_(rule), crowds_(std::move(crowds)), width_(rule.width), batches_(rule.batches) {
  check(rule);
}

Windows StartWindow::plan(Instant now) const {
  if (gave_up_) throw std::logic_error("no windows are planned after giving up");
  return {now + width_, width_, batches_};
}

StartJudgement StartWindow::judge(std::span<const std::vector<Nanoseconds>> lateness) {
  check(lateness, batches_);
  StartJudgement judgement = judgement_of(lateness, batches_, rule_.tolerance);
  judged_ += batches_;
  valid_ += batches_ - judgement.late;
  if (4 * judgement.late <= batches_) {
    widenings_ = 0;
    return judgement;
  }
  if (widenings_ == rule_.most_widenings) {
    gave_up_ = true;
    judgement.gave_up = why_not(judgement);
    return judgement;
  }
  widen(judgement, missing_width(lateness));
  return judgement;
}

void StartWindow::widen(const StartJudgement& judgement, Nanoseconds missing) {
  ++widenings_;
  width_ = std::max(2 * width_, 1.5 * (width_ + missing));
  if (2 * longest_run_of_late(judgement.valid) > batches_) batches_ = std::max(1, batches_ / 2);
}

std::string StartWindow::why_not(const StartJudgement& judgement) const {
  std::string text = "the ranks cannot start together: rank " + std::to_string(judgement.worst_rank) + " was still " +
                     rounded(judgement.worst) + " late after windows were widened " +
                     counted(static_cast<std::size_t>(widenings_), "time") + ", to " + rounded(width_) + " (" +
                     std::to_string(valid_) + " of " + counted(static_cast<std::size_t>(judged_), "start") +
                     " in time); ";
  const auto crowd = std::find_if(crowds_.begin(), crowds_.end(), [](const Crowd& one) { return one.crowded(); });
  if (crowd == crowds_.end())
    return text +
           "something else runs on its CPUs, or a batch takes longer than the window: free the CPUs, or use a "
           "barrier start";
  return text + "members outnumber CPUs: " + std::to_string(crowd->members) + " on " + std::to_string(crowd->cpus) +
         ", and a sleeping member is woken too late; start fewer members, or use a barrier start";
}

}  // namespace assay
