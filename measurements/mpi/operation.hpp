// SPDX-License-Identifier: Apache-2.0
// The collective operations: each blocking and non-blocking, with data whose outcome is known.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/mpi.hpp"

namespace assay {

/// One operation over all ranks of a place, of 32-bit numbers; its root is the first rank. In the forms with a count
/// per rank, rank r of p has 2(r+1)/(p+1) times the count, which is the count on average.
class Operation {
 public:
  /// Throws Unsupported (N11) for fewer bytes than one number.
  Operation(const MpiPlace& place, const std::string& word, std::int64_t bytes)
      : place_(place), word_(word), count_(static_cast<int>(bytes / number_size)), call_(calls().at(word)) {
    if (word != "barrier" && count_ < 1)
      throw Unsupported("needs at least " + std::to_string(number_size) + " bytes: one number", "N11");
    for (int rank = 0; rank < ranks(); ++rank) {
      uneven_.push_back(static_cast<int>(std::max<std::int64_t>(1, 2LL * count_ * (rank + 1) / (ranks() + 1))));
      starts_.push_back(rank == 0 ? 0 : starts_.back() + uneven_[at(rank - 1)]);
    }
    for (int rank = 0; rank < ranks(); ++rank) mine_of_each_.push_back(rank * uneven(place_.rank));
    own_counts_.assign(at(ranks()), uneven(place_.rank));
    const int widest = std::max(count_, uneven_.back());
    mine_.resize(at(widest) * at(ranks()));
    all_.resize(mine_.size());
  }

  /// Every number that a rank gives is its rank + 1; of a broadcast the root's 1, and others' 0 until it arrives.
  void fill() {
    const bool listens = word_ == "bcast" && !is_root();
    std::fill(mine_.begin(), mine_.end(), listens ? 0 : place_.rank + 1);
    std::fill(all_.begin(), all_.end(), 0);
  }
  /// The blocking form.
  void call() { (this->*call_)(nullptr); }
  /// The start of the non-blocking form.
  void start(MPI_Request& request) { (this->*call_)(&request); }
  /// Throws std::runtime_error when the outcome of the last call is wrong.
  void check() const {
    check_sums();
    if (word_ == "bcast") expect(mine_, 0, count_, root + 1);
    if (word_ == "scatter") expect(all_, 0, count_, root + 1);
    if (word_ == "scatterv") expect(all_, 0, uneven(place_.rank), root + 1);
    for (int rank = 0; rank < ranks(); ++rank) check_block(rank);
  }

 private:
  using Call = void (Operation::*)(MPI_Request*);
  static constexpr int root = 0;
  static constexpr int number_size = sizeof(std::int32_t);
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  static const std::map<std::string, Call>& calls() {
    static const std::map<std::string, Call> all{{"barrier", &Operation::barrier},
                                                 {"bcast", &Operation::bcast},
                                                 {"reduce", &Operation::reduce},
                                                 {"allreduce", &Operation::allreduce},
                                                 {"gather", &Operation::gather},
                                                 {"gatherv", &Operation::gatherv},
                                                 {"scatter", &Operation::scatter},
                                                 {"scatterv", &Operation::scatterv},
                                                 {"allgather", &Operation::allgather},
                                                 {"allgatherv", &Operation::allgatherv},
                                                 {"alltoall", &Operation::alltoall},
                                                 {"alltoallv", &Operation::alltoallv},
                                                 {"scan", &Operation::scan},
                                                 {"exscan", &Operation::exscan},
                                                 {"reduce_scatter", &Operation::reduce_scatter},
                                                 {"reduce_scatter_block", &Operation::reduce_scatter_block}};
    return all;
  }

  /// One of two functions that differ in the request alone.
  template <class Now, class Later, class... Arguments>
  void issue(MPI_Request* request, Now now, Later later, Arguments... arguments) {
    if (request == nullptr)
      now(arguments..., place_.communicator);
    else
      later(arguments..., place_.communicator, request);
  }

