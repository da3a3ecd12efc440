// SPDX-License-Identifier: Apache-2.0
// Threads that wait for each other only for messages, and times that travel with these.
#include "support/ranks/simulated_network.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

namespace assay::test {
namespace {

std::int64_t drawn(const DelayLaw& law, Rng& rng, std::int64_t time) { return std::llround(law(rng, time)); }

DelayLaw always(double duration) {
  return [duration](Rng&, std::int64_t) { return duration; };
}

}  // namespace

SimulatedWire::SimulatedWire(SimulatedNetwork& network, int rank)
    : network_(network), rank_(rank), rng_(network.rng().substream("rank " + std::to_string(rank))) {}

int SimulatedWire::ranks() const { return network_.ranks(); }

int SimulatedWire::node_of(int rank) const { return network_.of(rank).node; }

Instant SimulatedWire::now() const {
  const Instant reading = network_.reading_of(rank_, time_);
  time_ += drawn(network_.reading, rng_, time_);
  return reading;
}

void SimulatedWire::sleep_until(Instant time) {
  const std::int64_t left = time.ns - network_.reading_of(rank_, time_).ns;
  if (left <= 0) return;
  time_ += std::llround(static_cast<double>(left) / (1 + network_.of(rank_).drift)) + 1;
  time_ += drawn(network_.oversleep, rng_, time_);
}

void SimulatedWire::send(int to, std::span<const std::byte> message) {
  time_ += drawn(network_.reading, rng_, time_);
  network_.post(rank_, to, message, time_);
}

void SimulatedWire::receive(int from, std::span<std::byte> message) {
  const SimulatedNetwork::Message taken = network_.take(from, rank_);
  time_ = std::max(time_, taken.arrival) + drawn(network_.reading, rng_, time_);
  if (taken.bytes.size() != message.size()) throw WireError("a message of another length than expected");
  std::copy(taken.bytes.begin(), taken.bytes.end(), message.begin());
}

SimulatedNetwork::SimulatedNetwork(std::vector<SimulatedRank> ranks, std::uint64_t seed)
    : delay([](int, int) { return always(1000); }),
      oversleep(always(50'000)),
      reading(always(20)),
      ranks_(std::move(ranks)),
      rng_(seed) {}

Instant SimulatedNetwork::reading_of(int rank, std::int64_t time) const {
  return {of(rank).origin + time + std::llround(of(rank).drift * static_cast<double>(time))};
}

void SimulatedNetwork::run(const std::function<void(SimulatedWire&)>& program) {
  links_.clear();
  status_.clear();
  status_.resize(ranks_.size());
  error_ = nullptr;
  dead_ = false;
  for (int from = 0; from < ranks(); ++from)
    for (int to = 0; to < ranks(); ++to)
      links_[{from, to}] = {delay(from, to), rng_.substream(std::to_string(from) + " to " + std::to_string(to)), 0, {}};
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks(); ++rank)
    threads.emplace_back([this, rank, &program] {
      SimulatedWire wire(*this, rank);
      try {
        program(wire);
        end(rank, nullptr);
      } catch (...) {
        end(rank, std::current_exception());
      }
    });
  for (std::thread& thread : threads) thread.join();
  if (error_) std::rethrow_exception(error_);
}

void SimulatedNetwork::post(int from, int to, std::span<const std::byte> message, std::int64_t time) {
  const std::scoped_lock lock(mutex_);
  Link& way = link(from, to);
  way.last_arrival = std::max(way.last_arrival, time + drawn(way.law, way.rng, time));
  way.under_way.push_back({{message.begin(), message.end()}, way.last_arrival});
  status_[static_cast<std::size_t>(to)].change.notify_one();
}

SimulatedNetwork::Message SimulatedNetwork::take(int from, int to) {
  std::unique_lock lock(mutex_);
  Link& way = link(from, to);
  Status& status = status_[static_cast<std::size_t>(to)];
  while (way.under_way.empty()) {
    status.doing = Doing::waits;
    status.awaited = from;
    if (stuck()) wake_all();
    if (dead_) throw WireError("rank " + std::to_string(to) + " waits for rank " + std::to_string(from) + " for ever");
    status.change.wait(lock);
  }
  status.doing = Doing::computes;
  Message message = std::move(way.under_way.front());
  way.under_way.pop_front();
  return message;
}

void SimulatedNetwork::end(int rank, std::exception_ptr error) {
  const std::scoped_lock lock(mutex_);
  status_[static_cast<std::size_t>(rank)].doing = Doing::finished;
  if (error && !error_) error_ = std::move(error);
  if (stuck()) wake_all();
}

// No rank computes, and no message is there: nothing will ever happen again.
bool SimulatedNetwork::stuck() {
  for (int rank = 0; rank < ranks(); ++rank) {
    const Status& status = status_[static_cast<std::size_t>(rank)];
    if (status.doing == Doing::computes) return false;
    if (status.doing == Doing::waits && !link(status.awaited, rank).under_way.empty()) return false;
  }
  return true;
}

void SimulatedNetwork::wake_all() {
  dead_ = true;
  for (Status& status : status_) status.change.notify_all();
}

}  // namespace assay::test
