// SPDX-License-Identifier: Apache-2.0
// Collective operations back to back.
#pragma once
#include <mpi.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "api/mpi.hpp"

namespace assay {

/// All ranks call one operation `reps` times. Back to back, a call that does not synchronize lets ranks run ahead of
/// each other, so that what is had is the rate at which the slowest rank is served; in windows all start one call at an
/// agreed time, and what is had is the time until the last is out. Results are checked after every batch.
class MpiCollective final : public Measurement {
 public:
  explicit MpiCollective(Setup& setup)
      : place_(mpi_place(setup)),
        operation_(setup.word("operation")),
        count_(setup.level<int>("size") / static_cast<int>(sizeof(std::int32_t))),
        call_(call_of(operation_)),
        mine_(width(), 1),
        all_(width(), 0) {
    if (operation_ != "barrier" && count_ < 1)
      throw Unsupported("needs at least " + std::to_string(sizeof(std::int32_t)) + " bytes: one number", "N11");
  }

  void enter(Member&) override { fill(); }

  Claims run(Member& member, Reps reps) override {
    const Nanoseconds own = member.timed(reps, [&] { (this->*call_)(); });
    const auto start = place_.time->agreed_start();
    const Nanoseconds time = start ? place_.time->now() - *start : own;
    check();
    fill();
    return time;
  }

 private:
  using Call = void (MpiCollective::*)();
  static constexpr int root = 0;

  std::size_t width() const { return static_cast<std::size_t>(count_) * static_cast<std::size_t>(place_.ranks()) + 1; }

  static Call call_of(const std::string& word) {
    static const std::map<std::string, Call> calls{{"barrier", &MpiCollective::barrier},
                                                   {"bcast", &MpiCollective::bcast},
                                                   {"reduce", &MpiCollective::reduce},
                                                   {"allreduce", &MpiCollective::allreduce},
                                                   {"gather", &MpiCollective::gather},
                                                   {"scatter", &MpiCollective::scatter},
                                                   {"allgather", &MpiCollective::allgather},
                                                   {"alltoall", &MpiCollective::alltoall},
                                                   {"scan", &MpiCollective::scan}};
    return calls.at(word);
  }

  void barrier() { MPI_Barrier(place_.communicator); }
  void bcast() { MPI_Bcast(mine_.data(), count_, MPI_INT32_T, root, place_.communicator); }
  void reduce() { MPI_Reduce(mine_.data(), all_.data(), count_, MPI_INT32_T, MPI_SUM, root, place_.communicator); }
  void allreduce() { MPI_Allreduce(mine_.data(), all_.data(), count_, MPI_INT32_T, MPI_SUM, place_.communicator); }
  void gather() {
    MPI_Gather(mine_.data(), count_, MPI_INT32_T, all_.data(), count_, MPI_INT32_T, root, place_.communicator);
  }
  void scatter() {
    MPI_Scatter(mine_.data(), count_, MPI_INT32_T, all_.data(), count_, MPI_INT32_T, root, place_.communicator);
  }
  void allgather() {
    MPI_Allgather(mine_.data(), count_, MPI_INT32_T, all_.data(), count_, MPI_INT32_T, place_.communicator);
  }
  void alltoall() {
    MPI_Alltoall(mine_.data(), count_, MPI_INT32_T, all_.data(), count_, MPI_INT32_T, place_.communicator);
  }
  void scan() { MPI_Scan(mine_.data(), all_.data(), count_, MPI_INT32_T, MPI_SUM, place_.communicator); }

  /// Every number that a rank sends is its rank + 1; of a broadcast the root's 1, and others' 0 until it arrives.
  void fill() {
    const bool listens = operation_ == "bcast" && place_.rank != root;
    std::fill(mine_.begin(), mine_.end(), listens ? 0 : place_.rank + 1);
    std::fill(all_.begin(), all_.end(), 0);
  }

  /// What each number must be after the operation, and the one of the last rank where there is one of each; 0:
  /// anything.
  struct Wanted {
    int first = 0;
    int last = 0;
  };
  Wanted wanted() const {
    const int ranks = place_.ranks();
    const bool is_root = place_.rank == root;
    if (operation_ == "allreduce" || (operation_ == "reduce" && is_root)) return {ranks * (ranks + 1) / 2, 0};
    if (operation_ == "scan") return {(place_.rank + 1) * (place_.rank + 2) / 2, 0};
    if (operation_ == "scatter") return {root + 1, 0};
    const bool has_all = operation_ == "allgather" || operation_ == "alltoall" || (operation_ == "gather" && is_root);
    return has_all ? Wanted{1, ranks} : Wanted{};
  }

  void check() const {
    const Wanted right = wanted();
    const auto count = static_cast<std::size_t>(count_);
    const std::size_t last = count * static_cast<std::size_t>(place_.ranks() - 1);
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_wrong = (right.first != 0 && all_[i] != right.first) ||
                            (right.last != 0 && all_[last + i] != right.last) ||
                            (operation_ == "bcast" && mine_[i] != root + 1);
      if (is_wrong) throw std::runtime_error("MPI_" + operation_ + " yielded wrong data");
    }
  }

  const MpiPlace& place_;
  std::string operation_;
  int count_;
  Call call_;
  std::vector<std::int32_t> mine_;
  std::vector<std::int32_t> all_;
};

}  // namespace assay
