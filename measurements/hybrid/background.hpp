// SPDX-License-Identifier: Apache-2.0
// What the threads of a rank do beside those that communicate.
#pragma once
#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/mpi.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"
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

}  // namespace assay
