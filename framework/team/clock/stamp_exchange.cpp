// SPDX-License-Identifier: Apache-2.0
// Question and answer, with nothing between the stamps but the messages.
#include "team/clock/stamp_exchange.hpp"

namespace assay {
namespace {

constexpr std::byte question{1};
constexpr std::byte all_asked{2};

}  // namespace

std::vector<Stamps> exchange_stamps(Wire& wire, int with, int count) {
  std::vector<Stamps> exchanges(static_cast<std::size_t>(count));
  for (Stamps& stamps : exchanges) {
    stamps.sent = wire.clock().now();
    send_value(wire, with, question);
    stamps.reference = receive_value<Instant>(wire, with);
    stamps.received = wire.clock().now();
  }
  return exchanges;
}

void end_exchange(Wire& wire, int with) { send_value(wire, with, all_asked); }

void answer_stamps(Wire& wire, int with) {
  while (receive_value<std::byte>(wire, with) == question) send_value(wire, with, wire.clock().now());
}

}  // namespace assay
