// SPDX-License-Identifier: Apache-2.0
// Room: messages between ranks.
// The edge between ranks: small messages, and each rank's own clock. MPI is one implementation, a simulation another.
#pragma once
#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>

#include "base/clock.hpp"

namespace assay {

/// Ranks that do not agree on what is to be said, or one that cannot be heard any more.
class WireError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One rank's view of all. Nothing else may use the same channel: messages of two ranks arrive in the order in which
/// they were sent. All ranks run the same program on the same kind of machine.
class Wire {
 public:
  virtual ~Wire() = default;
  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  /// A number that ranks of one node, that is of one kernel, have in common.
  virtual int node_of(int rank) const = 0;
  /// This rank's own clock.
  virtual AlarmClock& clock() = 0;
  /// Sends to another rank without waiting for that one to receive: what cannot leave at once is kept. Throws
  /// WireError.
  virtual void send(int to, std::span<const std::byte> message) = 0;
  /// Waits for the next message from a rank, as long as `message`. Throws WireError, also for one of another length.
  virtual void receive(int from, std::span<std::byte> message) = 0;
};

/// Sends a plain value.
template <class Value>
void send_value(Wire& wire, int to, const Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  wire.send(to, std::as_bytes(std::span(&value, 1)));
}

/// Receives a plain value.
template <class Value>
Value receive_value(Wire& wire, int from) {
  static_assert(std::is_trivially_copyable_v<Value>);
  Value value{};
  wire.receive(from, std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

}  // namespace assay
