// SPDX-License-Identifier: Apache-2.0
// Non-blocking messages, and a receiver that becomes the more polite the longer it waits.
#include "team/wire/mpi_wire.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "platform/clock/system_clock.hpp"

namespace assay {
namespace {

using namespace std::chrono_literals;

constexpr int tag = 1;
constexpr int polls = 20'000;  // some milliseconds: as long as a message that is on its way should take
constexpr int crowded_polls = 50;
constexpr auto shortest_sleep = 20us;
constexpr auto longest_sleep = 200us;

std::string text_of(int error) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(error, text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

void require(int error, const char* what) {
  if (error != MPI_SUCCESS) throw WireError(std::string(what) + ": " + text_of(error));
}

class MpiWire final : public Wire {
 public:
  MpiWire(MPI_Comm communicator, std::vector<int> nodes, bool crowded)
      : communicator_(communicator), nodes_(std::move(nodes)), crowded_(crowded) {
    require(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "setting the error handler");
    require(MPI_Comm_rank(communicator_, &rank_), "asking for the rank");
  }
  ~MpiWire() override {
    for (Sent& sent : under_way_) MPI_Wait(&sent.request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&communicator_);
  }
  MpiWire(const MpiWire&) = delete;
  MpiWire& operator=(const MpiWire&) = delete;

  int rank() const override { return rank_; }
  int ranks() const override { return static_cast<int>(nodes_.size()); }
  int node_of(int rank) const override { return nodes_.at(static_cast<std::size_t>(rank)); }
  AlarmClock& clock() override { return clock_; }

  void send(int to, std::span<const std::byte> message) override {
    forget_what_left();
    Sent& sent = under_way_.emplace_back(Sent{{message.begin(), message.end()}, MPI_REQUEST_NULL});
    require(MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE, to, tag, communicator_,
                      &sent.request),
            "sending to another rank");
  }

  void receive(int from, std::span<std::byte> message) override {
    MPI_Request request = MPI_REQUEST_NULL;
    require(MPI_Irecv(message.data(), static_cast<int>(message.size()), MPI_BYTE, from, tag, communicator_, &request),
            "receiving from another rank");
    MPI_Status status{};
    await(request, status);
    int bytes = 0;
    require(MPI_Get_count(&status, MPI_BYTE, &bytes), "receiving from another rank");
    if (std::cmp_not_equal(bytes, message.size()))
      throw WireError("rank " + std::to_string(from) + " sent " + std::to_string(bytes) + " bytes where rank " +
                      std::to_string(rank_) + " expects " + std::to_string(message.size()));
  }

 private:
  struct Sent {
    std::vector<std::byte> bytes;
    MPI_Request request;
  };

  void forget_what_left() {
    int left = 1;
    while (left != 0 && !under_way_.empty()) {
      require(MPI_Test(&under_way_.front().request, &left, MPI_STATUS_IGNORE), "sending to another rank");
      if (left != 0) under_way_.pop_front();
    }
  }

  void await(MPI_Request& request, MPI_Status& status) const {
    std::chrono::microseconds pause = shortest_sleep;
    int come = 0;
    for (int looks = 0;; ++looks) {
      require(MPI_Test(&request, &come, &status), "receiving from another rank");
      if (come != 0) return;
      if (looks > (crowded_ ? crowded_polls : polls)) {
        std::this_thread::sleep_for(pause);
        pause = std::min<std::chrono::microseconds>(pause * 3 / 2, longest_sleep);
      } else if (crowded_) {
        std::this_thread::yield();
      }
    }
  }

  MPI_Comm communicator_;
  std::vector<int> nodes_;
  bool crowded_;
  int rank_ = 0;
  MonotonicAlarm clock_;
  std::deque<Sent> under_way_;  // a deque: what is sent must not move
};

}  // namespace

std::unique_ptr<Wire> make_mpi_wire(MPI_Comm communicator, std::vector<int> nodes, bool crowded) {
  return std::make_unique<MpiWire>(communicator, std::move(nodes), crowded);
}

void check_mpi(int error, const char* what) {
  if (error != MPI_SUCCESS) throw std::runtime_error(std::string(what) + ": " + text_of(error));
}

}  // namespace assay
