// SPDX-License-Identifier: Apache-2.0
// A launch on a simulated network: what the framework says goes over the simulated wires, and so do the clocks.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/ranks/simulated_network.hpp"
#include "team/ranks/rank_link.hpp"
#include "team/wire/rank_tree.hpp"

namespace assay::test {

/// A wire that the network owns.
class LentWire final : public Wire {
 public:
  explicit LentWire(Wire& wire) : wire_(wire) {}
  int rank() const override { return wire_.rank(); }
  int ranks() const override { return wire_.ranks(); }
  int node_of(int rank) const override { return wire_.node_of(rank); }
  AlarmClock& clock() override { return wire_.clock(); }
  void send(int to, std::span<const std::byte> message) override { wire_.send(to, message); }
  void receive(int from, std::span<std::byte> message) override { wire_.receive(from, message); }

 private:
  Wire& wire_;
};

/// One rank's end. Every place has all ranks. A rank that aborts throws what it said.
class SimulatedLink final : public RankLink {
 public:
  SimulatedLink(Wire& wire, RankMap map)
      : wire_(wire), map_(std::move(map)), clock_(std::make_unique<LentWire>(wire)) {}
  int rank() const override { return wire_.rank(); }
  const RankMap& map() const override { return map_; }
  bool gives_way() const override { return false; }
  std::string broadcast(const std::string& text) override {
    std::string told(assay::broadcast(wire_, text.size()), '\0');
    if (rank() == 0) told = text;
    broadcast_bytes(wire_, std::as_writable_bytes(std::span(told)));
    return told;
  }
  std::vector<std::string> gather(const std::string& text) override {
    if (rank() != 0) {
      say(text);
      return {};
    }
    std::vector<std::string> texts{text};
    for (int from = 1; from < size(); ++from) {
      texts.emplace_back(receive_value<std::size_t>(wire_, from), '\0');
      wire_.receive(from, std::as_writable_bytes(std::span(texts.back())));
    }
    return texts;
  }
  const MpiPlace* place(const std::vector<RankSeat>&) override { return nullptr; }
  void start(const MpiPlace*) override {}
  PlaceClock* clock(const MpiPlace*) override { return &clock_; }
  [[noreturn]] void abort(const std::string& why) override { throw std::runtime_error("aborted: " + why); }

 private:
  void say(const std::string& text) {
    send_value(wire_, 0, text.size());
    wire_.send(0, std::as_bytes(std::span(text)));
  }

  Wire& wire_;
  RankMap map_;
  PlaceClock clock_;
};

}  // namespace assay::test