  void barrier(MPI_Request* r) { issue(r, MPI_Barrier, MPI_Ibarrier); }
  void bcast(MPI_Request* r) { issue(r, MPI_Bcast, MPI_Ibcast, mine_.data(), count_, MPI_INT32_T, root); }
  void reduce(MPI_Request* r) {
    issue(r, MPI_Reduce, MPI_Ireduce, mine_.data(), all_.data(), count_, MPI_INT32_T, MPI_SUM, root);
  }
  void allreduce(MPI_Request* r) {
    issue(r, MPI_Allreduce, MPI_Iallreduce, mine_.data(), all_.data(), count_, MPI_INT32_T, MPI_SUM);
  }
  void gather(MPI_Request* r) {
    issue(r, MPI_Gather, MPI_Igather, mine_.data(), count_, MPI_INT32_T, all_.data(), count_, MPI_INT32_T, root);
  }
  void gatherv(MPI_Request* r) {
    issue(r, MPI_Gatherv, MPI_Igatherv, mine_.data(), uneven(place_.rank), MPI_INT32_T, all_.data(), uneven_.data(),
          starts_.data(), MPI_INT32_T, root);
  }
  void scatter(MPI_Request* r) {
    issue(r, MPI_Scatter, MPI_Iscatter, mine_.data(), count_, MPI_INT32_T, all_.data(), count_, MPI_INT32_T, root);
  }
  void scatterv(MPI_Request* r) {
    issue(r, MPI_Scatterv, MPI_Iscatterv, mine_.data(), uneven_.data(), starts_.data(), MPI_INT32_T, all_.data(),
          uneven(place_.rank), MPI_INT32_T, root);
  }
  void allgather(MPI_Request* r) {
    issue(r, MPI_Allgather, MPI_Iallgather, mine_.data(), count_, MPI_INT32_T, all_.data(), count_, MPI_INT32_T);
  }
  void allgatherv(MPI_Request* r) {
    issue(r, MPI_Allgatherv, MPI_Iallgatherv, mine_.data(), uneven(place_.rank), MPI_INT32_T, all_.data(),
          uneven_.data(), starts_.data(), MPI_INT32_T);
  }
  void alltoall(MPI_Request* r) {
    issue(r, MPI_Alltoall, MPI_Ialltoall, mine_.data(), count_, MPI_INT32_T, all_.data(), count_, MPI_INT32_T);
  }
  void alltoallv(MPI_Request* r) {
    issue(r, MPI_Alltoallv, MPI_Ialltoallv, mine_.data(), uneven_.data(), starts_.data(), MPI_INT32_T, all_.data(),
          own_counts_.data(), mine_of_each_.data(), MPI_INT32_T);
  }
  void scan(MPI_Request* r) { issue(r, MPI_Scan, MPI_Iscan, mine_.data(), all_.data(), count_, MPI_INT32_T, MPI_SUM); }
  void exscan(MPI_Request* r) {
    issue(r, MPI_Exscan, MPI_Iexscan, mine_.data(), all_.data(), count_, MPI_INT32_T, MPI_SUM);
  }
  void reduce_scatter(MPI_Request* r) {
    issue(r, MPI_Reduce_scatter, MPI_Ireduce_scatter, mine_.data(), all_.data(), uneven_.data(), MPI_INT32_T, MPI_SUM);
  }
  void reduce_scatter_block(MPI_Request* r) {
    issue(r, MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, mine_.data(), all_.data(), count_, MPI_INT32_T,
          MPI_SUM);
  }

  int ranks() const { return place_.ranks(); }
  int uneven(int rank) const { return uneven_[at(rank)]; }
  bool is_root() const { return place_.rank == root; }

  void check_sums() const {
    const int total = ranks() * (ranks() + 1) / 2;
    const int before = place_.rank * (place_.rank + 1) / 2;
    if (word_ == "allreduce" || word_ == "reduce_scatter_block" || (word_ == "reduce" && is_root()))
      expect(all_, 0, count_, total);
    if (word_ == "reduce_scatter") expect(all_, 0, uneven(place_.rank), total);
    if (word_ == "scan") expect(all_, 0, count_, before + place_.rank + 1);
    if (word_ == "exscan" && place_.rank > 0) expect(all_, 0, count_, before);
  }
  /// What came from one rank, where there is something from each.
  void check_block(int rank) const {
    if (word_ == "allgather" || word_ == "alltoall" || (word_ == "gather" && is_root()))
      expect(all_, rank * count_, count_, rank + 1);
    if (word_ == "allgatherv" || (word_ == "gatherv" && is_root()))
      expect(all_, starts_[at(rank)], uneven(rank), rank + 1);
    if (word_ == "alltoallv") expect(all_, mine_of_each_[at(rank)], uneven(place_.rank), rank + 1);
  }
  void expect(const std::vector<std::int32_t>& numbers, int from, int count, int value) const {
    const auto first = numbers.begin() + from;
    if (std::any_of(first, first + count, [&](std::int32_t number) { return number != value; }))
      throw std::runtime_error("MPI_" + word_ + " yielded wrong data");
  }

  const MpiPlace& place_;
  std::string word_;
  int count_;
  Call call_;
  std::vector<int> uneven_;        ///< numbers of each rank in the forms with a count per rank
  std::vector<int> starts_;        ///< where they begin
  std::vector<int> own_counts_;    ///< this rank's number of them, once for each rank
  std::vector<int> mine_of_each_;  ///< where what is received of each rank begins, at that number
  std::vector<std::int32_t> mine_;
  std::vector<std::int32_t> all_;
};

}  // namespace assay
