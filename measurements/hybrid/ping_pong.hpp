// SPDX-License-Identifier: Apache-2.0
// Messages from thread to thread across ranks, beside threads that do something else.
#pragma once
#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mpi.hpp"
#include "hybrid/courier.hpp"
#include "mpi/message.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"
#include "mpi/window.hpp"
#include "work/work.hpp"

namespace assay {

/// Threads that sleep, compute or wait for a message until the communicating threads of their rank have all finished
/// the batch.
class Background {
 public:
  enum class Kind : std::uint8_t { none, blocked, computing, receiving };
  static Kind kind_of(const std::string& word) {
    static const std::map<std::string, Kind> kinds{{"none", Kind::none},
                                                   {"blocked", Kind::blocked},
                                                   {"computing", Kind::computing},
                                                   {"receiving", Kind::receiving}};
    return kinds.at(word);
  }

  /// Of this rank: the members that communicate, and those that do not.
  Background(const MpiPlace& place, Kind kind, int communicating, std::vector<int> others)
      : place_(place),
        progress_(place),
        kind_(kind),
        communicating_(communicating),
        others_(std::move(others)),
        stayed_(place.seats.size()) {}

  /// By a member of the others, once per batch.
  void stay(const Member& member) {
    const std::uint32_t stayed = stayed_[static_cast<std::size_t>(member.rank())].batches++;
    switch (kind_) {
      case Kind::none:
        return;
      case Kind::blocked:
        return sleep(stayed);
      case Kind::computing:
        return compute(stayed);
      case Kind::receiving:
        return progress_.hear(place_.rank, tag_of(member.rank()), place_.communicator);
    }
  }
  /// By each member that communicates, when it has finished a batch: the last one ends the others' stay.
  void finish() {
    if (finished_.fetch_add(1, std::memory_order_acq_rel) + 1 != communicating_) return;
    finished_.store(0, std::memory_order_relaxed);
    if (kind_ == Kind::receiving)
      for (const int other : others_) progress_.tell(place_.rank, tag_of(other), place_.communicator);
    ended_.fetch_add(1, std::memory_order_acq_rel);
    ended_.notify_all();
  }

 private:
  static constexpr int first_tag = 1 << 14;  // no member has so many before it
  static constexpr Compute slice{1000};
  struct alignas(line_size) Stayed {
    std::uint32_t batches = 0;
  };
  static int tag_of(int member) { return first_tag + member; }

  /// Whether this member's batch still lasts; as many have ended as it has stayed through.
  bool lasts(std::uint32_t stayed) const { return ended_.load(std::memory_order_acquire) == stayed; }
  void sleep(std::uint32_t stayed) const {
    while (lasts(stayed)) ended_.wait(stayed, std::memory_order_acquire);
  }
  void compute(std::uint32_t stayed) const {
    while (lasts(stayed)) slice();
  }

  const MpiPlace& place_;
  MpiProgress progress_;
  Kind kind_;
  int communicating_;
  std::vector<int> others_;
  alignas(line_size) std::atomic<int> finished_{0};
  alignas(line_size) std::atomic<std::uint32_t> ended_{0};
  std::vector<Stayed> stayed_;  ///< by member
};

/// The first half of the members each exchange messages with the partner at the same place in the second half, as a
/// program written for the thread level does; the first `pairs` threads of each rank do so, the others are the
/// background.
class HybridPingPong final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { time, slowest };

  explicit HybridPingPong(Setup& setup)
      : place_(mpi_place(setup)),
        seating_(place_),
        progress_(place_),
        level_(levels().at(setup.word("level"))),
        kind_(Background::kind_of(setup.word("background"))),
        threads_(setup.level<int>("threads")),
        pairs_(setup.level<int>("pairs")),
        own_(setup.word("communicator") == "own"),
        bytes_(setup.level<std::size_t>("size")) {
    refuse_what_has_no_meaning();
    require_level(place_, level_);
    const std::vector<int> busy = members_here(true);
    courier_ = make_courier(static_cast<int>(busy.size()));
    background_.emplace(place_, kind_, static_cast<int>(busy.size()), members_here(false));
    for (int member = 0; member < seating_.members(); ++member)
      sides_.push_back(std::make_unique<Side>(seating_.rank_of(member) == place_.rank ? bytes_ : 0));
  }

