// SPDX-License-Identifier: Apache-2.0
// Which rank each member is a thread of, pairs of members, and what their threads may ask of the library.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "api/mpi.hpp"

namespace assay {

/// Members by rank and thread.
class Seating {
 public:
  explicit Seating(const MpiPlace& place) : place_(place) {}

  int members() const { return static_cast<int>(place_.seats.size()); }
  int rank_of(int member) const { return place_.seats[static_cast<std::size_t>(member)]; }
  /// The first member of a rank: the thread that started MPI.
  int leader_of(int rank) const {
    return static_cast<int>(std::ranges::find(place_.seats, rank) - place_.seats.begin());
  }
  bool leads(const Member& member) const { return leader_of(place_.rank) == member.rank(); }
  /// Members of this rank.
  int threads() const { return place_.members[static_cast<std::size_t>(place_.rank)]; }
  /// A member of this rank by its place among them.
  int thread_of(const Member& member) const { return member.rank() - leader_of(place_.rank); }
  /// Of a team in two halves: the member at the same place in the other half.
  int partner_of(int member) const {
    const int half = members() / 2;
    return member < half ? member + half : member - half;
  }
  bool one_node() const {
    return std::ranges::adjacent_find(place_.nodes, std::not_equal_to<>()) == place_.nodes.end();
  }
  int most_threads() const { return *std::ranges::max_element(place_.members); }

 private:
  const MpiPlace& place_;
};

/// Throws Unsupported (N11) where two members are threads of one rank.
inline void require_ranks(const MpiPlace& place) {
  if (Seating(place).most_threads() > 1)
    throw Unsupported("its members are ranks, each by itself: not to be had within one process", "N11");
}

/// "single", "funneled", "serialized", "multiple".
inline std::string level_name(int level) {
  if (level == MPI_THREAD_SINGLE) return "single";
  if (level == MPI_THREAD_FUNNELED) return "funneled";
  return level == MPI_THREAD_SERIALIZED ? "serialized" : "multiple";
}

/// Throws Unsupported (N10) where the library was started with less.
inline void require_level(const MpiPlace& place, int level) {
  if (place.thread_level < level)
    throw Unsupported(
        "needs thread level '" + level_name(level) + "', and this launch has '" + level_name(place.thread_level) +
            "': start it with ASSAY_MPI_THREAD_LEVEL=" + level_name(level) + ", and a library that provides it",
        "N10");
}

/// Communicators of a measurement's own, all over the ranks of its place. Made and freed by one member of each rank.
class Communicators {
 public:
  void make(MPI_Comm of, int count) {
    all_.assign(static_cast<std::size_t>(count), MPI_COMM_NULL);
    for (MPI_Comm& one : all_) MPI_Comm_dup(of, &one);
  }
  void free() {
    for (MPI_Comm& one : all_) MPI_Comm_free(&one);
    all_.clear();
  }
  MPI_Comm operator[](int index) const { return all_[static_cast<std::size_t>(index)]; }

 private:
  std::vector<MPI_Comm> all_;
};

}  // namespace assay
