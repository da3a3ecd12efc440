// SPDX-License-Identifier: Apache-2.0
// The ranks of this test program as a place with members, without the framework.
#pragma once
#include <gtest/gtest.h>
#include <mpi.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "api/mpi.hpp"

namespace assay::test {

/// All ranks of MPI_COMM_WORLD, each with as many members.
class Ranks {
 public:
  explicit Ranks(int threads = 1, bool crowded = false) : threads_(threads) {
    MPI_Comm_dup(MPI_COMM_WORLD, &place_.communicator);
    MPI_Comm_rank(place_.communicator, &place_.rank);
    MPI_Query_thread(&place_.thread_level);
    int ranks = 0;
    MPI_Comm_size(place_.communicator, &ranks);
    place_.crowded = crowded;
    for (int rank = 0; rank < ranks; ++rank) {
      place_.nodes.push_back(0);
      place_.members.push_back(threads);
      for (int thread = 0; thread < threads; ++thread) place_.seats.push_back(rank);
    }
  }
  ~Ranks() { MPI_Comm_free(&place_.communicator); }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  MpiPlace& place() { return place_; }
  int rank() const { return place_.rank; }

  /// Calls `life` on every member of this rank, the first on the caller; returns when all have.
  void run(const std::function<void(Member&)>& life) {
    std::vector<std::thread> others;
    for (int thread = 1; thread < threads_; ++thread)
      others.emplace_back([&, thread] { live(life, place_.rank * threads_ + thread); });
    live(life, place_.rank * threads_);
    for (std::thread& other : others) other.join();
  }

 private:
  void live(const std::function<void(Member&)>& life, int number) const {
    std::atomic<std::int64_t> beats{0};
    Member member(number, static_cast<int>(place_.seats.size()), Stopwatch(), beats);
    life(member);
  }

  int threads_;
  MpiPlace place_;
};

}  // namespace assay::test