  void enter(Member& member) override {
    if (own_ && seating_.leads(member)) communicators_.make(place_.communicator, half());
  }
  void leave(Member& member) override {
    if (own_ && seating_.leads(member)) communicators_.free();
  }

  Claims run(Member& member, Reps reps) override {
    if (!communicates(member.rank())) {
      background_->stay(member);
      return Claims().set(slowest, 0);
    }
    Side& side = *sides_[static_cast<std::size_t>(member.rank())];
    const Way way = way_of(member.rank());
    const bool first = member.rank() < half();
    exchange(member, side, way, first);
    const Nanoseconds taken = member.timed(reps, [&] { exchange(member, side, way, first); });
    courier_->finish(member);
    background_->finish();
    require_all_right(std::exchange(side.wrong, 0));
    return Claims(taken).set(slowest, taken);
  }

 private:
  struct alignas(line_size) Side {
    explicit Side(std::size_t bytes) : out(bytes), in(bytes) {}
    Message out;
    Message in;
    std::int64_t number = 0;
    std::int64_t wrong = 0;
  };

  static const std::map<std::string, int>& levels() {
    static const std::map<std::string, int> words{{"single", MPI_THREAD_SINGLE},
                                                  {"funneled", MPI_THREAD_FUNNELED},
                                                  {"serialized", MPI_THREAD_SERIALIZED},
                                                  {"multiple", MPI_THREAD_MULTIPLE}};
    return words;
  }

  void refuse_what_has_no_meaning() const {
    if (seating_.members() % 2 != 0 || half() % threads_ != 0)
      throw Unsupported("members are pairs across ranks; give 'members' even multiples of 'threads'");
    if (pairs_ < 1 || pairs_ > threads_) throw Unsupported("of 'threads' per rank, 'pairs' are from 1 to all");
    if ((kind_ == Background::Kind::none) != (pairs_ == threads_))
      throw Unsupported(
          "threads beside the pairs are the background: there are some where 'threads' is more than "
          "'pairs', and then 'background' says what they do");
    if (level_ == MPI_THREAD_SINGLE && seating_.most_threads() > 1)
      throw Unsupported("under the level 'single' a rank has one thread; give 'threads = 1' for it", "N11");
    if (kind_ == Background::Kind::receiving && level_ != MPI_THREAD_MULTIPLE)
      throw Unsupported("a thread that waits in a receive while another one sends needs 'level = multiple'", "N10");
  }

  int half() const { return seating_.members() / 2; }
  bool communicates(int member) const { return member % half() % threads_ < pairs_; }
  std::vector<int> members_here(bool communicating) const {
    std::vector<int> found;
    for (int member = 0; member < seating_.members(); ++member)
      if (seating_.rank_of(member) == place_.rank && communicates(member) == communicating) found.push_back(member);
    return found;
  }
  std::unique_ptr<Courier> make_courier(int communicating) const {
    if (level_ == MPI_THREAD_FUNNELED) return std::make_unique<FunneledCourier>(place_, communicating);
    if (level_ == MPI_THREAD_SERIALIZED) return std::make_unique<SerializedCourier>(place_);
    return std::make_unique<DirectCourier>(place_);
  }
  Way way_of(int member) const {
    const int partner = seating_.partner_of(member);
    return {seating_.rank_of(partner), 1 + partner, 1 + member,
            own_ ? communicators_[member % half()] : place_.communicator};
  }

  void exchange(const Member& member, Side& side, const Way& way, bool first) {
    if (!first) courier_->receive(member, side.in, way);
    ++side.number;
    if (!first) side.wrong += side.in.is(side.number) ? 0 : 1;
    side.out.number(side.number);
    courier_->send(member, side.out, way);
    if (!first) return;
    courier_->receive(member, side.in, way);
    side.wrong += side.in.is(side.number) ? 0 : 1;
  }

  const MpiPlace& place_;
  Seating seating_;
  MpiProgress progress_;
  int level_;
  Background::Kind kind_;
  int threads_;
  int pairs_;
  bool own_;
  std::size_t bytes_;
  std::unique_ptr<Courier> courier_;
  std::optional<Background> background_;
  std::vector<std::unique_ptr<Side>> sides_;  ///< by member
  Communicators communicators_;
};

}  // namespace assay
