// SPDX-License-Identifier: Apache-2.0
// A launch whose ranks are threads of the test: what the framework says among them, without MPI.
#pragma once
#include <barrier>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "team/ranks/rank_link.hpp"

namespace assay::test {

/// What the ranks share.
class ThreadRanks {
 public:
  explicit ThreadRanks(RankMap map) : map_(std::move(map)), texts_(map_.size()), meeting_(std::ssize(map_)) {}

  bool library_gives_way = false;

  /// One rank's end. A rank that aborts throws what it said: the others must not be waiting then.
  class Link final : public RankLink {
   public:
    Link(ThreadRanks& ranks, int rank) : ranks_(ranks), rank_(rank) {}
    int rank() const override { return rank_; }
    const RankMap& map() const override { return ranks_.map_; }
    std::string broadcast(const std::string& text) override {
      if (rank_ == 0) ranks_.told_ = text;
      ranks_.meeting_.arrive_and_wait();
      std::string told = ranks_.told_;
      ranks_.meeting_.arrive_and_wait();
      return told;
    }
    std::vector<std::string> gather(const std::string& text) override {
      ranks_.texts_[static_cast<std::size_t>(rank_)] = text;
      ranks_.meeting_.arrive_and_wait();
      auto texts = rank_ == 0 ? ranks_.texts_ : std::vector<std::string>();
      ranks_.meeting_.arrive_and_wait();
      return texts;
    }
    const MpiPlace* place(const std::vector<RankSeat>&) override { return nullptr; }
    void start(const MpiPlace*) override { ++starts; }
    PlaceClock* clock(const MpiPlace*) override { return nullptr; }
    [[noreturn]] void abort(const std::string& why) override { throw std::runtime_error("aborted: " + why); }
    bool gives_way() const override { return ranks_.library_gives_way; }
    int starts = 0;

   private:
    ThreadRanks& ranks_;
    int rank_;
  };

  /// Calls `life` for each rank, rank 0 on the caller; returns when all have ended.
  void run(const std::function<void(Link&)>& life) {
    std::vector<std::thread> others;
    for (int rank = 1; rank < static_cast<int>(map_.size()); ++rank)
      others.emplace_back([&, rank] {
        Link link(*this, rank);
        life(link);
      });
    Link first(*this, 0);
    life(first);
    for (std::thread& other : others) other.join();
  }

 private:
  RankMap map_;
  std::string told_;
  std::vector<std::string> texts_;
  std::barrier<> meeting_;
};

}  // namespace assay::test
