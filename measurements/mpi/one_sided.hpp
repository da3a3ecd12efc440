// SPDX-License-Identifier: Apache-2.0
// One-sided operations, each in an epoch of its own.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "api/mpi.hpp"
#include "mpi/memory_window.hpp"
#include "mpi/message.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"

namespace assay {

/// Member 0 puts to, gets from or adds to the memory of member 1, one operation per epoch; the epoch is opened and
/// closed by a fence on both, by a lock on member 0 alone, or by post and wait on member 1 and start and complete on
/// member 0. After an epoch the data is where it belongs: that is what is timed. Each batch ends with a look at what
/// arrived: the first and the last number of the target (put, accumulate) or of every get.
class MpiOneSided final : public Measurement {
 public:
  explicit MpiOneSided(Setup& setup)
      : place_(mpi_place(setup)),
        progress_(place_),
        action_(actions().at(setup.word("operation"))),
        epoch_(epochs().at(setup.word("epoch"))),
        numbers_(setup.level<std::int64_t>("size") / number_size),
        buffer_(static_cast<std::size_t>(numbers_)) {
    require_ranks(place_);
    require_that_waits_give_way(place_);
    if (numbers_ < 1 || setup.level<std::int64_t>("size") % number_size != 0)
      throw Unsupported("moves numbers of 8 bytes; give 'size' levels that are multiples of 8, from 8 on", "N11");
  }

  void enter(Member&) override {
    window_.make(place_, buffer_.size() * number_size, MemoryWindow::Kind::reached, progress_);
    MPI_Group all = MPI_GROUP_NULL;
    const int partner = 1 - place_.rank;
    MPI_Comm_group(place_.communicator, &all);
    MPI_Group_incl(all, 1, &partner, &partner_);
    MPI_Group_free(&all);
  }
  void leave(Member&) override {
    MPI_Group_free(&partner_);
    window_.free();
  }

  Claims run(Member& member, Reps reps) override {
    const bool acts = member.rank() == 0;
    if (epoch_ == Epoch::fence) MPI_Win_fence(MPI_MODE_NOPRECEDE, window_.handle());
    prepare(acts);
    Claims claims;
    if (acts) {
      origin_epoch();
      claims = member.timed(reps, [&] { origin_epoch(); });
    } else if (epoch_ != Epoch::lock) {
      for (std::int64_t i = 0; i <= reps.count; ++i) target_epoch();
    }
    if (epoch_ == Epoch::fence) MPI_Win_fence(MPI_MODE_NOSUCCEED, window_.handle());
    progress_.barrier(place_.communicator);
    if (!acts) check_target(reps.count + 1);
    require_all_right(std::exchange(wrong_, 0));
    return claims;
  }

 private:
  enum class Action : std::uint8_t { put, get, accumulate };
  enum class Epoch : std::uint8_t { fence, lock, pscw };
  static constexpr std::int64_t number_size = sizeof(std::int64_t);
  static constexpr std::int64_t at_rest = 17;  ///< what is got
  static constexpr std::int64_t step = 3;      ///< what is added

  static const std::map<std::string, Action>& actions() {
    static const std::map<std::string, Action> all{
        {"put", Action::put}, {"get", Action::get}, {"accumulate", Action::accumulate}};
    return all;
  }
  static const std::map<std::string, Epoch>& epochs() {
    static const std::map<std::string, Epoch> all{
        {"fence", Epoch::fence}, {"lock", Epoch::lock}, {"pscw", Epoch::pscw}};
    return all;
  }

  /// The target's numbers are written under a lock of its own window, so that any epoch sees them.
  void prepare(bool acts) {
    put_ = 0;
    std::fill(buffer_.begin(), buffer_.end(), action_ == Action::accumulate ? step : 0);
    if (!acts && epoch_ != Epoch::fence) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window_.handle());
    if (!acts) {
      const std::vector<std::int64_t> start(buffer_.size(), action_ == Action::get ? at_rest : 0);
      std::memcpy(window_.own(), start.data(), start.size() * number_size);
    }
    if (!acts && epoch_ != Epoch::fence) MPI_Win_unlock(1, window_.handle());
    if (epoch_ == Epoch::fence) MPI_Win_fence(0, window_.handle());
    progress_.barrier(place_.communicator);
  }

  void origin_epoch() {
    before();
    if (epoch_ == Epoch::lock) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window_.handle());
    if (epoch_ == Epoch::pscw) MPI_Win_start(partner_, 0, window_.handle());
    act();
    if (epoch_ == Epoch::lock) MPI_Win_unlock(1, window_.handle());
    if (epoch_ == Epoch::pscw) MPI_Win_complete(window_.handle());
    if (epoch_ == Epoch::fence) MPI_Win_fence(0, window_.handle());
    if (action_ == Action::get && (buffer_.front() != at_rest || buffer_.back() != at_rest)) ++wrong_;
  }
  void target_epoch() {
    if (epoch_ == Epoch::fence) {
      MPI_Win_fence(0, window_.handle());
      return;
    }
    MPI_Win_post(partner_, 0, window_.handle());
    MPI_Win_wait(window_.handle());
  }

  void before() {
    ++put_;
    if (action_ == Action::put) buffer_.front() = buffer_.back() = put_;
    if (action_ == Action::get) buffer_.front() = buffer_.back() = 0;
  }
  void act() {
    const int count = static_cast<int>(numbers_);
    if (action_ == Action::put)
      MPI_Put(buffer_.data(), count, MPI_INT64_T, 1, 0, count, MPI_INT64_T, window_.handle());
    else if (action_ == Action::get)
      MPI_Get(buffer_.data(), count, MPI_INT64_T, 1, 0, count, MPI_INT64_T, window_.handle());
    else
      MPI_Accumulate(buffer_.data(), count, MPI_INT64_T, 1, 0, count, MPI_INT64_T, MPI_SUM, window_.handle());
  }

  void check_target(std::int64_t epochs) {
    if (action_ == Action::get) return;
    const std::int64_t wanted = action_ == Action::put ? epochs : epochs * step;
    std::array<std::int64_t, 2> found{};
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window_.handle());
    std::memcpy(found.data(), window_.own(), number_size);
    std::memcpy(&found[1], window_.own() + (buffer_.size() - 1) * number_size, number_size);
    MPI_Win_unlock(1, window_.handle());
    for (const std::int64_t number : found) wrong_ += number == wanted ? 0 : 1;
  }

  const MpiPlace& place_;
  MpiProgress progress_;
  Action action_;
  Epoch epoch_;
  std::int64_t numbers_;
  std::vector<std::int64_t> buffer_;
  MemoryWindow window_;
  MPI_Group partner_ = MPI_GROUP_NULL;
  std::int64_t put_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace assay
