// SPDX-License-Identifier: Apache-2.0
// Windows of contention for one line.
#include "line/contended.hpp"

#include <stdexcept>
#include <string>

#include "work/window.hpp"

namespace assay {

namespace {

// The operation as a program under contention has it, of a word that counts: a compare-and-swap expects what the
// member saw last. Returns whether the word was changed as intended.
template <LineOperation operation>
[[gnu::always_inline]] inline bool contend(std::uint64_t* word, std::uint64_t& seen) {
  using enum LineOperation;
  if constexpr (operation == load) seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  if constexpr (operation == store) __atomic_store_n(word, ++seen, __ATOMIC_RELAXED);
  if constexpr (operation == fetch_add) seen = __atomic_fetch_add(word, 1, __ATOMIC_ACQ_REL);
  if constexpr (operation == exchange) seen = __atomic_exchange_n(word, seen + 1, __ATOMIC_ACQ_REL);
  if constexpr (operation == test_and_set)
    return __atomic_exchange_n(reinterpret_cast<std::uint8_t*>(word), std::uint8_t{1}, __ATOMIC_ACQ_REL) == 0;
  if constexpr (operation == cas_fail) {
    seen = __sync_val_compare_and_swap(word, ~std::uint64_t{0}, std::uint64_t{0});
    return false;
  }
  if constexpr (operation == cas) {
    const std::uint64_t found = __sync_val_compare_and_swap(word, seen, seen + 1);
    const bool was_swapped = found == seen;
    seen = was_swapped ? found + 1 : found;
    return was_swapped;
  }
  keep(seen);
  return true;
}

// Operations in a sixty-fourth of the window, as far as this member knows; at most 64, so that looks cost little.
std::int64_t until_next_look(Nanoseconds window, std::int64_t operations, Nanoseconds spent) {
  const double expected = static_cast<double>(operations) * (window / std::max(spent, Nanoseconds{1})) / 64;
  return static_cast<std::int64_t>(std::clamp(expected, 1.0, 64.0));
}

}  // namespace

LineContention::LineContention(Setup& setup)
    : pool_(setup.share<LinePool>()),
      window_(setup.share<Window>()),
      polling_(setup),
      chooser_(setup.seed()),
      length_{setup.level<double>("window")},
      own_(static_cast<std::size_t>(setup.members())) {
  if (length_ <= Nanoseconds{}) throw Unsupported("a window is longer than 0");
  for (int rank = 0; rank < setup.members(); ++rank) parts_.push_back(&setup.share<Part>());
  const std::string operation = setup.word("operation");
  compete_ = with_operation(operation, []<LineOperation chosen>() { return &LineContention::compete<chosen>; });
  counts_ = operation == "cas" || operation == "fetch-add";
}

void LineContention::meet(std::atomic<std::uint64_t>& arrived, std::uint64_t all) const {
  arrived.fetch_add(1, std::memory_order_acq_rel);
  polling_.until([&] { return arrived.load(std::memory_order_acquire) >= all; });
}

Claims LineContention::run(Member& member, Reps) {
  const auto members = static_cast<std::uint64_t>(member.members());
  const std::uint64_t number = ++own_[static_cast<std::size_t>(member.rank())].windows;
  if (member.rank() == 0) {
    window_.at = chooser_.next().front();
    PoolLines(pool_).store(0, window_.at, 0);
  }
  meet(window_.here, members * number);
  (this->*compete_)(member, number);
  meet(window_.out, members * number);
  return member.rank() == 0 ? claims(member.stopwatch()) : Claims();
}

template <LineOperation operation>
void LineContention::compete(const Member& member, std::uint64_t number) {
  const Stopwatch& watch = member.stopwatch();
  auto* const word = reinterpret_cast<std::uint64_t*>(pool_.bytes.data() + window_.at);
  Part part;
  std::uint64_t seen = 0;
  std::int64_t next_look = 1;
  part.from = watch.start();
  while (window_.over.load(std::memory_order_relaxed) != number) {
    for (; part.operations < next_look; ++part.operations) part.successes += contend<operation>(word, seen) ? 1 : 0;
    const Nanoseconds spent = watch.between(part.from, watch.start());
    if (spent >= length_) window_.over.store(number, std::memory_order_relaxed);
    next_look += until_next_look(length_, part.operations, spent);
  }
  part.to = watch.stop();
  *parts_[static_cast<std::size_t>(member.rank())] = part;
}

Claims LineContention::claims(const Stopwatch& watch) {
  std::vector<std::int64_t> shares;
  std::int64_t all = 0;
  std::int64_t successes = 0;
  std::int64_t from = parts_[0]->from;
  std::int64_t to = parts_[0]->to;
  for (const Part* part : parts_) {
    shares.push_back(part->operations);
    all += part->operations;
    successes += part->successes;
    from = std::min(from, part->from);
    to = std::max(to, part->to);
  }
  if (counts_ && PoolLines(pool_).load(0, window_.at) != static_cast<std::uint64_t>(successes))
    throw std::logic_error("operations on a line got lost: " + std::to_string(successes) +
                           " succeeded, and it counts " + std::to_string(PoolLines(pool_).load(0, window_.at)));
  const auto [least, most] = std::ranges::minmax(shares);
  const Nanoseconds lasted = watch.between(from, to);
  return Claims(lasted / static_cast<double>(all))
      .set(rate, static_cast<double>(all) / lasted.count * 1e9)
      .set(fairness, jain_index(shares))
      .set(slowest_to_fastest, static_cast<double>(least) / static_cast<double>(most))
      .set(success, static_cast<double>(successes) / static_cast<double>(all));
}

}  // namespace assay
