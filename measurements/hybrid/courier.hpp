// SPDX-License-Identifier: Apache-2.0
// How threads of a rank send and receive under each thread level of MPI.
#pragma once
#include <mpi.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "api/mpi.hpp"
#include "mpi/message.hpp"
#include "mpi/progress.hpp"
#include "mpi/seating.hpp"
#include "mpi/window.hpp"

namespace assay {

/// What a program written for a thread level does to pass a message. `finish` is called by each communicating thread of
/// a rank after its last message of a batch, of which there are `threads` here.
class Courier {
 public:
  Courier() = default;
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;
  virtual ~Courier() = default;
  virtual void send(const Member& member, Message& message, const Way& way) = 0;
  virtual void receive(const Member& member, Message& message, const Way& way) = 0;
  virtual void finish(const Member&) {}
};

/// Level `multiple`, and `single` where there is one thread: each calls the library by itself.
class DirectCourier final : public Courier {
 public:
  explicit DirectCourier(const MpiPlace& place) : progress_(place) {}
  void send(const Member&, Message& message, const Way& way) override {
    progress_.send(message.data(), message.size(), way.other, way.there, way.communicator);
  }
  void receive(const Member&, Message& message, const Way& way) override {
    progress_.receive(message.data(), message.size(), way.other, way.back, way.communicator);
  }

 private:
  MpiProgress progress_;
};

/// Level `serialized`: a mutex around every call, and none is held while a message is awaited.
class SerializedCourier final : public Courier {
 public:
  explicit SerializedCourier(const MpiPlace& place) : progress_(place) {}
  void send(const Member&, Message& message, const Way& way) override {
    pass([&](MPI_Request& request) {
      MPI_Isend(message.data(), message.size(), MPI_CHAR, way.other, way.there, way.communicator, &request);
    });
  }
  void receive(const Member&, Message& message, const Way& way) override {
    pass([&](MPI_Request& request) {
      MPI_Irecv(message.data(), message.size(), MPI_CHAR, way.other, way.back, way.communicator, &request);
    });
  }

 private:
  template <class Start>
  void pass(Start start) {
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
    const auto look = [&] {
      const std::lock_guard lock(mutex_);
      return MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0;
    };
    {
      const std::lock_guard lock(mutex_);
      start(request);
    }
    progress_.until(look);
  }

  MpiProgress progress_;
  std::mutex mutex_;
};

/// Level `funneled`: the rank's first thread makes every call, for the others by order; while it awaits a message of
/// its own it looks for orders.
class FunneledCourier final : public Courier {
 public:
  /// `threads` of this rank communicate, the first of them being the rank's first.
  FunneledCourier(const MpiPlace& place, int threads) : seating_(place), progress_(place), others_(threads - 1) {
    for (int i = 0; i < seating_.threads(); ++i) orders_.push_back(std::make_unique<Order>());
  }
  void send(const Member& member, Message& message, const Way& way) override { pass(member, message, way, true); }
  void receive(const Member& member, Message& message, const Way& way) override { pass(member, message, way, false); }
  void finish(const Member& member) override {
    if (!seating_.leads(member)) {
      finished_.fetch_add(1, std::memory_order_acq_rel);
      return;
    }
    progress_.until([&] {
      serve();
      return finished_.load(std::memory_order_acquire) == others_;
    });
    finished_.store(0, std::memory_order_relaxed);
  }

 private:
  enum class State : std::uint8_t { none, ordered, started };
  struct alignas(line_size) Order {
    std::atomic<State> state{State::none};
    Message* message = nullptr;
    Way way;
    bool sends = false;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void pass(const Member& member, Message& message, const Way& way, bool sends) {
    Order& order = *orders_[static_cast<std::size_t>(seating_.thread_of(member))];
    order.message = &message;
    order.way = way;
    order.sends = sends;
    order.state.store(State::ordered, std::memory_order_release);
    const bool leads = seating_.leads(member);
    progress_.until([&] {
      if (leads)
        serve();
      else
        relax();
      return order.state.load(std::memory_order_acquire) == State::none;
    });
  }
  /// One look at every order.
  void serve() {
    for (const auto& order : orders_) {
      const State state = order->state.load(std::memory_order_acquire);
      if (state == State::ordered) start(*order);
      if (state == State::none) continue;
      int done = 0;
      MPI_Test(&order->request, &done, MPI_STATUS_IGNORE);
      order->state.store(done != 0 ? State::none : State::started, std::memory_order_release);
    }
  }
  static void start(Order& order) {
    const Way& way = order.way;
    Message& message = *order.message;
    if (order.sends)
      MPI_Isend(message.data(), message.size(), MPI_CHAR, way.other, way.there, way.communicator, &order.request);
    else
      MPI_Irecv(message.data(), message.size(), MPI_CHAR, way.other, way.back, way.communicator, &order.request);
  }

  Seating seating_;
  MpiProgress progress_;
  int others_;
  std::vector<std::unique_ptr<Order>> orders_;  ///< by thread
  alignas(line_size) std::atomic<int> finished_{0};
};

}  // namespace assay
