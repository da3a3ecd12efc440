// SPDX-License-Identifier: Apache-2.0
// Chunks dealt by a master to workers that are free: SKaMPI's master-worker pattern.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "api/mpi.hpp"
#include "mpi/message.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"
#include "work/work.hpp"

namespace assay {

/// One repetition is one job of `chunks` chunks. Member 0 sends every worker a chunk; a worker that answers with one of
/// the same size gets the next, until all are done. A worker does arithmetic for `work` between chunk and answer. Every
/// answer carries the number of the chunk that its worker was given.
class MpiMasterWorker final : public Measurement {
 public:
  /// Indexes of the declared quantities.
  enum Index : std::size_t { time, most, least };

  explicit MpiMasterWorker(Setup& setup)
      : place_(mpi_place(setup)),
        progress_(place_),
        chunks_(setup.level<std::int64_t>("chunks")),
        work_(setup.level<std::int64_t>("work")),
        out_(workers(), Message(setup.level<std::size_t>("size"))),
        in_(workers(), Message(setup.level<std::size_t>("size"))),
        given_(workers(), 0),
        done_(workers(), 0),
        requests_(workers(), MPI_REQUEST_NULL) {
    require_ranks(place_);
    if (chunks_ < 1) throw Unsupported("a job without chunks; give 'chunks' levels from 1 on");
    if (work_ < 0) throw Unsupported("negative work; give 'work' levels from 0 on");
  }

  void enter(Member& member) override { steps_ = work_ > 0 ? compute_steps(work_, member) : 0; }

  Claims run(Member& member, Reps reps) override {
    if (place_.rank != 0) {
      for (std::int64_t left = (reps.count + 1) * chunks_; answer_one(left);) continue;
      require_all_right(std::exchange(wrong_, 0));
      return {};
    }
    deal_job();
    std::ranges::fill(done_, 0);
    const Nanoseconds taken = member.timed(reps, [&] { deal_job(); });
    for (std::size_t worker = 0; worker < workers(); ++worker)
      progress_.tell(rank_of(worker), end_tag, place_.communicator);
    require_all_right(std::exchange(wrong_, 0));
    const auto [low, high] = std::ranges::minmax_element(done_);
    return Claims(taken).set(most, static_cast<double>(*high)).set(least, static_cast<double>(*low));
  }

 private:
  static constexpr int tag = 1;
  static constexpr int end_tag = 2;

  std::size_t workers() const { return static_cast<std::size_t>(place_.ranks() - 1); }
  static int rank_of(std::size_t worker) { return static_cast<int>(worker) + 1; }

  void deal_job() {
    std::int64_t given = 0;
    std::int64_t back = 0;
    for (std::size_t worker = 0; worker < workers() && given < chunks_; ++worker, ++given) give(worker);
    while (back < chunks_) {
      const std::size_t worker = await_any();
      ++back;
      ++done_[worker];
      wrong_ += in_[worker].is(given_[worker]) ? 0 : 1;
      if (given < chunks_) {
        give(worker);
        ++given;
      }
    }
  }
  void give(std::size_t worker) {
    given_[worker] = ++number_;
    out_[worker].number(number_);
    MPI_Irecv(in_[worker].data(), in_[worker].size(), MPI_CHAR, rank_of(worker), tag, place_.communicator,
              &requests_[worker]);
    progress_.send(out_[worker].data(), out_[worker].size(), rank_of(worker), tag, place_.communicator);
  }
  std::size_t await_any() {
    int index = 0;
    int done = 0;
    const int count = static_cast<int>(requests_.size());
    if (!progress_.gives_way()) {
      MPI_Waitany(count, requests_.data(), &index, MPI_STATUS_IGNORE);
      return static_cast<std::size_t>(index);
    }
    progress_.until([&] {
      return MPI_Testany(count, requests_.data(), &index, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0;
    });
    return static_cast<std::size_t>(index);
  }

  /// False when the master has no more; `left` bounds what can come.
  bool answer_one(std::int64_t& left) {
    Message& chunk = in_.front();
    MPI_Status status;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(chunk.data(), chunk.size(), MPI_CHAR, 0, MPI_ANY_TAG, place_.communicator, &request);
    int done = 0;
    if (progress_.gives_way())
      progress_.until([&] { return MPI_Test(&request, &done, &status) != MPI_SUCCESS || done != 0; });
    else
      MPI_Wait(&request, &status);
    if (status.MPI_TAG == end_tag) return false;
    if (--left < 0) ++wrong_;
    if (steps_ > 0) Compute{steps_}();
    progress_.send(chunk.data(), chunk.size(), 0, tag, place_.communicator);
    return true;
  }

  const MpiPlace& place_;
  MpiProgress progress_;
  std::int64_t chunks_;
  std::int64_t work_;  ///< ns
  std::int64_t steps_ = 0;
  std::vector<Message> out_;
  std::vector<Message> in_;
  std::vector<std::int64_t> given_;  ///< by worker: the number of its chunk
  std::vector<std::int64_t> done_;   ///< by worker: chunks of this batch
  std::vector<MPI_Request> requests_;
  std::int64_t number_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace assay
